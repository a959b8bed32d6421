/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/console_keys.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "ui/approval_queue.h"
#include "ui/awaiting.h"
#include "ui/console_int.h"
#include "ui/console_mouse.h"
#include "ui/details_view.h"
#include "ui/halt.h"
#include "ui/operator.h"
#include "ui/operator_calls.h"
#include "ui/operator_complete.h"
#include "ui/overlay_approval.h"
#include "ui/overlay_grants.h"
#include "ui/overlay_help.h"
#include "ui/overlay_inbox.h"
#include "ui/overlay_reader.h"
#include "ui/typing.h"
#include "ui/view.h"

/* What the terminal may hand over in one turn. */
#define READ_BYTES 4096
/* Fingers are slower, and so is a key held down. */
#define BURST_MS 2

/* Any key may be the program's, as in a terminal by itself: one that does something of ours at the
 * prompt line is handed on, and not in silence. */
static void note_passed(struct console *console, const struct input_event *event)
{
    uint32_t before = console->passed_key.code;
    bool ours =
        event->kind == INPUT_KEY && event->key >= INPUT_KEY_F1 &&
        keymap_find(&console->keymap, KEYMAP_MAIN, event->key, event->modifiers) != ACTION_NONE;

    console->passed_key =
        ours ? (struct key){event->key, event->modifiers} : (struct key){.code = 0};
    if (before != console->passed_key.code)
        console_dirty(console, DIRTY_PROMPT);
}

static void to_pane(struct console *console, const struct input_event *event)
{
    struct pane *pane = console_selected_pane(console);
    struct call *call = console_selected_call(console);
    struct strbuf bytes = STRBUF_INIT;

    if (pane == NULL || call == NULL)
        return;
    if (event->kind == INPUT_MOUSE)
        pane_mouse(pane, event, &bytes);
    else
        pane_key(pane, event, &bytes);
    note_passed(console, event);
    after_request_note_letter(console, event);
    if (bytes.length > 0 && call->state == CALL_RUNNING &&
        orchestrator_type(console->setup.orchestrator, call, bytes.data, bytes.length) == -EAGAIN)
        console_say(console, THEME_WARNING, "%s",
                    _("the program does not read: this input is lost"));
    strbuf_free(&bytes);
}

static void scroll_selected(struct console *console, int direction)
{
    struct pane *pane = console_selected_pane(console);

    if (pane == NULL || rect_empty(pane->text))
        return;
    pane_scroll(pane, direction * (pane->text.rows > 2 ? pane->text.rows - 1 : 1));
    console_dirty(console, DIRTY_PANES);
}

/* What takes no keys, or was selected by nobody, is left for the pane that waits for some. */
static void go_where_keys_are_awaited(struct console *console)
{
    uint64_t awaiting = awaiting_next(console);

    if (awaiting == 0)
        return;
    bool by_hand = console->selected_by_hand && console->selected != console->lent;
    console->lent = by_hand ? 0 : awaiting;
    console->selected = awaiting;
    console->selected_by_hand = true;
}

static void enter_pane(struct console *console)
{
    const struct call *call;
    char key[24];

    go_where_keys_are_awaited(console);
    call = console_selected_call(console);
    if (call != NULL && call->state == CALL_FINISHED) {
        console_remark(console, THEME_DIM, _("c%" PRIu64 " has ended; %s selects another call"),
                       call->id, keymap_key(&console->keymap, ACTION_PREVIOUS_CALL, key));
        after_request_pane_ended(console, true);
        return;
    }
    console_set_keyboard(console, true);
    if (!console->keyboard_in_pane) /* there is none: what is typed for it is no command either */
        after_request_pane_ended(console, true);
}

bool console_burst_refuses(const struct console *console, enum action action)
{
    bool brakes = action == ACTION_FREEZE && !orchestrator_is_frozen(console->setup.orchestrator);

    return console->burst && keymap_decides(action) && !brakes;
}

const char *console_burst_words(void)
{
    return _("Keys that come all at once change nothing, and were dropped.");
}

const char *console_burst_text_words(void)
{
    return _("The text is kept; the key that came at once with it was dropped: press it again.");
}

