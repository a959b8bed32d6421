/* SPDX-License-Identifier: MIT */
/* operator_agent_named: whom the operator means by a name. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "ui/call_text.h"
#include "ui/operator_agent_int.h"
#include "ui/own_sessions.h"
#include "ui/tree_text.h"

#define LABEL_COLUMNS 200
#define ID_BYTES_MIN ((size_t)6) /* of a session's id, to name it by */

/* The number behind a program's name; 0: it names no processes. */
static pid_t named_tree(const char *name)
{
    const char *number = strrchr(name, ' ');

    if (number == NULL || number == name || number[1] == '\0' ||
        number[1 + strspn(number + 1, "0123456789")] != '\0')
        return 0;
    return (pid_t)strtol(number + 1, NULL, 10);
}

/* Is the tree called so? Of one that has gone the number alone is left to compare. */
static bool is_called(pid_t tree, const char *name)
{
    cleanup_free char *program = tree_text_program(tree);
    size_t length = program != NULL ? strlen(program) : 0;

    return program == NULL || (strncmp(name, program, length) == 0 && name[length] == ' ');
}

bool operator_agent_is_shown_as(const struct session *session, const char *name)
{
    cleanup_free char *shown = call_text_session(session, OPERATOR_AGENT_NAME_COLUMNS);
    size_t length = strlen(name);

    if (!session_is_agent(session) || session->ended)
        return false;
    if (call_text_is_shared(session) && strcasecmp(name, OPERATOR_AGENT_SHARED) == 0)
        return true;
    return (session->name != NULL && strcasecmp(session->name, name) == 0) ||
           strcasecmp(shown, name) == 0 ||
           (length >= ID_BYTES_MIN && strncmp(session->id, name, length) == 0);
}

bool operator_agent_is_meant(const char *claimed, const char *typed)
{
    struct strbuf shown = STRBUF_INIT;
    bool meant;

    call_text_add_quoted(&shown, claimed);
    meant = strcasecmp(claimed, typed) == 0 || strcasecmp(strbuf_str(&shown), typed) == 0;
    strbuf_free(&shown);
    return meant;
}

/* "dev 12369", as operator_agent_label() shows it, whether or not it is cut there. */
static bool is_labelled(const struct call *call, const char *name)
{
    cleanup_free char *label = operator_agent_numbered(call, LABEL_COLUMNS);
    cleanup_free char *bare = xasprintf("%s %ld", call_text_claimed(call), (long)call->client.tree);

    return strcasecmp(label, name) == 0 || strcasecmp(bare, name) == 0;
}

/* The same where no call of the session is kept any more. */
static bool is_numbered(const struct session *session, pid_t tree, const char *name)
{
    cleanup_free char *label = xasprintf("%s %ld", session->name, (long)tree);

    return session->tree == tree && strcasecmp(label, name) == 0;
}

bool operator_agent_is_labelled(const struct orchestrator *orchestrator,
                                const struct session *session, const char *name)
{
    pid_t tree = named_tree(name);
    bool found;

    if (tree == 0 || call_text_is_shared(session) || !session_is_agent(session) || session->ended)
        return false;
    found = is_numbered(session, tree, name);
    for (size_t i = 0; i < orchestrator_call_count(orchestrator) && !found; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        found = call->session == session && call->client.tree == tree && is_labelled(call, name);
    }
    return found;
}

/* What the operator has typed, and whom we call so ourselves. */
struct typed {
    const struct orchestrator *orchestrator;
    const char *name;
    /* It is the label of somebody: its number is nothing that an agent says, and who calls itself
     * so as a whole is not meant. */
    bool label;
};

static struct typed typed_as(const struct orchestrator *orchestrator, const char *name)
{
    struct typed typed = {.orchestrator = orchestrator, .name = name};

    for (size_t i = 0; i < orchestrator_session_count(orchestrator) && !typed.label; i++)
        typed.label = operator_agent_is_labelled(orchestrator,
                                                 orchestrator_session_at(orchestrator, i), name);
    return typed;
}

/* Does a client of the session, of the calls that are kept, stand there by that name? Between
 * quotes only where they are shown around it. */
static bool has_client(const struct typed *typed, const struct session *session)
{
    bool found = false;

    for (size_t i = 0; i < orchestrator_call_count(typed->orchestrator) && !found; i++) {
        const struct call *call = orchestrator_call_at(typed->orchestrator, i);
        cleanup_free char *shown = NULL;

        if (call->session != session || call->client.name == NULL)
            continue;
        shown = call_text_agent(call, LABEL_COLUMNS);
        found =
            strcasecmp(call->client.name, typed->name) == 0 || strcasecmp(shown, typed->name) == 0;
    }
    return found;
}

