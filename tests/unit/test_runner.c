/* SPDX-License-Identifier: MIT */
/* The runner with real processes and real terminals: results, streams, keys, time. */
#include "config.h"

#include "run/runner.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "sandbox/helper.h"
#include "sandbox/transform.h"
#include "watched.h"

/* ---- results --------------------------------------------------------------------------------- */

static void test_exit_codes(void **state)
{
    (void)state;
    static const int codes[] = {0, 1, 2, 77, 124, 125, 126, 127, 128, 137, 255};
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        struct watched watched;
        char script[32];
        snprintf(script, sizeof(script), "exit %d", codes[i]);
        watched_script(&watched, &watched_plain, script);
        assert_int_equal(watched.result.outcome, RUN_EXITED);
        assert_int_equal(watched.result.code, codes[i]);
        assert_int_equal(watched.result.signal, 0);
        assert_int_equal(watched.started, 1);
        assert_string_equal(watched.result.layers, "");
        watched_clear(&watched);
    }
}

static void test_signals(void **state)
{
    (void)state;
    static const int numbers[] = {SIGTERM, SIGKILL, SIGSEGV, SIGINT, SIGHUP, SIGUSR1, SIGPIPE};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        struct watched watched;
        char script[64];
        snprintf(script, sizeof(script), "ulimit -c 0; kill -%d $$; sleep 5", numbers[i]);
        watched_script(&watched, &watched_plain, script);
        assert_int_equal(watched.result.outcome, RUN_SIGNALED);
        assert_int_equal(watched.result.signal, numbers[i]);
        assert_int_equal(watched.result.code, 128 + numbers[i]);
        watched_clear(&watched);
    }
}

static void run_argv(struct watched *watched, const char *const *argv)
{
    struct loop *loop = loop_new(NULL);
    watched_start_under(watched, loop, argv, &watched_plain, NULL);
    watched_end(watched, loop);
    run_free(&watched->run);
    loop_free(&loop);
}

static void test_what_cannot_be_executed(void **state)
{
    (void)state;
    struct watched watched;
    run_argv(&watched, (const char *const[]){"/nonexistent/program", NULL});
    assert_int_equal(watched.result.outcome, RUN_FAILED);
    assert_int_equal(watched.result.code, 127);
    assert_non_null(strstr(watched.result.failure, "/nonexistent/program"));
    assert_non_null(strstr(watched.result.failure, strerror(ENOENT)));
    assert_int_equal(watched.ended, 1);
    watched_clear(&watched);

    run_argv(&watched, (const char *const[]){"/etc/passwd", NULL});
    assert_int_equal(watched.result.outcome, RUN_FAILED);
    assert_int_equal(watched.result.code, 126);
    watched_clear(&watched);
}

static void test_missing_helper(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched = {.out = STRBUF_INIT, .errors = STRBUF_INIT};
    struct exec_request *request =
        watched_request((const char *const[]){"/bin/true", NULL}, &watched_plain, NULL);
    struct error error = ERROR_INIT;
    struct run *run;
    free(request->program);
    request->program = xstrdup("/nonexistent/assent-sandbox");
    run = run_start(loop, request, &watched_plain, &watched_events, &watched, &error);
    assert_null(run);
    assert_non_null(strstr(error.message, "/nonexistent/assent-sandbox"));
    exec_request_free(&request);
    loop_free(&loop);
}

/* ---- streams --------------------------------------------------------------------------------- */

static void test_merged_and_split(void **state)
{
    (void)state;
    struct watched watched;
    const char *script = "echo one; echo two >&2; echo three";
    watched_script(&watched, &watched_plain, script);
    assert_string_equal(strbuf_str(&watched.out), "one\ntwo\nthree\n");
    watched_clear(&watched);

    struct run_options split = watched_plain;
    split.split_streams = true;
    watched_script(&watched, &split, script);
    assert_string_equal(strbuf_str(&watched.out), "one\nthree\n");
    assert_string_equal(strbuf_str(&watched.errors), "two\n");
    watched_clear(&watched);
}

