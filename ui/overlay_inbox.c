/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_inbox.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/approval_content.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"
#include "ui/overlay_approval.h"
#include "ui/overlay_help.h"
#include "ui/overlay_inbox_int.h"
#include "ui/overlay_message.h"

#define SECOND_MS 1000  /* ages count up */
#define RELEASED_MAX 64 /* other requests that one answer may allow here */

static const struct overlay_class inbox_class;

static bool is_open(const struct console *console)
{
    for (const struct overlay *at = console->overlay; at != NULL; at = at->below)
        if (at->class == &inbox_class)
            return true;
    return false;
}

/* ---- answering ---------------------------------------------------------------------------- */

bool inbox_rule(const struct call *call, struct rule_choice *choice)
{
    const struct ladder *ladder = call->prompt->ladder;

    if (ladder == NULL || ladder->steps[ladder->first].refused != NULL)
        return false;
    *choice = (struct rule_choice){ladder->first, LADDER_PROJECT};
    return true;
}

static bool allows(enum action action)
{
    return action == ACTION_INBOX_APPROVE || action == ACTION_INBOX_APPROVE_SESSION ||
           action == ACTION_INBOX_APPROVE_PREFIX;
}

/* Why it cannot be allowed for longer than once; NULL when it can. */
static const char *why_once(const struct inbox_row *row, const struct call *call,
                            enum action action)
{
    const char *leaves = _("would leave the sandbox again and again: Enter opens it");
    struct rule_choice choice;

    if (action == ACTION_INBOX_APPROVE_SESSION)
        return !call->prompt->may_approve_for_session         ? _("can only be allowed once")
               : call->prompt->sandbox == ATTEMPT_UNSANDBOXED ? leaves
                                                              : NULL;
    if (action != ACTION_INBOX_APPROVE_PREFIX)
        return NULL;
    if (!inbox_rule(call, &choice))
        return _("is offered no rule");
    if (call->prompt->ladder->steps[choice.step].bypass)
        return leaves;
    return row->rule_seen ? NULL : _("has a rule that was not shown in full: Enter opens it");
}

/* Why a row cannot be allowed from the list; NULL when it can. */
static const char *why_not(const struct console *console, const struct inbox_row *row,
                           enum action action)
{
    const struct call *call = inbox_call(console, row);
    struct approval_content content = {.command = NULL};
    bool alone, question;

    if (call == NULL)
        return _("does not wait any more");
    approval_content_init(&content, call, NULL, !theme_unicode(console->theme));
    alone = approval_content_needs_confirmation(&content);
    question = content.subject == SUBJECT_QUESTION;
    approval_content_clear(&content);
    if (call->assessment.level == RISK_HIGH)
        return _("is of high risk: Enter opens it, to be answered by itself");
    if (call->wants_words)
        return _("is a question: Enter opens it, to be answered by words");
    if (question)
        return _("wants words for an answer: Enter opens it");
    if (alone)
        return _("is not shown as it is: Enter opens it, to be answered by itself");
    return row->seen ? why_once(row, call, action) : _("was not shown in full: Enter opens it");
}

/* May what is marked (or the row at the cursor) be allowed together? Says which may not. */
static bool may_allow(struct overlay_inbox *overlay, const struct console *console,
                      enum action action)
{
    bool any = inbox_marked(&overlay->inbox) > 0;

    for (size_t i = 0; i < overlay->inbox.count; i++) {
        const struct inbox_row *row = &overlay->inbox.rows[i];

        if (any ? !row->marked : i != overlay->at)
            continue;
        overlay->note = why_not(console, row, action);
        overlay->note_call = row->members[0].call;
        if (overlay->note != NULL) {
            overlay->shown_ms = overlay->at == i ? overlay->shown_ms : -1;
            overlay->at = i; /* Enter opens that one */
            return false;
        }
    }
    return true;
}

static bool is_target(const struct inbox_member *targets, size_t count, uint64_t call)
{
    for (size_t i = 0; i < count; i++)
        if (targets[i].call == call)
            return true;
    return false;
}

/* Would answering one of them allow what is not among them? Such is for the request itself, which
 * names it. */
static bool reaches_others(struct overlay_inbox *overlay, const struct console *console,
                           enum action action, const struct inbox_member *targets, size_t count)
{
    bool rule = action == ACTION_INBOX_APPROVE_PREFIX;

