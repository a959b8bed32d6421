/* SPDX-License-Identifier: MIT */
/* talk: on pipes, where it reads and prints lines, and on a terminal of its own. */
#include "config.h"

#include "ui/talk/talk.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/strbuf.h"

#define TURNS 30

struct fixture {
    struct clock_fake clock;
    struct loop *loop;
    struct talk *talk;
    int ours_in, ours_out;     /* what we type, what we see */
    int theirs_in, theirs_out; /* may be one */
    struct strbuf seen, lines;
    unsigned cancelled, ended;
};

static void on_line(void *argument, const char *text)
{
    struct fixture *fixture = argument;
    strbuf_addf(&fixture->lines, "[%s]", text);
}

static void on_cancel(void *argument)
{
    ((struct fixture *)argument)->cancelled++;
}

static void on_ended(void *argument)
{
    ((struct fixture *)argument)->ended++;
}

static void begin(struct fixture *fixture)
{
    struct talk_setup setup = {
        .loop = fixture->loop,
        .input = fixture->theirs_in,
        .output = fixture->theirs_out,
        .line = on_line,
        .cancel = on_cancel,
        .ended = on_ended,
        .argument = fixture,
    };
    fixture->talk = talk_new(&setup);
}

static struct fixture *new_fixture(void **state)
{
    struct fixture *fixture = XNEW(struct fixture);
    clock_fake_init(&fixture->clock, 1000);
    fixture->loop = loop_new(&fixture->clock.clock);
    *state = fixture;
    return fixture;
}

static int set_up_pipes(void **state)
{
    struct fixture *fixture = new_fixture(state);
    int in[2], out[2];
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    fixture->theirs_in = in[0];
    fixture->ours_in = in[1];
    fixture->ours_out = out[0];
    fixture->theirs_out = out[1];
    fd_set_nonblock(fixture->ours_out, true);
    begin(fixture);
    return 0;
}

static int set_up_terminal(void **state)
{
    struct fixture *fixture = new_fixture(state);
    const struct winsize size = {.ws_row = 24, .ws_col = 40};
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(slave >= 0);
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
    fd_set_nonblock(master, true);
    fixture->ours_in = fixture->ours_out = master;
    fixture->theirs_in = fixture->theirs_out = slave;
    begin(fixture);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    talk_free(&fixture->talk);
    loop_free(&fixture->loop);
    if (fixture->ours_out != fixture->ours_in)
        fd_close(&fixture->ours_out);
    if (fixture->theirs_out != fixture->theirs_in)
        fd_close(&fixture->theirs_out);
    fd_close(&fixture->ours_in);
    fd_close(&fixture->theirs_in);
    strbuf_free(&fixture->seen);
    strbuf_free(&fixture->lines);
    free(fixture);
    return 0;
}

/* What was printed since the last time. */
static const char *see(struct fixture *fixture)
{
    char bytes[4096];
    ssize_t count;
    for (int turn = 0; turn < TURNS; turn++)
        loop_step(fixture->loop, 0);
    strbuf_reset(&fixture->seen);
    while ((count = read(fixture->ours_out, bytes, sizeof(bytes))) > 0)
        strbuf_add(&fixture->seen, bytes, (size_t)count);
    return strbuf_str(&fixture->seen);
}

static const char *type(struct fixture *fixture, const char *text)
{
    assert_int_equal(write(fixture->ours_in, text, strlen(text)), strlen(text));
    return see(fixture);
}

static void assert_seen(const char *seen, const char *part)
{
    if (strstr(seen, part) == NULL)
        fail_msg("expected %s in: %s", part, seen);
}

static void say(struct fixture *fixture, enum talk_voice voice, const char *text)
{
    talk_say(fixture->talk, voice, text, strlen(text));
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void lines_come_and_go_without_a_terminal(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "one\n\ntw");
    type(fixture, "o\n");
    assert_string_equal(strbuf_str(&fixture->lines), "[one][two]");
    say(fixture, TALK_AGENT, "in pi");
    say(fixture, TALK_AGENT, "eces\nand **raw**");
    say(fixture, TALK_TOOL, "ls");
    talk_line(fixture->talk, TALK_NOTE, "a note");
    assert_string_equal(see(fixture), "in pieces\nand **raw**\n* ls\n! a note\n");
    fd_close(&fixture->ours_in);
    see(fixture);
    see(fixture);
    assert_int_equal(fixture->ended, 1);
}

static void what_agents_say_is_made_safe(void **state)
{
    struct fixture *fixture = *state;
    talk_line(fixture->talk, TALK_AGENT,
              "a\033[2Jb\r\xe2\x80\xae"
              "c\xff");
    const char *seen = see(fixture);
    assert_seen(seen, "a<ESC>[2Jb");
    assert_null(strchr(seen, '\033'));
    assert_null(strchr(seen, '\r'));
    assert_null(strstr(seen, "\xe2\x80\xae"));
}

