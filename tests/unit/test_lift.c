/* SPDX-License-Identifier: MIT */
/* lift: a directory of the user's own is written to for a moment, and has its mode again. */
#include "config.h"

#include "sandbox/lift.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sandbox/placeholder.h"

static char place[] = "/tmp/lift-XXXXXX"; /* everything happens here */

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static char *make_directory(const char *name, mode_t mode)
{
    char *path = xasprintf("%s/%s", place, name);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void test_makes_and_removes(void **state)
{
    (void)state;
    static const mode_t MODES[] = {0555, 0500, 0, 0444, 02555, 0355, 0755};
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        struct placeholders placeholders = {0};
        struct stat status;
        cleanup_free char *directory = make_directory("a", MODES[i]);
        cleanup_free char *socket = xasprintf("%s/.envrc", directory);
        cleanup_free char *file = xasprintf("%s/commondir", directory);
        cleanup_free char *git = xasprintf("%s/.git", directory);
        assert_int_equal(placeholders_make(&placeholders, PLACEHOLDER_SOCKET, socket, NULL), 0);
        assert_int_equal(placeholders_make(&placeholders, PLACEHOLDER_FILE, file, ".\n"), 0);
        assert_int_equal(placeholders_make(&placeholders, PLACEHOLDER_DIRECTORY, git, NULL), 0);
        assert_int_equal(mode_of(directory), MODES[i]);
        assert_int_equal(chmod(directory, 0755), 0);
        assert_true(lstat(socket, &status) == 0 && placeholder_is(&status));
        assert_true(lstat(file, &status) == 0 && placeholder_is(&status));
        assert_true(lstat(git, &status) == 0 && placeholder_is(&status));
        assert_int_equal(chmod(directory, MODES[i]), 0);
        placeholders_remove(&placeholders, false);
        assert_int_equal(mode_of(directory), MODES[i]);
        assert_int_equal(rmdir(directory), 0); /* nothing is left in it */
    }
}

/* Its mode could not be told from that of one that is lifted. */
static void test_what_has_the_marks_is_not_lifted(void **state)
{
    (void)state;
    static const mode_t MODES[] = {01555, 04555, 03555};
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        struct placeholders placeholders = {0};
        cleanup_free char *directory = make_directory("f", MODES[i]);
        cleanup_free char *path = xasprintf("%s/.envrc", directory);
        assert_int_equal(placeholders_make(&placeholders, PLACEHOLDER_SOCKET, path, NULL), -EACCES);
        assert_int_equal(mode_of(directory), MODES[i]);
        placeholders_remove(&placeholders, false);
        assert_int_equal(rmdir(directory), 0);
    }
}

/* Ends in the middle of its work. */
static int is_killed(void *argument)
{
    struct stat status;
    const char *directory = argument;
    if (stat(directory, &status) == 0 && (status.st_mode & S_IWUSR))
        raise(SIGKILL);
    return -EACCES;
}

static void test_a_killed_one_is_put_right(void **state)
{
    (void)state;
    int ended;
    struct stat status;
    struct placeholders placeholders = {0};
    cleanup_free char *directory = make_directory("b", 0555);
    cleanup_free char *path = xasprintf("%s/.envrc", directory);
    pid_t child = fork();
    if (child == 0) {
        lift_for(directory, is_killed, directory);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended));
    assert_true(stat(directory, &status) == 0 && lift_is_on(&status));
    assert_int_equal(placeholders_make(&placeholders, PLACEHOLDER_SOCKET, path, NULL), 0);
    assert_int_equal(mode_of(directory), 0555);
    placeholders_remove(&placeholders, false);
    assert_int_equal(mode_of(directory), 0555);
    assert_int_equal(rmdir(directory), 0);
}