    for (size_t i = 0; i < count && action != ACTION_INBOX_APPROVE; i++) {
        const struct call *call = approval_queue_find(console, targets[i].prompt);
        uint64_t released[RELEASED_MAX];
        struct rule_choice choice;
        size_t releases;

        if (call == NULL || (rule && !inbox_rule(call, &choice)))
            continue;
        releases = orchestrator_would_release(console->setup.orchestrator, targets[i].prompt,
                                              rule ? REVIEW_APPROVED_AMENDMENT
                                                   : REVIEW_APPROVED_FOR_SESSION,
                                              rule ? &choice : NULL, released, RELEASED_MAX);
        for (size_t j = 0; j < releases; j++) {
            if (j < RELEASED_MAX && is_target(targets, count, released[j]))
                continue;
            overlay->note = _("would allow other requests, too: mark those as well, or open it");
            overlay->note_call = targets[i].call;
            return true;
        }
    }
    return false;
}

/* Hands one answer in. A rule is made of the first of the same requests, and the others run. */
static int hand_in(const struct console *console, const struct inbox_member *member,
                   enum action action, const char *message, struct error *error)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    const struct call *call = approval_queue_find(console, member->prompt);
    const struct lease lease = {.kind = LEASE_SESSION};
    struct rule_choice choice;

    if (action == ACTION_INBOX_APPROVE_SESSION)
        return orchestrator_decide_lease(orchestrator, member->prompt, member->revision, &lease,
                                         error);
    if (action == ACTION_INBOX_APPROVE_PREFIX && member->first && call != NULL &&
        inbox_rule(call, &choice))
        return orchestrator_decide_rule(orchestrator, member->prompt, member->revision, &choice,
                                        error);
    return orchestrator_decide(orchestrator, member->prompt, member->revision,
                               allows(action) ? REVIEW_APPROVED : REVIEW_DENIED, message, error);
}

static void decide(struct overlay_inbox *overlay, struct console *console,
                   const struct inbox_member *members, size_t count, enum action action,
                   const char *message)
{
    for (size_t i = 0; i < count; i++) {
        struct error error = ERROR_INIT;

        if (hand_in(console, &members[i], action, message, &error) < 0)
            console_say(console, THEME_WARNING, "c%llu: %s", (unsigned long long)members[i].call,
                        error.message);
        else
            approval_queue_put_aside(console, members[i].call, members[i].prompt);
    }
    overlay->painted_ms = -1; /* whatever is left is looked at anew */
    console_dirty(console, DIRTY_OVERLAY);
}

static void message_done(struct overlay *below, struct console *console, const char *message)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)below;

    decide(overlay, console, overlay->denied, overlay->denied_count, ACTION_INBOX_DENY_MESSAGE,
           message);
}

