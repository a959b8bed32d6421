/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/own_sessions.h"

#include <strings.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "ui/call_text.h"
#include "ui/operator_agent.h"

bool own_sessions_is_called(const struct orchestrator *orchestrator, const struct session *own,
                            const char *name)
{
    bool found = own->name != NULL && strcasecmp(own->name, name) == 0;

    for (size_t i = 0; i < orchestrator_call_count(orchestrator) && !found; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        found = call->session == own && strcasecmp(call_text_claimed(call), name) == 0;
    }
    return found;
}

/* Have these processes asked, in the session that many share, by a name that it has as well? */
static bool has_name_of(const struct orchestrator *orchestrator, const struct session *own,
                        const struct session *shared)
{
    bool found = false;

    for (size_t i = 0; i < orchestrator_call_count(orchestrator) && !found; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        found = call->session == shared && call->client.tree == own->tree &&
                call->client.name != NULL &&
                own_sessions_is_called(orchestrator, own, call->client.name);
    }
    return found;
}

static bool is_own(const struct orchestrator *orchestrator, const struct session *own,
                   const struct session *shared)
{
    if (own->tree == 0 || own->ended || !session_is_agent(own) || call_text_is_shared(own) ||
        !call_text_is_shared(shared))
        return false;
    return (own->stopped_with_tree && session_tree_is_stopped(shared, own->tree)) ||
           has_name_of(orchestrator, own, shared);
}

struct session *own_sessions_next(const struct orchestrator *orchestrator,
                                  const struct operator_agent *agent, size_t *next)
{
    while (agent->tree != 0 && *next < orchestrator_session_count(orchestrator)) {
        struct session *session = orchestrator_session_at(orchestrator, (*next)++);

        if (session->tree == agent->tree && is_own(orchestrator, session, agent->session))
            return session;
    }
    return NULL;
}

size_t own_sessions_all(const struct orchestrator *orchestrator, const struct operator_agent *agent,
                        struct session ***all)
{
    struct session *session;
    size_t next = 0, count = 0;

    *all = NULL;
    while ((session = own_sessions_next(orchestrator, agent, &next)) != NULL) {
        *all = xreallocarray(*all, count + 1, sizeof(struct session *));
        (*all)[count++] = session;
    }
    return count;
}

bool own_sessions_processes(const struct orchestrator *orchestrator, const struct session *own,
                            struct operator_agent *agent)
{
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *shared = orchestrator_session_at(orchestrator, i);

        if (!is_own(orchestrator, own, shared))
            continue;
        *agent = (struct operator_agent){.session = shared, .tree = own->tree};
        return true;
    }
    return false;
}
