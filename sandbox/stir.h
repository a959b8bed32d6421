/* SPDX-License-Identifier: MIT */
/*
 * stir: wakes its owner when something is made, or also written, in one of many directories.
 *
 * By inotify, which costs nothing while nothing happens. It is a help and no more: there are not
 * watches for any number of directories, and what is written by way of a mapping or of another name
 * wakes nobody.
 */
#ifndef ASSENT_SANDBOX_STIR_H
#define ASSENT_SANDBOX_STIR_H

#include <stdbool.h>
#include <stddef.h>

struct stir {
    int fd;      /* readable when something has happened; -1: nothing is watched */
    int last;    /* the newest watch */
    size_t left; /* how many there may yet be: they are taken from the operator's */
};

void stir_open(struct stir *stir);
/* Of a physical path. Nothing happens when it is watched already. `written`: also what is written
 * to files in it. */
void stir_add(struct stir *stir, const char *directory, bool written);
/* Takes note of what has happened: `fd` is not readable any more. True: directories were moved or
 * removed, so that those of their names that are there may be others, which nobody watches. */
bool stir_take(struct stir *stir);
void stir_close(struct stir *stir);

#endif
