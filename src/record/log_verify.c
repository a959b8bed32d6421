/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "record/log_files.h"
#include "record/log_frame.h"
#include "record/log_reader.h"

#define FINDINGS_MAX 20

struct check {
    struct log_report *report;
    size_t findings;
    struct log_head anchored;
    bool has_anchor;
    bool old;                             /* of the old format, to which no anchor belongs */
    uint64_t at;                          /* line of the file, 1, 2, … */
    uint64_t number;                      /* of the last line that is in its place */
    unsigned char hash[SHA256_SIZE];      /* of that line */
    unsigned char anchor_at[SHA256_SIZE]; /* of the line whose number is anchored */
};

__attribute__((format(printf, 3, 4))) static void
find(struct check *check, enum log_verdict verdict, const char *format, ...)
{
    struct log_report *report = check->report;
    if (verdict > report->verdict)
        report->verdict = verdict;
    if (check->findings == FINDINGS_MAX)
        return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    report->findings =
        xreallocarray(report->findings, check->findings + 2, sizeof(*report->findings));
    report->findings[check->findings++] = xstrdup(text);
    report->findings[check->findings] = NULL;
}

/* ---- the chain ------------------------------------------------------------------------------- */

static void check_link(struct check *check, const struct log_frame *frame)
{
    if (sha256_equal(frame->previous, check->hash, SHA256_SIZE))
        return;
    if (check->number == 0 || frame->number > check->number + 1)
        return; /* said already: lines are missing in front of it */
    find(check, LOG_ALTERED,
         "line %" PRIu64 " was changed: its hash is not the one that line %" PRIu64 " holds",
         check->number, frame->number);
}

static void check_number(struct check *check, const struct log_frame *frame)
{
    uint64_t expected = check->number + 1;
    if (frame->number == expected + 1)
        find(check, LOG_ALTERED, "line %" PRIu64 " is missing", expected);
    else if (frame->number > expected)
        find(check, LOG_ALTERED, "lines %" PRIu64 " to %" PRIu64 " are missing", expected,
             frame->number - 1);
    else if (check->number == 0 &&
             memcmp(frame->previous, (const unsigned char[SHA256_SIZE]){0}, SHA256_SIZE) != 0)
        find(check, LOG_ALTERED, "line 1 was changed: there was a line before it");
}

/* Whoever has an anchor wrote chained lines: they do not become old ones. */
static void begin_log(struct check *check, const char *anchors, const char *console,
                      const struct log_line *line)
{
    check->old = log_frame_is_old(line->text, line->length) && !log_anchor_exists(anchors, console);
    if (check->old)
        find(check, LOG_OLD_FORMAT,
             "it is of an old format, without hashes: nothing in it can be proven");
}

static void check_old_line(struct check *check, const struct log_line *line)
{
    check->number = ++check->at;
    if (!log_frame_is_old(line->text, line->length))
        find(check, LOG_ALTERED, "line %" PRIu64 " of the file is not a line of its format",
             check->at);
    sha256_of(line->text, line->length, check->hash);
}