/* Actions at the prompt line. False when the action is none of them. */
static bool main_action(struct console *console, enum action action)
{
    const struct desk desk = operator_desk(console);

    if (console_burst_refuses(console, action)) {
        halt_disarm(console);
        console_remark(console, THEME_WARNING, "%s", console_burst_words());
        return true;
    }
    switch (action) {
    case ACTION_HELP:
        overlay_help_show(console, KEYMAP_MAIN);
        break;
    case ACTION_ANSWER:
        overlay_approval_reopen(console);
        break;
    case ACTION_DETAILS:
        operator_show(&desk, "");
        break;
    case ACTION_STOP_CALL:
        halt_stop_call(console);
        break;
    case ACTION_INBOX:
        overlay_inbox_open(console);
        break;
    case ACTION_FREEZE:
        halt_freeze(console, !orchestrator_is_frozen(console->setup.orchestrator));
        break;
    case ACTION_STOP_AGENT:
        halt_stop_selected(console);
        break;
    case ACTION_GRANTS:
        overlay_grants_show(console);
        break;
    case ACTION_ZOOM:
        console_set_zoom(console, !console->zoomed);
        break;
    case ACTION_ENTER_PANE:
        enter_pane(console);
        break;
    case ACTION_NEXT_CALL:
        view_calls_move(console, 1);
        break;
    case ACTION_PREVIOUS_CALL:
        view_calls_move(console, -1);
        break;
    case ACTION_SCROLL_UP:
        scroll_selected(console, 1);
        break;
    case ACTION_SCROLL_DOWN:
        scroll_selected(console, -1);
        break;
    case ACTION_READ:
        overlay_reader_open(console, NULL);
        break;
    case ACTION_REDRAW:
        screen_repaint(console->screen);
        console_dirty(console, DIRTY_LAYOUT);
        break;
    case ACTION_SUSPEND:
        screen_suspend(console->screen);
        break;
    case ACTION_QUIT:
        console_quit(console, true);
        break;
    default:
        return false;
    }
    return true;
}

/* A line that cannot be done as it is written stays, to be mended. */
static void accept_line(struct console *console)
{
    cleanup_free char *line = xstrdup(line_editor_text(console->prompt));
    bool quit_asked = console->quit_confirm;

    line_editor_clear(console->prompt, true);
    console_goes_on(console);
    console->line_failed = console->line_told = false;
    operator_line(console, line);
    if (console->line_told)
        typing_told(console);
    console->line_stays = console->line_failed;
    if (console->line_stays)
        line_editor_set(console->prompt, line);
    if (quit_asked && !console->quitting)
        console->quit_confirm = false; /* something else was meant */
    desk_command_over(&console->stop_question);
    if (console->stop_question.about != NULL)
        halt_question_asked(console);
}

/* Asks about a line that looks like a search, which may have been meant for a view that did not
 * open. It is for a finger to say that it is a command all the same. */
static bool asks_about_search(struct console *console)
{
    char key[24], read[24];

    if ((console->line_searches && !console->burst) ||
        !operator_line_searches(line_editor_text(console->prompt)))
        return false;
    console->line_searches = true;
    console_remark(console, THEME_WARNING,
                   _("That is no program. To search: %s, then /. %s once more runs the line."),
                   keymap_key(&console->keymap, ACTION_READ, read),
                   keymap_key(&console->keymap, ACTION_LINE_ACCEPT, key));
    return true;
}

/* A key that asks to run a line which a request has cut in two is not for what is left of it; and a
 * line that changes something is not run by an Enter that was pasted with it. */
static bool asks_once_more(struct console *console)
{
    const char *line = line_editor_text(console->prompt);
    bool pasted = console->line_pasted || (console_burst_refuses(console, ACTION_LINE_ACCEPT) &&
                                           operator_line_changes(line));
    char key[24];

    if (*line == '\0' || (!console->line_interrupted && !pasted))
        return asks_about_search(console);
    console->line_interrupted = false;
    console->line_pasted = pasted;
    console_remark(console, THEME_WARNING,
                   pasted ? _("This line came all at once: read it. %s once more runs it.")
                          : _("A request came up while you typed this: read it. %s once more "
                              "runs it."),
                   keymap_key(&console->keymap, ACTION_LINE_ACCEPT, key));
    return true;
}

