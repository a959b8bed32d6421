/* SPDX-License-Identifier: MIT */
/* The runner with the real helper, real processes, real terminals. */
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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "sandbox/transform.h"

/* Longer than any test needs, shorter than whoever waits for a hanging one. */
#define DEADLINE_MS 30000

struct watched {
    struct run *run;
    struct strbuf out;
    struct strbuf errors;
    size_t largest; /* piece of output */
    unsigned calls; /* of output */
    unsigned started;
    unsigned ended;
    bool free_on_output;
    bool free_on_end;
    struct run_result result;
};

static void on_started(void *argument, pid_t pid)
{
    struct watched *watched = argument;
    assert_int_equal(pid, run_pid(watched->run));
    watched->started++;
}

static void on_output(void *argument, enum run_stream stream, const char *bytes, size_t length)
{
    struct watched *watched = argument;
    strbuf_add(stream == RUN_STDERR ? &watched->errors : &watched->out, bytes, length);
    watched->calls++;
    if (length > watched->largest)
        watched->largest = length;
    if (watched->free_on_output)
        run_free(&watched->run);
}

static void on_ended(void *argument, const struct run_result *result)
{
    struct watched *watched = argument;
    watched->ended++;
    watched->result = *result;
    if (watched->free_on_end)
        run_free(&watched->run);
}

static const struct run_events events = {on_started, on_output, on_ended};

static const struct run_options plain = {.grace_ms = 500, .rows = 24, .columns = 80};

static struct exec_request *new_request(const char *const *argv, const struct run_options *options,
                                        const struct sandbox_policy *policy)
{
    static const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp",
                                              "TERM=xterm-256color", NULL};
    struct sandbox_policy *full = sandbox_policy_new_danger_full_access();
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup("/tmp");
    spec->tty = options->tty;
    spec->standard_input = options->tty ? STDIN_TTY : options->stdin_open ? STDIN_PIPE : STDIN_NULL;
    spec->split_streams = options->split_streams;
    struct transform_context context = {
        .policy = policy != NULL ? policy : full,
        .type = policy != NULL ? SANDBOX_TYPE_LINUX : SANDBOX_TYPE_NONE,
        .helper = HELPER_PATH,
        .base_environment = environment,
    };
    struct error error = ERROR_INIT;
    struct exec_request *request = transform_command(spec, &context, &error);
    if (request == NULL)
        fail_msg("%s", error.message);
    command_spec_free(&spec);
    sandbox_policy_free(&full);
    return request;
}

static void start_under(struct watched *watched, struct loop *loop, const char *const *argv,
                        const struct run_options *options, const struct sandbox_policy *policy)
{
    *watched = (struct watched){.out = STRBUF_INIT, .errors = STRBUF_INIT};
    struct exec_request *request = new_request(argv, options, policy);
    struct error error = ERROR_INIT;
    watched->run = run_start(loop, request, options, &events, watched, &error);
    if (watched->run == NULL)
        fail_msg("%s", error.message);
    exec_request_free(&request);
}

static void start(struct watched *watched, struct loop *loop, const struct run_options *options,
                  const char *script)
{
    start_under(watched, loop, (const char *const[]){"/bin/sh", "-c", script, NULL}, options, NULL);
}

static void step(struct loop *loop, int64_t deadline)
{
    assert_true(clock_monotonic_ms(NULL) < deadline);
    loop_step(loop, 50);
}

static void wait_end(struct watched *watched, struct loop *loop)
{
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    while (watched->ended == 0)
        step(loop, deadline);
}

static void wait_text(struct watched *watched, struct loop *loop, const char *text)
{
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    while (strstr(strbuf_str(&watched->out), text) == NULL)
        step(loop, deadline);
}

static void wait_started(struct watched *watched, struct loop *loop)
{
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    while (watched->started == 0)
        step(loop, deadline);
}

static void clear(struct watched *watched)
{
    run_free(&watched->run);
    strbuf_free(&watched->out);
    strbuf_free(&watched->errors);
}

