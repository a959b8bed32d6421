/* SPDX-License-Identifier: MIT */
/*
 * watch: protection while the world outside changes.
 *
 * When somebody outside replaces a protected file (git config does, by rename), the mount over the
 * old one vanishes with it, and the new one is covered at once. At the end the protected files are
 * compared with what they were at the start: any difference is reported.
 *
 * The directories are watched by dnotify (fcntl(2), F_NOTIFY): unlike inotify, giving it up does
 * not wait 10 ms for the kernel to forget.
 */
#ifndef ASSENT_SANDBOX_WATCH_H
#define ASSENT_SANDBOX_WATCH_H

#include "sandbox/protect.h"
#include "sandbox/report.h"

struct watch_state;

struct watch {
    int fd; /* readable when one of the directories has changed; -1: nothing to watch */
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
