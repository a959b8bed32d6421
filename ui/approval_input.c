/* SPDX-License-Identifier: MIT */
/* approval_input: what a request that is open makes of keys, clicks and pastes: which of them are
 * meant for it. overlay_approval.c says what they do then. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/overlay_approval_int.h"
#include "ui/typing.h"

/* How many times the guard time. */
#define ENTER_GUARDS 4
/* Which part of it. */
#define CONFIRM_PART 2

/* When a guard of that time is over, for what is shown since then. */
static int64_t guard_end(const struct approval *approval, int64_t since_ms, int64_t guard_ms)
{
    if (since_ms < 0)
        return INT64_MAX;
    return guard_ms + (approval->typed_ms > since_ms ? approval->typed_ms : since_ms);
}

bool approval_guard_is_up(const struct approval *approval, int64_t now)
{
    return now < guard_end(approval, approval->painted_ms, approval->guard_ms);
}

int64_t approval_read_ms(const struct approval *approval)
{
    return guard_end(approval, approval->painted_ms, approval->reading_ms);
}

/* Does a key that would give that answer, or Enter on it, come too soon? A request that an agent
 * makes change all the time can still be denied. */
static bool comes_too_soon(const struct approval *approval, enum action action, int64_t now)
{
    if (action == ACTION_DENY || action == ACTION_DENY_MESSAGE)
        return now < guard_end(approval, approval->first_ms, approval->guard_ms);
    enum action answer = action != ACTION_OPTION_TAKE     ? action
                         : approval->armed != ACTION_NONE ? approval->armed
                                                          : approval->options[approval->marked];

    return approval_allows(answer) ? now < approval_read_ms(approval)
                                   : approval_guard_is_up(approval, now);
}

bool approval_has_strayed(const struct approval *approval, const struct console *console,
                          int64_t now)
{
    return approval->stray_ms >= 0 && now - approval->stray_ms < console->setup.guard_ms;
}

/* Enter right behind an answer was meant for that one, unless the mark was moved since. */
static bool is_left_over(const struct approval *approval, const struct console *console,
                         int64_t now)
{
    return !approval->moved && console->closing_key != 0 &&
           now - console->closing_ms < console->setup.guard_ms * ENTER_GUARDS;
}

/* The same behind one that was not taken: what is marked is another. */
static bool is_behind_refused(const struct approval *approval, const struct console *console,
                              int64_t now)
{
    bool soon = approval->refused_ms >= 0 &&
                now - approval->refused_ms < console->setup.guard_ms * ENTER_GUARDS;

    return soon || approval->enter_lost;
}

/* Drops it where it would give an answer that nobody has chosen. */
static bool drops_enter(struct approval *approval, const struct console *console, int64_t now)
{
    char key[24];

    if (is_behind_refused(approval, console, now)) {
        snprintf(approval->own_note, sizeof(approval->own_note),
                 _("Enter was dropped: the answer before it was not taken. %s denies."),
                 keymap_key(&console->keymap, ACTION_DENY, key));
        approval->note = approval->own_note;
        approval->refused_ms = now; /* who presses on does not read that */
        approval->enter_lost = false;
        return true;
    }
    if (approval->from_list && !approval->moved) {
        snprintf(approval->own_note, sizeof(approval->own_note),
                 _("Enter opened this, and is no answer to it. %s denies."),
                 keymap_key(&console->keymap, ACTION_DENY, key));
        approval->note = approval->own_note;
        return true;
    }
    if (!is_left_over(approval, console, now))
        return false;
    approval->note = _("Enter came right after the last answer, and was dropped.");
    return true;
}

/* The second of the two keys that what is grave takes comes behind a look at what it confirms: text
 * that a terminal hands on as keys, in one piece, has both. */
static bool confirms_too_soon(const struct approval *approval, const struct console *console,
                              enum action action, int64_t now)
{
    return approval->armed != ACTION_NONE && action == ACTION_OPTION_TAKE &&
           now - approval->armed_ms < console->setup.guard_ms / CONFIRM_PART;
}

void approval_lapse(struct approval *approval, int64_t now)
{
    if (approval->armed == ACTION_NONE || now - approval->armed_ms < APPROVAL_CONFIRM_MS)
        return;
    approval_disarm(approval, _("Not confirmed in time. Choose an answer."), now);
}

/* From now on, as from the first paint, keys are not an answer for the guard time. */
static void raise_guard(struct approval *approval, struct console *console, int64_t now)
{
    approval->typed_ms = now;
    approval->guarded = true;
    loop_timer_start(console->guard_timer, approval->guard_ms);
    console_dirty(console, DIRTY_OVERLAY);
}

/* A key that means nothing here does not do nothing in silence. */
static const char *why_not_here(struct approval *approval, const struct console *console,
                                const struct input_event *event)
{
    const struct key key = {event->key, event->modifiers};
    char name[24];

    enum action action = ACTION_NONE;

    if (event->key >= INPUT_KEY_ESCAPE || event->modifiers != 0)
        action = keymap_find(&console->keymap, KEYMAP_MAIN, event->key, event->modifiers);
    if (action != ACTION_NONE && action != ACTION_ANSWER)
        return _("That key is for the prompt line: put the request aside first.");
    if (event->key > '~' && event->key < INPUT_KEY_ESCAPE)
        return _("That key is no answer here.");
    snprintf(approval->own_note, sizeof(approval->own_note), _("%s is no answer here."),
             keymap_key_name(&key, name));
    return approval->own_note;
}

