/* SPDX-License-Identifier: MIT */
/* Frames, size, and the state in which the terminal is found and left. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "ui/console_int.h"
#include "ui/panic.h"

#define F2 "\x1bOQ"

/* ---- frames -------------------------------------------------------------------------------- */

static uint64_t frames(const struct tui *tui)
{
    return screen_frames(tui->console->screen);
}

static void nothing_is_drawn_while_nothing_happens(void **state)
{
    struct tui *tui = *state;
    uint64_t before;

    tui->careless = true; /* it is about when frames come */
    tui_running(tui, "sleep", true);
    tui_advance(tui, 100);
    before = frames(tui);
    strbuf_reset(&tui->raw);
    tui_advance(tui, 60000);
    assert_int_equal(frames(tui), before);
    assert_int_equal(tui->raw.length, 0);
}

static void a_flood_gives_one_frame_in_16_ms(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "yes", true);
    uint64_t before;

    tui_advance(tui, 100);
    before = frames(tui);
    for (int ms = 0; ms < 160; ms++) {
        fake_core_output(tui->core, call, "y\r\n");
        tui->clock.now_ms++;
        loop_step(tui->loop, 0);
    }
    assert_in_range(frames(tui) - before, 9, 11);
}

static void fill_pane(struct tui *tui, struct call *call)
{
    for (int row = 0; row < 60; row++)
        fake_core_output(tui->core, call, "all of a row's width counts\r\n");
}

/* A terminal of 200x50 would get 10,000 cells 60 times a second. */
static void a_flood_that_fills_a_large_screen_gives_fewer(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "yes", true);
    uint64_t before;

    tui_resize(tui, 50, 200);
    tui_advance(tui, 100);
    before = frames(tui);
    for (int ms = 0; ms < 400; ms++) {
        fill_pane(tui, call);
        tui->clock.now_ms++;
        loop_step(tui->loop, 0);
    }
    assert_in_range(frames(tui) - before, 8, 14);
}

static void what_else_changes_does_not_wait_for_a_flood(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "yes", true);
    uint64_t before;

    tui_resize(tui, 50, 200);
    tui_advance(tui, 100);
    fill_pane(tui, call);
    loop_step(tui->loop, 0);
    before = frames(tui);
    fill_pane(tui, call);
    loop_step(tui->loop, 0);
    tui->clock.now_ms += SCREEN_FRAME_MS;
    loop_step(tui->loop, 0);
    assert_int_equal(frames(tui), before);
    fill_pane(tui, call);
    console_dirty(tui->console, DIRTY_CALLS);
    loop_step(tui->loop, 0);
    assert_int_equal(frames(tui), before + 1);
}

static size_t bells(const struct tui *tui)
{
    size_t count = 0;

    for (size_t i = 0; i < tui->raw.length; i++)
        count += tui->raw.data[i] == '\a' ? 1 : 0;
    return count;
}

static void a_flood_of_bells_is_a_few(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "noise", true);

    tui_advance(tui, 1000);
    strbuf_reset(&tui->raw);
    for (int ms = 0; ms < 1000; ms++) {
        fake_core_output(tui->core, call, "\a");
        tui->clock.now_ms++;
        loop_step(tui->loop, 0);
    }
    tui_settle(tui);
    assert_in_range(bells(tui), 1, 5);
}

static void the_first_change_is_drawn_at_once(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "cat", true);
    uint64_t before;

    tui->careless = true; /* it is about when frames come */
    tui_advance(tui, 100);
    before = frames(tui);
    fake_core_output(tui->core, call, "x");
    loop_step(tui->loop, 0);
    assert_int_equal(frames(tui), before + 1);
}

static void an_echo_does_not_wait_for_the_frame(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "cat", true);
    uint64_t before;

    tui_keys(tui, "\x1b[24~");
    tui_advance(tui, 100);
    fake_core_output(tui->core, call, "a");
    loop_step(tui->loop, 0);
    tui_keys(tui, "b");
    before = frames(tui);
    fake_core_output(tui->core, call, "b");
    loop_step(tui->loop, 0);
    assert_int_equal(frames(tui), before + 1);
    fake_core_output(tui->core, call, "c"); /* still the echo */
    loop_step(tui->loop, 0);
    assert_int_equal(frames(tui), before + 2);
}

