/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/after_request.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/overlay_approval.h"

/* Between the keys of one who writes there is less than so many guard times. */
#define WRITER_GUARDS 5
/* Between those of one who presses an answer over and over. */
#define DRUMMER_GUARDS 2
/* Who allows what has been there for less, so often in a row, is asked to read the next one: for it
 * no key may have come for longer than that. Any pause, or another answer, begins a new row. */
#define HASTY_GUARDS 3
#define HASTY_MANY 2
#define READING_GUARDS 4
/* The same of a request that was told to have changed while it was looked at. */
#define CHANGED_GUARDS 3
/* So long the next request is compared with the one before. */
#define COMPARED_MS 5000
/* So long that is said of one that the operator has closed. */
#define TOLD_MS 15000
#define MANY_ASIDE 2

/* What is typed on is dropped until the keys pause for so long, but not for ever where the operator
 * ended it himself. */
static void drop_typed_on(struct console *console, int64_t pause_ms, bool by_operator)
{
    int64_t now = loop_now_ms(console->setup.loop);

    console->gone = (struct gone){
        .drops = true,
        .ms = now,
        .pause_ms = pause_ms,
        .until_ms = by_operator ? now + console->setup.guard_ms * WRITER_GUARDS : INT64_MAX,
    };
}

void after_request_closed(struct console *console, uint64_t call, enum request_end end)
{
    const struct closed_request *before = &console->closed;
    int64_t now = loop_now_ms(console->setup.loop);
    unsigned aside = before->aside > 0 && now - before->ms < TOLD_MS ? before->aside : 0;

    console->closed = (struct closed_request){.call = call, .end = end, .ms = now};
    console->answer_lost = ACTION_NONE;
    console->closed.aside = end == REQUEST_PUT_ASIDE ? aside + 1 : 0;
    if (end == REQUEST_PUT_ASIDE)
        console->gone.drops = false;
    else
        drop_typed_on(console, console->setup.guard_ms, end == REQUEST_ANSWERED);
}

static bool is_behind_answer(const struct closed_request *before)
{
    return before->call != 0 && before->end == REQUEST_ANSWERED;
}

void after_request_allowed(struct console *console, const struct closed_request *before,
                           int64_t shown_ms)
{
    unsigned row = is_behind_answer(before) ? before->hasty : 0;
    bool hasty = shown_ms < console->setup.guard_ms * HASTY_GUARDS;

    console->closed.hasty = hasty ? row + 1 : 0;
}

void after_request_emptied(struct console *console)
{
    drop_typed_on(console, console->setup.guard_ms, false);
}

void after_request_pane_ended(struct console *console, bool refused)
{
    int64_t writer_ms = console->setup.guard_ms * WRITER_GUARDS;
    bool writes = console->letters_typed > 1 &&
                  loop_now_ms(console->setup.loop) - console->last_key_ms < writer_ms;

    if (!refused && !writes)
        return;
    drop_typed_on(console, writer_ms, false);
    console->gone.pane = true;
}

void after_request_note_letter(struct console *console, const struct input_event *event)
{
    bool letter = event->key >= ' ' && event->key < INPUT_KEY_ESCAPE && event->modifiers == 0;

    if (event->kind == INPUT_PASTE)
        console->letters_typed += 2; /* words */
    else if (event->kind == INPUT_KEY && letter)
        console->letters_typed++;
    else if (event->kind == INPUT_KEY && event->key != INPUT_KEY_BACKSPACE)
        console->letters_typed = 0;
}

struct closed_request after_request_last(struct console *console)
{
    int64_t now = loop_now_ms(console->setup.loop);
    struct closed_request closed;
    bool old;

    if (console->closed.end == REQUEST_GONE && overlay_approval_is_covered(console))
        console->closed.ms = now; /* whoever reads on comes back to it later */
    closed = console->closed;
    old = now - closed.ms >= COMPARED_MS;

    if (old || closed.end == REQUEST_PUT_ASIDE)
        console->closed.call = 0;
    return old ? console->closed : closed;
}

static bool still_waits(const struct console *console, uint64_t id)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, id);

    return call != NULL && call->prompt != NULL;
}

/* Was it refused behind the answer, as when its script has changed meanwhile? */
static bool did_not_start(const struct call *call)
{
    const struct attempt *last =
        call->attempt_count > 0 ? &call->attempts[call->attempt_count - 1] : NULL;

    return call->state == CALL_FINISHED && call->failure != NULL && !call->cancelled &&
           (last == NULL || last->result.outcome == RUN_FAILED);
}

