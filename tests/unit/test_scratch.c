/* SPDX-License-Identifier: MIT */
/* scratch: what a killed command's monitor leaves goes away with the next one. */
#include "config.h"

#include "sandbox/scratch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

/* A process that makes one and is killed; the directory's path. */
static char *left_by_a_killed_one(void)
{
    char path[64] = "";
    int out[2], lock;
    assert_int_equal(pipe(out), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *made = scratch_make(&lock);
        if (made != NULL)
            (void)!write(out[1], made, strlen(made));
        kill(getpid(), SIGKILL);
    }
    waitpid(pid, NULL, 0);
    fd_close(&out[1]);
    assert_true(read(out[0], path, sizeof(path) - 1) > 0);
    fd_close(&out[0]);
    return xstrdup(path);
}

static void what_is_left_is_reclaimed(void **state)
{
    (void)state;
    int lock, other;
    cleanup_free char *held = scratch_make(&lock);
    assert_non_null(held);
    cleanup_free char *left = left_by_a_killed_one();
    assert_int_equal(access(left, F_OK), 0);
    cleanup_free char *inside = xasprintf("%s/file", left);
    assert_int_equal(fd_replace_file(inside, "x", 1, 0600), 0);
    cleanup_free char *next = scratch_make(&other);
    assert_int_equal(access(left, F_OK), -1);
    assert_int_equal(access(held, F_OK), 0);
    assert_int_equal(access(next, F_OK), 0);
    scratch_remove(held);
    scratch_remove(next);
    fd_close(&lock);
    fd_close(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_left_is_reclaimed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