static void a_line_without_an_end_is_broken(void **state)
{
    struct fixture *fixture = *state;
    cleanup_free char *long_text = xmalloc(40001);
    size_t lines = 0;
    memset(long_text, 'x', 40000);
    long_text[40000] = '\0';
    say(fixture, TALK_AGENT, long_text);
    talk_pause(fixture->talk);
    for (const char *at = see(fixture); *at != '\0'; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 3);
    assert_int_equal(fixture->seen.length, 40003);
}

/* ---- a terminal: what is written to one end comes to the other in its own time --------------- */

#define PATIENCE 3000 /* times 10 ms */

static void step(struct fixture *fixture)
{
    char bytes[4096];
    ssize_t count;
    loop_step(fixture->loop, 10);
    while ((count = read(fixture->ours_out, bytes, sizeof(bytes))) > 0)
        strbuf_add(&fixture->seen, bytes, (size_t)count);
}

/* Until it has been printed. */
static void await_seen(struct fixture *fixture, const char *part)
{
    for (int i = 0; i < PATIENCE && strstr(strbuf_str(&fixture->seen), part) == NULL; i++)
        step(fixture);
    assert_seen(strbuf_str(&fixture->seen), part);
    strbuf_reset(&fixture->seen);
}

static void await_lines(struct fixture *fixture, const char *lines)
{
    for (int i = 0; i < PATIENCE && strcmp(strbuf_str(&fixture->lines), lines) != 0; i++)
        step(fixture);
    assert_string_equal(strbuf_str(&fixture->lines), lines);
}

static void await_count(struct fixture *fixture, const unsigned *counter, unsigned count)
{
    for (int i = 0; i < PATIENCE && *counter != count; i++) {
        fixture->clock.now_ms += 10; /* a lone Escape is one only after a while */
        step(fixture);
    }
    assert_int_equal(*counter, count);
}

static void press(struct fixture *fixture, const char *keys)
{
    assert_int_equal(write(fixture->ours_in, keys, strlen(keys)), strlen(keys));
}

static void the_operator_types_below_what_was_said(void **state)
{
    struct fixture *fixture = *state;
    talk_status(fixture->talk, "ready");
    await_seen(fixture, "\033[?2004h"); /* bracketed paste */
    press(fixture, "hi");
    await_seen(fixture, "> \033[0mhi\r\n\033[7mready\033[0m\033[A\r\033[4C");
    press(fixture, "\nyou\r"); /* Ctrl-J begins a line */
    await_lines(fixture, "[hi\nyou]");
    press(fixture, "\033[A\r"); /* the one before */
    await_lines(fixture, "[hi\nyou][hi\nyou]");
    press(fixture, "\033[200~pasted\033[201~\r");
    await_lines(fixture, "[hi\nyou][hi\nyou][pasted]");
}

static void what_is_being_said_stays_below_until_it_ends(void **state)
{
    struct fixture *fixture = *state;
    say(fixture, TALK_AGENT, "half of **a");
    await_seen(fixture, "half of ");
    say(fixture, TALK_AGENT, " line**\n");
    /* It is drawn again from its beginning, in place of the half. */
    await_seen(fixture, "\033[1A\r\033[J\033[0mhalf of \033[0m\033[1ma line\033[0m\033[0m\r\n");
    press(fixture, "x");
    await_seen(fixture, "\r\033[J\033[1m> \033[0mx");
}

static void keys_stop_and_leave(void **state)
{
    struct fixture *fixture = *state;
    press(fixture, "\003");
    await_count(fixture, &fixture->cancelled, 1);
    press(fixture, "text");
    await_seen(fixture, "> \033[0mtext");
    press(fixture, "\003\033"); /* the first takes the text away */
    await_count(fixture, &fixture->cancelled, 2);
    press(fixture, "x\004\003\004"); /* it means the end of input only on an empty line */
    await_count(fixture, &fixture->ended, 1);
    assert_int_equal(fixture->cancelled, 2);
    assert_string_equal(strbuf_str(&fixture->lines), "");
}

#define PIPES(name) cmocka_unit_test_setup_teardown(name, set_up_pipes, tear_down)
#define TERMINAL(name) cmocka_unit_test_setup_teardown(name, set_up_terminal, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PIPES(lines_come_and_go_without_a_terminal),
        PIPES(what_agents_say_is_made_safe),
        PIPES(a_line_without_an_end_is_broken),
        TERMINAL(the_operator_types_below_what_was_said),
        TERMINAL(what_is_being_said_stays_below_until_it_ends),
        TERMINAL(keys_stop_and_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
