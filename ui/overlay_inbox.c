/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_inbox.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/decision_text.h"
#include "ui/operator_agent.h"
#include "ui/overlay_approval.h"
#include "ui/overlay_help.h"
#include "ui/overlay_inbox_int.h"

#define SECOND_MS 1000 /* ages count up */
/* Between the keys of one who writes there is less than so many guard times. */
#define WRITER_GUARDS 5
/* Of a host that was not reached, and of why. The words about it leave the host so much in 80
 * columns in every language; where there are more they are the host's. */
#define HOST_COLUMNS 18
#define HOST_COLUMNS_MAX 80
#define WHY_COLUMNS 60
/* Of an agent in a sentence that 80 columns hold. */
#define NAME_COLUMNS 24

static const struct overlay_class inbox_class;

static struct overlay_inbox *find_open(const struct console *console)
{
    struct overlay *at = console->overlay;

    while (at != NULL && at->class != &inbox_class)
        at = at->below;
    return (struct overlay_inbox *)at;
}

bool overlay_inbox_is_open(const struct console *console)
{
    return find_open(console) != NULL;
}

bool overlay_inbox_is_top(const struct console *console)
{
    return console->overlay != NULL && console->overlay->class == &inbox_class;
}

uint64_t overlay_inbox_call(const struct console *console)
{
    const struct overlay_inbox *overlay = (const struct overlay_inbox *)console->overlay;

    return overlay_inbox_is_top(console) && overlay->at < overlay->inbox.count
               ? overlay->inbox.rows[overlay->at].members[0].call
               : 0;
}

void overlay_inbox_answered(struct console *console, uint64_t call, const char *words)
{
    struct overlay_inbox *overlay = find_open(console);

    cleanup_free char *text = xasprintf("c%" PRIu64 ": %s", call, words);

    if (overlay != NULL)
        inbox_note_answered(overlay, text);
}

void overlay_inbox_taken_back(struct console *console, uint64_t call)
{
    struct overlay_inbox *overlay = find_open(console);
    cleanup_free char *text = xasprintf(_("your answer to c%" PRIu64 " is taken back"), call);

    if (overlay != NULL && call != 0)
        inbox_note_answered(overlay, text);
}

/* Does the note tell of that call already? Several of its connections may have waited. */
static bool tells_unreached(const struct overlay_inbox *overlay, uint64_t call)
{
    for (size_t i = 0; i < overlay->unreached_count; i++)
        if (overlay->unreached[i] == call)
            return true;
    return false;
}

/* "one.example: refused" */
static char *unreached_host(const struct console *console, const struct call *asked,
                            const struct reach_connection *connection)
{
    const char *host = asked != NULL && asked->reach != NULL ? asked->reach->host : connection->url;
    int more = console->columns - LAYOUT_COLUMNS_MIN;
    size_t columns = HOST_COLUMNS + (size_t)(more > 0 ? more : 0);
    cleanup_free char *shown = text_line_ends(
        host, strlen(host), columns < HOST_COLUMNS_MAX ? columns : HOST_COLUMNS_MAX, 0);
    cleanup_free char *why = text_line(connection->detail, strlen(connection->detail), WHY_COLUMNS);

    return xasprintf("%s: %s", shown, why);
}

/* How long it is allowed for: until then the next attempt is no question. */
static char *unreached_words(const struct call *asked, const char *host)
{
    cleanup_free char *answer = asked != NULL ? decision_text_what(asked) : xstrdup(_("allowed"));

    return xasprintf(_("%s, but not reached: %s"), answer, host);
}

