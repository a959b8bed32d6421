/* SPDX-License-Identifier: MIT */
/* console: life and death of the console, and its turn. What arrives from the core is in
 * console_observer.c, what arrives from the keyboard in console_keys.c. */
#include "config.h"

#include "ui/console.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/awaiting.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/halt.h"
#include "ui/operator.h"
#include "ui/overlay_approval.h"
#include "ui/overlay_help.h"
#include "ui/overlay_inbox.h"
#include "ui/restored_view.h"
#include "ui/view.h"

/* How long a line of the trail stays on the screen; one that warns waits for the operator. */
#define TRAIL_SHOWN_MS 60000
#define TRAIL_PASSING_MS 10000 /* of what ended by itself */
#define MINUTE_MS ((int64_t)60000)
/* What the operator can have read before the next thing is done. */
#define TRAIL_READ_MS 3000

void console_dirty(struct console *console, unsigned what)
{
    console->dirty |= what;
    screen_request(console->screen);
}

struct call *console_selected_call(const struct console *console)
{
    return orchestrator_find_call(console->setup.orchestrator, console->selected);
}

struct pane *console_selected_pane(const struct console *console)
{
    return pane_set_find(&console->panes, console->selected);
}

size_t console_waiting(const struct console *console)
{
    return orchestrator_question_count(console->setup.orchestrator);
}

void console_record_fails(struct console *console, bool fails)
{
    console->record_fails = fails;
    console_dirty(console, DIRTY_STATUS);
}

/* Lines that come one after the other do not put off when the first of them goes. */
static void watch(struct loop_timer *timer, int64_t ms)
{
    if (!loop_timer_running(timer))
        loop_timer_start(timer, ms);
}

void console_say(struct console *console, enum theme_element element, const char *format, ...)
{
    cleanup_free char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    trail_add(console->trail, clock_wall_ms(loop_clock(console->setup.loop)), element, text);
    watch(console->trail_timer, TRAIL_SHOWN_MS);
    if (element == THEME_DIM)
        watch(console->passing_timer, TRAIL_PASSING_MS);
    console_dirty(console, DIRTY_TRAIL);
}

void console_say_own(struct console *console, enum theme_element element, const char *text)
{
    trail_add_own(console->trail, clock_wall_ms(loop_clock(console->setup.loop)), element, text);
    watch(console->trail_timer, TRAIL_SHOWN_MS);
    loop_timer_start(console->own_timer, VIEW_TRAIL_OWN_MS);
    console->line_told = true;
    console_dirty(console, DIRTY_TRAIL);
}

void console_alarm(struct console *console, const char *text)
{
    cleanup_free char *line = xasprintf(_("Alarm: %s"), text);

    trail_add_alarm(console->trail, clock_wall_ms(loop_clock(console->setup.loop)), THEME_FAILED,
                    line);
    console_dirty(console, DIRTY_TRAIL);
}

void console_about(struct console *console, const char *topic)
{
    trail_about(console->trail, topic);
    console_dirty(console, DIRTY_TRAIL);
}

void console_over(struct console *console, const char *topic)
{
    if (trail_topic_over(console->trail, topic))
        console_dirty(console, DIRTY_TRAIL);
}

void console_about_wait(struct console *console, uint64_t call)
{
    char topic[TRAIL_TOPIC_MAX];

    snprintf(topic, sizeof(topic), "c%" PRIu64, call);
    console_about(console, topic);
}

void console_wait_over(struct console *console, uint64_t call)
{
    char topic[TRAIL_TOPIC_MAX];

    snprintf(topic, sizeof(topic), "c%" PRIu64, call);
    console_over(console, topic);
}

/* It takes its place among the others. */
static void own_over(void *argument)
{
    console_dirty(argument, DIRTY_TRAIL);
}

static void put_away(struct console *console, int64_t age_ms, enum trail_lines which)
{
    int64_t now = clock_wall_ms(loop_clock(console->setup.loop));

    if (trail_put_away(console->trail, now - age_ms, which))
        console_dirty(console, DIRTY_TRAIL);
}

void console_goes_on(struct console *console)
{
    put_away(console, TRAIL_READ_MS, TRAIL_ALL);
}

