/* SPDX-License-Identifier: MIT */
/*
 * rule_files: the rule files of a running console. Puts them in force at its start, and does with
 * them what the operator says: read again, trust a project's, write down, take back.
 */
#ifndef ASSENT_RULE_FILES_H
#define ASSENT_RULE_FILES_H

#include <stdbool.h>

#include "approval/orchestrator.h"
#include "base/error.h"

struct rule_files;
struct tool_judge;

/* Reads the files for that workspace root and puts them in force. */
struct rule_files *rule_files_new(struct orchestrator *orchestrator, const char *root);
void rule_files_free(struct rule_files **files);
/* Tells the operator what is wrong with the files, and what waits for their trust. */
void rule_files_warn(const struct rule_files *files);

/* Has the judge judge by the rules that are in force. */
void rule_files_lend(const struct rule_files *files, struct tool_judge *judge);

/* The following are called with the files as their argument, by the console and by the
 * orchestrator. */

/* How the files differ from what is in force: lines that begin with "+", "-" or "@"; caller frees.
 * NULL when they do not. */
char *rule_files_changes(void *argument);
/* Puts the files in force as they are now. */
void rule_files_reload(void *argument);
/* The project's own rules as they were read, unless they are trusted; else NULL. Caller frees. */
char *rule_files_untrusted(void *argument);
int rule_files_trust(void *argument, bool trust, struct error *error);
/* Writes a rule to the operator's file; the orchestrator puts it in force itself. */
int rule_files_remember(void *argument, const char *line, struct rules_source *source,
                        struct error *error);
/* The rules that Assent wrote, and taking one of them back: as rulebook_written() and
 * rulebook_undo(). */
const char *const *rule_files_written(void *argument);
int rule_files_undo(void *argument, const char *only, char **line, struct error *error);

#endif
