/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

static void every_character_survives_encoding(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char bytes[4];
        uint32_t back;
        size_t size = text_encode(c, bytes);
        assert_int_equal(size, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        assert_int_equal(text_decode(bytes, size, &back), surrogate ? 1 : size);
        assert_int_equal(back, surrogate ? TEXT_INVALID : c);
    }
}

/* All sequences of two bytes, and of three with every kind of third: well-formed exactly where
 * table 3-7 of the Unicode Standard says so. */
static bool is_well_formed(const unsigned char *b, size_t length)
{
    if (length == 1)
        return b[0] < 0x80;
    if (length == 2)
        return b[0] >= 0xC2 && b[0] <= 0xDF && b[1] >= 0x80 && b[1] <= 0xBF;
    unsigned low = b[0] == 0xE0 ? 0xA0 : b[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = b[0] == 0xED ? 0x9F : b[0] == 0xF4 ? 0x8F : 0xBF;
    if (b[1] < low || b[1] > high || b[2] < 0x80 || b[2] > 0xBF)
        return false;
    if (length == 3)
        return b[0] >= 0xE0 && b[0] <= 0xEF;
    return b[0] >= 0xF0 && b[0] <= 0xF4 && b[3] >= 0x80 && b[3] <= 0xBF;
}

static void check_decoding(const unsigned char *bytes, size_t length)
{
    uint32_t codepoint;
    size_t size = text_decode((const char *)bytes, length, &codepoint);
    size_t expected = 0;
    for (size_t i = 1; i <= length && !expected; i++)
        if (is_well_formed(bytes, i))
            expected = i;
    assert_int_equal(size, expected ? expected : 1);
    assert_int_equal(codepoint == TEXT_INVALID, expected == 0);
}

static void only_well_formed_sequences_are_decoded(void **state)
{
    (void)state;
    static const unsigned char tails[] = {0x00, 0x41, 0x7F, 0x80, 0x8F,
                                          0xA5, 0xBF, 0xC0, 0xE2, 0xFF};
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            unsigned char bytes[4] = {(unsigned char)first, (unsigned char)second, 0, 0};
            check_decoding(bytes, 1);
            check_decoding(bytes, 2);
            for (size_t i = 0; i < sizeof tails; i++) {
                bytes[2] = tails[i];
                check_decoding(bytes, 3);
                bytes[3] = tails[(i * 7 + first) % sizeof tails];
                check_decoding(bytes, 4);
            }
        }
    }
}

static void validity(void **state)
{
    (void)state;
    assert_true(text_valid_utf8("", 0));
    assert_true(text_valid_utf8("aä€😀\0z", sizeof("aä€😀\0z") - 1));
    assert_false(text_valid_utf8("aä", 2)); /* cut in the middle */
    assert_false(text_valid_utf8("\xed\xa0\x80", 3));
    assert_false(text_valid_utf8("ok\x80", 3));
}

static void widths(void **state)
{
    (void)state;
    static const struct {
        uint32_t first, last;
        int width;
    } examples[] = {
        {0, 0x1F, 0},          {' ', '~', 1},         {0x7F, 0x9F, 0},        {0xA0, 0x2FF, 1},
        {0x300, 0x36F, 0},     {0x391, 0x3A1, 1},     {0x1100, 0x115F, 2},    {0x1160, 0x11FF, 0},
        {0x200B, 0x200F, 0},   {0x2013, 0x2027, 1},   {0x202A, 0x202E, 0},    {0x2500, 0x257F, 1},
        {0x3000, 0x3029, 2},   {0x3041, 0x3096, 2},   {0x4E00, 0x9FFF, 2},    {0xAC00, 0xD7A3, 2},
        {0xE000, 0xF8FF, 1},   {0xFE00, 0xFE0F, 0},   {0xFF01, 0xFF60, 2},    {0xFF61, 0xFF9F, 1},
        {0x1F1E6, 0x1F1FF, 1}, {0x1F600, 0x1F64F, 2}, {0x1F9D1, 0x1F9D1, 2},  {0x1FAE8, 0x1FAE8, 2},
        {0x20000, 0x2FFFD, 2}, {0x31350, 0x323AF, 2}, {0xE0000, 0xE0FFF, 0},  {0x231A, 0x231B, 2},
        {0x2714, 0x2714, 1},   {0x600, 0x605, 1},     {0x10FFFF, 0x10FFFF, 1}};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        for (uint32_t c = examples[i].first; c <= examples[i].last; c++)
            if (text_codepoint_width(c) != examples[i].width)
                fail_msg("U+%04X: %d", (unsigned)c, text_codepoint_width(c));
    assert_int_equal(text_width("", 0), 0);
    assert_int_equal(text_width("aä日本e\u0316", strlen("aä日本e\u0316")), 7);
}

