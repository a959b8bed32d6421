/* SPDX-License-Identifier: MIT */
/*
 * gateway: the one way out of a command's own network namespace when the policy asks for hosts.
 *
 * The helper listens on the namespace's loopback before the command starts, and hands the listening
 * socket to the console over the status socket. A socket stays in the namespace that it was made
 * in: the console accepts connections of the command, and nobody else can make one. No byte passes
 * through the helper, and nothing listens on the host.
 */
#ifndef ASSENT_SANDBOX_GATEWAY_H
#define ASSENT_SANDBOX_GATEWAY_H

#include "base/error.h"

/* Above the ports that the kernel hands out by itself (ip(7)), so that no command meets it. */
#define GATEWAY_PORT 61080

/* Where ssh finds which servers the operator knows, whose own file is closed with the keys. */
#define GATEWAY_KNOWN_HOSTS "/dev/.known_hosts"

/* NAME=VALUE for the programs that are known to use a proxy; NULL-terminated. */
extern const char *const GATEWAY_VARIABLES[];

/* More of them, for programs that need one of our files: `connect` is assent-connect, for ssh under
 * git, `node_module` is node-proxy.cjs, for older versions of Node.js. Where one is NULL or its
 * path has characters that shells would read, there is no variable for it. The caller frees with
 * strv_free(). */
char **gateway_own_variables(const char *connect, const char *node_module);

/* A listening socket on the loopback of the calling process's network namespace; -1 with a message.
 */
int gateway_listen(struct error *error);

#endif
