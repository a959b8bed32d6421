/* SPDX-License-Identifier: MIT */
/*
 * own_sessions: an agent that uses assent exec, in the session that many share, can have sessions
 * of its own beside that, by MCP or a hook. It is called the same in both, and its processes are
 * the same; either alone makes no agent of two: a name is only claimed, and a script may start
 * several.
 */
#ifndef ASSENT_UI_OWN_SESSIONS_H
#define ASSENT_UI_OWN_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>

struct operator_agent;
struct orchestrator;
struct session;

/* Those of an agent that is told by its processes (agent->tree), one after the other; NULL behind
 * the last. `next` is 0 before the first. */
struct session *own_sessions_next(const struct orchestrator *orchestrator,
                                  const struct operator_agent *agent, size_t *next);
/* Those, all of them; the caller frees the array, and not what it points to. */
size_t own_sessions_all(const struct orchestrator *orchestrator, const struct operator_agent *agent,
                        struct session ***all);
/* The processes in the session that many share whose own this session is; false when it is nobody's
 * who asks there. */
bool own_sessions_processes(const struct orchestrator *orchestrator, const struct session *own,
                            struct operator_agent *agent);
/* Is the session, or has a client of it, of the calls that are kept, been called so? */
bool own_sessions_is_called(const struct orchestrator *orchestrator, const struct session *own,
                            const char *name);

#endif
