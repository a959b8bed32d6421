/* SPDX-License-Identifier: MIT */
/* text_utf8: characters out of bytes and back. */
#include "config.h"

#include "base/text.h"

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