static void a_picture_in_the_making_is_held_back(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "top", true);

    tui->careless = true; /* it is about when frames come */
    fake_core_output(tui->core, call, "\x1b[?2026hfi");
    tui_settle(tui);
    assert_false(tui_shows(tui, "fi"));
    fake_core_output(tui->core, call, "rst\x1b[?2026l");
    tui_settle(tui);
    assert_true(tui_shows(tui, "first"));
    fake_core_output(tui->core, call, "\rold  ");
    tui_settle(tui);
    fake_core_output(tui->core, call, "\x1b[?2026h\x1b[H\x1b[2Jhalf");
    tui_settle(tui);
    assert_true(tui_shows(tui, "old"));
    fake_core_output(tui->core, call, " and whole\x1b[?2026l");
    tui_settle(tui);
    assert_true(tui_shows(tui, "half and whole"));
    fake_core_output(tui->core, call, "\x1b[?2026h\x1b[H\x1b[2Jforgotten");
    tui_settle(tui);
    assert_false(tui_shows(tui, "forgotten"));
    tui_advance(tui, 200);
    assert_true(tui_shows(tui, "forgotten"));
}

/* ---- size and terminal --------------------------------------------------------------------- */

static void too_small_says_so_and_recovers(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b"); /* put aside */
    tui_advance(tui, 100);
    tui_resize(tui, 10, 60);
    assert_true(tui_shows(tui, "Needs 80x24: 60x10 is too small"));
    assert_true(tui_shows(tui, "1 request waits: F2"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_resize(tui, 1, 1);
    tui_keys(tui, F2);
    tui_resize(tui, 24, 80);
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

static void a_small_screen_can_be_left(void **state)
{
    static const char *const keys[] = {"\x11", "\x1b[21~"}; /* Ctrl-Q, F10 */
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        tui_resize(tui, 10, 60);
        assert_true(tui_shows(tui, "To leave: F10  Ctrl-Q"));
        tui_keys(tui, keys[i]);
        assert_int_equal(tui->quit_status, -1);
        assert_true(tui_shows(tui, "F10 once more ends the console: nothing is open"));
        tui_keys(tui, keys[i]);
        assert_int_equal(tui->quit_status, 0);
        tui_stop(tui);
        tui_start(tui, 24, 80, NULL);
        tui_keys(tui, "?"); /* has no shape for so little room */
    }
}

/* What still runs is said there, too, in as many rows as it takes; also when the program in a pane
 * that is not in view has the keyboard. */
static void leaving_a_small_screen_asks_before_it_ends_calls(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "cat", true);
    tui_keys(tui, "\x1b[24~"); /* F12 */
    tui_resize(tui, 10, 30);
    tui_keys(tui, "\x11");
    assert_int_equal(tui->quit_status, -1);
    assert_true(tui_shows(tui, "F10 once more ends the"));
    assert_true(tui_shows(tui, "console: 1 call that has not"));
    tui_keys(tui, "x"); /* something else was meant */
    assert_true(tui_shows(tui, "To leave: F10  Ctrl-Q"));
    assert_string_equal(fake_core_typed(tui->core), "x");
    tui_keys(tui, "\x11");
    assert_int_equal(tui->quit_status, -1);
    tui_keys(tui, "\x11");
    assert_int_equal(tui->quit_status, 0);
}

/* With the command, as far as there is room for it. */
static void a_small_screen_denies_a_request(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 6, 30);
    tui_request(tui, "make install-everywhere-at-once", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, "d"); /* too soon, here as elsewhere */
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, " kov: c1 asks. May it run"));
    assert_true(tui_shows(tui, "make install-everywhere-at-onc"));
    assert_true(tui_shows(tui, "d deny  Esc aside"));
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_DENIED);
}

/* Nobody must say no to what cannot be read. */
static void a_small_screen_tells_what_is_denied(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(
        tui, "set -e\ncd /srv\nfor f in *; do\n  rm -r \"$f\"\ndone\nls\nsync\ndf", RISK_HIGH);

    call->assessment.categories = RISK_DATA_DELETION;
    tui_resize(tui, 18, 60);
    tui_wait_guard(tui);
    tui_golden(tui, "small-60x18");
    tui_resize(tui, 10, 60);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "set -e"));
    assert_true(tui_shows(tui, "… 6 more lines"));
    assert_true(tui_shows(tui, "Risk        ▲ HIGH: deletes data"));
    assert_true(tui_shows(tui, "Asked by    \"codex\" (so it says)"));
    assert_true(tui_shows(tui, "Directory   /home/ann/shop"));
    assert_true(tui_shows(tui, "Reason      The agent asks to run it"));
    assert_true(tui_shows(tui, "d deny  Esc aside"));
}