/* Keys are written for elsewhere. */
static bool is_written_over(const struct approval *approval, int64_t now)
{
    return approval->typed_ms >= 0 && now - approval->typed_ms < approval->guard_ms;
}

/* A colon begins a command here as at the prompt line, but is one of the letters in a word. */
static bool begins_line(const struct approval *approval, const struct console *console,
                        const struct input_event *event, enum action action, int64_t now)
{
    return action == ACTION_NONE && console_begins_command(event) && !console->layout.too_small &&
           !is_written_over(approval, now) && !approval_has_strayed(approval, console, now);
}

bool approval_only_looks(enum action action)
{
    switch (action) {
    case ACTION_VIEW_ALL:
    case ACTION_APPROVAL_HELP:
    case ACTION_COMMAND_UP:
    case ACTION_COMMAND_DOWN:
    case ACTION_COMMAND_TOP:
    case ACTION_COMMAND_END:
        return true;
    default:
        return false;
    }
}

/* What moves the view or goes back decides nothing and need not wait. A letter is one of these only
 * from somebody who does not write: in a word each letter would be one. */
static bool is_harmless(const struct approval *approval, const struct input_event *event,
                        enum action action, int64_t now)
{
    bool letter = event->key < INPUT_KEY_ESCAPE && event->modifiers == 0;
    bool writes = is_written_over(approval, now);
    bool seen = approval->painted_ms >= 0 && now - approval->instead_of.ms >= approval->guard_ms;

    switch (action) {
    case ACTION_PUT_ASIDE: /* one Esc too many is not for the next one */
        return seen && (!letter || !writes);
    case ACTION_PATH_LASTS:
    case ACTION_LEASE_KIND:
    case ACTION_LEASE_BACK:
    case ACTION_LEASE_LONGER:
    case ACTION_LEASE_SHORTER:
        return !letter || !writes;
    default:
        return approval_only_looks(action) && (!letter || !writes);
    }
}

/* Until the guard is over. */
static void say_too_soon(struct approval *approval)
{
    approval->note = approval->soon =
        _("That key came too soon, and was dropped: let go, read, then press.");
}

static void note_refused(struct approval *approval, enum action action, int64_t now)
{
    if (keymap_decides(action))
        approval_refused(approval, action, now);
}

/* Who answers a program that asks again and again may want it to stand still. */
void approval_say_new(struct approval *approval, const struct console *console)
{
    char freeze[24];

    if (approval->instead_of.call == approval->call) { /* the same in another form */
        approval->note = _("This request has just changed: look again.");
        return;
    }
    snprintf(approval->own_note, sizeof(approval->own_note),
             _("Not taken: c%" PRIu64 " has ended, this request is new. Read it first; %s freezes "
               "all."),
             approval->instead_of.call, keymap_key(&console->keymap, ACTION_FREEZE, freeze));
    approval->note = approval->own_note;
}

/* It is not taken, and neither is what comes right behind it. */
static void refuse_key(struct approval *approval, struct console *console, enum action action,
                       int64_t now)
{
    note_refused(approval, action, now);
    if (console->burst)
        approval->note = _("Keys that come all at once are no answer, and were dropped.");
    else if (approval->unlooked && keymap_decides(action))
        approval_say_new(approval, console); /* longer than the guard is up: it may be waited for */
    else
        say_too_soon(approval);
    raise_guard(approval, console, now);
}

/* Whoever was about to answer the request before this one, which closed by itself, may still do so
 * after any time: the first answer is not for this one. */
static bool is_for_the_one_before(struct approval *approval, enum action action)
{
    bool before = approval->unlooked && keymap_decides(action);

    approval->unlooked = approval->unlooked && action == ACTION_NONE;
    return before;
}

/* Whoever has begun a line goes on with it after any pause: its next letter allows nothing. */
static bool is_for_the_line(struct approval *approval, struct console *console, enum action action)
{
    bool line = approval->over_line;

    if (!line || action == ACTION_NONE)
        return false;
    approval->over_line = false;
    typing_over(console); /* nor does the next one wait for the line */
    return approval_allows(action);
}

/* Behind a key that waits for Enter. Whoever presses one to read closes what it opens: that must be
 * there, or the key that closes it puts the request aside. The Enter that comes behind the reading
 * is for the answer that was taken back, not for the one that the mark is on. */
static void take_behind_armed(struct approval *approval, struct console *console,
                              enum action action)
{
    approval_confirm(approval, console, action);
    if (approval_only_looks(action)) {
        approval->enter_lost = true;
        approval_act(approval, console, action);
    }
}