static void fitting_never_splits(void **state)
{
    (void)state;
    static const char text[] = "a日e\u0316\u0300x";
    static const size_t fits[] = {0, 1, 1, 4, 9, 10, 10};
    for (size_t columns = 0; columns < sizeof fits / sizeof *fits; columns++)
        assert_int_equal(text_fit(text, sizeof text - 1, columns), fits[columns]);
    assert_int_equal(text_fit("", 0, 5), 0);
}

static void check_line(const char *text, size_t columns, const char *expected)
{
    cleanup_free char *line = text_line(text, strlen(text), columns);
    assert_string_equal(line, expected);
    assert_true(text_width(line, strlen(line)) <= columns);
}

static void lines_are_cut_and_escaped(void **state)
{
    (void)state;
    check_line("short", 80, "short");
    check_line("exactly", 7, "exactly");
    check_line("one more", 7, "one mo…");
    check_line("日本語", 5, "日本…");
    check_line("日本語", 4, "日…");
    check_line("a\x1b[31m", 80, "a<ESC>[31m");
    check_line("a\x1b[31m", 4, "a…"); /* half a mark tells nothing */
    check_line("a\x1b[31m", 6, "a…");
    check_line("a\x1b[31m", 7, "a<ESC>…");
    check_line("a\x07\x07\x07\x07 b", 9, "a…");
    check_line("\xe2\x80\xaezzzzz", 6, "…");
    check_line("cat <in >out and more", 8, "cat <in…");
    check_line("a < B and more", 8, "a < B a…");
    check_line("two\nlines", 80, "two<LF>lines");
    check_line("x", 0, "");
    check_line("xy", 1, "…");
    check_line("", 0, "");
}

static void check_ends(const char *text, size_t columns, const char *expected)
{
    cleanup_free char *line = text_line_ends(text, strlen(text), columns, 0);

    assert_string_equal(line, expected);
    assert_true(text_width(line, strlen(line)) <= columns);
}

static void lines_are_cut_in_the_middle(void **state)
{
    (void)state;
    check_ends("as long as this is", 18, "as long as this is");
    check_ends("as long as this is.", 18, "as long as …is is.");
    check_ends("too narrow for ends", 12, "too nar…ends");
    check_ends("too narrow for ends", 11, "too narrow…");
    check_ends("cp 日本語日本語日本語 日本語", 16, "cp 日本語…日本語");
    check_ends("a\x1b\x1b\x1b\x1b\x1b and then it goes on to the end", 20, "a<ESC x5> an…the end");
    check_ends("it says nothing of\x1b\x07 this", 20, "it says noth… this");
    check_ends("<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", 16, "<<<<<<<<<<…<<<<<");
}

static void check_path(const char *path, size_t columns, const char *expected)
{
    cleanup_free char *line = text_path_ends(path, strlen(path), columns);

    assert_string_equal(line, expected);
    assert_true(text_width(line, strlen(line)) <= columns);
}

