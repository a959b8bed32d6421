/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/plain_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void check(const char *text, size_t columns, const char *expected)
{
    struct strbuf out = STRBUF_INIT;

    plain_lines_add(&out, text, columns, WRAP_EXACT);
    assert_string_equal(strbuf_str(&out), expected);
    strbuf_free(&out);
}

static void what_fits_stays_whole(void **state)
{
    (void)state;
    check("", 40, "\n");
    check("Answer for c1:", 40, "Answer for c1:\n");
    check("    | make  install", 40, "    | make  install\n");
}

static void lines_break_between_words(void **state)
{
    (void)state;
    check("one two three four five", 20, "one two three\n+ four five\n");
    check("  one two three four five", 20, "  one two three\n  + four five\n");
}

/* Where each blank counts. */
static void words_of_others_break_at_the_edge(void **state)
{
    (void)state;
    check("    | rm -rf  /  home", 16, "    | rm -rf  /\n    +   home\n");
    check("c12| some output of it", 16, "c12| some outpu\n   + t of it\n");
    check("  | one two three", 12, "  | one two\n  +  three\n");
}

static void a_text_of_others_breaks_between_words(void **state)
{
    struct strbuf out = STRBUF_INIT;

    (void)state;
    plain_lines_add(&out, "    | I need it for the tests.", 21, WRAP_WORDS);
    assert_string_equal(strbuf_str(&out), "    | I need it for\n    + the tests.\n");
    strbuf_free(&out);
}

/* An agent chooses its words so that they go on where a line of the console's own would begin. */
static void words_of_others_never_look_like_ours(void **state)
{
    (void)state;
    check("c1 codex, denied: true Risk: low", 25, "c1 codex, denied: true\n+ Risk: low\n");
    check("  Directory: /home/ann Risk: low", 25, "  Directory: /home/ann\n  + Risk: low\n");
    check("    | true            c1 codex, allowed once", 24,
          "    | true            c\n    + 1 codex, allowed \n    + once\n");
}

/* None should be in what is printed; one that is makes no line of ours. */
static void a_newline_makes_no_line_of_ours(void **state)
{
    (void)state;
    check("Warning: no\nc1 codex, allowed", 80, "Warning: no\n+ c1 codex, allowed\n");
    check("Warning: no\nc1 codex, allowed", 0, "Warning: no\n+ c1 codex, allowed\n");
    check("    | one\ntwo", 80, "    | one\n    | two\n");
}

static void nothing_is_broken_where_the_width_is_unknown(void **state)
{
    char line[3001], expected[3002];

    (void)state;
    memset(line, 'x', sizeof(line));
    memcpy(line, "c1| ", 4);
    line[sizeof(line) - 1] = '\0';
    snprintf(expected, sizeof(expected), "%s\n", line);
    check(line, 0, expected);
}

/* However narrow it is, or far from the edge a line begins. */
static void the_terminal_has_nothing_to_break(void **state)
{
    static const char *const lines[] = {
        "c1 codex, denied by you: install -m 0755 site.conf /etc/site.conf",
        "    | install -m 0755 site.conf \xe6\xbc\xa2\xe5\xad\x97 /etc/site.conf",
        "c123| install -m 0755 site.conf /etc/site.conf",
        "                                        install -m 0755 site.conf",
    };

    (void)state;
    for (size_t columns = 15; columns < 100; columns++) {
        for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
            enum wrap_mode mode = columns % 2 == 0 ? WRAP_WORDS : WRAP_EXACT;
            struct strbuf out = STRBUF_INIT;

            plain_lines_add(&out, lines[i], columns, mode);
            for (const char *at = strbuf_str(&out); *at != '\0'; at += strcspn(at, "\n") + 1)
                assert_true(text_width(at, strcspn(at, "\n")) < columns);
            strbuf_free(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_stays_whole),
        cmocka_unit_test(lines_break_between_words),
        cmocka_unit_test(words_of_others_break_at_the_edge),
        cmocka_unit_test(a_text_of_others_breaks_between_words),
        cmocka_unit_test(words_of_others_never_look_like_ours),
        cmocka_unit_test(a_newline_makes_no_line_of_ours),
        cmocka_unit_test(nothing_is_broken_where_the_width_is_unknown),
        cmocka_unit_test(the_terminal_has_nothing_to_break),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
