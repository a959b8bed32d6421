/* SPDX-License-Identifier: MIT */
/* Each known trick to make a person approve what the screen does not show, and what is shown for
 * it; then random text, whose escaped form is held against an independent reader. */
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

struct example {
    const char *name;
    const char *input;
    size_t length;
    unsigned flags;
    const char *expected;
    size_t replaced;
};
#define EXAMPLE(name, input, flags, expected, replaced)                                            \
    {                                                                                              \
        name, input, sizeof(input) - 1, flags, expected, replaced                                  \
    }

static void check_examples(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct example *example = &examples[i];
        struct strbuf out = STRBUF_INIT;
        size_t replaced = text_escape(&out, example->input, example->length, example->flags);
        if (strcmp(strbuf_str(&out), example->expected) != 0 || replaced != example->replaced)
            fail_msg("%s: \"%s\", %zu replaced; expected \"%s\", %zu", example->name,
                     strbuf_str(&out), replaced, example->expected, example->replaced);
        strbuf_free(&out);
    }
}
#define CHECK(examples) check_examples(examples, sizeof(examples) / sizeof *(examples))

static void ordinary_text_is_shown_as_it_is(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("empty", "", 0, "", 0),
        EXAMPLE("all of ASCII", " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", 0,
                " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", 0),
        EXAMPLE("languages", "Übergröße naïve Ελλάδα Привет 日本語 한국어 हिन्दी ไทย", 0,
                "Übergröße naïve Ελλάδα Привет 日本語 한국어 हिन्दी ไทย", 0),
        EXAMPLE("emoji", "ok \U0001F680 ✓", 0, "ok \U0001F680 ✓", 0),
        EXAMPLE("a mark's own form", "<ESC>", 0, "<ESC>", 0),
        EXAMPLE("spaces", "a        b", 0, "a        b", 0),
        EXAMPLE("lines", "a\n  b\n\nc\n", TEXT_KEEP_NEWLINES, "a\n  b\n\nc\n", 0),
    };
    CHECK(examples);
}

static void terminal_controls(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("erase line and rewrite", "rm -rf /\x1b[2K\rls", 0, "rm -rf /<ESC>[2K<CR>ls", 2),
        EXAMPLE("conceal", "ls \x1b[8m; rm -rf x\x1b[0m", 0, "ls <ESC>[8m; rm -rf x<ESC>[0m", 2),
        EXAMPLE("cursor up", "x\x1b[5A\x1b[0JAPPROVED", 0, "x<ESC>[5A<ESC>[0JAPPROVED", 2),
        EXAMPLE("reset",
                "\x1b"
                "c\x1b[?1049h",
                0, "<ESC>c<ESC>[?1049h", 2),
        EXAMPLE("C1 byte",
                "\x9b"
                "2K",
                0, "<0x9B>2K", 1),
        EXAMPLE("C1 character",
                "\xc2\x9b"
                "2K",
                0, "<U+009B>2K", 1),
        EXAMPLE("title", "\x1b]0;safe\x07", 0, "<ESC>]0;safe<BEL>", 2),
        EXAMPLE("clipboard", "\x1b]52;c;cm0gLXJm\x07", 0, "<ESC>]52;c;cm0gLXJm<BEL>", 2),
        EXAMPLE("hyperlink",
                "\x1b]8;;http://evil\x07"
                "docs\x1b]8;;\x07",
                0, "<ESC>]8;;http://evil<BEL>docs<ESC>]8;;<BEL>", 4),
        EXAMPLE("DCS", "\x1bPq#0\x1b\\", 0, "<ESC>Pq#0<ESC>\\", 2),
        EXAMPLE("APC, PM, SOS", "\x1b_G\x1b^\x1bX\x1b\\", 0, "<ESC>_G<ESC>^<ESC>X<ESC>\\", 4),
        EXAMPLE("queries that type back", "\x1b[6n\x1b[c\x1bP+q", 0, "<ESC>[6n<ESC>[c<ESC>P+q", 3),
        EXAMPLE("end of a paste", "\x1b[201~y\n", 0, "<ESC>[201~y<LF>", 2),
        EXAMPLE("tabs", "ls\t\t\t\t; rm x", 0, "ls<TAB x4>; rm x", 4),
        EXAMPLE("tabs in lines", "+\tmake\n \t\tx\ty\n", TEXT_KEEP_NEWLINES | TEXT_TABS,
                "+\u21e5   make\n \u21e5   \u21e5   x\u21e5   y\n", 0),
        EXAMPLE("indentation behind a patch's sign", "a\n+          {\n-         }",
                TEXT_KEEP_NEWLINES | TEXT_TABS, "a\n+          {\n-         }", 0),
        EXAMPLE("its arrow in lines", "\u21e5   a", TEXT_KEEP_NEWLINES | TEXT_TABS, "<U+21E5>   a",
                1),
        EXAMPLE("CR alone", "echo safe\rrm -rf x", 0, "echo safe<CR>rm -rf x", 1),
        EXAMPLE("CR in lines", "a\r\nb", TEXT_KEEP_NEWLINES, "a<CR>\nb", 1),
        EXAMPLE("backspace", "rm -rf x\b\b\b\b\b\bls", 0, "rm -rf x<BS x6>ls", 6),
        EXAMPLE("DEL", "x\x7f", 0, "x<DEL>", 1),
        EXAMPLE("ENQ, SO, SI", "\x05\x0e\x0f", 0, "<ENQ><SO><SI>", 3),
        EXAMPLE("NUL", "ls\0rm", 0, "ls<NUL>rm", 1),
        EXAMPLE("line feed in one line", "a\nb", 0, "a<LF>b", 1),
        EXAMPLE("line feeds as signs", "a\n\nb\r\n", TEXT_BREAKS, "a¶¶b<CR>¶", 1),
        EXAMPLE("many of them", "a\n\n\n\n\n\n\n\n\nb", TEXT_BREAKS, "a[9 newlines]b", 9),
        EXAMPLE("the sign itself", "a¶\nb̖", TEXT_BREAKS, "a<U+00B6>¶b̖", 1),
        EXAMPLE("what looks like it", "⁋❡⸿", TEXT_BREAKS, "<U+204B><U+2761><U+2E3F>", 3),
        EXAMPLE("a mark on it", "a\ń", TEXT_BREAKS, "a¶<U+0301>", 1),
        EXAMPLE("the sign where it is none", "a¶", 0, "a¶", 0),
        EXAMPLE("NEL",
                "a\xc2\x85"
                "b",
                TEXT_KEEP_NEWLINES, "a<U+0085>b", 1),
    };
    CHECK(examples);
}

