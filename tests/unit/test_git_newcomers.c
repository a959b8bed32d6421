/* SPDX-License-Identifier: MIT */
/* git_newcomers: what is set aside, while a command runs, of repositories that come into being. */
#include "config.h"

#include "sandbox/git_newcomers.h"

#include <fcntl.h>
#include <poll.h>
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

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/git_code.h"
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

static bool has(const char *path, const char *suffix)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    return access(name, F_OK) == 0;
}

static void assert_reads(const char *path, const char *text)
{
    size_t size;
    cleanup_free char *read = fd_read_file(path, 1024, false, &size);
    assert_non_null(read);
    assert_string_equal(read, text);
}

/* What is told next; "": nothing. */
static const char *told(const struct fixture *fixture)
{
    static char text[256];
    ssize_t length = recv(fixture->ends[1], text, sizeof text - 1, MSG_DONTWAIT);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

/* True when the command may go on. */
static bool look(struct fixture *fixture)
{
    return !git_newcomers_look(&fixture->newcomers) || git_newcomers_set_aside(&fixture->newcomers);
}

/* A look sets just that aside, and tells of it; NULL: nothing. */
static void assert_set_aside(struct fixture *fixture, const char *path)
{
    char expected[256] = "";
    if (path)
        snprintf(expected, sizeof expected, "alarm %s/%s (set aside: git would obey it)",
                 fixture->root, path);
    assert_true(look(fixture));
    assert_string_equal(told(fixture), expected);
    assert_string_equal(told(fixture), "");
    assert_true(!path || has(path, ".set-aside"));
}

static void sets_aside_what_was_put_into_a_new_one(void **state)
{
    assert_set_aside(*state, NULL);
    make_repository("src/.git");
    assert_set_aside(*state, NULL);
    make_file("src/.git/hooks/pre-push", "");
    assert_set_aside(*state, "src/.git/hooks/pre-push");
    assert_false(has("src/.git/hooks/pre-push", ""));
    make_file("src/.git/config", "[core]\n\tbare = false\n\tfsmonitor = run\n");
    assert_set_aside(*state, "src/.git/config");
    assert_reads("src/.git/config", "[core]\n\tbare = false\n");
    assert_set_aside(*state, NULL);
    assert_true(has("src/.git/hooks/pre-push.sample", ""));
}

static void finds_those_that_are_no_directory_git(void **state)
{
    assert_set_aside(*state, NULL);
    make_repository("new/bare.git");
    make_file("new/bare.git/hooks/update", "");
    assert_set_aside(*state, "new/bare.git/hooks/update");
    make_repository("src/store");
    make_file("src/store/config.worktree", "[core]\n\thooksPath = /tmp\n");
    assert_set_aside(*state, "src/store/config.worktree");
    /* Nobody looks into a .git, but along what leads there. */
    make_repository("known/.git/worktrees/linked");
    make_file("known/.git/worktrees/linked/hooks/update", "");
    assert_set_aside(*state, NULL);
    assert_int_equal(mkdir("linked", 0755), 0);
    make_file("linked/.git", "gitdir: ../known/.git/worktrees/linked\n");
    assert_set_aside(*state, "known/.git/worktrees/linked/hooks/update");
}

static void finds_where_one_has_its_configuration(void **state)
{
    make_repository("common");
    assert_int_equal(unlink("common/HEAD"), 0); /* so that it is none itself */
    make_file("common/config", "[core]\n\tfsmonitor = run\n");
    assert_int_equal(mkdir("store", 0755), 0);
    make_file("store/HEAD", "ref: refs/heads/main\n");
    make_file("store/commondir", "../common\n");
    make_file("src/.git", "gitdir: ../store\n");
    assert_set_aside(*state, "common/config");
}

/* What git takes for no repository may be anything of the operator's. */
static void a_file_makes_no_repository_of_what_it_leads_to(void **state)
{
    assert_int_equal(fd_make_directories("app/hooks", 0755), 0);
    make_file("app/hooks/use.ts", "");
    make_file("src/.git", "gitdir: ../app\n");
    assert_set_aside(*state, NULL);
}

/* Theirs only the host can change. */
static void leaves_out_those_that_were_there(void **state)
{
    make_file("known/.git/hooks/post-commit", "");
    make_file("known/touched", "");
    assert_set_aside(*state, NULL);
}

/* By way of a link another would have it renamed where it can not do so itself. */
static void leaves_alone_what_a_link_leads_to(void **state)
{
    struct fixture *fixture = *state;
    make_repository("src/.git");
    make_file("src/.git/hooks/pre-push", "");
    assert_true(git_newcomers_look(&fixture->newcomers));
    assert_int_equal(rename("src/.git", "src/git"), 0);
    assert_int_equal(symlink("git", "src/.git"), 0);
    char path[128];
    snprintf(path, sizeof path, "%s/src/.git/hooks/pre-push", fixture->root);
    assert_false(git_code_set_aside(&fixture->protect, path, NULL));
    assert_true(has("src/git/hooks/pre-push", ""));
}

/* What makes the same again and again is to be ended. */
static void gives_up_on_what_is_made_again(void **state)
{
    struct fixture *fixture = *state;
    char expected[256];
    make_repository("src/.git");
    for (int i = 0; i < GIT_NEWCOMERS_AGAIN_MAX; i++) {
        make_file("src/.git/hooks/pre-push", "");
        assert_true(look(fixture));
        assert_true((*told(fixture) != '\0') == (i == 0));
    }
    make_file("src/.git/hooks/pre-push", "");
    assert_false(look(fixture));
    snprintf(expected, sizeof expected,
             "alarm %s/src/.git/hooks/pre-push (made again each time it is set aside: the command "
             "is ended)",
             fixture->root);
    assert_string_equal(told(fixture), expected);
    assert_false(has("src/.git/hooks/pre-push", ""));
}

/* … but not what tests make anew each time with the repository that it is in. */
static void counts_for_each_repository(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 2 * GIT_NEWCOMERS_AGAIN_MAX; i++) {
        make_repository("src/.git");
        make_file("src/.git/hooks/pre-push", "");
        assert_true(look(fixture));
        assert_true((*told(fixture) != '\0') == (i == 0));
        assert_int_equal(system("rm -rf src/.git"), 0);
    }
}

