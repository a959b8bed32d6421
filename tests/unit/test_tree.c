/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/tree.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A process that waits for a byte that never comes; `depth` more below it. It tells its pid. */
static pid_t start_chain(int tell, int depth)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    pid = getpid();
    setsid();
    if (depth > 0)
        start_chain(tell, depth - 1);
    if (write(tell, &pid, sizeof(pid)) < 0)
        _exit(1);
    for (;;)
        pause();
}

static void read_pids(int fd, pid_t *pids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(read(fd, &pids[i], sizeof(*pids)), sizeof(*pids));
}

#define DEPTH 5

static void test_kill_reaches_every_session(void **state)
{
    (void)state;
    int ends[2];
    pid_t pids[DEPTH];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(tree_kill(getpid()), 0);
    assert_int_equal(tree_signal(getpid(), 0), -ESRCH);
    start_chain(ends[1], DEPTH - 1);
    read_pids(ends[0], pids, DEPTH);
    assert_int_equal(tree_signal(getpid(), 0), 0);
    assert_int_equal(tree_kill(getpid()), DEPTH);
    int reaped = 0;
    for (int status; wait(&status) > 0; reaped++)
        assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(reaped, DEPTH); /* this process adopts what lost its parent */
    assert_int_equal(tree_kill(getpid()), 0);
    close(ends[0]);
    close(ends[1]);
}

static void test_only_below_the_root(void **state)
{
    (void)state;
    int ends[2];
    pid_t pids[3];
    assert_int_equal(pipe(ends), 0);
    pid_t root = start_chain(ends[1], 1);
    pid_t other = start_chain(ends[1], 0);
    read_pids(ends[0], pids, 3);
    assert_int_equal(tree_kill(root), 1);
    assert_int_equal(waitpid(root, NULL, WNOHANG), 0);
    assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
    assert_int_equal(kill(root, SIGKILL), 0);
    assert_int_equal(kill(other, SIGKILL), 0);
    while (wait(NULL) > 0)
        continue;
    close(ends[0]);
    close(ends[1]);
}

static void test_signal_that_ends(void **state)
{
    (void)state;
    int ends[2];
    pid_t pids[3];
    assert_int_equal(pipe(ends), 0);
    start_chain(ends[1], 2);
    read_pids(ends[0], pids, 3);
    assert_int_equal(tree_signal(getpid(), SIGUSR1), 0);
    int reaped = 0;
    for (int status; wait(&status) > 0; reaped++)
        assert_int_equal(WTERMSIG(status), SIGUSR1);
    assert_int_equal(reaped, 3);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kill_reaches_every_session),
        cmocka_unit_test(test_only_below_the_root),
        cmocka_unit_test(test_signal_that_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
