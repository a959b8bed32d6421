/* SPDX-License-Identifier: MIT */
/* git_newcomers: what is told, while a command runs, of repositories that come into being. */
#include "config.h"

#include "sandbox/git_newcomers.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
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
    struct git_newcomers newcomers;
};

static void make_file(const char *path, const char *text)
{
    assert_int_equal(fd_replace_file(path, text, strlen(text), 0700), 0);
}

static void make_repository(const char *directory)
{
    char path[128];
    static const char *const PARTS[] = {"objects", "refs", "hooks"};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, PARTS[i]);
        assert_int_equal(fd_make_directories(path, 0755), 0);
    }
    snprintf(path, sizeof path, "%s/HEAD", directory);
    make_file(path, "ref: refs/heads/main\n");
    snprintf(path, sizeof path, "%s/config", directory);
    make_file(path, "[core]\n\tbare = false\n");
    snprintf(path, sizeof path, "%s/hooks/pre-push.sample", directory);
    make_file(path, "");
}

static int start_command(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.root = "/var/tmp/newcomers.XXXXXX"};
    assert_non_null(mkdtemp(fixture.root));
    assert_int_equal(chdir(fixture.root), 0);
    assert_int_equal(mkdir("src", 0755), 0);
    assert_int_equal(mkdir("src/deep", 0755), 0);
    make_repository("known/.git");
    make_file("known/.git/hooks/pre-push", "");
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fixture.ends), 0);
    fixture.report = (struct report){.socket = fixture.ends[0]};
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write(fixture.root);
    protect_collect(policy, NULL, &fixture.protect);
    sandbox_policy_free(&policy);
    git_newcomers_open(&fixture.newcomers, &fixture.protect, &fixture.report);
    *state = &fixture;
    return 0;
}

static int end_command(void **state)
{
    struct fixture *fixture = *state;
    char command[128];
    git_newcomers_free(&fixture->newcomers);
    protect_free(&fixture->protect);
    close(fixture->ends[0]);
    close(fixture->ends[1]);
    snprintf(command, sizeof command, "rm -rf %s", fixture->root);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/* A look tells of just that; NULL: of nothing. */
static void assert_told(struct fixture *fixture, const char *path)
{
    char told[256] = "", expected[256] = "";
    if (path)
        snprintf(expected, sizeof expected,
                 "alarm %s/%s (git would run it: no git there until the command ends)",
                 fixture->root, path);
    git_newcomers_look(&fixture->newcomers);
    recv(fixture->ends[1], told, sizeof told - 1, MSG_DONTWAIT);
    assert_string_equal(told, expected);
    assert_true(recv(fixture->ends[1], told, sizeof told, MSG_DONTWAIT) < 0);
}

static void tells_of_what_was_put_into_a_new_one(void **state)
{
    assert_told(*state, NULL);
    make_repository("src/.git");
    assert_told(*state, NULL);
    make_file("src/.git/hooks/pre-push", "");
    assert_told(*state, "src/.git/hooks/pre-push");
    make_file("src/.git/config", "[core]\n\tfsmonitor = run\n");
    assert_told(*state, "src/.git/config");
    assert_told(*state, NULL); /* once */
}

static void finds_those_that_are_no_directory_git(void **state)
{
    assert_told(*state, NULL);
    make_repository("new/bare.git");
    make_file("new/bare.git/hooks/update", "");
    assert_told(*state, "new/bare.git/hooks/update");
    make_repository("src/store");
    make_file("src/store/config.worktree", "[core]\n\thooksPath = /tmp\n");
    assert_told(*state, "src/store/config.worktree");
    /* Nobody looks into a .git, but along what leads there. */
    make_repository("known/.git/worktrees/linked");
    make_file("known/.git/worktrees/linked/hooks/update", "");
    assert_told(*state, NULL);
    assert_int_equal(mkdir("linked", 0755), 0);
    make_file("linked/.git", "gitdir: ../known/.git/worktrees/linked\n");
    assert_told(*state, "known/.git/worktrees/linked/hooks/update");
}

/* Theirs only the host can change. */
static void leaves_out_those_that_were_there(void **state)
{
    make_file("known/.git/hooks/post-commit", "");
    make_file("known/touched", "");
    assert_told(*state, NULL);
}

/* A command that makes much does not hide what it makes, nor a place that was there. */
static void many_directories_hide_none(void **state)
{
    char name[32];
    for (int i = 0; i < NESTED_MAX; i++) {
        snprintf(name, sizeof name, "a%d", i);
        assert_int_equal(mkdir(name, 0755), 0);
    }
    make_repository("src/deep/.git");
    make_file("src/deep/.git/hooks/pre-push", "");
    assert_told(*state, "src/deep/.git/hooks/pre-push");
}

static void says_when_there_are_too_many_repositories(void **state)
{
    struct fixture *fixture = *state;
    char name[32], told[64] = "";
    for (int i = 0; i <= 256; i++) {
        snprintf(name, sizeof name, "a%d/.git", i);
        make_repository(name);
    }
    git_newcomers_look(&fixture->newcomers);
    assert_true(recv(fixture->ends[1], told, sizeof told - 1, MSG_DONTWAIT) > 0);
    assert_string_equal(told, "alarm more new repositories than are looked into for git");
    assert_told(fixture, NULL); /* once */
}

/* A command can go on making names for as long as it runs. */
static void tells_of_so_many_and_says_so(void **state)
{
    struct fixture *fixture = *state;
    char name[64], told[256];
    size_t count = 0;
    make_repository("src/.git");
    for (int i = 0; i < 1024; i++) {
        snprintf(name, sizeof name, "src/.git/hooks/h%d", i);
        make_file(name, "");
        if (i % 64 == 63)
            git_newcomers_look(&fixture->newcomers);
        while (recv(fixture->ends[1], told, sizeof told, MSG_DONTWAIT) > 0)
            count++;
    }
    assert_int_equal(count, 1024);
    make_file("src/.git/hooks/pre-push", "");
    git_newcomers_look(&fixture->newcomers);
    memset(told, 0, sizeof told);
    assert_true(recv(fixture->ends[1], told, sizeof told - 1, MSG_DONTWAIT) > 0);
    assert_string_equal(told, "alarm more that git would run than is told of");
    make_file("src/.git/hooks/update", "");
    assert_told(fixture, NULL); /* once */
}

static void is_due_in_a_second(void **state)
{
    struct fixture *fixture = *state;
    const struct git_newcomers without = {.protect = NULL};
    assert_in_range(git_newcomers_time_left(&fixture->newcomers), 1, 1000);
    fixture->newcomers.due_ms = 0;
    assert_int_equal(git_newcomers_time_left(&fixture->newcomers), 0);
    assert_told(fixture, NULL);
    assert_in_range(git_newcomers_time_left(&fixture->newcomers), 1, 60000);
    assert_int_equal(git_newcomers_time_left(&without), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tells_of_what_was_put_into_a_new_one, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(finds_those_that_are_no_directory_git, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(leaves_out_those_that_were_there, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(many_directories_hide_none, start_command, end_command),
        cmocka_unit_test_setup_teardown(says_when_there_are_too_many_repositories, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(tells_of_so_many_and_says_so, start_command, end_command),
        cmocka_unit_test_setup_teardown(is_due_in_a_second, start_command, end_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
