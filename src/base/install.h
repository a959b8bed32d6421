/* SPDX-License-Identifier: MIT */
/*
 * install: where Assent's own programs and data files are.
 *
 * Found from the place of the running program and what configure was told, never from PATH or
 * the environment: a project's settings must not be able to put another program in their place.
 * Works in a build tree, where all programs lie in one directory, in an installed tree, and in an
 * installed tree that was moved as a whole.
 */
#ifndef ASSENT_BASE_INSTALL_H
#define ASSENT_BASE_INSTALL_H

#include "base/error.h"

/* Path of one of Assent's programs ("assent-sandbox", "assent"); the caller frees. NULL with a
 * message when it is in none of the places. */
char *install_find_program(const char *name, struct error *error);

/* Path of a data file ("demo-agent"), as above; in a build tree: data/NAME of the build tree or
 * the source tree. */
char *install_find_data(const char *name, struct error *error);

/* The directory of message catalogues; the caller frees. Never NULL. */
char *install_find_locale(void);

/* The rule for a moved tree, a pure function: `directory` is where the running program lies,
 * `from` where configure put it, `to` the directory that is looked for. When `directory` ends as
 * `from` does behind what `from` and `to` share ("/tmp/x/usr/bin", "/usr/bin", "/usr/libexec/y"),
 * returns the place of `to` beside it ("/tmp/x/usr/libexec/y"), which the caller frees; else
 * NULL. All three are absolute. */
char *install_relocate(const char *directory, const char *from, const char *to);

#endif
