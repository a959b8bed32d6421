/* SPDX-License-Identifier: MIT */
/*
 * notify_command: the operator's own command that is run when a request waits (a sound, a message
 * to a telephone). It learns what happened and how many wait, and nothing of any request: those
 * are an agent's words. One runs at a time; one that takes too long is killed.
 */
#ifndef ASSENT_UI_NOTIFY_COMMAND_H
#define ASSENT_UI_NOTIFY_COMMAND_H

#include <stddef.h>

#include "base/loop.h"

#define NOTIFY_COMMAND_MS 10000

struct notify_command;

/* `line` is for /bin/sh, and must outlive it. */
struct notify_command *notify_command_new(struct loop *loop, const char *line);
/* Kills what runs. */
void notify_command_free(struct notify_command **command);
/* With ASSENT_EVENT and ASSENT_WAITING in its environment; `event` is static. While one runs it
 * waits for that to end; of several that wait so, the newest is told. */
void notify_command_run(struct notify_command *command, const char *event, size_t waiting);

#endif
