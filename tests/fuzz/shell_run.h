/* SPDX-License-Identifier: MIT */
/* shell_run: what a real shell runs when it gets a script, in a directory made for it. */
#ifndef ASSENT_FUZZ_SHELL_RUN_H
#define ASSENT_FUZZ_SHELL_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct shell_record {
    char **words;
    char *directory;
    char *input; /* what `cat` and `tee` read */
};

struct shell_records {
    struct shell_record *list;
    size_t count;
    bool timed_out;
    char *leftover; /* a file that is there and was not expected, or NULL */
};

struct shell_stage {
    char *root; /* holds bin/, work/ and the log */
    char *work; /* where scripts run; holds a.c b.c -rf --output=x src d/ d/e.c d/f.c run */
    char *bin;
    char *log;
    char *rc; /* what bash reads first */
    char *stub;
};

/* Makes the directory. `stub` is the path of the stand-in for programs. NULL with a message. */
struct shell_stage *shell_stage_new(const char *stub, struct error *error);
void shell_stage_free(struct shell_stage **stage);

/* Makes the stand-in answer to a name without a slash. False when no file can have it. */
bool shell_stage_offer(struct shell_stage *stage, const char *name);

/* Runs `shell -c script` (`shell` is bash, dash …, found on PATH) and waits until everything that
 * it started has ended. Files called o1 … o9 or "o 3" are expected to appear, and are removed. */
void shell_run(struct shell_stage *stage, const char *shell, const char *script, int policy,
               struct shell_records *records);
void shell_records_clear(struct shell_records *records);

#endif
