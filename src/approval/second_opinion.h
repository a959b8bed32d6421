/* SPDX-License-Identifier: MIT */
/* second_opinion: asks a model about the commands that the operator is asked about, and tells the
 * orchestrator what it says. No request ever waits for it. */
#ifndef ASSENT_APPROVAL_SECOND_OPINION_H
#define ASSENT_APPROVAL_SECOND_OPINION_H

#include "approval/observer.h"
#include "approval/orchestrator.h"
#include "base/loop.h"
#include "risk/model.h"

struct second_opinion;

/* The model becomes its own; loop and orchestrator must outlive it. To be registered as an
 * observer (below) of that orchestrator, and removed before it is freed. */
struct second_opinion *second_opinion_new(struct loop *loop, struct orchestrator *orchestrator,
                                          struct model *model);
void second_opinion_free(struct second_opinion **opinion);
const struct observer *second_opinion_observer(void);

#endif
