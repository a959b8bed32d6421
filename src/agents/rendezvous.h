/* SPDX-License-Identifier: MIT */
/*
 * rendezvous: where consoles and their clients meet.
 *
 * Each console has one socket in a directory that only its user can enter. Sockets are addressed
 * through the opened directory, so that what was checked is what is used and long paths are fine
 * (an address holds 108 bytes, unix(7)).
 */
#ifndef ASSENT_AGENTS_RENDEZVOUS_H
#define ASSENT_AGENTS_RENDEZVOUS_H

#include <stdbool.h>

#include "base/error.h"

/* Opens the directory, making it first when `create`. Refuses one that is a symlink, not ours or
 * open to others. A descriptor, or -1 (error->number is ENOENT when there is none). */
int rendezvous_open(const char *path, bool create, struct error *error);

/* Names of the consoles' sockets ("PID.sock"), NULL-terminated; strv_free(). */
char **rendezvous_list(int directory);

/* A connected non-blocking socket whose other end has our uid, or -errno (-ECONNREFUSED: nobody
 * listens; -EPERM: somebody else does; -EAGAIN: too many wait). */
int rendezvous_connect(int directory, const char *name);

/* A listening non-blocking socket of mode 0600 under that name; one that nobody listens on any
 * more is replaced. -1 with a message. */
int rendezvous_listen(int directory, const char *name, struct error *error);

/* Removes the sockets of consoles that are gone. Returns how many. */
unsigned rendezvous_reclaim(int directory);

/* Removes `name` if it is still the socket that rendezvous_listen() made. */
void rendezvous_remove(int directory, const char *name, int socket);

#endif