static void every_control_has_a_name(void **state)
{
    (void)state;
    for (unsigned char byte = 0; byte < 0xA0; byte == 0x1F ? byte = 0x7F : byte++) {
        char c1[2] = {(char)0xC2, (char)byte};
        struct strbuf out = STRBUF_INIT;
        size_t replaced =
            byte < 0x80 ? text_escape(&out, (char *)&byte, 1, 0) : text_escape(&out, c1, 2, 0);
        assert_int_equal(replaced, 1);
        assert_true(out.length >= 4 && out.data[0] == '<' && out.data[out.length - 1] == '>');
        strbuf_free(&out);
    }
}

static void bidi(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("override", "rm -rf x # \u202egnp.sgol", 0, "rm -rf x # <U+202E>gnp.sgol", 1),
        EXAMPLE("embeddings", "\u202a\u202b\u202c\u202d", 0, "<U+202A><U+202B><U+202C><U+202D>", 4),
        EXAMPLE("isolates", "\u2066a\u2067b\u2068c\u2069", 0, "<U+2066>a<U+2067>b<U+2068>c<U+2069>",
                4),
        EXAMPLE("marks", "\u200e\u200f\u061c", 0, "<U+200E><U+200F><U+061C>", 3),
        EXAMPLE("Hebrew", "rm \u05d0\u05d1.txt", 0, "rm <U+05D0><U+05D1>.txt", 2),
        EXAMPLE("Arabic letter and digit", "\u0639\u0663", 0, "<U+0639><U+0663>", 2),
    };
    CHECK(examples);
}

