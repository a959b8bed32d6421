/* SPDX-License-Identifier: MIT */
/*
 * push_refs: the words of a `git push`, and which branches it writes where it goes.
 *
 * What git would find out in another way than by these words and plain files of its directory is
 * not said.
 */
#ifndef ASSENT_RISK_PUSH_REFS_H
#define ASSENT_RISK_PUSH_REFS_H

#include <stdbool.h>

/* Borrowed from the command. */
struct push_words {
    const char *remote;          /* what it names, NULL for nothing */
    const char *const *refspecs; /* … and what stands behind, options among it */
    bool deletes, all, mirror, tags, prunes, forces;
    bool tries;  /* it sends nothing */
    bool tracks; /* what it sends to becomes the upstream */
    bool beside; /* others run before it: a tag of that name may be a branch by then; not read */
};

/* False: it is none, or has words that are not known here. */
bool push_words_read(const char *const *argv, struct push_words *words);

/* "HEAD~1 -> main, topic": where they have another name there, both; one that is deleted among
 * others that are not, ":old". Untrusted; quoted like push_quoted(), secrets are masked. `books` is
 * the git directory, if its configuration leaves a branch its name, else NULL; `branch` is then
 * what HEAD names. NULL: it cannot be said. Caller frees. */
char *push_refs(const struct push_words *words, const char *books, const char *branch);

enum push_deed { PUSH_DELETES, PUSH_REWRITES, PUSH_EITHER };

/* What it does where it goes, of one that is known to take something away there, by its words:
 * whether it deletes what is there or puts other commits in its place. */
enum push_deed push_words_deed(const struct push_words *words);

/* Is it a tag, and no branch? One that git keeps in one file with others looks like a branch. */
bool push_refs_names_tag(const char *books, const char *name);

/* Does a file by that name stand for another branch, or may it? */
bool push_refs_is_alias(const char *books, const char *name);

/* Names and addresses may be anything: what could be read as words around them is quoted. Caller
 * frees. */
char *push_quoted(const char *word);

#endif
