/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tui.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/input.h"

/* A frame of a large screen fits, so that writing it never waits for the test to read. */
#define PIPE_BYTES (1024 * 1024)
#define GUARD_MS 400
/* For bytes on their way through a pseudo-terminal; only a broken console needs as long. */
#define ARRIVAL_MS 10000

static void quit_asked(void *argument, int status)
{
    ((struct tui *)argument)->quit_status = status;
}

static struct sandbox_policy *policy_of_mode(void *argument, enum sandbox_mode mode,
                                             const char *root, struct error *error)
{
    (void)argument;
    (void)error;
    return sandbox_policy_new(mode, root);
}

static void open_terminal(struct tui *tui, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

    assert_int_equal(openpty(&tui->master, &tui->slave, NULL, NULL, &size), 0);
    assert_int_equal(pipe2(tui->screen, O_CLOEXEC), 0);
    assert_true(fcntl(tui->screen[1], F_SETPIPE_SZ, PIPE_BYTES) >= PIPE_BYTES);
    assert_int_equal(fd_set_nonblock(tui->screen[0], true), 0);
    tui->outer = outer_new(rows, columns);
}

void tui_start(struct tui *tui, int rows, int columns, const struct tui_options *options)
{
    static const struct tui_options usual = {.theme = NULL};
    struct console_setup setup = {.guard_ms = GUARD_MS, .directory = "/home/ann/shop"};
    struct error error = ERROR_INIT;

    options = options != NULL ? options : &usual;
    memset(tui, 0, sizeof(*tui));
    tui->quit_status = -1;
    assert_non_null(setlocale(LC_ALL, options->locale != NULL ? options->locale : "C.UTF-8"));
    clock_fake_init(&tui->clock, 1000000);
    tui->loop = loop_new(&tui->clock.clock);
    open_terminal(tui, rows, columns);
    tui->core = fake_core_new(tui->loop);
    tui->own = fake_core_session(tui->core, SESSION_OPERATOR, "shop");
    tui->agent = fake_core_session(tui->core, SESSION_CLIENT, "codex");
    setup.loop = tui->loop;
    setup.orchestrator = tui->core;
    setup.session = tui->own;
    setup.input = tui->slave;
    setup.output = tui->screen[1];
    setup.terminal = options->terminal != NULL ? options->terminal : "xterm-256color";
    setup.theme = options->theme != NULL ? options->theme : "dark";
    setup.mark = options->own_mark ? NULL : "kov";
    if (options->command != NULL)
        setup.command_call = fake_core_call(tui->core, tui->own, options->command)->id;
    setup.command_keyboard = options->keyboard;
    setup.zoom = options->zoom;
    setup.introduce = options->introduce;
    setup.exit_when_done = options->exit_when_done;
    setup.mouse = options->mouse;
    setup.alert = options->alert;
    setup.notification = 9;
    setup.escalate_ms = options->escalate_ms;
    setup.escape_ms = options->escape_ms != 0 ? options->escape_ms : INPUT_ESCAPE_MS;
    setup.away_ms = options->away_ms;
    setup.keys = options->keys;
    setup.hooks.policy_of_mode = policy_of_mode;
    setup.quit = quit_asked;
    setup.argument = tui;
    tui->console = console_new(&setup, &error);
    if (tui->console == NULL)
        fail_msg("%s", error.message);
    orchestrator_add_observer(tui->core, console_observer(), tui->console);
    tui_settle(tui);
}

static void drain(struct tui *tui)
{
    char bytes[65536];
    ssize_t length;

    while ((length = read(tui->screen[0], bytes, sizeof(bytes))) > 0) {
        strbuf_add(&tui->raw, bytes, (size_t)length);
        outer_write(tui->outer, bytes, (size_t)length);
    }
}

void tui_end_console(struct tui *tui)
{
    orchestrator_remove_observer(tui->core, tui->console);
    console_free(&tui->console);
    drain(tui);
}

