/* SPDX-License-Identifier: MIT */
/*
 * recorder: the console's own record from start to end: where it is, what becomes of the older
 * ones, how it ended, and what of it is shown in the console.
 */
#ifndef ASSENT_RECORDER_H
#define ASSENT_RECORDER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/loop.h"
#include "config/options.h"
#include "record/log_resume.h"
#include "record/session_log.h"
#include "ui/console.h"

struct recorder;

/* Ends the logs of consoles that were killed. `state` is the directory of Assent's own files. NULL
 * with a message. */
struct recorder *recorder_new(const struct options *options, const char *state,
                              struct error *error);
/* Goes on where a console ended (`name` NULL: the last one). -1 with a message when that is not
 * possible. *root is then its workspace, "" when that is not known, borrowed. */
int recorder_resume(struct recorder *recorder, const char *name, const char **root,
                    struct error *error);
/* The highest number of a call there, behind which those here go on; 0: none. */
uint64_t recorder_last_call(const struct recorder *recorder);
/* The call there that asked the same and was denied, 0: none; as recall_denied in orchestrator.h.
 */
uint64_t recorder_denied(void *recorder, const struct call *call);
/* Where the operator is asked before there is a screen. */
struct recorder_terminal {
    FILE *in, *out;
    int quiet_ms; /* so long no key was pressed when a question is put: see typed_ahead.h */
};
/* Shows the operator, on the terminal as it is, what was approved there (of much of it the first,
 * and how many more), and asks if it is to hold. Without a yes, nothing of it does. -1 with a
 * message when `in` ends before an answer. */
int recorder_ask(struct recorder *recorder, const struct recorder_terminal *terminal,
                 struct error *error);
/* The agents of there that the operator wants to go on here, see log_resume_agent(). */
const char *const *recorder_agent(const struct recorder *recorder, size_t index);
/* Which of them had the whole screen there; SIZE_MAX: none. */
size_t recorder_zoomed(const struct recorder *recorder);
/* The n-th session of there whose approvals hold here, NULL behind the last. */
const struct log_legacy *recorder_left(const struct recorder *recorder, size_t index);
/* What came back, for the console to show; false when nothing was resumed. Cleared by the caller.
 */
bool recorder_restored(const struct recorder *recorder, struct console_restored *restored);
void recorder_restored_clear(struct console_restored *restored);
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

/* Begins to read what the record holds: the newest calls of this console, one a line, or of all of
 * them when a time is asked for, see log_filter_parse(); "stats": what was asked here. `recorder`
 * is the struct recorder, and outlives what is returned. */
void *recorder_read(void *recorder, const char *text, size_t columns);
/* Reads on for a few milliseconds: NULL, or at the end untrusted text, escaped; caller frees. */
char *recorder_read_on(void *reading);
void recorder_read_end(void *reading);

#endif
