/* SPDX-License-Identifier: MIT */
/* git_loss_doubt: why it is not known what a command takes, and which one of its line that is
 * about; a part of git_losses. */
#ifndef ASSENT_RISK_GIT_LOSS_DOUBT_H
#define ASSENT_RISK_GIT_LOSS_DOUBT_H

#include "risk/git_losses.h"

/* "sed", "git update-ref": what a command is called in a row. The caller frees. NULL: its words are
 * no plain ones. */
char *git_loss_command_name(const char *const *argv);

/* Does it throw work away, by its words and by what is there? */
bool git_loss_takes_work(const char *const *argv, const char *cwd);

/* Does it read and print alone, as far as is known, so that nothing is lost by it? */
bool git_loss_only_reads(const char *const *argv, const char *cwd);

/* The command takes work away, when it is started in `cwd`: where nothing of it is known, `unknown`
 * and `unasked` say so, if git could have known. */
void git_losses_doubt(struct git_losses *losses, const char *const *argv, const char *cwd);

#endif
