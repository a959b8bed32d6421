/* SPDX-License-Identifier: MIT */
#include "config.h"

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
#include <unistd.h>

#include <cmocka.h>

#include "sandbox/git_links.h"

/* A directory with a repository's directories, left again at the end. */
struct fixture {
    char path[64], git[80];
    struct report report;
    struct git_links links;
};

static void make(struct fixture *fixture, const char *name)
{
    strcpy(fixture->path, "/tmp/git-links-XXXXXX");
    assert_non_null(mkdtemp(fixture->path));
    assert_int_equal(chdir(fixture->path), 0);
    snprintf(fixture->git, sizeof fixture->git, "%s/%s", fixture->path, name);
    assert_int_equal(mkdir(name, 0700), 0);
    assert_int_equal(chdir(name), 0);
    assert_int_equal(mkdir("logs", 0700), 0);
    fixture->report = (struct report){.socket = -1};
    fixture->links = (struct git_links){.report = &fixture->report};
}

static void remove_fixture(struct fixture *fixture)
{
    char command[96];
    git_links_free(&fixture->links);
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf %s", fixture->path);
    assert_int_equal(system(command), 0);
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static void link_at(const char *path)
{
    assert_int_equal(symlink("/nowhere", path), 0);
}

static void make_directory(const char *path)
{
    assert_int_equal(mkdir(path, 0700), 0);
}

/* What is made from here on is made by the command. */
static void start_command(struct fixture *fixture)
{
    struct timespec *since = &fixture->links.since;
    const struct timespec tick = {.tv_nsec = 20000000}; /* of the file system's clock */
    nanosleep(&tick, NULL);
    clock_gettime(CLOCK_REALTIME_COARSE, since);
    git_links_remember(&fixture->links, fixture->git);
}

static void look(struct fixture *fixture, bool beneath)
{
    strset_clear(&fixture->links.seen);
    if (beneath)
        git_links_remove_beneath(&fixture->links, fixture->git, false);
    else
        git_links_remove(&fixture->links, fixture->git);
}

static void test_new_links_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    link_at("COMMIT_EDITMSG");
    link_at("anything");
    link_at("logs/HEAD");
    look(&fixture, false);
    assert_false(is_link("COMMIT_EDITMSG"));
    assert_false(is_link("anything"));
    assert_true(is_link("logs/HEAD"));
    look(&fixture, true);
    assert_false(is_link("logs/HEAD"));
    remove_fixture(&fixture);
}

static void test_old_links_stay(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    link_at("packed-refs");
    make_directory("objects");
    make_directory("objects/pack");
    link_at("objects/pack/multi-pack-index");
    make_directory("hooks");
    start_command(&fixture);
    close(creat("objects/pack/something", 0600)); /* as git does */
    link_at("hooks/pre-commit");
    look(&fixture, true);
    assert_true(is_link("packed-refs"));
    assert_true(is_link("objects/pack/multi-pack-index"));
    assert_true(is_link("hooks/pre-commit"));
    remove_fixture(&fixture);
}

static void test_head_may_be_a_link_to_a_branch(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    assert_int_equal(symlink("refs/heads/main", "HEAD"), 0);
    look(&fixture, true);
    assert_true(is_link("HEAD"));
    assert_int_equal(unlink("HEAD"), 0);
    assert_int_equal(symlink("refs/../config", "HEAD"), 0);
    look(&fixture, true);
    assert_false(is_link("HEAD"));
    remove_fixture(&fixture);
}

static void test_others_in_a_bare_repository_stay(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, "bare");
    link_at("a-file-of-somebody");
    link_at("index");
    link_at("gc.pid");
    make_directory("rebase-merge");
    link_at("rebase-merge/anything");
    look(&fixture, true);
    assert_true(is_link("a-file-of-somebody"));
    assert_false(is_link("index"));
    assert_false(is_link("gc.pid"));
    assert_false(is_link("rebase-merge/anything"));
    remove_fixture(&fixture);
}

static void test_links_among_objects_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    make_directory("objects");
    make_directory("objects/info");
    make_directory("objects/ab");
    start_command(&fixture);
    link_at("objects/pack");
    link_at("objects/info/commit-graph");
    link_at("objects/xy");
    link_at("objects/ab/cd");
    look(&fixture, true);
    assert_false(is_link("objects/pack"));
    assert_false(is_link("objects/info/commit-graph"));
    assert_false(is_link("objects/xy"));
    assert_false(is_link("objects/ab/cd"));
    remove_fixture(&fixture);
}

/* It is as old as before, and so is what was in it. */
static void test_links_that_were_moved_in_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    make_directory("objects");
    make_directory("../prepared");
    link_at("../prepared/pack");
    make_directory("../prepared/info");
    link_at("../prepared/info/commit-graph");
    start_command(&fixture);
    assert_int_equal(rmdir("objects"), 0);
    assert_int_equal(rename("../prepared", "objects"), 0);
    look(&fixture, true);
    assert_false(is_link("objects/pack"));
    assert_false(is_link("objects/info/commit-graph"));
    remove_fixture(&fixture);
}

/* In another place it is not what was known, nor is what lies in it. */
static void test_links_moved_with_what_was_known_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    make_directory("lfs");
    make_directory("lfs/ab");
    make_directory("lfs/ab/logs");
    link_at("lfs/ab/logs/HEAD");
    start_command(&fixture);
    assert_int_equal(rename("lfs", "worktrees"), 0);
    look(&fixture, true);
    assert_false(is_link("worktrees/ab/logs/HEAD"));
    remove_fixture(&fixture);
}

