/* SPDX-License-Identifier: MIT */
/*
 * rules_write: adds a line to a rule file and takes it back. The file is replaced as a whole,
 * under a lock, so that no reader and no crash ever sees a part; a line that is there already is
 * not repeated. Lines that Assent wrote are known by the mark behind them.
 */
#ifndef ASSENT_COMMAND_RULES_WRITE_H
#define ASSENT_COMMAND_RULES_WRITE_H

#include <stdbool.h>

#include "base/error.h"
#include "command/rules.h"

/* A rule as Assent writes it. */
struct rules_line {
    const char *const *words;        /* the pattern */
    const char *const *alternatives; /* for one more word, or NULL */
    enum rule_decision decision;
    bool exact;
    bool redirect;       /* allow, in the sandbox: with < > >> and files of the workspace */
    bool bypass;         /* allow: outside the sandbox */
    const char *cwd;     /* or NULL */
    const char *project; /* or NULL */
    const char *project_id;
};

/* As one line, without a newline; caller frees. */
char *rules_write_format(const struct rules_line *line);

/* The same of a network rule that allows a connection; `project` NULL: in any workspace. */
char *rules_write_connection(const struct rules_connection *connection);

/* The same of a rule that lets a directory be read. */
char *rules_write_place(const char *path, const char *project, const char *project_id);

/* Adds `line` with the mark and `note` behind it; makes the directory. 1: done, with the whole line
 * as it was written (caller frees), 0: it is there already, -1 with a message. */
int rules_write_add(const char *path, const char *line, const char *note, char **written,
                    struct error *error);
/* Takes out the last line with the mark; of those that say `only`, unless that is NULL. 1 and the
 * line without the mark (caller frees), 0 when there is none, -1 with a message. */
int rules_write_undo(const char *path, const char *only, char **line, struct error *error);
/* Does a file's text have that line, with or without something behind it? */
bool rules_write_has(const char *text, const char *line);
/* The lines of a file's text that bear the mark, without it; NULL-terminated, caller frees. */
char **rules_write_marked(const char *text);

#endif
