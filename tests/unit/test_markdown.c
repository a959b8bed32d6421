/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/talk/markdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Attributes as letters: B strong, C code, 0 off. */
static void assert_row(struct markdown *state, const char *text, bool first, const char *expected)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT, plain = STRBUF_INIT;
    markdown_row(state, text, strlen(text), first, &out);
    for (const char *at = strbuf_str(&out); *at != '\0'; at++) {
        if (*at != '\033') {
            strbuf_addch(&plain, *at);
            continue;
        }
        at += 2;
        strbuf_addstr(&plain, *at == '0' ? "<0>" : *at == '1' ? "<B>" : "<C>");
        at += strcspn(at, "m");
    }
    assert_string_equal(strbuf_str(&plain), expected);
}

static void basics_become_attributes(void **state)
{
    struct markdown markdown = {0};
    (void)state;
    assert_row(&markdown, "## Title", true, "<0><B>Title<0>");
    assert_row(&markdown, "plain, a * b", true, "<0>plain, a * b<0>");
    assert_row(&markdown, "a **b** c", true, "<0>a <0><B>b<0> c<0>");
    assert_row(&markdown, "run `ls **x`", true, "<0>run <0><C>ls **x<0><0>");
    assert_row(&markdown, "  * item", true, "  - <0>item<0>");
    assert_row(&markdown, "#hash", true, "<0>#hash<0>");
}

static void fenced_code_is_as_it_is(void **state)
{
    struct markdown markdown = {0};
    (void)state;
    assert_row(&markdown, "```sh", true, "<0><C><0>");
    assert_row(&markdown, "# **no** `heading`", true, "<0><C># **no** `heading`<0>");
    assert_row(&markdown, "```", true, "<0><0>");
    assert_row(&markdown, "after", true, "<0>after<0>");
}

static void a_line_may_come_in_rows(void **state)
{
    struct markdown markdown = {0};
    (void)state;
    assert_row(&markdown, "a **b", true, "<0>a <0><B>b<0>");
    assert_row(&markdown, "# c** d", false, "<0><B># c<0> d<0>");
    assert_row(&markdown, "an open **end", true, "<0>an open <0><B>end<0>");
    assert_row(&markdown, "is over", true, "<0>is over<0>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basics_become_attributes),
        cmocka_unit_test(fenced_code_is_as_it_is),
        cmocka_unit_test(a_line_may_come_in_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
