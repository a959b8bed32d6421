/* SPDX-License-Identifier: MIT */
/*
 * config_file: the operator's configuration file, read by libConfuse.
 *
 * Keys at the top hold always, those in `profile NAME { … }` when that profile is chosen. Nothing
 * is read from a project. The file must belong to the operator or root and be writable by nobody
 * else. Every value is checked, also those of other profiles; an error stops the start, so that a
 * mistake never leaves the console more permissive than the file means.
 */
#ifndef ASSENT_CONFIG_CONFIG_FILE_H
#define ASSENT_CONFIG_CONFIG_FILE_H

#include "base/error.h"
#include "config/options.h"

/* Reads the file that --config names, else assent.conf in the configuration directory, which may
 * be missing. Applies the profile that --profile names. -1 with a message of a line for each
 * mistake: "FILE:LINE: what is wrong". The options may then hold some of its values. */
int config_file_load(struct options *options, struct error *error);

#endif
