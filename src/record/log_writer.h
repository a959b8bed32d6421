/* SPDX-License-Identifier: MIT */
/*
 * log_writer: lines to a file, from a thread of its own, so that the loop never waits for a disk.
 *
 * Group commit: while the thread writes and syncs, further lines and waiters gather; all of them
 * are served by the next sync. When there is no room on the disk, what was written of a torn line
 * is taken back, everybody who waits is told the error, and whatever is put or waited for next
 * first tries to write all that is missing: the record goes on without a hole. Any other failure
 * ends it: nothing more is written, and every waiter, present and future, is told the error.
 *
 * What is on disk is anchored (log_anchor) before those who wait for it are told. Lines that nobody
 * waits for are synced and anchored LOG_WRITER_IDLE_MS after they were written at the latest.
 */
#ifndef ASSENT_RECORD_LOG_WRITER_H
#define ASSENT_RECORD_LOG_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/loop.h"
#include "record/log_anchor.h"

struct log_writer;

/* Bytes that may wait for the thread; more is a failure (-ENOBUFS): a record with holes would be
 * worse than one that has visibly ended. */
#define LOG_WRITER_QUEUE_MAX ((size_t)64 * 1024 * 1024)

#define LOG_WRITER_IDLE_MS 1000

/* Owns `fd` from now on (also on failure), which is written at its end, and `anchor` (NULL: none).
 * NULL with a message when there is no thread. */
struct log_writer *log_writer_new(struct loop *loop, int fd, struct log_anchor *anchor,
                                  struct error *error);
/* Writes what is queued, syncs, ends the thread and closes. Waiters that were not told yet are
 * never called. True when all that was ever put is on disk and anchored as the end of the log. */
bool log_writer_free(struct log_writer **writer);

/* Queues one line (copied; the newline is added) and its hash. */
void log_writer_put(struct log_writer *writer, const char *line, size_t length,
                    const unsigned char hash[SHA256_SIZE]);
/* `done` is called once from the loop, never from inside this function: with 0 when everything
 * that was put before is on disk, or with -errno. */
void log_writer_sync(struct log_writer *writer, void (*done)(void *argument, int result),
                     void *argument);
/* Called from the loop when lines cannot be written any more, with the errno value, and when they
 * can be again, with 0. */
void log_writer_on_change(struct log_writer *writer, void (*changed)(void *argument, int number),
                          void *argument);

#endif
