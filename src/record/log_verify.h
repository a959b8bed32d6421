/* SPDX-License-Identifier: MIT */
/*
 * log_verify: is a session log what the console wrote? Its lines are chained by hashes, and the
 * last is anchored outside (log_anchor.h), so that a change, a line that is missing, too many or in
 * another place, a cut end and a log that was written anew are found, and where.
 */
#ifndef ASSENT_RECORD_LOG_VERIFY_H
#define ASSENT_RECORD_LOG_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "record/log_anchor.h"

enum log_verdict {
    LOG_INTACT,
    LOG_OLD_FORMAT, /* from before records were chained: nothing in it can be proven */
    LOG_UNPROVEN,   /* nothing speaks against it, but what would prove it is missing */
    LOG_ALTERED,
};

struct log_report {
    enum log_verdict verdict;
    struct log_head head; /* of the lines in the file; `closed` as the anchor says */
    bool live;            /* its console lives */
    uint64_t beyond;      /* lines behind the anchored one: written when the console was killed */
    size_t torn;          /* bytes behind the last whole line */
    int64_t whole;        /* bytes up to there */
    char **findings;      /* a sentence each: what is wrong or was noticed */
};

/* Checks the log of a console; `anchors` is the directory of the anchors. -1 with a message when it
 * cannot be read. */
int log_verify(const char *directory, const char *anchors, const char *console,
               struct log_report *report, struct error *error);
void log_report_clear(struct log_report *report);
const char *log_verdict_name(enum log_verdict verdict); /* "intact", … */

#endif