static void test_stdin_is_empty_unless_asked(void **state)
{
    (void)state;
    struct watched watched;
    watched_script(&watched, &watched_plain, "readlink /proc/self/fd/0; cat; echo end");
    assert_string_equal(strbuf_str(&watched.out), "/dev/null\nend\n");
    watched_clear(&watched);
    assert_int_equal(watched.ended, 1);
}

static void test_nothing_else_is_inherited(void **state)
{
    (void)state;
    struct watched watched;
    int pair[2];
    assert_int_equal(pipe(pair), 0); /* inheritable on purpose */
    watched_script(&watched, &watched_plain,
                   "for f in $(seq 0 255); do test -e /proc/$$/fd/$f && echo $f; done");
    assert_string_equal(strbuf_str(&watched.out), "0\n1\n2\n");
    watched_clear(&watched);
    close(pair[0]);
    close(pair[1]);
}

static void test_large_stdin(void **state)
{
    (void)state;
    struct run_options options = watched_plain;
    options.stdin_open = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &options, "read line; wc -c");
    size_t size = (size_t)4 * 1024 * 1024;
    cleanup_free char *bytes = xcalloc(1, size);
    memset(bytes, 'x', size);
    bytes[9] = '\n';
    assert_int_equal(run_write(watched.run, bytes, size + 1), -EAGAIN);
    assert_int_equal(run_write(watched.run, bytes, size), 0);
    assert_int_equal(run_write(watched.run, "y", 1), -EAGAIN);
    run_write_end(watched.run);
    assert_int_equal(run_write(watched.run, "y", 1), -EPIPE);
    watched_end(&watched, loop);
    assert_int_equal(strtol(strbuf_str(&watched.out), NULL, 10), size - 10);
    assert_int_equal(run_write(watched.run, "y", 1), -EPIPE);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_writing_to_nobody(void **state)
{
    (void)state;
    struct run_options options = watched_plain;
    options.stdin_open = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &options, "exec <&-; echo closed; read x < /dev/zero");
    watched_text(&watched, loop, "closed");
    run_write(watched.run, "text", 4);
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (run_write(watched.run, "text", 4) != -EPIPE)
        watched_step(loop, deadline);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_all_output_arrives(void **state)
{
    (void)state;
    struct watched watched;
    watched_script(&watched, &watched_plain, "head -c 20000000 /dev/zero | tr '\\0' x; printf end");
    assert_int_equal(watched.out.length, 20000003);
    assert_string_equal(watched.out.data + 20000000, "end");
    assert_true(watched.largest <= 64 * 1024);
    watched_clear(&watched);

    struct run_options tty = watched_plain;
    tty.tty = true;
    watched_script(&watched, &tty, "seq 1 100000");
    assert_non_null(strstr(watched.out.data, "\n99999\r\n100000\r\n"));
    watched_clear(&watched);
}

/* Turns until the processes have had their say, without moving the clock. */
static void settle(struct loop *loop)
{
    for (int i = 0; i < 5; i++)
        loop_step(loop, 20);
}

/* One run that floods leaves the loop to others: a turn takes no more than its budget. */
static void test_flood_has_a_budget(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain, "exec cat /dev/zero");
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    size_t before = 0;
    for (int i = 0; i < 200; i++) {
        watched_step(loop, deadline);
        assert_true(watched.out.length - before <= (size_t)8 * 1024);
        before = watched.out.length;
    }
    assert_true(before > 0);
    watched_clear(&watched);
    loop_free(&loop);
}

static void step_until_larger(struct loop *loop, struct watched *watched, size_t bytes)
{
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    watched->largest = 0;
    while (watched->largest <= bytes)
        watched_step(loop, deadline);
}

