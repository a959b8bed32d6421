/* SPDX-License-Identifier: MIT */
/* approval_answer: which answers there are to a request, and what comes of one that is given. */
#include "config.h"

#include <stdio.h>

#include "approval/decision_words.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "ui/approval_queue.h"
#include "ui/approval_words.h"
#include "ui/console_int.h"
#include "ui/git_text.h"
#include "ui/overlay_approval_int.h"
#include "ui/overlay_inbox.h"
#include "ui/overlay_message.h"
#include "ui/overlay_offers.h"
#include "ui/subject.h"

/* So long holds what was found, and finding it takes no more than a part of the time. */
#define RELEASES_MS 1000
#define RELEASES_PART 20

/* ---- what is offered ---------------------------------------------------------------------- */

static void offer(struct approval *approval, enum action action)
{
    approval->options[approval->option_count++] = action;
}

void approval_offer(struct approval *approval)
{
    const struct approval_content *content = &approval->content;

    approval->option_count = 0;
    if (content->path != NULL) /* the narrower first */
        offer(approval, ACTION_APPROVE_PATH);
    offer(approval, ACTION_APPROVE);
    if (content->may_sandbox)
        offer(approval, ACTION_APPROVE_SANDBOXED);
    if (content->may_approve_for_session)
        offer(approval, ACTION_APPROVE_SESSION);
    if (content->rule.offered)
        offer(approval, ACTION_APPROVE_PREFIX);
    approval->marked = approval->option_count;
    offer(approval, ACTION_DENY);
    if (!content->own && content->subject != SUBJECT_QUESTION)
        offer(approval, ACTION_DENY_MESSAGE);
    offer(approval, ACTION_ABORT);
    if (content->offers)
        offer(approval, ACTION_OFFERS);
}

bool approval_can_take(const struct approval *approval, enum action action)
{
    for (size_t i = 0; i < approval->option_count; i++)
        if (approval->options[i] == action)
            return true;
    return false;
}

void approval_say_missing(struct approval *approval, enum action action)
{
    snprintf(approval->own_note, sizeof(approval->own_note), "%s",
             approval_content_why_not(&approval->content, action));
    approval->note = approval->own_note;
}

void approval_mark(struct approval *approval, enum action action)
{
    for (size_t i = 0; i < approval->option_count; i++)
        if (approval->options[i] == action)
            approval->marked = i;
}

void approval_move_mark(struct approval *approval, int direction)
{
    size_t count = approval->option_count;

    approval->moved = true;
    approval->refused_ms = -1;
    approval->marked = (approval->marked + count + (direction > 0 ? 1 : count - 1)) % count;
}

/* ---- what else would run ------------------------------------------------------------------ */

/* Would a rule that can be chosen allow others? The widest allows all that the narrower ones do. */
static bool widest_releases(const struct approval *approval, const struct console *console)
{
    const struct call *call = approval_queue_find(console, approval->prompt);
    const struct ladder *ladder = call != NULL ? call->prompt->ladder : NULL;
    struct rule_choice widest = {.scope = LADDER_SESSION};

    if (ladder == NULL || console_waiting(console) < 2)
        return false;
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->steps[i].refused == NULL)
            widest.step = i;
    return approval_release_find(console->setup.orchestrator, approval->prompt, &widest).count > 0;
}

/* A host until its command ends is for that alone, whose connections there are one request. */
static bool is_for_its_command(const struct approval *approval)
{
    return approval->content.subject == SUBJECT_CONNECTION && approval->lease.kind == LEASE_CALL;
}

static bool releases_others(enum action action)
{
    return action == ACTION_APPROVE_SESSION || action == ACTION_APPROVE_PREFIX;
}

