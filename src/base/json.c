/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"

#define DEPTH_MAX 64

/* jansson's own limit on depth is 2,048; ours keeps every later walk over the value shallow. A
 * scan of the brackets before parsing, strings left out. */
static bool too_deep(const char *bytes, size_t length)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < length; i++) {
        char byte = bytes[i];
        if (in_string) {
            if (byte == '\\')
                i++;
            else if (byte == '"')
                in_string = false;
        } else if (byte == '"') {
            in_string = true;
        } else if (byte == '[' || byte == '{') {
            if (++depth > DEPTH_MAX)
                return true;
        } else if ((byte == ']' || byte == '}') && depth > 0) {
            depth--;
        }
    }
    return false;
}

json_t *json_parse(const char *bytes, size_t length, struct error *error)
{
    if (too_deep(bytes, length)) {
        error_set(error, 0, "JSON: nested deeper than %d levels", DEPTH_MAX);
        return NULL;
    }
    json_error_t cause;
    json_t *value = json_loadb(bytes, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &cause);
    if (!value) {
        /* The library's words, but for one case in which they tell a programmer what to do. */
        bool null_byte = json_error_code(&cause) == json_error_null_character;
        const char *words = null_byte ? "a NUL character (\\u0000) in a string" : cause.text;
        cleanup_free char *text = text_line(words, strlen(words), 120);
        error_set(error, 0, "JSON: line %d, column %d: %s", cause.line, cause.column, text);
    }
    return value;
}

/* The value of a key, NULL when it is absent or null. */
static const json_t *present(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

static int check_string(const json_t *string, const char *key, const char **value,
                        struct error *error)
{
    if (!json_is_string(string))
        return error_set(error, 0, "%s: expected a string", key);
    if (strlen(json_string_value(string)) != json_string_length(string))
        return error_set(error, 0, "%s: expected a string without NUL characters", key);
    *value = json_string_value(string);
    return 0;
}

int json_get_string(const json_t *object, const char *key, const char **value, struct error *error)
{
    const json_t *string = present(object, key);
    if (!string)
        return error_set(error, 0, "%s: missing (expected a string)", key);
    return check_string(string, key, value, error);
}

int json_get_string_optional(const json_t *object, const char *key, const char **value,
                             struct error *error)
{
    const json_t *string = present(object, key);
    return string ? check_string(string, key, value, error) : 0;
}

int json_get_integer_optional(const json_t *object, const char *key, int64_t minimum,
                              int64_t maximum, int64_t *value, struct error *error)
{
    const json_t *number = present(object, key);
    if (!number)
        return 0;
    if (!json_is_integer(number) || json_integer_value(number) < minimum ||
        json_integer_value(number) > maximum)
        return error_set(error, 0, "%s: expected a whole number from %" PRId64 " to %" PRId64, key,
                         minimum, maximum);
    *value = json_integer_value(number);
    return 0;
}

int json_get_bool_optional(const json_t *object, const char *key, bool *value, struct error *error)
{
    const json_t *boolean = present(object, key);
    if (!boolean)
        return 0;
    if (!json_is_boolean(boolean))
        return error_set(error, 0, "%s: expected true or false", key);
    *value = json_is_true(boolean);
    return 0;
}

int json_get_strv_optional(const json_t *object, const char *key, size_t limit, char ***value,
                           struct error *error)
{
    const json_t *array = present(object, key);
    if (!array)
        return 0;
    if (!json_is_array(array) || json_array_size(array) > limit)
        return error_set(error, 0, "%s: expected an array of at most %zu strings", key, limit);
    size_t count = json_array_size(array);
    cleanup_strv char **strings = xcalloc(count + 1, sizeof *strings);
    for (size_t i = 0; i < count; i++) {
        const json_t *element = json_array_get(array, i);
        const char *string;
        if (check_string(element, key, &string, NULL) < 0) {
            cleanup_free char *name = xasprintf("%s[%zu]", key, i);
            return check_string(element, name, &string, error);
        }
        strings[i] = xstrdup(string);
    }
    *value = steal_pointer(&strings);
    return 0;
}

static char *dump(const json_t *value, size_t flags)
{
    char *text = json_dumps(value, flags | JSON_ENCODE_ANY);
    return text ? text : xstrdup("null"); /* a NULL value, or no memory */
}

char *json_canonical(const json_t *value)
{
    return dump(value, JSON_COMPACT | JSON_SORT_KEYS);
}

char *json_line(const json_t *value)
{
    return dump(value, JSON_COMPACT);
}

json_t *json_string_lossy(const char *bytes, size_t length)
{
    if (text_valid_utf8(bytes, length) && !memchr(bytes, '\0', length))
        return json_stringn_nocheck(bytes, length);
    cleanup_strbuf struct strbuf clean = STRBUF_INIT;
    for (size_t i = 0; i < length;) {
        uint32_t codepoint;
        size_t size = text_decode(bytes + i, length - i, &codepoint);
        if (codepoint == TEXT_INVALID || codepoint == 0)
            strbuf_addstr(&clean, "\xEF\xBF\xBD");
        else
            strbuf_add(&clean, bytes + i, size);
        i += size;
    }
    return json_stringn_nocheck(strbuf_str(&clean), clean.length);
}
