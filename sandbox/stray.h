/* SPDX-License-Identifier: MIT */
/*
 * stray: what is closed, moved by the command to where the next one could read it.
 *
 * What is mounted over a closed file goes with it when a directory above is moved: whoever moved it
 * reads nothing. But the next command looks anew for what is to be closed, and it does not look
 * everywhere (nested.h): not into git's directories, nor into more directories than a start has
 * time for. So what has got to where it would not be found is moved back, and told of.
 */
#ifndef ASSENT_SANDBOX_STRAY_H
#define ASSENT_SANDBOX_STRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sandbox/policy.h"
#include "sandbox/protect.h"
#include "sandbox/report.h"
#include "sandbox/shut.h"

struct stray_path {
    char *path;     /* where it is */
    uint64_t mount; /* what covers it; 0: nothing, or it is no longer there */
    bool told;
};

struct stray {
    struct stray_path *paths;
    size_t count;
    const struct protect *protect;
    const struct sandbox_policy *policy;
    const char *home; /* the operator's home directory, or NULL */
    const struct report *report;
};

/* Remembers what of `shut` lies in a writable root; everything is mounted by now. The other fields
 * are set by the caller. */
void stray_open(struct stray *stray, const struct shut *shut);
/* Looks whether it still lies there. True: something lies elsewhere now, so that other directories
 * are to be watched than before. In the command's mount namespace; its processes may run. */
bool stray_act(struct stray *stray);

#endif
