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

/* The lines, each followed by "|"; a continued one is preceded by "+", and of WRAP_BLANKS a torn
 * one followed by "~" as well. */
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
        if (mode == WRAP_BLANKS && wrap_is_torn(&wrap, text, i))
            strbuf_addch(&out, '~');
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

/* A command: behind a blank in the last third, which stays; "~" stands where a word is torn. */
static void commands(void **state)
{
    (void)state;
    check("", 12, WRAP_BLANKS, "|");
    check("rm -rf build", 12, WRAP_BLANKS, "rm -rf build|");
    check("rm -rfv build out", 12, WRAP_BLANKS, "rm -rfv buil~|+d out|");
    check("rm -rfvx build out", 12, WRAP_BLANKS, "rm -rfvx |+build out|");
    check("cp --archiv a b", 12, WRAP_BLANKS, "cp --archiv |+a b|");
    check("echo one\ntwo three", 12, WRAP_BLANKS, "echo one|two three|");
    check("make all\nrm -rf x", 12, WRAP_BLANKS, "make all|rm -rf x|");
    check("averyveryverylongword end", 9, WRAP_BLANKS, "averyvery~|+verylongw~|+ord end|");
}

/* A row that begins with a blank has one cut off the row before, or many; what follows is never
 * taken for the same word. */
static void blanks_at_the_edge(void **state)
{
    (void)state;
    check("cp --archive a b", 12, WRAP_BLANKS, "cp --archive|+ a b|");
    check("cp --arch   a b", 12, WRAP_BLANKS, "cp --arch   |+a b|");
    check("cp --arch    a b", 12, WRAP_BLANKS, "cp --arch   |+ a b|");
    check("cp one two    a b", 12, WRAP_BLANKS, "cp one two  |+  a b|");
    check("rm -rf build  ", 12, WRAP_BLANKS, "rm -rf build|+  |");
    check("rm -rf buil  ", 12, WRAP_BLANKS, "rm -rf buil |+ |");
    check("            x", 12, WRAP_BLANKS, "            |+x|");
}

/* "\\" before a break would look like a line that the shell goes on with. */
static void blanks_that_are_no_place(void **state)
{
    (void)state;
    check("rm my\\ old\\ files", 13, WRAP_BLANKS, "rm my\\ old\\ f~|+iles|");
    check("rm a my\\ files", 12, WRAP_BLANKS, "rm a my\\ fil~|+es|");
    check("rm a my\\\\ files", 12, WRAP_BLANKS, "rm a my\\\\ |+files|");
}

/* The blanks within what stands for what cannot be shown. */
static void blanks_of_marks(void **state)
{
    (void)state;
    check("rm abcdef <BEL x10> x", 15, WRAP_BLANKS, "rm abcdef <BEL |+x10> x|");
    check("rm abcdefgh <BEL x10> x", 18, WRAP_BLANKS, "rm abcdefgh <BEL x~|+10> x|");
    check("rm abcdefghi <BEL x10> x", 18, WRAP_BLANKS, "rm abcdefghi |+<BEL x10> x|");
    check("rm abcdefghi [9 spaces] x", 18, WRAP_BLANKS, "rm abcdefghi |+[9 spaces] x|");
    check("if [ -f ok ]; then x", 16, WRAP_BLANKS, "if [ -f ok ]; |+then x|");
    /* A tab is an arrow and blanks. */
    check("rm abcde\u21e5   \u21e5   x", 12, WRAP_BLANKS, "rm abcde\u21e5   |+\u21e5   x|");
}

static void wide_characters(void **state)
{
    (void)state;
    check("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, WRAP_EXACT,
          "\xe6\xbc\xa2\xe5\xad\x97|+\xe6\xbc\xa2|");
    check("a\xe6\xbc\xa2", 2, WRAP_EXACT, "a|+\xe6\xbc\xa2|");
    check("漢字漢字", 5, WRAP_BLANKS, "漢字~|+漢字|");
    check("漢字 漢字", 5, WRAP_BLANKS, "漢字 |+漢字|");
    check("漢字 漢字", 4, WRAP_BLANKS, "漢字|+ 漢~|+字|");
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
static void nothing_is_lost_in(enum wrap_mode mode)
{
    static const char text[] = "for i in 1 2 3; do\n  echo \xc3\xa4 \xe6\xbc\xa2 $i\ndone  ";

    for (size_t columns = 2; columns < 40; columns++) {
        struct strbuf out = STRBUF_INIT;
        struct wrap wrap;

        wrap_init(&wrap, text, columns, mode);
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

static void nothing_is_lost(void **state)
{
    (void)state;
    nothing_is_lost_in(WRAP_EXACT);
    nothing_is_lost_in(WRAP_BLANKS);
}

static size_t columns_of(const struct wrap *wrap, const char *text, size_t line)
{
    return text_width(text + wrap->lines[line].start, wrap->lines[line].length);
}

/* Whatever an agent writes: a row goes on behind a blank, with one, or is seen to be torn; and it
 * is no shorter than two thirds of what there is. */
static void check_rows(const char *text, size_t columns)
{
    struct wrap wrap;

    wrap_init(&wrap, text, columns, WRAP_BLANKS);
    for (size_t i = 0; i + 1 < wrap.count; i++) {
        const char *next = text + wrap.lines[i + 1].start;

        if (!wrap.lines[i + 1].continued) {
            assert_int_equal(next[-1], '\n');
            assert_false(wrap_is_torn(&wrap, text, i));
            continue;
        }
        assert_ptr_equal(next, text + wrap.lines[i].start + wrap.lines[i].length);
        assert_true(next[-1] == ' ' || next[0] == ' ' || wrap_is_torn(&wrap, text, i));
        assert_true(columns_of(&wrap, text, i) + columns / 3 >= columns ||
                    columns_of(&wrap, text, i) + 2 > columns);
        /* One that is not full has a blank at its end, or the mark. */
        if (columns_of(&wrap, text, i) < columns)
            assert_true(next[-1] == ' ' || wrap_is_torn(&wrap, text, i));
    }
    wrap_clear(&wrap);
}

static void rows_are_told_apart(void **state)
{
    static const char *const parts[] = {" ",  "  ", "\\", "a",    "bc",          "/",
                                        "\n", "漢", "é",  "<LF>", "[12 spaces]", "⇥   "};
    uint32_t seed = 1;

    (void)state;
    for (int round = 0; round < 400; round++) {
        struct strbuf text = STRBUF_INIT;

        for (int i = 0; i < 60; i++) {
            seed = seed * 1664525 + 1013904223;
            strbuf_addstr(&text, parts[(seed >> 16) % (sizeof(parts) / sizeof(parts[0]))]);
        }
        for (size_t columns = 2; columns < 50; columns += 3)
            check_rows(strbuf_str(&text), columns);
        strbuf_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(a_hanging_indent),
        cmocka_unit_test(punctuation_behind_a_blank),
        cmocka_unit_test(exactly),
        cmocka_unit_test(commands),
        cmocka_unit_test(blanks_at_the_edge),
        cmocka_unit_test(blanks_that_are_no_place),
        cmocka_unit_test(blanks_of_marks),
        cmocka_unit_test(wide_characters),
        cmocka_unit_test(words_of_wide_characters),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(rows_are_told_apart),
    };

    return cmocka_run_group_tests_name("wrap", tests, NULL, NULL);
}
