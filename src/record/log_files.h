/* SPDX-License-Identifier: MIT */
/* log_files: the session logs of a directory. */
#ifndef ASSENT_RECORD_LOG_FILES_H
#define ASSENT_RECORD_LOG_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"

#define LOG_FILES_SUFFIX ".jsonl"
#define LOG_FILES_INDEX_SUFFIX ".index" /* made anew whenever it is missing */

struct log_file {
    char *path;
    char *console; /* its name without directory and suffix */
    struct timespec changed;
    off_t size;
};

struct log_files {
    struct log_file *items; /* the one that changed last at the end */
    size_t count;
};

/* None when the directory is not there yet. 0, or -1 with a message when it cannot be read. */
int log_files_find(const char *directory, struct log_files *files, struct error *error);
/* As log_files_find(), of the anchors in their directory; their consoles' logs may be gone. */
int log_files_find_anchors(const char *anchors, struct log_files *files, struct error *error);
void log_files_clear(struct log_files *files);

/* Does the console that writes this log, opened as `fd`, still live? */
bool log_files_live(int fd);

#endif
