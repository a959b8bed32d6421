/* SPDX-License-Identifier: MIT */
/* halt: the operator's brakes: everything stands still, or one agent gets nothing more. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

#define NAME_COLUMNS 40

/* An agent that was stopped in a session of its own: it is so in the next one, too. */
struct stopped_agent {
    struct stopped_tree tree; /* … with its name */
    bool with_tree;           /* as of its session (stopped_with_tree) */
    bool told;                /* that it has come again */
};

bool orchestrator_is_frozen(const struct orchestrator *orchestrator)
{
    return orchestrator->frozen;
}

bool halt_may_start(struct call_entry *entry)
{
    struct call *call = &entry->call;
    bool was = call->frozen;
    call->frozen = entry->orchestrator->frozen;
    call->was_frozen = call->was_frozen || call->frozen;
    if (call->frozen && !was)
        announce(entry->orchestrator, held_frozen, call);
    return !call->frozen;
}

void orchestrator_freeze(struct orchestrator *orchestrator, bool freeze)
{
    if (freeze == orchestrator->frozen)
        return;
    orchestrator->frozen = freeze;
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call *call = &orchestrator->open[i]->call;
        if (call->run != NULL)
            run_freeze(call->run, freeze);
        call->frozen = freeze && call->run != NULL;
        call->was_frozen = call->was_frozen || call->frozen;
    }
    orchestrator_notice(orchestrator, NOTICE_OPERATOR,
                        freeze ? "the operator froze all commands"
                               : "the operator let all commands go on");
    loop_wake(orchestrator->loop);
}

/* Does an agent with a session of its own ask as a plain client here? By its processes and by its
 * name: others call themselves the same, and a tree may have several agents. */
static bool asks_beside(const struct session *own, const struct call *call)
{
    return own->origin == SESSION_CLIENT && call->session->origin == SESSION_DEFAULT &&
           own->tree != 0 && own->tree == call->client.tree && call->client.name != NULL &&
           strcasecmp(own->name, call->client.name) == 0;
}

static bool is_stopped_elsewhere(const struct call *call)
{
    const struct orchestrator *orchestrator = call->session->orchestrator;
    for (size_t i = 0; i < orchestrator->session_count; i++) {
        const struct session *session = orchestrator->sessions[i];
        if (session->stopped && !session->ended && asks_beside(session, call))
            return true;
    }
    return false;
}

bool orchestrator_is_stopped(const struct call *call)
{
    return call->session->stopped || session_stopped_from(call->session, &call->client) != 0 ||
           session_name_is_stopped(call->session, call->client.name) || is_stopped_elsewhere(call);
}

/* What the session has open, or its agent beside it, and is refused from now on. */
static void abort_stopped(struct orchestrator *orchestrator, const struct session *session)
{
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        bool its = entry->call.session == session || asks_beside(session, &entry->call);
        if (!its || !orchestrator_is_stopped(&entry->call))
            continue;
        entry->call.agent_stopped = !entry->cancel_requested; /* else it was ended before */
        entry->abort_requested = true;
        orchestrator_cancel(orchestrator, &entry->call, CANCELLED_BY_OPERATOR,
                            AGENT_STOPPED_BY_OPERATOR);
    }
}

static struct stopped_agent *find_agent(const struct orchestrator *orchestrator,
                                        const struct session *session)
{
    for (size_t i = 0; i < orchestrator->stopped_agent_count; i++) {
        struct stopped_agent *agent = &orchestrator->stopped_agents[i];
        if (session->origin == SESSION_CLIENT && stopped_tree_is(&agent->tree, session->tree) &&
            strcasecmp(agent->tree.with, session->name) == 0)
            return agent;
    }
    return NULL;
}

static void remember_agent(struct orchestrator *orchestrator, const struct session *session)
{
    if (session->origin != SESSION_CLIENT || session->tree == 0 ||
        find_agent(orchestrator, session) != NULL)
        return;
    orchestrator->stopped_agents =
        xreallocarray(orchestrator->stopped_agents, orchestrator->stopped_agent_count + 1,
                      sizeof(*orchestrator->stopped_agents));
    orchestrator->stopped_agents[orchestrator->stopped_agent_count++] =
        (struct stopped_agent){.tree = stopped_tree_of(session->tree, session->name)};
}

static void forget_agent(struct orchestrator *orchestrator, struct stopped_agent *agent)
{
    if (agent == NULL)
        return;
    stopped_tree_clear(&agent->tree);
    *agent = orchestrator->stopped_agents[--orchestrator->stopped_agent_count];
}