/* What is held there is removed, too, and what lies there but is none stays. */
static void test_what_a_killed_one_held_is_removed(void **state)
{
    (void)state;
    struct placeholders placeholders = {0};
    int ended;
    cleanup_free char *directory = make_directory("c", 0555);
    cleanup_free char *path = xasprintf("%s/.envrc", directory);
    pid_t child = fork();
    if (child == 0)
        _exit(placeholders_make(&placeholders, PLACEHOLDER_SOCKET, path, NULL) == 0 ? 0 : 1);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    assert_int_equal(access(path, F_OK), 0);
    placeholder_reclaim(path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(mode_of(directory), 0555);
    assert_int_equal(rmdir(directory), 0);
}

enum { USERS = 4, ROUNDS = 300 };

static void hold_often(const char *first, const char *second)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct placeholders placeholders = {0};
        if (placeholders_make(&placeholders, PLACEHOLDER_SOCKET, first, NULL) != 0 ||
            placeholders_make(&placeholders, PLACEHOLDER_SOCKET, second, NULL) != 0)
            _exit(1);
        placeholders_remove(&placeholders, false);
    }
    _exit(0);
}

static void test_several_at_once(void **state)
{
    (void)state;
    cleanup_free char *directory = make_directory("d", 0555);
    cleanup_free char *first = xasprintf("%s/.envrc", directory);
    cleanup_free char *second = xasprintf("%s/.claude", directory);
    for (int i = 0; i < USERS; i++)
        if (fork() == 0)
            hold_often(first, second);
    for (int i = 0; i < USERS; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(mode_of(directory), 0555);
    assert_int_equal(rmdir(directory), 0);
}

static int calls;
static int is_refused(void *argument)
{
    (void)argument;
    calls++;
    return -EACCES;
}

static void test_only_the_users_own(void **state)
{
    (void)state;
    cleanup_free char *directory = make_directory("e", 0555);
    cleanup_free char *link = xasprintf("%s/link", place);
    cleanup_free char *beneath = xasprintf("%s/link/e", place);
    assert_int_equal(symlink(".", link), 0);
    const char *const NOT[] = {"/usr", "/", link, beneath, "/nowhere/at/all", "/etc/passwd"};
    for (size_t i = 0; i < sizeof NOT / sizeof *NOT; i++) {
        calls = 0;
        assert_int_equal(lift_for(NOT[i], is_refused, NULL), -EACCES);
        assert_int_equal(calls, 1);
    }
    calls = 0;
    assert_int_equal(lift_for(directory, is_refused, NULL), -EACCES);
    assert_true(calls > 1 && calls < 1000);
    assert_int_equal(mode_of(directory), 0555);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(directory), 0);
}

struct refusal {
    char *directory; /* NULL: it keeps the permission */
    int count;
};

/* By something else than the mode, or by somebody who takes the permission back. */
static int is_counted(void *argument)
{
    struct refusal *refusal = argument;
    refusal->count++;
    if (refusal->directory)
        assert_int_equal(chmod(refusal->directory, 0555), 0);
    return -EACCES;
}

static void test_what_the_mode_does_not_refuse_is_given_up(void **state)
{
    (void)state;
    cleanup_free char *directory = make_directory("g", 0555);
    struct refusal by_others = {.count = 0}, taken_back = {.directory = directory};
    assert_int_equal(lift_for(directory, is_counted, &by_others), -EACCES);
    assert_in_range(by_others.count, 2, 10);
    assert_int_equal(lift_for(directory, is_counted, &taken_back), -EACCES);
    assert_in_range(taken_back.count, 50, 1000);
    assert_int_equal(mode_of(directory), 0555);
    assert_int_equal(rmdir(directory), 0);
}

/* What root may do anyway shows nothing. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_makes_and_removes),
        cmocka_unit_test(test_what_has_the_marks_is_not_lifted),
        cmocka_unit_test(test_what_the_mode_does_not_refuse_is_given_up),
        cmocka_unit_test(test_a_killed_one_is_put_right),
        cmocka_unit_test(test_what_a_killed_one_held_is_removed),
        cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_only_the_users_own),
    };
    enum { NOBODY = 65534 };
    umask(0);
    if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 || setuid(NOBODY) < 0))
        return 1;
    if (!mkdtemp(place))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(place);
    return failed;
}
