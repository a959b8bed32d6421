/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/base64.h"

#include <stdint.h>
#include <string.h>

/* Groups that are collected before they go to the buffer. */
#define BLOCK_GROUPS 1024

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Text of one group of up to three bytes. */
static void encode_group(const unsigned char *in, size_t left, char group[4])
{
    uint32_t bits = (uint32_t)in[0] << 16;
    bits |= left > 1 ? (uint32_t)in[1] << 8 : 0;
    bits |= left > 2 ? in[2] : 0;
    group[0] = alphabet[bits >> 18];
    group[1] = alphabet[bits >> 12 & 63];
    group[2] = left > 1 ? alphabet[bits >> 6 & 63] : '=';
    group[3] = left > 2 ? alphabet[bits & 63] : '=';
}

void base64_encode(struct strbuf *out, const void *bytes, size_t length)
{
    const unsigned char *in = bytes;
    char block[4 * BLOCK_GROUPS];
    size_t used = 0;
    for (size_t i = 0; i < length; i += 3) {
        encode_group(in + i, length - i, block + used);
        used += 4;
        if (used == sizeof(block)) {
            strbuf_add(out, block, used);
            used = 0;
        }
    }
    if (used > 0)
        strbuf_add(out, block, used);
}

/* The value of a digit, -1 for a foreign character. */
static int digit(char character)
{
    static const signed char values[256] = {
        ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,
        ['H'] = 8,  ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14,
        ['O'] = 15, ['P'] = 16, ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21,
        ['V'] = 22, ['W'] = 23, ['X'] = 24, ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28,
        ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35,
        ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,
        ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48, ['w'] = 49,
        ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
        ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63,
        ['/'] = 64, /* one more than the value, so that 0 means foreign */
    };
    return values[(unsigned char)character] - 1;
}

/* Decodes `count` (2 to 4) digits into count - 1 bytes; -1 when one is foreign or bits are set that
 * belong to nobody. */
static int decode_group(const char *text, size_t count, char bytes[3])
{
    uint32_t bits = 0;
    for (size_t i = 0; i < 4; i++) {
        int value = i < count ? digit(text[i]) : 0;
        if (value < 0)
            return -1;
        bits = bits << 6 | (uint32_t)value;
    }
    if ((bits & (0xFFFFFFU >> (8 * (count - 1)))) != 0)
        return -1;
    for (size_t i = 0; i < 3; i++)
        bytes[i] = (char)(bits >> (16 - 8 * i) & 0xFF);
    return 0;
}

/* Digits in the group at `at`: fewer than four only in the last one. */
static size_t group_digits(const char *text, size_t length, size_t at)
{
    if (at + 4 < length || text[at + 3] != '=')
        return 4;
    return text[at + 2] == '=' ? 2 : 3;
}

int base64_decode(struct strbuf *out, const char *text, size_t length)
{
    struct strbuf decoded = STRBUF_INIT;
    char block[3 * BLOCK_GROUPS];
    size_t used = 0;
    if (length % 4 != 0)
        return -1;
    for (size_t i = 0; i < length; i += 4) {
        size_t count = group_digits(text, length, i);
        if (decode_group(text + i, count, block + used) < 0) {
            strbuf_free(&decoded);
            return -1;
        }
        used += count - 1;
        if (used == sizeof(block) || i + 4 == length) {
            strbuf_add(&decoded, block, used);
            used = 0;
        }
    }
    if (decoded.length > 0)
        strbuf_add(out, decoded.data, decoded.length);
    strbuf_free(&decoded);
    return 0;
}