/* The command goes on meanwhile, and its git with it. */
static void keeps_what_was_written_in_between(void **state)
{
    static const char *const NEW = "[core]\n\tfsmonitor = ./x\n[remote \"o\"]\n\turl = /o\n";
    struct fixture *fixture = *state;
    char path[128];
    make_repository("src/.git");
    make_file("src/.git/config", NEW);
    snprintf(path, sizeof path, "%s/src/.git/config", fixture->root);
    assert_true(git_code_set_aside(&fixture->protect, path, "[core]\n"));
    assert_reads("src/.git/config", "[core]\n[remote \"o\"]\n\turl = /o\n");
    assert_reads("src/.git/config.set-aside", NEW);
}

static bool is_stirred(const struct fixture *fixture)
{
    struct pollfd wait = {.fd = git_newcomers_fd(&fixture->newcomers), .events = POLLIN};
    return poll(&wait, 1, 0) == 1;
}

/* Looks until nothing new is found. */
static void settle(struct fixture *fixture)
{
    while (look(fixture), fixture->newcomers.stirred)
        continue;
}

static void is_woken_by_what_is_made(void **state)
{
    struct fixture *fixture = *state;
    settle(fixture);
    assert_false(is_stirred(fixture));
    make_repository("src/deep/.git");
    assert_true(is_stirred(fixture));
    settle(fixture);
    assert_false(is_stirred(fixture));
    int config = open("src/deep/.git/config", O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_int_equal(write(config, "\n", 1), 1);
    close(config);
    assert_true(is_stirred(fixture));
    git_newcomers_stir(&fixture->newcomers);
    assert_int_equal(git_newcomers_fd(&fixture->newcomers), -1); /* before the look */
    settle(fixture);
    make_file("src/deep/.git/hooks/update.sample", "");
    assert_true(is_stirred(fixture));
}

/* Others by the names of those that were watched are watched too. */
static void is_woken_by_what_is_made_anew(void **state)
{
    struct fixture *fixture = *state;
    settle(fixture);
    assert_int_equal(rename("src/deep", "src/old"), 0);
    assert_int_equal(mkdir("src/deep", 0755), 0);
    settle(fixture);
    assert_int_equal(mkdir("src/deep/new", 0755), 0);
    assert_true(is_stirred(fixture));
}

/* One that was in it by then is as old as before. */
static void finds_what_came_by_the_rename_of_a_directory(void **state)
{
    struct fixture *fixture = *state;
    settle(fixture);
    make_repository("other/deep/.git");
    poll(NULL, 0, 20); /* a tick of the file system's clock */
    settle(fixture);
    assert_int_equal(rename("src", "gone"), 0);
    assert_int_equal(rename("other", "src"), 0);
    settle(fixture);
    make_file("src/deep/.git/hooks/pre-push", "");
    assert_set_aside(fixture, "src/deep/.git/hooks/pre-push");
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
    assert_set_aside(*state, "src/deep/.git/hooks/pre-push");
}

static void says_when_there_are_too_many_repositories(void **state)
{
    struct fixture *fixture = *state;
    char name[32];
    for (int i = 0; i <= 1024; i++) {
        snprintf(name, sizeof name, "a%d/.git", i);
        assert_int_equal(fd_make_directories(name, 0755), 0);
    }
    look(fixture);
    assert_string_equal(told(fixture), "alarm more new repositories than are looked into for git");
    assert_set_aside(fixture, NULL); /* once */
    /* Those that are gone take no room. */
    assert_int_equal(system("rm -r a*"), 0);
    make_repository("src/.git");
    make_file("src/.git/hooks/pre-push", "");
    assert_set_aside(fixture, "src/.git/hooks/pre-push");
}

/* A command can go on making names for as long as it runs. */
static void tells_of_so_many_and_says_so(void **state)
{
    struct fixture *fixture = *state;
    char name[64];
    size_t count = 0;
    make_repository("src/.git");
    for (int i = 0; i < 1024; i++) {
        snprintf(name, sizeof name, "src/.git/hooks/h%d", i);
        make_file(name, "");
        if (i % 64 == 63)
            look(fixture);
        while (*told(fixture))
            count++;
    }
    assert_int_equal(count, 1024);
    make_file("src/.git/hooks/pre-push", "");
    assert_true(look(fixture));
    assert_string_equal(told(fixture), "alarm more that git would run than is told of");
    assert_false(has("src/.git/hooks/pre-push", ""));
    make_file("src/.git/hooks/update", "");
    assert_true(look(fixture));
    assert_string_equal(told(fixture), ""); /* once */
    assert_false(has("src/.git/hooks/update", ""));
    for (int i = 2; i < GIT_NEWCOMERS_AGAIN_MAX; i++) {
        make_file("src/.git/hooks/update", "");
        assert_true(look(fixture));
    }
    make_file("src/.git/hooks/update", "");
    assert_false(look(fixture));
}

static void is_due_in_a_second(void **state)
{
    struct fixture *fixture = *state;
    const struct git_newcomers without = {.protect = NULL};
    assert_in_range(git_newcomers_time_left(&fixture->newcomers), 1, 1000);
    fixture->newcomers.due_us = 0;
    assert_int_equal(git_newcomers_time_left(&fixture->newcomers), 0);
    settle(fixture);
    assert_in_range(git_newcomers_time_left(&fixture->newcomers), 1, 60000);
    assert_int_equal(git_newcomers_time_left(&without), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sets_aside_what_was_put_into_a_new_one, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(finds_those_that_are_no_directory_git, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(finds_where_one_has_its_configuration, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(a_file_makes_no_repository_of_what_it_leads_to,
                                        start_command, end_command),
        cmocka_unit_test_setup_teardown(leaves_alone_what_a_link_leads_to, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(gives_up_on_what_is_made_again, start_command, end_command),
        cmocka_unit_test_setup_teardown(counts_for_each_repository, start_command, end_command),
        cmocka_unit_test_setup_teardown(keeps_what_was_written_in_between, start_command,
                                        end_command),
        cmocka_unit_test_setup_teardown(is_woken_by_what_is_made, start_command, end_command),
        cmocka_unit_test_setup_teardown(is_woken_by_what_is_made_anew, start_command, end_command),
        cmocka_unit_test_setup_teardown(finds_what_came_by_the_rename_of_a_directory, start_command,
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
