/* SPDX-License-Identifier: MIT */
/* approval_choice: what the operator chooses before an answer: which rule it makes, where that is
 * kept, and how long "for this session" lasts. */
#include "config.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/approval_plan.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"
#include "ui/lease_text.h"
#include "ui/overlay_approval_int.h"

/* A host for the session is what "allow this for this session" allows: one answer for it is
 * enough. */
static bool scope_is_fixed(const struct call *call, const struct rule_choice *choice)
{
    return call->prompt->may_approve_for_session &&
           call->prompt->ladder->steps[choice->step].width == LADDER_HOST;
}

/* ---- what is shown ------------------------------------------------------------------------ */

static void show(struct approval_rule *rule, const struct console *console, const struct call *call,
                 const struct rule_choice *choice)
{
    bool fixed = call->prompt->ladder != NULL && scope_is_fixed(call, choice);
    char key[24];

    keymap_key(&console->keymap, ACTION_RULE_SCOPE, key);
    approval_rule_choose(rule, call->prompt, choice, fixed ? NULL : key,
                         !theme_unicode(console->theme));
}

void approval_choice_show(struct approval *approval, const struct console *console,
                          const struct call *call)
{
    show(&approval->content.rule, console, call, &approval->choice);
    approval->content.path_lasts = approval->path_lasts;
}