void overlay_inbox_unreached(struct console *console, const struct reach_connection *connection)
{
    struct overlay_inbox *overlay = find_open(console);
    uint64_t call = connection->allowed_by;
    const struct call *asked = orchestrator_find_call(console->setup.orchestrator, call);
    cleanup_free char *host = unreached_host(console, asked, connection);
    cleanup_free char *words = unreached_words(asked, host);
    size_t count;

    if (overlay == NULL)
        return;
    count = overlay->unreached_count;
    if (!tells_unreached(overlay, call)) {
        overlay->unreached =
            xreallocarray(overlay->unreached, count + 1, sizeof(*overlay->unreached));
        overlay->unreached[count++] = call;
    }
    inbox_forget_note(overlay);
    overlay->unreached_count = count;
    if (count == 1)
        snprintf(overlay->own_note, sizeof(overlay->own_note), "c%" PRIu64 ": %s", call, words);
    else
        snprintf(overlay->own_note, sizeof(overlay->own_note),
                 _("c%" PRIu64 " and %zu more: not reached, the last: %s"), overlay->unreached[0],
                 count - 1, host);
    overlay->note = overlay->own_note;
    console_dirty(console, DIRTY_OVERLAY);
}

const char *overlay_inbox_denied(const struct console *console, uint64_t call)
{
    const struct call *denied = orchestrator_find_call(console->setup.orchestrator, call);

    return denied != NULL && !session_is_agent(denied->session) ? _("denied")
                                                                : _("denied (:undo asks again)");
}

