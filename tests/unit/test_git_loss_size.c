/* SPDX-License-Identifier: MIT */
/* How much stands behind the names of what git does not have, in a real directory. */
#include "config.h"

#include "risk/git_loss_size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "tree_fixture.h"

static int set_up(void **state)
{
    char *root = tree_new();
    tree_write(root, ".git/HEAD", "ref: refs/heads/main\n", 0644);
    tree_write(root, "new", "12345", 0644);
    tree_write(root, "sub/new", "123", 0644);
    tree_write(root, "out/a", "1234567", 0644);
    tree_write(root, "out/in/b c", "123", 0644);
    *state = root;
    return 0;
}

static int tear_down(void **state)
{
    tree_remove(*state);
    return 0;
}

/* On a busy machine it can take too long to be told: then it is asked once more, as it is there. */
static char *marked_sizes_of(const char *root, enum git_loss_kind kind, const char *seen,
                             const char *const *words, const char *cwd)
{
    struct git_loss loss = {.kind = kind, .seen = xstrdup(seen)};
    cleanup_free char *directory = xasprintf("%s%s", root, cwd);
    for (int i = 0; i < 50 && loss.sizes == NULL; i++)
        git_loss_measure(&loss, words, directory);
    free(loss.seen);
    return loss.sizes;
}

/* Without the times. */
static char *sizes_of(const char *root, enum git_loss_kind kind, const char *seen,
                      const char *const *words, const char *cwd)
{
    char *sizes = marked_sizes_of(root, kind, seen, words, cwd), *to = sizes;
    for (const char *from = sizes; from != NULL && *from != '\0';) {
        from += strncmp(from, "\t@", 2) == 0 ? strcspn(from, "\n") : 0;
        *to++ = *from++;
    }
    if (to != NULL)
        *to = '\0';
    return sizes;
}

