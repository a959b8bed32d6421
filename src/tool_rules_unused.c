/* SPDX-License-Identifier: MIT */
/* `assent rules unused`: rules in force that matched nothing on record, and what rules that only
 * report would have done. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "tool_replay.h"
#include "tool_rules_import.h"

/* Of a rule that only reports: commands of which it would have changed what happened to them. */
struct uses {
    size_t matched, asked, refused, unasked;
};

struct tally {
    struct tool_replay replay; /* without and with the rules that only report */
    struct uses *uses;         /* by rule */
};

static size_t index_of(const struct rules *rules, const struct rule *rule)
{
    return (size_t)(rule - rules_at(rules, 0));
}

static bool is_new(const struct rule *const *seen, size_t count, const struct rule *rule)
{
    for (size_t i = 0; i < count; i++)
        if (seen[i] == rule)
            return false;
    return true;
}

static void count_use(struct uses *uses, const struct judgement *before,
                      const struct judgement *after)
{
    const struct approval_requirement *old = &before->requirement, *with = &after->requirement;
    uses->matched++;
    if (with->kind == old->kind && with->bypass_sandbox == old->bypass_sandbox)
        return;
    uses->unasked += with->kind == REQUIREMENT_SKIP;
    uses->asked += with->kind == REQUIREMENT_NEEDS_APPROVAL;
    uses->refused += with->kind == REQUIREMENT_FORBIDDEN;
}

/* Each rule once for a command, however many of its parts it matches. */
static void count_uses(void *argument, char *const *argv, const struct judgement *before,
                       const struct judgement *after)
{
    struct tally *tally = argument;
    (void)argv;
    size_t total = 0, count = 0;
    for (size_t i = 0; i < after->count; i++)
        total += after->parts[i].matches.count;
    const struct rule **seen = xcalloc(total + 1, sizeof(const struct rule *));
    for (size_t i = 0; i < after->count; i++)
        for (size_t j = 0; j < after->parts[i].matches.count; j++) {
            const struct rule *rule = after->parts[i].matches.items[j].rule;
            if (!is_new(seen, count, rule))
                continue;
            seen[count++] = rule;
            count_use(&tally->uses[index_of(tally->replay.then.rules, rule)], before, after);
        }
    free(seen);
}

/* ---- telling --------------------------------------------------------------------------------- */

static char *place_of(const struct rule *rule)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, rule->file, strlen(rule->file), 0);
    return xasprintf("%s:%u", strbuf_str(&shown), rule->line);
}

/* The alternatives of a rule's first word are rules of their own on one line: the last of them
 * stands for all. */
static bool is_last_of_line(const struct rules *rules, size_t i)
{
    const struct rule *rule = rules_at(rules, i), *next = rules_at(rules, i + 1);
    return next == NULL || next->line != rule->line || strcmp(next->file, rule->file) != 0;
}

static void print_rule(const struct rule *rule, const struct uses *uses)
{
    cleanup_free char *place = place_of(rule);
    if (uses->matched == 0)
        printf(_("%s matched nothing\n"), place);
    else if (rule->shadow)
        printf(_("%s only reports: of %zu commands that it matched it would have let %zu run "
                 "unasked, asked about %zu, refused %zu\n"),
               place, uses->matched, uses->unasked, uses->asked, uses->refused);
}

static void print_json(const struct rule *rule, const struct uses *uses)
{
    cleanup_json json_t *object =
        json_pack("{s:o, s:i, s:b, s:I, s:I, s:I, s:I}", "file",
                  json_string_lossy(rule->file, strlen(rule->file)), "line", (int)rule->line,
                  "shadow", (int)rule->shadow, "matched", (json_int_t)uses->matched, "unasked",
                  (json_int_t)uses->unasked, "asked", (json_int_t)uses->asked, "refused",
                  (json_int_t)uses->refused);
    cleanup_free char *line = json_line(object);
    puts(line);
}

static void print_tally(const struct tally *tally, bool json)
{
    const struct rules *rules = tally->replay.then.rules;
    struct uses uses = {0};
    for (size_t i = 0; i < rules_count(rules); i++) {
        uses.matched += tally->uses[i].matched;
        uses.asked += tally->uses[i].asked;
        uses.refused += tally->uses[i].refused;
        uses.unasked += tally->uses[i].unasked;
        if (!is_last_of_line(rules, i))
            continue;
        if (json)
            print_json(rules_at(rules, i), &uses);
        else
            print_rule(rules_at(rules, i), &uses);
        uses = (struct uses){0};
    }
    if (!json)
        printf(_("%zu rules, %zu recorded commands\n"), rules_count(rules), tally->replay.commands);
}

int tool_rules_unused(const struct options *options, int count, char **files, struct error *error)
{
    struct tally tally = {.uses = NULL};
    int result = tool_replay_open(&tally.replay, options, error);
    if (result == 0) {
        struct rulebook *book = rulebook_open(tally.replay.now.workspace);
        tool_judge_take(&tally.replay.now, book);
        tool_judge_take(&tally.replay.then, book);
        rulebook_free(&book);
        tally.uses = xcalloc(rules_count(tally.replay.then.rules) + 1, sizeof(*tally.uses));
        result = tool_replay_run(&tally.replay, options, count, files, count_uses, &tally, error);
    }
    if (result == 0)
        print_tally(&tally, options_bool(options, OPTION_JSON));
    tool_replay_clear(&tally.replay);
    free(tally.uses);
    return result;
}