/* The risk is told before the rest of the command, and in words where a label takes too much. */
static void the_smallest_screen_tells_the_risk(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "rm -r one\nrm -r two", RISK_HIGH)->assessment.categories = RISK_DATA_DELETION;
    for (int rows = 5; rows <= 6; rows++) {
        tui_resize(tui, rows, 24);
        tui_wait_guard(tui);
        assert_true(tui_shows(tui, "rm -r one"));
        assert_int_equal(tui_shows(tui, "rm -r two"), rows == 6);
        assert_true(tui_shows(tui, "▲ HIGH: deletes data"));
    }
    tui_resize(tui, 4, 24);
    assert_true(tui_shows(tui, "rm -r one"));
    for (int rows = 4; rows > 0; rows--)
        for (int columns = 30; columns > 0; columns--)
            tui_resize(tui, rows, columns);
}

static void a_small_screen_allows_nothing(void **state)
{
    static const char *const keys[] = {"y", "a", "p", "x", "o", "e", "\r", "\x1b[20~"};
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_wait_guard(tui);
    tui_resize(tui, 6, 60);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        tui_wait_guard(tui);
        assert_true(tui_shows(tui, "d deny  Esc aside"));
        tui_keys(tui, keys[i]);
        tui_keys(tui, "\r");
        assert_int_equal(fake_core_decisions(tui->core), 0);
    }
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Here it can only be denied."));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    assert_true(tui_shows(tui, "1 request waits: F2"));
    tui_keys(tui, F2);
    assert_true(tui_shows(tui, "To allow it: 80x24 at least"));
}

/* Also where the box of the message is larger than the screen. */
static void a_small_screen_denies_with_a_message(void **state)
{
    struct tui *tui = *state;

    for (int rows = 5; rows > 0; rows--) {
        size_t before = fake_core_decisions(tui->core);

        tui_resize(tui, rows, 40);
        tui_request(tui, "make", RISK_LOW);
        tui_wait_guard(tui);
        tui_advance(tui, 2000);
        tui_keys(tui, "n");
        tui_keys(tui, "not so");
        assert_true(tui_shows(tui, "not so"));
        tui_keys(tui, "\r");
        assert_int_equal(fake_core_decisions(tui->core), before + 1);
        assert_string_equal(fake_core_decision(tui->core, before)->message, "not so");
    }
}

