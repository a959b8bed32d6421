/* SPDX-License-Identifier: MIT */
/* plain_record: what takes a while to be read, and is printed when it has been: calls on record,
 * what rules did, rules that could be made. The console goes on meanwhile. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/plain_int.h"
#include "ui/record_view.h"
#include "ui/rules_text.h"
#include "ui/suggest_text.h"

enum what {
    CALLS,
    RULES,
    SUGGESTIONS,
};

struct plain_record {
    enum what what;
    struct loop_timer *timer;
    void *calls;       /* a reading of the record; NULL: none, or over */
    const char *title; /* … and what it lists; static */
    void *lab;         /* NULL: none */
    bool read;         /* to its end */
};

void plain_record_end(struct plain *plain)
{
    struct plain_record *record = plain->record;

    if (record == NULL)
        return;
    loop_timer_free(&record->timer);
    if (record->calls != NULL)
        plain->setup.hooks.record.read_end(record->calls);
    if (record->lab != NULL)
        plain->setup.hooks.lab.end(record->lab);
    free(record);
    plain->record = NULL;
}

/* ---- what was read --------------------------------------------------------------------------- */

static void say_calls(struct plain *plain, const char *title, const char *rows)
{
    struct document text = {0};

    if (*rows == '\0')
        document_add(&text, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM,
                     _("there are no such calls on record"));
    else
        document_add(&text, NULL, DOCUMENT_ROWS, THEME_OVERLAY_TEXT, rows);
    plain_show(plain, title, &text);
}

static void say_rules(struct plain *plain, void *lab, bool read)
{
    const struct rules_text rules = {plain->setup.orchestrator, &plain->setup.hooks, lab, read};
    struct document text = {0};

    rules_text_fill(&text, &rules);
    plain_show(plain, _("Rules"), &text);
}

static const struct rule_suggestion *suggestion_at(const struct plain *plain, size_t index)
{
    return plain->setup.hooks.lab.suggestion(plain->record->lab, index);
}

static void say_suggestion(struct plain *plain, const struct rule_suggestion *rule, size_t number)
{
    cleanup_free char *saves = suggest_text_saves(rule);
    cleanup_free char *reach = suggest_text_reach(rule);
    cleanup_free char *title = xasprintf("%zu  %s; %s", number, reach, saves);
    struct document text = {0};
    bool seen;

    suggest_text_details(rule, &text, &seen);
    plain_show(plain, title, &text);
}

static void say_suggestions(struct plain *plain)
{
    const struct rule_suggestion *rule;
    size_t count = 0;

    for (; (rule = suggestion_at(plain, count)) != NULL; count++)
        say_suggestion(plain, rule, count + 1);
    plain_say(plain, "%s",
              count > 0 ? _("To add one of these rules: :suggest and its number")
                        : _("Nothing that a rule could answer was approved three times here."));
    plain->sent_ms = -1;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_calls(struct plain *plain)
{
    struct plain_record *record = plain->record;
    cleanup_free char *rows = plain->setup.hooks.record.read_on(record->calls);

    if (rows == NULL) {
        loop_timer_start(record->timer, 0);
        return;
    }
    say_calls(plain, record->title, rows);
    plain_record_end(plain);
}

static void read_lab(struct plain *plain)
{
    struct plain_record *record = plain->record;

    if (plain->setup.hooks.lab.step(record->lab)) {
        loop_timer_start(record->timer, 0);
        return;
    }
    record->read = true;
    if (record->what == SUGGESTIONS) {
        say_suggestions(plain); /* one of them may be added */
        return;
    }
    say_rules(plain, record->lab, true);
    plain_record_end(plain);
}

static void read_on(void *argument)
{
    struct plain *plain = argument;

    if (plain->record->what == CALLS)
        read_calls(plain);
    else
        read_lab(plain);
    loop_wake(plain->setup.loop);
}

static struct plain_record *begin(struct plain *plain, enum what what)
{
    plain_record_end(plain);
    plain->record = XNEW(struct plain_record);
    plain->record->what = what;
    plain->record->timer = loop_timer_new(plain->setup.loop, read_on, plain);
    loop_timer_start(plain->record->timer, 0);
    return plain->record;
}

void plain_record_show(struct plain *plain, const char *argument)
{
    const struct console_record *record = &plain->setup.hooks.record;
    struct plain_record *begun;

    if (record->read == NULL) {
        plain_say(plain, "%s", _("there are no such calls on record"));
        return;
    }
    begun = begin(plain, CALLS);
    begun->title = record_view_title(argument);
    begun->calls = record->read(record->argument, argument, 0);
}

void plain_record_rules(struct plain *plain)
{
    const struct console_lab *lab = &plain->setup.hooks.lab;
    struct error error = ERROR_INIT;
    void *begun = lab->begin != NULL ? lab->begin(lab->argument, false, &error) : NULL;

    if (begun == NULL)
        say_rules(plain, NULL, false);
    else
        begin(plain, RULES)->lab = begun;
}

/* ---- suggestions ----------------------------------------------------------------------------- */

static void suggest(struct plain *plain)
{
    const struct console_lab *lab = &plain->setup.hooks.lab;
    struct error error = ERROR_INIT;
    void *begun = lab->begin != NULL ? lab->begin(lab->argument, true, &error) : NULL;

    if (begun == NULL)
        plain_say(plain, "%s", lab->begin != NULL ? error.message : _("there is no record here"));
    else
        begin(plain, SUGGESTIONS)->lab = begun;
}

static void add(struct plain *plain, const struct rule_suggestion *rule)
{
    struct error error = ERROR_INIT;
    cleanup_free char *told = NULL;

    if (orchestrator_remember_rule(plain->setup.orchestrator, rule->rule, &error) < 0) {
        plain_tell(plain, THEME_FAILED, error.message);
        return;
    }
    told = xasprintf(_("added (:undo takes it back): %s"), rule->rule);
    plain_tell(plain, THEME_STRONG, told);
}

/* Has the list that a number is of been there to be read? */
static bool list_was_read(const struct plain *plain)
{
    return plain->record != NULL && plain->record->what == SUGGESTIONS && plain->record->read &&
           plain->sent_ms >= 0 &&
           loop_now_ms(plain->setup.loop) - plain->sent_ms >= plain->setup.guard_ms;
}

/* "2", or "2 yes" for what is wide. */
void plain_record_suggest(struct plain *plain, const char *argument)
{
    const struct rule_suggestion *rule;
    char *rest;
    unsigned long number = strtoul(argument, &rest, 10);

    if (*argument == '\0') {
        suggest(plain);
        return;
    }
    rest += strspn(rest, " ");
    rule = list_was_read(plain) && number > 0 ? suggestion_at(plain, number - 1) : NULL;
    if (rule == NULL || (*rest != '\0' && strcmp(rest, "yes") != 0))
        plain_say(plain, "%s", _("There is no such rule in a list that you have read: :suggest"));
    else if (suggest_text_is_wide(rule) && *rest == '\0')
        plain_say(plain, _("It is wide: to add it all the same, :suggest %lu yes"), number);
    else
        add(plain, rule);
}
