/* SPDX-License-Identifier: MIT */
/* git_look_state: how far git has been asked about a command that waits (approval/git_look.h). */
#ifndef ASSENT_RISK_GIT_LOOK_STATE_H
#define ASSENT_RISK_GIT_LOOK_STATE_H

#include <stdbool.h>

enum git_look_state {
    GIT_NOT_LOOKED,
    GIT_LOOKING,
    GIT_SEEN,
    GIT_UNSEEN, /* git could not tell, or was not let */
};
static inline bool git_look_has_told(enum git_look_state look)
{
    return look == GIT_SEEN || look == GIT_UNSEEN;
}

#define GIT_SEEN_LINES 100 /* that are told; of more one more is kept */

#endif
