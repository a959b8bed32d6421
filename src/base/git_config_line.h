/* SPDX-License-Identifier: MIT */
/*
 * git_config_line: a line of a git configuration, where it is of the simplest form.
 *
 * Who decides by a configuration must read it as git does, or not at all. So what git also takes
 * but hardly anybody writes (a variable behind its section's name, "[a.b]", a backslash, a line
 * that goes on, CRLF) is OTHER here, and whoever asks has to refuse it. Syntax: git-config(1).
 */
#ifndef ASSENT_BASE_GIT_CONFIG_LINE_H
#define ASSENT_BASE_GIT_CONFIG_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum git_config_kind {
    GIT_CONFIG_NOTHING,  /* empty, or a comment */
    GIT_CONFIG_SECTION,  /* "[core]", "[remote "origin"]" */
    GIT_CONFIG_VARIABLE, /* "key = value", or "key", which stands for true */
    GIT_CONFIG_OTHER     /* anything else, and a variable before the first section */
};

/* Starts as {0} at the file's first line and goes along to its last. After OTHER it says nothing
 * about the lines that follow. */
struct git_config_line {
    char section[64];     /* in force, in its own letters: "core", "remote" */
    bool named;           /* has it a subsection? */
    char subsection[256]; /* what stood in quotes, else "" */
    char name[160];       /* of a variable: "core.bare", "remote.*.url"; letters count alike */
    char *value;          /* of a variable: quotes and comment taken off; freed by the next call */
};

/* Reads the line at `text` of `length` bytes, without its line end. After NOTHING, SECTION and
 * OTHER `value` is NULL. */
enum git_config_kind git_config_line_read(struct git_config_line *line, const char *text,
                                          size_t length);
/* Frees the last value. */
void git_config_line_free(struct git_config_line *line);

#endif
