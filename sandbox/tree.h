/* SPDX-License-Identifier: MIT */
/*
 * tree: every process that descends from one, also those that left its process group or session.
 *
 * Found by their parents in /proc. A process whose parent has ended belongs to the nearest
 * ancestor that adopts orphans; the helper does, so that nothing leaves the tree below it while
 * it lives. Elsewhere than on Linux only the process group is reached.
 */
#ifndef ASSENT_SANDBOX_TREE_H
#define ASSENT_SANDBOX_TREE_H

#include <stddef.h>
#include <sys/types.h>

/* Sends a signal to all descendants of `root`, not to `root` itself. 0, -ESRCH when there is none,
 * or another -errno when it could be sent to none. */
int tree_signal(pid_t root, int number);

/* Kills all descendants of `root`, not `root` itself. They are stopped first until no new one
 * appears, because what can still fork escapes a kill that walks a list. Returns how many live
 * ones were found; 0 means that none is left. */
size_t tree_kill(pid_t root);

#endif