/* Runs a shell script to its end. */
static void run_script(struct watched *watched, const struct run_options *options,
                       const char *script)
{
    struct loop *loop = loop_new(NULL);
    start(watched, loop, options, script);
    wait_end(watched, loop);
    loop_step(loop, 0);
    assert_int_equal(watched->ended, 1);
    run_free(&watched->run);
    loop_free(&loop);
}

/* Waits until a process is gone (a zombie counts as gone). */
static void wait_gone(pid_t pid)
{
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    for (;;) {
        char path[64], line[256] = "";
        snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "re");
        if (file == NULL)
            return;
        char *got = fgets(line, sizeof(line), file);
        fclose(file);
        const char *place = got != NULL ? strrchr(line, ')') : NULL;
        if (place == NULL || place[2] == 'Z' || place[2] == 'X')
            return;
        assert_true(clock_monotonic_ms(NULL) < deadline);
        usleep(2000);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

static void test_exit_codes(void **state)
{
    (void)state;
    static const int codes[] = {0, 1, 2, 77, 124, 125, 126, 127, 128, 137, 255};
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        struct watched watched;
        char script[32];
        snprintf(script, sizeof(script), "exit %d", codes[i]);
        run_script(&watched, &plain, script);
        assert_int_equal(watched.result.outcome, RUN_EXITED);
        assert_int_equal(watched.result.code, codes[i]);
        assert_int_equal(watched.result.signal, 0);
        assert_int_equal(watched.started, 1);
        assert_string_equal(watched.result.layers, "");
        clear(&watched);
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
        run_script(&watched, &plain, script);
        assert_int_equal(watched.result.outcome, RUN_SIGNALED);
        assert_int_equal(watched.result.signal, numbers[i]);
        assert_int_equal(watched.result.code, 128 + numbers[i]);
        clear(&watched);
    }
}

static void run_argv(struct watched *watched, const char *const *argv)
{
    struct loop *loop = loop_new(NULL);
    start_under(watched, loop, argv, &plain, NULL);
    wait_end(watched, loop);
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
    clear(&watched);

    run_argv(&watched, (const char *const[]){"/etc/passwd", NULL});
    assert_int_equal(watched.result.outcome, RUN_FAILED);
    assert_int_equal(watched.result.code, 126);
    clear(&watched);
}

static void test_missing_helper(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched = {.out = STRBUF_INIT, .errors = STRBUF_INIT};
    struct exec_request *request =
        new_request((const char *const[]){"/bin/true", NULL}, &plain, NULL);
    struct error error = ERROR_INIT;
    struct run *run;
    free(request->program);
    request->program = xstrdup("/nonexistent/assent-sandbox");
    run = run_start(loop, request, &plain, &events, &watched, &error);
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
    run_script(&watched, &plain, script);
    assert_string_equal(strbuf_str(&watched.out), "one\ntwo\nthree\n");
    clear(&watched);

    struct run_options split = plain;
    split.split_streams = true;
    run_script(&watched, &split, script);
    assert_string_equal(strbuf_str(&watched.out), "one\nthree\n");
    assert_string_equal(strbuf_str(&watched.errors), "two\n");
    clear(&watched);
}

static void test_stdin_is_empty_unless_asked(void **state)
{
    (void)state;
    struct watched watched;
    run_script(&watched, &plain, "readlink /proc/self/fd/0; cat; echo end");
    assert_string_equal(strbuf_str(&watched.out), "/dev/null\nend\n");
    clear(&watched);
    assert_int_equal(watched.ended, 1);
}

static void test_nothing_else_is_inherited(void **state)
{
    (void)state;
    struct watched watched;
    int pair[2];
    assert_int_equal(pipe(pair), 0); /* inheritable on purpose */
    run_script(&watched, &plain,
               "for f in $(seq 0 255); do test -e /proc/$$/fd/$f && echo $f; done");
    assert_string_equal(strbuf_str(&watched.out), "0\n1\n2\n");
    clear(&watched);
    close(pair[0]);
    close(pair[1]);
}

