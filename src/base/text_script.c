/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/array.h"
#include "base/text.h"
#include "base/text_tables.h"

/* Cyrillic and Greek letters that look like Latin ones; a word of these alone reads as Latin. */
static bool looks_latin(uint32_t codepoint)
{
    static const uint16_t letters[] = {
        0x391, 0x392, 0x395, 0x396, 0x397, 0x399, 0x39A, 0x39C, 0x39D, 0x39F, 0x3A1, 0x3A4,
        0x3A5, 0x3A7, 0x3B1, 0x3B9, 0x3BA, 0x3BD, 0x3BF, 0x3C1, 0x3C5, 0x3C7, 0x3F2, 0x3F3,
        0x405, 0x406, 0x408, 0x410, 0x412, 0x415, 0x41A, 0x41C, 0x41D, 0x41E, 0x420, 0x421,
        0x422, 0x423, 0x425, 0x430, 0x433, 0x435, 0x43E, 0x440, 0x441, 0x443, 0x445, 0x455,
        0x456, 0x458, 0x475, 0x4AE, 0x4AF, 0x4BB, 0x4C0, 0x4CF, 0x501, 0x51B, 0x51D};
    for (size_t i = 0; i < COUNT(letters); i++)
        if (letters[i] == codepoint)
            return true;
    return false;
}

struct word {
    unsigned latin, foreign, looks_latin, styled;
};

static bool is_deceptive(const struct word *word)
{
    if (word->styled > 0 || (word->latin > 0 && word->foreign > 0))
        return true;
    return word->foreign > 1 && word->foreign == word->looks_latin;
}

static void add_letter(struct word *word, uint32_t codepoint)
{
    if (text_range_has(text_latin, text_latin_count, codepoint)) {
        word->latin++;
    } else if (text_range_has(text_styled, text_styled_count, codepoint)) {
        word->styled++;
    } else if (text_range_has(text_foreign, text_foreign_count, codepoint)) {
        word->foreign++;
        word->looks_latin += looks_latin(codepoint);
    }
}

static bool ends_word(uint32_t codepoint)
{
    bool letter_or_digit = (codepoint >= '0' && codepoint <= '9') ||
                           ((codepoint | 0x20) >= 'a' && (codepoint | 0x20) <= 'z');
    return codepoint == TEXT_INVALID || (codepoint < 0x80 && !letter_or_digit);
}

static bool is_ascii(const char *text, size_t length)
{
    unsigned char bits = 0;
    for (size_t i = 0; i < length; i++)
        bits |= (unsigned char)text[i];
    return bits < 0x80;
}

bool text_mixed_scripts(const char *text, size_t length)
{
    struct word word = {0};
    if (is_ascii(text, length))
        return false; /* one script, and most texts */
    for (size_t i = 0; i < length;) {
        uint32_t codepoint;
        i += text_decode(text + i, length - i, &codepoint);
        if (!ends_word(codepoint)) {
            add_letter(&word, codepoint);
            continue;
        }
        if (is_deceptive(&word))
            return true;
        word = (struct word){0};
    }
    return is_deceptive(&word);
}
