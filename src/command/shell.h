/* SPDX-License-Identifier: MIT */
/*
 * shell: what a shell script runs, when that can be known for certain.
 *
 * A script is *plain* when it is a sequence of simple commands of literal words joined by `&&`,
 * `||`, `;`, `|` (a newline counts as `;`). Quotes and comments are fine; whatever a shell would
 * expand, redirect, substitute, group or define makes the script *opaque*.
 *
 * Soundness: for a plain script a real bash or POSIX sh, not interactive, runs exactly the argv
 * lists that are reported (fewer where && and || stop it). In doubt: opaque. Text that a reader
 * could misread (controls, invisible characters, look-alikes, invalid UTF-8) is opaque too,
 * because an operator judges what is seen.
 */
#ifndef ASSENT_COMMAND_SHELL_H
#define ASSENT_COMMAND_SHELL_H

#include <stdbool.h>
#include <stddef.h>

/* Longer scripts are opaque: nobody reads them. */
#define SHELL_SCRIPT_MAX ((size_t)64 * 1024)

enum shell_operator { SHELL_AND, SHELL_OR, SHELL_SEQUENCE, SHELL_PIPE };

struct shell_command {
    char **argv;       /* NULL-terminated, at least one word, argv[0] not empty; owned */
    size_t start, end; /* bytes in the script; `end` exclusive */
};

struct shell_script {
    bool plain;
    struct shell_command *commands; /* of a plain script; owned */
    size_t count;
    enum shell_operator *operators; /* between the commands: count - 1; owned */
    const char *reason;             /* why it is opaque: a short static phrase (N_), else NULL */
    size_t offset;                  /* byte at which it became so */
};

/* Reads a script. Free the content with shell_script_clear() in any case. */
void shell_parse(const char *script, size_t length, struct shell_script *result);
void shell_script_clear(struct shell_script *script);

/* "&&", "||", ";", "|". */
const char *shell_operator_text(enum shell_operator operator_);

/* The script when argv is `bash|zsh|sh -c|-lc SCRIPT` (three words, program by that name or a path
 * that ends in it), else NULL. Borrowed from argv. */
const char *shell_wrapped_script(const char *const *argv);

#endif