static void test_large_stdin(void **state)
{
    (void)state;
    struct run_options options = plain;
    options.stdin_open = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &options, "read line; wc -c");
    size_t size = (size_t)4 * 1024 * 1024;
    cleanup_free char *bytes = xcalloc(1, size);
    memset(bytes, 'x', size);
    bytes[9] = '\n';
    assert_int_equal(run_write(watched.run, bytes, size + 1), -EAGAIN);
    assert_int_equal(run_write(watched.run, bytes, size), 0);
    assert_int_equal(run_write(watched.run, "y", 1), -EAGAIN);
    run_write_end(watched.run);
    assert_int_equal(run_write(watched.run, "y", 1), -EPIPE);
    wait_end(&watched, loop);
    assert_int_equal(strtol(strbuf_str(&watched.out), NULL, 10), size - 10);
    assert_int_equal(run_write(watched.run, "y", 1), -EPIPE);
    clear(&watched);
    loop_free(&loop);
}

static void test_writing_to_nobody(void **state)
{
    (void)state;
    struct run_options options = plain;
    options.stdin_open = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &options, "exec <&-; echo closed; read x < /dev/zero");
    wait_text(&watched, loop, "closed");
    run_write(watched.run, "text", 4);
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    while (run_write(watched.run, "text", 4) != -EPIPE)
        step(loop, deadline);
    clear(&watched);
    loop_free(&loop);
}

static void test_all_output_arrives(void **state)
{
    (void)state;
    struct watched watched;
    run_script(&watched, &plain, "head -c 20000000 /dev/zero | tr '\\0' x; printf end");
    assert_int_equal(watched.out.length, 20000003);
    assert_string_equal(watched.out.data + 20000000, "end");
    assert_true(watched.largest <= 64 * 1024);
    clear(&watched);

    struct run_options tty = plain;
    tty.tty = true;
    run_script(&watched, &tty, "seq 1 100000");
    assert_non_null(strstr(watched.out.data, "\n99999\r\n100000\r\n"));
    clear(&watched);
}

/* One run that floods leaves the loop to others: a turn takes no more than its budget. */
static void test_flood_has_a_budget(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &plain, "exec cat /dev/zero");
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    size_t before = 0;
    for (int i = 0; i < 200; i++) {
        step(loop, deadline);
        assert_true(watched.out.length - before <= 256 * 1024 + 64 * 1024);
        before = watched.out.length;
    }
    assert_true(before > 0);
    clear(&watched);
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
    start(&watched, loop, &plain, script);
    run_pause_output(watched.run, true);
    for (int i = 0; i < 10; i++)
        loop_step(loop, 20);
    assert_int_equal(watched.out.length, 0);
    struct stat status;
    assert_int_equal(fstat(fd, &status), 0);
    assert_int_equal(status.st_size, 0);
    run_pause_output(watched.run, false);
    wait_end(&watched, loop);
    assert_int_equal(watched.out.length, 6 + 1000000 + 4);
    clear(&watched);
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
    start(&watched, loop, &plain, "echo left behind");
    run_pause_output(watched.run, true);
    wait_gone(run_pid(watched.run));
    for (int i = 0; i < 20; i++)
        loop_step(loop, 20);
    assert_int_equal(watched.ended, 0);
    run_pause_output(watched.run, false);
    wait_end(&watched, loop);
    assert_string_equal(strbuf_str(&watched.out), "left behind\n");
    clear(&watched);
    loop_free(&loop);
}

/* ---- terminal -------------------------------------------------------------------------------- */

static void test_terminal(void **state)
{
    (void)state;
    struct run_options tty = plain;
    tty.tty = true;
    tty.rows = 33;
    tty.columns = 101;
    struct watched watched;
    run_script(&watched, &tty,
               "stty size; test -t 0 -a -t 1 -a -t 2 && echo terminal; stty -a | grep -o ' iutf8';"
               "stty -a | grep -o 'erase = ^?'; : > /dev/tty && echo controlling");
    assert_string_equal(strbuf_str(&watched.out),
                        "33 101\r\nterminal\r\n iutf8\r\nerase = ^?\r\ncontrolling\r\n");
    clear(&watched);
}

static void test_resize_reaches_the_command(void **state)
{
    (void)state;
    struct run_options tty = plain;
    tty.tty = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &tty,
          "trap 'stty size; exit 3' WINCH; echo ready; while :; do sleep 0.01; done");
    wait_text(&watched, loop, "ready");
    run_resize(watched.run, 50, 132);
    wait_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "50 132"));
    assert_int_equal(watched.result.code, 3);
    clear(&watched);
    loop_free(&loop);
}