/* A key that types no character: it empties the line, or moves in it. */
static bool is_edit(const struct input_event *event)
{
    return event->kind == INPUT_KEY && (event->key >= INPUT_KEY_ESCAPE || event->modifiers != 0);
}

static void to_prompt(struct console *console, const struct input_event *event)
{
    struct line_editor *prompt = console->prompt;
    bool empty = *line_editor_text(prompt) == '\0';
    bool stays = console->line_stays;
    enum action action = ACTION_NONE;

    console->line_stays = false;
    console_dirty(console, DIRTY_PROMPT);
    typing_note(console);
    if (event->kind == INPUT_KEY)
        action = keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers);
    console->line_pasted = console->line_pasted && console->burst && !empty;
    if ((action == ACTION_LINE_ACCEPT || (console->line_pasted && !is_edit(event))) &&
        asks_once_more(console))
        return;
    console->line_interrupted = console->line_searches = false;
    if (event->kind == INPUT_PASTE) {
        line_editor_insert(prompt, event->bytes, event->length);
        return;
    }
    switch (action) {
    case ACTION_LINE_ACCEPT:
        accept_line(console);
        return;
    case ACTION_LINE_CANCEL:
        if (empty)
            view_calls_follow(console);
        line_editor_clear(prompt, false);
        return;
    case ACTION_LINE_OLDER:
        line_editor_history(prompt, -1);
        return;
    case ACTION_LINE_NEWER:
        line_editor_history(prompt, 1);
        return;
    default:
        break;
    }
    if (stays && console_begins_command(event))
        line_editor_clear(prompt, false); /* another command: that one is in the history */
    if (empty && event->key == '?' && event->modifiers == 0)
        overlay_help_show(console, KEYMAP_MAIN);
    else
        line_editor_key(prompt, event->key, event->modifiers);
}

/* What was begun before is in the history. */
void console_begin_line(struct console *console, const struct input_event *colon)
{
    line_editor_clear(console->prompt, true);
    to_prompt(console, colon);
}

/* The next request opens once this turn's keys are read: one that was pressed for it, or for the
 * one before, is no letter of a command, where none was begun. While it waits for what a command
 * has told to be read, a key that means something at the prompt line does that first. */
static bool request_is_due(struct console *console, const struct input_event *event,
                           enum action action, bool waited)
{
    const struct call *call = approval_queue_oldest(console, 0);
    bool due = call != NULL && !halt_asks(console) && *line_editor_text(console->prompt) == '\0';

    if (waited && console_begins_command(event))
        overlay_approval_wait_for_line(console, call);
    if (waited && (action != ACTION_NONE || console_begins_command(event)))
        return false;
    console->keys_dropped = console->keys_dropped || due;
    return due;
}

/* All of them: the trail grows for that, and shrinks at the next key. */
static void show_choices(struct console *console, const char *choices)
{
    console_remark(console, THEME_DIM, "%s", choices);
    console->choice_rows = view_trail_rows(console->columns, choices);
    console_dirty(console, DIRTY_LAYOUT);
}

static void drop_remarks(struct console *console)
{
    if (trail_drop_remarks(console->trail))
        console_dirty(console, DIRTY_TRAIL);
    if (console->choice_rows > 0)
        console_dirty(console, DIRTY_LAYOUT);
    console->choice_rows = 0;
}

/* Tab moves through the calls, but in a command of the console it completes that. */
static bool complete_line(struct console *console, const struct input_event *event)
{
    const char *line = line_editor_text(console->prompt);
    cleanup_strbuf struct strbuf choices = STRBUF_INIT;
    cleanup_free char *completed = NULL;

    if (*line != ':' || event->kind != INPUT_KEY ||
        keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers) !=
            ACTION_LINE_COMPLETE)
        return false;
    typing_note(console);
    console->line_stays = false;
    completed = operator_complete(line, &choices);
    if (completed != NULL)
        line_editor_set(console->prompt, completed);
    if (choices.length > 0)
        show_choices(console, strbuf_str(&choices));
    console_dirty(console, DIRTY_PROMPT);
    return true;
}

