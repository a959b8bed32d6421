/* SPDX-License-Identifier: MIT */
/*
 * session_log: the record, one JSON object a line, as an observer of the orchestrator.
 *
 * Lines are queued in the loop and written by one writer thread, which syncs once for all that
 * wait (group commit); session_log_commit() gives the orchestrator its "on disk before the
 * effect". Each line carries the hash of the line before it, and the last one's is anchored outside
 * the log. The file has mode 0600 in a 0700 directory. The schema is described in
 * doc/session-log.md.
 */
#ifndef ASSENT_RECORD_SESSION_LOG_H
#define ASSENT_RECORD_SESSION_LOG_H

#include "approval/orchestrator.h"
#include "record/log_anchor.h"
#include "record/log_retain.h"

struct session_log;

/* Where logs are, and their anchors (log_anchor.h). */
struct log_place {
    const char *directory;
    const char *anchors;
};

/* Creates DIRECTORY/CONSOLE-ID.jsonl and its anchor, and starts the writer. The id is letters,
 * digits, "._-", and must not have a log yet. NULL with a message. */
struct session_log *session_log_open(struct loop *loop, const struct log_place *place,
                                     const char *console_id, struct error *error);
/* Says at the log's beginning, where `resumes` is the console that this one goes on from (else
 * NULL), who writes it: comes before anything else. `last_call` is the highest number that a call
 * had there, 0: none. */
void session_log_begin(struct session_log *log, const char *resumes, uint64_t last_call);
/* The call's pane was given the whole screen, or has it no longer. */
void session_log_layout(struct session_log *log, const struct call *call, bool zoomed);
/* The session's grants are those that it has from there. */
void session_log_grants_restored(struct session_log *log, const struct session *session);
/* Writes what is queued, syncs, ends the thread, closes. Commits that were not answered yet never
 * are: what waits for them does not happen. `head` (NULL: not wanted) is how the log ends; without
 * lines when the end could not be written. */
void session_log_close(struct session_log **log, struct log_head *head);

/* Removes the logs of consoles that have ended and are over the limits; says so in this one. */
void session_log_retain(struct session_log *log, const struct log_limits *limits);

const struct observer *session_log_observer(void); /* its argument is the struct session_log */
struct commit session_log_commit(struct session_log *log);
const char *session_log_console(const struct session_log *log);
const char *session_log_path(const struct session_log *log);
/* `changed` is called from the loop when the record cannot be written any more (every commit fails
 * from then on), and when it can be again; `message` is a sentence for the operator. */
void session_log_on_change(struct session_log *log,
                           void (*changed)(void *argument, bool failing, const char *message),
                           void *argument);

#endif
