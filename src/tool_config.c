/* SPDX-License-Identifier: MIT */
/* `assent config`: each key with its value and where the value comes from. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/help.h"
#include "config/options.h"
#include "risk/mask.h"
#include "tool.h"

static const char *origin_name(enum option_origin origin)
{
    static const char *const names[] = {"default", "file", "profile", "command line"};
    return names[origin];
}

/* "profile work, /home/x/.config/assent/assent.conf:12" */
static void describe_source(const struct options *options, enum option_id id, struct strbuf *out)
{
    struct option_source source = options_source(options, id);
    if (source.origin == ORIGIN_PROFILE)
        strbuf_addf(out, _("profile %s, "), options_string(options, OPTION_PROFILE));
    if (source.file && source.line)
        strbuf_addf(out, "%s:%d", source.file, source.line);
    else if (source.file)
        strbuf_addstr(out, source.file);
    else
        strbuf_addstr(out, source.origin == ORIGIN_DEFAULT ? _("default") : _("command line"));
}

/* Passwords in addresses are nobody's to read over a shoulder or in a bug report. */
static bool may_hold_password(int id)
{
    return id == OPTION_NETWORK_PROXY;
}

static void print_lines(const struct options *options)
{
    for (int id = 0; id < OPTION_KEY_COUNT; id++) {
        cleanup_strbuf struct strbuf raw = STRBUF_INIT;
        cleanup_strbuf struct strbuf line = STRBUF_INIT;
        strbuf_addf(&raw, "%s = ", option_spec(id)->key);
        if (may_hold_password(id)) {
            cleanup_strbuf struct strbuf value = STRBUF_INIT;
            options_format(options, (enum option_id)id, &value);
            mask_text(&raw, value.data, value.length);
        } else {
            options_format(options, (enum option_id)id, &raw);
        }
        strbuf_addstr(&raw, " # ");
        describe_source(options, (enum option_id)id, &raw);
        text_escape(&line, raw.data, raw.length, 0);
        puts(strbuf_str(&line));
    }
}

static json_t *value_json(const struct options *options, enum option_id id)
{
    const struct option_spec *spec = option_spec(id);
    if (option_is_list(spec)) {
        json_t *list = json_array();
        for (const char *const *item = options_list(options, id); *item; item++)
            json_array_append_new(list, json_string_lossy(*item, strlen(*item)));
        return list;
    }
    if (spec->type == OPTION_BOOL)
        return json_boolean(options_bool(options, id));
    if (spec->type == OPTION_CHOICE || spec->type == OPTION_STRING || spec->type == OPTION_PATH) {
        const char *text = options_string(options, id);
        cleanup_strbuf struct strbuf masked = STRBUF_INIT;
        if (may_hold_password((int)id)) {
            mask_text(&masked, text, strlen(text));
            text = strbuf_str(&masked);
        }
        return json_string_lossy(text, strlen(text));
    }
    return json_integer(options_number(options, id));
}

/* {"KEY": {"value", "origin", "file" and "line" when there are any} …}, one line. */
static int print_json(const struct options *options)
{
    json_t *all = json_object();
    for (int id = 0; id < OPTION_KEY_COUNT; id++) {
        struct option_source source = options_source(options, (enum option_id)id);
        json_t *entry = json_object();
        json_object_set_new(entry, "value", value_json(options, (enum option_id)id));
        json_object_set_new(entry, "origin", json_string(origin_name(source.origin)));
        if (source.file)
            json_object_set_new(entry, "file", json_string_lossy(source.file, strlen(source.file)));
        if (source.line)
            json_object_set_new(entry, "line", json_integer(source.line));
        json_object_set_new(all, option_spec(id)->key, entry);
    }
    cleanup_free char *line = json_line(all);
    json_decref(all);
    return puts(line) == EOF ? -1 : 0;
}

int tool_config(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    int result = 0;
    int rest = arguments_parse(options, SUBCOMMAND_CONFIG, argc, argv, &error);
    if (rest >= 0 && options_bool(options, OPTION_HELP))
        result = help_print(stdout, SUBCOMMAND_CONFIG);
    else if (rest >= 0 && rest < argc)
        result = error_set(&error, 0, "config takes no arguments");
    else if (rest < 0 || config_file_load(options, &error) < 0)
        result = -1;
    else if (options_bool(options, OPTION_JSON))
        result = print_json(options);
    else
        print_lines(options);
    options_free(&options);
    if (*error.message)
        tool_complain(argv[0], &error);
    return result == 0 && fflush(stdout) == 0 ? 0 : TOOL_FAILED;
}