static void to_main(struct console *console, const struct input_event *event)
{
    enum action action = ACTION_NONE;
    bool accepts = event->kind == INPUT_KEY &&
                   keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers) ==
                       ACTION_LINE_ACCEPT;
    bool waited = typing_result_over(console);

    if (event->kind == INPUT_KEY)
        action = keymap_find(&console->keymap, KEYMAP_MAIN, event->key, event->modifiers);
    if (after_request_bounces(console, event) ||
        (action == ACTION_NONE && after_request_drops(console)) ||
        request_is_due(console, event, action, waited)) {
        after_request_note_dropped(console, event);
        return;
    }
    if (complete_line(console, event))
        return;
    halt_go_back(console, action);
    if (main_action(console, action))
        console->line_searches = false;
    else
        to_prompt(console, event);
    /* The warning went with this key: it holds on for the same command alone. */
    if (*line_editor_text(console->prompt) == ':' || accepts)
        return;
    console->quit_confirm = console->quit_confirm && action == ACTION_QUIT;
    desk_question_drop(&console->stop_question);
}

/* Nothing that a key could mean is in view; but a zoomed pane alone would have room, and so has a
 * request, to be denied. Returns whether the key was for one of them. */
static bool too_small(struct console *console, const struct input_event *event)
{
    enum action action = ACTION_NONE;

    if (event->kind == INPUT_KEY)
        action = keymap_find(&console->keymap, KEYMAP_MAIN, event->key, event->modifiers);
    if (action == ACTION_ENTER_PANE && console->zoomed) {
        overlay_close_all(console);
        console_set_keyboard(console, true);
        return true;
    }
    if (action != ACTION_ANSWER || overlay_fits(console))
        return !overlay_fits(console);
    while (console->overlay != NULL && !overlay_fits(console))
        overlay_pop(console);
    if (console->overlay == NULL)
        overlay_approval_reopen(console);
    return true;
}

/* Where nothing of it is in view, the console can still be left, also when a pane that is not in
 * view either has the keyboard. Returns whether the key was for that. */
static bool leaves_unseen(struct console *console, const struct input_event *event)
{
    bool quit = event->kind == INPUT_KEY && keymap_find(&console->keymap, KEYMAP_MAIN, event->key,
                                                        event->modifiers) == ACTION_QUIT;

    if (!console->layout.too_small || (overlay_fits(console) && !console->keyboard_in_pane))
        return false;
    if (quit && !console_burst_refuses(console, ACTION_QUIT))
        console_quit(console, true);
    else
        console->quit_confirm = false;
    console_dirty(console, DIRTY_STATUS);
    return quit;
}

static bool asks_at_prompt(enum action action)
{
    return action == ACTION_STOP_AGENT || action == ACTION_QUIT;
}

/* Keys that work over what is open: the brake over everything; the inbox, what holds, the end of an
 * agent and of the console over a request and over the inbox itself. In a pane they are its
 * program's, and one that types a character is none. */
static enum action action_above(const struct console *console, const struct input_event *event)
{
    enum action action;

    if (event->kind != INPUT_KEY || console->overlay == NULL || console->keyboard_in_pane ||
        (event->key < INPUT_KEY_ESCAPE && event->modifiers == 0))
        return ACTION_NONE;
    action = keymap_find(&console->keymap, KEYMAP_MAIN, event->key, event->modifiers);
    if ((action == ACTION_INBOX || action == ACTION_GRANTS || asks_at_prompt(action)) &&
        (overlay_approval_is_top(console) || overlay_inbox_is_top(console)) &&
        !console->layout.too_small)
        return action;
    return action == ACTION_FREEZE ? action : ACTION_NONE;
}

/* The call that the open request, or the row of the list, is about; 0: none. */
static uint64_t call_above(const struct console *console)
{
    return overlay_approval_is_top(console) ? overlay_approval_call(console)
                                            : overlay_inbox_call(console);
}

