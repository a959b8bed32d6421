/* SPDX-License-Identifier: MIT */
/*
 * log_index: where the lines of a session log are and what they are about, so that a log of a
 * million lines opens at once.
 *
 * It is kept in a file beside the log, is only ever derived from it, and is made anew when it is
 * missing, damaged or not of this log. What is shown comes from the log itself.
 */
#ifndef ASSENT_RECORD_LOG_INDEX_H
#define ASSENT_RECORD_LOG_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/log_files.h"

enum log_event_kind {
    LOG_EVENT_DAMAGED, /* no line of a log */
    LOG_EVENT_OTHER,
    LOG_EVENT_SESSION_START,
    LOG_EVENT_SESSION_END,
    LOG_EVENT_CALL_RECEIVED,
    LOG_EVENT_REQUIREMENT,
    LOG_EVENT_ASSESSMENT,
    LOG_EVENT_PROMPT_SHOWN,
    LOG_EVENT_DECISION,
    LOG_EVENT_ATTEMPT_END,
    LOG_EVENT_FINISHED,
    LOG_EVENT_GRANT, /* one was restored or has ended */
    LOG_EVENT_CONVERSATION,
    LOG_EVENT_EDITED,
    LOG_EVENT_LAYOUT,
    LOG_EVENT_ATTEMPT_START,
    LOG_EVENT_NOTICE,
    LOG_EVENT_CONNECTION,
};

#define LOG_EVENT_LAST LOG_EVENT_CONNECTION

enum log_connection {
    LOG_CONNECTION_DENIED = 1,
    LOG_CONNECTION_COVERED, /* by an earlier answer */
    LOG_CONNECTION_ALLOWED, /* by the operator, who was asked for it */
};

struct log_entry {
    uint64_t offset;  /* of the line in the file */
    int64_t time_ms;  /* -1: unknown */
    uint32_t length;  /* without newline */
    uint32_t call;    /* 0: of none */
    uint32_t session; /* index of log_index_session(), plus 1; 0: of none */
    uint8_t event;    /* enum log_event_kind */
    uint8_t value;    /* decision: enum review_kind; assessment: enum risk_level;
                         attempt_start: enum attempt_sandbox; connection: enum log_connection;
                         else 0 */
    uint8_t source;   /* decision: enum decision_source */
    uint8_t unused;
};

struct log_index;

/* Reads the index of a log, or makes it; brings it up to the end of the log. NULL with a message
 * when the log cannot be read. */
struct log_index *log_index_open(const struct log_file *file, struct error *error);
/* The same in steps that take a few milliseconds each, for who must not stand still; nothing is
 * kept in a file. It may be looked at once a step has said that there is no more to do; further
 * steps take in what was written since. */
struct log_index *log_index_begin(const struct log_file *file, struct error *error);
bool log_index_step(struct log_index *index);
void log_index_free(struct log_index **index);
/* Opens one log of a directory after the other, the one that changed last at the end, until `each`
 * says false. -1 with a message when one cannot be read. */
int log_index_each(const char *directory,
                   bool (*each)(void *argument, const struct log_index *index, const char *console),
                   void *argument, struct error *error);
/* Takes in what was written since; the number of new lines. */
size_t log_index_update(struct log_index *index);

size_t log_index_count(const struct log_index *index);
const struct log_entry *log_index_at(const struct log_index *index, size_t line);
/* Id of a session in the log, NULL behind the last. Borrowed. */
const char *log_index_session(const struct log_index *index, size_t session);
/* The text of a line, which the caller frees; NULL when it cannot be read any more. */
char *log_index_text(const struct log_index *index, size_t line);
/* Does its console live? */
bool log_index_live(const struct log_index *index);
/* Bytes of a last line that is not whole. */
uint64_t log_index_torn(const struct log_index *index);
/* Was it made anew, wholly, when it was opened? */
bool log_index_rebuilt(const struct log_index *index);

#endif
