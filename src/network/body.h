/* SPDX-License-Identifier: MIT */
/* body: where the body of a request ends, so that nothing after it goes to the server: by its
 * length, or chunk by chunk (RFC 9112, 7.1). */
#ifndef ASSENT_NETWORK_BODY_H
#define ASSENT_NETWORK_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "network/head.h"

struct body {
    enum body_kind kind;
    int state;      /* chunked: what is expected next */
    uint64_t left;  /* bytes of the body, or of the chunk */
    unsigned count; /* bytes of the line at hand */
    bool done;
    bool bad; /* it is not what it was announced as: the connection must end */
};

void body_start(struct body *body, const struct head *head);
/* How many of these bytes belong to the body. Fewer than `length`: `done` or `bad`. */
size_t body_take(struct body *body, const char *bytes, size_t length);

#endif