static void invisible(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("zero width", "r\u200bm\u200c\u200d\u2060\ufeff\u00ad\u180e", 0,
                "r<U+200B>m<U+200C><U+200D><U+2060><U+FEFF><U+00AD><U+180E>", 7),
        EXAMPLE("tags", "ls\U000e0072\U000e006d", 0, "ls<U+E0072><U+E006D>", 2),
        EXAMPLE("variation selectors", "a\ufe0f\ufe00\U000e0100", 0, "a<U+FE0F><U+FE00><U+E0100>",
                3),
        EXAMPLE("fillers", "ls\u3164-rf\u115f\u1160\uffa0", 0,
                "ls<U+3164>-rf<U+115F><U+1160><U+FFA0>", 4),
        EXAMPLE("blank Braille", "a\u2800b", 0, "a<U+2800>b", 1),
        EXAMPLE("odd spaces", "\u00a0\u2003\u3000\u1680\u2028\u2029\u202f\u205f",
                TEXT_KEEP_NEWLINES,
                "<U+00A0><U+2003><U+3000><U+1680><U+2028><U+2029><U+202F><U+205F>", 8),
        EXAMPLE("annotation", "\ufff9\ufffa\ufffb", 0, "<U+FFF9><U+FFFA><U+FFFB>", 3),
        EXAMPLE("private use", "\ue000\U000f0000", 0, "<U+E000><U+F0000>", 2),
        EXAMPLE("unassigned", "\u0378\U0001fffe", 0, "<U+0378><U+1FFFE>", 2),
        EXAMPLE("emoji family", "\U0001F468\u200d\U0001F469\u200d\U0001F467", 0,
                "\U0001F468<U+200D>\U0001F469<U+200D>\U0001F467", 2),
        EXAMPLE("technologist", "\U0001F9D1\u200d\U0001F4BB", 0, "\U0001F9D1<U+200D>\U0001F4BB", 1),
        EXAMPLE("skin tone", "\U0001F44D\U0001F3FD", 0, "\U0001F44D<U+1F3FD>", 1),
        EXAMPLE("flag", "\U0001F1E9\U0001F1EA", 0, "<U+1F1E9><U+1F1EA>", 2),
    };
    CHECK(examples);
}

static void look_alikes(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("homoglyph (for text_mixed_scripts)", "\u0441url l\u0455", 0, "\u0441url l\u0455",
                0),
        EXAMPLE("fullwidth letters (the same)", "\uff52\uff4d", 0, "\uff52\uff4d", 0),
        EXAMPLE("semicolons", "ls \uff1b rm\u037e", 0, "ls <U+FF1B> rm<U+037E>", 2),
        EXAMPLE("pipes", "a \uff5c b \u2223 c \u2502 d \u01c0", 0,
                "a <U+FF5C> b <U+2223> c <U+2502> d <U+01C0>", 4),
        EXAMPLE("ampersand", "\uff06", 0, "<U+FF06>", 1),
        EXAMPLE("dashes", "rm \u2013rf \u2212rf \u2010\u2011\u2014\u2015\ufe63", 0,
                "rm <U+2013>rf <U+2212>rf <U+2010><U+2011><U+2014><U+2015><U+FE63>", 7),
        EXAMPLE("quotes", "echo \u2018; rm x\u2019 \u201c\u201d", 0,
                "echo <U+2018>; rm x<U+2019> <U+201C><U+201D>", 4),
        EXAMPLE("slashes", "\u2215etc\u2044x \uff0f", 0, "<U+2215>etc<U+2044>x <U+FF0F>", 3),
        EXAMPLE("the sign of a cut", "ls \u2026", 0, "ls <U+2026>", 1),
        EXAMPLE("Kelvin and Angstrom", "\u212a\u212b", 0, "<U+212A><U+212B>", 2),
    };
    CHECK(examples);
}

static void an_agents_words(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("frames", "\u250c\u2500\u2510\u2588\u2591", TEXT_PLAIN_AGENT,
                "<U+250C><U+2500><U+2510><U+2588><U+2591>", 5),
        EXAMPLE("frames elsewhere", "\u250c\u2588", 0, "\u250c\u2588", 0),
        EXAMPLE("look-alikes as ever", "rm \u2013rf \uff1b", TEXT_PLAIN_AGENT,
                "rm <U+2013>rf <U+FF1B>", 2),
        EXAMPLE("two lines", "a\nb", TEXT_PLAIN_AGENT | TEXT_KEEP_NEWLINES, "a\nb", 0),
        EXAMPLE("Markdown", "**SAFE** <details>", TEXT_PLAIN_AGENT, "**SAFE** <details>", 0),
        EXAMPLE("typography", "It\u2019s safe \u2013 \u201creally\u201d\u2026\uff0c", TEXT_PROSE,
                "It\u2019s safe \u2013 \u201creally\u201d\u2026\uff0c", 0),
        EXAMPLE("other look-alikes", "\u2223 \u2212 \u037e", TEXT_PROSE,
                "<U+2223> <U+2212> <U+037E>", 3),
        EXAMPLE("prose in a frame", "\u2502 \u201cx\u201d\u2588", TEXT_PROSE | TEXT_PLAIN_AGENT,
                "<U+2502> \u201cx\u201d<U+2588>", 2),
    };
    CHECK(examples);
}

