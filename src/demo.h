/* SPDX-License-Identifier: MIT */
/*
 * demo: a throw-away place for the demo agent to work in.
 *
 * A directory of mode 0700 in the operator's cache directory, with a git repository "project" that
 * becomes the workspace root and a directory "outside" beside it that the sandbox must protect.
 */
#ifndef ASSENT_DEMO_H
#define ASSENT_DEMO_H

#include "base/error.h"

struct demo;

/* Makes the place. NULL with a message. */
struct demo *demo_new(struct error *error);
/* Removes it with everything in it. */
void demo_free(struct demo **demo);

const char *demo_workspace(const struct demo *demo); /* absolute, physical */
const char *demo_outside(const struct demo *demo);

#endif