/* What lay over the request has no shape for so little room. */
static void a_small_screen_gets_back_to_the_request(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b[20~"); /* F9 */
    tui_resize(tui, 6, 60);
    assert_true(tui_shows(tui, "1 request waits: F2"));
    tui_keys(tui, F2);
    assert_true(tui_shows(tui, "d deny  Esc aside"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* What can be denied there can be read there. */
static void a_small_screen_shows_all_of_a_request(void **state)
{
    static const char *const reads[][2] = {{"v", "everything about c1"}, {"?", "Help"}};
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_resize(tui, 18, 60);
    for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
        tui_wait_guard(tui);
        assert_true(tui_shows(tui, "v shows all"));
        tui_keys(tui, reads[i][0]);
        assert_true(tui_shows(tui, reads[i][1]));
        assert_true(tui_shows(tui, "closes"));
        tui_keys(tui, "\x1b[F"); /* End */
        tui_keys(tui, "y");
        tui_keys(tui, "q");
    }
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Here it can only be denied."));
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_keys(tui, "v");
    for (int rows = 6; rows > 0; rows--)
        for (int columns = 30; columns > 0; columns -= 7)
            tui_resize(tui, rows, columns);
}

static void nothing_is_typed_where_nothing_is_seen(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 10, 60);
    tui_keys(tui, "ls\r");
    assert_int_equal(orchestrator_call_count(tui->core), 0);
    tui_resize(tui, 24, 80);
    assert_false(tui_shows(tui, "> ls"));
}

static void every_size_can_be_drawn(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "ls", false);

    fake_core_output(tui->core, call, "\xe6\xbc\xa2\xe5\xad\x97 wide\n");
    tui_request(tui, "make", RISK_HIGH);
    for (int rows = 2; rows < 60; rows += 9)
        for (int columns = 2; columns < 220; columns += 31)
            tui_resize(tui, rows, columns);
    tui_resize(tui, 24, 80);
    assert_true(tui_shows(tui, "May it run"));
}

static void the_terminal_is_given_back(void **state)
{
    struct termios before, after;
    struct tui tui;
    int row, column;

    (void)state;
    tui_start(&tui, 24, 80, NULL);
    assert_true(outer_alternate(tui.outer));
    assert_int_equal(tcgetattr(tui.slave, &before), 0);
    assert_true((before.c_lflag & (tcflag_t)(ICANON | ECHO | ISIG)) == 0);
    assert_non_null(strstr(strbuf_str(&tui.raw), "\x1b[?2004h"));
    tui_end_console(&tui);
    assert_false(outer_alternate(tui.outer));
    assert_true(outer_cursor(tui.outer, &row, &column));
    assert_int_equal(tcgetattr(tui.slave, &after), 0);
    assert_true((after.c_lflag & (tcflag_t)(ICANON | ECHO | ISIG)) != 0);
    assert_true((after.c_oflag & (tcflag_t)OPOST) != 0);
    assert_non_null(strstr(strbuf_str(&tui.raw), "\x1b[?2004l"));
    tui_stop(&tui);
}

static void trouble_gives_the_terminal_back(void **state)
{
    struct termios after;
    struct tui tui;

    (void)state;
    tui_start(&tui, 24, 80, NULL);
    tui.careless = true; /* what is drawn from now on is nobody's */
    panic_now();
    tui_settle(&tui);
    assert_false(outer_alternate(tui.outer));
    assert_int_equal(tcgetattr(tui.slave, &after), 0);
    assert_true((after.c_lflag & (tcflag_t)(ICANON | ECHO)) != 0);
    tui_stop(&tui);
}

/* The console dies of a bug while it has the terminal. */
static void a_crash_gives_the_terminal_back(void **state)
{
    struct termios after;
    struct tui tui;
    pid_t child;
    int status;

    (void)state;
    tui_start(&tui, 24, 80, NULL);
    tui.careless = true; /* the child has given the terminal back, and we draw on */
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        abort();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    tui_settle(&tui);
    assert_false(outer_alternate(tui.outer));
    assert_int_equal(tcgetattr(tui.slave, &after), 0);
    assert_true((after.c_lflag & (tcflag_t)(ICANON | ECHO)) != 0);
    tui_stop(&tui);
}

static void other_terminals_are_served(void **state)
{
    static const char *const terminals[] = {
        "screen",       "screen-256color", "tmux-256color", "xterm",
        "xterm-direct", "linux",           "rxvt-256color", "vt100"};

    (void)state;
    for (size_t i = 0; i < sizeof(terminals) / sizeof(terminals[0]); i++) {
        struct tui_options options = {.terminal = terminals[i]};
        struct tui tui;

        tui_start(&tui, 24, 80, &options);
        tui_request(&tui, "make install", RISK_MEDIUM);
        tui_settle(&tui);
        if (!tui_shows(&tui, "May it run") || !tui_shows(&tui, "make install"))
            fail_msg("%s", terminals[i]);
        tui_stop(&tui);
    }
}

static void a_closed_terminal_ends_the_console(void **state)
{
    struct tui tui;

    (void)state;
    tui_start(&tui, 24, 80, NULL);
    fd_close(&tui.master);
    tui_settle(&tui);
    assert_int_equal(tui.quit_status, 129);
    tui_stop(&tui);
}

static void synchronized_output_is_used_where_it_is_known(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "\x1b[?2026;2$y");
    strbuf_reset(&tui->raw);
    tui_keys(tui, "x");
    assert_non_null(strstr(strbuf_str(&tui->raw), "\x1b[?2026h"));
    assert_non_null(strstr(strbuf_str(&tui->raw), "\x1b[?2026l"));
}

static void an_unknown_terminal_is_refused(void **state)
{
    struct tui *tui = *state;
    struct console_setup setup = tui->console->setup;
    struct error error = ERROR_INIT;

    tui_end_console(tui);
    setup.terminal = "no-such-terminal";
    assert_null(console_new(&setup, &error));
    assert_non_null(strstr(error.message, "no-such-terminal"));
    setup.terminal = "dumb";
    assert_null(console_new(&setup, &error));
    assert_non_null(strstr(error.message, "cannot show a full screen"));
    setup.terminal = "xterm-256color";
    setup.theme = "pink";
    assert_null(console_new(&setup, &error));
    assert_non_null(strstr(error.message, "pink"));
}

