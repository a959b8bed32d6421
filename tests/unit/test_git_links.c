/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sandbox/git_links.h"

/* A directory with a repository's directories, left again at the end. */
struct fixture {
    char path[64], git[80];
    struct timespec since;
    struct report report;
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
    fixture->since = (struct timespec){0};
    fixture->report = (struct report){.socket = -1};
}

static void remove_fixture(const struct fixture *fixture)
{
    char command[96];
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf %s", fixture->path);
    assert_int_equal(system(command), 0);
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static void look(const struct fixture *fixture, bool deep)
{
    git_links_remove(fixture->git, &fixture->since, deep, &fixture->report);
}

static void test_new_links_go(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, ".git");
    assert_int_equal(symlink("/nowhere", "COMMIT_EDITMSG"), 0);
    assert_int_equal(symlink("/nowhere", "anything"), 0);
    assert_int_equal(symlink("/nowhere", "logs/HEAD"), 0);
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
    assert_int_equal(symlink("/nowhere", "packed-refs"), 0);
    clock_gettime(CLOCK_REALTIME, &fixture.since);
    fixture.since.tv_sec++;
    look(&fixture, true);
    assert_true(is_link("packed-refs"));
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

/* Beside git's own names, and where data lies whose names git makes. */
static void test_others_are_left_alone(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, "bare");
    assert_int_equal(symlink("/nowhere", "a-file-of-somebody"), 0);
    assert_int_equal(symlink("/nowhere", "index"), 0);
    assert_int_equal(mkdir("objects", 0700), 0);
    assert_int_equal(symlink("/nowhere", "objects/xy"), 0);
    look(&fixture, true);
    assert_true(is_link("a-file-of-somebody"));
    assert_true(is_link("objects/xy"));
    assert_false(is_link("index"));
    remove_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_links_go),
        cmocka_unit_test(test_old_links_stay),
        cmocka_unit_test(test_head_may_be_a_link_to_a_branch),
        cmocka_unit_test(test_others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
