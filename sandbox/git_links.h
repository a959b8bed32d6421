/* SPDX-License-Identifier: MIT */
/*
 * git_links: symlinks that a command leaves where git keeps its books.
 *
 * Git writes through a symlink in the place of its index, its packed references, its logs, the
 * message that is being edited: the next commit of the operator's would write what the command has
 * prepared into any file of theirs. Git itself makes no such symlinks today.
 */
#ifndef ASSENT_SANDBOX_GIT_LINKS_H
#define ASSENT_SANDBOX_GIT_LINKS_H

#include <stdbool.h>
#include <time.h>

#include "sandbox/report.h"

/* Removes the symlinks in the repository `directory` (what .git is, or leads to) that came there
 * since then, and tells of each. `deep`: also those in the directories of it. */
void git_links_remove(const char *directory, const struct timespec *since, bool deep,
                      const struct report *report);

/* At or after. */
bool git_links_is_later(const struct timespec *time, const struct timespec *since);

#endif
