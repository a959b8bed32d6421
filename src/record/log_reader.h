/* SPDX-License-Identifier: MIT */
/* log_reader: the lines of one session log, whole ones only. */
#ifndef ASSENT_RECORD_LOG_READER_H
#define ASSENT_RECORD_LOG_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Longer lines count as damaged: no event is that large. */
#define LOG_READER_LINE_MAX ((size_t)16 * 1024 * 1024)

struct log_reader;

enum log_reader_state {
    LOG_READER_LINE,    /* a whole event */
    LOG_READER_DAMAGED, /* a whole line that is no event */
    LOG_READER_END,     /* nothing more yet; a later call may find more */
};

struct log_line {
    uint64_t number;  /* 1, 2, … */
    const char *text; /* without the newline; valid until the next call */
    size_t length;
    json_t *event; /* borrowed until the next call; NULL unless LOG_READER_LINE */
};

struct log_reader *log_reader_open(const char *path, struct error *error);
void log_reader_close(struct log_reader **reader);
enum log_reader_state log_reader_next(struct log_reader *reader, struct log_line *line);
/* The next line without looking at what it says: LOG_READER_LINE with `event` NULL, or, when it is
 * too long to be one, LOG_READER_DAMAGED. */
enum log_reader_state log_reader_next_text(struct log_reader *reader, struct log_line *line);
/* After LOG_READER_END: bytes of a last line that is not whole, 0 when there is none. */
size_t log_reader_torn(const struct log_reader *reader);
/* Does the console that writes this log still live? */
bool log_reader_live(const struct log_reader *reader);

#endif
