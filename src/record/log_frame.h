/* SPDX-License-Identifier: MIT */
/*
 * log_frame: what every line of a session log begins with, in this order and without spaces:
 *
 *   {"v":2,"n":NUMBER,"prev":"SHA-256 of the line before","time":"…","event":"NAME"[,"session":"ID"
 *   [,"call":NUMBER]],…
 *
 * The hash is of the bytes of the line without its newline, in hexadecimal; the first line's is
 * all zeros. Because the order is fixed, a line can be checked and sorted without parsing it.
 */
#ifndef ASSENT_RECORD_LOG_FRAME_H
#define ASSENT_RECORD_LOG_FRAME_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

#define LOG_FRAME_VERSION 2 /* of the schema: the field "v" */

/* A piece of the line it was read from. */
struct log_piece {
    const char *text;
    size_t length;
};

struct log_frame {
    uint64_t number;
    unsigned char previous[SHA256_SIZE];
    struct log_piece time, event;
    struct log_piece session; /* as in the line, "" when it has none */
    uint64_t call;            /* 0 when it has none */
};

/* False when the line does not begin so. */
bool log_frame_read(const char *line, size_t length, struct log_frame *frame);
/* Does it begin as in schema 1, which had no hashes? */
bool log_frame_is_old(const char *line, size_t length);
/* A new line without newline; `fields` (borrowed) come behind the frame. Caller frees. */
char *log_frame_line(uint64_t number, const unsigned char previous[SHA256_SIZE], int64_t wall_ms,
                     const char *event, json_t *fields);

#endif
