/* SPDX-License-Identifier: MIT */
/*
 * retry_path: the one path that a command which the sandbox stopped, or would stop, has to write,
 * so that it can run in the sandbox instead of without one.
 */
#ifndef ASSENT_APPROVAL_RETRY_PATH_H
#define ASSENT_APPROVAL_RETRY_PATH_H

#include "approval/keys.h"
#include "base/i18n.h"
#include "sandbox/denial.h"
#include "sandbox/policy.h"

/* Two reasons why there is none that can be helped: then it is asked for anew. */
#define RETRY_PATH_ABSENT N_("it is not there yet; make it yourself first")
#define RETRY_PATH_NO_DIRECTORY N_("its directory is not there, or closed to you")

/*
 * The denied file when it is there, or else the directory that it would be made in; of one that was
 * to be removed the directory that it is in, and of git's lock of a branch or a tag the repository:
 * as its real path, free of links. `cwd` is where the
 * command began, `root` the workspace; `home` may be NULL. NULL when no single path would do or may
 * be given, and in *why the reason (N_, static), or NULL where it is no wonder that there is none:
 * it was not writing that was denied; the policy lets it write there already, so that something
 * else stands in the way (a protected name); the policy closes it or what it holds; it is within a
 * git directory; it is, or holds, one of the places that risk/place.h calls grave, or of the
 * operator's PATH; the command has another directory in the place of it
 * (/tmp); the operator themselves may not write there; it is no directory, and no file of one name
 * alone; its name cannot be shown as it is; or it holds too much: a directory at the top of the
 * file system, the home directory, the workspace, or what these are in. Untrusted: what a denial
 * names is perhaps only the command's word. Caller frees.
 */
char *retry_path_find(const struct sandbox_denial *denial, const struct sandbox_policy *policy,
                      const char *cwd, const char *root, const char *home, const char **why);

/* Is a path that was given before still what it was, with no link on the way, and would it still be
 * given? As above. */
bool retry_path_still(const struct key_path *given, const struct sandbox_policy *policy,
                      const char *root, const char *home);

/* Pins the entry that lets such a path be written to what it named when it was given. False: there
 * is no such entry. */
bool retry_path_pin_to(struct sandbox_policy *policy, const struct key_path *given);

/* Is it among the places that are never given whatever the policy: of start-up files, settings,
 * programs (the operator's PATH as well) or the machine? `home` may be NULL. */
bool retry_path_is_grave(const char *path, const char *home);

/* Pins the entry that lets such a path be written to what it names, if no part of it is a link: one
 * that was put there since the path was found would have something else pinned. False: there is
 * one, or no such entry. */
bool retry_path_pin(struct sandbox_policy *policy, const char *path);

#endif