void console_news(struct console *console, uint64_t ended)
{
    int64_t now = clock_wall_ms(loop_clock(console->setup.loop));

    if (trail_outdated(console->trail, ended, now - TRAIL_READ_MS))
        console_dirty(console, DIRTY_TRAIL);
}

/* Until the oldest line of those that are left has been there for so long. */
static void watch_rest(const struct console *console, struct loop_timer *timer, int64_t ms,
                       enum trail_lines which)
{
    int64_t since = trail_oldest_ms(console->trail, which);
    int64_t left = since + ms - clock_wall_ms(loop_clock(console->setup.loop));

    if (since != 0)
        loop_timer_start(timer, left > 0 && left < ms ? left : ms);
}

/* What warns stays, with its age. */
static void trail_over(void *argument)
{
    struct console *console = argument;

    put_away(console, TRAIL_SHOWN_MS, TRAIL_CALM);
    watch_rest(console, console->trail_timer, TRAIL_SHOWN_MS, TRAIL_ALL);
    watch_rest(console, console->trail_timer, TRAIL_SHOWN_MS, TRAIL_CALM); /* these before ages */
    console_dirty(console, DIRTY_TRAIL);
}

static void passing_over(void *argument)
{
    struct console *console = argument;

    put_away(console, TRAIL_PASSING_MS, TRAIL_PASSING);
    watch_rest(console, console->passing_timer, TRAIL_PASSING_MS, TRAIL_PASSING);
}

void console_remark(struct console *console, enum theme_element element, const char *format, ...)
{
    cleanup_free char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    trail_remark(console->trail, clock_wall_ms(loop_clock(console->setup.loop)), element, text);
    console->line_failed = console->line_failed || element == THEME_FAILED;
    console->line_told = true;
    console_dirty(console, DIRTY_TRAIL);
}

/* Tells the program whether it has the keyboard, if it wants to know. */
static void tell_focus(struct console *console, bool in)
{
    struct pane *pane = console_selected_pane(console);
    struct call *call = console_selected_call(console);
    struct strbuf bytes = STRBUF_INIT;

    if (pane == NULL || call == NULL || call->state != CALL_RUNNING)
        return;
    vt_focus(pane->vt, in, &bytes);
    if (bytes.length > 0)
        orchestrator_reply(console->setup.orchestrator, call, bytes.data, bytes.length);
    strbuf_free(&bytes);
}

void console_say_no_pane(struct console *console)
{
    char key[24];

    if (console->panes.count == 0)
        console_remark(console, THEME_DIM, "%s",
                       _("there is no pane yet: one opens when a command runs"));
    else
        console_remark(console, THEME_DIM, _("the selected call has no pane: %s selects another"),
                       keymap_key(&console->keymap, ACTION_PREVIOUS_CALL, key));
}

void console_set_keyboard(struct console *console, bool in_pane)
{
    struct pane *pane = console_selected_pane(console);

    if (in_pane && pane == NULL) {
        console_say_no_pane(console);
        return;
    }
    if (in_pane == console->keyboard_in_pane)
        return;
    console->keyboard_in_pane = in_pane;
    console->passed_key.code = 0;
    tell_focus(console, in_pane);
    if (in_pane)
        pane_let_go(pane);
    console_dirty(console, DIRTY_LAYOUT);
}

void console_set_zoom(struct console *console, bool zoomed)
{
    if (zoomed && console_selected_pane(console) == NULL) {
        console_say_no_pane(console);
        return;
    }
    console->zoomed = zoomed;
    console_dirty(console, DIRTY_LAYOUT);
}

static size_t unfinished_calls(const struct console *console)
{
    size_t count = orchestrator_call_count(console->setup.orchestrator);
    size_t unfinished = 0;

    for (size_t i = 0; i < count; i++)
        if (orchestrator_call_at(console->setup.orchestrator, i)->state != CALL_FINISHED)
            unfinished++;
    return unfinished;
}

/* One key must not end what agents rely on, and the answers that hold: a typed line is no slip. */
static char *quit_by_key(const char *key)
{
    return xasprintf(_("%s once more ends the console: nothing is open"), key);
}