/* A rule outlives the request that it was made of, and the next one covers the line that tells. */
static char *answered_words(const struct console *console, uint64_t closed, uint64_t call)
{
    const struct call *answered = orchestrator_find_call(console->setup.orchestrator, closed);
    enum review_kind kind = answered != NULL ? answered->decision.kind : REVIEW_NONE;

    if (kind == REVIEW_NONE)
        return xasprintf(_(" c%" PRIu64 " is answered. This is c%" PRIu64 " "), closed, call);
    if (answered->cancelled && kind != REVIEW_ABORT)
        return xasprintf(_(" c%" PRIu64 " was stopped. This is c%" PRIu64 " "), closed, call);
    if (!review_kind_approves(kind))
        return xasprintf(_(" c%" PRIu64 " was denied. This is c%" PRIu64 " "), closed, call);
    if (did_not_start(answered))
        return xasprintf(_(" c%" PRIu64 " was allowed, but not started. This is c%" PRIu64 " "),
                         closed, call);
    if (kind != REVIEW_APPROVED_AMENDMENT)
        return xasprintf(_(" c%" PRIu64 " was allowed. This is c%" PRIu64 " "), closed, call);
    return xasprintf(
        answered->decision.rule_lasts
            ? _(" c%" PRIu64 ": allowed, its rule is kept (:undo). This is c%" PRIu64 " ")
            : _(" c%" PRIu64 ": allowed, its rule holds for the session. This is "
                "c%" PRIu64 " "),
        closed, call);
}

/* Who puts one aside after the other may want to be rid of all of them, which is done elsewhere. */
static char *aside_words(const struct console *console, const struct closed_request *closed,
                         uint64_t call)
{
    char list[24], leave[24];

    if (closed->aside < MANY_ASIDE)
        return xasprintf(_(" c%" PRIu64 " is put aside. This is c%" PRIu64 " "), closed->call,
                         call);
    return xasprintf(
        _(" c%" PRIu64 " is put aside. This is c%" PRIu64 "; %s, then %s puts all aside "),
        closed->call, call, keymap_key(&console->keymap, ACTION_INBOX, list),
        keymap_key(&console->keymap, ACTION_INBOX_CLOSE, leave));
}

char *after_request_words(const struct console *console, const struct closed_request *closed,
                          uint64_t call)
{
    int64_t age_ms = loop_now_ms(console->setup.loop) - closed->ms;

    if (closed->call == 0 || closed->call == call ||
        (closed->end != REQUEST_GONE && age_ms >= TOLD_MS))
        return NULL;
    switch (closed->end) {
    case REQUEST_PUT_ASIDE:
        return still_waits(console, closed->call) ? aside_words(console, closed, call) : NULL;
    case REQUEST_ANSWERED:
        return answered_words(console, closed->call, call);
    case REQUEST_GONE:
        break;
    }
    return xasprintf(_(" c%" PRIu64 " has ended. This is c%" PRIu64 " "), closed->call, call);
}

/* ---- keys --------------------------------------------------------------------------------- */

bool after_request_bounces(struct console *console, const struct input_event *event)
{
    bool bounce = event->kind == INPUT_KEY && event->key == console->closing_key &&
                  !console->finger_moved &&
                  loop_now_ms(console->setup.loop) - console->closing_ms < console->setup.guard_ms;

    /* Behind another key it is a letter of what is written. */
    console->finger_moved = !bounce;
    return bounce;
}

int64_t after_request_pause_ms(struct console *console, const struct closed_request *before)
{
    int64_t guard_ms = console->setup.guard_ms;
    int64_t pause_ms = guard_ms * WRITER_GUARDS;

    if (loop_now_ms(console->setup.loop) - console->gone.ms >= pause_ms)
        console->words_lost = false;
    if (console->words_lost)
        return pause_ms;
    return is_behind_answer(before) ? guard_ms * DRUMMER_GUARDS : guard_ms;
}

int64_t after_request_reading_ms(struct console *console, const struct closed_request *before)
{
    int64_t pause_ms = after_request_pause_ms(console, before);
    int64_t reading_ms = console->setup.guard_ms * READING_GUARDS;
    bool hasty = is_behind_answer(before) && before->hasty >= HASTY_MANY;

    return hasty && reading_ms > pause_ms ? reading_ms : pause_ms;
}

int64_t after_request_changed_ms(const struct console *console, int64_t reading_ms)
{
    int64_t changed_ms = console->setup.guard_ms * CHANGED_GUARDS;

    return changed_ms > reading_ms ? changed_ms : reading_ms;
}

void after_request_note_dropped(struct console *console, const struct input_event *event)
{
    enum action action = event->kind == INPUT_KEY ? keymap_find(&console->keymap, KEYMAP_APPROVAL,
                                                                event->key, event->modifiers)
                                                  : ACTION_NONE;

    if (keymap_decides(action))
        console->answer_lost = action;
}

bool after_request_drops(struct console *console)
{
    struct gone *gone = &console->gone;
    int64_t now = console->last_key_ms;

    gone->drops = gone->drops && now - gone->ms < gone->pause_ms && now < gone->until_ms;
    gone->ms = now;
    if (gone->drops)
        console_remark(console, THEME_WARNING, "%s",
                       gone->pane
                           ? _("No pane has the keyboard: what you typed was dropped. Pause first.")
                           : _("What you typed right after the last request was dropped."));
    return gone->drops;
}
