/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/overlay_full.h"

/* A view is for reading: more rules than this are for another program. */
#define RULES_SHOWN 500

static void add_text(struct overlay *view, const char *heading, const char *text)
{
    struct strbuf safe = STRBUF_INIT;

    text_escape(&safe, text, strlen(text), TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT);
    overlay_full_add(view, heading, FULL_UNTRUSTED, THEME_OVERLAY_TEXT, strbuf_str(&safe));
    strbuf_free(&safe);
}

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

static void add_rule(struct strbuf *out, const struct rule *rule)
{
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
    strbuf_addf(out, "  %s:%u\n", rule->file, rule->line);
}

/* What only reads may be read there; returns how many. */
static size_t add_places(struct strbuf *out, const struct rules *rules)
{
    const char *path, *project, *read = _("may read");
    size_t count = 0;

    for (; (path = rules_place_at(rules, count, &project)) != NULL; count++) {
        const char *const word[] = {path, NULL};

        if (count >= RULES_SHOWN)
            continue;
        strbuf_addf(out, "%s%*s ", read, text_padding(read, 9), "");
        text_quote_argv(out, word);
        if (project != NULL)
            strbuf_addf(out, _("  [project %s]"), project);
        strbuf_addch(out, '\n');
    }
    return count;
}

/* Hosts that connections may reach or not; returns how many. */
static size_t add_networks(struct strbuf *out, const struct rules *rules)
{
    struct rules_connection to;
    enum rule_decision decision;
    size_t count = 0;

    for (; rules_network_at(rules, count, &to, &decision); count++) {
        if (count >= RULES_SHOWN)
            continue;
        strbuf_addf(out, "%-9s ", rule_decision_name(decision));
        strbuf_addf(out, _("connections to %s"), to.protocol);
        strbuf_addf(out, "://%s%s", to.host[0] == '.' ? "*" : "", to.host);
        if (to.port != NULL)
            strbuf_addf(out, ":%s", to.port);
        if (to.project != NULL)
            strbuf_addf(out, _("  [project %s]"), to.project);
        strbuf_addch(out, '\n');
    }
    return count;
}

/* Returns how many there are. */
static size_t add_rules(struct overlay *view, const char *heading, const struct rules *rules)
{
    size_t count = rules != NULL ? rules_count(rules) : 0;
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < count && i < RULES_SHOWN; i++)
        add_rule(&text, rules_at(rules, i));
    if (count > RULES_SHOWN)
        strbuf_addf(&text, _("and %zu more\n"), count - RULES_SHOWN);
    if (rules != NULL)
        count += add_places(&text, rules) + add_networks(&text, rules);
    if (text.length > 0)
        add_text(view, heading, strbuf_str(&text));
    strbuf_free(&text);
    return count;
}

static void show_rules(struct console *console)
{
    const struct console_rules *hooks = &console->setup.rules;
    struct orchestrator *orchestrator = console->setup.orchestrator;
    struct overlay *view = overlay_full_new(_("Rules"));
    size_t count;
    cleanup_free char *changes = hooks->changes != NULL ? hooks->changes(hooks->argument) : NULL;

    if (changes != NULL)
        add_text(view, _("Changed in the files, and not in force (:rules reload)"), changes);
    count = add_rules(view, _("Of your files"), orchestrator_rules(orchestrator));
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++)
        count +=
            add_rules(view, _("For a session"), orchestrator_session_at(orchestrator, i)->rules);
    overlay_full_add(view, NULL, FULL_WORDS, THEME_OVERLAY_DIM,
                     count > 0 ? _("The strictest rule that matches decides.")
                               : _("There are no rules yet. One comes about when you answer a "
                                   "request with \"allow what this rule says\", or from a file "
                                   "that you write: assent(1), RULES. \"assent rules suggest\" "
                                   "proposes some from what you decided so far."));
    overlay_push(console, view);
}

void operator_rules(struct console *console, const char *argument)
{
    const struct console_rules *hooks = &console->setup.rules;
    size_t count;

    if (*argument == '\0') {
        show_rules(console);
    } else if (strcmp(argument, "reload") != 0 || hooks->reload == NULL) {
        console_remark(console, THEME_FAILED, "%s", _(":rules or :rules reload"));
    } else {
        hooks->reload(hooks->argument);
        count = rules_count(orchestrator_rules(console->setup.orchestrator));
        console_say(console, THEME_STRONG,
                    P_("From the next call on: %zu rule of your files",
                       "From the next call on: %zu rules of your files", count),
                    count);
    }
}

void operator_rules_trust(struct console *console, const char *argument)
{
    const struct console_rules *hooks = &console->setup.rules;
    cleanup_free char *text = hooks->untrusted != NULL ? hooks->untrusted(hooks->argument) : NULL;
    struct error error = ERROR_INIT;

    if (text == NULL) {
        console_remark(console, THEME_DIM, "%s", _("no rules of this project wait for your trust"));
    } else if (strcmp(argument, "yes") == 0 || strcmp(argument, "no") == 0) {
        bool trust = *argument == 'y';

        if (hooks->trust(hooks->argument, trust, &error) < 0)
            console_remark(console, THEME_FAILED, "%s", error.message);
        else
            console_say(console, THEME_STRONG, "%s",
                        trust ? _("This project's rules are trusted as they are now")
                              : _("This project's rules go on to forbid and ask only"));
    } else {
        struct overlay *view = overlay_full_new(_("Rules of this project"));

        add_text(view, _("To let them allow as well: :trust yes. To be told no more: :trust no"),
                 text);
        overlay_push(console, view);
    }
}

void operator_rules_undo(struct console *console, const char *argument)
{
    cleanup_free char *line = NULL;
    struct error error = ERROR_INIT;
    int result = orchestrator_undo_rule(console->setup.orchestrator, &line, &error);

    (void)argument;
    if (result < 0)
        console_remark(console, THEME_FAILED, "%s", error.message);
    else if (result == 0)
        console_remark(console, THEME_DIM, "%s", _("there is no rule to take back"));
    else
        console_say(console, THEME_STRONG, _("taken back: %s"), line);
}
