/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/text.h"

#include <string.h>

#include "base/alloc.h"

/* Length of a character by its first byte, and the smallest code point that needs this length. */
static size_t sequence_length(unsigned char first, uint32_t *smallest)
{
    if (first >= 0xC2 && first <= 0xDF) {
        *smallest = 0x80;
        return 2;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        *smallest = 0x800;
        return 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        *smallest = 0x10000;
        return 4;
    }
    return 0;
}

size_t text_decode(const char *bytes, size_t length, uint32_t *codepoint)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    if (byte[0] < 0x80) {
        *codepoint = byte[0];
        return 1;
    }
    *codepoint = TEXT_INVALID;
    uint32_t smallest;
    size_t size = sequence_length(byte[0], &smallest);
    if (size == 0 || size > length)
        return 1;
    uint32_t value = byte[0] & (0xFFu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (byte[i] & 0x3F);
    }
    if (value < smallest || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 1;
    *codepoint = value;
    return size;
}

size_t text_encode(uint32_t codepoint, char out[4])
{
    static const unsigned char heads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    if (codepoint < 0x80) {
        out[0] = (char)codepoint;
        return 1;
    }
    size_t size = codepoint < 0x800 ? 2 : codepoint < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, codepoint >>= 6)
        out[i] = (char)(0x80 | (codepoint & 0x3F));
    out[0] = (char)(heads[size] | codepoint);
    return size;
}

bool text_valid_utf8(const char *bytes, size_t length)
{
    uint32_t codepoint;
    for (size_t i = 0; i < length;) {
        i += text_decode(bytes + i, length - i, &codepoint);
        if (codepoint == TEXT_INVALID)
            return false;
    }
    return true;
}

char *text_line(const char *text, size_t length, size_t columns)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_escape(&line, text, length, 0);
    if (text_width(strbuf_str(&line), line.length) > columns) {
        line.length = columns > 0 ? text_fit(line.data, line.length, columns - 1) : 0;
        strbuf_addstr(&line, columns > 0 ? "…" : "");
    }
    return strbuf_steal(&line);
}

static bool reserved_word(const char *word)
{
    static const char *const words[] = {"case",   "coproc", "do",   "done",     "elif", "else",
                                        "esac",   "fi",     "for",  "function", "if",   "in",
                                        "select", "then",   "time", "until",    "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Whether a shell takes the word as it is; the first word must not be an assignment or keyword. */
static bool is_bare_word(const char *word, bool first)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_@%+=:,./-";
    if (*word == '\0' || *word == '=' || word[strspn(word, bare)] != '\0')
        return false;
    return !first || (!strchr(word, '=') && !reserved_word(word));
}

static void add_quoted(struct strbuf *out, const char *word)
{
    strbuf_addch(out, '\'');
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1) {
        strbuf_add(out, word, (size_t)(quote - word));
        strbuf_addstr(out, "'\\''");
    }
    strbuf_addstr(out, word);
    strbuf_addch(out, '\'');
}

void text_quote_argv(struct strbuf *out, const char *const *argv)
{
    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            strbuf_addch(out, ' ');
        if (is_bare_word(argv[i], i == 0))
            strbuf_addstr(out, argv[i]);
        else
            add_quoted(out, argv[i]);
    }
}
