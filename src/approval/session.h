/* SPDX-License-Identifier: MIT */
/*
 * session: one agent's connection to the console, with its own grants and its own context.
 *
 * The name is what the client claims; pid and executable are what we saw of the peer. Grants
 * belong to the session object (the connection), never to a name.
 */
#ifndef ASSENT_APPROVAL_SESSION_H
#define ASSENT_APPROVAL_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "approval/context.h"
#include "approval/grants.h"

enum session_origin {
    SESSION_OPERATOR, /* the prompt line, or CMD given on the command line */
    SESSION_DEFAULT,  /* plain clients without a capability share this one */
    SESSION_CLIENT,   /* a connection with its own capability (an agent) */
};

struct session {
    char id[40]; /* unique among all consoles of this user, printable ASCII */
    enum session_origin origin;
    char *name;                   /* claimed; untrusted */
    pid_t peer_pid;               /* 0 when there is no peer process */
    char *peer_exe;               /* path of its executable as we saw it, or NULL; untrusted text */
    struct turn_context *context; /* for calls that arrive from now on */
    struct grants *grants;
    char **denied_keys; /* keys of requests the operator denied: the same again gets the same */
    unsigned open_calls;
    int64_t started_ms; /* wall clock */
    bool ended;
};

#endif
