/* SPDX-License-Identifier: MIT */
/*
 * watch: protection while the world outside changes.
 *
 * When somebody outside replaces a protected file (git config does, by rename), the mount over the
 * old one vanishes with it. The kernel announces a change of the mount tree, the new file is
 * covered at once; and the watch compares what the protected files are at the end with what they
 * were at the start: any difference is reported.
 */
#ifndef ASSENT_SANDBOX_WATCH_H
#define ASSENT_SANDBOX_WATCH_H

#include "sandbox/protect.h"
#include "sandbox/report.h"

struct watch_state;

struct watch {
    int fd; /* shows POLLPRI when a mount has come or gone; -1: nothing to watch */
    const struct protect *protect;
    struct placeholders *placeholders;
    const struct report *report;
    struct watch_state *states; /* one an item */
};

/* After the protection is mounted. */
void watch_open(struct watch *watch, const struct protect *protect,
                struct placeholders *placeholders, const struct report *report);
/* Covers again what is bare. */
void watch_act(struct watch *watch);
/* The last look, after the command has ended. */
void watch_finish(struct watch *watch);

#endif
