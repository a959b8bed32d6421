/* SPDX-License-Identifier: MIT */
/*
 * git_look: has git tell (git_query.h) which commits a push that the operator is asked about sends
 * and takes away, and what a command that throws work away would take. No request waits for
 * it. It is asked again when commands have run meanwhile and when the operator comes to a request.
 */
#ifndef ASSENT_APPROVAL_GIT_LOOK_H
#define ASSENT_APPROVAL_GIT_LOOK_H

#include "approval/observer.h"
#include "approval/orchestrator.h"

struct git_look;

/* The orchestrator must outlive it. To be registered as an observer (below) of that orchestrator,
 * and removed before it is freed. */
struct git_look *git_look_new(struct orchestrator *orchestrator);
/* What git runs is killed. */
void git_look_free(struct git_look **look);
const struct observer *git_look_observer(void);

#endif