/* The brakes ask at the prompt line, where that is seen. A request comes up again when nothing is
 * asked any more; whoever was at the list goes back there, and has nothing come up before. */
static void go_to_prompt(struct console *console)
{
    uint64_t call = call_above(console);

    if (overlay_inbox_is_open(console))
        approval_queue_put_all_aside(console);
    overlay_close_all(console);
    if (call != 0)
        view_calls_select(console, call);
}

/* Where any key takes an answer back, they do that; only the brake does not wait. */
static void act_above(struct console *console, enum action action)
{
    if (overlay_approval_disarm(console) && action != ACTION_FREEZE)
        return;
    if (asks_at_prompt(action) && !console_burst_refuses(console, action))
        go_to_prompt(console);
    main_action(console, action);
}

/* The prompt line's own keys do nothing while something is read: it says so. */
static void refuse_above(struct console *console, const struct input_event *event)
{
    struct overlay *overlay = console->overlay;
    const struct keymap *keymap = &console->keymap;

    overlay->refused =
        overlay->class->reading != ACTION_NONE &&
        (event->key >= INPUT_KEY_ESCAPE || (event->modifiers & INPUT_CTRL) != 0) &&
        keymap_find(keymap, KEYMAP_MAIN, event->key, event->modifiers) != ACTION_NONE &&
        keymap_find(keymap, KEYMAP_VIEW, event->key, event->modifiers) == ACTION_NONE &&
        keymap_find(keymap, KEYMAP_READER, event->key, event->modifiers) == ACTION_NONE;
    console_dirty(console, DIRTY_OVERLAY);
}

/* A pasted text that the terminal hands on as keys: several in one piece, or right behind each
 * other. Of a key that a pane gets nobody asks, and it is not to wait for the system's answer; of
 * one for a pane that is not in view it can be asked, see leaves_unseen(). */
static bool is_burst(const struct console *console, const struct input_event *event)
{
    bool to_pane = console->keyboard_in_pane && !console->piece_spent && !console->layout.too_small;

    return !event->alone || loop_now_ms(console->setup.loop) - console->last_key_ms < BURST_MS ||
           (!to_pane && fd_is_ready(console->setup.input, POLLIN));
}

/* A key that closes what is read over a request is often pressed once too often, or held down. */
static bool shuts_on(struct console *console, const struct input_event *event)
{
    bool on = event->kind == INPUT_KEY && event->key == console->shut_key &&
              overlay_approval_is_top(console) &&
              console->last_key_ms - console->shut_ms < console->setup.guard_ms;

    console->shut_key = on ? event->key : 0;
    console->shut_ms = console->last_key_ms;
    return on;
}

static bool is_read(const struct overlay *overlay)
{
    return overlay != NULL && overlay->class->reading != ACTION_NONE;
}

bool console_begins_command(const struct input_event *event)
{
    return event->kind == INPUT_KEY && event->key == ':' && event->modifiers == 0;
}

/* What is typed behind a colon that had to wait is no key of what is read. */
static bool drops_command(struct overlay *overlay, const struct input_event *event)
{
    bool drops = overlay->drops_line;

    overlay->drops_line = drops && event->key < INPUT_KEY_ESCAPE && event->modifiers == 0;
    return overlay->drops_line || (drops && event->key == INPUT_KEY_ENTER);
}

/* The topmost overlay gets the key. What came in one piece with one that closed a text was typed
 * for the text: neither the request below nor the prompt line gets it. */
static void to_overlay(struct console *console, const struct input_event *event)
{
    struct overlay *overlay = console->overlay;
    bool reading = is_read(overlay);

    if (drops_command(overlay, event))
        return;
    refuse_above(console, event);
    overlay->class->key(overlay, console, event);
    if (reading && !overlay_open(console, overlay) && console_begins_command(event)) {
        if (console->overlay != NULL)
            to_overlay(console, event);
        else
            to_prompt(console, event);
        return;
    }
    if (reading && !overlay_open(console, overlay)) {
        console->piece_spent = console->burst && !is_read(console->overlay);
        console->shut_key = event->key;
        console->shut_ms = console->last_key_ms;
    }
    if (console->overlay == NULL) {
        console->closing_key = event->key;
        console->closing_ms = console->last_key_ms;
        console->finger_moved = false;
    }
}