static void combining_marks(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("zalgo", "a\u0301\u0301\u0301\u0301", 0, "a<U+0301 x4>", 4),
        EXAMPLE("two stay", "x\u0316\u0300\u0300\u0300", 0, "x\u0316\u0300<U+0300 x2>", 2),
        EXAMPLE("decomposed", "e\u0301", 0, "e<U+0301>", 1),
        EXAMPLE("precomposed", "\u00e9", 0, "\u00e9", 0),
        EXAMPLE("on a precomposed", "\u00e2\u0323", 0, "\u00e2<U+0323>", 1),
        EXAMPLE("not in canonical order", "x\u0300\u0316", 0, "x\u0300<U+0316>", 1),
        EXAMPLE("composes past another", "e\u0316\u0301", 0, "e\u0316<U+0301>", 1),
        EXAMPLE("first", "\u0301a", 0, "<U+0301>a", 1),
        EXAMPLE("on a space", " \u0338", 0, " <U+0338>", 1),
        EXAMPLE("on punctuation", "a |\u0335 b ;\u0321", 0, "a |<U+0335> b ;<U+0321>", 2),
        EXAMPLE("on a mark of ours", "\x1b\u0301", 0, "<ESC><U+0301>", 2),
        EXAMPLE("on a line break", "a\n\u0316", TEXT_KEEP_NEWLINES, "a\n<U+0316>", 1),
        EXAMPLE("Hangul in parts", "\u1112\u1161\u11ab", 0, "\u1112<U+1161><U+11AB>", 2),
        EXAMPLE("keycap", "1\u20e3", 0, "1<U+20E3>", 1),
    };
    CHECK(examples);
}

static void invalid_utf8(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("overlong slash", "\xc0\xaf", 0, "<0xC0><0xAF>", 2),
        EXAMPLE("overlong in three", "\xe0\x80\xaf", 0, "<0xE0><0x80><0xAF>", 3),
        EXAMPLE("surrogate", "\xed\xa0\x80", 0, "<0xED><0xA0><0x80>", 3),
        EXAMPLE("never", "\xff\xfe\xff", 0, "<0xFF><0xFE><0xFF>", 3),
        EXAMPLE("beyond Unicode", "\xf4\x90\x80\x80", 0, "<0xF4><0x90><0x80 x2>", 4),
        EXAMPLE("cut at the end", "a\xe2\x82", 0, "a<0xE2><0x82>", 2),
        EXAMPLE("cut by text", "\xe2\x82z\xc3(", 0, "<0xE2><0x82>z<0xC3>(", 3),
        EXAMPLE("lone continuation", "\x80\x80", 0, "<0x80 x2>", 2),
    };
    CHECK(examples);
}

/* ---- padding, and long text ---------------------------------------------------------------- */

static void add_repeated(struct strbuf *out, const char *piece, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strbuf_addstr(out, piece);
}

/* Escapes "HEAD" + count * "PIECE" + "TAIL". */
static void check_padding(const char *head, const char *piece, size_t count, const char *tail,
                          unsigned flags, const char *expected)
{
    struct strbuf input = STRBUF_INIT, out = STRBUF_INIT;
    strbuf_addstr(&input, head);
    add_repeated(&input, piece, count);
    strbuf_addstr(&input, tail);
    assert_true(text_escape(&out, input.data, input.length, flags) > 0);
    assert_string_equal(strbuf_str(&out), expected);
    strbuf_free(&input);
    strbuf_free(&out);
}

static void padding_is_counted(void **state)
{
    (void)state;
    check_padding("ls", " ", 5000, "; rm x", 0, "ls[5000 spaces]; rm x");
    check_padding("ls", " ", 9, "; rm x", TEXT_KEEP_NEWLINES, "ls[9 spaces]; rm x");
    check_padding("ls", "\n", 200, "rm x", 0, "ls[200 newlines]rm x");
    check_padding("ls", "\n", 200, "rm x", TEXT_KEEP_NEWLINES, "ls\n[200 newlines]\nrm x");
    check_padding("ls", "\n  ", 200, "rm x", TEXT_KEEP_NEWLINES, "ls\n[200 newlines]\n  rm x");
    check_padding("ls\n", " ", 33, "rm x", TEXT_KEEP_NEWLINES, "ls\n[33 spaces]rm x");
    check_padding("", "\a", 1000, "", 0, "<BEL x1000>");
    check_padding("a", "\u0301", 40, "", 0, "a<U+0301 x40>");
    check_padding("a", "\t", 300, "b", TEXT_KEEP_NEWLINES, "a<TAB x300>b");
    check_padding("a\n+", " ", 33, "{", TEXT_KEEP_NEWLINES | TEXT_TABS, "a\n+[33 spaces]{");
    check_padding("a\nb+", " ", 10, "{", TEXT_KEEP_NEWLINES | TEXT_TABS, "a\nb+[10 spaces]{");
    check_padding("a\n", "\t", 9, "b", TEXT_KEEP_NEWLINES | TEXT_TABS, "a\n<TAB x9>b");
    check_padding("a", "\u3000", 300, "b", 0, "a<U+3000 x300>b");
}

