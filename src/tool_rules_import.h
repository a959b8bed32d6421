/* SPDX-License-Identifier: MIT */
/* tool_rules_import: `assent rules import` and `assent rules test`. */
#ifndef ASSENT_TOOL_RULES_IMPORT_H
#define ASSENT_TOOL_RULES_IMPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "config/options.h"

/* Shows what Claude Code's settings files and Codex's rule files become, and what cannot be carried
 * over; without files, those in the home directory. 0, or -1 with a message. */
int tool_rules_import(const struct options *options, int count, char **files, struct error *error);

/* Says what rules of files[0] would change for recorded commands: of the session logs, or of the
 * further files. 0, 1 when the rules are bad, -1 with a message. */
int tool_rules_test(const struct options *options, int count, char **files, struct error *error);

/* Proposes rules, as lines of a rule file with comments, for what the operator has approved at
 * least three times and would be asked again: what each would have answered, and what it newly
 * allows. 0, or -1 with a message. */
int tool_rules_suggest(const struct options *options, int count, char **files, struct error *error);

/* Says which rules in force matched no recorded command (of the session logs, or of the files), and
 * what those that only report would have done. 0, or -1 with a message. */
int tool_rules_unused(const struct options *options, int count, char **files, struct error *error);

#endif
