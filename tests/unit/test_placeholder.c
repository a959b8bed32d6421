/* SPDX-License-Identifier: MIT */
/* placeholder: what holds a name is known for that from its first moment on. */
#include "config.h"

#include "sandbox/placeholder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

/* Whoever is killed between two steps leaves what the first of them made: so there is but one. */
static void test_appears_whole(void **state)
{
    (void)state;
    char directory[] = "placeholder-XXXXXX";
    struct placeholders placeholders = {0};
    struct stat status;
    _Alignas(struct inotify_event) char events[4096];
    char content[8] = "";
    assert_non_null(mkdtemp(directory));
    cleanup_free char *absolute = realpath(directory, NULL);
    cleanup_free char *path = xasprintf("%s/commondir", absolute);
    cleanup_fd int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    assert_true(inotify_add_watch(watch, absolute, IN_CREATE | IN_MODIFY | IN_ATTRIB) >= 0);
    assert_int_equal(placeholders_make(&placeholders, PLACEHOLDER_FILE, path, ".\n"), 0);
    ssize_t got = read(watch, events, sizeof events);
    assert_true(got > 0);
    unsigned of_the_name = 0;
    for (ssize_t at = 0; at < got;) {
        const struct inotify_event *event = (const void *)(events + at);
        at += (ssize_t)(sizeof *event + event->len);
        if (strcmp(event->name, "commondir") == 0)
            of_the_name |= event->mask;
    }
    assert_int_equal(of_the_name, IN_CREATE);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, content, sizeof content), 2);
    assert_string_equal(content, ".\n");
    assert_int_equal(fstat(fd, &status), 0);
    assert_true(placeholder_is(&status));
    placeholders_remove(&placeholders, false);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(rmdir(directory), 0);
}

enum { USERS = 4, ROUNDS = 200 };

/* Uses the placeholder until `go` closes. */
static void use_until(const char *path, int ready, int go)
{
    struct placeholders placeholders = {0};
    char byte = 0;
    if (placeholders_make(&placeholders, PLACEHOLDER_SOCKET, path, NULL) != 0 ||
        write(ready, "", 1) != 1 || read(go, &byte, 1) != 0)
        _exit(1);
    placeholders_remove(&placeholders, false);
    _exit(0);
}

/* Each has to find the others gone or be found gone by them, also when all end at once. */
static void test_ends_with_the_last_user(void **state)
{
    (void)state;
    char directory[] = "placeholder-XXXXXX", byte;
    assert_non_null(mkdtemp(directory));
    cleanup_free char *absolute = realpath(directory, NULL);
    cleanup_free char *path = xasprintf("%s/.git", absolute);
    for (int round = 0; round < ROUNDS; round++) {
        int ready[2], go[2], status;
        assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
        assert_int_equal(pipe2(go, O_CLOEXEC), 0);
        for (int i = 0; i < USERS; i++)
            if (fork() == 0) {
                close(go[1]);
                use_until(path, ready[1], go[0]);
            }
        for (int i = 0; i < USERS; i++)
            assert_int_equal(read(ready[0], &byte, 1), 1);
        assert_int_equal(access(path, F_OK), 0);
        close(go[1]);
        for (int i = 0; i < USERS; i++) {
            assert_true(wait(&status) > 0);
            assert_int_equal(status, 0);
        }
        assert_int_equal(access(path, F_OK), -1);
        close(go[0]);
        close(ready[0]);
        close(ready[1]);
    }
    assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_appears_whole),
        cmocka_unit_test(test_ends_with_the_last_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
