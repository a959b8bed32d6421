/* SPDX-License-Identifier: MIT */
/* front: what the operator sits at: the console on the whole screen, or plain lines. */
#ifndef ASSENT_FRONT_H
#define ASSENT_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#include "agents/server.h"
#include "approval/orchestrator.h"
#include "base/error.h"
#include "base/loop.h"
#include "config/options.h"
#include "recorder.h"
#include "rule_files.h"

struct front;

/* All borrowed, and outlives it. */
struct front_setup {
    struct loop *loop;
    const struct options *options;
    struct orchestrator *orchestrator;
    struct session *session; /* the operator's */
    struct server *server;   /* hears of contexts that the operator chooses */
    struct recorder *recorder;
    struct rule_files *rule_files;
    const char *root;      /* of the workspace */
    const char *state;     /* directory of Assent's own files */
    uint64_t command_call; /* the call that gets the keyboard first, 0: none */
    bool zoomed;           /* and the whole screen */
    bool demo;
    /* The operator wants to end, with this exit status. Called from the loop. */
    void (*quit)(void *argument, int status);
    void *argument;
};

/* Observes the orchestrator from now on. NULL with a message. */
struct front *front_new(const struct front_setup *setup, struct error *error);
/* Ctrl-C, where the terminal makes a signal of it: true when the operator is told first of what
 * would end, and nothing does. */
bool front_interrupt(struct front *front);
/* Gives the terminal back. */
void front_free(struct front **front);

/* The record can not be written, or can again. */
void front_record_fails(struct front *front, bool failing);

#endif
