/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fd.h"
#include "sandbox/policy.h"
#include "sandbox/protect.h"

/* Each test has a workspace of its own as current directory. */
static char root[64];

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/dev/shm/protect.XXXXXX"); /* where many files are quickly made */
    return mkdtemp(root) && chdir(root) == 0 ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void make_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

/* What git would take for a repository, in the directory that `path` ends with. */
static void make_repository(const char *path)
{
    char part[4096];
    static const char *const PARTS[] = {"objects", "refs"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(part, sizeof part, "%s/%s", path, PARTS[i]);
        assert_int_equal(fd_make_directories(part, 0755), 0);
    }
    snprintf(part, sizeof part, "%s/HEAD", path);
    make_file(part);
}

static void make_many(const char *directory, int count, bool directories)
{
    char path[4096];
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/x%d", directory, i);
        if (directories)
            assert_int_equal(mkdir(path, 0755), 0);
        else
            make_file(path);
    }
}

static void collect(struct protect *protect)
{
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write(root);
    protect_collect(policy, NULL, protect);
    sandbox_policy_free(&policy);
}

static bool is_kept(const struct protect *protect, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return protect_is_kept(protect, path);
}

static void keeps_each_name_that_is_not_gits(void **state)
{
    (void)state;
    struct protect protect;
    make_repository(".git");
    make_many(".git", 30, false);
    collect(&protect);
    assert_int_equal(protect.whole_count, 0);
    assert_true(is_kept(&protect, ".git/x29"));
    assert_true(is_kept(&protect, ".git/config.worktree"));
    assert_false(is_kept(&protect, ".git/index"));
    protect_free(&protect);
}

/* git takes any name for a linked worktree's. */
static void keeps_what_worktrees_obey(void **state)
{
    (void)state;
    struct protect protect;
    make_repository(".git");
    assert_int_equal(fd_make_directories(".git/worktrees/.hidden", 0755), 0);
    collect(&protect);
    assert_true(is_kept(&protect, ".git/worktrees/.hidden/config.worktree"));
    assert_false(is_kept(&protect, ".git/worktrees/.hidden/index"));
    protect_free(&protect);
}

/* A command could leave so many that the next would take minutes to start. */
static void keeps_a_crowded_repository_as_a_whole(void **state)
{
    (void)state;
    struct protect protect;
    char expected[128];
    make_repository(".git");
    make_many(".git", 6000, false);
    collect(&protect);
    snprintf(expected, sizeof expected, "%s/.git", root);
    assert_int_equal(protect.whole_count, 1);
    assert_string_equal(protect.whole[0], expected);
    assert_true(is_kept(&protect, ".git/index"));
    assert_true(is_kept(&protect, ".git/x5999"));
    assert_in_range(protect.count, 1000, 3000);
    protect_free(&protect);
}

static void keeps_one_with_very_many_worktrees_as_a_whole(void **state)
{
    (void)state;
    struct protect protect;
    char path[128];
    make_repository(".git");
    assert_int_equal(mkdir(".git/worktrees", 0755), 0);
    make_many(".git/worktrees", 3000, true);
    collect(&protect);
    assert_int_equal(protect.whole_count, 1);
    for (size_t i = 0; i < protect.count; i++)
        assert_int_not_equal(protect.items[i].kind, PROTECT_WRITABLE);
    for (int i = 0; i < 3000; i++) {
        snprintf(path, sizeof path, ".git/worktrees/x%d/index", i);
        assert_true(is_kept(&protect, path));
    }
    protect_free(&protect);
}

/* By its HEAD one is known; links are quickly made. */
static int make_modules(int count)
{
    char path[128];
    make_repository(".git");
    assert_int_equal(mkdir(".git/modules", 0755), 0);
    make_many(".git/modules", count, true);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, ".git/modules/x%d/HEAD", i);
        assert_int_equal(link(".git/HEAD", path), 0);
    }
    return count;
}

static int count_kept_modules(const struct protect *protect, int count)
{
    char path[128];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, ".git/modules/x%d/index", i);
        kept += is_kept(protect, path);
    }
    return kept;
}

static void keeps_no_module_of_many(void **state)
{
    (void)state;
    struct protect protect;
    int count = make_modules(600);
    collect(&protect);
    assert_int_equal(count_kept_modules(&protect, count), 0);
    assert_int_equal(protect.whole_count, 0);
    assert_true(is_kept(&protect, ".git/modules/x599/hooks"));
    protect_free(&protect);
}

