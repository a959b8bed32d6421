/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* Makes room for `extra` more bytes and the NUL. */
static void reserve(struct strbuf *buffer, size_t extra)
{
    size_t needed;
    if (__builtin_add_overflow(buffer->length, extra, &needed) ||
        __builtin_add_overflow(needed, 1, &needed))
        needed = SIZE_MAX; /* refused, with the message, by the allocation below */
    if (needed <= buffer->capacity)
        return;
    size_t capacity = buffer->capacity < 32 ? 64 : buffer->capacity;
    if (capacity < needed)
        capacity = capacity <= SIZE_MAX / 2 && capacity * 2 >= needed ? capacity * 2 : needed;
    buffer->data = xreallocarray(buffer->data, capacity, 1);
    buffer->capacity = capacity;
}

void strbuf_add(struct strbuf *buffer, const void *bytes, size_t length)
{
    reserve(buffer, length);
    if (length > 0)
        memcpy(buffer->data + buffer->length, bytes, length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

void strbuf_addstr(struct strbuf *buffer, const char *string)
{
    strbuf_add(buffer, string, strlen(string));
}

void strbuf_addch(struct strbuf *buffer, char byte)
{
    strbuf_add(buffer, &byte, 1);
}

void strbuf_vaddf(struct strbuf *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    reserve(buffer, 0);
    size_t room = buffer->capacity - buffer->length;
    int length = vsnprintf(buffer->data + buffer->length, room, format, arguments);
    if (length < 0) { /* only a locale that cannot convert a %ls does this */
        buffer->data[buffer->length] = '\0';
        length = 0;
    } else if ((size_t)length >= room) {
        reserve(buffer, (size_t)length);
        vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, again);
    }
    buffer->length += (size_t)length;
    va_end(again);
}

void strbuf_addf(struct strbuf *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    strbuf_vaddf(buffer, format, arguments);
    va_end(arguments);
}

void strbuf_consume(struct strbuf *buffer, size_t count)
{
    if (count == 0 || buffer->length == 0)
        return;
    if (count > buffer->length)
        count = buffer->length;
    buffer->length -= count;
    memmove(buffer->data, buffer->data + count, buffer->length);
    buffer->data[buffer->length] = '\0';
}

void strbuf_reset(struct strbuf *buffer)
{
    buffer->length = 0;
    if (buffer->data)
        buffer->data[0] = '\0';
}

const char *strbuf_str(const struct strbuf *buffer)
{
    return buffer->data ? buffer->data : "";
}

char *strbuf_steal(struct strbuf *buffer)
{
    reserve(buffer, 0);
    buffer->data[buffer->length] = '\0';
    char *string = buffer->data;
    *buffer = (struct strbuf)STRBUF_INIT;
    return string;
}

void strbuf_free(struct strbuf *buffer)
{
    free(buffer->data);
    *buffer = (struct strbuf)STRBUF_INIT;
}
