/* SPDX-License-Identifier: MIT */
/* tool_judge: what the subcommands need to ask the console's judgement: options, rules, the
 * workspace, the environment that commands would get. */
#ifndef ASSENT_TOOL_JUDGE_H
#define ASSENT_TOOL_JUDGE_H

#include <stdbool.h>

#include "approval/judgement.h"
#include "approval/ladder.h"
#include "base/error.h"
#include "base/json.h"
#include "config/options.h"
#include "rulebook.h"

struct tool_judge {
    const struct options *options;
    struct rules *rules; /* owned */
    char *warning;       /* a rule file could not be read; owned, or NULL */
    char **environment;  /* owned */
    char *workspace;     /* that was named, or the current directory; owned */
    bool workspace_named;
    struct turn_context *context; /* of the last command */
    bool shadow;                  /* rules that only report count as well */
};

/* Works out the workspace and the environment; -1 with a message. Cleared in any case. */
int tool_judge_open(struct tool_judge *judge, const struct options *options, struct error *error);
/* Takes the rules of the book. */
void tool_judge_take(struct tool_judge *judge, struct rulebook *book);
void tool_judge_clear(struct tool_judge *judge);

/* What would happen to a command from `cwd` (absolute). A directory outside the workspace is one of
 * its own, unless a workspace was named. -1 with a message; else judge->context is its context. */
int tool_judge_command(struct tool_judge *judge, char *const *argv, const char *cwd,
                       struct judgement *judgement, struct error *error);

/* Would the operator be asked about it? *ladder is then what could be made of the request, as it
 * is offered with a request (caller frees; NULL: nothing). */
bool tool_judge_asks(struct tool_judge *judge, char *const *argv, const char *cwd,
                     struct ladder **ladder);
/* Would it run unasked if there were this rule as well, a line of a rule file? */
bool tool_judge_rule_allows(struct tool_judge *judge, char *const *argv, const char *cwd,
                            const char *line);

/* What a call on record asks for when it is a connection from a workspace. */
struct tool_judge_connection {
    struct rules_connection to;
    char *port, *project, *project_id; /* of `to`; owned */
};
/* False when it is none. */
bool tool_judge_connection(const struct tool_judge *judge, const json_t *received, const char *cwd,
                           struct tool_judge_connection *connection);
void tool_judge_connection_clear(struct tool_judge_connection *connection);

/* A command of a JSON object: "argv", or "script" (or "command"), which stands for bash -lc SCRIPT.
 * Caller frees; NULL with a message. */
char **tool_judge_argv(const json_t *question, struct error *error);

#endif
