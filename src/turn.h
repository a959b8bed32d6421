/* SPDX-License-Identifier: MIT */
/* turn: the first turn context, and sandbox policies for later ones, from the options. */
#ifndef ASSENT_TURN_H
#define ASSENT_TURN_H

#include "approval/context.h"
#include "base/error.h"
#include "config/options.h"

/* The workspace root that the options name, else the current directory: physical, absolute; the
 * caller frees. NULL with a message when it is no directory. */
char *turn_workspace(const struct options *options, struct error *error);

/* Why this directory must not be a workspace root (it is "/", the home directory, or above one of
 * Assent's own directories), unless writable_roots in the configuration names it: a sentence that
 * the caller frees, or NULL when it may be one. */
char *turn_refuse_root(const struct options *options, const char *root);

/* What the options make of that mode (roots, restricted reads, network …); the caller frees. NULL
 * with a message when a path is not usable, or the mode would let commands write to a root that is
 * refused. */
struct sandbox_policy *turn_sandbox_policy(const struct options *options, enum sandbox_mode mode,
                                           const char *root, struct error *error);

/* The context that the options describe, one reference. A root that is refused gives a read-only
 * one, and *warning a sentence that says so (caller frees). NULL with a message when a path or the
 * policy is not usable. */
struct turn_context *turn_context_from_options(const struct options *options, const char *root,
                                               char **warning, struct error *error);

/* The same to say what would happen in a root that need not be there. */
struct turn_context *turn_context_imagined(const struct options *options, const char *root,
                                           struct error *error);

#endif
