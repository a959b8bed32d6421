/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/body.h"

#define SIZE_DIGITS_MAX 15
#define TRAILER_MAX 8192 /* bytes of all lines after the last chunk */

enum {
    CHUNK_SIZE,
    CHUNK_SIZE_END, /* the LF after the size */
    CHUNK_DATA,
    CHUNK_DATA_CR,
    CHUNK_DATA_LF,
    TRAILER_START, /* of a line */
    TRAILER_LINE,
    TRAILER_LINE_LF,
    TRAILER_END, /* the LF of the empty line */
};

void body_start(struct body *body, const struct head *head)
{
    *body = (struct body){.kind = head->body, .state = CHUNK_SIZE};
    body->left = head->body == BODY_LENGTH ? head->body_length : 0;
    body->done = head->body == BODY_NONE;
}

static int hex_value(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte = (char)(byte | 0x20);
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* Extensions of a chunk are not taken: nobody uses them but to be read differently. */
static void take_size(struct body *body, char byte)
{
    int value = hex_value(byte);
    if (value >= 0 && body->count < SIZE_DIGITS_MAX) {
        body->left = body->left * 16 + (uint64_t)value;
        body->count++;
    } else if (byte == '\r' && body->count > 0) {
        body->state = CHUNK_SIZE_END;
    } else {
        body->bad = true;
    }
}

static void expect(struct body *body, char byte, char wanted, int next)
{
    if (byte != wanted)
        body->bad = true;
    body->state = next;
    body->count = 0;
}

static void take_trailer(struct body *body, char byte)
{
    body->bad = byte == '\n' || ++body->count > TRAILER_MAX;
    if (byte == '\r')
        body->state = body->state == TRAILER_START ? TRAILER_END : TRAILER_LINE_LF;
    else
        body->state = TRAILER_LINE;
}

static void take_byte(struct body *body, char byte)
{
    switch (body->state) {
    case CHUNK_SIZE:
        take_size(body, byte);
        break;
    case CHUNK_SIZE_END:
        expect(body, byte, '\n', body->left > 0 ? CHUNK_DATA : TRAILER_START);
        break;
    case CHUNK_DATA_CR:
        expect(body, byte, '\r', CHUNK_DATA_LF);
        break;
    case CHUNK_DATA_LF:
        expect(body, byte, '\n', CHUNK_SIZE);
        break;
    case TRAILER_START:
    case TRAILER_LINE:
        take_trailer(body, byte);
        break;
    case TRAILER_LINE_LF:
        body->bad = byte != '\n';
        body->state = TRAILER_START;
        break;
    case TRAILER_END:
        body->bad = byte != '\n';
        body->done = !body->bad;
        break;
    }
}

static size_t take_data(struct body *body, size_t length)
{
    size_t taken = body->left < length ? (size_t)body->left : length;
    body->left -= taken;
    return taken;
}

size_t body_take(struct body *body, const char *bytes, size_t length)
{
    size_t at = 0;
    if (body->kind == BODY_LENGTH) {
        at = take_data(body, length);
        body->done = body->left == 0;
        return at;
    }
    while (at < length && !body->done && !body->bad) {
        if (body->state == CHUNK_DATA) {
            at += take_data(body, length - at);
            body->state = body->left == 0 ? CHUNK_DATA_CR : CHUNK_DATA;
        } else {
            take_byte(body, bytes[at++]);
        }
    }
    return at;
}
