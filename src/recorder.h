/* SPDX-License-Identifier: MIT */
/*
 * recorder: the console's own record from start to end: where it is, what becomes of the older
 * ones, how it ended, and what of it is shown in the console.
 */
#ifndef ASSENT_RECORDER_H
#define ASSENT_RECORDER_H

#include <stdio.h>

#include "base/error.h"
#include "base/loop.h"
#include "config/options.h"
#include "record/session_log.h"

struct recorder;

/* Ends the logs of consoles that were killed. `state` is the directory of Assent's own files. NULL
 * with a message. */
struct recorder *recorder_new(const struct options *options, const char *state,
                              struct error *error);
/* Goes on where a console ended (`name` NULL: the last one). -1 with a message when that is not
 * possible. *root is then its workspace, "" when that is not known, borrowed. */
int recorder_resume(struct recorder *recorder, const char *name, const char **root,
                    struct error *error);
/* Shows the operator, on the terminal as it is, what was approved there, and asks if it is to hold.
 * Without, nothing of it does. */
void recorder_ask(struct recorder *recorder, FILE *in, FILE *out);
/* Opens the log, and removes older ones that are over the limits. -1 with a message. */
int recorder_start(struct recorder *recorder, struct loop *loop, const struct options *options,
                   struct error *error);
/* Gives sessions what the operator let hold; after the log's observer. Its argument is the struct
 * recorder. */
const struct observer *recorder_observer(void);
/* Ends the log, and unless `quiet` shows how it ended on standard error: a copy that nobody on
 * this machine can change. */
void recorder_free(struct recorder **recorder, bool quiet);
struct session_log *recorder_log(const struct recorder *recorder);

/* The newest calls of this console, one a line, that hold `text`; "approved": what the operator
 * approved today, here and in other consoles; "stats": what was asked here. Untrusted text,
 * escaped; caller frees. `recorder` is the struct recorder. */
char *recorder_calls(void *recorder, const char *text);

#endif