/* Who types waits for an echo, and not for what a flood may read in one turn. */
static void test_flood_makes_way_for_an_echo(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct loop *loop = loop_new(&fake.clock);
    struct run_options tty = watched_plain;
    tty.tty = true;
    struct watched flood, typed;
    watched_start(&flood, loop, &watched_plain, "exec cat /dev/zero");
    watched_start(&typed, loop, &tty, "echo ready; exec cat");
    watched_text(&typed, loop, "ready");
    step_until_larger(loop, &flood, 4 * 1024);

    assert_int_equal(run_write(typed.run, "abc\n", 4), 0);
    flood.largest = 0;
    unsigned before = flood.calls;
    watched_text(&typed, loop, "abc");
    settle(loop);
    assert_true(flood.calls > before);
    assert_true(flood.largest <= 4096);

    fake.now_ms += 20;
    step_until_larger(loop, &flood, 4 * 1024);
    watched_clear(&flood);
    watched_clear(&typed);
    loop_free(&loop);
}

static void test_paused_output_blocks_the_command(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    char path[] = "/tmp/assent-runner-XXXXXX";
    int fd = mkstemp(path);
    char script[256];
    snprintf(script, sizeof(script),
             "echo begin; head -c 1000000 /dev/zero; echo done > %s; echo end", path);
    watched_start(&watched, loop, &watched_plain, script);
    run_pause_output(watched.run, true);
    for (int i = 0; i < 10; i++)
        loop_step(loop, 20);
    assert_int_equal(watched.out.length, 0);
    struct stat status;
    assert_int_equal(fstat(fd, &status), 0);
    assert_int_equal(status.st_size, 0);
    run_pause_output(watched.run, false);
    watched_end(&watched, loop);
    assert_int_equal(watched.out.length, 6 + 1000000 + 4);
    watched_clear(&watched);
    loop_free(&loop);
    close(fd);
    unlink(path);
}

/* What was written before the end is there although nobody read until after it. */
static void test_output_is_drained_after_the_end(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain, "echo left behind");
    run_pause_output(watched.run, true);
    watched_gone(run_pid(watched.run));
    for (int i = 0; i < 20; i++)
        loop_step(loop, 20);
    assert_int_equal(watched.ended, 0);
    run_pause_output(watched.run, false);
    watched_end(&watched, loop);
    assert_string_equal(strbuf_str(&watched.out), "left behind\n");
    watched_clear(&watched);
    loop_free(&loop);
}

/* However long it takes: on a busy machine a turn can take as long as is waited for more. */
static void test_what_is_left_in_the_pipe_arrives(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain, "head -c 60000 /dev/zero");
    run_pause_output(watched.run, true);
    watched_gone(run_pid(watched.run));
    settle(loop);
    run_pause_output(watched.run, false);
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (watched.ended == 0) {
        fake.now_ms += 1000;
        watched_step(loop, deadline);
    }
    assert_int_equal(watched.out.length, 60000);
    watched_clear(&watched);
    loop_free(&loop);
}

/* ---- terminal -------------------------------------------------------------------------------- */

static void test_terminal(void **state)
{
    (void)state;
    struct run_options tty = watched_plain;
    tty.tty = true;
    tty.rows = 33;
    tty.columns = 101;
    struct watched watched;
    watched_script(
        &watched, &tty,
        "stty size; test -t 0 -a -t 1 -a -t 2 && echo terminal; stty -a | grep -o ' iutf8';"
        "stty -a | grep -o 'erase = ^?'; : > /dev/tty && echo controlling");
    assert_string_equal(strbuf_str(&watched.out),
                        "33 101\r\nterminal\r\n iutf8\r\nerase = ^?\r\ncontrolling\r\n");
    watched_clear(&watched);
}