/* Without colours and beyond ASCII, everything can still be told apart. */
static void monochrome_and_ascii_say_the_same(void **state)
{
    struct tui_options options = {.theme = "mono", .terminal = "linux"};
    struct tui tui;

    (void)state;
    tui_start(&tui, 24, 80, &options);
    tui_request(&tui, "rm -rf /\xc3\xa4", RISK_HIGH);
    tui_settle(&tui);
    tui_wait_guard(&tui);
    assert_true(tui_shows(&tui, "rm -rf /<U+00E4>"));
    assert_true(tui_shows(&tui, "! HIGH"));
    assert_true(tui_shows(&tui, "> d  deny"));
    for (int row = 0; row < 24; row++)
        for (int column = 0; column < 80; column++) {
            struct outer_cell cell;

            outer_cell(tui.outer, row, column, &cell);
            assert_true((unsigned char)cell.text[0] < 0x80);
            assert_int_equal(cell.foreground, -1);
            assert_int_equal(cell.background, -1);
        }
    tui_stop(&tui);
}

static void a_light_background_brings_the_light_theme(void **state)
{
    struct tui *tui = *state;

    tui->console->setup.theme = NULL; /* as if none had been chosen */
    tui_keys(tui, "\x1b]11;rgb:ffff/ffff/e0e0\x1b\\");
    assert_string_equal(theme_name(tui->console->theme), "light");
}

/* Stopped, with the keys of somebody who thinks that it is back already. */
static void suspends_and_goes_on(void)
{
    struct tui tui;

    setpgid(0, 0);
    tui_start(&tui, 24, 80, NULL);
    screen_suspend(tui.console->screen);
    tui_settle(&tui);
    _exit(tui_shows(&tui, " keys: prompt") ? 0 : 1);
}

static void keys_meant_for_a_stopped_console_do_not_end_it(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (child == 0)
        suspends_and_goes_on();
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    assert_int_equal(kill(child, SIGQUIT), 0);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(kill(child, SIGCONT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* What the shell shows while the console is stopped stays above what it shows afterwards. */
static void suspends_and_ends(void)
{
    struct tui tui;
    int row = 0, column = 0;

    setpgid(0, 0);
    tui_start(&tui, 24, 80, NULL);
    screen_suspend(tui.console->screen);
    (void)fd_write_all(tui.screen[1], "\r\nfg", 4);
    tui_settle(&tui);
    tui_end_console(&tui);
    outer_cursor(tui.outer, &row, &column);
    _exit(row == 1 ? 0 : 1);
}

static void a_stopped_console_comes_back_below_what_the_shell_shows(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (child == 0)
        suspends_and_ends();
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    assert_int_equal(kill(child, SIGCONT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_drawn_while_nothing_happens),
        TEST(a_flood_gives_one_frame_in_16_ms),
        TEST(a_flood_that_fills_a_large_screen_gives_fewer),
        TEST(what_else_changes_does_not_wait_for_a_flood),
        TEST(a_flood_of_bells_is_a_few),
        TEST(the_first_change_is_drawn_at_once),
        TEST(an_echo_does_not_wait_for_the_frame),
        TEST(a_picture_in_the_making_is_held_back),
        TEST(too_small_says_so_and_recovers),
        TEST(a_small_screen_can_be_left),
        TEST(leaving_a_small_screen_asks_before_it_ends_calls),
        TEST(a_small_screen_denies_a_request),
        TEST(a_small_screen_tells_what_is_denied),
        TEST(the_smallest_screen_tells_the_risk),
        TEST(a_small_screen_allows_nothing),
        TEST(a_small_screen_shows_all_of_a_request),
        TEST(a_small_screen_denies_with_a_message),
        TEST(a_small_screen_gets_back_to_the_request),
        TEST(nothing_is_typed_where_nothing_is_seen),
        TEST(every_size_can_be_drawn),
        cmocka_unit_test(the_terminal_is_given_back),
        cmocka_unit_test(trouble_gives_the_terminal_back),
        cmocka_unit_test(a_crash_gives_the_terminal_back),
        cmocka_unit_test(keys_meant_for_a_stopped_console_do_not_end_it),
        cmocka_unit_test(a_stopped_console_comes_back_below_what_the_shell_shows),
        cmocka_unit_test(other_terminals_are_served),
        cmocka_unit_test(a_closed_terminal_ends_the_console),
        TEST(synchronized_output_is_used_where_it_is_known),
        TEST(an_unknown_terminal_is_refused),
        cmocka_unit_test(monochrome_and_ascii_say_the_same),
        TEST(a_light_background_brings_the_light_theme),
    };

    return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
