/* SPDX-License-Identifier: MIT */
/* approval_again: that the same was asked before, and what came of it: who has just answered it
 * must not take the new request for the old one. */
#ifndef ASSENT_UI_APPROVAL_AGAIN_H
#define ASSENT_UI_APPROVAL_AGAIN_H

#include "approval/orchestrator.h"
#include "ui/approval_content.h"

/* The last call whose last question to the operator was the same, of the same session and among the
 * latest calls; NULL: there is none. */
const struct call *approval_again_last(const struct orchestrator *orchestrator,
                                       const struct call *call);
/* Adds a field when the same session has asked the operator the same before (what runs and where),
 * among the latest calls, also at a first try that went on to a second one, or was denied it in the
 * console that this one goes on from. */
void approval_again_add(struct approval_content *content, const struct orchestrator *orchestrator,
                        const struct call *call, bool ascii);

#endif
