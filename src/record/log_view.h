/* SPDX-License-Identifier: MIT */
/*
 * log_view: reads session logs for a person (`assent log`). What it prints is safe for a terminal;
 * as JSON it passes whole lines on as they are.
 *
 * A log may end in the middle of a line when its console was killed: what is before is whole, the
 * rest is marked and left out.
 */
#ifndef ASSENT_RECORD_LOG_VIEW_H
#define ASSENT_RECORD_LOG_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct log_view_options {
    bool json;   /* the lines themselves; marks go to standard error */
    bool follow; /* go on as the log grows, until its console ends or `out` fails (blocks) */
};

/* One line a session in the logs of a directory, oldest first: its id, start, name, number of
 * calls, how it ended. As JSON an object a line. 0, or -1 with a message. */
int log_view_list(const char *directory, const struct log_view_options *options, FILE *out,
                  struct error *error);

/* The events of one session (by its id) or of a whole console (by the name of its log); `name`
 * NULL: the newest log. 0, or -1 with a message (no such session, file not readable). */
int log_view_print(const char *directory, const char *name, const struct log_view_options *options,
                   FILE *out, struct error *error);

#endif