static void test_typing_and_end_of_input(void **state)
{
    (void)state;
    struct run_options tty = plain;
    tty.tty = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &tty, "stty -echo; echo ready; cat; echo over");
    wait_text(&watched, loop, "ready");
    assert_int_equal(run_write(watched.run, "abc\nhalf", 8), 0);
    wait_text(&watched, loop, "abc");
    run_write_end(watched.run);
    wait_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "halfover"));
    assert_int_equal(watched.result.code, 0);
    clear(&watched);
    loop_free(&loop);
}

static void test_interrupt_key(void **state)
{
    (void)state;
    struct run_options tty = plain;
    tty.tty = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &tty, "trap 'echo caught; exit 5' INT; echo ready; sleep 60 & wait");
    wait_text(&watched, loop, "ready");
    run_write(watched.run, "\003", 1);
    wait_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "caught"));
    assert_int_equal(watched.result.code, 5);
    clear(&watched);
    loop_free(&loop);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Turns until the processes have had their say, without moving the clock. */
static void settle(struct loop *loop)
{
    for (int i = 0; i < 5; i++)
        loop_step(loop, 20);
}

static void test_timeout_stands_still_while_paused(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct run_options options = plain;
    options.timeout_ms = 5000;
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    start(&watched, loop, &options, "trap 'exit 9' TERM; echo ready; while :; do sleep 0.01; done");
    wait_text(&watched, loop, "ready");
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
    wait_end(&watched, loop);
    assert_true(watched.result.timed_out);
    assert_false(watched.result.cancelled);
    assert_int_equal(watched.result.duration_ms, 5000);
    assert_int_equal(watched.result.code, 9);
    clear(&watched);
    loop_free(&loop);
}

static void test_kill_after_the_grace_period(void **state)
{
    (void)state;
    struct clock_fake fake;
    clock_fake_init(&fake, 1000);
    struct loop *loop = loop_new(&fake.clock);
    struct watched watched;
    start(&watched, loop, &plain,
          "trap 'echo asked' TERM; echo ready; while :; do sleep 0.01; done");
    wait_text(&watched, loop, "ready");
    run_cancel(watched.run);
    run_cancel(watched.run);
    assert_int_equal(watched.ended, 0);
    wait_text(&watched, loop, "asked");
    fake.now_ms += 499;
    settle(loop);
    assert_int_equal(watched.ended, 0);
    fake.now_ms += 1;
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    while (watched.ended == 0) {
        step(loop, deadline);
        fake.now_ms += 10;
    }
    assert_int_equal(watched.result.outcome, RUN_SIGNALED);
    assert_int_equal(watched.result.signal, SIGKILL);
    assert_true(watched.result.cancelled);
    assert_false(watched.result.timed_out);
    clear(&watched);
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
    start(&watched, loop, &plain, "trap 'exit 9' TERM; echo ready; kill -STOP $$; sleep 600");
    wait_text(&watched, loop, "ready");
    run_cancel(watched.run);
    wait_end(&watched, loop);
    assert_int_equal(watched.result.outcome, RUN_EXITED);
    assert_int_equal(watched.result.code, 9);
    clear(&watched);
    loop_free(&loop);
}

static void test_signal_reaches_the_tree(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &plain,
          "(trap 'echo inner; exit' USR1; echo up; while :; do sleep 0.01; done) &"
          "trap 'echo outer; wait; exit' USR1; echo ready; while :; do sleep 0.01; done");
    wait_text(&watched, loop, "ready");
    wait_text(&watched, loop, "up");
    assert_int_equal(run_signal(watched.run, SIGUSR1), 0);
    wait_end(&watched, loop);
    assert_non_null(strstr(strbuf_str(&watched.out), "inner"));
    assert_non_null(strstr(strbuf_str(&watched.out), "outer"));
    assert_int_equal(run_signal(watched.run, SIGUSR1), -ESRCH);
    clear(&watched);
    loop_free(&loop);
}

