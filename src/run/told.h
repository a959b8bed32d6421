/* SPDX-License-Identifier: MIT */
/* told: the socket on which the helper tells how it gets on (sandbox/status.h). */
#ifndef ASSENT_RUN_TOLD_H
#define ASSENT_RUN_TOLD_H

#include "base/loop.h"
#include "sandbox/status.h"

struct told;

enum told_what {
    TOLD_MESSAGE,
    TOLD_UNKNOWN, /* something that is no message */
    TOLD_NOTHING, /* for now */
    TOLD_END,     /* nothing more will come */
};

/* Owns `fd`. `ready` is called from the loop while there is something to read, also the end. */
struct told *told_new(struct loop *loop, int fd, void (*ready)(void *argument), void *argument);
/* Closes the socket too, by which the helper knows that nobody listens any more. */
void told_free(struct told **told);

/* Reads the next one. *descriptor: what came with it, the caller's, or -1. */
enum told_what told_read(struct told *told, struct status_message *message, int *descriptor);

#endif
