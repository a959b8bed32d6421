/* SPDX-License-Identifier: MIT */
/* listener: who listens on a UNIX socket? Asked of the kernel (sock_diag(7)), not of the peer: to
 * connect in order to see would already have reached it. */
#ifndef ASSENT_SANDBOX_LISTENER_H
#define ASSENT_SANDBOX_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Does a process of this PID namespace listen on the socket file `target`? With `own_network` every
 * socket that the kernel lists is one of them. `*diagnosis` is kept open from one call to the next
 * (start with -1). False also when the kernel does not tell. */
bool listener_inside_at(int *diagnosis, const struct stat *target, bool own_network);
/* The same for an abstract name (its bytes, the leading NUL included), in a shared network. */
bool listener_inside_named(int *diagnosis, const char *name, size_t length);

#endif
