/* SPDX-License-Identifier: MIT */
/*
 * git_loss_size: how much stands behind the names of what git does not have: a directory is one
 * line of git's, whatever is in it. The numbers tell the operator what is at stake, and that it has
 * grown since.
 */
#ifndef ASSENT_RISK_GIT_LOSS_SIZE_H
#define ASSENT_RISK_GIT_LOSS_SIZE_H

#include "risk/git_losses.h"

/* Fills loss->sizes, where git has seen such names by these `words` (those of the loss that it was
 * asked for) in `cwd`, an absolute path. Files are looked at, but neither read nor followed: in all
 * directories of a list 1,024, beyond which the line is "+", and for 20 milliseconds, beyond which
 * nothing is said of sizes (NULL). Of a name that could be one of two files nothing is said. Bytes
 * are exact up to ten thousand, of more the first two digits count: a log that grows is not news
 * each second. */
void git_loss_measure(struct git_loss *loss, const char *const *words, const char *cwd);

#endif
