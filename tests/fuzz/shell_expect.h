/* SPDX-License-Identifier: MIT */
/* shell_expect: does what a real shell ran agree with what the parser says of the script? */
#ifndef ASSENT_FUZZ_SHELL_EXPECT_H
#define ASSENT_FUZZ_SHELL_EXPECT_H

#include "base/strbuf.h"
#include "command/shell.h"
#include "shell_run.h"

/* Can all its commands be recorded by this shell? Offers the names that are missing. */
bool shell_expect_possible(const struct shell_script *script, struct shell_stage *stage,
                           const char *shell);

/* An understood script: exactly its commands ran, those that && and || let run under the policy,
 * in the directories that are said, and nothing wrote a file. False, with what was wrong. */
bool shell_expect_understood(const struct shell_script *script, const struct shell_stage *stage,
                             int policy, const struct shell_records *records, struct strbuf *wrong);

/* An opaque script: each program that ran is named somewhere in the tree. */
bool shell_expect_seen(const struct shell_tree *tree, const struct shell_records *records,
                       struct strbuf *wrong);

#endif