void approval_follow_releases(struct approval *approval, struct console *console)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    struct approval_release none = {.count = 0};
    struct approval_release session = none, prefix = none;
    bool any;
    int64_t began = clock_monotonic_ms(loop_clock(console->setup.loop));

    approval->release_mark = approval_release_mark(orchestrator);
    if (approval->content.may_approve_for_session && !is_for_its_command(approval))
        session = approval_release_find(orchestrator, approval->prompt, NULL);
    if (approval->content.rule.offered)
        prefix = approval_release_find(orchestrator, approval->prompt, &approval->choice);
    any = session.count + prefix.count > 0 || widest_releases(approval, console);
    approval->found_ms = clock_monotonic_ms(loop_clock(console->setup.loop));
    approval->finding_ms = approval->found_ms - began;
    if (any != approval->releases)
        console_dirty(console, DIRTY_LAYOUT); /* they have a row that comes and goes */
    approval->releases = any;
    if (approval_release_equal(&session, &approval->session) &&
        approval_release_equal(&prefix, &approval->prefix))
        return;
    approval->session = session;
    approval->prefix = prefix;
    approval->release_ms = -1;
    if (releases_others(approval->armed) || releases_others(approval->checked)) {
        approval->checked = ACTION_NONE;
        approval_disarm(approval,
                        _("The other requests that this would allow have just changed: look "
                          "again."),
                        loop_now_ms(console->setup.loop));
    }
    console_dirty(console, DIRTY_OVERLAY);
}

/* Each request that waits is judged by each rule for it, as if it asked anew, down to the files
 * that it names: a screenful of scripts takes as long as many frames. */
void approval_turn_releases(struct approval *approval, struct console *console)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    int64_t since = loop_now_ms(console->setup.loop) - approval->found_ms;
    int64_t rest = approval->finding_ms * RELEASES_PART - since;

    if (approval->release_mark == approval_release_mark(orchestrator) && since < RELEASES_MS)
        return;
    if (rest > 0)
        loop_timer_start(approval->release_timer, rest); /* wakes the loop up, and that is all */
    else
        approval_follow_releases(approval, console);
}

static bool releases_are_new(const struct approval *approval, const struct console *console)
{
    return approval->release_ms < 0 ||
           loop_now_ms(console->setup.loop) - approval->release_ms < console->setup.guard_ms;
}

/* ---- what else would end ------------------------------------------------------------------ */

/* Enter ends the calls that had come when the key was pressed: what comes meanwhile is none of
 * them, and takes nothing back, else an agent that goes on asking could not be ended. But the
 * operator has not been shown that one of them is grave by now. */
void approval_follow_ends(struct approval *approval, struct console *console,
                          const struct call *call)
{
    unsigned grave = approval->ends.grave;

    if (approval_content_follow(&approval->content, call))
        console_dirty(console, DIRTY_LAYOUT);
    if (approval->armed != ACTION_ABORT)
        return;
    approval->ends = approval_content_ends(call, approval->ends.last);
    if (approval->ends.grave > grave)
        approval_disarm(approval,
                        _("A call that this would end is of high risk by now: look again."),
                        loop_now_ms(console->setup.loop));
}

/* ---- answering ---------------------------------------------------------------------------- */

static enum review_kind kind_of(const struct approval *approval, enum action action)
{
    switch (action) {
    case ACTION_APPROVE:
        return REVIEW_APPROVED;
    case ACTION_APPROVE_SANDBOXED:
        return REVIEW_APPROVED_SANDBOXED;
    case ACTION_APPROVE_PATH:
        return approval->path_lasts ? REVIEW_APPROVED_PATH_FOR_SESSION : REVIEW_APPROVED_PATH;
    case ACTION_APPROVE_SESSION:
        return REVIEW_APPROVED_FOR_SESSION;
    case ACTION_APPROVE_PREFIX:
        return REVIEW_APPROVED_AMENDMENT;
    case ACTION_ABORT:
        return REVIEW_ABORT;
    default:
        return REVIEW_DENIED;
    }
}

bool approval_allows(enum action action)
{
    return action == ACTION_APPROVE || action == ACTION_APPROVE_SANDBOXED ||
           action == ACTION_APPROVE_PATH || action == ACTION_APPROVE_SESSION ||
           action == ACTION_APPROVE_PREFIX;
}

/* What became of it, for the list that it was opened from. */
static char *answered_words(const struct approval *approval, const struct console *console,
                            enum action action)
{
    cleanup_free char *lasts =
        decision_words_lease(&approval->lease, approval->content.subject == SUBJECT_CONNECTION);

