/* SPDX-License-Identifier: MIT */
/*
 * shell: what a shell script runs, when that can be known for certain.
 *
 * A script is *plain* when it is a sequence of simple commands of literal words joined by `&&`,
 * `||`, `;`, `|` (a newline counts as `;`). Quotes and comments are fine; whatever a shell would
 * expand, redirect, substitute, group or define makes the script *opaque*, except for the few
 * constructs listed below: a script with those is *understood*, and only who looks through all of
 * its constructs may rely on what it says.
 *
 * Soundness: for a plain or understood script a real bash (4 or newer), dash, zsh or other POSIX
 * sh, not interactive, in a locale whose characters are those of UTF-8 or ASCII, runs exactly the
 * argv lists that are reported (fewer where && and || stop it, or where a redirection fails). In
 * doubt: opaque. Text that a reader could misread (controls, invisible characters, look-alikes,
 * invalid UTF-8) is opaque too, because an operator judges what is seen. What is opaque still has
 * a structure: shell_tree.h.
 */
#ifndef ASSENT_COMMAND_SHELL_H
#define ASSENT_COMMAND_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "command/shell_tree.h"

/* Longer scripts are opaque: nobody reads them. */
#define SHELL_SCRIPT_MAX ((size_t)64 * 1024)

/* What an understood script holds besides literal words. Why each keeps the argv lists exact is
 * said in shell.c where it is recognised; what is left to the user of the construct is said here.
 */
enum shell_construct {
    /* >/dev/null, 2>&1 and their like: nothing is left. */
    SHELL_NULL_REDIRECT = 1 << 0,
    /* A leading `cd DIR &&`, which stays a command: look at `directory` and at each `place`. */
    SHELL_CD = 1 << 1,
    /* A word that is a file name pattern stands for any number of words which begin with its first
     * `fixed` bytes. It may be an operand that was not thought of, but not an option. */
    SHELL_GLOB = 1 << 2,
    /* NAME=VALUE in front, of the few that environment.h calls harmless. */
    SHELL_ENV_PREFIX = 1 << 3,
    /* > >> < with a file that is named from the working directory downwards: the user of the
     * construct checks (`node->redirects`) where it leads through links, and if it may be written.
     */
    SHELL_WORKSPACE_REDIRECT = 1 << 4,
    /* A word with "$(cat <<'EOF' …)": `cat` must be the program of that name. */
    SHELL_HEREDOC_LITERAL = 1 << 5,
    /* A here-document of known text that is read by a program which only copies it. */
    SHELL_HEREDOC_INPUT = 1 << 6,
    /* Dashes, quotes and dots of ordinary writing in quoted words, which look like others: nothing
     * is left, but who shows the script marks them. Said of the script, not of a command. */
    SHELL_PROSE = 1 << 7,
    /* $? in words of `echo` and `printf`, which print it: it stands for digits. */
    SHELL_STATUS = 1 << 8,
    /* `command -v NAME`, which only says what NAME would run. */
    SHELL_LOOKUP = 1 << 9,
    /* A word `!` among the words of a command (find, test): just that. */
    SHELL_BANG = 1 << 10,
};
#define SHELL_CONSTRUCTS 11

/* Where a command runs. */
enum shell_place {
    SHELL_HERE,     /* in the working directory of the script */
    SHELL_THERE,    /* in the script's `directory` */
    SHELL_EITHER,   /* in one of these two */
    SHELL_ANYWHERE, /* behind a `cd` that is not tracked */
};

struct shell_command {
    char **argv;       /* NULL-terminated, at least one word, argv[0] not empty; owned */
    size_t start, end; /* bytes in the script; `end` exclusive */
    unsigned constructs;
    enum shell_place place;
    const struct shell_node *node; /* its words with their marks, redirections, assignments */
};

struct shell_script {
    bool plain;
    bool understood;                /* also true when plain */
    unsigned constructs;            /* of all commands, or-ed; 0 when plain, but for SHELL_CD */
    struct shell_command *commands; /* when understood; owned */
    size_t count;
    enum shell_operator *operators; /* between the commands: count - 1; owned */
    const char *directory;          /* DIR of a leading `cd DIR &&`, tracked: absolute, or relative
                                       and beginning with "./"; without "..". Its user
                                       resolves it, and again when the command starts.
                                       Else NULL */
    /* DIR of a leading `cd DIR &&` that is not tracked: relative, without "..", and beginning with
     * neither "./" nor one of "-+~". It leads there unless CDPATH is set. For what is shown, never
     * for what is decided. Else NULL. */
    const char *near_directory;
    const char *reason;      /* why it is opaque: a short static phrase (N_), else NULL */
    size_t offset;           /* byte at which it became so */
    struct shell_tree *tree; /* owned */
};

/* Reads a script. Free the content with shell_script_clear() in any case. */
void shell_parse(const char *script, size_t length, struct shell_script *result);
void shell_script_clear(struct shell_script *script);

/* Is it understood, and does it hold no constructs but these? SHELL_CD is always one of them: who
 * does not look through it sees the `cd` as a command. */
bool shell_script_within(const struct shell_script *script, unsigned constructs);

/* Does a command of an understood script run in its `near_directory`, unless CDPATH is set? */
bool shell_script_runs_near(const struct shell_script *script, size_t command);

/* The name of one construct: "null_redirect", "cd", "glob" and so on, as above in small letters. */
const char *shell_construct_name(enum shell_construct construct);

/* The words of a text that is one plain command, NULL when it is more; free with strv_free(). */
char **shell_plain_words(const char *text);

/* "&&", "||", ";", "|". */
const char *shell_operator_text(enum shell_operator operator_);

/* The script when argv is `bash|zsh|sh -c|-lc SCRIPT` (three words, program by that name or a path
 * that ends in it), else NULL. Borrowed from argv. */
const char *shell_wrapped_script(const char *const *argv);

#endif
