/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/wrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "base/text.h"

/* The lines, each followed by "|"; a continued one is preceded by "+". */
static void check(const char *text, size_t columns, enum wrap_mode mode, const char *expected)
{
    struct strbuf out = STRBUF_INIT;
    struct wrap wrap;

    wrap_init(&wrap, text, columns, mode);
    for (size_t i = 0; i < wrap.count; i++) {
        const struct wrap_line *line = &wrap.lines[i];

        assert_true(text_width(text + line->start, line->length) <= columns);
        strbuf_addstr(&out, line->continued ? "+" : "");
        strbuf_add(&out, text + line->start, line->length);
        strbuf_addch(&out, '|');
    }
    assert_string_equal(strbuf_str(&out), expected);
    strbuf_free(&out);
    wrap_clear(&wrap);
}

static void words(void **state)
{
    (void)state;
    check("", 10, WRAP_WORDS, "|");
    check("one two three", 20, WRAP_WORDS, "one two three|");
    check("one two three", 8, WRAP_WORDS, "one two|+three|");
    check("one two three", 7, WRAP_WORDS, "one two|+three|");
    check("one\ntwo", 8, WRAP_WORDS, "one|two|");
    check("averyveryverylongword end", 8, WRAP_WORDS, "averyver|+yverylon|+gword|+end|");
    check("a averyverylongword", 8, WRAP_WORDS, "a averyv|+erylongw|+ord|");
    /* A word that a line has room for is not torn, however short the line before it gets. */
    check("to longword end", 8, WRAP_WORDS, "to|+longword|+end|");
    /* A path is, where a directory ends. */
    check("in /home/ann/shop/src", 12, WRAP_WORDS, "in /home/|+ann/shop/src|");
}

/* Only the lines that go on begin further in. */
static void a_hanging_indent(void **state)
{
    static const struct {
        const char *text, *first, *second;
        size_t count;
    } rows[] = {
        {"one two three", "one two", "three", 2}, /* a line of 8, then of 5 */
        {"aa to longword end", "aa to", "longw", 4},
        {"one two", "one two", NULL, 1},
        {"one\ntwo", "one", "two", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct wrap wrap;

        wrap_init_hanging(&wrap, rows[i].text, 8, 3, WRAP_WORDS);
        assert_int_equal(wrap.count, rows[i].count);
        assert_int_equal(wrap.lines[0].length, strlen(rows[i].first));
        if (rows[i].second != NULL) {
            assert_int_equal(wrap.lines[1].length, strlen(rows[i].second));
            assert_memory_equal(rows[i].text + wrap.lines[1].start, rows[i].second,
                                strlen(rows[i].second));
        }
        wrap_clear(&wrap);
    }
}

/* French sets blanks before some punctuation. */
static void punctuation_behind_a_blank(void **state)
{
    (void)state;
    check("un deux trois : six", 14, WRAP_WORDS, "un deux|+trois : six|");
    check("un deux trois : six", 13, WRAP_WORDS, "un deux|+trois : six|");
    check("un deux trois ?", 13, WRAP_WORDS, "un deux|+trois ?|");
    check("un deux trois :six", 13, WRAP_WORDS, "un deux trois|+:six|");
    check("un deux trois six", 13, WRAP_WORDS, "un deux trois|+six|");
}

static void exactly(void **state)
{
    (void)state;
    check("ab  cd  ", 4, WRAP_EXACT, "ab  |+cd  |");
    check("    x\n\n  y", 4, WRAP_EXACT, "    |+x||  y|");
    check("abcd\n", 4, WRAP_EXACT, "abcd||");
}

static void wide_characters(void **state)
{
    (void)state;
    check("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, WRAP_EXACT,
          "\xe6\xbc\xa2\xe5\xad\x97|+\xe6\xbc\xa2|");
    check("a\xe6\xbc\xa2", 2, WRAP_EXACT, "a|+\xe6\xbc\xa2|");
    check("e\xcc\x81"
          "e\xcc\x81"
          "e\xcc\x81",
          2, WRAP_EXACT,
          "e\xcc\x81"
          "e\xcc\x81"
          "|+"
          "e\xcc\x81|");
}

/* Scripts without blanks: anywhere, but punctuation stays with what it belongs to. */
static void words_of_wide_characters(void **state)
{
    (void)state;
    check("漢字漢字", 4, WRAP_WORDS, "漢字|+漢字|");
    check("漢字漢字。", 9, WRAP_WORDS, "漢字漢|+字。|");
    check("漢字漢「字", 8, WRAP_WORDS, "漢字漢|+「字|");
    check("git に漢字", 6, WRAP_WORDS, "git に|+漢字|");
    check("漢字abc", 6, WRAP_WORDS, "漢字|+abc|");
    check("漢字 abc", 6, WRAP_WORDS, "漢字|+abc|");
}

/* No byte of a command is lost, whatever the width. */
static void nothing_is_lost(void **state)
{
    static const char text[] = "for i in 1 2 3; do\n  echo \xc3\xa4 \xe6\xbc\xa2 $i\ndone  ";

    (void)state;
    for (size_t columns = 2; columns < 40; columns++) {
        struct strbuf out = STRBUF_INIT;
        struct wrap wrap;

        wrap_init(&wrap, text, columns, WRAP_EXACT);
        for (size_t i = 0; i < wrap.count; i++) {
            if (i > 0 && !wrap.lines[i].continued)
                strbuf_addch(&out, '\n');
            strbuf_add(&out, text + wrap.lines[i].start, wrap.lines[i].length);
        }
        assert_string_equal(strbuf_str(&out), text);
        strbuf_free(&out);
        wrap_clear(&wrap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(a_hanging_indent),
        cmocka_unit_test(punctuation_behind_a_blank),
        cmocka_unit_test(exactly),
        cmocka_unit_test(wide_characters),
        cmocka_unit_test(words_of_wide_characters),
        cmocka_unit_test(nothing_is_lost),
    };

    return cmocka_run_group_tests_name("wrap", tests, NULL, NULL);
}
