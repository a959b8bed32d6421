/* SPDX-License-Identifier: MIT */
/* `assent rules unused`: rules in force that matched nothing on record, and what rules that only
 * report would have done. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "rule_uses.h"
#include "tool_replay.h"
#include "tool_rules_import.h"

static void count_command(void *argument, char *const *argv, const struct judgement *before,
                          const struct judgement *after)
{
    (void)argv;
    rule_uses_command(argument, before, after);
}

static void count_connection(void *argument, const struct rules_connection *connection)
{
    rule_uses_connection(argument, connection);
}

/* ---- telling --------------------------------------------------------------------------------- */

static void print_use(const struct rule_use *use)
{
    cleanup_strbuf struct strbuf file = STRBUF_INIT;
    text_escape(&file, use->file, strlen(use->file), 0);
    cleanup_free char *place = xasprintf("%s:%u", strbuf_str(&file), use->line);
    if (use->matched == 0)
        printf(_("%s matched nothing\n"), place);
    else if (use->shadow)
        printf(_("%s only reports: of %zu commands that it matched it would have let %zu run "
                 "unasked, asked about %zu, refused %zu\n"),
               place, use->matched, use->unasked, use->asked, use->refused);
}

static void print_json(const struct rule_use *use)
{
    cleanup_json json_t *object = json_pack(
        "{s:o, s:i, s:b, s:I, s:I, s:I, s:I}", "file",
        json_string_lossy(use->file, strlen(use->file)), "line", (int)use->line, "shadow",
        (int)use->shadow, "matched", (json_int_t)use->matched, "unasked", (json_int_t)use->unasked,
        "asked", (json_int_t)use->asked, "refused", (json_int_t)use->refused);
    cleanup_free char *line = json_line(object);
    puts(line);
}

static void print_uses(struct rule_uses *uses, const struct tool_replay *replay, bool json)
{
    struct rule_use use;
    for (size_t i = 0; rule_uses_at(uses, i, &use); i++) {
        if (json)
            print_json(&use);
        else
            print_use(&use);
    }
    if (!json)
        printf(_("%zu rules, %zu recorded commands\n"),
               rules_count(replay->then.rules) + rules_network_count(replay->then.rules),
               replay->commands);
}

int tool_rules_unused(const struct options *options, int count, char **files, struct error *error)
{
    struct tool_replay replay;
    struct rule_uses *uses = NULL;
    int result = tool_replay_open(&replay, options, error);
    if (result == 0) {
        struct rulebook *book = rulebook_open(replay.now.workspace);
        tool_judge_take(&replay.now, book);
        tool_judge_take(&replay.then, book);
        rulebook_free(&book);
        uses = rule_uses_new(replay.then.rules);
        replay.connection = count_connection;
        result = tool_replay_run(&replay, options, count, files, count_command, uses, error);
    }
    if (result == 0)
        print_uses(uses, &replay, options_bool(options, OPTION_JSON));
    rule_uses_free(&uses);
    tool_replay_clear(&replay);
    return result;
}