void approval_choice_start(struct approval *approval, const struct console *console,
                           const struct call *call)
{
    bool changed;
    const struct kept_choice *kept = approval_kept_find(console, call, &changed);

    approval_kept_rule(console, call, &approval->choice);
    approval->lease = kept != NULL ? kept->lease : (struct lease){.kind = LEASE_SESSION};
    approval_content_hold(&approval->content, &approval->lease);
    approval->path_lasts = kept != NULL && kept->path_lasts;
    if (kept != NULL)
        approval->chosen =
            kept->taken_over
                ? _("Asked anew: what you set (how long, which rule) stays, but gives no answer.")
                : _("What you set before (how long, which rule) stays; it is not answered yet.");
    else
        approval->chosen =
            changed ? _("This request has changed: what you chose for it before is dropped.")
                    : NULL;
    approval->room.columns = 0;
    approval_choice_show(approval, console, call);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void make_room(struct approval_room *room, struct approval_rule *rule)
{
    struct approval_rule_rows rows = approval_rule_rows(rule, (size_t)room->columns);

    room->rows.words = larger(rows.words, room->rows.words);
    room->rows.reach = larger(rows.reach, room->rows.reach);
    room->rows.reach_short = larger(rows.reach_short, room->rows.reach_short);
}

void approval_choice_measure(struct approval *approval, const struct console *console, int columns)
{
    const struct call *call = approval_queue_find(console, approval->prompt);
    const struct ladder *ladder = call != NULL ? call->prompt->ladder : NULL;
    struct approval_room *room = &approval->room;
    struct approval_rule rule = {.words = NULL};

    if (room->columns == columns)
        return;
    *room = (struct approval_room){.columns = columns};
    make_room(room, &approval->content.rule);
    for (size_t i = 0; ladder != NULL && i < ladder->count; i++) {
        struct rule_choice choice = {i, LADDER_PROJECT};

        for (; ladder->steps[i].refused == NULL && choice.scope < LADDER_SCOPES; choice.scope++) {
            show(&rule, console, call, &choice);
            make_room(room, &rule);
        }
    }
    approval_rule_clear(&rule);
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Until the request is answered or changes. */
static void keep(struct approval *approval, struct console *console)
{
    approval->chosen = NULL;
    approval_kept_set(console, &(struct kept_choice){.call = approval->call,
                                                     .prompt = approval->prompt,
                                                     .revision = approval->revision,
                                                     .rule = approval->choice,
                                                     .lease = approval->lease,
                                                     .path_lasts = approval->path_lasts});
}

/* Only what is offered is stepped onto. Why there is nothing more in that direction is said. */
static void choose_width(struct approval *approval, const struct ladder *ladder, int direction)
{
    size_t before = approval->choice.step;
    size_t beside = direction > 0 ? before + 1 : before - 1; /* SIZE_MAX is none either */
    const char *why = beside < ladder->count ? ladder->steps[beside].refused : NULL;

    approval->choice.step = ladder_next(ladder, before, direction);
    if (approval->choice.step != before || why == NULL)
        return;
    snprintf(approval->own_note, sizeof(approval->own_note),
             direction > 0 ? _("Not wider: %s") : _("Not narrower: %s"), _(why));
    approval->note = approval->own_note;
}

static void say_session_answer(struct approval *approval, const struct console *console)
{
    char key[24];

    snprintf(approval->own_note, sizeof(approval->own_note), _("For this session alone, press %s."),
             keymap_key(&console->keymap, ACTION_APPROVE_SESSION, key));
    approval->note = approval->own_note;
}

static char *session_scope(const struct approval_rule *rule, const char *session, const char *key)
{
    if (!rule->exact)
        return xasprintf(_("Until the session ends: %s for this command alone, %s for all that "
                           "fit."),
                         session, key);
    return rule->here
               ? xasprintf(
                     _("Until the session ends: %s for this line, %s also as part of a longer "
                       "one."),
                     session, key)
               : xasprintf(_("For this session: %s allows it in this directory only, %s in any."),
                           session, key);
}

/* A rule for the session and the answer without one are alike: what each covers is said, and how
 * long it holds. */
static void say_scope(struct approval *approval, const struct console *console)
{
    const struct approval_rule *rule = &approval->content.rule;
    bool project = rule->scope == LADDER_PROJECT;
    char session[24], key[24];
    cleanup_free char *words = NULL;

    if (!project && (rule->host || !approval->content.may_approve_for_session ||
                     approval->lease.kind != LEASE_SESSION))
        return;
    keymap_key(&console->keymap, ACTION_APPROVE_SESSION, session);
    keymap_key(&console->keymap, ACTION_APPROVE_PREFIX, key);
    words = project ? xasprintf(_("%s is kept for all sessions of this project, until :undo takes "
                                  "it back."),
                                key)
                    : session_scope(rule, session, key);
    snprintf(approval->own_note, sizeof(approval->own_note), "%s", words);
    approval->note = approval->own_note;
}

void approval_choice_rule(struct approval *approval, struct console *console, enum action action)
{
    const struct call *call = approval_queue_find(console, approval->prompt);
    const struct ladder *ladder = call != NULL ? call->prompt->ladder : NULL;

    if (ladder == NULL) {
        approval_say_missing(approval, ACTION_APPROVE_PREFIX);
        return;
    }
    if (action == ACTION_RULE_SCOPE && scope_is_fixed(call, &approval->choice))
        say_session_answer(approval, console);
    else if (action == ACTION_RULE_SCOPE)
        approval->choice.scope = (approval->choice.scope + 1) % LADDER_SCOPES;
    else
        choose_width(approval, ladder, action == ACTION_RULE_WIDER ? 1 : -1);
    keep(approval, console);
    approval_choice_show(approval, console, call);
    if (action == ACTION_RULE_SCOPE && approval->note == NULL)
        say_scope(approval, console);
    approval->rule_seen = false;
    approval_offer(approval);
    approval_follow_releases(approval, console);
    console_dirty(console, DIRTY_OVERLAY);
}

/* Which of how many lengths it is; and a rule that is offered beside the answer has keys of its own
 * for that. */
static void say_what_is_set(struct approval *approval, const struct console *console)
{
    const struct call *call = approval_queue_find(console, approval->prompt);
    const struct lease_place place = approval_lease_place(approval);
    bool fixed = call == NULL || scope_is_fixed(call, &approval->choice);
    char session[24], rule[24], scope[24], next[24], back[24];
    cleanup_free char *words = NULL;

    keymap_key(&console->keymap, ACTION_APPROVE_SESSION, session);
    keymap_key(&console->keymap, ACTION_APPROVE_PREFIX, rule);
    keymap_key(&console->keymap, ACTION_RULE_SCOPE, scope);
    keymap_key(&console->keymap, ACTION_LEASE_KIND, next);
    keymap_key(&console->keymap, ACTION_LEASE_BACK, back);
    words = fixed ? approval_note_lease_keys(approval, console)
                  : xasprintf(_("How long %s holds (%zu of %zu): %s another limit, %s back; %s "
                                "sets that for %s."),
                              session, place.at + 1, place.of, next, back, scope, rule);
    snprintf(approval->own_note, sizeof(approval->own_note), "%s", words);
    approval->note = approval->own_note;
}

struct lease_place approval_lease_place(const struct approval *approval)
{
    return lease_place(approval->lease.kind, approval->lease_call,
                       approval->content.subject == SUBJECT_CONNECTION);
}

void approval_choice_lease(struct approval *approval, struct console *console, enum action action)
{
    bool kind = action == ACTION_LEASE_KIND || action == ACTION_LEASE_BACK;

    if (!approval->content.may_approve_for_session) {
        approval_say_missing(approval, ACTION_APPROVE_SESSION);
        return;
    }
    if (kind)
        lease_turn(&approval->lease, approval->lease_call,
                   approval->content.subject == SUBJECT_CONNECTION,
                   action == ACTION_LEASE_KIND ? 1 : -1);
    else if (!lease_change(&approval->lease, action == ACTION_LEASE_LONGER ? 1 : -1))
        approval->note = _("Choose a time or a number of runs first.");
    keep(approval, console);
    approval_content_hold(&approval->content, &approval->lease);
    approval_follow_releases(approval, console);
    console_dirty(console, DIRTY_LAYOUT);
    if (approval->content.rule.offered && approval->note == NULL &&
        approval->lease.kind != LEASE_SESSION)
        say_what_is_set(approval, console);
    approval_mark(approval, ACTION_DENY);
}

void approval_choice_path(struct approval *approval, struct console *console)
{
    if (!approval->content.path_may_last) {
        approval_say_missing(approval, ACTION_PATH_LASTS);
        return;
    }
    approval->path_lasts = approval->content.path_lasts = !approval->path_lasts;
    keep(approval, console);
    approval_mark(approval, ACTION_DENY);
    if (approval->path_lasts && approval->content.risk == RISK_HIGH)
        approval->note = _("For this session: later runs are not asked about, whatever they take.");
    console_dirty(console, DIRTY_OVERLAY);
}

static bool is_same_lease(const struct lease *one, const struct lease *other)
{
    return one->kind == other->kind && one->duration_ms == other->duration_ms &&
           one->runs == other->runs;
}

void approval_choice_behind(struct approval *approval, struct console *console, enum action answer,
                            enum action pressed)
{
    const struct lease before = approval->lease;
    char key[24];

    if (pressed == ACTION_PATH_LASTS)
        approval_choice_path(approval, console);
    else
        approval_choice_lease(approval, console, pressed);
    if (pressed != ACTION_PATH_LASTS && is_same_lease(&before, &approval->lease))
        return;
    snprintf(approval->own_note, sizeof(approval->own_note),
             _("Not allowed yet; how long %s holds has changed."),
             keymap_key(&console->keymap, answer, key));
    approval->note = approval->own_note;
}
