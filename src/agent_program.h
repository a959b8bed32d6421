/* SPDX-License-Identifier: MIT */
/* agent_program: which program a shell's line starts as an agent, by the files that it is found in:
 * an agent that is to get what is its own must be the very program. */
#ifndef ASSENT_AGENT_PROGRAM_H
#define ASSENT_AGENT_PROGRAM_H

#include <stdbool.h>

/* Without directories, `env` and variables: what people call the agent. Caller frees. */
char *agent_program_label(const char *line);

#define AGENT_PROGRAM_FILES 4

struct agent_program {
    char *name; /* of its file, of a script without ".js"; NULL: not known */
    char *files[AGENT_PROGRAM_FILES + 1]; /* the program and its script, as found and with all links
                                             resolved; NULL behind the last */
};

/* Looks the program up as a shell in `cwd` with that search path does. False when the line does not
 * plainly tell which. Cleared with agent_program_clear() in any case. */
bool agent_program_find(const char *line, const char *cwd, const char *search_path,
                        struct agent_program *program);
void agent_program_clear(struct agent_program *program);

#endif
