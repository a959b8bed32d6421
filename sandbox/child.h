/* SPDX-License-Identifier: MIT */
/* child: starting the command from its monitor, confined. */
#ifndef ASSENT_SANDBOX_CHILD_H
#define ASSENT_SANDBOX_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/error.h"
#include "sandbox/confine.h"
#include "sandbox/request.h"

enum child_session {
    CHILD_SESSION_INHERIT,  /* the caller's session and process group */
    CHILD_SESSION_NEW,      /* leads one of its own, without a terminal */
    CHILD_SESSION_TERMINAL, /* foreground group of the monitor's terminal */
};

struct child_setup {
    const struct helper_request *request;
    char **argv;
    struct confinement confinement; /* policy NULL: none */
    enum child_session session;
    int streams[3];            /* what becomes 0, 1 and 2; the number itself: as it is */
    sigset_t signals;          /* mask to start with */
    struct rlimit descriptors; /* limit to start with */
    bool die_with_parent; /* killed when the caller dies (the first process of a PID namespace needs
                             no such care) */
};

struct child {
    pid_t pid;      /* 0 when it was not executed */
    int listener;   /* descriptor that connect() calls are announced on, or -1 */
    int exec_errno; /* the program could not be executed: why; 0 when it was */
};

/* Starts it; the caller's descriptors are shared until the program is executed, so all that must
 * not reach it is close-on-exec. 0 also when only the execution failed (exec_errno); -1 with the
 * step when the confinement did. */
int child_start(const struct child_setup *setup, struct child *child, struct error *error);

#endif