char *console_quit_warning(const struct console *console, bool by_key)
{
    size_t unfinished = unfinished_calls(console), waiting = console_waiting(console);
    size_t others = unfinished > waiting ? unfinished - waiting : 0;
    cleanup_free char *running = NULL;
    cleanup_free char *asking = NULL;
    char key[24];

    keymap_key(&console->keymap, ACTION_QUIT, key);
    if (unfinished == 0)
        return by_key ? quit_by_key(key) : NULL;
    running = xasprintf(
        P_("%zu call that has not finished ends", "%zu calls that have not finished end", others),
        others);
    asking = xasprintf(
        P_("%zu waiting request is denied", "%zu waiting requests are denied", waiting), waiting);
    return xasprintf(_("%s once more ends the console: %s%s%s"), *key != '\0' ? key : ":quit",
                     others > 0 ? running : "", others > 0 && waiting > 0 ? ", " : "",
                     waiting > 0 ? asking : "");
}

void console_quit(struct console *console, bool by_key)
{
    cleanup_free char *warning = console_quit_warning(console, by_key);
    size_t calls = unfinished_calls(console);

    /* What has come since it was asked has not been asked about. */
    if (warning != NULL && (!console->quit_confirm || calls > console->quit_calls)) {
        console->quit_confirm = true;
        console->quit_calls = calls;
        halt_question_asked(console);
        console_remark(console, THEME_WARNING, "%s", warning);
        return;
    }
    if (!console->quitting && console->setup.quit != NULL)
        console->setup.quit(console->setup.argument, 0);
    console->quitting = true;
}

/* The status of a program that SIGHUP ended, as a shell gives it. */
#define HANGUP_STATUS (128 + 1)

void console_terminal_gone(struct console *console)
{
    if (!console->quitting && console->setup.quit != NULL)
        console->setup.quit(console->setup.argument, HANGUP_STATUS);
    console->quitting = true;
}

int console_set_theme(struct console *console, const char *name, struct error *error)
{
    struct theme *theme = theme_new(name, screen_unicode(console->screen), error);

    if (theme == NULL)
        return -1;
    theme_free(&console->theme);
    console->theme = theme;
    theme_apply(theme);
    console_dirty(console, DIRTY_LAYOUT);
    return 0;
}

void console_background_known(struct console *console, uint32_t colour)
{
    /* Perceived brightness in 255ths (ITU-R BT.601). */
    uint32_t brightness =
        (299 * (colour >> 16 & 0xff) + 587 * (colour >> 8 & 0xff) + 114 * (colour & 0xff)) / 1000;

    if (console->setup.theme == NULL && strcmp(theme_name(console->theme), "dark") == 0 &&
        brightness > 127)
        console_set_theme(console, "light", NULL);
}

/* ---- the turn ----------------------------------------------------------------------------- */

static void compute_layout(struct console *console)
{
    struct layout_wish wish = {
        .rows = console->rows,
        .columns = console->columns,
        .calls = view_calls_wanted(console),
        .sessions = orchestrator_session_count(console->setup.orchestrator),
        .panes = view_panes_wanted(console),
        .told = console->choice_rows,
        .zoomed = console->zoomed,
        .typing = console->keyboard_in_pane,
        .covered = console->overlay != NULL,
    };

    layout_compute(&wish, &console->layout);
    view_panes_place(console);
}

/* Answers of the terminals to their programs' questions, gathered while output came in. */
static void send_replies(struct console *console)
{
    for (size_t i = 0; i < console->panes.count; i++) {
        struct pane *pane = console->panes.panes[i];
        struct call *call;

        if (pane->reply.length == 0)
            continue;
        call = orchestrator_find_call(console->setup.orchestrator, pane->call);
        if (call != NULL && call->state == CALL_RUNNING)
            orchestrator_reply(console->setup.orchestrator, call, pane->reply.data,
                               pane->reply.length);
        strbuf_reset(&pane->reply);
    }
}

/* Whose pane has the whole screen is told once, so that it can be so again. */
static void tell_zoom(struct console *console)
{
    uint64_t zoomed = console->zoomed ? console->selected : 0;
    uint64_t about = zoomed != 0 ? zoomed : console->zoom_told;
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, about);

    if (zoomed == console->zoom_told)
        return;
    console->zoom_told = zoomed;
    if (call != NULL && console->setup.zoom_changed != NULL)
        console->setup.zoom_changed(console->setup.argument, call, zoomed != 0);
}

