/* SPDX-License-Identifier: MIT */
/* `assent rules test`: what proposed rules would change for commands that were recorded. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "tool_replay.h"
#include "tool_rules_import.h"

#define SHOWN_MAX 50 /* commands of a kind that are listed */

enum change { NEWLY_FREE, NEWLY_UNASKED, NEWLY_ASKED, NEWLY_REFUSED, CHANGES };

struct trial {
    struct tool_replay replay;
    const char *file;
    bool *hits; /* of the proposed file's rules, by line */
    size_t lines;
    size_t counts[CHANGES];
    json_t *shown[CHANGES]; /* command line: how often */
};

/* ---- judging --------------------------------------------------------------------------------- */

static void note_hits(struct trial *trial, const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++)
        for (size_t j = 0; j < judgement->parts[i].matches.count; j++) {
            const struct rule *rule = judgement->parts[i].matches.items[j].rule;
            if (strcmp(rule->file, trial->file) == 0 && rule->line < trial->lines)
                trial->hits[rule->line] = true;
        }
}

static void count_change(struct trial *trial, enum change change, char *const *argv)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, (const char *const *)argv);
    json_t *key = json_string_lossy(strbuf_str(&line), line.length);
    const json_t *old = json_object_get(trial->shown[change], json_string_value(key));
    json_object_set_new(trial->shown[change], json_string_value(key),
                        json_integer(old != NULL ? json_integer_value(old) + 1 : 1));
    json_decref(key);
    trial->counts[change]++;
}

static void compare(void *argument, char *const *argv, const struct judgement *before,
                    const struct judgement *after)
{
    struct trial *trial = argument;
    const struct approval_requirement *old = &before->requirement, *new = &after->requirement;
    note_hits(trial, after);
    if (new->kind == REQUIREMENT_SKIP &&new->bypass_sandbox && !old->bypass_sandbox)
        count_change(trial, NEWLY_FREE, argv);
    else if (new->kind == old->kind)
        return;
    else if (new->kind == REQUIREMENT_SKIP)
        count_change(trial, NEWLY_UNASKED, argv);
    else if (new->kind == REQUIREMENT_NEEDS_APPROVAL)
        count_change(trial, NEWLY_ASKED, argv);
    else
        count_change(trial, NEWLY_REFUSED, argv);
}

/* ---- telling --------------------------------------------------------------------------------- */

static void print_change(const struct trial *trial, enum change change, const char *heading)
{
    const char *text;
    json_t *times;
    size_t listed = 0;
    if (trial->counts[change] == 0)
        return;
    printf("%s: %zu\n", heading, trial->counts[change]);
    json_object_foreach(trial->shown[change], text, times)
    {
        cleanup_free char *line = text_line(text, strlen(text), 160);
        if (listed++ < SHOWN_MAX)
            printf("  %4d  %s\n", (int)json_integer_value(times), line);
    }
    if (listed > SHOWN_MAX)
        printf(_("  and %zu more\n"), listed - SHOWN_MAX);
}

static void print_unused(const struct trial *trial)
{
    unsigned last = 0;
    for (size_t i = 0; i < rules_count(trial->replay.then.rules); i++) {
        const struct rule *rule = rules_at(trial->replay.then.rules, i);
        if (strcmp(rule->file, trial->file) != 0 || rule->line == last || trial->hits[rule->line])
            continue;
        last = rule->line;
        printf(_("%s:%u matches nothing\n"), trial->file, rule->line);
    }
}

static void print_trial(const struct trial *trial)
{
    static const char *const headings[CHANGES] = {
        [NEWLY_FREE] = N_("would run unasked and WITHOUT the sandbox"),
        [NEWLY_UNASKED] = N_("would run unasked"),
        [NEWLY_ASKED] = N_("would be asked"),
        [NEWLY_REFUSED] = N_("would be refused"),
    };
    printf(P_("%zu recorded command\n", "%zu recorded commands\n", trial->replay.commands),
           trial->replay.commands);
    for (size_t i = 0; i < CHANGES; i++)
        print_change(trial, (enum change)i, _(headings[i]));
    print_unused(trial);
}

static void print_trial_json(const struct trial *trial)
{
    static const char *const names[CHANGES] = {[NEWLY_FREE] = "unsandboxed",
                                               [NEWLY_UNASKED] = "unasked",
                                               [NEWLY_ASKED] = "asked",
                                               [NEWLY_REFUSED] = "refused"};
    cleanup_json json_t *object = json_object();
    json_object_set_new(object, "commands", json_integer((json_int_t)trial->replay.commands));
    for (size_t i = 0; i < CHANGES; i++)
        json_object_set(object, names[i], trial->shown[i]);
    cleanup_free char *line = json_line(object);
    puts(line);
}

/* ---- from start to end ----------------------------------------------------------------------- */

/* The installed rules, and the same with the file: 1 when that is not right. */
static int load(struct trial *trial, struct error *error)
{
    const char *const files[] = {trial->file, NULL};
    struct rulebook *book = rulebook_open(trial->replay.now.workspace);
    struct rulebook *proposed = rulebook_open_files(files);
    struct rules_source source = {.path = trial->file, .layer = RULES_NAMED};
    int result = 0;
    if (rulebook_problem(proposed) != NULL) {
        error_set(error, 0, "%s", rulebook_problem(proposed));
        result = 1;
    }
    tool_judge_take(&trial->replay.now, book);
    tool_judge_take(&trial->replay.then, book);
    if (result == 0)
        result = rules_add_file(trial->replay.then.rules, &source, error) == 0 ? 0 : 1;
    for (size_t i = 0; i < rules_count(trial->replay.then.rules); i++)
        if (rules_at(trial->replay.then.rules, i)->line >= trial->lines)
            trial->lines = rules_at(trial->replay.then.rules, i)->line + 1;
    trial->hits = xcalloc(trial->lines + 1, sizeof(*trial->hits));
    rulebook_free(&proposed);
    rulebook_free(&book);
    return result;
}

static void trial_clear(struct trial *trial)
{
    tool_replay_clear(&trial->replay);
    for (size_t i = 0; i < CHANGES; i++)
        json_decref(trial->shown[i]);
    free(trial->hits);
}

int tool_rules_test(const struct options *options, int count, char **files, struct error *error)
{
    struct trial trial = {.file = files[0]};
    if (count < 1)
        return error_set(error, 0, _("rules test takes a rule FILE, and records if you like"));
    for (size_t i = 0; i < CHANGES; i++)
        trial.shown[i] = json_object();
    int result = tool_replay_open(&trial.replay, options, error);
    if (result == 0)
        result = load(&trial, error);
    if (result == 0)
        result =
            tool_replay_run(&trial.replay, options, count - 1, files + 1, compare, &trial, error);
    if (result == 0 && options_bool(options, OPTION_JSON))
        print_trial_json(&trial);
    else if (result == 0)
        print_trial(&trial);
    trial_clear(&trial);
    return result;
}