static void answer(struct overlay_inbox *overlay, struct console *console, enum action action)
{
    size_t count;
    cleanup_free struct inbox_member *targets = inbox_targets(&overlay->inbox, overlay->at, &count);

    if (count == 0)
        return;
    if (allows(action) && (!may_allow(overlay, console, action) ||
                           reaches_others(overlay, console, action, targets, count)))
        return;
    if (action != ACTION_INBOX_DENY_MESSAGE) {
        decide(overlay, console, targets, count, action, NULL);
    } else {
        free(overlay->denied);
        overlay->denied = steal_pointer(&targets);
        overlay->denied_count = count;
        overlay_message_open(console, _("Tell the agents why"),
                             _(" Enter denies with this message  Esc goes back "), message_done);
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool guard_is_up(const struct overlay_inbox *overlay, const struct console *console)
{
    int64_t now = loop_now_ms(console->setup.loop), guard = console->setup.guard_ms;

    return overlay->painted_ms < 0 || now - overlay->painted_ms < guard ||
           (overlay->typed_ms >= 0 && now - overlay->typed_ms < guard);
}

/* Nothing is allowed whose details have just come up; marks may go on. */
static bool is_just_shown(const struct overlay_inbox *overlay, const struct console *console)
{
    return overlay->shown_ms < 0 ||
           loop_now_ms(console->setup.loop) - overlay->shown_ms < console->setup.guard_ms;
}

static void raise_guard(struct overlay_inbox *overlay, struct console *console)
{
    overlay->typed_ms = loop_now_ms(console->setup.loop);
    loop_timer_start(console->guard_timer, console->setup.guard_ms);
}

/* The details of another row must have been on the screen as long as those of the first. */
static void go_to(struct overlay_inbox *overlay, size_t row)
{
    if (row == overlay->at || row >= overlay->inbox.count)
        return;
    overlay->at = row;
    overlay->shown_ms = -1;
}

/* What waits is put aside, so that it does not take the keyboard again at once. */
static void leave(struct console *console)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    size_t count = orchestrator_waiting_count(orchestrator);
    char key[24];

    for (size_t i = 0; i < count; i++) {
        const struct call *call = orchestrator_waiting_at(orchestrator, i);

        if (call->prompt != NULL)
            approval_queue_put_aside(console, call->id, call->prompt->id);
    }
    if (count > 0)
        console_remark(
            console, THEME_ASKING,
            P_("%zu request goes on waiting: %s", "%zu requests go on waiting: %s", count), count,
            keymap_key(&console->keymap, ACTION_INBOX, key));
    overlay_pop(console);
}

static void open_row(const struct overlay_inbox *overlay, struct console *console)
{
    if (overlay->at < overlay->inbox.count)
        overlay_approval_open(console, overlay->inbox.rows[overlay->at].members[0].prompt);
}

static void act(struct overlay_inbox *overlay, struct console *console, enum action action)
{
    switch (action) {
    case ACTION_INBOX_UP:
        go_to(overlay, overlay->at > 0 ? overlay->at - 1 : 0);
        break;
    case ACTION_INBOX_DOWN:
        go_to(overlay, overlay->at + 1);
        break;
    case ACTION_INBOX_MARK:
        if (overlay->at < overlay->inbox.count)
            overlay->inbox.rows[overlay->at].marked ^= true;
        break;
    case ACTION_INBOX_OPEN:
        open_row(overlay, console);
        break;
    case ACTION_INBOX_HELP:
        overlay_help_show(console, KEYMAP_INBOX);
        break;
    case ACTION_INBOX_CLOSE:
        leave(console);
        break;
    default:
        answer(overlay, console, action);
        break;
    }
}

static bool only_looks(enum action action)
{
    return action == ACTION_INBOX_UP || action == ACTION_INBOX_DOWN ||
           action == ACTION_INBOX_HELP || action == ACTION_INBOX_CLOSE;
}

/* By key or mouse. */
static void take(struct overlay_inbox *overlay, struct console *console, enum action action)
{
    overlay->note = NULL;
    overlay->note_call = 0;
    console_dirty(console, DIRTY_OVERLAY);
    /* Whoever presses keys that mean nothing here writes words for elsewhere. */
    if (action == ACTION_NONE || (!only_looks(action) && guard_is_up(overlay, console)) ||
        (allows(action) && is_just_shown(overlay, console))) {
        if (action != ACTION_NONE)
            overlay->note = _("The list has just changed: look again.");
        raise_guard(overlay, console);
        return;
    }
    act(overlay, console, action);
}

static void inbox_key(struct overlay *base, struct console *console,
                      const struct input_event *event)
{
    take((struct overlay_inbox *)base, console,
         keymap_find(&console->keymap, KEYMAP_INBOX, event->key, event->modifiers));
}

/* A click goes to a row, on the row at the cursor it marks; on a key below it is that key. */
static void inbox_mouse(struct overlay *base, struct console *console,
                        const struct input_mouse *mouse)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    if (mouse->button == MOUSE_WHEEL_UP || mouse->button == MOUSE_WHEEL_DOWN) {
        take(overlay, console,
             mouse->button == MOUSE_WHEEL_UP ? ACTION_INBOX_UP : ACTION_INBOX_DOWN);
        return;
    }
    if (mouse->button != MOUSE_LEFT)
        return;
    if (rect_holds(overlay->list, mouse->row, mouse->column)) {
        size_t row = overlay->first + (size_t)(mouse->row - overlay->list.row);

        if (row == overlay->at)
            take(overlay, console, ACTION_INBOX_MARK);
        go_to(overlay, row);
        console_dirty(console, DIRTY_OVERLAY);
    }
    for (size_t i = 0; i < INBOX_HINTS; i++) {
        if (overlay->hints[i].action != ACTION_NONE &&
            rect_holds(overlay->hints[i].place, mouse->row, mouse->column)) {
            take(overlay, console, overlay->hints[i].action);
            return; /* it may be closed */
        }
    }
}

static void inbox_paste(struct overlay *base, struct console *console, const char *bytes,
                        size_t length)
{
    (void)bytes;
    (void)length;
    raise_guard((struct overlay_inbox *)base, console);
}

/* ---- frames ------------------------------------------------------------------------------- */