    switch (kind_of(approval, action)) {
    case REVIEW_APPROVED_FOR_SESSION:
        return xasprintf(_("allowed %s"), lasts);
    case REVIEW_APPROVED_PATH_FOR_SESSION:
        return xstrdup(_("allowed for this session"));
    case REVIEW_APPROVED_AMENDMENT:
        return xstrdup(_("allowed by a rule"));
    default:
        return xstrdup(approval_allows(action) ? _("allowed once")
                                               : overlay_inbox_denied(console, approval->call));
    }
}

/* So many have come since the operator was shown what ends. */
static unsigned came_later(const struct approval *approval)
{
    return approval->content.ends.count - approval->ends.count;
}

static char *ended_words(const struct approval *approval, const struct console *console)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;

    return approval_words_ended(orchestrator, orchestrator_find_call(orchestrator, approval->call),
                                approval->ends.last, came_later(approval),
                                console->layout.trail.columns - 2);
}

/* Only what goes on warns: the rest is what was asked for. */
static void say_ended(const struct approval *approval, struct console *console, const char *text)
{
    bool all = came_later(approval) == 0;

    console_say_own(console, all ? THEME_FAILED : THEME_WARNING, text);
    if (all)
        trail_known(console->trail);
}

/* Hands the answer in. The prompt counts as dealt with here even before the orchestrator has
 * closed it, so that no second key answers it. */
static void decide(struct approval *approval, struct console *console, enum action action,
                   const char *message)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    struct error error = ERROR_INIT;
    uint64_t prompt = approval->prompt;
    cleanup_free char *ended = action == ACTION_ABORT ? ended_words(approval, console) : NULL;
    int result;

    if (action == ACTION_APPROVE_SESSION)
        result = orchestrator_decide_lease(orchestrator, prompt, approval->revision,
                                           &approval->lease, &error);
    else if (action == ACTION_APPROVE_PREFIX)
        result = orchestrator_decide_rule(orchestrator, prompt, approval->revision,
                                          &approval->choice, &error);
    else if (action == ACTION_ABORT)
        result = orchestrator_decide_abort(orchestrator, prompt, approval->revision,
                                           approval->ends.last, &error);
    else
        result = orchestrator_decide(orchestrator, prompt, approval->revision,
                                     kind_of(approval, action), message, &error);
    if (result < 0) {
        console_say(console, THEME_WARNING, "%s", error.message);
        return;
    }
    console_goes_on(console);
    approval_queue_put_aside(console, approval->call, prompt);
    after_request_closed(console, approval->call, REQUEST_ANSWERED);
    if (approval_allows(action))
        after_request_allowed(console, &approval->instead_of,
                              loop_now_ms(console->setup.loop) - approval->painted_ms);
    if (ended != NULL)
        say_ended(approval, console, ended);
    cleanup_free char *words = answered_words(approval, console, action);
    overlay_inbox_answered(console, approval->call, words);
    overlay_close(console, &approval->base);
}

/* One of the agent's own answers was picked from the list, over what was shown when that opened: it
 * covers a risk that was raised since. */
static void offer_picked(struct overlay *below, struct console *console, size_t picked)
{
    struct approval *approval = (struct approval *)below;
    struct error error = ERROR_INIT;

    if (approval->offered != approval->revision) {
        approval->note = _("This request has just changed: look again.");
        return;
    }
    if (orchestrator_decide_offer(console->setup.orchestrator, approval->prompt, approval->revision,
                                  picked, &error) < 0) {
        console_say(console, THEME_WARNING, "%s", error.message);
        return;
    }
    console_goes_on(console);
    approval_queue_put_aside(console, approval->call, approval->prompt);
    after_request_closed(console, approval->call, REQUEST_ANSWERED);
    overlay_close(console, &approval->base);
}

static void message_done(struct overlay *below, struct console *console, const char *message)
{
    decide((struct approval *)below, console, ACTION_DENY_MESSAGE, message);
}

