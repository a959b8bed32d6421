/* SPDX-License-Identifier: MIT */
/* tree_fixture: files of a test, below a directory of its own. */
#ifndef ASSENT_TESTS_UNIT_TREE_FIXTURE_H
#define ASSENT_TESTS_UNIT_TREE_FIXTURE_H

/* A new directory below /var/tmp, which no sandbox opens for writing; for tree_remove(). */
char *tree_new(void);
/* A file, with the directories above it. */
void tree_write(const char *base, const char *name, const char *text, unsigned mode);
/* All of it, and frees the path. 0, or what rm says. */
int tree_remove(char *base);

#endif
