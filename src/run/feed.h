/* SPDX-License-Identifier: MIT */
/* feed: bytes on their way to a command, through a descriptor that must not block. */
#ifndef ASSENT_RUN_FEED_H
#define ASSENT_RUN_FEED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/loop.h"

struct feed;

#define FEED_QUEUE_MAX ((size_t)4 * 1024 * 1024)

/* Owns `fd` (non-blocking). `terminal`: the end of input is a character, not a close; it is sent
 * again for whoever reads again, until something is written. */
struct feed *feed_new(struct loop *loop, int fd, bool terminal);
void feed_free(struct feed **feed);

/* 0, -EAGAIN when less than `length` of FEED_QUEUE_MAX is free (nothing is taken), -EPIPE after
 * the end, or when nobody reads any more. */
int feed_write(struct feed *feed, const char *bytes, size_t length);
void feed_end(struct feed *feed);

#endif
