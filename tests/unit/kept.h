/* SPDX-License-Identifier: MIT */
/* kept: what was said in the conversations of a test, for tests/e2e/protocols.sh, which holds it
 * against the schemas of the protocols. Does nothing unless KEPT_MESSAGES names a directory. */
#ifndef ASSENT_TESTS_KEPT_H
#define ASSENT_TESTS_KEPT_H

#include <stdbool.h>
#include <stddef.h>

/* Another conversation begins. */
void kept_begin(void);
/* Some bytes of it, as they come; `ours`: we send them. */
void kept_add(bool ours, const char *bytes, size_t length);

#endif
