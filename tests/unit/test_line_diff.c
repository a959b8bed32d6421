/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/line_diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
    const char *before, *after, *diff;
} cases[] = {
    {"", "", ""},
    {"a\nb\n", "a\nb\n", ""},
    {"", "a\n", "@@ -0,0 +1,1 @@\n+a\n"},
    {"a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
    {"a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
    {"a", "a\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
    {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nx\n9\n",
     "@@ -6,4 +6,5 @@\n 6\n 7\n 8\n+x\n 9\n"},
    /* Two changes: near ones share a hunk, far ones do not. */
    {"a\n1\n2\n3\n4\nb\n", "x\n1\n2\n3\n4\ny\n",
     "@@ -1,6 +1,6 @@\n-a\n+x\n 1\n 2\n 3\n 4\n-b\n+y\n"},
    {"a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", "x\n1\n2\n3\n4\n5\n6\n7\n8\ny\n",
     "@@ -1,4 +1,4 @@\n-a\n+x\n 1\n 2\n 3\n@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-b\n+y\n"},
};

static void diffs_are_unified(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cleanup_strbuf struct strbuf out = STRBUF_INIT;
        line_diff_add(&out, cases[i].before, cases[i].after);
        assert_string_equal(strbuf_str(&out), cases[i].diff);
    }
}

/* Beyond what the table may hold it is coarse, and still right at both ends. */
static void large_texts_are_compared_coarsely(void **state)
{
    (void)state;
    cleanup_strbuf struct strbuf before = STRBUF_INIT, after = STRBUF_INIT, out = STRBUF_INIT;
    strbuf_addstr(&before, "same\n");
    strbuf_addstr(&after, "same\n");
    for (int i = 0; i < 3000; i++) {
        strbuf_addf(&before, "%d\n", i);
        strbuf_addf(&after, "%d\n", -i - 1);
    }
    line_diff_add(&out, strbuf_str(&before), strbuf_str(&after));
    assert_memory_equal(strbuf_str(&out), "@@ -1,3001 +1,3001 @@\n same\n-0\n-1\n", 34);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diffs_are_unified),
        cmocka_unit_test(large_texts_are_compared_coarsely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