/* Those that were stopped with these processes, and have no session at the moment. */
static void forget_agents_of(struct orchestrator *orchestrator, pid_t tree)
{
    for (size_t i = orchestrator->stopped_agent_count; i-- > 0;) {
        struct stopped_agent *agent = &orchestrator->stopped_agents[i];
        if (agent->with_tree && agent->tree.root == tree)
            forget_agent(orchestrator, agent);
    }
}

void halt_free(struct orchestrator *orchestrator)
{
    while (orchestrator->stopped_agent_count > 0)
        forget_agent(orchestrator, orchestrator->stopped_agents);
    free(orchestrator->stopped_agents);
}

void orchestrator_stop_session(struct orchestrator *orchestrator, struct session *session,
                               bool stop)
{
    if (stop == session->stopped)
        return;
    session->stopped = stop;
    session->stopped_with_tree = false;
    if (stop) {
        remember_agent(orchestrator, session);
        abort_stopped(orchestrator, session);
    } else {
        forget_agent(orchestrator, find_agent(orchestrator, session));
    }
    orchestrator_notice(orchestrator, NOTICE_OPERATOR,
                        stop ? "the operator stopped session %s"
                             : "the operator lets session %s ask again",
                        session->id);
}

void orchestrator_set_tree(struct orchestrator *orchestrator, struct session *session, pid_t tree)
{
    session->tree = tree;
    struct stopped_agent *agent = find_agent(orchestrator, session);
    if (agent == NULL)
        return;
    orchestrator_stop_session(orchestrator, session, true);
    session->stopped_with_tree = agent->with_tree;
    if (agent->told)
        return; /* some come again and again */
    agent->told = true;
    cleanup_free char *name = text_line(session->name, strlen(session->name), NAME_COLUMNS);
    orchestrator_notice(orchestrator, NOTICE_WARNING,
                        _("\"%s\", which you stopped, has come again: refused until :resume %.8s"),
                        name, session->id);
}

static void stop_tree(struct orchestrator *orchestrator, struct session *session, pid_t tree,
                      bool stop)
{
    if (stop == session_tree_is_stopped(session, tree))
        return;
    session_stop_tree(session, tree, stop);
    if (stop)
        abort_stopped(orchestrator, session);
    orchestrator_notice(orchestrator, NOTICE_OPERATOR,
                        stop ? "the operator stopped the processes of %ld in session %s"
                             : "the operator lets the processes of %ld in session %s ask again",
                        (long)tree, session->id);
}

static void stop_own(struct orchestrator *orchestrator, struct session *session)
{
    orchestrator_stop_session(orchestrator, session, true);
    session->stopped_with_tree = true;
    struct stopped_agent *agent = find_agent(orchestrator, session);
    if (agent != NULL)
        agent->with_tree = true;
}

void orchestrator_stop_tree(struct orchestrator *orchestrator, struct session *session, pid_t tree,
                            struct session *const *own, size_t own_count)
{
    stop_tree(orchestrator, session, tree, true);
    for (size_t i = 0; i < own_count; i++)
        stop_own(orchestrator, own[i]);
}

void orchestrator_resume_tree(struct orchestrator *orchestrator, struct session *session,
                              pid_t tree, struct session *const *own, size_t own_count)
{
    stop_tree(orchestrator, session, tree, false);
    forget_agents_of(orchestrator, tree);
    for (size_t i = 0; i < own_count; i++)
        orchestrator_stop_session(orchestrator, own[i], false);
}

void orchestrator_stop_name(struct orchestrator *orchestrator, struct session *session,
                            const char *name, const pid_t *trees, size_t tree_count)
{
    session_stop_name(session, name, trees, tree_count);
    abort_stopped(orchestrator, session);
    orchestrator_notice(orchestrator, NOTICE_OPERATOR,
                        "the operator stopped who calls itself \"%s\" in session %s, and %zu "
                        "process trees with it",
                        name, session->id, tree_count);
}

void orchestrator_resume_name(struct orchestrator *orchestrator, struct session *session,
                              const char *name)
{
    if (!session_name_is_stopped(session, name))
        return;
    orchestrator_notice(orchestrator, NOTICE_OPERATOR,
                        "the operator lets who calls itself \"%s\" in session %s ask again", name,
                        session->id);
    session_resume_name(session, name);
}