void tui_stop(struct tui *tui)
{
    tui_end_console(tui);
    fake_core_free(&tui->core);
    loop_free(&tui->loop);
    outer_free(&tui->outer);
    strbuf_free(&tui->raw);
    fd_close(&tui->master);
    fd_close(&tui->slave);
    fd_close(&tui->screen[0]);
    fd_close(&tui->screen[1]);
}

static void compare(const char *name, const char *expected, const char *actual)
{
    int line = 1;

    while (*expected != '\0' || *actual != '\0') {
        size_t expected_length = strcspn(expected, "\n");
        size_t actual_length = strcspn(actual, "\n");

        if (expected_length != actual_length || memcmp(expected, actual, actual_length) != 0)
            fail_msg("%s, line %d:\nexpected: %.*s\nshown:    %.*s\n(UPDATE=1 accepts it)", name,
                     line, (int)expected_length, expected, (int)actual_length, actual);
        expected += expected_length + (expected[expected_length] == '\n');
        actual += actual_length + (actual[actual_length] == '\n');
        line++;
    }
}

/* What was drawn piece by piece must be what is drawn anew. */
static void check_redrawn(struct tui *tui)
{
    cleanup_strbuf struct strbuf before = STRBUF_INIT;
    cleanup_strbuf struct strbuf after = STRBUF_INIT;

    screen_request_now(tui->console->screen); /* what only waits for its time */
    loop_step(tui->loop, 0);
    drain(tui);
    outer_dump(tui->outer, &before);
    console_dirty(tui->console, DIRTY_LAYOUT);
    screen_repaint(tui->console->screen);
    screen_request_now(tui->console->screen);
    loop_step(tui->loop, 0);
    drain(tui);
    outer_dump(tui->outer, &after);
    compare("not drawn until all was", strbuf_str(&after), strbuf_str(&before));
}

void tui_settle(struct tui *tui)
{
    /* An event, its consequence in the next turn, and the frame, which may wait for its time. */
    for (int i = 0; i < 6; i++) {
        loop_step(tui->loop, 0);
        drain(tui);
        tui->clock.now_ms += i == 2 ? 20 : 0;
    }
    if (!tui->careless)
        check_redrawn(tui);
}

void tui_keys(struct tui *tui, const char *bytes)
{
    struct pollfd poller = {.fd = tui->slave, .events = POLLIN};

    assert_int_equal(fd_write_all(tui->master, bytes, strlen(bytes)), 0);
    assert_int_equal(poll(&poller, 1, ARRIVAL_MS), 1);
    while (poll(&poller, 1, 0) == 1)
        loop_step(tui->loop, 0);
    tui_settle(tui);
}

/* Bytes of the first of these keys. */
static size_t key_length(const char *keys)
{
    size_t length = 1;

    if (keys[0] != '\x1b' || keys[1] == '\0')
        return length;
    if (keys[1] != '[')
        return keys[1] == 'O' ? 3 : 2;
    for (length = 2; keys[length] != '\0' && (keys[length] < '@' || keys[length] > '~'); length++)
        continue;
    return length + 1;
}

void tui_presses(struct tui *tui, const char *keys)
{
    while (*keys != '\0') {
        size_t length = key_length(keys);
        cleanup_free char *key = xstrndup(keys, length);

        tui_keys(tui, key);
        tui_advance(tui, 10);
        keys += length;
    }
}

void tui_lines(struct tui *tui, const char *lines)
{
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\r");
        cleanup_free char *line = xstrndup(lines, length);

        if (length > 0)
            tui_keys(tui, line);
        tui_advance(tui, 10);
        if (lines[length] == '\r')
            tui_keys(tui, "\r");
        tui_advance(tui, 10);
        lines += length + (lines[length] == '\r');
    }
}

void tui_advance(struct tui *tui, int64_t ms)
{
    while (ms > 0) {
        int64_t step = ms < 10 ? ms : 10;

        tui->clock.now_ms += step;
        ms -= step;
        loop_step(tui->loop, 0);
    }
    tui_settle(tui);
}