static void indentation_stays(void **state)
{
    (void)state;
    static const struct example examples[] = {
        EXAMPLE("deep code", "if x:\n            y()\n", TEXT_KEEP_NEWLINES,
                "if x:\n            y()\n", 0),
        EXAMPLE("comment camouflage", "ls # ; done\nrm x", TEXT_KEEP_NEWLINES, "ls # ; done\nrm x",
                0),
        EXAMPLE("after a here-document", "cat <<E\nbody\nE\nrm x", TEXT_KEEP_NEWLINES,
                "cat <<E\nbody\nE\nrm x", 0),
    };
    CHECK(examples);
}

static void a_long_line_keeps_head_and_tail(void **state)
{
    (void)state;
    struct strbuf input = STRBUF_INIT, out = STRBUF_INIT;
    add_repeated(&input, "a", 60000);
    strbuf_addstr(&input, "; rm -rf x");
    assert_int_equal(text_escape(&out, input.data, input.length, 0), 0);
    assert_int_equal(out.length, input.length);
    assert_memory_equal(out.data, input.data, input.length);
    strbuf_free(&input);
    strbuf_free(&out);
}

static void appends(void **state)
{
    (void)state;
    struct strbuf out = STRBUF_INIT;
    strbuf_addstr(&out, "e");
    text_escape(&out, "\u0316", 2, 0); /* must not join what was there before */
    text_escape(&out, "\a", 1, 0);
    text_escape(&out, "\a", 1, 0);
    assert_string_equal(strbuf_str(&out), "e<U+0316><BEL><BEL>");
    strbuf_free(&out);
}

/* ---- random text ---------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *seed) /* xorshift64* */
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * 0x2545F4914F6CDD1D;
}

/* Whether a character must never be in escaped text: written down here once more, by block, so that
 * a mistake in the tables does not excuse itself. */
static bool is_forbidden(uint32_t c, bool lines)
{
    if (c < 0x20)
        return !(lines && c == '\n');
    return (c >= 0x7F && c <= 0xA0) || c == 0xAD || c == 0x34F || c == 0x61C || c == 0x180E ||
           (c >= 0x590 && c <= 0x8FF) || (c >= 0x115F && c <= 0x1160) || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) ||
           (c >= 0x205F && c <= 0x206F) || c == 0x2800 || c == 0x3000 || c == 0x3164 ||
           (c >= 0xD800 && c <= 0xF8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
           (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFE70 && c <= 0xFEFF) || c == 0xFFA0 ||
           (c >= 0xFFF0 && c <= 0xFFFB) || (c & 0xFFFE) == 0xFFFE ||
           (c >= 0x10800 && c <= 0x10FFF) || (c >= 0x1E800 && c <= 0x1EFFF) || c >= 0xE0000;
}

/* Decodes without text_decode(); fails the test at a byte that is not well-formed. */
static uint32_t read_character(const unsigned char **at, const unsigned char *end)
{
    const unsigned char *p = *at;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = *p < 0x80 ? 1 : *p < 0xC0 ? 0 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;
    assert_true(size > 0 && size <= (size_t)(end - p));
    uint32_t c = size == 1 ? *p : *p & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        assert_int_equal(p[i] >> 6, 2);
        c = c * 64 + p[i] % 64;
    }
    assert_true(c >= smallest[size] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF));
    *at += size;
    return c;
}

static void check_safe(const struct strbuf *out, size_t length, unsigned flags)
{
    const unsigned char *at = (const unsigned char *)strbuf_str(out), *end = at + out->length;
    unsigned zero_width = 0;
    while (at < end) {
        uint32_t c = read_character(&at, end);
        if (is_forbidden(c, flags & TEXT_KEEP_NEWLINES))
            fail_msg("U+%04X got through", (unsigned)c);
        zero_width = text_codepoint_width(c) == 0 && c != '\n' ? zero_width + 1 : 0;
        if (zero_width > 2)
            fail_msg("%u of no width over one another", zero_width);
    }
    assert_true(out->length <= 6 * length + 16);
}

