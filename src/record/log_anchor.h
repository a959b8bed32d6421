/* SPDX-License-Identifier: MIT */
/*
 * log_anchor: how far a session log had got, kept outside of it: number of lines and hash of the
 * last, with a keyed hash (HMAC) over both, the console's name, and whether the log has ended.
 *
 * A chain of hashes alone does not show that its end was cut off or that all of it was written
 * anew; with the anchor it does, to anybody who does not have the key. The key is a file beside
 * the anchors, in a directory that no sandboxed command can read. Whoever runs as the operator
 * outside every sandbox can read it: against them only a copy of the head helps (it is shown when
 * a console ends).
 *
 * A file has two places that are written by turns, so that a write that is cut short leaves the
 * one before it.
 */
#ifndef ASSENT_RECORD_LOG_ANCHOR_H
#define ASSENT_RECORD_LOG_ANCHOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/sha256.h"

#define LOG_ANCHOR_SUFFIX ".head"

struct log_head {
    uint64_t lines;
    unsigned char hash[SHA256_SIZE]; /* of the last line; all zeros without lines */
    bool closed;                     /* no line comes after it */
};

struct log_anchor;

/* Makes the directory and the key when they are missing, and an anchor for a log without lines.
 * NULL with a message. */
struct log_anchor *log_anchor_create(const char *directory, const char *console,
                                     struct error *error);
/* To write further heads of a log; NULL with a message. */
struct log_anchor *log_anchor_open(const char *directory, const char *console, struct error *error);
void log_anchor_free(struct log_anchor **anchor);
/* 0 or -errno. Survives the end of this process; with `sync` that of the machine. */
int log_anchor_write(struct log_anchor *anchor, const struct log_head *head, bool sync);

/* The newest head. *torn: the other place holds no head, as the writer was stopped in the middle or
 * somebody has changed it. -1 with a message (number ENOENT: there is no anchor). */
int log_anchor_read(const char *directory, const char *console, struct log_head *head, bool *torn,
                    struct error *error);
/* Is there one, whatever it says? */
bool log_anchor_exists(const char *directory, const char *console);

#endif
