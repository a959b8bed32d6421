/* SPDX-License-Identifier: MIT */
/* patch_make: what it makes is read and applied by patch, and gives the content that was wanted. */
#include "config.h"

#include "command/patch_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "command/patch.h"

static void becomes(const char *old, const char *text)
{
    struct error error = ERROR_INIT;
    struct patch patch;
    cleanup_strbuf struct strbuf result = STRBUF_INIT;
    size_t old_length = old != NULL ? strlen(old) : 0;
    cleanup_free char *made = patch_make("/w/file", old, old_length, text, strlen(text));
    assert_non_null(made);
    if (patch_parse(made, strlen(made), &patch, &error) != 0 ||
        patch_apply(&patch.changes[0], old, old_length, &result, &error) != 0)
        fail_msg("%s: %s", error.message, made);
    assert_string_equal(strbuf_str(&result), text);
    patch_clear(&patch);
}

static void contents_become_others(void **state)
{
    static const char *const contents[] = {
        "",
        "a\n",
        "a",
        "\n",
        "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n",
        "one\ntwo\nthree\nfour\n5\nsix\nseven\neight\nnine\n",
        "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine",
        "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n",
        "*** End Patch\n+x\n-y\n@@\n",
        "x\nx\nx\nx\nx\nx\nx\nx\nx\n",
        "x\nx\nx\nx\nx\nx\nx\nx\n",
        "a\r\nb\r\nc\r\n",
        "a\r\nB\r\nc\r\n",
    };
    size_t count = sizeof(contents) / sizeof(contents[0]);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        bool crlf = strchr(contents[i], '\r') != NULL;
        if (!crlf)
            becomes(NULL, contents[i]);
        for (size_t j = 0; j < count; j++)
            if (i != j && crlf == (strchr(contents[j], '\r') != NULL))
                becomes(contents[i], contents[j]);
    }
}

static void what_is_the_same_is_left_out(void **state)
{
    static const char old[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    static const char new[] = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
    (void)state;
    cleanup_free char *made = patch_make("/w/f", old, strlen(old), new, strlen(new));
    assert_string_equal(made, "*** Begin Patch\n*** Update File: /w/f\n 2\n 3\n 4\n-5\n+five\n"
                              " 6\n 7\n 8\n*** End Patch\n");
}

static void there_may_be_nothing_to_do_or_to_say(void **state)
{
    (void)state;
    assert_null(patch_make("/w/f", "a\n", 2, "a\n", 2));
    assert_null(patch_make("/w/a\nb", NULL, 0, "a\n", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_become_others),
        cmocka_unit_test(what_is_the_same_is_left_out),
        cmocka_unit_test(there_may_be_nothing_to_do_or_to_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
