/* SPDX-License-Identifier: MIT */
/*
 * gate: between the proxy and the operator. An observer of the orchestrator: each running command
 * whose sandbox has a way out gets a proxy of its own, and what its connections want is asked as
 * calls of the tool network; connections that want the same share one question.
 */
#ifndef ASSENT_GATE_H
#define ASSENT_GATE_H

#include "approval/orchestrator.h"
#include "base/loop.h"
#include "network/next_hop.h"

struct gate;

/* Takes `hop` over, which may be NULL. Observes until it is freed. */
struct gate *gate_new(struct loop *loop, struct orchestrator *orchestrator, struct next_hop *hop);
/* While the orchestrator is there; ends all connections. */
void gate_free(struct gate **gate);

#endif
