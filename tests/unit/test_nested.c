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

#include "base/fd.h"
#include "sandbox/nested.h"

/* Each test has a directory of its own as current directory; what is found, in order. */
struct finds {
    char root[64];
    char text[1024];
};

static int make_root(void **state)
{
    static struct finds finds;
    strcpy(finds.root, "/tmp/nested.XXXXXX");
    finds.text[0] = '\0';
    *state = &finds;
    return mkdtemp(finds.root) && chdir(finds.root) == 0 ? 0 : -1;
}

static int remove_root(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", ((struct finds *)*state)->root);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void note(const char *directory, enum nested_kind kind, void *argument)
{
    struct finds *finds = argument;
    size_t length = strlen(finds->text);
    snprintf(finds->text + length, sizeof finds->text - length, "%s%s ",
             directory + strlen(finds->root), kind == NESTED_BARE ? "!" : "");
}

static void make(const char *path)
{
    assert_int_equal(fd_make_directories(path, 0755), 0);
}

static void make_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static void note_closed(const char *directory, enum nested_kind kind, void *argument)
{
    if (kind == NESTED_CLOSED)
        note(directory, kind, argument);
}

static void finds_files_of_variables(void **state)
{
    struct finds *finds = *state;
    struct nested nested = {.limit = 1000};
    make("a/b");
    make("a/leaf");
    make("a/none");
    make_file("a/.env.local");
    make_file("a/b/.env.production");
    make_file("a/leaf/.env");
    make_file("a/none/.env.example");
    make_file(".env");
    nested_search(&nested, finds->root, note_closed, finds);
    assert_non_null(strstr(finds->text, "/a "));
    assert_non_null(strstr(finds->text, "/a/b "));
    assert_non_null(strstr(finds->text, "/a/leaf "));
    assert_null(strstr(finds->text, "none"));
    nested_free(&nested);
}

static void finds_them_at_any_depth(void **state)
{
    struct finds *finds = *state;
    struct nested nested = {.limit = 1000};
    make("1/2/3/4/5/6/7/8/9/.git");
    make(".hidden/a/.git");
    make("b/objects");
    make("b/refs");
    make_file("b/HEAD");
    make("leaf");
    make_file("leaf/.git");
    make("node_modules/x/.git");
    assert_int_equal(symlink("1", "link"), 0);
    nested_search(&nested, finds->root, note, finds);
    assert_false(nested.incomplete);
    assert_non_null(strstr(finds->text, "/1/2/3/4/5/6/7/8/9 "));
    assert_non_null(strstr(finds->text, "/.hidden/a "));
    assert_non_null(strstr(finds->text, "/b! "));
    assert_non_null(strstr(finds->text, "/leaf "));
    assert_non_null(strstr(finds->text, "/node_modules/x "));
    assert_null(strstr(finds->text, "link"));
    nested_free(&nested);
}

static void looks_at_the_nearest_first(void **state)
{
    struct finds *finds = *state;
    struct nested nested = {.limit = 4};
    make("node_modules/1");
    make("node_modules/2");
    make("node_modules/3/.git");
    make("a/b/.git");
    nested_search(&nested, finds->root, note, finds);
    assert_true(nested.incomplete);
    assert_string_equal(finds->text, "/a/b ");
    nested_free(&nested);
}

static void finds_what_has_come(void **state)
{
    struct finds *finds = *state;
    struct nested nested = {.limit = 1000};
    const struct timespec since = {0, 0};
    struct timespec future;
    make("old/sub");
    make("other");
    nested_search(&nested, finds->root, note, finds);
    assert_string_equal(finds->text, "");
    make("old/sub/new/deep/.git");
    make(".git");
    clock_gettime(CLOCK_REALTIME, &future);
    future.tv_sec += 1000;
    nested_search_changed(&nested, &future, note, finds);
    assert_string_equal(finds->text, "");
    nested_search_changed(&nested, &since, note, finds);
    assert_string_equal(finds->text, " /old/sub/new/deep ");
    nested_free(&nested);
}

static void looks_into_what_is_gits_own(void **state)
{
    struct finds *finds = *state;
    struct nested nested = {.limit = 1000, .in_git = true};
    make("objects/ab/y/objects");
    make("objects/ab/y/refs");
    make_file("objects/ab/y/HEAD");
    make("logs/z/.git/refs");
    make("logs/z/.git/objects");
    make_file("logs/z/.git/HEAD");
    make("objects/cd");
    make_file("objects/cd/HEAD");
    make_file("objects/cd/commondir");
    nested_search(&nested, finds->root, note, finds);
    assert_non_null(strstr(finds->text, "/objects/ab/y! "));
    assert_non_null(strstr(finds->text, "/logs/z "));
    assert_non_null(strstr(finds->text, "/logs/z/.git! "));
    assert_non_null(strstr(finds->text, "/objects/cd! "));
    nested_free(&nested);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_them_at_any_depth, make_root, remove_root),
        cmocka_unit_test_setup_teardown(finds_files_of_variables, make_root, remove_root),
        cmocka_unit_test_setup_teardown(looks_at_the_nearest_first, make_root, remove_root),
        cmocka_unit_test_setup_teardown(looks_into_what_is_gits_own, make_root, remove_root),
        cmocka_unit_test_setup_teardown(finds_what_has_come, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