static void test_resize_reaches_the_command(void **state)
{
    (void)state;
    struct run_options tty = watched_plain;
    tty.tty = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &tty,
                  "trap 'stty size; exit 3' WINCH; echo ready; while :; do sleep 0.01; done");
    watched_text(&watched, loop, "ready");
    run_resize(watched.run, 50, 132);
    watched_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "50 132"));
    assert_int_equal(watched.result.code, 3);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_typing_and_end_of_input(void **state)
{
    (void)state;
    struct run_options tty = watched_plain;
    tty.tty = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &tty, "stty -echo; echo ready; cat; echo over");
    watched_text(&watched, loop, "ready");
    assert_int_equal(run_write(watched.run, "abc\nhalf", 8), 0);
    watched_text(&watched, loop, "abc");
    run_write_end(watched.run);
    watched_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "halfover"));
    assert_int_equal(watched.result.code, 0);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_interrupt_key(void **state)
{
    (void)state;
    struct run_options tty = watched_plain;
    tty.tty = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &tty,
                  "trap 'echo caught; exit 5' INT; echo ready; sleep 60 & wait");
    watched_text(&watched, loop, "ready");
    run_write(watched.run, "\003", 1);
    watched_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "caught"));
    assert_int_equal(watched.result.code, 5);
    watched_clear(&watched);
    loop_free(&loop);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void test_timeout_stands_still_while_paused(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct run_options options = watched_plain;
    options.timeout_ms = 5000;
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    watched_start(&watched, loop, &options,
                  "trap 'exit 9' TERM; echo ready; while :; do sleep 0.01; done");
    watched_text(&watched, loop, "ready");
    fake.now_ms += 4000;
    settle(loop);
    run_pause_clock(watched.run, true);
    run_pause_clock(watched.run, true);
    fake.now_ms += 3600000;
    settle(loop);
    assert_int_equal(watched.ended, 0);
    run_pause_clock(watched.run, false);
    fake.now_ms += 999;
    settle(loop);
    assert_int_equal(watched.ended, 0);
    fake.now_ms += 1;
    watched_end(&watched, loop);
    assert_true(watched.result.timed_out);
    assert_false(watched.result.cancelled);
    assert_int_equal(watched.result.duration_ms, 5000);
    assert_int_equal(watched.result.paused_ms, 3600000);
    assert_int_equal(watched.result.code, 9);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_frozen_does_not_run_and_has_no_time(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct run_options options = watched_plain;
    options.timeout_ms = 5000;
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    watched_start(&watched, loop, &options,
                  "trap 'exit 9' TERM; echo ready; while :; do echo tick; sleep 0.01; done");
    watched_text(&watched, loop, "tick");
    run_freeze(watched.run, true);
    run_freeze(watched.run, true);
    assert_int_equal(run_signal(watched.run, SIGCONT), 0); /* not before it is taken back */
    /* The signal goes by way of two processes; then nothing more comes. */
    size_t length = 0;
    for (int quiet = 0; quiet < 10; quiet++, loop_step(loop, 20)) {
        if (watched.out.length != length)
            quiet = 0;
        length = watched.out.length;
    }
    fake.now_ms += 3600000;
    settle(loop);
    assert_int_equal(watched.out.length, length);
    assert_int_equal(watched.ended, 0);
    run_freeze(watched.run, false);
    strbuf_reset(&watched.out);
    watched_text(&watched, loop, "tick");
    fake.now_ms += 5000;
    watched_end(&watched, loop);
    assert_true(watched.result.timed_out);
    assert_int_equal(watched.result.code, 9);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_cancelled_while_frozen_does_not_run_again(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain,
                  "trap 'echo again' TERM; echo ready; while :; do sleep 0.01; done");
    watched_text(&watched, loop, "ready");
    run_freeze(watched.run, true);
    run_cancel(watched.run);
    watched_end(&watched, loop);
    assert_null(strstr(strbuf_str(&watched.out), "again"));
    assert_true(watched.result.cancelled);
    assert_int_equal(watched.result.signal, SIGKILL);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_kill_after_the_grace_period(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain,
                  "trap 'echo asked' TERM; echo ready; while :; do sleep 0.01; done");
    watched_text(&watched, loop, "ready");
    run_cancel(watched.run);
    run_cancel(watched.run);
    assert_int_equal(watched.ended, 0);
    watched_text(&watched, loop, "asked");
    fake.now_ms += 499;
    settle(loop);
    assert_int_equal(watched.ended, 0);
    fake.now_ms += 1;
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (watched.ended == 0) {
        watched_step(loop, deadline);
        fake.now_ms += 10;
    }
    assert_int_equal(watched.result.outcome, RUN_SIGNALED);
    assert_int_equal(watched.result.signal, SIGKILL);
    assert_true(watched.result.cancelled);
    assert_false(watched.result.timed_out);
    watched_clear(&watched);
    loop_free(&loop);
}

/* The caller's grace period counts, not the helper's own for commands that nobody holds: on a clock
 * that stands still it lasts for ever, and the command ends when it wants to. */
static void test_long_grace_period(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct run_options options = watched_plain;
    options.stdin_open = true;
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    watched_start(&watched, loop, &options,
                  "trap 'echo asked; read word; echo $word; exit 6' TERM; echo ready; "
                  "while :; do sleep 0.01; done");
    watched_text(&watched, loop, "ready");
    run_cancel(watched.run);
    watched_text(&watched, loop, "asked");
    int64_t over = clock_monotonic_ms(NULL) + HELPER_GRACE_MS * 3 / 2;
    while (clock_monotonic_ms(NULL) < over)
        loop_step(loop, 50);
    assert_int_equal(watched.ended, 0);
    assert_int_equal(run_write(watched.run, "tidied\n", 7), 0);
    watched_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "tidied"));
    assert_int_equal(watched.result.outcome, RUN_EXITED);
    assert_int_equal(watched.result.code, 6);
    watched_clear(&watched);
    loop_free(&loop);
}