/* Is that a session of an agent's own which is meant? */
static bool is_named(const struct typed *typed, const struct session *session)
{
    if (!session_is_agent(session) || session->ended || call_text_is_shared(session))
        return false;
    if (operator_agent_is_labelled(typed->orchestrator, session, typed->name))
        return true;
    return !typed->label &&
           (operator_agent_is_shown_as(session, typed->name) || has_client(typed, session));
}

/* An agent of several sessions is one: it comes with the first of them that is named. */
static bool came_before(const struct typed *typed, size_t index, const struct operator_agent *agent)
{
    struct operator_agent_place at = {0};

    for (; agent->tree != 0 && at.session < index; at.session++) {
        struct session *session = orchestrator_session_at(typed->orchestrator, at.session);
        struct operator_agent other;

        if (is_named(typed, session) &&
            own_sessions_processes(typed->orchestrator, session, &other) &&
            other.session == agent->session && other.tree == agent->tree)
            return true;
    }
    return false;
}

static bool next_own(const struct typed *typed, struct operator_agent_place *next,
                     struct operator_agent *agent)
{
    struct session *session = orchestrator_session_at(typed->orchestrator, next->session);

    if (next->call > 0 || !is_named(typed, session))
        return false;
    *agent = operator_agent_of_session(typed->orchestrator, session);
    return ++next->call > 0 && !came_before(typed, next->session, agent);
}

/* Is one of those that ask in the shared session named by a session of its own? */
static bool names_both_ways(const struct typed *typed)
{
    bool found = false;

    for (size_t i = 0; i < orchestrator_session_count(typed->orchestrator) && !found; i++) {
        const struct session *session = orchestrator_session_at(typed->orchestrator, i);
        struct operator_agent agent;

        found = is_named(typed, session) &&
                own_sessions_processes(typed->orchestrator, session, &agent);
    }
    return found;
}

/* Does that call name the agent, whose session is set and whose name is found out? */
static bool is_meant_by(const struct typed *typed, struct operator_agent *agent,
                        const struct call *call)
{
    if (call->session != agent->session || call->client.name == NULL ||
        !operator_agent_is_meant(call->client.name, typed->name))
        return false;
    agent->name = call->client.name;
    return !operator_agent_leaves_out(typed->orchestrator, agent, call);
}

/* The next call of the shared session whose client calls itself so, unless an earlier one was by
 * that name, too; false behind the last. */
static bool next_claiming(const struct typed *typed, struct operator_agent_place *next,
                          struct operator_agent *agent)
{
    agent->rest = names_both_ways(typed);
    while (next->call < orchestrator_call_count(typed->orchestrator)) {
        const struct call *call = orchestrator_call_at(typed->orchestrator, next->call++);
        struct operator_agent earlier = *agent;
        bool before = false;

        if (!is_meant_by(typed, agent, call))
            continue;
        for (size_t i = 0; i + 1 < next->call && !before; i++)
            before = is_meant_by(typed, &earlier, orchestrator_call_at(typed->orchestrator, i)) &&
                     strcasecmp(earlier.name, agent->name) == 0;
        if (!before)
            return true;
    }
    return false;
}

static bool next_shared(const struct typed *typed, struct operator_agent_place *next,
                        struct operator_agent *agent)
{
    struct session *session = orchestrator_session_at(typed->orchestrator, next->session);
    bool shown = operator_agent_is_shown_as(session, typed->name);

    if (session->ended || typed->label || (shown && next->call > 0))
        return false;
    *agent = (struct operator_agent){.session = session};
    return shown ? ++next->call > 0 : next_claiming(typed, next, agent);
}

bool operator_agent_next_named(const struct orchestrator *orchestrator, const char *name,
                               struct operator_agent_place *next, struct operator_agent *agent)
{
    const struct typed typed = typed_as(orchestrator, name);

    for (; next->session < orchestrator_session_count(orchestrator);
         next->session++, next->call = 0)
        if (call_text_is_shared(orchestrator_session_at(orchestrator, next->session))
                ? next_shared(&typed, next, agent)
                : next_own(&typed, next, agent))
            return true;
    return false;
}

/* Is that tree of processes called so, by what its first one runs or by what one calls itself? */
static bool has_tree(const struct orchestrator *orchestrator, const struct operator_agent *agent,
                     const char *name)
{
    bool called = is_called(agent->tree, name);

    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->session == agent->session && call->client.tree == agent->tree &&
            (called || is_labelled(call, name)))
            return true;
    }
    return called && session_tree_is_stopped(agent->session, agent->tree);
}

bool operator_agent_find_tree(const struct orchestrator *orchestrator, const char *name,
                              struct operator_agent *agent)
{
    *agent = (struct operator_agent){.tree = named_tree(name)};
    if (agent->tree == 0)
        return false;
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        agent->session = orchestrator_session_at(orchestrator, i);
        if (call_text_is_shared(agent->session) && has_tree(orchestrator, agent, name))
            return true;
    }
    return false;
}
