/* SPDX-License-Identifier: MIT */
/* listener: who listens on a UNIX socket? Asked of the kernel (sock_diag(7)), not of the peer: to
 * connect in order to see would already have reached it. */
#ifndef ASSENT_SANDBOX_LISTENER_H
#define ASSENT_SANDBOX_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* What there is of namespaces, and the descriptor that the kernel is asked on. */
struct listener {
    int diagnosis;      /* -1 until it is needed */
    bool own_network;   /* every socket that the kernel lists is the command's */
    bool own_processes; /* and every process */
};

/* Does a process of the command listen on the socket file `target`? False also when the kernel does
 * not tell. */
bool listener_inside_at(struct listener *listener, const struct stat *target);
/* The same for an abstract name (its bytes, the leading NUL included). */
bool listener_inside_named(struct listener *listener, const char *name, size_t length);

#endif
