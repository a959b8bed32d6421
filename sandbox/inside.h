/* SPDX-License-Identifier: MIT */
/* inside: the processes of the command, seen from its monitor: a whole PID namespace, or without
 * one the monitor's descendants (it is their subreaper, so none gets away by outliving its parent).
 */
#ifndef ASSENT_SANDBOX_INSIDE_H
#define ASSENT_SANDBOX_INSIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Sends the signal to each of them, never to the monitor itself. */
void inside_signal(bool own_namespace, int number);
/* Waits until each of them that was sent SIGSTOP has stopped, for a moment at most: one may be in
 * the middle of a call. With a namespace of its own. */
void inside_wait_still(void);
/* The same number as before when none of them has run meanwhile: who has stopped can be continued
 * by a timer of its own. With a namespace of its own. */
uint64_t inside_runs(void);
/* Kills them all and waits until none is left. */
void inside_end(bool own_namespace);
/* Calls `visit` for each until it returns true; returns whether it did. */
bool inside_visit(bool own_namespace, bool (*visit)(pid_t process, void *argument), void *argument);

#endif
