/* SPDX-License-Identifier: MIT */
/*
 * reading: what a shell script might run, for whoever warns.
 *
 * The generous counterpart of shell.h: commands are found wherever a shell might run them, in
 * pipes, substitutions, groups and after keywords, also in scripts that the strict reading gives
 * up on. It serves prompts, danger and risk and may never serve to allow anything: a script can
 * hide commands from it, and it may see some that never run.
 */
#ifndef ASSENT_COMMAND_READING_H
#define ASSENT_COMMAND_READING_H

#include <stdbool.h>
#include <stddef.h>

enum reading_redirect { READING_FROM, READING_TO, READING_APPEND };

struct reading_word {
    char *text;        /* quotes removed; expansions stay as written */
    size_t start, end; /* byte range in the script, `end` exclusive */
    bool literal;      /* nothing in it that a shell would expand */
};

/* A redirection from or to a file; copies of descriptors (2>&1) are none. */
struct reading_target {
    enum reading_redirect kind;
    struct reading_word word;
};

struct reading_command {
    struct reading_word *words;
    size_t word_count; /* 0 when there are only redirections */
    struct reading_target *targets;
    size_t target_count;
    size_t pipe_from; /* index of the command whose output it reads, or READING_NO_PIPE */
};

#define READING_NO_PIPE ((size_t)-1)
#define READING_COMMANDS_MAX 256

struct reading {
    struct reading_command *commands; /* inner ones (substitutions) before the outer */
    size_t count;
    bool truncated; /* there are more commands than are kept */
};

/* Reads `length` bytes; never fails. Caller frees. */
struct reading *reading_new(const char *script, size_t length);
void reading_free(struct reading **reading);

#endif
