/* SPDX-License-Identifier: MIT */
/* tool_replay: what would be decided of the commands on record now, and by other rules? */
#ifndef ASSENT_TOOL_REPLAY_H
#define ASSENT_TOOL_REPLAY_H

#include "base/error.h"
#include "config/options.h"
#include "tool_judge.h"

struct tool_replay {
    struct tool_judge now, then; /* judge each command by the rules as they are, and otherwise */
    size_t commands;             /* that were judged */
    /* Called for connections that were asked about, unless it is NULL. */
    void (*connection)(void *argument, const struct rules_connection *connection);
};

/* Opens both; `then` lets rules that only report count. -1 with a message; tool_replay_clear() in
 * any case. */
int tool_replay_open(struct tool_replay *replay, const struct options *options,
                     struct error *error);
void tool_replay_clear(struct tool_replay *replay);

/* Judges each command of the records, or of all session logs when `count` is 0, and calls
 * `compare` (all borrowed). 0, or -1 with a message. */
int tool_replay_run(struct tool_replay *replay, const struct options *options, int count,
                    char *const *records,
                    void (*compare)(void *argument, char *const *argv, const struct judgement *now,
                                    const struct judgement *then),
                    void *argument, struct error *error);

#endif
