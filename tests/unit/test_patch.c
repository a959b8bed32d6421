/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

#define BEGIN "*** Begin Patch\n"
#define END "*** End Patch\n"

static int parse(const char *text, struct patch *patch, struct error *error)
{
    return patch_parse(text, strlen(text), patch, error);
}

static void test_every_kind_of_change(void **state)
{
    (void)state;
    struct patch patch;
    struct error error = ERROR_INIT;
    size_t added, removed;
    int result = parse(BEGIN "*** Add File: new.txt\n+one\n+\n"
                             "*** Delete File: gone.txt\n"
                             "*** Update File: a/b.c\n*** Move to: a/c.c\n"
                             "@@ int main(void)\n {\n-    return 1;\n+    return 0;\n }\n"
                             "@@\n-x\n*** End of File\n" END,
                       &patch, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, 0);
    assert_int_equal(patch.count, 3);
    assert_int_equal(patch.changes[0].kind, PATCH_ADD);
    assert_int_equal(patch.changes[0].hunks[0].count, 2);
    assert_int_equal(patch.changes[1].kind, PATCH_DELETE);
    const struct patch_change *update = &patch.changes[2];
    assert_int_equal(update->kind, PATCH_UPDATE);
    assert_string_equal(update->move_to, "a/c.c");
    assert_int_equal(update->count, 2);
    assert_int_equal(update->hunks[0].anchor_count, 1);
    assert_true(update->hunks[1].at_end);
    patch_count(&patch, &added, &removed);
    assert_int_equal(added, 3);
    assert_int_equal(removed, 2);
    cleanup_strv char **paths = patch_paths(&patch, "/w");
    static const char *const expected[] = {"/w/a/b.c", "/w/a/c.c", "/w/gone.txt", "/w/new.txt"};
    assert_int_equal(strv_length((const char *const *)paths), COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_string_equal(paths[i], expected[i]);
    patch_clear(&patch);
}

static void test_errors_say_where_and_what(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "empty"},
        {"hello\n", "line 1: \"hello\": expected \"*** Begin Patch\""},
        {BEGIN, "line 2: the patch ends here: expected"},
        {BEGIN END, "changes nothing"},
        {BEGIN "*** Rename File: x\n" END, "line 2: \"*** Rename File: x\": expected"},
        {BEGIN "*** Add File: \n+x\n" END, "line 2: the path is empty"},
        {BEGIN "*** Add File: x\nno plus\n" END, "line 3: \"no plus\""},
        {BEGIN "*** Update File: x\n" END, "line 3: "},
        {BEGIN "*** Update File: x\n@@\n" END, "line 4: "},
        {BEGIN "*** Update File: x\n*** Move to: \n" END, "line 3: the path is empty"},
        /* an empty line without its end would be none */
        {BEGIN "*** Add File: x\n+a\n+\n\\ No newline at end of file\n" END, "line 5: "},
        {BEGIN "*** Update File: x\n@@\n+\r\n\\ No newline at end of file\n" END, "line 5: "},
        {BEGIN "*** Delete File: x\n" END "more\n", "line 4: \"more\": expected nothing"},
        {BEGIN "*** Delete File: x\n*** Add File: ./x\n+1\n" END, "x is named twice"},
        {BEGIN "*** Delete File: x\n*** Add File: y/../x\n+1\n" END, "x is named twice"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct patch patch;
        struct error error = ERROR_INIT;
        assert_int_equal(parse(cases[i].text, &patch, &error), -1);
        if (strstr(error.message, cases[i].message) == NULL)
            fail_msg("%s: %s", cases[i].text, error.message);
        patch_clear(&patch);
    }
}

/* The first change of a patch, applied. */
static char *applied(const char *change, const char *old, struct error *error)
{
    struct patch patch;
    struct strbuf result = STRBUF_INIT;
    cleanup_free char *text = xasprintf(BEGIN "%s" END, change);
    if (parse(text, &patch, error) != 0)
        fail_msg("%s", error->message);
    int status = patch_apply(&patch.changes[0], old, strlen(old), &result, error);
    patch_clear(&patch);
    char *bytes = status == 0 ? xstrdup(strbuf_str(&result)) : NULL;
    strbuf_free(&result);
    return bytes;
}