/* ---- the whole tree -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *script; /* ends once the escape is made */
} escapes[] = {
    {"background", "sleep 600 & "},
    {"ignores TERM", "sh -c 'trap \"\" TERM HUP; echo deaf; while :; do sleep 600; done' & "},
    {"setsid", "setsid sh -c 'exec sleep 600' & "},
    {"double fork", "setsid sh -c 'sleep 600 > /dev/null 2>&1 &'; "},
    {"nohup", "(nohup setsid sleep 600 > /dev/null 2>&1 &) ; "},
};

#define TREE_MAX 32

/* Every process below `root`, as the host sees them. */
static size_t tree_of(pid_t root, pid_t pids[TREE_MAX])
{
    size_t count = 0;
    pids[count++] = root;
    for (size_t i = 0; i < count; i++) {
        char path[64];
        int pid;
        snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pids[i], (int)pids[i]);
        FILE *file = fopen(path, "re");
        while (file != NULL && count < TREE_MAX && fscanf(file, "%d", &pid) == 1)
            pids[count++] = pid;
        if (file != NULL)
            fclose(file);
    }
    return count;
}

static bool runs_sleep(pid_t pid)
{
    char path[64], name[16] = "";
    snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool found = fgets(name, sizeof(name), file) != NULL && strcmp(name, "sleep\n") == 0;
    fclose(file);
    return found;
}

/* Waits until the script's `sleep` is there. */
static size_t wait_tree(struct watched *watched, struct loop *loop, pid_t pids[TREE_MAX])
{
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    for (;;) {
        size_t count = tree_of(run_pid(watched->run), pids);
        for (size_t i = 0; i < count; i++)
            if (runs_sleep(pids[i]))
                return count;
        step(loop, deadline);
    }
}

static void check_escape(size_t which, bool cancel, bool tty, const struct sandbox_policy *policy)
{
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    char script[512];
    struct run_options options = plain;
    options.tty = tty;
    options.stdin_open = !tty;
    options.grace_ms = 100;
    snprintf(script, sizeof(script), "%s echo ready; read line; exit 7", escapes[which].script);
    start_under(&watched, loop, (const char *const[]){"/bin/sh", "-c", script, NULL}, &options,
                policy);
    wait_text(&watched, loop, "ready");
    pid_t pids[TREE_MAX];
    size_t count = wait_tree(&watched, loop, pids);
    if (cancel)
        run_cancel(watched.run);
    else
        run_write_end(watched.run);
    wait_end(&watched, loop);
    for (size_t i = 0; i < count; i++)
        if (kill(pids[i], 0) == 0)
            fail_msg("%s: %d is alive after the end (cancelled: %d, terminal: %d)",
                     escapes[which].name, (int)pids[i], cancel, tty);
    if (!cancel)
        assert_int_equal(watched.result.code, 7);
    clear(&watched);
    loop_free(&loop);
}

static struct sandbox_policy *degraded_policy(void)
{
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/tmp");
    policy->no_user_namespaces = true;
    policy->allow_degraded = true;
    return policy;
}

static void check_escapes(bool cancel)
{
    struct sandbox_policy *policies[] = {NULL, degraded_policy(),
                                         sandbox_policy_new_workspace_write("/tmp")};
    for (size_t policy = 0; policy < 3; policy++) {
        for (size_t which = 0; which < sizeof(escapes) / sizeof(*escapes); which++) {
            check_escape(which, cancel, false, policies[policy]);
            check_escape(which, cancel, true, policies[policy]);
        }
        sandbox_policy_free(&policies[policy]);
    }
}

static void test_nothing_survives_the_end(void **state)
{
    (void)state;
    check_escapes(false);
}

static void test_nothing_survives_a_cancel(void **state)
{
    (void)state;
    check_escapes(true);
}