static void check_line(struct check *check, const struct log_line *line)
{
    struct log_frame frame;
    check->at++;
    if (!log_frame_read(line->text, line->length, &frame)) {
        find(check, LOG_ALTERED, "line %" PRIu64 " of the file is not a line of a session log",
             check->at);
        /* It stands where a line should be: the next one says if it was that one. */
        frame = (struct log_frame){.number = check->number + 1};
        memcpy(frame.previous, check->hash, SHA256_SIZE);
    }
    if (frame.number <= check->number) {
        find(check, LOG_ALTERED,
             "line %" PRIu64 " of the file, number %" PRIu64
             ", was put in or stands in the wrong place",
             check->at, frame.number);
        return;
    }
    check_number(check, &frame);
    check_link(check, &frame);
    check->number = frame.number;
    sha256_of(line->text, line->length, check->hash);
    if (check->number == check->anchored.lines)
        memcpy(check->anchor_at, check->hash, SHA256_SIZE);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void check_beyond(struct check *check)
{
    struct log_report *report = check->report;
    bool closed = check->anchored.closed;
    report->beyond = check->number - check->anchored.lines;
    if (report->beyond > 0 && closed)
        find(check, LOG_ALTERED, "lines were added behind the end, line %" PRIu64,
             check->anchored.lines);
    else if (report->beyond > 0 && !report->live)
        find(check, LOG_INTACT,
             "its console was killed: the last %" PRIu64 " lines (of %" PRIu64
             ") were written just before and are not anchored",
             report->beyond, check->number);
    if (report->torn > 0 && closed)
        find(check, LOG_ALTERED, "bytes were added behind the end, line %" PRIu64, check->number);
    else if (report->torn > 0 && !report->live)
        find(check, LOG_INTACT, "its console was killed while it wrote: %zu bytes of a torn line",
             report->torn);
}

static void check_anchor(struct check *check)
{
    if (check->number < check->anchored.lines)
        find(check, LOG_ALTERED,
             "the end was cut off: the log had %" PRIu64 " lines, %" PRIu64 " are there",
             check->anchored.lines, check->number);
    else if (check->anchored.lines > 0 &&
             !sha256_equal(check->anchor_at, check->anchored.hash, SHA256_SIZE))
        find(check, LOG_ALTERED,
             "line %" PRIu64 " is not the one that was anchored: it was changed, or all up to it "
             "was written anew",
             check->anchored.lines);
    else
        check_beyond(check);
}

static void read_anchor(struct check *check, const char *anchors, const char *console,
                        struct error *error)
{
    bool torn = false;
    check->has_anchor = log_anchor_read(anchors, console, &check->anchored, &torn, error) == 0;
    if (!check->has_anchor)
        check->anchored = (struct log_head){0};
    else if (torn && check->anchored.closed)
        find(check, LOG_ALTERED, "its anchor was changed after the end");
}

static void miss_anchor(struct check *check, const struct error *error)
{
    if (error->number != EBADMSG && check->number == 0)
        return; /* its console was stopped before it wrote anything */
    find(check, error->number == EBADMSG ? LOG_ALTERED : LOG_UNPROVEN,
         "nobody can tell if the end was cut off or all was written anew: %s", error->message);
}

int log_verify(const char *directory, const char *anchors, const char *console,
               struct log_report *report, struct error *error)
{
    struct check check = {.report = report};
    *report = (struct log_report){.verdict = LOG_INTACT};
    cleanup_free char *path = xasprintf("%s/%s" LOG_FILES_SUFFIX, directory, console);
    /* Before the log: of one that grows it then names a line that is there. */
    struct log_reader *reader = log_reader_open(path, error);
    if (reader == NULL)
        return -1;
    report->live = log_reader_live(reader);
    struct error missing = ERROR_INIT;
    read_anchor(&check, anchors, console, &missing);
    struct log_line line;
    while (log_reader_next_text(reader, &line) != LOG_READER_END) {
        if (check.at == 0)
            begin_log(&check, anchors, console, &line);
        if (check.old)
            check_old_line(&check, &line);
        else
            check_line(&check, &line);
        report->whole += (int64_t)line.length + 1;
    }
    report->torn = log_reader_torn(reader);
    if (check.has_anchor)
        check_anchor(&check);
    else if (!check.old)
        miss_anchor(&check, &missing);
    log_reader_close(&reader);
    report->head.lines = check.number;
    report->head.closed = check.anchored.closed;
    memcpy(report->head.hash, check.hash, SHA256_SIZE);
    return 0;
}

void log_report_clear(struct log_report *report)
{
    strv_free(&report->findings);
}

const char *log_verdict_name(enum log_verdict verdict)
{
    static const char *const names[] = {[LOG_INTACT] = "intact",
                                        [LOG_OLD_FORMAT] = "old_format",
                                        [LOG_UNPROVEN] = "unproven",
                                        [LOG_ALTERED] = "altered"};
    return names[verdict];
}