/* The newest call is selected again once that has ended which a key led to; not while it is read,
 * nor when the operator has picked it since. */
static void take_back_lent(struct console *console)
{
    const struct call *call = console_selected_call(console);

    if (console->lent == 0 || console->zoomed || console->overlay != NULL || halt_asks(console) ||
        (call != NULL && call->id == console->lent && call->state != CALL_FINISHED))
        return;
    if (call != NULL && call->id == console->lent && call->id != console->picked)
        view_calls_follow(console);
    console->lent = 0;
}

/* A pane that is gone or has ended gives back what it was given. */
static void check_selected(struct console *console)
{
    struct call *call = console_selected_call(console);
    struct pane *pane = console_selected_pane(console);

    if (console->keyboard_in_pane &&
        (pane == NULL || call == NULL || call->state == CALL_FINISHED)) {
        after_request_pane_ended(console, false);
        console_set_keyboard(console, false);
    }
    if (console->zoomed && pane == NULL)
        console_set_zoom(console, false);
    take_back_lent(console);
}

/* The status line says for how many minutes the oldest request waits. */
static void follow_vigil(struct console *console)
{
    int64_t before = vigil_overdue_ms(console->vigil);

    vigil_follow(console->vigil);
    if (vigil_overdue_ms(console->vigil) / MINUTE_MS != before / MINUTE_MS)
        console_dirty(console, DIRTY_STATUS);
}

static void console_turn(void *argument)
{
    struct console *console = argument;

    send_replies(console);
    follow_vigil(console);
    check_selected(console);
    tell_zoom(console);
    if ((console->dirty & DIRTY_LAYOUT) != 0)
        compute_layout(console);
    overlay_inbox_follow(console);
    overlay_approval_follow(console);
    console->keys_dropped = false;
    if ((console->dirty & DIRTY_LAYOUT) != 0)
        compute_layout(console); /* with the overlay that came or went */
}

/* ---- the size ------------------------------------------------------------------------------ */

static void console_resized(void *argument, int rows, int columns)
{
    struct console *console = argument;

    console->rows = rows;
    console->columns = columns;
    for (struct overlay *at = console->overlay; at != NULL; at = at->below)
        if (at->class->resized != NULL)
            at->class->resized(at, console);
    console_dirty(console, DIRTY_LAYOUT);
    compute_layout(console);
    loop_wake(console->setup.loop); /* this turn's work was done for the size before */
}

/* The turn that these timers make does the work. */
static void guard_over(void *argument)
{
    struct console *console = argument;

    console_dirty(console, DIRTY_OVERLAY);
}

static void hold_over(void *argument)
{
    struct console *console = argument;

    console_dirty(console, DIRTY_PANES);
}

/* ---- life --------------------------------------------------------------------------------- */

/* Easy to remember, one of 8,100, and a word in no language: "not" or "yes" before a question would
 * mislead. */
static void choose_mark(struct console *console)
{
    static const char consonants[] = "bdfghjklmnprstvwxz";
    static const char vowels[] = "aeiou";
    unsigned char bytes[3];

    if (console->setup.mark != NULL) {
        snprintf(console->mark, sizeof(console->mark), "%s", console->setup.mark);
        return;
    }
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        memset(bytes, 0, sizeof(bytes));
    snprintf(console->mark, sizeof(console->mark), "%c%c%d",
             consonants[bytes[0] % (sizeof(consonants) - 1)],
             vowels[bytes[1] % (sizeof(vowels) - 1)], 10 + bytes[2] % 90);
}

static const char *theme_choice(const struct console *console)
{
    const char *no_colour = getenv("NO_COLOR");

    if (console->setup.theme != NULL)
        return console->setup.theme;
    return no_colour != NULL && *no_colour != '\0' ? "mono" : "dark";
}

