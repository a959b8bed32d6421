/* SPDX-License-Identifier: MIT */
/*
 * push_look: has git tell which commits a push that the operator is asked about sends and takes
 * away. No request ever waits for it.
 *
 * The repository may be an agent's, and git runs what is written in some: it is let read alone, in
 * a sandbox without network and writing, for a short time; where there is none, or where an agent
 * can have put the git that is found there, it is not started.
 */
#ifndef ASSENT_APPROVAL_PUSH_LOOK_H
#define ASSENT_APPROVAL_PUSH_LOOK_H

#include "approval/observer.h"
#include "approval/orchestrator.h"

struct push_look;

/* The orchestrator must outlive it. To be registered as an observer (below) of that orchestrator,
 * and removed before it is freed. */
struct push_look *push_look_new(struct orchestrator *orchestrator);
/* What git runs is killed. */
void push_look_free(struct push_look **look);
const struct observer *push_look_observer(void);

#endif