static void test_links_moved_in_a_bare_repository_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, "bare");
    make_directory("lfs");
    link_at("lfs/HEAD");
    start_command(&fixture);
    assert_int_equal(rmdir("logs"), 0);
    assert_int_equal(rename("lfs", "logs"), 0);
    look(&fixture, true);
    assert_false(is_link("logs/HEAD"));
    remove_fixture(&fixture);
}

/* What has been gone through for what is new in it is so once more as new itself. */
static void test_old_links_of_a_new_repository_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    link_at("logs/HEAD");
    start_command(&fixture);
    look(&fixture, true);
    assert_true(is_link("logs/HEAD"));
    git_links_remove_beneath(&fixture.links, fixture.git, true);
    assert_false(is_link("logs/HEAD"));
    remove_fixture(&fixture);
}

/* Some share a repository's logs by links between two of them. */
static void test_old_links_beside_a_new_log_stay(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    link_at("logs/refs");
    start_command(&fixture);
    close(creat("logs/HEAD", 0600)); /* as git does */
    link_at("logs/new");
    look(&fixture, true);
    assert_true(is_link("logs/refs"));
    assert_false(is_link("logs/new"));
    remove_fixture(&fixture);
}

/* At the end of the command that made them nobody could see them. */
static void test_links_in_what_was_barred_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    make_directory("objects");
    make_directory("objects/info");
    link_at("objects/info/commit-graph");
    assert_int_equal(chmod("objects/info", 0), 0);
    start_command(&fixture);
    assert_int_equal(chmod("objects/info", 0700), 0);
    look(&fixture, true);
    assert_false(is_link("objects/info/commit-graph"));
    remove_fixture(&fixture);
}

/* Only at the end, and only of what the command has barred. */
static void test_what_is_barred_is_told(void **state)
{
    (void)state;
    struct fixture fixture;
    int ends[2];
    char told[256] = "", expected[256];
    static const mode_t MODES[] = {0, 0300, 0400};
    make(&fixture, ".git");
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    fixture.report.socket = ends[0];
    make_directory("refs");
    assert_int_equal(chmod("refs", 0), 0);
    start_command(&fixture);
    snprintf(expected, sizeof expected, "alarm %s/logs (can not be looked into)", fixture.git);
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        assert_int_equal(chmod("logs", MODES[i]), 0);
        look(&fixture, false);
        assert_int_equal(recv(ends[1], told, sizeof told - 1, MSG_DONTWAIT), -1);
        look(&fixture, true);
        assert_true(recv(ends[1], told, sizeof told - 1, MSG_DONTWAIT) > 0);
        assert_string_equal(told, expected);
        assert_int_equal(recv(ends[1], told, sizeof told - 1, MSG_DONTWAIT), -1);
    }
    assert_int_equal(chmod("logs", 0700), 0);
    assert_int_equal(chmod("refs", 0700), 0);
    close(ends[0]);
    close(ends[1]);
    remove_fixture(&fixture);
}

static void test_links_of_submodules_and_worktrees_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    make_directory("worktrees");
    make_directory("worktrees/.b");
    make_directory("modules");
    make_directory("modules/a");
    make_directory("modules/a/b");
    link_at("modules/a/b/HEAD");
    make_directory("modules/a/b/objects");
    start_command(&fixture);
    link_at("worktrees/x");
    link_at("worktrees/.b/rebased-patches");
    link_at("modules/a/c");
    link_at("modules/a/b/rebased-patches");
    link_at("modules/a/b/objects/pack");
    look(&fixture, true);
    assert_false(is_link("worktrees/x"));
    assert_false(is_link("worktrees/.b/rebased-patches"));
    assert_false(is_link("modules/a/c"));
    assert_false(is_link("modules/a/b/rebased-patches"));
    assert_false(is_link("modules/a/b/objects/pack"));
    remove_fixture(&fixture);
}

static void test_links_far_down_go(void **state)
{
    (void)state;
    struct fixture fixture;
    char path[1024] = "logs";
    make(&fixture, ".git");
    for (int i = 0; i < 400; i++)
        make_directory(strcat(path, "/d"));
    start_command(&fixture);
    link_at(strcat(path, "/x"));
    look(&fixture, true);
    assert_false(is_link(path));
    remove_fixture(&fixture);
}

static void test_a_bound_holds(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    link_at("logs/HEAD");
    fixture.links.spent = 1999900; /* of two million */
    look(&fixture, true);
    assert_true(fixture.links.incomplete);
    assert_true(is_link("logs/HEAD"));
    remove_fixture(&fixture);
}

/* What root may do anyway shows nothing. */
int main(void)
{
    enum { NOBODY = 65534 };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_links_go),
        cmocka_unit_test(test_old_links_stay),
        cmocka_unit_test(test_head_may_be_a_link_to_a_branch),
        cmocka_unit_test(test_others_in_a_bare_repository_stay),
        cmocka_unit_test(test_links_among_objects_go),
        cmocka_unit_test(test_links_that_were_moved_in_go),
        cmocka_unit_test(test_links_moved_with_what_was_known_go),
        cmocka_unit_test(test_links_moved_in_a_bare_repository_go),
        cmocka_unit_test(test_old_links_of_a_new_repository_go),
        cmocka_unit_test(test_old_links_beside_a_new_log_stay),
        cmocka_unit_test(test_links_in_what_was_barred_go),
        cmocka_unit_test(test_what_is_barred_is_told),
        cmocka_unit_test(test_links_of_submodules_and_worktrees_go),
        cmocka_unit_test(test_links_far_down_go),
        cmocka_unit_test(test_a_bound_holds),
    };
    if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 || setuid(NOBODY) < 0))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
