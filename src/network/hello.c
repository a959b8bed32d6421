/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/hello.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RECORD_HANDSHAKE = 22, CLIENT_HELLO = 1, EXTENSION_SERVER_NAME = 0, NAME_HOST = 0 };

/* What is left to read; `short_of` is set once something was not there. */
struct reader {
    const uint8_t *at, *end;
    bool short_of;
};

static const uint8_t *take(struct reader *reader, size_t count)
{
    const uint8_t *at = reader->at;
    if ((size_t)(reader->end - at) < count) {
        reader->short_of = true;
        reader->at = reader->end;
        return NULL;
    }
    reader->at += count;
    return at;
}

static size_t take_number(struct reader *reader, size_t bytes)
{
    const uint8_t *at = take(reader, bytes);
    size_t value = 0;
    for (size_t i = 0; at != NULL && i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

/* What a length of so many bytes stands before. */
static struct reader take_block(struct reader *reader, size_t bytes)
{
    size_t length = take_number(reader, bytes);
    const uint8_t *at = take(reader, length);
    if (at == NULL)
        return (struct reader){reader->end, reader->end, true};
    return (struct reader){at, at + length, false};
}

static enum hello_result read_names(struct reader extension, char name[256])
{
    struct reader list = take_block(&extension, 2);
    size_t type = take_number(&list, 1);
    struct reader host = take_block(&list, 2);
    size_t length = (size_t)(host.end - host.at);
    /* One name, and nothing behind it: two readers could choose differently. */
    if (list.short_of || type != NAME_HOST || length == 0 || length > 255 || list.at != list.end ||
        extension.at != extension.end || memchr(host.at, '\0', length) != NULL)
        return HELLO_BAD;
    memcpy(name, host.at, length);
    name[length] = '\0';
    return HELLO_NAME;
}

static enum hello_result read_extensions(struct reader extensions, char name[256])
{
    enum hello_result result = HELLO_NO_NAME;
    while (extensions.at != extensions.end) {
        size_t type = take_number(&extensions, 2);
        struct reader extension = take_block(&extensions, 2);
        if (extensions.short_of)
            return HELLO_BAD;
        if (type != EXTENSION_SERVER_NAME)
            continue;
        if (result != HELLO_NO_NAME)
            return HELLO_BAD;
        result = read_names(extension, name);
    }
    return result;
}

static enum hello_result read_hello(struct reader body, char name[256])
{
    take(&body, 2 + 32);  /* version, random */
    take_block(&body, 1); /* session */
    take_block(&body, 2); /* cipher suites */
    take_block(&body, 1); /* compression */
    if (body.short_of)
        return HELLO_BAD;
    if (body.at == body.end)
        return HELLO_NO_NAME;
    struct reader extensions = take_block(&body, 2);
    if (body.short_of || body.at != body.end)
        return HELLO_BAD;
    return read_extensions(extensions, name);
}

/* Puts the message together out of the records that it may be split into. Its bytes so far, or
 * -1 when one of them is no handshake. */
static long gather(const uint8_t *bytes, size_t length, uint8_t message[HELLO_MAX])
{
    size_t at = 0, count = 0;
    while (at + 5 <= length) {
        size_t size = (size_t)bytes[at + 3] << 8 | bytes[at + 4];
        if (bytes[at] != RECORD_HANDSHAKE || bytes[at + 1] != 3 || size == 0 || size > 16384)
            return -1;
        size_t there = length - at - 5 < size ? length - at - 5 : size;
        memcpy(message + count, bytes + at + 5, there);
        count += there;
        at += 5 + there;
        if (count >= 4 &&
            count >= 4 + ((size_t)message[1] << 16 | (size_t)message[2] << 8 | message[3]))
            break;
    }
    return (long)count;
}

enum hello_result hello_parse(const char *bytes, size_t length, char name[256])
{
    uint8_t message[HELLO_MAX];
    if (length == 0)
        return HELLO_MORE;
    if (bytes[0] != RECORD_HANDSHAKE || (length > 1 && bytes[1] != 3))
        return HELLO_NONE;
    size_t looked_at = length < HELLO_MAX ? length : HELLO_MAX;
    long count = gather((const uint8_t *)bytes, looked_at, message);
    if (count < 0 || (count > 0 && message[0] != CLIENT_HELLO))
        return HELLO_BAD;
    struct reader reader = {message, message + count, false};
    take(&reader, 1);
    struct reader body = take_block(&reader, 3);
    if (reader.short_of)
        return length >= HELLO_MAX ? HELLO_BAD : HELLO_MORE;
    return read_hello(body, name);
}
