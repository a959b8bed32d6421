/* SPDX-License-Identifier: MIT */
/*
 * hold: what the sandbox promises, and which layers keep each promise. One table for --explain, the
 * conformance tests and the documentation.
 */
#ifndef ASSENT_SANDBOX_HOLD_H
#define ASSENT_SANDBOX_HOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/policy.h"
#include "sandbox/select.h"

enum hold_layer {
    HOLD_MOUNT = 1 << 0,    /* user, mount and IPC namespaces */
    HOLD_PID = 1 << 1,      /* PID namespace */
    HOLD_NETWORK = 1 << 2,  /* network namespace */
    HOLD_LANDLOCK = 1 << 3, /* ABI 1 */
    HOLD_REFER = 1 << 4,    /* Landlock ABI 2: moves between directories can be granted */
    HOLD_TRUNCATE = 1 << 5, /* Landlock ABI 3 */
    HOLD_DEVICES = 1 << 6,  /* Landlock ABI 5: ioctl on devices */
    HOLD_SCOPES = 1 << 7,   /* Landlock ABI 6: signals, abstract sockets */
    HOLD_SECCOMP = 1 << 8,
    HOLD_MONITOR = 1 << 9, /* connect() by the monitor, relays, the end of the tree */
};
#define HOLD_LAYER_COUNT 10

struct hold_promise {
    const char *name;    /* "metadata" */
    const char *text;    /* what is promised, one sentence without a full stop; N_() */
    unsigned layers;     /* any one of them keeps it */
    bool restricts;      /* a restriction; else something that must go on working */
    const char *without; /* what can happen where none of them is there; N_() */
};

extern const struct hold_promise HOLD_PROMISES[];
extern const size_t HOLD_PROMISE_COUNT;

const struct hold_promise *hold_find(const char *name); /* NULL when there is none */
const char *hold_layer_name(enum hold_layer layer);     /* "landlock" */

/* The layers that a policy gets on a system, as an OR of enum hold_layer; 0 for a policy that has
 * nothing to enforce or a system that can enforce nothing. */
unsigned hold_layers(const struct sandbox_policy *policy,
                     const struct sandbox_capability *capability);
static inline bool hold_kept(const struct hold_promise *promise, unsigned layers)
{
    return (promise->layers & layers) != 0;
}

#endif