/* Below the console are its helpers; a confined command reaches none of them. */
static void test_confined_command_cannot_kill_its_keepers(void **state)
{
    (void)state;
    struct sandbox_policy *policies[] = {degraded_policy(),
                                         sandbox_policy_new_workspace_write("/tmp")};
    for (size_t i = 0; i < 2; i++) {
        struct loop *loop = loop_new(NULL);
        struct watched watched;
        start_under(&watched, loop,
                    (const char *const[]){"/bin/sh", "-c",
                                          "kill -9 $PPID; kill -STOP $PPID; sleep 0.1; exit 8",
                                          NULL},
                    &plain, policies[i]);
        wait_end(&watched, loop);
        assert_int_equal(watched.result.outcome, RUN_EXITED);
        assert_int_equal(watched.result.code, 8);
        clear(&watched);
        sandbox_policy_free(&policies[i]);
        loop_free(&loop);
    }
}

/* A helper that is killed takes the whole tree with it. */
static void test_killed_helper(void **state)
{
    (void)state;
    struct sandbox_policy *policies[] = {NULL, degraded_policy(),
                                         sandbox_policy_new_workspace_write("/tmp")};
    for (size_t i = 0; i < 3; i++) {
        struct loop *loop = loop_new(NULL);
        struct watched watched;
        pid_t pids[TREE_MAX];
        start_under(&watched, loop,
                    (const char *const[]){"/bin/sh", "-c",
                                          "setsid sh -c 'sleep 600 & :'; echo ready; sleep 600",
                                          NULL},
                    &plain, policies[i]);
        wait_text(&watched, loop, "ready");
        size_t count = wait_tree(&watched, loop, pids);
        wait_started(&watched, loop);
        assert_int_equal(kill(run_pid(watched.run), SIGKILL), 0);
        wait_end(&watched, loop);
        assert_int_equal(watched.result.signal, SIGKILL);
        for (size_t j = 0; j < count; j++)
            wait_gone(pids[j]);
        clear(&watched);
        sandbox_policy_free(&policies[i]);
        loop_free(&loop);
    }
}

