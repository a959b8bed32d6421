/* SPDX-License-Identifier: MIT */
/* Waiting for a child, whatever signals come meanwhile. */
#include "config.h"

#include "run/child.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

enum { WAIT_MS = 30000 };

static int over;

static void end(void *argument, int status)
{
    (void)argument;
    (void)status;
    over++;
}

/* A child that ends when the other end of this pipe is closed. */
static pid_t start(int *hold)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char byte;
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) < 0);
    }
    close(ends[0]);
    *hold = ends[1];
    return pid;
}

static int *held;
static int signals;

static void release(int number)
{
    (void)number;
    if (++signals == 5)
        close(*held);
}

/* It ends at the fifth signal; the first four are no reason to give it up. */
static void test_signals_end_no_wait(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    int hold;
    struct child *child = child_new(loop, start(&hold), end, NULL);
    struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
    held = &hold;
    assert_int_equal(sigaction(SIGALRM, &(struct sigaction){.sa_handler = release}, NULL), 0);
    setitimer(ITIMER_REAL, &often, NULL);
    bool ended = child_wait(child, WAIT_MS);
    setitimer(ITIMER_REAL, &never, NULL);
    assert_true(ended);
    assert_true(signals >= 5);
    child_free(&child);
    loop_free(&loop);
    assert_int_equal(over, 0);
}

static void test_a_wait_has_its_end(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    int hold;
    struct child *child = child_new(loop, start(&hold), end, NULL);
    assert_false(child_wait(child, 0));
    assert_false(child_wait(child, 20));
    close(hold);
    assert_true(child_wait(child, WAIT_MS));
    assert_int_equal(child_signal(child, SIGKILL), -ESRCH);
    child_free(&child);
    loop_free(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_end_no_wait),
        cmocka_unit_test(test_a_wait_has_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
