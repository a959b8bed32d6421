/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/key_rows.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/text.h"

static const struct {
    const char *name, *label;
} labels[] = {
    {"command", N_("Only for")},
    {"argv", N_("Command")},
    {"host", N_("Host")},
    {"protocol", N_("Protocol")},
    {"port", N_("Port")},
    {"addresses", N_("Addresses")},
    {"path", N_("File")},
    {"content", N_("Content")},
    {"change", N_("Change")},
    {"agent_tool", N_("Tool")},
    {"program", N_("Program")},
    {"cwd", N_("Directory")},
    {"cd", N_("Goes to")},
    {"env", N_("Variables")},
    {"stdin", N_("Input")},
    {"tty", N_("Terminal")},
    {"permissions", N_("Asks for")},
    {"additional", N_("More")},
    {"purpose", N_("Which try")},
    {"sandbox", N_("Runs under")},
    {"writes", N_("May write")},
    {"policy", N_("Its policy")},
};

/* In the words of the request, where those of the key are for programs. */
static const struct {
    const char *name, *value, *words;
} values[] = {
    {"permissions", "use_default", N_("what the sandbox gives")},
    {"permissions", "require_escalated", N_("to run without the sandbox")},
    {"sandbox", "unsandboxed", N_("no sandbox")},
    {"sandbox", "turn_default", N_("the sandbox of the session")},
    {"stdin", "null", N_("none")},
    {"stdin", "agent", N_("the agent's")},
    {"stdin", "terminal", N_("yours, in the pane")},
    {"purpose", "first", N_("the first")},
    {"purpose", "retry", N_("the second, after the sandbox stopped it")},
};

static const char *value_words(const char *name, const char *value)
{
    for (size_t i = 0; i < COUNT(values); i++)
        if (strcmp(values[i].name, name) == 0 && strcmp(values[i].value, value) == 0)
            return _(values[i].words);
    return value;
}

static bool says_something(const json_t *value)
{
    if (json_is_array(value))
        return json_array_size(value) > 0;
    return value != NULL && !json_is_null(value) && !json_is_false(value);
}

/* Lines of one value are parted by signs. */
static void add_text(struct strbuf *out, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        text_escape(out, text, length, TEXT_PLAIN_AGENT);
        text += length;
        if (*text == '\n' && *++text != '\0')
            strbuf_addstr(out, "; ");
    }
}

static void add_words(struct strbuf *out, json_t *list)
{
    cleanup_json json_t *object = json_pack("{s:O}", "words", list);
    cleanup_strv char **words = NULL;
    cleanup_strbuf struct strbuf line = STRBUF_INIT;

    if (json_get_strv_optional(object, "words", SIZE_MAX, &words, NULL) < 0 || words == NULL) {
        cleanup_free char *text = json_dumps(list, JSON_COMPACT);

        add_text(out, text != NULL ? text : "?");
        return;
    }
    text_quote_argv(&line, (const char *const *)words);
    add_text(out, strbuf_str(&line));
}

static void add_value(struct strbuf *out, const char *name, json_t *value)
{
    json_t *path = json_object_get(value, "path");

    if (json_is_integer(value) && strcmp(name, "command") == 0) { /* whose connections alone */
        strbuf_addf(out, "c%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_string(value)) {
        add_text(out, value_words(name, json_string_value(value)));
    } else if (json_is_true(value)) {
        strbuf_addstr(out, _("it has one")); /* a terminal */
    } else if (json_is_array(value)) {
        add_words(out, value);
    } else if (json_is_string(path)) { /* of a program; which file that is, its number says */
        const char *file = json_string_value(json_object_get(value, "file"));

        add_text(out, json_string_value(path));
        strbuf_addstr(out, file != NULL ? " (" : "");
        add_text(out, file != NULL ? file : "");
        strbuf_addstr(out, file != NULL ? ")" : "");
    } else {
        cleanup_free char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

        add_text(out, text != NULL ? text : "?");
    }
}

static void add_row(struct strbuf *out, const char *label, const char *name, json_t *value)
{
    if (!says_something(value))
        return;
    strbuf_addf(out, "%s: ", label);
    add_value(out, name, value);
    strbuf_addch(out, '\n');
}

static bool has_label(const char *name)
{
    for (size_t i = 0; i < COUNT(labels); i++)
        if (strcmp(labels[i].name, name) == 0)
            return true;
    return strcmp(name, "tool") == 0; /* what it covers says that */
}

void key_rows(struct strbuf *out, const char *key)
{
    cleanup_json json_t *object = json_parse(key, strlen(key), NULL);
    const char *name;
    json_t *value;

    if (!json_is_object(object)) {
        add_text(out, key);
        return;
    }
    for (size_t i = 0; i < COUNT(labels); i++)
        add_row(out, _(labels[i].label), labels[i].name, json_object_get(object, labels[i].name));
    json_object_foreach(object, name, value)
    {
        cleanup_free char *label = has_label(name) ? NULL : text_line(name, strlen(name), 40);

        if (label != NULL)
            add_row(out, label, name, value);
    }
    if (out->length > 0 && out->data[out->length - 1] == '\n')
        out->data[--out->length] = '\0';
}
