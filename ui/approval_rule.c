/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_rule.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/call_text.h"

static const char *width_words(const struct ladder_step *step)
{
    if (step->redirect && step->exact)
        return step->here
                   ? _("exactly this, in this directory; < and > may name any visible file "
                       "of the workspace")
                   : _("exactly this, in any directory; < and > may name any visible file of "
                       "the workspace");
    if (step->redirect)
        return _("any further words; < and > may name visible files of the workspace");
    switch (step->width) {
    case LADDER_HERE:
        return _("exactly this, in this directory");
    case LADDER_ANYWHERE:
        return _("exactly this, in any directory");
    case LADDER_PLACE:
        return _("may be read there, as in the workspace");
    case LADDER_HOST:
        return _("exactly this host, protocol and port");
    case LADDER_TASKS:
        return _("these tasks, and any further words");
    case LADDER_SUBCOMMAND:
    case LADDER_PROGRAM:
    case LADDER_WIDTHS:
        break;
    }
    return _("and any further words");
}

/* What it covers, and that what it covers stays in the sandbox. Where it does not, the row below
 * says so first. */
static char *cover_words(const struct ladder_step *step)
{
    bool runs = step->width != LADDER_PLACE && step->width != LADDER_HOST;

    return runs && !step->bypass ? xasprintf(_("%s; in the sandbox"), width_words(step))
                                 : xstrdup(width_words(step));
}

static char *step_words(const struct ladder_step *step)
{
    cleanup_strbuf struct strbuf raw = STRBUF_INIT;
    struct strbuf safe = STRBUF_INIT;

    text_quote_argv(&raw, (const char *const *)step->words);
    for (size_t i = 0; step->alternatives != NULL && step->alternatives[i] != NULL; i++)
        strbuf_addf(&raw, "%s%s", i > 0 ? "|" : " ", step->alternatives[i]);
    text_escape(&safe, strbuf_str(&raw), raw.length, TEXT_PLAIN_AGENT);
    return strbuf_steal(&safe);
}

/* "narrower/wider (2 of 5); NO sandbox; for project (Tab: session)", beside the keys for it: at 80
 * columns there is room for no more. The key is named with what it makes of it: without that it
 * would read as the key for what it is. Without keys: "rule 2 of 5; kept for this project". */
static char *step_reach(const struct ladder *ladder, const struct rule_choice *choice,
                        const char *scope_key)
{
    const struct ladder_step *step = &ladder->steps[choice->step];
    size_t offered = ladder_offered(ladder, ladder->count);
    bool keys = scope_key != NULL && offered > 1;
    bool session = choice->scope == LADDER_SESSION;
    struct strbuf text = STRBUF_INIT;

    if (offered > 1)
        strbuf_addf(&text, keys ? _("narrower/wider (%zu of %zu); ") : _("rule %zu of %zu; "),
                    ladder_offered(ladder, choice->step) + 1, offered);
    if (step->bypass)
        strbuf_addf(&text, "%s; ", keys ? _("NO sandbox") : _("WITHOUT the sandbox"));
    if (keys)
        strbuf_addstr(&text, session ? _("for session") : _("for project"));
    else
        strbuf_addstr(&text, session ? _("for this session") : _("kept for this project"));
    if (scope_key != NULL)
        strbuf_addf(&text, session ? _(" (%s: project)") : _(" (%s: session)"), scope_key);
    return strbuf_steal(&text);
}

/* The same with "; fits 3 of the 7 commands asked for so far". */
static char *step_covers(const char *reach, const struct ladder *ladder,
                         const struct ladder_step *step)
{
    cleanup_free char *covers =
        step->covers > 0 ? xasprintf(P_("; fits %zu of the %zu command asked for so far",
                                        "; fits %zu of the %zu commands asked for so far",
                                        (unsigned long)ladder->past),
                                     step->covers, ladder->past)
                         : xstrdup("");

    return xasprintf("%s%s", reach, covers);
}

bool approval_rule_is_wide(const struct ladder *ladder, const struct rule_choice *choice)
{
    const struct ladder_step *step = &ladder->steps[choice->step];

    return step->width == LADDER_HOST ? choice->scope == LADDER_PROJECT : !step->exact;
}

void approval_rule_choose(struct approval_rule *rule, const struct prompt *prompt,
                          const struct rule_choice *choice, const char *scope_key, bool ascii)
{
    const struct ladder *ladder = prompt->ladder;
    const struct ladder_step *step;
    cleanup_free char *words = NULL;
    cleanup_free char *covers = NULL;

    rule->offered = ladder != NULL;
    if (!rule->offered)
        return;
    step = &ladder->steps[choice->step];
    free(rule->words);
    free(rule->reach);
    free(rule->reach_short);
    words = step_words(step);
    if (ascii)
        call_text_to_ascii(&words);
    covers = cover_words(step);
    rule->words = xasprintf("%s  (%s)", words, covers);
    rule->break_at = strlen(words) + 1;
    rule->reach_short = step_reach(ladder, choice, scope_key);
    rule->reach = step_covers(rule->reach_short, ladder, step);
    rule->only = ladder_offered(ladder, ladder->count) == 1;
    rule->bypass = step->bypass;
    rule->host = step->width == LADDER_HOST;
    rule->wide = approval_rule_is_wide(ladder, choice);
    rule->exact = step->exact;
    rule->here = step->here;
    rule->scope = choice->scope;
}

void approval_rule_wrap(struct approval_rule *rule, size_t columns, struct wrap *lines)
{
    rule->words[rule->break_at] = ' ';
    if (text_width(rule->words, strlen(rule->words)) > columns)
        rule->words[rule->break_at] = '\n';
    wrap_init(lines, rule->words, columns, WRAP_WORDS);
}

static int rows_of(const char *text, size_t columns)
{
    struct wrap lines;
    int rows;

    wrap_init(&lines, text, columns, WRAP_WORDS);
    rows = (int)lines.count;
    wrap_clear(&lines);
    return rows;
}

struct approval_rule_rows approval_rule_rows(struct approval_rule *rule, size_t columns)
{
    struct approval_rule_rows rows = {.words = 0};
    struct wrap lines;

    if (!rule->offered)
        return rows;
    approval_rule_wrap(rule, columns, &lines);
    rows.words = (int)lines.count;
    wrap_clear(&lines);
    rows.reach = rows_of(rule->reach, columns);
    rows.reach_short = rows_of(rule->reach_short, columns);
    return rows;
}

void approval_rule_clear(struct approval_rule *rule)
{
    free(rule->words);
    free(rule->reach);
    free(rule->reach_short);
    *rule = (struct approval_rule){.words = NULL};
}
