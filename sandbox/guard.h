/* SPDX-License-Identifier: MIT */
/*
 * guard: the helper while a monitor runs the command: passes signals on, waits, and ends as the
 * command did.
 */
#ifndef ASSENT_SANDBOX_GUARD_H
#define ASSENT_SANDBOX_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/control.h"
#include "sandbox/report.h"

struct guard {
    pid_t monitor;
    int control;   /* its end of the control socket */
    int signals;   /* signalfd of everything that is passed on */
    bool adopts;   /* no PID namespace ends the command's processes with the monitor */
    bool terminal; /* the caller's session and process group: what its terminal sends reaches the
                      command too */
    const struct report *report;
    const char *name; /* of the program, for messages */
};

enum guard_outcome {
    GUARD_ENDED,       /* `status` is the command's wait status */
    GUARD_EXEC_FAILED, /* `status` is an errno value; reported */
    GUARD_FAILED,      /* the confinement failed: `message` */
    GUARD_UNAVAILABLE, /* the system does not give a layer: `message` */
};

struct guard_result {
    enum guard_outcome outcome;
    int status;
    struct control_message message;
};

/* Blocks every signal and returns a descriptor that the wanted ones are read from, or -errno;
 * `previous` receives the mask that was. */
int guard_open_signals(sigset_t *previous);
/* Runs until the monitor has ended. Once the other end of the status socket is closed, everything
 * is killed at once: the command dies with the console. */
void guard_run(const struct guard *guard, struct guard_result *result);
/* Ends this process as the wait status says: exit code, or the same signal. */
void guard_end_like(int status) __attribute__((noreturn));

#endif