static void test_what_files_hold_afterwards(void **state)
{
    (void)state;
#define UPDATE "*** Update File: f\n"
    static const struct {
        const char *change, *old, *expected;
    } cases[] = {
        {"*** Add File: f\n+a\n+b\n", "", "a\nb\n"},
        {"*** Add File: f\n", "", ""},
        {UPDATE "@@\n-a\n+b\n", "a\n", "b\n"},
        {UPDATE " a\n+x\n b\n", "a\nb\n", "a\nx\nb\n"},
        /* the second of two equal places, by its anchor */
        {UPDATE "@@ g()\n-x\n+y\n", "f()\nx\ng()\nx\n", "f()\nx\ng()\ny\n"},
        /* anchors behind one another */
        {UPDATE "@@ class B\n@@ f()\n-x\n+y\n", "class A\nf()\nx\nclass B\nf()\nx\n",
         "class A\nf()\nx\nclass B\nf()\ny\n"},
        /* the last of two equal places */
        {UPDATE "@@\n-x\n+y\n*** End of File\n", "x\nx\n", "x\ny\n"},
        /* hunks in order */
        {UPDATE "@@\n-a\n+1\n@@\n-a\n+2\n", "a\na\na\n", "1\n2\na\n"},
        /* only additions: at the end, and behind an anchor */
        {UPDATE "@@\n+z\n", "a\n", "a\nz\n"},
        {UPDATE "@@ a\n+z\n", "a\nb\n", "a\nz\nb\n"},
        /* no newline at the end */
        {UPDATE "@@\n-b\n+c\n", "a\nb", "a\nc\n"},
        {UPDATE "@@\n a\n+c\n", "a", "a\nc\n"},
        {UPDATE "@@\n-a\n", "a\nb", "b"},
        {UPDATE "@@\n a\n+c\n\\ No newline at end of file\n", "a\n", "a\nc"},
        /* said of the line that goes, not of what stays */
        {UPDATE "@@\n-b\n\\ No newline at end of file\n", "a\n\nb", "a\n\n"},
        /* spaces that nobody sees; what stays keeps its own */
        {UPDATE "@@\n a\n-b\n+c\n", "a  \nb\t\n", "a  \nc\n"},
        {UPDATE "@@\n if x:\n-y()\n+z()\n", "    if x:\n        y()\n", "    if x:\nz()\n"},
        /* as written wins over what is only alike */
        {UPDATE "@@\n-x\n+y\n", " x\nx\n", " x\ny\n"},
        {UPDATE "@@\n-b\n+c\n", "a\r\nb\r\n", "a\r\nc\r\n"},
        /* an empty line of context whose space was trimmed */
        {UPDATE "@@\n a\n\n-b\n+c\n", "a\n\nb\n", "a\n\nc\n"},
        {UPDATE "*** Move to: g\n", "a\n", "a\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error error = ERROR_INIT;
        cleanup_free char *result = applied(cases[i].change, cases[i].old, &error);
        if (result == NULL)
            fail_msg("case %zu: %s", i, error.message);
        assert_string_equal(result, cases[i].expected);
    }
}

static void test_what_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *change, *old, *message;
    } cases[] = {
        {UPDATE "@@\n-missing\n+x\n", "a\n", "hunk at line 3 of the patch"},
        {UPDATE "@@\n-missing\n+x\n", "a\n", "\"missing\""},
        {UPDATE "@@ nowhere\n-a\n+x\n", "a\n", "\"nowhere\""},
        {UPDATE "@@\n-b\n+x\n@@\n-a\n+y\n", "a\nb\n", "hunk at line 6"},
        {UPDATE "@@\n-a\n-b\n-c\n", "a\nb\n", "\"c\""},
        {UPDATE "@@\n-a\n*** End of File\n", "a\nb\n", "hunk at line 3"},
        {UPDATE "@@\n-a\n+b\n", "", "hunk at line 3"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error error = ERROR_INIT;
        cleanup_free char *result = applied(cases[i].change, cases[i].old, &error);
        assert_null(result);
        if (strstr(error.message, cases[i].message) == NULL)
            fail_msg("case %zu: %s", i, error.message);
    }
}

static void test_paths(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a", "/w/a"},       {"./a", "/w/a"},        {"../a", "/a"},   {"../../../a", "/a"},
        {"/x//y/", "/x/y"},  {"a/b/../c", "/w/a/c"}, {"..", "/"},      {".", "/w"},
        {"/../etc", "/etc"}, {"a..", "/w/a.."},      {"...", "/w/..."}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        cleanup_free char *path = patch_path_absolute(cases[i][0], "/w");
        assert_string_equal(path, cases[i][1]);
    }
}

static void test_hostile_bytes(void **state)
{
    (void)state;
    static const char nul_path[] = BEGIN "*** Add File: a\0b\n+x\n" END;
    struct patch patch;
    struct error error = ERROR_INIT;
    assert_int_equal(patch_parse(nul_path, sizeof(nul_path) - 1, &patch, &error), -1);
    patch_clear(&patch);
    static const char nul_text[] = BEGIN "*** Add File: a\n+x\0y\n" END;
    assert_int_equal(patch_parse(nul_text, sizeof(nul_text) - 1, &patch, &error), 0);
    assert_int_equal(patch.changes[0].hunks[0].lines[0].length, 3);
    patch_clear(&patch);
    cleanup_free char *huge = xcalloc(1, PATCH_SIZE_MAX + 1);
    assert_int_equal(patch_parse(huge, PATCH_SIZE_MAX + 1, &patch, &error), -1);
    patch_clear(&patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_change),
        cmocka_unit_test(test_errors_say_where_and_what),
        cmocka_unit_test(test_what_files_hold_afterwards),
        cmocka_unit_test(test_what_does_not_fit),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_hostile_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
