/* SPDX-License-Identifier: MIT */
/* strbuf: a growing byte buffer that always ends in a NUL (not counted), so that it is a string
 * as long as nobody appends one. */
#ifndef ASSENT_BASE_STRBUF_H
#define ASSENT_BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
    char *data;      /* NULL while empty and never used; see strbuf_str() */
    size_t length;   /* bytes, without the NUL */
    size_t capacity; /* bytes allocated */
};

#define STRBUF_INIT                                                                                \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

void strbuf_add(struct strbuf *buffer, const void *bytes, size_t length);
void strbuf_addstr(struct strbuf *buffer, const char *string);
void strbuf_addch(struct strbuf *buffer, char byte);
void strbuf_addf(struct strbuf *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Removes `count` bytes from the front (at most all of them). */
void strbuf_consume(struct strbuf *buffer, size_t count);
/* Keeps the memory, drops the content. */
void strbuf_reset(struct strbuf *buffer);
/* The content as a string, "" when empty; owned by the buffer, valid until it changes. */
const char *strbuf_str(const struct strbuf *buffer);
/* Hands the content over as a string that the caller frees; the buffer is empty afterwards. */
char *strbuf_steal(struct strbuf *buffer);
void strbuf_free(struct strbuf *buffer); /* releases the content, not the struct */

#define cleanup_strbuf __attribute__((cleanup(strbuf_free)))

#endif
