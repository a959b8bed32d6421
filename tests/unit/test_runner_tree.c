/* SPDX-License-Identifier: MIT */
/* What a command started ends with it, however it tries to stay. */
#include "config.h"

#include "run/runner.h"

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

#include "watched.h"

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
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    for (;;) {
        size_t count = tree_of(run_pid(watched->run), pids);
        for (size_t i = 0; i < count; i++)
            if (runs_sleep(pids[i]))
                return count;
        watched_step(loop, deadline);
    }
}

static void check_escape(size_t which, bool cancel, bool tty, const struct sandbox_policy *policy)
{
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    char script[512];
    struct run_options options = watched_plain;
    options.tty = tty;
    options.stdin_open = !tty;
    options.grace_ms = 100;
    snprintf(script, sizeof(script), "%s echo ready; read line; exit 7", escapes[which].script);
    watched_start_under(&watched, loop, (const char *const[]){"/bin/sh", "-c", script, NULL},
                        &options, policy);
    watched_text(&watched, loop, "ready");
    pid_t pids[TREE_MAX];
    size_t count = wait_tree(&watched, loop, pids);
    if (cancel)
        run_cancel(watched.run);
    else
        run_write_end(watched.run);
    watched_end(&watched, loop);
    for (size_t i = 0; i < count; i++)
        if (kill(pids[i], 0) == 0)
            fail_msg("%s: %d is alive after the end (cancelled: %d, terminal: %d)",
                     escapes[which].name, (int)pids[i], cancel, tty);
    if (!cancel)
        assert_int_equal(watched.result.code, 7);
    watched_clear(&watched);
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
        watched_start_under(
            &watched, loop,
            (const char *const[]){"/bin/sh", "-c",
                                  "kill -9 $PPID; kill -STOP $PPID; sleep 0.1; exit 8", NULL},
            &watched_plain, policies[i]);
        watched_end(&watched, loop);
        assert_int_equal(watched.result.outcome, RUN_EXITED);
        assert_int_equal(watched.result.code, 8);
        watched_clear(&watched);
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
        watched_start_under(
            &watched, loop,
            (const char *const[]){"/bin/sh", "-c",
                                  "setsid sh -c 'sleep 600 & :'; echo ready; sleep 600", NULL},
            &watched_plain, policies[i]);
        watched_text(&watched, loop, "ready");
        size_t count = wait_tree(&watched, loop, pids);
        watched_begun(&watched, loop);
        assert_int_equal(kill(run_pid(watched.run), SIGKILL), 0);
        watched_end(&watched, loop);
        assert_int_equal(watched.result.signal, SIGKILL);
        for (size_t j = 0; j < count; j++)
            watched_gone(pids[j]);
        watched_clear(&watched);
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
    struct run_options options = watched_plain;
    options.grace_ms = 50;
    watched_start(&watched, loop, &options, script);
    watched_text(&watched, loop, "ready");
    run_cancel(watched.run);
    watched_end(&watched, loop);
    char beat[64];
    struct stat before, after;
    snprintf(beat, sizeof(beat), "%s/beat", path);
    assert_int_equal(stat(beat, &before), 0);
    usleep(100000);
    assert_int_equal(stat(beat, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    watched_clear(&watched);
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
    watched_start(&watched, loop, &watched_plain,
                  "setsid sh -c 'sleep 600 & :'; echo ready; trap '' TERM; read line < /dev/zero");
    watched_text(&watched, loop, "ready");
    size_t count = wait_tree(&watched, loop, pids);
    assert_true(count >= 3);
    run_free(&watched.run);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(kill(pids[i], 0), -1);
    for (int i = 0; i < 3; i++)
        loop_step(loop, 0);
    assert_int_equal(watched.ended, 0);
    watched_clear(&watched);
    loop_free(&loop);
}

static void test_free_from_a_callback(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start(&watched, loop, &watched_plain, "echo text; sleep 600");
    watched.free_on_output = true;
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (watched.run != NULL)
        watched_step(loop, deadline);
    assert_int_equal(watched.calls, 1);
    assert_int_equal(watched.ended, 0);
    watched_clear(&watched);

    watched_start(&watched, loop, &watched_plain, "exit 4");
    watched.free_on_end = true;
    watched_end(&watched, loop);
    assert_null(watched.run);
    assert_int_equal(watched.result.code, 4);
    watched_clear(&watched);
    loop_free(&loop);
}

/* Plays the console: starts a command that leaves its session, tells the pids of its tree, dies. */
static void die_while_running(int fd, const struct sandbox_policy *policy)
{
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start_under(&watched, loop,
                        (const char *const[]){"/bin/sh", "-c",
                                              "trap '' TERM HUP; setsid sh -c 'sleep 600 & :';"
                                              "echo ready; while :; do sleep 1; done",
                                              NULL},
                        &watched_plain, policy);
    watched_text(&watched, loop, "ready");
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
        watched_gone(pids[i]);
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

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_confined_command_cannot_kill_its_keepers),
        cmocka_unit_test(test_killed_helper),
        cmocka_unit_test(test_nothing_survives_the_end),
        cmocka_unit_test(test_nothing_survives_a_cancel),
        cmocka_unit_test(test_fork_chain_is_caught),
        cmocka_unit_test(test_free_kills),
        cmocka_unit_test(test_free_from_a_callback),
        cmocka_unit_test(test_nothing_survives_the_console),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
