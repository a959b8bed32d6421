/* SPDX-License-Identifier: MIT */
/*
 * keeper: the helper while a command runs without a PID namespace. Adopts what the command's
 * processes leave behind, passes signals on to all of them, and ends them all when the command or
 * the console has ended.
 */
#ifndef ASSENT_SANDBOX_KEEPER_H
#define ASSENT_SANDBOX_KEEPER_H

#include "base/error.h"
#include "sandbox/child.h"
#include "sandbox/confine.h"
#include "sandbox/report.h"
#include "sandbox/request.h"

struct keeper_setup {
    const struct helper_request *request;
    char **argv;
    const struct confinement *confinement; /* of the command alone; NULL: none */
    enum child_session session;            /* TERMINAL: the caller has taken the terminal */
    const struct report *report;           /* its socket is open */
};

/* Ends the process as the command ended. Returns only when the command did not run: the exit code,
 * with the step in `error` when the confinement failed. */
int keeper_run(const struct keeper_setup *setup, struct error *error);

#endif
