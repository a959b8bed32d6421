/* SPDX-License-Identifier: MIT */
/*
 * git_books: what git notes down for its own use as it works, where a command can have put
 * something that git would run or write through: the index, resolutions of conflicts, what is left
 * to do of a rebase. It is set aside under another name, and told of.
 */
#ifndef ASSENT_SANDBOX_GIT_BOOKS_H
#define ASSENT_SANDBOX_GIT_BOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "sandbox/report.h"

struct git_books {
    const struct report *report;
    struct timespec since; /* the command's start */
    size_t read;           /* bytes of indexes, in all */
    size_t hash;           /* bytes of an object's name in the repository that is looked at */
    bool all;              /* of it is looked at, not only what is later than `since` */
    char **commands;       /* in lists of what was left to do of a rebase; NULL-terminated */
};

/* What is in the repository `directory` before the command starts. */
void git_books_remember(struct git_books *books, const char *directory);
/* `all`: also what is older than the command. */
void git_books_tame(struct git_books *books, const char *directory, bool all);
/* Gives `path` another name, or removes it, and tells of it. */
void git_books_set_aside(const struct report *report, const char *path);
/* Tells that `path` was set aside. */
void git_books_tell_aside(const struct report *report, const char *path);

#endif
