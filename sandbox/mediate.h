/* SPDX-License-Identifier: MIT */
/*
 * mediate: connect() on behalf of the command, and pairs of datagram sockets (pair.h).
 *
 * A read-only mount lets connect() through to any socket in the file system, and so does Landlock
 * before ABI 9. So the seccomp filter announces each connect(), and the monitor does it instead:
 * it copies the address, opens what it names, refuses a socket whose listener is not one of the
 * command's own processes, and connects to exactly what it has looked at. The caller never goes on
 * by itself: between a look and the call it could change address and descriptor.
 */
#ifndef ASSENT_SANDBOX_MEDIATE_H
#define ASSENT_SANDBOX_MEDIATE_H

#include <stdbool.h>

#include "sandbox/listener.h"
#include "sandbox/report.h"

struct mediate {
    int announced; /* descriptor from the filter, -1: connect() is not mediated */
    struct listener listener;
    const char *const *allowed;  /* sockets outside that may be connected to; NULL-terminated */
    const struct report *report; /* refusals are reported here */
    unsigned reported;           /* how many were: no more than MEDIATE_REPORTS_MAX */
    bool network_reported;       /* an address without a route among them */
};

#define MEDIATE_REPORTS_MAX 32

void mediate_open(struct mediate *mediate);
/* Answers one announced call; to be called when `announced` is readable. */
void mediate_answer(struct mediate *mediate);

#endif