static void each_name_has_its_size(void **state)
{
    static const char *const clean[] = {"clean", "-n", NULL};
    static const char *const there[] = {"-C", "sub", "clean", "-n", NULL};
    static const char *const all[] = {"ls-files", "-o", "--full-name", "--", "sub", NULL};
    static const char *const file[] = {"ls-files", "-o", "--", "--full-name", NULL};
    static const struct {
        enum git_loss_kind kind;
        const char *seen;
        const char *const *words;
        const char *cwd, *sizes;
    } rows[] = {
        {GIT_LOSES_FILES, "new\nout/\nout/in/\n", clean, "", "5\n2\t10\n1\t3\n"},
        {GIT_LOSES_FILES, "new\n", there, "", "3\n"},
        {GIT_LOSES_FILES, "new\n", clean, "/sub", "3\n"},
        {GIT_LOSES_UNTRACKED, "new\nsub/new\n", all, "/sub", "5\n3\n"},
        {GIT_LOSES_UNTRACKED, "new\n", file, "/sub", "3\n"}, /* a file has that name */
        {GIT_LOSES_FILES, "none\n\"a\\tb\"\nnew…\n../new\n\n", clean, "", "\n\n\n\n\n"},
        {GIT_LOSES_FILES, "new\n", clean, "/nonesuch", "\n"},
        {GIT_LOSES_FILES, "", clean, "", NULL},
        {GIT_LOSES_COMMITS, "new\n", clean, "", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *sizes =
            sizes_of(*state, rows[i].kind, rows[i].seen, rows[i].words, rows[i].cwd);
        if ((sizes == NULL) != (rows[i].sizes == NULL) ||
            (sizes != NULL && strcmp(sizes, rows[i].sizes) != 0))
            fail_msg("%zu: %s", i, sizes);
    }
}

/* The attack: a directory that git does not take for a repository has a small file of that name. */
static void what_could_be_one_of_two_has_no_size(void **state)
{
    static const char *const all[] = {"ls-files", "-o", "--full-name", "--", "new", NULL};
    const char *root = *state;
    tree_write(root, "sub/.git/none", "", 0644);
    tree_write(root, "sub/sub/new", "1", 0644);
    cleanup_free char *sizes =
        sizes_of(root, GIT_LOSES_UNTRACKED, "sub/new\nout/a\nout/in/\n", all, "/sub");
    assert_string_equal(sizes, "\n7\n1\t3\n");
}

/* The attacks: a link out of it, and a tree that has no end. */
static void what_is_walked_is_bounded(void **state)
{
    static const char *const clean[] = {"clean", "-n", NULL};
    const char *root = *state;
    cleanup_free char *link = xasprintf("%s/out/all", root);
    cleanup_free char *linked = xasprintf("%s/link", root);
    assert_int_equal(symlink("/", link), 0);
    assert_int_equal(symlink("/usr", linked), 0);
    cleanup_free char *sizes = sizes_of(root, GIT_LOSES_FILES, "out/\nlink\nlink/\n", clean, "");
    assert_string_equal(sizes, "3\t10\n\n\n");
    cleanup_free char *fill = xasprintf("cd '%s/sub' && seq -f many%%g 5000 | xargs touch", root);
    assert_int_equal(system(fill), 0);
    cleanup_free char *many = sizes_of(root, GIT_LOSES_FILES, "sub/\nout/\nnew\n", clean, "");
    assert_string_equal(many, "+\n\n5\n");
    cleanup_free char *deep =
        xasprintf("cd '%s/out/in' && mkdir -p $(seq -f d%%g 60 | tr '\\n' '/')", root);
    assert_int_equal(system(deep), 0);
    cleanup_free char *below = sizes_of(root, GIT_LOSES_FILES, "out/in/\n", clean, "");
    assert_string_equal(below, "\n");
}

/* The attack on what one has not read: other work under the same name, and of the same size. */
static void an_edit_of_the_same_size_is_news(void **state)
{
    static const char *const clean[] = {"clean", "-n", NULL};
    static const char *const diff[] = {"diff", "--numstat", "--no-relative", "--", NULL};
    static const char *const show[] = {"stash", "show", "--numstat", NULL};
    static const struct {
        enum git_loss_kind kind;
        const char *const *words;
        bool news;
    } rows[] = {{GIT_LOSES_FILES, clean, true},
                {GIT_LOSES_CHANGES, diff, true},
                {GIT_LOSES_CHANGES, show, false}};
    const char *root = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *before = marked_sizes_of(root, rows[i].kind, "new\n", rows[i].words, "");
        usleep(20000); /* more than the clock of files takes */
        tree_write(root, "new", "abcde", 0644);
        cleanup_free char *after = marked_sizes_of(root, rows[i].kind, "new\n", rows[i].words, "");
        assert_true((before == NULL) == !rows[i].news);
        if (before != NULL)
            assert_string_not_equal(before, after);
    }
    cleanup_free char *before = marked_sizes_of(root, GIT_LOSES_FILES, "out/\n", clean, "");
    usleep(20000);
    tree_write(root, "out/in/b c", "uvw", 0644); /* within a directory, too */
    cleanup_free char *after = marked_sizes_of(root, GIT_LOSES_FILES, "out/\n", clean, "");
    assert_string_not_equal(before, after);
}

static void what_grows_is_no_news_each_second(void **state)
{
    static const char *const clean[] = {"clean", "-n", NULL};
    const char *root = *state;
    cleanup_free char *path = xasprintf("%s/new", root);
    static const struct {
        off_t size;
        const char *told;
    } rows[] = {{10000, "10000\n"}, {12345, "12000\n"}, {1299999, "1200000\n"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(truncate(path, rows[i].size), 0);
        cleanup_free char *sizes = marked_sizes_of(root, GIT_LOSES_FILES, "new\n", clean, "");
        assert_string_equal(sizes, rows[i].told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_name_has_its_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_could_be_one_of_two_has_no_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_walked_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_edit_of_the_same_size_is_news, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_grows_is_no_news_each_second, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
