/* SPDX-License-Identifier: MIT */
/*
 * paths: Assent's own directories, after the XDG base directory specification.
 *
 * A variable that is not an absolute path is ignored, as the specification says. Returned strings
 * belong to the caller. Assent's programs and data files are found by base/install.h.
 */
#ifndef ASSENT_CONFIG_PATHS_H
#define ASSENT_CONFIG_PATHS_H

#include <stdbool.h>

#include "base/error.h"

/* $HOME, else what /etc/passwd says, else "/". */
char *paths_home(void);
/* $XDG_CONFIG_HOME/assent, else ~/.config/assent. Need not exist. */
char *paths_config_directory(void);
/* $XDG_STATE_HOME/assent, else ~/.local/state/assent. Need not exist. */
char *paths_state_directory(void);
/* Where session logs are: what log_directory names, when it is not empty, else below the state
 * directory. Need not exist. */
char *paths_log_directory(const char *named);

/* Where sockets may be, best first, NULL-terminated: $XDG_RUNTIME_DIR/assent, or when the variable
 * is unset (agents start their servers without it) /run/user/UID/assent, if the directory above is
 * ours alone; then "run" in the state directory. Nothing is made; free with strv_free(). */
char **paths_runtime_candidates(void);
/* The first of them, made if missing. NULL with a message when it cannot be made or is not a
 * directory of this user with mode 0700. */
char *paths_runtime_directory(struct error *error);

/* Makes a directory and its parents with mode 0700 if missing; it must then belong to this user
 * and be open to nobody else. -1 with a message. */
int paths_make_private(const char *path, struct error *error);

/* True when one of Assent's own directories, or the place where it would be made, or the home
 * directory lies in `directory`. */
bool paths_hold_own(const char *directory);

/* The directory `path` may have been made by commands of an agent that works in `cwd`, and named to
 * us by a variable of the project's: it lies in `cwd`, and is not where Assent's files are without
 * any variable. Both absolute. */
bool paths_is_exposed(const char *path, const char *cwd);

/* "~" and "~/x" with the home directory in place of "~"; anything else as it is. */
char *paths_expand(const char *path);

#endif