void overlay_inbox_lost(struct console *console, uint64_t call)
{
    struct overlay_inbox *overlay = find_open(console);

    if (overlay == NULL)
        return;
    overlay->lost = overlay->note_call = call;
    overlay->note = _("closed by itself: this is the list, look again");
    console_dirty(console, DIRTY_OVERLAY);
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Is what began then (-1: not yet) younger than the guard time? */
static bool is_young(const struct console *console, int64_t since_ms)
{
    return since_ms < 0 || loop_now_ms(console->setup.loop) - since_ms < console->setup.guard_ms;
}

/* Keys are written for elsewhere. */
static bool is_typed_into(const struct overlay_inbox *overlay, const struct console *console)
{
    return overlay->typed_ms >= 0 && is_young(console, overlay->typed_ms);
}

static bool guard_is_up(const struct overlay_inbox *overlay, const struct console *console)
{
    return is_young(console, overlay->painted_ms) || is_typed_into(overlay, console);
}

/* Who comes back to a row that they have read finds nothing new, unless the list has moved: then
 * another one may be where the key was meant to go. */
static bool is_known(const struct overlay_inbox *overlay, const struct console *console)
{
    return overlay->at < overlay->inbox.count && overlay->inbox.rows[overlay->at].read &&
           !is_young(console, overlay->still_ms);
}

/* Nothing is allowed whose details have just come up; marks may go on. */
static bool is_just_shown(const struct overlay_inbox *overlay, const struct console *console)
{
    return overlay->shown_ms < 0 ||
           (is_young(console, overlay->shown_ms) && !is_known(overlay, console));
}

/* One that is shown can be opened while its row goes on changing, as when an agent asks for the
 * same and withdraws it over and over: there it has a guard of its own. */
static bool is_held_up(const struct overlay_inbox *overlay, const struct console *console,
                       enum action action)
{
    bool shown = overlay->at < overlay->inbox.count && overlay->shown_ms >= 0;

    return action == ACTION_INBOX_OPEN && shown && !is_just_shown(overlay, console)
               ? is_typed_into(overlay, console)
               : guard_is_up(overlay, console);
}

static void raise_guard(struct overlay_inbox *overlay, struct console *console)
{
    overlay->typed_ms = loop_now_ms(console->setup.loop);
    loop_timer_start(console->guard_timer, console->setup.guard_ms);
}

/* A key did nothing. Whoever meant to say why writes on, and no letter of that is a key. */
static void refuse(struct overlay_inbox *overlay, struct console *console, enum action action)
{
    raise_guard(overlay, console);
    if (action == ACTION_INBOX_DENY_MESSAGE)
        overlay->writes_ms = overlay->typed_ms;
}

/* Is that key one of a message that nobody takes? */
static bool is_of_message(const struct overlay_inbox *overlay, const struct console *console,
                          uint32_t key)
{
    bool writes = overlay->writes_ms >= 0 && loop_now_ms(console->setup.loop) - overlay->writes_ms <
                                                 console->setup.guard_ms * WRITER_GUARDS;

    return writes && ((key >= ' ' && key < INPUT_KEY_ESCAPE) || key == INPUT_KEY_BACKSPACE ||
                      key == INPUT_KEY_ENTER);
}

static void drop_letter(struct overlay_inbox *overlay, struct console *console)
{
    raise_guard(overlay, console);
    overlay->writes_ms = overlay->typed_ms;
    overlay->note = _("No message is being written: what you type is dropped. Pause first.");
    overlay->note_call = 0;
    *overlay->note_others = '\0';
    console_dirty(console, DIRTY_OVERLAY);
}

void inbox_go_to(struct overlay_inbox *overlay, const struct console *console, size_t row)
{
    if (row == overlay->at || row >= overlay->inbox.count)
        return;
    if (overlay->at < overlay->inbox.count && !is_just_shown(overlay, console))
        overlay->inbox.rows[overlay->at].read = overlay->inbox.rows[overlay->at].seen;
    overlay->at = row;
    overlay->shown_ms = -1;
    inbox_look_at(console, &overlay->inbox.rows[row]);
}

static void go_by(struct overlay_inbox *overlay, const struct console *console, enum action action)
{
    size_t last = overlay->inbox.count > 0 ? overlay->inbox.count - 1 : 0;
    size_t page = overlay->page, at = overlay->at;

    switch (action) {
    case ACTION_INBOX_UP:
        inbox_go_to(overlay, console, at > 0 ? at - 1 : 0);
        break;
    case ACTION_INBOX_DOWN:
        inbox_go_to(overlay, console, at + 1);
        break;
    case ACTION_INBOX_PAGE_UP:
        overlay->first -= overlay->first > page ? page : overlay->first;
        inbox_go_to(overlay, console, at > page ? at - page : 0);
        break;
    case ACTION_INBOX_PAGE_DOWN:
        overlay->first += page;
        inbox_go_to(overlay, console, last - at > page ? at + page : last);
        break;
    case ACTION_INBOX_TOP:
        inbox_go_to(overlay, console, 0);
        break;
    default:
        inbox_go_to(overlay, console, last);
        break;
    }
}

/* What waits is put aside, so that it does not take the keyboard again at once. */
static void leave(struct console *console)
{
    size_t all = console_waiting(console);
    char key[24];

    approval_queue_put_all_aside(console);
    if (all > 0)
        console_remark(console, THEME_ASKING,
                       P_("%zu request goes on waiting; %s lists it",
                          "%zu requests go on waiting; %s lists them", all),
                       all, keymap_key(&console->keymap, ACTION_INBOX, key));
    overlay_pop(console);
}

static void open_row(const struct overlay_inbox *overlay, struct console *console)
{
    if (overlay->at < overlay->inbox.count)
        overlay_approval_open(console, overlay->inbox.rows[overlay->at].members[0].prompt);
}

static void note_namesakes(struct overlay_inbox *overlay, const struct console *console)
{
    const struct call *call = inbox_call(console, &overlay->inbox.rows[overlay->at]);
    cleanup_free char *agent =
        operator_agent_label(console->setup.orchestrator, call, NAME_COLUMNS);

    snprintf(overlay->own_note, sizeof(overlay->own_note),
             _("Marked: all of %s. Others that are called so are not."), agent);
    overlay->note = overlay->own_note;
}

/* A row that others ask for as well is not the agent's alone: who marks that must have seen it. */
static void mark_agent(struct overlay_inbox *overlay, const struct console *console)
{
    struct inbox_left left = inbox_mark_agent(&overlay->inbox, console, overlay->at);

    if (left.shared != 0) {
        overlay->note = _("is asked by others, too: mark it by itself");
        overlay->note_call = left.shared;
    } else if (left.unasked > 0) {
        snprintf(overlay->own_note, sizeof(overlay->own_note),
                 P_("%zu more request of this agent comes up later: it is not marked.",
                    "%zu more requests of this agent come up later: they are not marked.",
                    left.unasked),
                 left.unasked);
        overlay->note = overlay->own_note;
    } else if (left.namesakes) {
        note_namesakes(overlay, console);
    }
}

static void mark_all(struct overlay_inbox *overlay)
{
    size_t later = inbox_mark_all(&overlay->inbox);

    if (later == 0 || inbox_marked(&overlay->inbox) == 0)
        return;
    snprintf(overlay->own_note, sizeof(overlay->own_note),
             P_("%zu more request comes up later: it is not marked.",
                "%zu more requests come up later: they are not marked.", later),
             later);
    overlay->note = overlay->own_note;
}

static void act(struct overlay_inbox *overlay, struct console *console, enum action action)
{
    overlay->unchosen = overlay->unchosen && inbox_answers(action);
    switch (action) {
    case ACTION_INBOX_UP:
    case ACTION_INBOX_DOWN:
    case ACTION_INBOX_PAGE_UP:
    case ACTION_INBOX_PAGE_DOWN:
    case ACTION_INBOX_TOP:
    case ACTION_INBOX_END:
        go_by(overlay, console, action);
        break;
    case ACTION_INBOX_MARK:
        if (overlay->at < overlay->inbox.count)
            overlay->inbox.rows[overlay->at].marked ^= true;
        break;
    case ACTION_INBOX_MARK_AGENT:
        mark_agent(overlay, console);
        break;
    case ACTION_INBOX_MARK_ALL:
        mark_all(overlay);
        break;
    case ACTION_INBOX_SEARCH:
        inbox_find_begin(overlay);
        break;
    case ACTION_INBOX_HIGH:
        inbox_find_high(overlay, console);
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
        inbox_answer(overlay, console, action);
        break;
    }
}

static bool only_looks(enum action action)
{
    return action != ACTION_INBOX_OPEN && !keymap_decides(action);
}

/* Whoever was about to answer a request that closed by itself may still do so. */
static bool is_for_the_one_lost(struct overlay_inbox *overlay, enum action action)
{
    bool lost = overlay->lost != 0 && keymap_decides(action);

    if (lost) {
        overlay->note = _("closed by itself: this is the list, look again");
        overlay->note_call = overlay->lost;
    }
    overlay->lost = 0;
    return lost;
}

/* What is to be seen is named: that the list changed, or that this row is to be opened anyway. */
static void say_too_soon(struct overlay_inbox *overlay, const struct console *console,
                         enum action action)
{
    bool alone = inbox_allows(action) && inbox_marked(&overlay->inbox) == 0;
    bool changed = overlay->changed && is_young(console, overlay->painted_ms);
    const char *why_not =
        alone && !changed && overlay->shown_ms >= 0 ? inbox_why_not(overlay, console) : NULL;

    if (why_not != NULL)
        overlay->note_call = overlay->inbox.rows[overlay->at].members[0].call;
    overlay->note = changed ? _("The list has just changed: look again.")
                    : why_not != NULL
                        ? why_not
                        : _("That key came too soon, and was dropped: let go, read, then press.");
}

/* By key or mouse; `burst`: the key came with others, as in a text that the terminal hands on. */
static void take(struct overlay_inbox *overlay, struct console *console, enum action action,
                 bool burst)
{
    inbox_forget_note(overlay);
    console_dirty(console, DIRTY_OVERLAY);
    if (burst && keymap_decides(action)) {
        overlay->note = _("Keys that come all at once are no answer, and were dropped.");
        raise_guard(overlay, console);
        return;
    }
    /* Whoever presses keys that mean nothing here writes words for elsewhere. */
    if (action == ACTION_NONE || (!only_looks(action) && is_held_up(overlay, console, action)) ||
        (inbox_allows(action) && is_just_shown(overlay, console))) {
        if (action != ACTION_NONE)
            say_too_soon(overlay, console, action);
        refuse(overlay, console, action);
        return;
    }
    if (is_for_the_one_lost(overlay, action)) {
        refuse(overlay, console, action);
        return;
    }
    /* Whoever answers marked rows once more, and has none any more, does not mean this one. */
    if (inbox_is_unchosen(overlay) && inbox_answers(action)) {
        cleanup_free char *words = inbox_choose_words(overlay, console);

        snprintf(overlay->own_note, sizeof(overlay->own_note), "%s", words);
        overlay->note = overlay->own_note;
        refuse(overlay, console, action);
        return;
    }
    act(overlay, console, action);
}

/* Such a key of the prompt line's does not do nothing in silence. */
static bool is_prompts(const struct console *console, const struct input_event *event)
{
    return event->key >= INPUT_KEY_ESCAPE &&
           keymap_find(&console->keymap, KEYMAP_MAIN, event->key, event->modifiers) != ACTION_NONE;
}

static void inbox_key(struct overlay *base, struct console *console,
                      const struct input_event *event)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;
    enum action action = keymap_find(&console->keymap, KEYMAP_INBOX, event->key, event->modifiers);

    if (overlay->typed != NULL) {
        inbox_forget_note(overlay);
        if (inbox_find_key(overlay, console, event))
            raise_guard(overlay, console); /* what is written on is no answer */
        console_dirty(console, DIRTY_OVERLAY);
        return;
    }
    if (is_of_message(overlay, console, event->key)) {
        drop_letter(overlay, console);
        return;
    }
    if (action == ACTION_NONE && console_begins_command(event) &&
        !is_typed_into(overlay, console)) {
        leave(console);
        console_begin_line(console, event);
        return;
    }
    take(overlay, console, action, console->burst); /* it may be closed */
    if (action == ACTION_NONE && is_prompts(console, event))
        overlay->note = _("That key is for the prompt.");
}

