/* SPDX-License-Identifier: MIT */
/*
 * kept_tree: what a protected directory held while nobody but the host could change it, to make it
 * anew of when somebody else may have had their hands in it.
 */
#ifndef ASSENT_SANDBOX_KEPT_TREE_H
#define ASSENT_SANDBOX_KEPT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kept_entry;

struct kept_tree {
    struct kept_entry *entries; /* each behind the directory that it is in */
    size_t count;
    mode_t mode; /* of the directory itself */
    bool whole;  /* all of it is kept */
};

/* Of all trees of a command. */
struct kept_tree_limit {
    size_t entries, bytes;
};
#define KEPT_TREE_LIMIT ((struct kept_tree_limit){.entries = 512, .bytes = (size_t)256 * 1024})

/* Keeps names and contents, if `limit` is enough for that, which is less by them afterwards. */
void kept_tree_read(struct kept_tree *tree, const char *directory, struct kept_tree_limit *limit);
void kept_tree_free(struct kept_tree *tree);
/* Makes in `directory`, which is empty, what is the same in `from`, and removes that there: new
 * files, which nobody has open. False when something else is left in `from`, or it is no directory;
 * else it is removed. */
bool kept_tree_move(const struct kept_tree *tree, const char *from, const char *directory);

#endif