/* Between its parts where that can be; what it ends in is the last to go. */
static void paths_are_cut_between_their_parts(void **state)
{
    (void)state;
    check_path("/home/ann/shop/data/file", 24, "/home/ann/shop/data/file");
    check_path("/home/ann/shop/data/file", 23, "/home/ann/…/data/file");
    check_path("/home/ann/shop/data/file", 20, "/home/…/data/file");
    check_path("/home/ann/shop/data/file", 16, "/home/ann/…/file");
    check_path("/home/ann/shop/data/file", 15, "/home/…/file");
    check_path("/home/ann/shop/data/file", 11, "…/data/file");
    check_path("/home/ann/shop/data/file", 6, "…/file");
    check_path("/home/ann/shop/data/file", 5, "…file");
    check_path("/home/ann/shop/data/file", 1, "…");
    check_path("/home/ann/shop/data/file", 0, "");
    check_path("/home/ann/shop/data/", 15, "/home/…/data/");
    check_path("shop/src/lib/deep/x.c", 16, "shop/…/deep/x.c");
    check_path("/home/ann/a-name-that-is-long-by-itself", 20, "/home/…ong-by-itself");
    check_path("/home/ann/a-name-that-is-long-by-itself", 30, "/home/ann/…t-is-long-by-itself");
    check_path("/home/a-long-name/another-name-that-is-long", 25, "/home/…-name-that-is-long");
    check_path("a-name-that-is-long/another-name-that-is-long", 24, "…other-name-that-is-long");
    check_path("no-path-at-all-but-long", 20, "no-path-at-a…ut-long");
    check_path("/home/日本語日本語日本語", 7, "…日本語");
    check_path("/home/x/\x1b\x1b\x1b", 8, "…");
}

/* ---- quoting ------------------------------------------------------------------------------- */

static void check_quoted(const char *const *argv, const char *expected)
{
    struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, argv);
    assert_string_equal(strbuf_str(&line), expected);
    strbuf_free(&line);
}
#define CHECK_QUOTED(expected, ...) check_quoted((const char *const[]){__VA_ARGS__, NULL}, expected)

/* What is written for readers keeps the punctuation of its language. */
static void sentences_keep_their_punctuation(void **state)
{
    static const char text[] = "允许“x”，继续";
    cleanup_free char *sentence = text_sentence(text, strlen(text), 40);
    cleanup_free char *cut = text_sentence(text, strlen(text), 6);
    cleanup_free char *line = text_line(text, strlen(text), 80);
    (void)state;
    assert_string_equal(sentence, text);
    assert_string_equal(cut, "允许“…");
    assert_string_equal(line, "允许<U+201C>x<U+201D><U+FF0C>继续");
}

static void padding_counts_columns(void **state)
{
    (void)state;
    assert_int_equal(text_padding("ab", 4), 2);
    assert_int_equal(text_padding("允", 4), 2);
    assert_int_equal(text_padding("允许ab", 4), 0);
}

static void quotes_only_where_needed(void **state)
{
    (void)state;
    CHECK_QUOTED("git commit -m 'a b' --author=x@y.org", "git", "commit", "-m", "a b",
                 "--author=x@y.org");
    CHECK_QUOTED("echo '' 'it'\\''s' '$HOME' '~' '*' '#'", "echo", "", "it's", "$HOME", "~", "*",
                 "#");
    CHECK_QUOTED("'A=b' A=b '=ls'", "A=b", "A=b", "=ls");
    CHECK_QUOTED("'if' if", "if", "if");
    CHECK_QUOTED("'!' '{' 'a\nb'", "!", "{", "a\nb");
    CHECK_QUOTED("'ü'", "ü");
    check_quoted((const char *const[]){NULL}, "");
}

/* What a shell makes of the line: its words, each ended by a NUL. */
static void read_by_shell(const char *shell, const struct strbuf *line, struct strbuf *words)
{
    static const char script[] = "eval \"set -- $LINE\"; printf '%s\\0' \"$@\"";
    setenv("LINE", strbuf_str(line), 1);
    cleanup_free char *command = xasprintf("%s -c '%s'", shell, "eval \"$SCRIPT\"");
    setenv("SCRIPT", script, 1);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    char buffer[4096];
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, stream)) > 0;)
        strbuf_add(words, buffer, count);
    assert_int_equal(pclose(stream), 0);
}

