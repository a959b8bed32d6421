/* SPDX-License-Identifier: MIT */
/* equal_policy: bubblewrap told to mount what `assent sandbox` mounts in this directory. */
#ifndef ASSENT_TESTS_EQUAL_POLICY_H
#define ASSENT_TESTS_EQUAL_POLICY_H

/* The words of a bwrap command up to "--", NULL-terminated: the directory writable; read-only,
 * empty or covered what the sandbox of `program` ("…/assent") covers beyond it. What is missing on
 * the host bwrap makes, and leaves. Freed by nobody. */
char **equal_policy_bwrap(const char *program);

#endif
