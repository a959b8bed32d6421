/* SPDX-License-Identifier: MIT */
/* operator_undo: the operator's command :undo. */
#ifndef ASSENT_UI_OPERATOR_UNDO_H
#define ASSENT_UI_OPERATOR_UNDO_H

#include "approval/orchestrator.h"
#include "ui/desk.h"

/* Takes back the operator's newest answer that holds, to however many requests, and says what that
 * means. Of an answer for once it says that there is nothing to take back, and what would be taken
 * back next. */
void operator_undo(const struct desk *desk, const char *argument);
/* Says that this has been taken back, and what that means. */
void operator_undo_tell(const struct desk *desk, const struct undo *undo);

#endif
