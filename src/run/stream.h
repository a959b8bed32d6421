/* SPDX-License-Identifier: MIT */
/* stream: one descriptor that a command writes to, read a little in each turn, so that a flood
 * delays neither keys nor other runs. */
#ifndef ASSENT_RUN_STREAM_H
#define ASSENT_RUN_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/loop.h"
#include "run/runner.h"

struct stream;

/* Some bytes came (valid during the call only), or none and it has ended, or both. May free the
 * stream. */
typedef void (*stream_came)(void *argument, enum run_stream kind, const char *bytes, size_t length,
                            bool end);

/* Owns `fd` (non-blocking). `count`: how many streams the run has, which share what it may be read
 * in a turn. */
struct stream *stream_new(struct loop *loop, int fd, enum run_stream kind, size_t count,
                          stream_came came, void *argument);
void stream_free(struct stream **stream);

/* Borrowed. */
int stream_fd(const struct stream *stream);
void stream_pause(struct stream *stream, bool pause);

#endif
