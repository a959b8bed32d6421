/* SPDX-License-Identifier: MIT */
/* git_loss_rm: what `rm` takes, of what git has and of what it has not; a part of git_losses. */
#ifndef ASSENT_RISK_GIT_LOSS_RM_H
#define ASSENT_RISK_GIT_LOSS_RM_H

#include <stdbool.h>

#include "risk/git_loss_verbs.h"

/* As git_loss_verbs_find(), for files below the working directory, in a repository; what is known
 * to be elsewhere is left out, and named in words->losses->outside. False and nothing is added: it
 * is none, or cannot be said; where there is more to say than that, words->losses->unknown says
 * why. Files are looked at, but not read. */
bool git_loss_rm_find(const struct git_loss_words *words);

/* Does `rm` with these words take directories, too? */
bool git_loss_rm_is_deep(const char *const *argv);

/* What git is asked by now: whether it knows what is there no longer is no question, and of what a
 * pattern stands for it is asked of one. The caller frees (strv_free()). */
char **git_loss_words_now(const struct git_loss *loss);

/* Is that directory, an absolute path, in a repository, as far as plain files tell? */
bool git_loss_in_repository(const char *place);

#endif
