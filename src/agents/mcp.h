/* SPDX-License-Identifier: MIT */
/*
 * mcp: a server of the Model Context Protocol on two descriptors, with one tool that runs commands
 * through a console. https://modelcontextprotocol.io/specification/2025-11-25
 *
 * The console may come and go: each call finds it anew when there is no connection. While a call
 * waits or runs, its client hears of it at least every ten seconds, because clients give up on
 * calls that say nothing.
 */
#ifndef ASSENT_AGENTS_MCP_H
#define ASSENT_AGENTS_MCP_H

#include <stdint.h>

#include "base/loop.h"

struct mcp;

struct mcp_setup {
    struct loop *loop;
    int read_fd, write_fd; /* taken over */
    const char *cwd;       /* absolute: where commands run by default, and picks the console */
    const char *socket;    /* a certain console's socket, or NULL */
    /* As in struct client_setup; NULL: where the environment says. */
    const char *const *socket_directories;
    const char *config_directory;
    /* An answer is given after that at the latest, also when a call goes on; 0: at its end, or as
     * the client is known to need it, or before 60 s where it asks for no progress. */
    int64_t return_after_ms;
    const char *capability; /* the secret that the console handed over, or NULL */
    /* There is nothing left to do: the client is gone. The server may be freed from here. */
    void (*ended)(void *argument);
    void *argument;
};

struct mcp *mcp_new(const struct mcp_setup *setup);
/* Calls that still run are cancelled, because their connection ends. */
void mcp_free(struct mcp **mcp);

#endif
