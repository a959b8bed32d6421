/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/git_index.h"

enum { SHA1 = GIT_SHA1_SIZE, SHA256 = GIT_SHA256_SIZE };

struct index {
    char bytes[1024];
    size_t size;
};

static void begin(struct index *index, char version, char count)
{
    memset(index, 0, sizeof *index);
    memcpy(index->bytes, "DIRC", 4);
    index->bytes[7] = version;
    index->bytes[11] = count;
    index->size = 12;
}

/* Version 2: the path ends in one to eight zeros. */
static void add(struct index *index, const char *path, size_t hash)
{
    size_t head = 40 + hash + 2;
    memcpy(index->bytes + index->size + head, path, strlen(path));
    index->size += (head + strlen(path) + 8) / 8 * 8;
}

/* Version 4: what is dropped of the path before, and the rest. */
static void add_differing(struct index *index, char dropped, const char *rest)
{
    index->size += 40 + SHA1 + 2;
    index->bytes[index->size++] = dropped;
    strcpy(index->bytes + index->size, rest);
    index->size += strlen(rest) + 1;
}

/* With something behind it, as the extensions and the sum are. */
static bool is_harmless(struct index *index, size_t hash)
{
    return git_index_is_harmless(index->bytes, index->size + 40, hash);
}

static bool is_harmless_path(const char *path)
{
    struct index index;
    begin(&index, 2, 3);
    add(&index, "a", SHA1);
    add(&index, path, SHA1);
    add(&index, "z/z", SHA1);
    return is_harmless(&index, SHA1);
}

static void test_paths(void **state)
{
    (void)state;
    static const char *const FINE[] = {"file", "dir/file", ".gitignore", "a/.github/x", "a..b",
                                       "...",  "sparse/",  ".g",         "a/git",       ""};
    static const char *const BAD[] = {"../x",          "a/../x", "/x",    ".git/hooks/x",
                                      "a/.GIT/config", "./x",    "a//x",  "..",
                                      "a/..",          ".git",   "a/./x", "sub/.git/x/y"};
    for (size_t i = 0; i < sizeof FINE / sizeof *FINE; i++)
        assert_true(is_harmless_path(FINE[i]));
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(is_harmless_path(BAD[i]));
}

static void test_a_path_alone(void **state)
{
    (void)state;
    assert_true(git_index_path_is_inside("a/b"));
    assert_false(git_index_path_is_inside("../b"));
}

static void test_longer_names_of_objects(void **state)
{
    (void)state;
    struct index index;
    begin(&index, 3, 2);
    add(&index, "file", SHA256);
    add(&index, "x", SHA256);
    assert_true(is_harmless(&index, SHA256));
    begin(&index, 3, 1);
    add(&index, "../file", SHA256);
    assert_false(is_harmless(&index, SHA256));
}

static void test_paths_that_go_on(void **state)
{
    (void)state;
    struct index index;
    begin(&index, 4, 2);
    add_differing(&index, 0, "a/file");
    add_differing(&index, 4, "other");
    assert_true(is_harmless(&index, SHA1));
    begin(&index, 4, 2);
    add_differing(&index, 0, "a/.gut");
    add_differing(&index, 2, "it/x");
    assert_false(is_harmless(&index, SHA1));
    begin(&index, 4, 1);
    add_differing(&index, 1, "x"); /* more than there is */
    assert_false(is_harmless(&index, SHA1));
}

static void test_what_is_no_index(void **state)
{
    (void)state;
    struct index index;
    assert_true(git_index_is_harmless("", 0, SHA1));
    assert_false(git_index_is_harmless("DIRX", 4, SHA1));
    begin(&index, 5, 0);
    assert_false(is_harmless(&index, SHA1));
    begin(&index, 2, 9); /* ends before the ninth */
    add(&index, "a", SHA1);
    assert_false(is_harmless(&index, SHA1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_a_path_alone),
        cmocka_unit_test(test_longer_names_of_objects),
        cmocka_unit_test(test_paths_that_go_on),
        cmocka_unit_test(test_what_is_no_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
