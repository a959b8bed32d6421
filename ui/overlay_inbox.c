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

#define SECOND_MS 1000 /* ages count up */

static const struct overlay_class inbox_class;

static bool is_open(const struct console *console)
{
    for (const struct overlay *at = console->overlay; at != NULL; at = at->below)
        if (at->class == &inbox_class)
            return true;
    return false;
}

/* ---- answering ---------------------------------------------------------------------------- */

/* Why a row cannot be allowed from the list; NULL when it can. */
static const char *why_not(const struct console *console, const struct inbox_row *row)
{
    const struct call *call = inbox_call(console, row);
    struct approval_content content = {.command = NULL};
    bool alone;

    if (call == NULL)
        return _("does not wait any more");
    approval_content_init(&content, call, !theme_unicode(console->theme));
    alone = approval_content_needs_confirmation(&content);
    approval_content_clear(&content);
    if (call->assessment.level == RISK_HIGH)
        return _("is of high risk: Enter opens it, to be answered by itself");
    if (call->wants_words)
        return _("is a question: Enter opens it, to be answered by words");
    if (alone)
        return _("is not shown as it is: Enter opens it, to be answered by itself");
    return row->seen ? NULL : _("was not shown in full: Enter opens it");
}

/* May what is marked (or the row at the cursor) be allowed together? Says which may not. */
static bool may_allow(struct overlay_inbox *overlay, const struct console *console)
{
    bool any = inbox_marked(&overlay->inbox) > 0;

    for (size_t i = 0; i < overlay->inbox.count; i++) {
        const struct inbox_row *row = &overlay->inbox.rows[i];

        if (any ? !row->marked : i != overlay->at)
            continue;
        overlay->note = why_not(console, row);
        overlay->note_call = row->members[0].call;
        if (overlay->note != NULL) {
            overlay->shown_ms = overlay->at == i ? overlay->shown_ms : -1;
            overlay->at = i; /* Enter opens that one */
            return false;
        }
    }
    return true;
}

static void decide(struct overlay_inbox *overlay, struct console *console,
                   const struct inbox_member *members, size_t count, enum review_kind kind,
                   const char *message)
{
    for (size_t i = 0; i < count; i++) {
        struct error error = ERROR_INIT;

        if (orchestrator_decide(console->setup.orchestrator, members[i].prompt, members[i].revision,
                                kind, message, &error) < 0)
            console_say(console, THEME_WARNING, "c%llu: %s", (unsigned long long)members[i].call,
                        error.message);
        else
            approval_queue_put_aside(console, members[i].prompt);
    }
    overlay->painted_ms = -1; /* whatever is left is looked at anew */
    console_dirty(console, DIRTY_OVERLAY);
}

static void message_done(struct overlay *below, struct console *console, const char *message)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)below;

    decide(overlay, console, overlay->denied, overlay->denied_count, REVIEW_DENIED, message);
}

static void answer(struct overlay_inbox *overlay, struct console *console, enum action action)
{
    size_t count;
    cleanup_free struct inbox_member *targets = inbox_targets(&overlay->inbox, overlay->at, &count);

    if (count == 0 || (action == ACTION_INBOX_APPROVE && !may_allow(overlay, console)))
        return;
    if (action == ACTION_INBOX_APPROVE) {
        decide(overlay, console, targets, count, REVIEW_APPROVED, NULL);
    } else if (action == ACTION_INBOX_DENY) {
        decide(overlay, console, targets, count, REVIEW_DENIED, NULL);
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
static void move_cursor(struct overlay_inbox *overlay, int direction)
{
    size_t before = overlay->at;

    if (direction < 0)
        overlay->at -= overlay->at > 0;
    else
        overlay->at += overlay->at + 1 < overlay->inbox.count;
    if (overlay->at != before)
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

        if (call->prompt != NULL && !approval_queue_is_aside(console, call->prompt->id))
            approval_queue_put_aside(console, call->prompt->id);
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
        move_cursor(overlay, -1);
        break;
    case ACTION_INBOX_DOWN:
        move_cursor(overlay, 1);
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

static void inbox_key(struct overlay *base, struct console *console,
                      const struct input_event *event)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;
    enum action action = keymap_find(&console->keymap, KEYMAP_INBOX, event->key, event->modifiers);

    overlay->note = NULL;
    overlay->note_call = 0;
    console_dirty(console, DIRTY_OVERLAY);
    /* Whoever presses keys that mean nothing here writes words for elsewhere. */
    if (action == ACTION_NONE || (!only_looks(action) && guard_is_up(overlay, console)) ||
        (action == ACTION_INBOX_APPROVE && is_just_shown(overlay, console))) {
        if (action != ACTION_NONE)
            overlay->note = _("The list has just changed: look again.");
        raise_guard(overlay, console);
        return;
    }
    act(overlay, console, action);
}

static void inbox_paste(struct overlay *base, struct console *console, const char *bytes,
                        size_t length)
{
    (void)bytes;
    (void)length;
    raise_guard((struct overlay_inbox *)base, console);
}

/* ---- frames ------------------------------------------------------------------------------- */

static void draw(struct overlay *base, struct console *console, struct rect area)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    if (inbox_follow(&overlay->inbox, console))
        overlay->painted_ms = -1;
    if (overlay->at >= overlay->inbox.count)
        overlay->at = overlay->inbox.count > 0 ? overlay->inbox.count - 1 : 0;
    overlay->guarded = guard_is_up(overlay, console);
    if (overlay->inbox.count > 0)
        loop_timer_start(overlay->timer, SECOND_MS);
    inbox_draw(overlay, console, area);
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
    if (overlay->whole && overlay->at < overlay->inbox.count)
        overlay->inbox.rows[overlay->at].seen = true;
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