/* A click goes to a row, on the row at the cursor it marks; on a key below it is that key. */
static void inbox_mouse(struct overlay *base, struct console *console,
                        const struct input_mouse *mouse)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;
    enum action action;

    if (mouse->button == MOUSE_WHEEL_UP || mouse->button == MOUSE_WHEEL_DOWN) {
        take(overlay, console,
             mouse->button == MOUSE_WHEEL_UP ? ACTION_INBOX_UP : ACTION_INBOX_DOWN, false);
        return;
    }
    if (mouse->button != MOUSE_LEFT)
        return;
    line_editor_free(&overlay->typed);
    action = inbox_hint_at(overlay, mouse->row, mouse->column);
    if (rect_holds(overlay->list, mouse->row, mouse->column)) {
        size_t row = overlay->first + (size_t)(mouse->row - overlay->list.row);

        if (row == overlay->at)
            take(overlay, console, ACTION_INBOX_MARK, false);
        inbox_go_to(overlay, console, row);
        overlay->unchosen = false;
        console_dirty(console, DIRTY_OVERLAY);
    }
    if (action != ACTION_NONE)
        take(overlay, console, action, false); /* it may be closed */
}

static void inbox_paste(struct overlay *base, struct console *console, const char *bytes,
                        size_t length)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    if (overlay->typed != NULL) {
        line_editor_insert(overlay->typed, bytes, length);
        console_dirty(console, DIRTY_OVERLAY);
        return;
    }
    raise_guard(overlay, console);
}

