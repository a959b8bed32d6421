/* SPDX-License-Identifier: MIT */
/* git_config_harmless: settings for which git runs nothing, and leads nowhere else. */
#ifndef ASSENT_BASE_GIT_CONFIG_HARMLESS_H
#define ASSENT_BASE_GIT_CONFIG_HARMLESS_H

#include <stdbool.h>

/* Is that a place, as in `git fetch PLACE`, for which git runs no program but its own? */
bool git_place_is_harmless(const char *value);
/* `name` and `subsection` as of a git_config_line: "section.key" and "", or of a section with a
 * name in quotes "section.*.key" and that name. */
bool git_config_name_is_harmless(const char *name, const char *subsection, const char *value);
/* `key` as git's own words have it: "user.name", "remote.origin.url". */
bool git_config_is_harmless(const char *key, const char *value);

#endif
