/* SPDX-License-Identifier: MIT */
/*
 * restorer: a small process that gives the terminal back when the console cannot, because it was
 * killed outright (SIGKILL, the kernel out of memory). It holds nothing but the terminal and the
 * end of a socket, and does nothing but wait for that socket to close.
 */
#ifndef ASSENT_UI_RESTORER_H
#define ASSENT_UI_RESTORER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct restorer {
    pid_t pid;  /* 0: there is none */
    int socket; /* its other end; -1 */
};

struct restorer_terminal {
    int input, output;           /* descriptors of the terminal; borrowed */
    const struct termios *modes; /* as they were, or NULL */
    const char *restore;         /* what to write */
    size_t restore_length;
};

/* Starts one where none runs; without it (no process can be made) the console works as well. */
void restorer_start(struct restorer *restorer, const struct restorer_terminal *terminal);
/* Whether one runs; one that has ended is forgotten. */
bool restorer_runs(struct restorer *restorer);
/* Ends it: the terminal was given back. */
void restorer_stop(struct restorer *restorer);

#endif
