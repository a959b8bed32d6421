/* SPDX-License-Identifier: MIT */
/*
 * monitor: the first process of the command's namespaces, or without them its ancestor. Builds the
 * view, starts the command, reaps what is orphaned, and ends everything when the command or the
 * helper has ended.
 */
#ifndef ASSENT_SANDBOX_MONITOR_H
#define ASSENT_SANDBOX_MONITOR_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "sandbox/child.h"
#include "sandbox/placeholder.h"
#include "sandbox/protect.h"
#include "sandbox/report.h"
#include "sandbox/request.h"

struct monitor_setup {
    struct helper_request *request;
    char **argv;
    enum child_session session;
    unsigned namespaces; /* enum namespaces_set; 0: the policy is held by fewer layers */
    int landlock_abi;
    uid_t user; /* whom the caller was before the namespaces */
    gid_t group;
    int control;               /* its end of the control socket */
    sigset_t signals;          /* the caller's mask */
    struct rlimit descriptors; /* the caller's limit */
    const struct report *report;
    const char *home; /* the operator's home directory, or NULL */
    struct protect *protect;
    struct placeholders *placeholders; /* removed by the monitor when the helper is killed */
};

/* Never returns: all that is to be told goes over the control socket. */
void monitor_run(const struct monitor_setup *setup) __attribute__((noreturn));

#endif
