/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/rules_text.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/rules_review.h"

/* A view is for reading: more rules than this are for another program. */
#define RULES_SHOWN 500

/* Ends the row that began at `start`: what a project's files say, and how they are called, must not
 * begin rows of its own. */
static void end_row(struct strbuf *out, size_t start)
{
    cleanup_free char *row = xstrdup(strbuf_str(out) + start);

    out->length = start;
    out->data[start] = '\0';
    text_escape(out, row, strlen(row), TEXT_PLAIN_AGENT);
    strbuf_addch(out, '\n');
}

/* ---- a rule ---------------------------------------------------------------------------------- */

static void add_pattern(struct strbuf *out, const struct rule *rule)
{
    const char *const first[] = {rule->first, NULL};

    text_quote_argv(out, first);
    for (size_t i = 0; i + 1 < rule->length; i++) {
        for (size_t j = 0; rule->rest[i][j] != NULL; j++) {
            const char *const word[] = {rule->rest[i][j], NULL};

            strbuf_addstr(out, j > 0 ? "|" : " ");
            text_quote_argv(out, word);
        }
    }
}

/* What its author would want to know of it. */
static void add_review(struct strbuf *out, const struct rules *rules, const struct rule *rule)
{
    const struct rules_review review = rules_review(rules, rule);
    size_t start;

    if (review.runs_anything)
        strbuf_addf(out, "          %s\n", _("allows a program that runs any code it is given"));
    if (review.other == NULL)
        return;
    strbuf_addstr(out, "          ");
    start = out->length;
    strbuf_addf(out,
                review.stricter ? _("never decides: %s:%u is stricter")
                                : _("is not needed: %s:%u says the same of more"),
                review.other->file, review.other->line);
    end_row(out, start);
}

static void add_shadow_use(struct strbuf *out, const struct rule_use *use)
{
    strbuf_addf(out,
                P_("of %zu time that it matched it would have let %zu run unasked, asked about "
                   "%zu, refused %zu",
                   "of %zu times that it matched it would have let %zu run unasked, asked about "
                   "%zu, refused %zu",
                   use->matched),
                use->matched, use->unasked, use->asked, use->refused);
}

/* What the record says of the rules of that line: it is read as if they had always been there. */
static void add_use(struct strbuf *out, const struct rules_text *text, const char *file,
                    unsigned line)
{
    const struct console_lab *lab = &text->hooks->lab;
    struct rule_use use;

    for (size_t i = 0; text->read && lab->use(text->lab, i, &use); i++) {
        if (use.line != line || strcmp(use.file, file) != 0)
            continue;
        strbuf_addstr(out, "          ");
        if (use.matched == 0)
            strbuf_addstr(out, _("no call on record would match it"));
        else if (use.shadow)
            add_shadow_use(out, &use);
        else
            strbuf_addf(out,
                        P_("%zu call on record would match it",
                           "%zu calls on record would match it", use.matched),
                        use.matched);
        strbuf_addch(out, '\n');
        return;
    }
}

static void add_rule(struct strbuf *out, const struct rules *rules, const struct rule *rule,
                     const struct rules_text *text)
{
    size_t start = out->length;

    strbuf_addf(out, "%-9s ", rule_decision_name(rule->decision));
    add_pattern(out, rule);
    if (rule->shadow)
        strbuf_addf(out, "  %s", _("[only reports]"));
    if (rule->exact)
        strbuf_addf(out, "  %s", _("[no further words]"));
    if (rule->decision == RULE_ALLOW && rule->bypass)
        strbuf_addf(out, "  %s", _("[without the sandbox]"));
    if (rule->redirect)
        strbuf_addf(out, "  %s", _("[also < and > with files of the workspace]"));
    if (rule->cwd != NULL)
        strbuf_addf(out, _("  [in %s]"), rule->cwd);
    if (rule->project != NULL)
        strbuf_addf(out, _("  [project %s]"), rule->project);
    strbuf_addf(out, "  %s:%u", rule->file, rule->line);
    end_row(out, start);
    add_review(out, rules, rule);
    add_use(out, text, rule->file, rule->line);
}

/* What only reads may be read there; returns how many. */
static size_t add_places(struct strbuf *out, const struct rules *rules)
{
    const char *path, *project, *read = _("may read");
    size_t count = 0;

    for (; (path = rules_place_at(rules, count, &project)) != NULL; count++) {
        const char *const word[] = {path, NULL};
        size_t start = out->length;

        if (count >= RULES_SHOWN)
            continue;
        strbuf_addf(out, "%s%*s ", read, text_padding(read, 9), "");
        text_quote_argv(out, word);
        if (project != NULL)
            strbuf_addf(out, _("  [project %s]"), project);
        end_row(out, start);
    }
    return count;
}

static void add_address(struct strbuf *out, const struct rules_connection *to)
{
    strbuf_addf(out, "%s://%s%s", to->protocol, to->host[0] == '.' ? "*" : "", to->host);
    if (to->port != NULL)
        strbuf_addf(out, ":%s", to->port);
}