/* ---- frames ------------------------------------------------------------------------------- */

/* The row that holds that call; inbox->count: none does. */
static size_t row_of(const struct inbox *inbox, uint64_t call)
{
    for (size_t i = 0; i < inbox->count; i++)
        for (size_t j = 0; j < inbox->rows[i].count; j++)
            if (inbox->rows[i].members[j].call == call)
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
    size_t marked = inbox_marked(inbox), row;

    if (!inbox_follow(inbox, console))
        return;
    overlay->still_ms = -1;
    row = row_of(inbox, first.call);
    if (any && row < inbox->count) {
        overlay->at = row;
        if (inbox->rows[row].members[0].prompt != first.prompt)
            overlay->shown_ms = -1; /* all about it has just come up */
        if (inbox->rows[row].kept && marked == inbox_marked(inbox))
            return;
    } else {
        overlay->shown_ms = -1; /* another one takes its place */
    }
    overlay->painted_ms = -1;
    overlay->changed = first.prompt != 0; /* what only comes up now was not answered by a key */
    if (overlay->at >= inbox->count)
        overlay->at = inbox->count > 0 ? inbox->count - 1 : 0;
}

/* What is said of the row at the cursor is so: the list is drawn each second. */
static void seek_path(const struct overlay_inbox *overlay, const struct console *console)
{
    const struct inbox_row *row = &overlay->inbox.rows[overlay->at];
    const struct call *call = approval_queue_find(console, row->members[0].prompt);

    if (call != NULL && prompt_awaits_path(call->prompt))
        orchestrator_seek_path(console->setup.orchestrator, call->prompt->id);
}

