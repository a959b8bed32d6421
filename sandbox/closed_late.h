/* SPDX-License-Identifier: MIT */
/*
 * closed_late: closed files that were moved while the sandbox was built around the command.
 *
 * Another command, or the host, can move a directory with a closed file between the search for such
 * files and the mounts over them, and so that the search does not see it at all. What is covered
 * stays so wherever it is moved: so those directories that have changed are looked through again
 * once everything is mounted, and what lies open there is covered.
 */
#ifndef ASSENT_SANDBOX_CLOSED_LATE_H
#define ASSENT_SANDBOX_CLOSED_LATE_H

#include "base/error.h"
#include "sandbox/policy.h"
#include "sandbox/protect.h"
#include "sandbox/shut.h"

/* In the command's mount namespace. -1: something that is to be closed is not to be found any more,
 * with ENOENT; it is worth another try from the start. */
int closed_late_cover(const struct sandbox_policy *policy, struct protect *protect,
                      struct shut *shut, struct error *error);

#endif