/* An empty answer is one, too: a field may be left out. */
static void words_done(struct overlay *below, struct console *console, const char *words)
{
    decide((struct approval *)below, console, ACTION_APPROVE, words != NULL ? words : "");
}

/* A question is answered by words. */
static void carry_out(struct approval *approval, struct console *console, enum action action)
{
    if (approval_allows(action) && approval->content.subject == SUBJECT_QUESTION)
        overlay_message_answer(console, approval->content.secret, words_done);
    else
        decide(approval, console, action, NULL);
}

bool approval_needs_confirmation(const struct approval *approval, enum action action)
{
    const struct approval_content *content = &approval->content;

    return action == ACTION_ABORT ||
           (approval_allows(action) && approval_content_confirms(content, action));
}

static void say_rule_first(struct approval *approval, const struct console *console)
{
    char key[24];

    snprintf(approval->own_note, sizeof(approval->own_note),
             _("The rule does not fit here. Press %s and read all of it first, at the end."),
             keymap_key(&console->keymap, ACTION_VIEW_ALL, key));
    approval->note = approval->own_note;
}

/* What a sandbox holds may be run unread. */
static bool runs_unread(const struct approval *approval, enum action action)
{
    return !approval->scripts_read && action != ACTION_APPROVE_SANDBOXED &&
           action != ACTION_APPROVE_PATH && (approval_allows(action) || action == ACTION_OFFERS);
}

void approval_say_script_first(char *note, size_t size, const struct console *console)
{
    char key[24];

    snprintf(note, size, _("A file is run outside the sandbox: press %s and read it first."),
             keymap_key(&console->keymap, ACTION_VIEW_ALL, key));
}

static void say_path_first(struct approval *approval, const struct console *console)
{
    char key[24];

    snprintf(approval->own_note, sizeof(approval->own_note),
             _("The path does not fit here. Press %s and read all of it first."),
             keymap_key(&console->keymap, ACTION_VIEW_ALL, key));
    approval->note = approval->own_note;
}

/* Says why the answer is not taken as things are; false: nothing is against it. */
static bool refuses(struct approval *approval, struct console *console, enum action action)
{
    if (!approval_can_take(approval, action)) {
        approval_say_missing(approval, action);
        if (action == ACTION_APPROVE_PATH)
            orchestrator_seek_path(console->setup.orchestrator, approval->prompt);
        return true;
    }
    if (releases_others(action)) {
        approval_follow_releases(approval, console);
        if (releases_are_new(approval, console)) {
            approval->note =
                _("The other requests that this would allow have just changed: look again.");
            return true;
        }
    }
    if ((approval_allows(action) || action == ACTION_OFFERS) && !approval->seen) {
        approval->note = subject_read_first(approval->content.subject);
        return true;
    }
    if (runs_unread(approval, action)) {
        approval_say_script_first(approval->own_note, sizeof(approval->own_note), console);
        approval->note = approval->own_note;
        return true;
    }
    if (action == ACTION_APPROVE_PREFIX && !approval->rule_seen) {
        say_rule_first(approval, console);
        return true;
    }
    if (action != ACTION_APPROVE_PATH || approval->path_seen)
        return false;
    say_path_first(approval, console);
    return true;
}

void approval_refused(struct approval *approval, enum action action, int64_t now)
{
    if (action != ACTION_OPTION_TAKE && approval->options[approval->marked] != action)
        approval->refused_ms = now;
}

/* What git said is a second old at most: it is asked once more before what it said is allowed. What
 * it says otherwise takes the answer back. That it takes long can be an agent's doing: then the
 * answer has to be given again, which is told why. */
#define CHECK_MS 1000

/* "y↵": the key, and whether Enter comes behind it. */
static void say_git_slow(struct approval *approval, const struct console *console,
                         enum action action)
{
    const char *enter = approval_needs_confirmation(approval, action)
                            ? theme_glyph(console->theme, GLYPH_ENTER)
                            : "";
    char key[24];

    snprintf(approval->own_note, sizeof(approval->own_note),
             _("git takes long: what it said may be old. %s%s now allows all the same."),
             keymap_key(&console->keymap, action, key), enter);
}

