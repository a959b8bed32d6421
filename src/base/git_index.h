/* SPDX-License-Identifier: MIT */
/*
 * git_index: what git's index, or the shared part of one, names. gitformat-index(5), versions 2
 * to 4.
 *
 * Git believes its index: `git restore .` writes what stands there wherever it stands, hooks and
 * files above the working tree included. What git itself adds it checks by the same rules.
 */
#ifndef ASSENT_BASE_GIT_INDEX_H
#define ASSENT_BASE_GIT_INDEX_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of an object's name. */
enum { GIT_SHA1_SIZE = 20, GIT_SHA256_SIZE = 32 };

/* An entry, and the way to the next. */
struct git_index {
    char path[PATH_MAX]; /* a directory of a sparse index ends in a slash; one that replaces an
                          * entry of the shared part has none */
    bool repository;     /* is there a repository of its own (a submodule's, or a nested one)? */
    /* the reader's own */
    const unsigned char *at;
    size_t left, hash;
    uint32_t version, count;
};

enum git_index_step { GIT_INDEX_ENTRY, GIT_INDEX_END, GIT_INDEX_BROKEN };

/* Before the first entry of `size` bytes, which stay the caller's and unchanged; a file of none
 * has no entries. `hash`: GIT_SHA1_SIZE or GIT_SHA256_SIZE. False: it is none, or of a version
 * that is not understood. */
bool git_index_begin(struct git_index *index, const char *bytes, size_t size, size_t hash);
/* To the next entry. BROKEN: it ends before it should. */
enum git_index_step git_index_next(struct git_index *index);

/* Does it name only files of the working tree? False also when it is not understood. */
bool git_index_is_harmless(const char *bytes, size_t size, size_t hash);
/* A path as an index names it, or nothing: in the working tree and not in .git, by the rules by
 * which git adds files. */
bool git_index_path_is_inside(const char *path);

#endif
