/* SPDX-License-Identifier: MIT */
/* tool_replay: goes through the events on record again. */
#ifndef ASSENT_TOOL_REPLAY_H
#define ASSENT_TOOL_REPLAY_H

#include <jansson.h>

#include "base/error.h"
#include "config/options.h"

/* Calls `event` (borrowed) for each line of the records, or of all session logs when `count` is 0.
 * 0, or -1 with a message. */
int tool_replay(const struct options *options, int count, char *const *records,
                void (*event)(void *argument, const json_t *event), void *argument,
                struct error *error);

#endif
