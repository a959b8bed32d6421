/* SPDX-License-Identifier: MIT */
/* probe: finds out once what this system can enforce, by doing it in a child. */
#ifndef ASSENT_SANDBOX_PROBE_H
#define ASSENT_SANDBOX_PROBE_H

#include "sandbox/select.h"

/* The whole sequence is tried, not only its first step: some systems let a process make a user
 * namespace and refuse what it is for. Takes a few milliseconds; call it before threads exist. */
void probe_capability(struct sandbox_capability *capability);

#endif