static int open_screen(struct console *console, struct error *error)
{
    struct screen_setup setup = {
        .loop = console->setup.loop,
        .input = console->setup.input,
        .output = console->setup.output,
        .terminal = console->setup.terminal,
        .draw = console_draw,
        .painted = console_painted,
        .resized = console_resized,
        .argument = console,
    };

    console->screen = screen_new(&setup, error);
    if (console->screen == NULL)
        return -1;
    if (!screen_unicode(console->screen))
        i18n_for_latin(_("Help"));
    console->theme = theme_new(theme_choice(console), screen_unicode(console->screen), error);
    if (console->theme == NULL)
        return -1;
    theme_apply(console->theme);
    screen_size(console->screen, &console->rows, &console->columns);
    return 0;
}

static void requests_wait(void *argument, enum vigil_event event, size_t waiting)
{
    struct console *console = argument;
    cleanup_free char *text = vigil_text(event, waiting);

    console_dirty(console, DIRTY_STATUS);
    if (!console->setup.alert)
        return;
    console->bell = console->bell || event == VIGIL_ESCALATED;
    if (console->setup.notification != 0)
        screen_notify(console->screen, console->setup.notification, text);
}

static void start_vigil(struct console *console)
{
    const struct vigil_setup setup = {
        .loop = console->setup.loop,
        .orchestrator = console->setup.orchestrator,
        .escalate_ms = console->setup.escalate_ms,
        .away_ms = console->setup.away_ms,
        .command = console->setup.notify_command,
        .alert = requests_wait,
        .argument = console,
    };

    console->vigil = vigil_new(&setup);
}

struct console *console_new(const struct console_setup *setup, struct error *error)
{
    struct console *console = XNEW(struct console);
    struct loop *loop = setup->loop;

    console->setup = *setup;
    console->panes.scrollback = setup->scrollback;
    attention_init(&console->attention, setup->alert, setup->directory);
    console->last_key_ms = console->typed_ms = console->told_ms = INT64_MIN / 2;
    choose_mark(console);
    /* Before the screen: its frame comes after our turn. */
    console->turn = loop_on_turn(loop, console_turn, console);
    keymap_init(&console->keymap);
    if ((setup->keys != NULL && keymap_change(&console->keymap, setup->keys, error) < 0) ||
        open_screen(console, error) < 0) {
        console_free(&console);
        return NULL;
    }
    console->guard_timer = loop_timer_new(loop, guard_over, console);
    console->wait_timer = loop_timer_new(loop, guard_over, console);
    console->hold_timer = loop_timer_new(loop, hold_over, console);
    console->trail_timer = loop_timer_new(loop, trail_over, console);
    console->passing_timer = loop_timer_new(loop, passing_over, console);
    console->awaiting_timer = loop_timer_new(loop, awaiting_look, console);
    console->own_timer = loop_timer_new(loop, own_over, console);
    console->stop_timer = loop_timer_new(loop, halt_time_over, console);
    console->prompt = line_editor_new();
    console->trail = trail_new();
    start_vigil(console);
    console_keys_start(console);
    console->dirty = DIRTY_LAYOUT;
    screen_request(console->screen);
    if (setup->introduce)
        overlay_help_introduce(console);
    if (setup->restored != NULL)
        restored_view_show(console, setup->restored);
    console->setup.restored = NULL;
    compute_layout(console);
    return console;
}

void console_free(struct console **place)
{
    struct console *console = *place;

    if (console == NULL)
        return;
    if (console->screen != NULL)
        overlay_close_all(console);
    console_keys_stop(console);
    loop_timer_free(&console->guard_timer);
    loop_timer_free(&console->wait_timer);
    loop_timer_free(&console->hold_timer);
    loop_timer_free(&console->trail_timer);
    loop_timer_free(&console->passing_timer);
    loop_timer_free(&console->awaiting_timer);
    loop_timer_free(&console->own_timer);
    loop_timer_free(&console->stop_timer);
    loop_turn_free(&console->turn);
    screen_free(&console->screen);
    pane_set_clear(&console->panes);
    line_editor_free(&console->prompt);
    trail_free(&console->trail);
    vigil_free(&console->vigil);
    theme_free(&console->theme);
    desk_question_drop(&console->stop_question);
    free(console->aside);
    free(console->kept);
    approval_resume_clear(&console->left_off);
    free(console->left);
    free(console);
    *place = NULL;
}
