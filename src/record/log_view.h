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
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "record/log_index.h"

/* How often a log that is followed is looked at. */
#define LOG_VIEW_FOLLOW_MS 200

struct log_view_options {
    bool json;   /* the lines themselves; marks go to standard error */
    bool follow; /* go on as the log grows, until its console ends or `out` fails (blocks) */
};

/* One line a console whose log is in the directory, oldest first: its name, start, number of calls,
 * how it ended, its workspace, who asked. As JSON an object a session on a line. 0, or -1 with a
 * message. */
int log_view_list(const char *directory, const struct log_view_options *options, FILE *out,
                  struct error *error);

/* The events of one session (by its id, or as much of that as the console shows) or of a whole
 * console (by the name of its log); `name` NULL: the newest log. 0, or -1 with a message (no such
 * session, file not readable). */
int log_view_print(const char *directory, const char *name, const struct log_view_options *options,
                   FILE *out, struct error *error);

/* All that is known of a call: whose it is, its events with all their fields, and what is kept of
 * its output. `name` as above, but NULL: the newest log that has such a call. 0, or -1 with a
 * message. */
int log_view_call(const char *directory, const char *name, uint64_t call, FILE *out,
                  struct error *error);

/* The log of a console, or the one that holds a session (then *session is its id, borrowed from the
 * index, else NULL); `name` NULL: the newest. The caller frees *console, its name. NULL with a
 * message. */
struct log_index *log_view_open(const char *directory, const char *name, const char **session,
                                char **console, struct error *error);

/* The console in whose log a session is, or of that name; caller frees. NULL with a message. */
char *log_view_console(const char *directory, const char *name, struct error *error);

#endif
