/* SPDX-License-Identifier: MIT */
/*
 * relay: the command's standard streams, where they are files.
 *
 * A descriptor that was opened outside names a mount outside: re-opened through /proc/self/fd it
 * would pass every read-only mount in here. So what is a file or directory is opened again inside
 * when the view gives the same file with the same access, else its bytes pass through a pipe that
 * the monitor pumps. Pipes, sockets and terminals stay what they are.
 */
#ifndef ASSENT_SANDBOX_RELAY_H
#define ASSENT_SANDBOX_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "sandbox/policy.h"

#define RELAY_BUFFER 65536

struct relay_stream {
    int original; /* as the caller gave it; -1: not needed */
    int reopened; /* the same file, opened inside; -1: none */
    int pipe;     /* our end when bytes are pumped, else -1 */
    int inside;   /* what the command gets */
    char *buffer; /* bytes on their way */
    size_t start, end;
    size_t at_once; /* what can be written without waiting where there is room */
};

struct relay {
    struct relay_stream streams[3];
};

/* Decides for 0, 1 and 2, after the view was built. Without a `view` nothing keeps a
 * file that was opened again from being changed: then only what the policy lets be written is.
 * `inside` of each is what to give the command; afterwards relay_release_inside(). -1 with the step
 * that failed. */
int relay_open(struct relay *relay, const struct sandbox_policy *policy, bool view,
               struct error *error);
/* All three as they are. */
void relay_open_none(struct relay *relay);
/* The command has them: closes our copies, and puts /dev/null in the place of 0, 1 and 2. */
void relay_release_inside(struct relay *relay);
/* Fills in what to wait for; returns how many (at most 3). */
int relay_watch(const struct relay *relay, struct pollfd *watched);
/* Pumps what can be pumped without waiting. */
void relay_pump(struct relay *relay);
/* After the last process inside has ended: pumps the rest of the output without waiting. True when
 * there is more, for which relay_watch() says what to wait for. */
bool relay_drain(struct relay *relay);
/* At last: moves the position of the caller's files to where the command left it. */
void relay_finish(struct relay *relay);

#endif
