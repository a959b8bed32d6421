/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/base64.h"

#include <stdint.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(struct strbuf *out, const void *bytes, size_t length)
{
    const unsigned char *in = bytes;
    char group[4];
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t bits = (uint32_t)in[i] << 16;
        bits |= left > 1 ? (uint32_t)in[i + 1] << 8 : 0;
        bits |= left > 2 ? in[i + 2] : 0;
        group[0] = alphabet[bits >> 18];
        group[1] = alphabet[bits >> 12 & 63];
        group[2] = '=';
        group[3] = '=';
        if (left > 1)
            group[2] = alphabet[bits >> 6 & 63];
        if (left > 2)
            group[3] = alphabet[bits & 63];
        strbuf_add(out, group, sizeof(group));
    }
}

static int digit(char character)
{
    if (character >= 'A' && character <= 'Z')
        return character - 'A';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 26;
    if (character >= '0' && character <= '9')
        return character - '0' + 52;
    if (character == '+')
        return 62;
    return character == '/' ? 63 : -1;
}

/* Decodes `count` (2 to 4) digits; -1 when one is foreign or bits are set that belong to nobody. */
static int decode_group(struct strbuf *out, const char *text, size_t count)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < 4; i++) {
        int value = i < count ? digit(text[i]) : 0;
        if (value < 0)
            return -1;
        bits = bits << 6 | (uint32_t)value;
    }
    size_t size = count - 1;
    if ((bits & (0xFFFFFFU >> (8 * size))) != 0)
        return -1;
    for (size_t i = 0; i < size; i++)
        strbuf_addch(out, (char)(bits >> (16 - 8 * i) & 0xFF));
    return 0;
}

int base64_decode(struct strbuf *out, const char *text, size_t length)
{
    size_t before = out->length;
    if (length % 4 != 0)
        return -1;
    for (size_t i = 0; i < length; i += 4) {
        size_t count = 4;
        if (i + 4 == length && text[i + 3] == '=')
            count = text[i + 2] == '=' ? 2 : 3;
        if (decode_group(out, text + i, count) < 0) {
            if (out->data != NULL) {
                out->length = before;
                out->data[before] = '\0';
            }
            return -1;
        }
    }
    return 0;
}
