/* SPDX-License-Identifier: MIT */
/* base64: bytes as text, RFC 4648 section 4 (the alphabet with + and /, padded). */
#ifndef ASSENT_BASE_BASE64_H
#define ASSENT_BASE_BASE64_H

#include <stddef.h>

#include "base/strbuf.h"

/* Appends the text for the bytes. */
void base64_encode(struct strbuf *out, const void *bytes, size_t length);

/* Appends the bytes that the text stands for. 0, or -1 when it is not canonical (foreign
 * characters, missing padding, bits that no encoder sets): then nothing is appended. */
int base64_decode(struct strbuf *out, const char *text, size_t length);

#endif
