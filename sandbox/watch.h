/* SPDX-License-Identifier: MIT */
/*
 * watch: protection while the world outside changes.
 *
 * What is mounted over a file goes with that file: when somebody outside replaces it (git config
 * does, by rename) or moves it away, its name is bare. So the directories are watched, and what is
 * found at a protected or closed name is covered at once; a placeholder that was removed is put
 * back. Who replaces a file may first move the old one away; until the new one is there or a
 * placeholder, the command's processes are stopped. Whoever was quicker than all that is told of:
 * each protected path is compared with what it was.
 */
#ifndef ASSENT_SANDBOX_WATCH_H
#define ASSENT_SANDBOX_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sandbox/notice.h"
#include "sandbox/protect.h"
#include "sandbox/report.h"
#include "sandbox/shut.h"

struct watch_state;

struct watch {
    int fd; /* readable when one of the directories has changed; -1: nothing to watch */
    const struct protect *protect;
    const struct shut *shut;
    struct placeholders *placeholders;
    size_t first_ours; /* of them: the helper does not know of those that are made later */
    const struct report *report;
    struct watch_state *states; /* one an item of `protect`, then one a path of `shut` */
    struct watch_state *roots;  /* one a root of `protect` */
    int64_t hold_at_ms; /* when what was moved away gets a placeholder; the command is stopped
                           until then. 0: nothing was */
    uint64_t still;     /* inside_runs() while it is stopped */
    unsigned restless;  /* how often it went on nevertheless */
    struct notice notice;
    size_t directories;    /* that are watched */
    struct strset counted; /* those of them that are counted already */
    bool stopped;          /* by whoever runs it, and not for us to continue */
    bool ended;            /* nothing of the command runs any more */
};

/* After the protection is mounted. */
void watch_open(struct watch *watch, const struct protect *protect, const struct shut *shut,
                struct placeholders *placeholders, const struct report *report);
/* Watches what leads to such a path too. */
void watch_add(struct watch *watch, const char *path);
/* Remembers what protected directories hold. What is covered only the host can change: it need not
 * be done before the command starts, which would wait for it. */
void watch_keep(struct watch *watch);
/* Milliseconds until watch_act() is due although nothing happens; -1: never. */
int watch_time_left(const struct watch *watch);
/* Covers again what is bare. */
void watch_act(struct watch *watch);
/* Such a signal was sent to the command by whoever runs it. */
void watch_note_signal(struct watch *watch, int number);
/* The last look, after the command has ended. */
void watch_finish(struct watch *watch);

#endif