char *rules_text_subject(const char *line)
{
    const struct rules_source source = {.path = "", .layer = RULES_SESSION};
    struct rules *rules = rules_new();
    struct strbuf text = STRBUF_INIT, safe = STRBUF_INIT;
    struct rules_reach reach;

    if (rules_add_text(rules, line, strlen(line), &source, NULL) < 0)
        strbuf_addstr(&text, line);
    else if (rules_network_at(rules, 0, &reach))
        add_address(&text, &reach.to);
    else if (rules_count(rules) > 0)
        add_pattern(&text, rules_at(rules, 0));
    else
        strbuf_addstr(&text, line);
    text_escape(&safe, strbuf_str(&text), text.length, TEXT_PLAIN_AGENT);
    strbuf_free(&text);
    rules_free(&rules);
    return strbuf_steal(&safe);
}

char *rules_text_line(const char *line)
{
    const struct rules_source source = {.path = "", .layer = RULES_SESSION};
    cleanup_free char *subject = rules_text_subject(line);
    struct rules *rules = rules_new();
    struct rules_reach reach;
    char *text;

    rules_add_text(rules, line, strlen(line), &source, NULL);
    if (rules_network_at(rules, 0, &reach))
        text = xasprintf(_("connect to %s"), subject);
    else
        text = steal_pointer(&subject);
    rules_free(&rules);
    return text;
}

/* NULL: it is no rule for a command. */
static const char *width_of(const struct rules *rules)
{
    const struct rule *rule = rules_count(rules) > 0 ? rules_at(rules, 0) : NULL;
    bool tasks = rule != NULL && rule->length > 1 && rule->rest[rule->length - 2][1] != NULL;

    if (rule == NULL)
        return NULL;
    if (rule->exact)
        return rule->cwd != NULL ? _("exactly this, in this directory")
                                 : _("exactly this, in any directory");
    if (rule->redirect)
        return _("any further words; < and > may name visible files of the workspace");
    return tasks ? _("these tasks, and any further words") : _("and any further words");
}

char *rules_text_made(const char *line)
{
    const struct rules_source source = {.path = "", .layer = RULES_SESSION};
    struct rules *rules = rules_new();
    cleanup_free char *text = rules_text_line(line);
    const char *width;
    bool leaves;
    char *made;

    rules_add_text(rules, line, strlen(line), &source, NULL);
    width = width_of(rules);
    leaves = width != NULL && rules_at(rules, 0)->bypass;
    made = width != NULL ? xasprintf("%s (%s%s%s)", text, leaves ? _("WITHOUT the sandbox") : "",
                                     leaves ? "; " : "", width)
                         : steal_pointer(&text);
    rules_free(&rules);
    return made;
}

/* Hosts that connections may reach or not; returns how many. */
static size_t add_networks(struct strbuf *out, const struct rules *rules,
                           const struct rules_text *text)
{
    struct rules_reach reach;
    size_t count = 0;

    for (; rules_network_at(rules, count, &reach); count++) {
        const struct rules_connection *to = &reach.to;
        size_t start = out->length;

        if (count >= RULES_SHOWN)
            continue;
        strbuf_addf(out, "%-9s ", rule_decision_name(reach.decision));
        strbuf_addf(out, _("connections to %s"), to->protocol);
        strbuf_addf(out, "://%s%s", to->host[0] == '.' ? "*" : "", to->host);
        if (to->port != NULL)
            strbuf_addf(out, ":%s", to->port);
        if (reach.shadow)
            strbuf_addf(out, "  %s", _("[only reports]"));
        if (to->project != NULL)
            strbuf_addf(out, _("  [project %s]"), to->project);
        strbuf_addf(out, "  %s:%u", reach.file, reach.line);
        end_row(out, start);
        add_use(out, text, reach.file, reach.line);
    }
    return count;
}

/* Returns how many there are. */
static size_t add_rules(struct document *document, const struct rules_text *text,
                        const char *heading, const struct rules *rules)
{
    size_t count = rules != NULL ? rules_count(rules) : 0;
    cleanup_strbuf struct strbuf rows = STRBUF_INIT;

    for (size_t i = 0; i < count && i < RULES_SHOWN; i++)
        add_rule(&rows, rules, rules_at(rules, i), text);
    if (count > RULES_SHOWN)
        strbuf_addf(&rows, _("and %zu more\n"), count - RULES_SHOWN);
    if (rules != NULL)
        count += add_places(&rows, rules) + add_networks(&rows, rules, text);
    document_add_foreign(document, heading, DOCUMENT_ROWS, THEME_OVERLAY_TEXT, strbuf_str(&rows));
    return count;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void rules_text_fill(struct document *document, const struct rules_text *text)
{
    const struct console_rules *files = &text->hooks->rules;
    const struct orchestrator *orchestrator = text->orchestrator;
    cleanup_free char *changes = files->changes != NULL ? files->changes(files->argument) : NULL;
    size_t count;

    document_add_foreign(document, _("Changed in the files, and not in force (:rules reload)"),
                         DOCUMENT_UNTRUSTED, THEME_OVERLAY_TEXT, changes);
    count = add_rules(document, text, _("Of your files"), orchestrator_rules(orchestrator));
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++)
        count += add_rules(document, text, _("For a session"),
                           orchestrator_session_at(orchestrator, i)->rules);
    if (count > 0 && text->lab != NULL && !text->read)
        document_add(document, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM,
                     _("reading the record for what they did …"));
    document_add(document, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM,
                 count > 0 ? _("The strictest rule that matches decides. :suggest proposes "
                               "rules from what you approved; :grants takes back what you made.")
                           : _("There are no rules yet. One comes about when you answer a "
                               "request with \"allow what this rule says\", or from a file "
                               "that you write: assent(1), RULES. :suggest proposes some from "
                               "what you approved so far."));
}