/* Those that are too many stay as read-only as their directory is, and that is told. */
static void keeps_modules_that_are_too_many(void **state)
{
    (void)state;
    struct protect protect;
    char expected[128];
    int count = make_modules(3000);
    collect(&protect);
    assert_in_range(count_kept_modules(&protect, count), 300, 2500);
    assert_in_range(protect.count, 8000, 20000);
    snprintf(expected, sizeof expected, "%s/.git/modules", root);
    assert_int_equal(protect.whole_count, 1);
    assert_string_equal(protect.whole[0], expected);
    protect_free(&protect);
}

/* Of a command in a part of this tree: it holds the name, and removes what is there. */
static void leaves_a_placeholder_to_its_command(void **state)
{
    (void)state;
    struct protect protect;
    char expected[128];
    size_t lent = 0;
    make_repository(".git");
    assert_int_equal(fd_make_directories("sub/.git", 0755), 0);
    assert_int_equal(chmod("sub/.git", 01555), 0);
    collect(&protect);
    snprintf(expected, sizeof expected, "%s/sub/.git", root);
    for (size_t i = 0; i < protect.count; i++)
        if (protect.items[i].lent) {
            assert_string_equal(protect.items[i].path, expected);
            lent++;
        } else if (protect.items[i].missing != PLACEHOLDER_NONE) {
            assert_null(strstr(protect.items[i].path, "/sub"));
        }
    assert_int_equal(lent, 1);
    assert_true(is_kept(&protect, "sub/.git/hooks"));
    protect_free(&protect);
}

/* Is a directory of that owner and mode one that nobody can look into? Asked as somebody else of
 * its group. */
static bool is_barred(uid_t owner, mode_t mode)
{
    enum { NOBODY = 65534 };
    int ended;
    assert_int_equal(chown(root, owner, NOBODY), 0);
    assert_int_equal(chmod(root, mode), 0);
    pid_t child = fork();
    if (child == 0) {
        struct protect protect;
        if (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
            _exit(2);
        collect(&protect);
        _exit(protect.barred && strcmp(protect.barred, root) == 0);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) < 2);
    return WEXITSTATUS(ended) == 1;
}

/* What a command can search it can write to, if it knows the names. */
static void is_barred_where_names_can_be_known(void **state)
{
    (void)state;
    enum { SOMEBODY = 65533, NOBODY = 65534 };
    if (geteuid() != 0)
        skip();
    assert_true(is_barred(SOMEBODY, 0730));
    assert_false(is_barred(SOMEBODY, 0770));
    assert_false(is_barred(SOMEBODY, 0700));
    assert_true(is_barred(NOBODY, 0));
    assert_true(is_barred(NOBODY, 0300));
    assert_false(is_barred(NOBODY, 0700));
}

/* Each lies in the one before and is read-only with it. */
static void adds_little_for_repositories_in_one_another(void **state)
{
    (void)state;
    enum { DEPTH = 200 };
    struct protect protect;
    char path[4096] = "a";
    for (int i = 0; i < DEPTH; i++) {
        make_repository(path);
        strcat(path, "/a");
    }
    collect(&protect);
    assert_int_equal(protect.repository_count, DEPTH);
    path[strlen(path) - 2] = '\0';
    assert_true(is_kept(&protect, path));
    assert_in_range(protect.count, DEPTH, DEPTH + 100);
    protect_free(&protect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_each_name_that_is_not_gits, make_root, remove_root),
        cmocka_unit_test_setup_teardown(keeps_what_worktrees_obey, make_root, remove_root),
        cmocka_unit_test_setup_teardown(keeps_a_crowded_repository_as_a_whole, make_root,
                                        remove_root),
        cmocka_unit_test_setup_teardown(keeps_one_with_very_many_worktrees_as_a_whole, make_root,
                                        remove_root),
        cmocka_unit_test_setup_teardown(keeps_no_module_of_many, make_root, remove_root),
        cmocka_unit_test_setup_teardown(keeps_modules_that_are_too_many, make_root, remove_root),
        cmocka_unit_test_setup_teardown(leaves_a_placeholder_to_its_command, make_root,
                                        remove_root),
        cmocka_unit_test_setup_teardown(is_barred_where_names_can_be_known, make_root, remove_root),
        cmocka_unit_test_setup_teardown(adds_little_for_repositories_in_one_another, make_root,
                                        remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
