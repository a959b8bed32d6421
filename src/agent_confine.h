/* SPDX-License-Identifier: MIT */
/* agent_confine: what an agent itself runs under when it is confined: as its commands do, and it
 * keeps what is its own: its settings to read, its credentials and history to read and write, and
 * the way to the console. */
#ifndef ASSENT_AGENT_CONFINE_H
#define ASSENT_AGENT_CONFINE_H

#include "approval/context.h"
#include "base/error.h"
#include "config/options.h"

/* The context of the process of the agent that the shell's line starts in this root, which asks the
 * console by the socket; one reference. NULL with a message when it cannot be confined: the root is
 * refused, a path of agent_roots is not usable, or a known agent's program could be changed from
 * inside. */
struct turn_context *agent_confine_context(const struct options *options,
                                           const struct turn_context *commands, const char *line,
                                           const char *socket, struct error *error);

/* Takes away what stands in for settings that there are not, where nobody uses it: it was left when
 * a console was killed, and would be in the way of the agent that runs without us. */
void agent_confine_tidy(void);

/* The variables ("NAME=VALUE") of that environment by which the agent of this name logs in, and
 * which no command gets; an empty list for an agent that is not known. The caller frees. */
char **agent_login_variables(const char *name, char *const *environment);

#endif