/* A key that counts. */
static void take_key(struct approval *approval, struct console *console,
                     const struct input_event *event, enum action action)
{
    int64_t now = loop_now_ms(console->setup.loop);

    approval->note = NULL;
    /* Whoever presses a key that means nothing here may write words for elsewhere, and the next
     * letters are not answers either. */
    if (action == ACTION_NONE) {
        approval->note = why_not_here(approval, console, event);
        approval->stray_ms = now;
        approval->guarded = true;
        loop_timer_start(console->guard_timer, console->setup.guard_ms);
    }
    if (approval->armed != ACTION_NONE)
        take_behind_armed(approval, console, action);
    else if (console->layout.too_small && action != ACTION_NONE && !approval_small_takes(action))
        approval->note = _("Here it can only be denied.");
    else if (action != ACTION_OPTION_TAKE || !drops_enter(approval, console, now))
        approval_act(approval, console, action);
}

void approval_key(struct overlay *overlay, struct console *console, const struct input_event *event)
{
    struct approval *approval = (struct approval *)overlay;
    int64_t now = loop_now_ms(console->setup.loop);
    enum action action =
        keymap_find(&console->keymap, KEYMAP_APPROVAL, event->key, event->modifiers);
    bool guarded = comes_too_soon(approval, action, now);
    bool harmless = is_harmless(approval, event, action, now);

    if (begins_line(approval, console, event, action, now)) {
        approval_begin_line(approval, console, event);
        return;
    }
    approval_lapse(approval, now);
    if (guarded && !harmless) {
        refuse_key(approval, console, action, now);
        return;
    }
    console_dirty(console, DIRTY_OVERLAY);
    if (console_burst_refuses(console, action) ||
        confirms_too_soon(approval, console, action, now)) {
        if (approval->armed != ACTION_NONE)
            approval_confirm(approval, console, ACTION_NONE);
        refuse_key(approval, console, action, now);
        return;
    }
    /* Only another such key puts that off: at the pace of one who answers, the second counts. */
    if (keymap_decides(action) && !harmless && approval_has_strayed(approval, console, now)) {
        note_refused(approval, action, now);
        say_too_soon(approval);
        return;
    }
    if (is_for_the_line(approval, console, action)) {
        note_refused(approval, action, now);
        raise_guard(approval, console, now);
        approval->note = _("What you typed as this came up was dropped.");
        return;
    }
    if (is_for_the_one_before(approval, action)) {
        note_refused(approval, action, now);
        raise_guard(approval, console, now);
        approval_say_new(approval, console);
        return;
    }
    /* What is read over it meanwhile is no look at what is asked. */
    if (guarded && (action == ACTION_VIEW_ALL || action == ACTION_APPROVAL_HELP))
        approval->painted_ms = approval->first_ms = -1;
    if (!guarded)
        console->words_lost = false;
    take_key(approval, console, event, action);
}

/* A click marks an answer, a second one on it gives it: not a double click. */
static void click(struct approval *approval, struct console *console, size_t option)
{
    bool again = option == approval->marked;

    approval_lapse(approval, loop_now_ms(console->setup.loop));
    raise_guard(approval, console, loop_now_ms(console->setup.loop));
    approval->note = NULL;
    if (approval->armed != ACTION_NONE)
        approval_confirm(approval, console, again ? ACTION_OPTION_TAKE : ACTION_NONE);
    else if (again || !approval_can_take(approval, approval->options[option]))
        approval_answer(approval, console, approval->options[option]);
    else
        approval->marked = option;
}

void approval_mouse(struct overlay *overlay, struct console *console,
                    const struct input_mouse *mouse)
{
    struct approval *approval = (struct approval *)overlay;
    int64_t now = loop_now_ms(console->setup.loop);

    console_dirty(console, DIRTY_OVERLAY);
    if (mouse->button == MOUSE_WHEEL_UP || mouse->button == MOUSE_WHEEL_DOWN) {
        if (approval->armed != ACTION_NONE) /* as by a key that scrolls */
            approval_confirm(approval, console, ACTION_NONE);
        approval_scroll_command(approval, mouse->button == MOUSE_WHEEL_UP ? -1 : 1);
        return;
    }
    if (mouse->button != MOUSE_LEFT)
        return;
    size_t option = 0;
    while (option < approval->option_count &&
           !rect_holds(approval->places[option], mouse->row, mouse->column))
        option++;
    bool any = option < approval->option_count;
    if (comes_too_soon(approval, any ? approval->options[option] : ACTION_NONE, now))
        raise_guard(approval, console, now);
    else if (any)
        click(approval, console, option);
}

/* No answer, and neither are the keys right behind it: some terminals let a pasted text end the
 * paste before its time. */
void approval_paste(struct overlay *overlay, struct console *console, const char *bytes,
                    size_t length)
{
    struct approval *approval = (struct approval *)overlay;

    (void)bytes;
    (void)length;
    if (approval->armed != ACTION_NONE)
        approval_disarm(approval, NULL, loop_now_ms(console->setup.loop));
    approval->note = _("Pasted text is no answer, and was dropped.");
    raise_guard(approval, console, loop_now_ms(console->setup.loop));
}
