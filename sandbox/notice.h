/* SPDX-License-Identifier: MIT */
/*
 * notice: tells that something was made, removed or renamed in one of many directories.
 *
 * By dnotify (fcntl(2), F_NOTIFY), which takes a descriptor for each directory: unlike inotify,
 * giving it up does not wait 10 ms for the kernel to forget. By inotify where there are more
 * directories than descriptors.
 */
#ifndef ASSENT_SANDBOX_NOTICE_H
#define ASSENT_SANDBOX_NOTICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strset.h"

struct notice {
    int fd;      /* readable when one of them has changed; -1: nothing is watched */
    bool many;   /* by inotify */
    size_t left; /* descriptors that may yet be taken for directories */
    struct strset known;
};

/* `expected`: how many directories there will be, at most. What is opened for them stays open as
 * long as the process lives. */
void notice_open(struct notice *notice, size_t expected);
/* Of a directory that does not exist yet, the nearest one above is watched: what is made there is
 * looked into. Nothing happens when it is watched already. */
void notice_add(struct notice *notice, const char *directory);
/* Takes note of what has happened: `fd` is not readable any more. */
void notice_take(const struct notice *notice);

#endif