static void shells_read_back_what_was_quoted(void **state)
{
    (void)state;
    static const char *const shells[] = {"sh", "bash"};
    static const char characters[] = "a b'\"\\$`!*?[]{}()<>|&;~#=%^-+\n\t\r\x01\xff,.:/@";
    unsigned seed = 99;
    struct strbuf line = STRBUF_INIT, expected = STRBUF_INIT, words = STRBUF_INIT;
    char *argv[300];
    for (size_t i = 0; i < 299; i++) {
        char word[12];
        size_t length = (size_t)rand_r(&seed) % sizeof word;
        for (size_t j = 0; j < length; j++)
            word[j] = characters[(size_t)rand_r(&seed) % (sizeof characters - 1)];
        argv[i] = length ? xmemdup(word, length + 1) : xstrdup("");
        argv[i][length] = '\0';
        strbuf_add(&expected, argv[i], length + 1);
    }
    argv[299] = NULL;
    text_quote_argv(&line, (const char *const *)argv);
    for (size_t i = 0; i < 2; i++) {
        strbuf_reset(&words);
        read_by_shell(shells[i], &line, &words);
        assert_int_equal(words.length, expected.length);
        assert_memory_equal(words.data, expected.data, expected.length);
    }
    for (size_t i = 0; i < 299; i++)
        free(argv[i]);
    strbuf_free(&line);
    strbuf_free(&expected);
    strbuf_free(&words);
}

static void scripts_that_look_alike(void **state)
{
    (void)state;
    static const char *const deceptive[] = {"\u0441url",
                                            "l\u0455 -a",
                                            "rm \uff52\uff4d",
                                            "\u0440\u0430\u0443",
                                            "\U0001D42B\U0001D426",
                                            "/bin/\u0430t",
                                            "p\u03b1ssword",
                                            "\u0261it",
                                            "\u24e1m",
                                            "x; \u0455h y",
                                            "\u216flone"};
    static const char *const honest[] = {"",
                                         "curl",
                                         "\u0438\u043c\u044f.txt",
                                         "naïve café",
                                         "\u0395\u03bb\u03bb\u03ac\u03b4\u03b1",
                                         "日本語.txt",
                                         "/home/\u0438\u043c\u044f/src",
                                         "a-\u044f",
                                         "\xff\xfe"};
    for (size_t i = 0; i < sizeof deceptive / sizeof *deceptive; i++)
        if (!text_mixed_scripts(deceptive[i], strlen(deceptive[i])))
            fail_msg("not noticed: %s", deceptive[i]);
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++)
        if (text_mixed_scripts(honest[i], strlen(honest[i])))
            fail_msg("wrongly noticed: %s", honest[i]);
}

static void nothing_is_the_same_as_nothing(void **state)
{
    char copy[] = "a";
    (void)state;
    assert_true(text_same(NULL, NULL));
    assert_true(text_same("a", copy));
    assert_false(text_same("a", NULL));
    assert_false(text_same(NULL, ""));
    assert_false(text_same("a", "A"));
}

static void numbers_are_compared_as_numbers(void **state)
{
    /* in order */
    static const char *const texts[] = {"",
                                        "a",
                                        "a/b",
                                        "g",
                                        "g1",
                                        "g2",
                                        "g02x",
                                        "g10",
                                        "g10a",
                                        "g99999999999999999999",
                                        "g100000000000000000000",
                                        "h",
                                        "\xff"};
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        for (size_t j = 0; j < COUNT(texts); j++) {
            int order = text_compare(texts[i], texts[j]);
            if ((order > 0) - (order < 0) != (i > j) - (i < j))
                fail_msg("%s, %s: %d", texts[i], texts[j], order);
        }
    assert_true(text_compare("g2", "g02") != 0);
    assert_true((text_compare("g2", "g02") < 0) == (text_compare("g02", "g2") > 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_compared_as_numbers),
        cmocka_unit_test(every_character_survives_encoding),
        cmocka_unit_test(only_well_formed_sequences_are_decoded),
        cmocka_unit_test(validity),
        cmocka_unit_test(widths),
        cmocka_unit_test(fitting_never_splits),
        cmocka_unit_test(lines_are_cut_and_escaped),
        cmocka_unit_test(lines_are_cut_in_the_middle),
        cmocka_unit_test(paths_are_cut_between_their_parts),
        cmocka_unit_test(sentences_keep_their_punctuation),
        cmocka_unit_test(padding_counts_columns),
        cmocka_unit_test(quotes_only_where_needed),
        cmocka_unit_test(shells_read_back_what_was_quoted),
        cmocka_unit_test(scripts_that_look_alike),
        cmocka_unit_test(nothing_is_the_same_as_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