/* The row that holds that prompt; inbox->count: none does. */
static size_t row_of(const struct inbox *inbox, uint64_t prompt)
{
    for (size_t i = 0; i < inbox->count; i++)
        for (size_t j = 0; j < inbox->rows[i].count; j++)
            if (inbox->rows[i].members[j].prompt == prompt)
                return i;
    return inbox->count;
}

/* The cursor stays with its request, wherever that is now. What comes and goes elsewhere holds up
 * no answer: who has many agents could never give one. */
static void follow(struct overlay_inbox *overlay, const struct console *console)
{
    struct inbox *inbox = &overlay->inbox;
    bool any = overlay->at < inbox->count;
    struct inbox_member first =
        any ? inbox->rows[overlay->at].members[0] : (struct inbox_member){0};
    size_t members = any ? inbox->rows[overlay->at].count : 0;
    size_t marked = inbox_marked(inbox), row;

    if (!inbox_follow(inbox, console))
        return;
    overlay->emptied = any && inbox->count == 0;
    row = row_of(inbox, first.prompt);
    if (any && row < inbox->count) {
        overlay->at = row;
        if (inbox->rows[row].count == members && marked == inbox_marked(inbox) &&
            inbox->rows[row].members[0].revision == first.revision)
            return;
    }
    overlay->painted_ms = -1;
    if (overlay->at >= inbox->count)
        overlay->at = inbox->count > 0 ? inbox->count - 1 : 0;
}

static void draw(struct overlay *base, struct console *console, struct rect area)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    follow(overlay, console);
    overlay->guarded = guard_is_up(overlay, console);
    if (overlay->inbox.count > 0)
        loop_timer_start(overlay->timer, SECOND_MS);
    inbox_draw(overlay, console, area);
}

/* The last request has been dealt with: nothing is left to do here, and the next keys of one who
 * goes on answering are not for the prompt line. */
static void leave_empty(struct console *console)
{
    console->request_gone = true;
    console->gone_ms = loop_now_ms(console->setup.loop);
    overlay_pop(console);
}

void overlay_inbox_follow(struct console *console)
{
    const struct overlay_inbox *overlay = (const struct overlay_inbox *)console->overlay;

    if (overlay == NULL || overlay->base.class != &inbox_class)
        return;
    if ((overlay->inbox.count > 0 || overlay->emptied) &&
        orchestrator_waiting_count(console->setup.orchestrator) == 0)
        leave_empty(console);
}

/* Only what lies on top is told of a frame: one that it was not told of had something over it. */
static void inbox_painted(struct overlay *base, struct console *console, int64_t now_ms)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;
    uint64_t frame = screen_frames(console->screen);

    if (overlay->painted_ms < 0 || frame != overlay->frame + 1) {
        overlay->painted_ms = now_ms;
        loop_timer_start(console->guard_timer, console->setup.guard_ms);
    }
    overlay->frame = frame;
    if (overlay->shown_ms < 0)
        overlay->shown_ms = now_ms;
    if (overlay->at < overlay->inbox.count) {
        struct inbox_row *row = &overlay->inbox.rows[overlay->at];

        row->seen = row->seen || overlay->whole;
        row->rule_seen = row->rule_seen || overlay->rule_whole;
    }
}

static void inbox_resized(struct overlay *base, struct console *console)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    (void)console;
    overlay->painted_ms = -1;
}

static void inbox_where(struct overlay *base, struct console *console, char *out, size_t size)
{
    (void)base;
    (void)console;
    snprintf(out, size, "%s", _("inbox"));
}

static void inbox_free(struct overlay *base)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    loop_timer_free(&overlay->timer);
    inbox_clear(&overlay->inbox);
    free(overlay->denied);
    free(overlay);
}

static const struct overlay_class inbox_class = {
    .draw = draw,
    .key = inbox_key,
    .mouse = inbox_mouse,
    .paste = inbox_paste,
    .painted = inbox_painted,
    .resized = inbox_resized,
    .where = inbox_where,
    .free = inbox_free,
};

static void tick(void *argument)
{
    console_dirty(argument, DIRTY_OVERLAY);
}

void overlay_inbox_open(struct console *console)
{
    struct overlay_inbox *overlay;

    if (is_open(console))
        return;
    overlay_close_all(console);
    overlay = XNEW(struct overlay_inbox);
    overlay->base.class = &inbox_class;
    overlay->painted_ms = overlay->shown_ms = -1;
    overlay->typed_ms = -1;
    overlay->timer = loop_timer_new(console->setup.loop, tick, console);
    overlay_push(console, &overlay->base);
}
