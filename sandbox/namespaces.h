/* SPDX-License-Identifier: MIT */
/* namespaces: the command's own users, mounts, processes, IPC and network (namespaces(7)). */
#ifndef ASSENT_SANDBOX_NAMESPACES_H
#define ASSENT_SANDBOX_NAMESPACES_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

enum namespaces_set {
    NAMESPACES_MOUNT = 1, /* and user and IPC, without which there is none */
    NAMESPACES_PID = 2,
    NAMESPACES_NETWORK = 4,
};

/* Forks into new namespaces (0: none): 0 in the child, its pid in the parent, or -errno. */
pid_t namespaces_fork(unsigned set);

/* In the child: maps the user and group that the parent had to themselves, and nothing else. */
int namespaces_map_user(uid_t user, gid_t group, struct error *error);
/* In the child, with NAMESPACES_NETWORK: brings loopback up. */
int namespaces_raise_loopback(struct error *error);

#endif
