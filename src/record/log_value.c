/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_value.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "risk/mask.h"

void log_put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

void log_put_integer(json_t *object, const char *key, int64_t value)
{
    log_put(object, key, json_integer(value));
}

void log_put_bool(json_t *object, const char *key, bool value)
{
    log_put(object, key, json_boolean(value));
}

/* Any bytes; nothing when there are none. */
void log_put_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        log_put(object, key, json_string_lossy(text, strlen(text)));
}

/* What an agent or a program says may hold a secret as well; errs towards masking. */
void log_put_masked_bytes(json_t *object, const char *key, const char *bytes, size_t length)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    mask_text(&safe, bytes, length);
    log_put(object, key, json_string_lossy(strbuf_str(&safe), safe.length));
}

void log_put_masked(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        log_put_masked_bytes(object, key, text, strlen(text));
}

void log_put_command(json_t *object, const char *key, const char *command)
{
    if (command == NULL)
        return;
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    mask_command(&safe, command, strlen(command));
    log_put(object, key, json_string_lossy(strbuf_str(&safe), safe.length));
}

void log_put_filled(json_t *object, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0')
        log_put_text(object, key, text);
}

static json_t *encoded(const char *bytes)
{
    struct strbuf text = STRBUF_INIT;
    base64_encode(&text, bytes, strlen(bytes));
    json_t *value = json_string(strbuf_str(&text));
    strbuf_free(&text);
    return value;
}

bool log_value_is_text(const char *bytes)
{
    return text_valid_utf8(bytes, strlen(bytes));
}

/* Bytes that decide what runs: kept exactly, in a second field where JSON cannot hold them. */
void log_put_exact(json_t *object, const char *key, const char *exact_key, const char *bytes)
{
    if (bytes == NULL)
        return;
    log_put_text(object, key, bytes);
    if (!log_value_is_text(bytes))
        log_put(object, exact_key, encoded(bytes));
}

json_t *log_value_list(char *const *strings)
{
    json_t *list = json_array();
    for (; strings != NULL && *strings != NULL; strings++)
        json_array_append_new(list, json_string_lossy(*strings, strlen(*strings)));
    return list;
}

void log_put_words(json_t *object, const char *key, char *const *words)
{
    if (words == NULL)
        return;
    struct mask_words rest = {.words = (const char *const *)words};
    json_t *list = json_array();
    while (words[rest.next] != NULL) {
        cleanup_free char *safe = mask_next_word(&rest);
        json_array_append_new(list, json_string_lossy(safe, strlen(safe)));
    }
    log_put(object, key, list);
}

/* Passwords and tokens in it are masked: the record outlives them. */
void log_put_argv(json_t *object, char *const *argv)
{
    bool text = true, masked = false;
    struct mask_words words = {.words = (const char *const *)argv};
    json_t *list = json_array();
    while (argv[words.next] != NULL) {
        const char *word = argv[words.next];
        cleanup_free char *safe = mask_next_word(&words);
        json_array_append_new(list, json_string_lossy(safe, strlen(safe)));
        text &= log_value_is_text(word);
        masked |= strcmp(safe, word) != 0;
    }
    log_put(object, "argv", list);
    if (text || masked)
        return;
    json_t *exact = json_array();
    for (char *const *word = argv; *word != NULL; word++)
        json_array_append_new(exact, encoded(*word));
    log_put(object, "argv_b64", exact);
}

static bool names_secret(const char *entry, size_t length)
{
    static const char *const marks[] = {"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"};
    cleanup_free char *name = xstrndup(entry, length);
    for (char *place = name; *place != '\0'; place++)
        *place = (char)toupper((unsigned char)*place);
    for (size_t i = 0; i < COUNT(marks); i++)
        if (strstr(name, marks[i]) != NULL)
            return true;
    return false;
}

/* The record is read by more people than the machine is. */
void log_put_environment(json_t *object, char *const *entries)
{
    if (entries == NULL)
        return;
    json_t *list = json_array();
    for (; *entries != NULL; entries++) {
        int length = (int)strcspn(*entries, "=");
        cleanup_free char *shown = names_secret(*entries, (size_t)length)
                                       ? xasprintf("%.*s=[redacted]", length, *entries)
                                       : mask_word((const char *const *)entries, 0);
        json_array_append_new(list, json_string_lossy(shown, strlen(shown)));
    }
    log_put(object, "env", list);
}
