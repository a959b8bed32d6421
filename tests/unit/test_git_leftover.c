/* SPDX-License-Identifier: MIT */
/* git_leftover: what is told, and what stays, of what a command leaves. */
#include "config.h"

#include "sandbox/git_leftover.h"

#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fd.h"
#include "sandbox/policy.h"

/* A workspace as current directory, in which a command runs. */
struct fixture {
    char root[64];
    int ends[2]; /* of what is told */
    struct report report;
    struct protect protect;
    struct git_leftover leftover;
};

static void make_repository(const char *directory)
{
    char path[128];
    static const char *const PARTS[] = {"objects", "refs", "hooks"};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, PARTS[i]);
        assert_int_equal(fd_make_directories(path, 0755), 0);
    }
    snprintf(path, sizeof path, "%s/HEAD", directory);
    assert_int_equal(close(creat(path, 0600)), 0);
}

static void start_command(struct fixture *fixture)
{
    const struct timespec tick = {.tv_nsec = 20000000}; /* of the file system's clock */
    struct sandbox_policy *policy;
    *fixture = (struct fixture){.root = "/var/tmp/leftover.XXXXXX"};
    assert_non_null(mkdtemp(fixture->root));
    assert_int_equal(chdir(fixture->root), 0);
    assert_int_equal(mkdir("old", 0), 0);
    make_repository("known/.git");
    nanosleep(&tick, NULL);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fixture->ends), 0);
    fixture->report = (struct report){.socket = fixture->ends[0]};
    policy = sandbox_policy_new_workspace_write(fixture->root);
    protect_collect(policy, NULL, &fixture->protect);
    sandbox_policy_free(&policy);
    git_leftover_open(&fixture->leftover, &fixture->protect, &fixture->report);
}

static void end_command(struct fixture *fixture)
{
    git_leftover_finish(&fixture->leftover);
    close(fixture->ends[0]);
}

static void assert_told(struct fixture *fixture, const char *path)
{
    char told[256] = "", expected[256];
    if (path)
        snprintf(expected, sizeof expected, "alarm %s/%s (can not be looked into)", fixture->root,
                 path);
    ssize_t length = recv(fixture->ends[1], told, sizeof told - 1, MSG_DONTWAIT);
    assert_string_equal(told, path ? expected : "");
    assert_true(path ? length > 0 : length <= 0);
}

static void remove_fixture(struct fixture *fixture)
{
    char command[128];
    protect_free(&fixture->protect);
    close(fixture->ends[1]);
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", fixture->root,
             fixture->root);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(system(command), 0);
}

static void tells_of_a_directory_that_it_barred(void **state)
{
    (void)state;
    struct fixture fixture;
    start_command(&fixture);
    make_repository("s/.git");
    assert_int_equal(chmod("s", 0), 0);
    end_command(&fixture);
    assert_told(&fixture, "s");
    assert_told(&fixture, NULL);
    remove_fixture(&fixture);
}

static void tells_of_a_repository_that_it_barred(void **state)
{
    (void)state;
    struct fixture fixture;
    start_command(&fixture);
    make_repository("s/.git");
    assert_int_equal(chmod("s/.git", 0), 0);
    end_command(&fixture);
    assert_told(&fixture, "s/.git");
    assert_told(&fixture, NULL);
    remove_fixture(&fixture);
}

/* It is looked into for symlinks, and for repositories. */
static void tells_once_of_what_it_barred_in_a_repository(void **state)
{
    (void)state;
    struct fixture fixture;
    start_command(&fixture);
    assert_int_equal(chmod("known/.git/objects", 0), 0);
    end_command(&fixture);
    assert_told(&fixture, "known/.git/objects");
    assert_told(&fixture, NULL);
    remove_fixture(&fixture);
}

static void sets_barred_hooks_aside(void **state)
{
    (void)state;
    struct fixture fixture;
    start_command(&fixture);
    make_repository("s/.git");
    assert_int_equal(close(creat("s/.git/hooks/pre-commit", 0700)), 0);
    assert_int_equal(chmod("s/.git/hooks", 0), 0);
    end_command(&fixture);
    assert_int_equal(access("s/.git/hooks", F_OK), -1);
    assert_int_equal(access("s/.git/hooks.set-aside", F_OK), 0);
    remove_fixture(&fixture);
}

/* Templates have such files; git runs none of them. */
static void leaves_what_is_no_hook(void **state)
{
    (void)state;
    struct fixture fixture;
    start_command(&fixture);
    make_repository("s/.git");
    assert_int_equal(close(creat("s/.git/hooks/.gitkeep", 0600)), 0);
    assert_int_equal(close(creat("s/.git/hooks/pre-commit.sample", 0600)), 0);
    end_command(&fixture);
    assert_told(&fixture, NULL);
    assert_int_equal(access("s/.git/hooks/.gitkeep", F_OK), 0);
    assert_int_equal(access("s/.git/hooks/pre-commit.sample", F_OK), 0);
    remove_fixture(&fixture);
}

/* What root may do anyway shows nothing. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_of_a_directory_that_it_barred),
        cmocka_unit_test(tells_of_a_repository_that_it_barred),
        cmocka_unit_test(tells_once_of_what_it_barred_in_a_repository),
        cmocka_unit_test(sets_barred_hooks_aside),
        cmocka_unit_test(leaves_what_is_no_hook),
    };
    enum { NOBODY = 65534 };
    if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 || setuid(NOBODY) < 0))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