/* It must be woken to see the TERM: on a clock that stands still there is no KILL to follow. */
static void test_stopped_command_can_be_cancelled(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain,
                  "trap 'exit 9' TERM; echo ready; kill -STOP $$; sleep 600");
    watched_text(&watched, loop, "ready");
    run_cancel(watched.run);
    watched_end(&watched, loop);
    assert_int_equal(watched.result.outcome, RUN_EXITED);
    assert_int_equal(watched.result.code, 9);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_signal_reaches_the_tree(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain,
                  "(trap 'echo inner; exit' USR1; echo up; while :; do sleep 0.01; done) &"
                  "trap 'echo outer; wait; exit' USR1; echo ready; while :; do sleep 0.01; done");
    watched_text(&watched, loop, "ready");
    watched_text(&watched, loop, "up");
    assert_int_equal(run_signal(watched.run, SIGUSR1), 0);
    watched_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "inner"));
    assert_non_null(strstr(strbuf_str(&watched.out), "outer"));
    assert_int_equal(run_signal(watched.run, SIGUSR1), -ESRCH);
    watched_clear(&watched);
    loop_free(&loop);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_what_cannot_be_executed),
        cmocka_unit_test(test_missing_helper),
        cmocka_unit_test(test_merged_and_split),
        cmocka_unit_test(test_stdin_is_empty_unless_asked),
        cmocka_unit_test(test_nothing_else_is_inherited),
        cmocka_unit_test(test_large_stdin),
        cmocka_unit_test(test_writing_to_nobody),
        cmocka_unit_test(test_all_output_arrives),
        cmocka_unit_test(test_flood_has_a_budget),
        cmocka_unit_test(test_flood_makes_way_for_an_echo),
        cmocka_unit_test(test_paused_output_blocks_the_command),
        cmocka_unit_test(test_output_is_drained_after_the_end),
        cmocka_unit_test(test_what_is_left_in_the_pipe_arrives),
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_resize_reaches_the_command),
        cmocka_unit_test(test_typing_and_end_of_input),
        cmocka_unit_test(test_interrupt_key),
        cmocka_unit_test(test_timeout_stands_still_while_paused),
        cmocka_unit_test(test_frozen_does_not_run_and_has_no_time),
        cmocka_unit_test(test_cancelled_while_frozen_does_not_run_again),
        cmocka_unit_test(test_kill_after_the_grace_period),
        cmocka_unit_test(test_long_grace_period),
        cmocka_unit_test(test_stopped_command_can_be_cancelled),
        cmocka_unit_test(test_signal_reaches_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
