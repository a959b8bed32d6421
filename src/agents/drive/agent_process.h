/* SPDX-License-Identifier: MIT */
/* agent_process: an agent as a child of ours, talked to through pipes. Some do not end when their
 * input does: they are ended, with what they started in their process group. */
#ifndef ASSENT_AGENTS_DRIVE_AGENT_PROCESS_H
#define ASSENT_AGENTS_DRIVE_AGENT_PROCESS_H

#include "base/error.h"
#include "base/loop.h"

struct agent_process;

/* Starts argv[0], found on PATH, in the current directory with our environment. The descriptors
 * are the caller's. `ended` is called once, with how it ended. NULL with a message. */
struct agent_process *agent_process_start(struct loop *loop, char *const *argv, int *from_agent,
                                          int *to_agent,
                                          void (*ended)(void *argument, const char *how),
                                          void *argument, struct error *error);
/* The end of what it wrote to its standard error: at most 2 KiB, untrusted. */
const char *agent_process_last_words(const struct agent_process *process);
/* Ends it, if it has not ended: waits up to three seconds altogether. `ended` does not come any
 * more. */
void agent_process_free(struct agent_process **process);

#endif
