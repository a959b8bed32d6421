/* SPDX-License-Identifier: MIT */
/* nearby: where a path of a command's own making leads. By links that lead to links, a thousand
 * parts each, one path can cost as much as a whole start; nothing that people make is that far. */
#ifndef ASSENT_SANDBOX_NEARBY_H
#define ASSENT_SANDBOX_NEARBY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

struct nearby_step {
    const char *at;            /* how far the path has led: no part of this is a symlink */
    const char *part;          /* where it goes from there; NULL: to the directory above */
    const struct stat *status; /* of `part` itself; NULL: errno says why there is none */
    bool passed;               /* a slash comes after it: it has to be a directory */
    bool last;                 /* it, or what it leads to as a link, is where the path ends */
};

/* Sees a step before it is made. False: it is not, and errno says why. */
typedef bool nearby_look(void *argument, const struct nearby_step *step);

/* Goes by an absolute path, through symlinks as the kernel does. False when it comes to no end:
 * `look` has stopped it, or it leads further than 500 parts, those of links included, or 64 links
 * (ELOOP). Stores how far it has come. */
bool nearby_follow(const char *path, nearby_look *look, void *argument, char end[PATH_MAX]);

/* As realpath(3) of an absolute path, but no further than that. The caller frees. */
char *nearby_resolve(const char *path);

#endif