/* A process that forks and ends, again and again, is never where a list says it is. */
static void test_fork_chain_is_caught(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    char path[] = "/tmp/assent-chain-XXXXXX";
    assert_non_null(mkdtemp(path));
    char script[512];
    snprintf(script, sizeof(script),
             "cat > %s/chain <<'E'\n#!/bin/sh\ntrap '' TERM HUP\necho x >> %s/beat\n"
             "setsid %s/chain &\nE\nchmod 755 %s/chain; %s/chain; echo ready; sleep 600",
             path, path, path, path, path);
    struct run_options options = plain;
    options.grace_ms = 50;
    start(&watched, loop, &options, script);
    wait_text(&watched, loop, "ready");
    run_cancel(watched.run);
    wait_end(&watched, loop);
    char beat[64];
    struct stat before, after;
    snprintf(beat, sizeof(beat), "%s/beat", path);
    assert_int_equal(stat(beat, &before), 0);
    usleep(100000);
    assert_int_equal(stat(beat, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    clear(&watched);
    loop_free(&loop);
    snprintf(script, sizeof(script), "rm -r %s", path);
    assert_int_equal(system(script), 0);
}

static void test_free_kills(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    pid_t pids[TREE_MAX];
    start(&watched, loop, &plain,
          "setsid sh -c 'sleep 600 & :'; echo ready; trap '' TERM; read line < /dev/zero");
    wait_text(&watched, loop, "ready");
    size_t count = wait_tree(&watched, loop, pids);
    assert_true(count >= 3);
    run_free(&watched.run);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(kill(pids[i], 0), -1);
    for (int i = 0; i < 3; i++)
        loop_step(loop, 0);
    assert_int_equal(watched.ended, 0);
    clear(&watched);
    loop_free(&loop);
}

static void test_free_from_a_callback(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start(&watched, loop, &plain, "echo text; sleep 600");
    watched.free_on_output = true;
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    while (watched.run != NULL)
        step(loop, deadline);
    assert_int_equal(watched.calls, 1);
    assert_int_equal(watched.ended, 0);
    clear(&watched);

    start(&watched, loop, &plain, "exit 4");
    watched.free_on_end = true;
    wait_end(&watched, loop);
    assert_null(watched.run);
    assert_int_equal(watched.result.code, 4);
    clear(&watched);
    loop_free(&loop);
}

/* Plays the console: starts a command that leaves its session, tells the pids of its tree, dies. */
static void die_while_running(int fd, const struct sandbox_policy *policy)
{
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    start_under(&watched, loop,
                (const char *const[]){"/bin/sh", "-c",
                                      "trap '' TERM HUP; setsid sh -c 'sleep 600 & :';"
                                      "echo ready; while :; do sleep 1; done",
                                      NULL},
                &plain, policy);
    wait_text(&watched, loop, "ready");
    pid_t pids[TREE_MAX];
    size_t count = wait_tree(&watched, loop, pids);
    if (write(fd, pids, count * sizeof(*pids)) > 0)
        kill(getpid(), SIGKILL);
}

static void check_console_death(const struct sandbox_policy *policy)
{
    int ends[2];
    pid_t pids[TREE_MAX];
    assert_int_equal(pipe(ends), 0);
    pid_t console = fork();
    assert_true(console >= 0);
    if (console == 0)
        die_while_running(ends[1], policy);
    int status;
    assert_int_equal(waitpid(console, &status, 0), console);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ssize_t length = read(ends[0], pids, sizeof(pids));
    assert_true(length >= (ssize_t)(3 * sizeof(*pids)));
    for (size_t i = 0; i < (size_t)length / sizeof(*pids); i++)
        wait_gone(pids[i]);
    close(ends[0]);
    close(ends[1]);
}

static void test_nothing_survives_the_console(void **state)
{
    (void)state;
    struct sandbox_policy *policies[] = {NULL, degraded_policy(),
                                         sandbox_policy_new_workspace_write("/tmp")};
    for (size_t policy = 0; policy < 3; policy++) {
        check_console_death(policies[policy]);
        sandbox_policy_free(&policies[policy]);
    }
}

/* ---- under a sandbox ------------------------------------------------------------------------- */

static void test_layers_are_told(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    start_under(&watched, loop,
                (const char *const[]){"/bin/sh", "-c", "echo x > /tmp/assent-no; exit 3", NULL},
                &plain, policy);
    wait_end(&watched, loop);
    assert_int_equal(watched.result.outcome, RUN_EXITED);
    assert_int_equal(watched.result.code, 3);
    assert_non_null(strstr(watched.result.layers, "landlock"));
    assert_int_equal(access("/tmp/assent-no", F_OK), -1);
    clear(&watched);
    sandbox_policy_free(&policy);
    loop_free(&loop);
}

static void test_many_at_once(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    struct loop *loop = loop_new(NULL);
    struct watched *watched = xcalloc(COUNT, sizeof(*watched));
    for (int i = 0; i < COUNT; i++) {
        char script[64];
        snprintf(script, sizeof(script), "echo %d; exit %d", i, i);
        start(&watched[i], loop, &plain, script);
    }
    for (int i = 0; i < COUNT; i++) {
        char text[16];
        wait_end(&watched[i], loop);
        snprintf(text, sizeof(text), "%d\n", i);
        assert_string_equal(strbuf_str(&watched[i].out), text);
        assert_int_equal(watched[i].result.code, i);
        clear(&watched[i]);
    }
    free(watched);
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
        cmocka_unit_test(test_paused_output_blocks_the_command),
        cmocka_unit_test(test_output_is_drained_after_the_end),
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_resize_reaches_the_command),
        cmocka_unit_test(test_typing_and_end_of_input),
        cmocka_unit_test(test_interrupt_key),
        cmocka_unit_test(test_timeout_stands_still_while_paused),
        cmocka_unit_test(test_kill_after_the_grace_period),
        cmocka_unit_test(test_stopped_command_can_be_cancelled),
        cmocka_unit_test(test_confined_command_cannot_kill_its_keepers),
        cmocka_unit_test(test_killed_helper),
        cmocka_unit_test(test_signal_reaches_the_tree),
        cmocka_unit_test(test_nothing_survives_the_end),
        cmocka_unit_test(test_nothing_survives_a_cancel),
        cmocka_unit_test(test_fork_chain_is_caught),
        cmocka_unit_test(test_free_kills),
        cmocka_unit_test(test_free_from_a_callback),
        cmocka_unit_test(test_nothing_survives_the_console),
        cmocka_unit_test(test_layers_are_told),
        cmocka_unit_test(test_many_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