static void key_or_paste(struct console *console, const struct input_event *event)
{
    struct overlay *overlay = console->overlay;

    console->burst = is_burst(console, event);
    console->last_key_ms = loop_now_ms(console->setup.loop);
    console->piece_spent = console->piece_spent && console->burst;
    vigil_present(console->vigil);
    if (console->piece_spent || shuts_on(console, event) || typing_drops(console, event))
        return;
    if (!console->keyboard_in_pane)
        drop_remarks(console);
    if (event->kind == INPUT_PASTE && event->bytes == NULL) {
        console_remark(console, THEME_WARNING, "%s",
                       _("the paste is too long: nothing of it is taken"));
    } else if (leaves_unseen(console, event)) {
        return;
    } else if (console->keyboard_in_pane) {
        halt_questions_over(console);
        if (event->kind == INPUT_KEY && keymap_find(&console->keymap, KEYMAP_PANE, event->key,
                                                    event->modifiers) == ACTION_LEAVE_PANE)
            console_set_keyboard(console, false);
        else
            to_pane(console, event);
    } else if (action_above(console, event) != ACTION_NONE) {
        act_above(console, action_above(console, event));
    } else if (console->layout.too_small && too_small(console, event)) {
        return;
    } else if (overlay != NULL && event->kind == INPUT_PASTE) {
        halt_questions_over(console);
        if (overlay->class->paste != NULL)
            overlay->class->paste(overlay, console, event->bytes, event->length);
    } else if (overlay != NULL) {
        halt_questions_over(console);
        to_overlay(console, event);
    } else {
        to_main(console, event);
        halt_line_over(console);
    }
}

static void event_arrived(void *argument, const struct input_event *event)
{
    struct console *console = argument;

    switch (event->kind) {
    case INPUT_KEY:
    case INPUT_PASTE:
        key_or_paste(console, event);
        break;
    case INPUT_MOUSE:
        if (console->keyboard_in_pane)
            to_pane(console, event);
        else
            console_mouse(console, &event->mouse);
        break;
    case INPUT_SYNC_KNOWN:
        screen_set_synchronized(console->screen, true);
        break;
    case INPUT_BACKGROUND:
        console_background_known(console, event->key);
        break;
    case INPUT_UNKNOWN:
        break;
    }
}

static void input_ready(int fd, unsigned events, void *argument)
{
    struct console *console = argument;
    char bytes[READ_BYTES];
    ssize_t length = read(fd, bytes, sizeof(bytes));

    (void)events;
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (length <= 0) { /* the terminal is gone */
        loop_io_set(console->input_io, 0);
        loop_timer_stop(console->escape_timer);
        console_terminal_gone(console);
        return;
    }
    input_feed(console->input, bytes, (size_t)length);
    if (input_pending(console->input))
        loop_timer_start(console->escape_timer, console->setup.escape_ms);
    else
        loop_timer_stop(console->escape_timer);
}

/* What has come while the console was busy came in time. */
static void escape_due(void *argument)
{
    struct console *console = argument;

    if (fd_is_ready(console->setup.input, POLLIN))
        loop_timer_start(console->escape_timer, console->setup.escape_ms);
    else
        input_timeout(console->input);
}

void console_keys_start(struct console *console)
{
    console->setup.escape_ms = input_escape_ms(console->setup.escape_ms);
    console->input = input_new(event_arrived, console);
    console->escape_timer = loop_timer_new(console->setup.loop, escape_due, console);
    console->input_io =
        loop_io_new(console->setup.loop, console->setup.input, input_ready, console);
    loop_io_set(console->input_io, LOOP_READ);
}

void console_keys_stop(struct console *console)
{
    loop_io_free(&console->input_io);
    loop_timer_free(&console->escape_timer);
    input_free(&console->input);
}
