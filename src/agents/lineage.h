/* SPDX-License-Identifier: MIT */
/*
 * lineage: which process, of those that a client comes from, is the agent's own.
 *
 * What is stopped and what is counted belongs to one root: an agent's topmost process. Above it are
 * others' too: a terminal multiplexer, a terminal's program, a shell that a person types into. We
 * go down from the top, through what is known to start programs for a person, and never up from the
 * client: an agent puts shells, terminals and multiplexers below itself as it likes, and above
 * itself nothing. Who has left its parents (an orphan) belongs to its session's leader.
 */
#ifndef ASSENT_AGENTS_LINEAGE_H
#define ASSENT_AGENTS_LINEAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/process.h"

/* One of a chain of processes, as the kernel tells. */
struct kin {
    struct process process;
    char program[64]; /* file name of what it runs; "" when that is not to be seen */
    bool foreign;     /* another user's: no agent of ours becomes that */
};

/* The process and its ancestors, nearest first, 0 at the end. NULL when one of them went away
 * meanwhile (its children have another parent then). Caller frees. */
pid_t *lineage_chain(pid_t pid);
bool lineage_contains(const pid_t *chain, pid_t pid);
/* The index of the furthest process of the chain that is not one of ours as well. */
int lineage_top(const pid_t *chain, const pid_t *ours);
/* The session that the chain's process at that index was born in when it is an orphan: what stands
 * above it has only adopted it. 0: it is none. */
pid_t lineage_orphan_of(const pid_t *chain, int at);

/* The index of the agent's own among `count` processes, the client first and init left out; at most
 * `top`, above which all are ours as well. */
size_t lineage_root(const struct kin *chain, size_t count, size_t top);

/* Where a process comes from. */
struct lineage {
    pid_t root; /* see above; of an orphan that of its session's leader, or the number of the
                   session when that has gone; 0: could not be found out */
    pid_t *all; /* all of its ancestors that are not ours, and of an orphan those of its session's
                   leader; negative: a session that it is an orphan of; 0 at the end; owned */
};

/* Finds where the process comes from; `ours` are our own ancestors. False when one has gone. */
bool lineage_find(pid_t pid, const pid_t *ours, struct lineage *lineage);

#endif
