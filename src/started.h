/* SPDX-License-Identifier: MIT */
/* started: what the operator started Assent with: a command, agents to converse with, and those of
 * the console that this one goes on from. They are the operator's own: they run unasked, and agents
 * confined only where confine_agent says so. */
#ifndef ASSENT_STARTED_H
#define ASSENT_STARTED_H

#include <stdbool.h>
#include <stdint.h>

#include "agents/server.h"
#include "approval/orchestrator.h"
#include "base/error.h"
#include "config/options.h"
#include "demo.h"
#include "recorder.h"

struct started_setup {
    const struct options *options;
    struct orchestrator *orchestrator;
    struct server *server;
    const struct turn_context *context; /* of commands */
    struct session *session;            /* the operator's */
    const struct recorder *recorder;
    const struct demo *demo; /* NULL: no demo */
    bool terminal;           /* they get one */
};

/* Starts the command, or the demo's agent when there is none; *call is its id, 0 when there is
 * nothing to start. -1 with a message. */
int started_command(const struct started_setup *setup, const char *const *argv, uint64_t *call,
                    struct error *error);
/* Starts the agents; *first is the id of the first one's call, 0 when there is none. -1 with a
 * message. */
int started_agents(const struct started_setup *setup, uint64_t *first, struct error *error);

#endif
