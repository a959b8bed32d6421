/* SPDX-License-Identifier: MIT */
/* watch_state: what is at a name that is watched (watch.h), what was, and whether that differs. */
#ifndef ASSENT_SANDBOX_WATCH_STATE_H
#define ASSENT_SANDBOX_WATCH_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "sandbox/git_settle.h"
#include "sandbox/kept_tree.h"
#include "sandbox/protect.h"

struct watch_state {
    /* seen by a look */
    bool there, directory, placeholder;
    bool covered; /* something of ours is mounted there */
    dev_t device;
    ino_t inode;
    struct timespec changed;
    uint64_t hash; /* of the content, once a file was replaced: a clock that ticks too slowly would
                      hide what happens right afterwards; 0: not taken */
    /* remembered */
    bool reported;
    bool lost;             /* there is no directory any more that something could be put into */
    bool made;             /* it is a directory that holds the name until the end */
    bool taken;            /* it was covered while the command stood still, as the host's */
    bool doubtful;         /* what is there was there before the command stood still */
    struct kept_tree kept; /* of a directory */
    struct git_settle settle;
};

/* One with nothing remembered. */
struct watch_state watch_state_look(const char *path);
/* Looks again at an item that was covered again; what is remembered stays. */
void watch_state_update(struct watch_state *state, const struct protect_item *item);
/* Nothing both times, or the same file, whatever it holds? */
bool watch_state_is_same(const struct watch_state *left, const struct watch_state *right);
/* Is it the very thing that was there at the last look? */
bool watch_state_is_known(const struct watch_state *was, const struct watch_state *now);
/* Is what is there now another thing, or of other content? */
bool watch_state_is_changed(const struct watch_state *was, const struct watch_state *now,
                            const struct protect_item *item);

#endif
