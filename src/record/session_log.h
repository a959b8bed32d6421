/* SPDX-License-Identifier: MIT */
/*
 * session_log: the record, one JSON object a line, as an observer of the orchestrator.
 *
 * Lines are queued in the loop and written by one writer thread, which syncs once for all that
 * wait (group commit); session_log_commit() gives the orchestrator its "on disk before the
 * effect". The file has mode 0600 in a 0700 directory. The schema is described in
 * doc/session-log.md.
 */
#ifndef ASSENT_RECORD_SESSION_LOG_H
#define ASSENT_RECORD_SESSION_LOG_H

#include "approval/orchestrator.h"

struct session_log;

#define SESSION_LOG_VERSION 1 /* of the schema: the field "v" */
#define SESSION_LOG_SUFFIX ".jsonl"

/* Creates DIRECTORY/CONSOLE-ID.jsonl and starts the writer. The id is letters, digits, "._-", and
 * must not have a log yet. NULL with a message. */
struct session_log *session_log_open(struct loop *loop, const char *directory,
                                     const char *console_id, struct error *error);
/* Writes what is queued, syncs, ends the thread, closes. Commits that were not answered yet never
 * are: what waits for them does not happen. */
void session_log_close(struct session_log **log);

const struct observer *session_log_observer(void); /* its argument is the struct session_log */
struct commit session_log_commit(struct session_log *log);
const char *session_log_path(const struct session_log *log);
/* 0, or -errno of the first failed write: from then on every commit fails with it. */
int session_log_status(const struct session_log *log);
/* `failed` is called once, from the loop, when the record cannot be written any more; `message` is
 * a sentence for the operator. */
void session_log_on_failure(struct session_log *log,
                            void (*failed)(void *argument, const char *message), void *argument);

#endif