/* Characters of every kind, often those that matter, sometimes bytes of no kind. */
static void add_random_character(struct strbuf *text, uint64_t *seed)
{
    static const uint32_t starts[] = {0,      0x20,   0x80,   0x300,  0x5D0,  0x900,   0x1100,
                                      0x2000, 0x2010, 0x2500, 0x3000, 0xAC00, 0xFE00,  0xFF00,
                                      0xFFF0, 0x4E00, 0xD7B0, 0xE000, 0x1160, 0x1F3F0, 0xE0000};
    uint64_t random = next_random(seed);
    uint32_t choice = random & 0x1F;
    char bytes[4];
    if (choice == 31) {
        strbuf_addch(text, (char)(random >> 32));
    } else if (choice >= 24) {
        add_repeated(text, choice & 1 ? " " : "\n", random >> 40 & 0xF);
    } else {
        uint32_t c = choice < 21 ? starts[choice] + (random >> 32 & 0x3F)
                                 : (uint32_t)((random >> 32) % 0x110000);
        strbuf_add(text, bytes, text_encode(c, bytes)); /* surrogates too */
    }
}

static void random_text_is_safe(void **state)
{
    (void)state;
    uint64_t seed = 0x243F6A8885A308D3;
    struct strbuf text = STRBUF_INIT, out = STRBUF_INIT, again = STRBUF_INIT;
    for (int round = 0; round < 5000; round++) {
        strbuf_reset(&text);
        strbuf_reset(&out);
        strbuf_reset(&again);
        size_t count = next_random(&seed) % 40;
        for (size_t i = 0; i < count; i++)
            add_random_character(&text, &seed);
        unsigned flags = next_random(&seed) & 7;
        size_t replaced = text_escape(&out, strbuf_str(&text), text.length, flags);
        check_safe(&out, text.length, flags);
        assert_int_equal(replaced == 0, strcmp(strbuf_str(&out), strbuf_str(&text)) == 0 &&
                                            out.length == text.length);
        /* Safe text is left alone, so that nothing depends on how often it was escaped. */
        assert_int_equal(text_escape(&again, strbuf_str(&out), out.length, flags), 0);
        assert_string_equal(strbuf_str(&again), strbuf_str(&out));
    }
    strbuf_free(&text);
    strbuf_free(&out);
    strbuf_free(&again);
}

static void every_character_alone_is_safe(void **state)
{
    (void)state;
    struct strbuf out = STRBUF_INIT;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char bytes[4];
        size_t size = text_encode(c, bytes);
        strbuf_reset(&out);
        if (text_escape(&out, bytes, size, 0) == 0 && c != ' ')
            assert_in_range(text_codepoint_width(c), 1, 2);
        check_safe(&out, size, 0);
    }
    strbuf_free(&out);
}

/* A line of a megabyte of the worst kinds: done at all within the test's time means linear. */
static void a_megabyte_of_anything(void **state)
{
    (void)state;
    static const char *const pieces[] = {"\xff\xfe",   "\x1b\r",     "\u0301\u0316",
                                         " \n",        "\n\t",       "x\u0316\u0300\u0300",
                                         "        \n", "\U000e0072a"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        for (unsigned flags = 0; flags < 8; flags++) {
            struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
            add_repeated(&text, pieces[i], (1 << 17) / strlen(pieces[i]));
            text_escape(&out, text.data, text.length, flags);
            check_safe(&out, text.length, flags);
            strbuf_free(&text);
            strbuf_free(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_text_is_shown_as_it_is),
        cmocka_unit_test(terminal_controls),
        cmocka_unit_test(every_control_has_a_name),
        cmocka_unit_test(bidi),
        cmocka_unit_test(invisible),
        cmocka_unit_test(look_alikes),
        cmocka_unit_test(an_agents_words),
        cmocka_unit_test(combining_marks),
        cmocka_unit_test(invalid_utf8),
        cmocka_unit_test(padding_is_counted),
        cmocka_unit_test(indentation_stays),
        cmocka_unit_test(a_long_line_keeps_head_and_tail),
        cmocka_unit_test(appends),
        cmocka_unit_test(random_text_is_safe),
        cmocka_unit_test(every_character_alone_is_safe),
        cmocka_unit_test(a_megabyte_of_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