static void answer(struct approval *approval, struct console *console, enum action action)
{
    const struct call *call = approval_queue_find(console, approval->prompt);

    if (call == NULL || !approval_allows(action) || !git_text_was_told(call) ||
        approval->git_slow) {
        carry_out(approval, console, action);
        return;
    }
    approval->checked = action;
    approval->checked_ms = loop_now_ms(console->setup.loop);
    approval->looks = call->looks_begun; /* one that is on its way may be older than the key */
    approval->note = _("git is being asked …");
    orchestrator_come_to(console->setup.orchestrator, approval->prompt, true);
    console_dirty(console, DIRTY_OVERLAY);
}

void approval_follow_check(struct approval *approval, struct console *console,
                           const struct call *call)
{
    enum action checked = approval->checked;
    int64_t now = loop_now_ms(console->setup.loop);
    bool told = call->looks > approval->looks;

    if (checked == ACTION_NONE || (!told && now < approval->checked_ms + CHECK_MS))
        return;
    if (releases_others(checked))
        approval_follow_releases(approval, console);
    if (approval->checked == ACTION_NONE) /* taken back just now */
        return;
    approval->checked = ACTION_NONE;
    approval->note = NULL;
    if (told) {
        carry_out(approval, console, checked);
        return;
    }
    approval->git_slow = true;
    say_git_slow(approval, console, checked);
    approval_disarm(approval, approval->own_note, now);
    console_dirty(console, DIRTY_OVERLAY);
}

void approval_answer(struct approval *approval, struct console *console, enum action action)
{
    if (refuses(approval, console, action)) {
        approval_refused(approval, action, loop_now_ms(console->setup.loop));
        return;
    }
    if (action == ACTION_OFFERS) {
        approval->offered = approval->revision;
        overlay_offers_open(console, approval->call, offer_picked);
        return;
    }
    if (approval_needs_confirmation(approval, action)) {
        approval->armed = action;
        approval->armed_ms = loop_now_ms(console->setup.loop);
        approval->ends = approval->content.ends;
        /* What git says otherwise by now drops the Enter. */
        orchestrator_come_to(console->setup.orchestrator, approval->prompt, true);
        approval_mark(approval, action);
        return;
    }
    if (action == ACTION_DENY_MESSAGE)
        overlay_message_deny(console, approval->call, 1, approval->reason, message_done);
    else
        answer(approval, console, action);
}

void approval_disarm(struct approval *approval, const char *why, int64_t now)
{
    enum action armed = approval->armed;

    approval->armed = ACTION_NONE;
    approval_mark(approval, ACTION_DENY);
    approval_refused(approval, armed, now);
    approval->note = why;
}

/* Does that key change how long the answer holds? */
static bool changes_length(const struct approval *approval, enum action answer, enum action pressed)
{
    switch (pressed) {
    case ACTION_PATH_LASTS:
        return answer == ACTION_APPROVE_PATH && approval->content.path_may_last;
    case ACTION_LEASE_KIND:
    case ACTION_LEASE_BACK:
    case ACTION_LEASE_LONGER:
    case ACTION_LEASE_SHORTER:
        return answer == ACTION_APPROVE_SESSION;
    default:
        return false;
    }
}

void approval_confirm(struct approval *approval, struct console *console, enum action pressed)
{
    enum action armed = approval->armed;
    const struct call *call = approval_queue_find(console, approval->prompt);

    approval_follow_releases(approval, console);
    if (call != NULL)
        approval_follow_ends(approval, console, call);
    if (approval->armed == ACTION_NONE) /* taken back just now */
        return;
    if (pressed == ACTION_OPTION_TAKE) {
        approval->armed = ACTION_NONE;
        answer(approval, console, armed);
        return;
    }
    approval_disarm(approval,
                    armed == ACTION_ABORT ? _("Not answered yet. Choose an answer.")
                                          : _("Not allowed yet. Choose an answer."),
                    loop_now_ms(console->setup.loop));
    if (changes_length(approval, armed, pressed))
        approval_choice_behind(approval, console, armed, pressed);
}