void tui_sleep(struct tui *tui, int64_t ms)
{
    int64_t end = tui->clock.now_ms + ms, next;

    while ((next = loop_next_timer_ms(tui->loop)) >= 0 && tui->clock.now_ms + next <= end) {
        tui->clock.now_ms += next;
        loop_step(tui->loop, 0);
    }
    tui->clock.now_ms = end;
    drain(tui);
}

void tui_wait_guard(struct tui *tui)
{
    tui_advance(tui, GUARD_MS + 10);
}

void tui_wait_next(struct tui *tui)
{
    tui_advance(tui, 2 * GUARD_MS + 10);
}

void tui_wait_change(struct tui *tui)
{
    tui_advance(tui, 3 * GUARD_MS + 10);
}

void tui_resize(struct tui *tui, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

    assert_int_equal(ioctl(tui->master, TIOCSWINSZ, &size), 0);
    outer_resize(tui->outer, rows, columns);
    assert_int_equal(raise(SIGWINCH), 0);
    tui_settle(tui);
    tui_advance(tui, 20);
}

bool tui_find(const struct tui *tui, const char *text, int *row, int *column)
{
    for (*row = 0; *row < outer_rows(tui->outer); (*row)++) {
        cleanup_free char *line = outer_row(tui->outer, *row);
        const char *at = strstr(line, text);

        if (at != NULL) {
            *column = (int)text_width(line, (size_t)(at - line));
            return true;
        }
    }
    return false;
}

bool tui_shows(const struct tui *tui, const char *text)
{
    int row, column;

    return tui_find(tui, text, &row, &column);
}

bool tui_says(const struct tui *tui, const char *text)
{
    cleanup_strbuf struct strbuf all = STRBUF_INIT;

    for (int row = 0; row < outer_rows(tui->outer); row++) {
        cleanup_free char *line = outer_row(tui->outer, row);
        char *rest = NULL;

        for (char *word = strtok_r(line, " ", &rest); word != NULL;
             word = strtok_r(NULL, " ", &rest))
            strbuf_addf(&all, "%s ", word);
    }
    return strstr(strbuf_str(&all), text) != NULL;
}

/* ---- golden screens ------------------------------------------------------------------------ */

void tui_golden(const struct tui *tui, const char *name)
{
    cleanup_free char *path = xasprintf(TUI_GOLDEN "/%s.screen", name);
    cleanup_free char *expected = NULL;
    cleanup_strbuf struct strbuf actual = STRBUF_INIT;
    size_t length;

    outer_dump(tui->outer, &actual);
    if (getenv("UPDATE") != NULL) {
        assert_int_equal(fd_replace_file(path, actual.data, actual.length, 0644), 0);
        return;
    }
    expected = fd_read_file(path, 1024 * 1024, false, &length);
    if (expected == NULL)
        fail_msg("%s cannot be read (UPDATE=1 makes it)", path);
    compare(name, expected, strbuf_str(&actual));
}

struct call *tui_request(struct tui *tui, const char *line, enum risk_level risk)
{
    return fake_core_request(tui->core, tui->agent, line, risk, true);
}

struct call *tui_request_inside(struct tui *tui, const char *line, enum risk_level risk)
{
    return fake_core_request(tui->core, tui->agent, line, risk, false);
}

void tui_ready_request(struct tui *tui, enum risk_level risk)
{
    tui_request_inside(tui, "make install", risk);
    tui_settle(tui);
    tui_wait_next(tui);
}

const struct fake_decision *tui_decision(const struct tui *tui)
{
    assert_int_equal(fake_core_decisions(tui->core), 1);
    return fake_core_decision(tui->core, 0);
}

void tui_no_decision(const struct tui *tui)
{
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

struct call *tui_running(struct tui *tui, const char *line, bool tty)
{
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    call->spec->tty = tty;
    fake_core_start(tui->core, call, "workspace-write (network off)");
    tui_settle(tui);
    return call;
}

int tui_set_up(void **state)
{
    struct tui *tui = XNEW(struct tui);

    tui_start(tui, 24, 80, NULL);
    *state = tui;
    return 0;
}

int tui_tear_down(void **state)
{
    struct tui *tui = *state;

    tui_stop(tui);
    free(tui);
    return 0;
}
