/* SPDX-License-Identifier: MIT */
/*
 * log_writer: lines to a file, from a thread of its own, so that the loop never waits for a disk.
 *
 * Group commit: while the thread writes and syncs, further lines and waiters gather; all of them
 * are served by the next sync. The first failed write or sync ends the record: what was written
 * of a torn line is taken back where the file allows it, nothing more is written, and every
 * waiter, present and future, is told the error.
 */
#ifndef ASSENT_RECORD_LOG_WRITER_H
#define ASSENT_RECORD_LOG_WRITER_H

#include <stddef.h>

#include "base/error.h"
#include "base/loop.h"

struct log_writer;

/* Bytes that may wait for the thread; more is a failure (-ENOBUFS): a record with holes would be
 * worse than one that has visibly ended. */
#define LOG_WRITER_QUEUE_MAX ((size_t)64 * 1024 * 1024)

/* Owns `fd` from now on (also on failure), which is written at its end. NULL with a message when
 * there is no thread. */
struct log_writer *log_writer_new(struct loop *loop, int fd, struct error *error);
/* Writes what is queued, syncs, ends the thread and closes. Waiters that were not told yet are
 * never called. */
void log_writer_free(struct log_writer **writer);

/* Queues one line (copied; the newline is added). */
void log_writer_put(struct log_writer *writer, const char *line, size_t length);
/* `done` is called once from the loop, never from inside this function: with 0 when everything
 * that was put before is on disk, or with -errno. */
void log_writer_sync(struct log_writer *writer, void (*done)(void *argument, int result),
                     void *argument);
/* Called once, from the loop, when the record has failed; `number` is the errno value. */
void log_writer_on_failure(struct log_writer *writer, void (*failed)(void *argument, int number),
                           void *argument);
/* 0, or -errno of the first failure. */
int log_writer_status(const struct log_writer *writer);

#endif
