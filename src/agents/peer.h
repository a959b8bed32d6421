/* SPDX-License-Identifier: MIT */
/*
 * peer: who is at the other end of a connection, as the kernel tells it.
 *
 * A uid proves little: a confined command has ours too. So a peer must live in our own namespaces
 * (or be of an agent that we confined ourselves, which only the server can tell), and we look where
 * it comes from: whether it descends from us (then from something that the
 * console runs), and which tree of processes it belongs to, because limits count by tree.
 */
#ifndef ASSENT_AGENTS_PEER_H
#define ASSENT_AGENTS_PEER_H

#include <sys/types.h>

#include "base/error.h"

struct peer_identity {
    pid_t pid;
    /* Whom the operator knows: `pid`, or the program that started it, shells passed over (but for
     * the first process of its tree, and an orphan), when it is our bridge for agents (`assent
     * mcp`, `assent hook`). */
    pid_t agent;
    char *exe; /* path of the agent's executable, or NULL; untrusted text; owned */
    /* Whom the operator is shown: `agent`, or what has started it when that is `assent exec`. */
    pid_t asker;
    char *asker_exe; /* path of its executable, or NULL; untrusted text; owned */
    /* The first of the processes that it is one of (lineage.h): the agent's own topmost one. */
    pid_t tree;
    pid_t *lineage; /* all that it comes from, as lineage.h has it; owned */
    /* The program behind it that a person started, or a service: within its tree what was started
     * as one job in a terminal, or that terminal's first program when it is no shell; else the
     * tree's first. 0: the peer itself is that, and nobody stands behind it. */
    pid_t job;
    char *job_exe; /* path of its executable, or NULL; untrusted text; owned */
    /* The child of ours that the peer descends from or is, 0 when it does not descend from us. */
    pid_t branch;
    /* Which of its namespaces is not ours ("user", "mnt", "pid", "net"); NULL: all are. */
    const char *apart;
};

/* Looks at the process that connected. 0, or -1 with the reason why it must not be talked to:
 * another uid, gone already, not to be looked at. */
int peer_identify(int socket, struct peer_identity *peer, struct error *error);
/* Path of what the process runs, NULL when that is not known; untrusted text, the caller frees. */
char *peer_executable(pid_t pid);
void peer_clear(struct peer_identity *peer);

#endif
