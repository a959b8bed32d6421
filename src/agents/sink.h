/* SPDX-License-Identifier: MIT */
/* sink: bytes to a descriptor that we were started with, without waiting for whoever reads it and
 * without changing its flags, which the processes around us share. */
#ifndef ASSENT_AGENTS_SINK_H
#define ASSENT_AGENTS_SINK_H

#include <stddef.h>

#include "base/loop.h"

struct sink;

/* `changed` is called when queued bytes were written or writing failed. */
struct sink *sink_new(struct loop *loop, int fd, void (*changed)(void *argument), void *argument);
void sink_free(struct sink **sink); /* does not close the descriptor */

void sink_write(struct sink *sink, const char *bytes, size_t length);
size_t sink_queued(const struct sink *sink); /* bytes that are not written yet */
int sink_failure(const struct sink *sink);   /* errno value, 0 while all is well */

#endif