static void draw(struct overlay *base, struct console *console, struct rect area)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    follow(overlay, console);
    if (overlay->at < overlay->inbox.count) {
        inbox_look_at(console, &overlay->inbox.rows[overlay->at]);
        seek_path(overlay, console);
    }
    overlay->guarded = guard_is_up(overlay, console);
    if (overlay->inbox.count > 0)
        loop_timer_start(overlay->timer, SECOND_MS);
    inbox_draw(overlay, console, area);
}

/* The last request has been dealt with: nothing is left to do here, and the next keys of one who
 * goes on answering are not for the prompt line. */
static void leave_empty(struct console *console)
{
    after_request_emptied(console);
    overlay_pop(console);
}

void overlay_inbox_follow(struct console *console)
{
    const struct overlay_inbox *overlay = (const struct overlay_inbox *)console->overlay;

    if (overlay == NULL || overlay->base.class != &inbox_class)
        return;
    if (console_waiting(console) == 0)
        leave_empty(console);
}

/* Only what lies on top is told of a frame: one that it was not told of had something over it. */
static void inbox_painted(struct overlay *base, struct console *console, int64_t now_ms)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;
    uint64_t frame = screen_frames(console->screen);

    if (overlay->painted_ms < 0 || frame != overlay->frame + 1) {
        overlay->changed = overlay->changed && overlay->painted_ms < 0;
        overlay->painted_ms = now_ms;
        loop_timer_start(console->guard_timer, console->setup.guard_ms);
    }
    overlay->frame = frame;
    if (overlay->shown_ms < 0)
        overlay->shown_ms = now_ms;
    if (overlay->still_ms < 0)
        overlay->still_ms = now_ms;
    if (overlay->at < overlay->inbox.count) {
        struct inbox_row *row = &overlay->inbox.rows[overlay->at];

        row->seen = row->seen || overlay->whole;
        if (overlay->rule_whole) {
            row->rule_seen = true;
            row->rule = overlay->rule;
        }
    }
}

static void inbox_resized(struct overlay *base, struct console *console)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    (void)console;
    overlay->painted_ms = -1;
    overlay->changed = false;
}

static void inbox_where(struct overlay *base, struct console *console, char *out, size_t size)
{
    const struct overlay_inbox *overlay = (const struct overlay_inbox *)base;

    (void)console;
    snprintf(out, size, "%s", overlay->typed != NULL ? _("find a text") : _("inbox"));
}

static void inbox_free(struct overlay *base)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)base;

    loop_timer_free(&overlay->timer);
    inbox_clear(&overlay->inbox);
    line_editor_free(&overlay->typed);
    free(overlay->wanted);
    free(overlay->unreached);
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
    .lets_line = true,
};

static void tick(void *argument)
{
    console_dirty(argument, DIRTY_OVERLAY);
}

void overlay_inbox_open(struct console *console)
{
    struct overlay_inbox *overlay;

    if (overlay_inbox_is_top(console)) {
        leave(console);
        return;
    }
    while (overlay_inbox_is_open(console) && !overlay_inbox_is_top(console))
        overlay_pop(console);
    if (overlay_inbox_is_open(console))
        return;
    if (console_waiting(console) == 0) {
        console_remark(console, THEME_DIM, "%s", _("Nothing waits for an answer."));
        return;
    }
    overlay_close_all(console);
    overlay = XNEW(struct overlay_inbox);
    overlay->base.class = &inbox_class;
    overlay->painted_ms = overlay->shown_ms = overlay->still_ms = -1;
    overlay->typed_ms = overlay->writes_ms = -1;
    overlay->timer = loop_timer_new(console->setup.loop, tick, console);
    overlay_push(console, &overlay->base);
}
