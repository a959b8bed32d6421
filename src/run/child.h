/* SPDX-License-Identifier: MIT */
/*
 * child: one child process of ours, waited for by the loop.
 *
 * By a pidfd where the system has them, so that nobody needs SIGCHLD and no wait reaps somebody
 * else's child.
 */
#ifndef ASSENT_RUN_CHILD_H
#define ASSENT_RUN_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/loop.h"

struct child;

/* `pid` is a child that nobody else waits for. `ended` is called once from the loop with the wait
 * status (as waitpid(2) gives it), after the child was reaped. */
struct child *child_new(struct loop *loop, pid_t pid, void (*ended)(void *argument, int status),
                        void *argument);

/* Stops waiting; a child that has ended is reaped, one that has not stays behind. */
void child_free(struct child **child);

/* Blocks until it has ended, at most `wait_ms`, and reaps it; `ended` is not called any more then.
 * False when it still runs. */
bool child_wait(struct child *child, int wait_ms);

/* Sends a signal; -ESRCH once it was reaped, so that a pid that somebody else has now is not hit.
 */
int child_signal(const struct child *child, int number);

#endif
