/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_agent_int.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/strset.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/clients_text.h"
#include "ui/own_sessions.h"
#include "ui/tree_text.h"

#define OWN_NAMES_MAX 3 /* of sessions that one name tells */

/* ---- who belongs to it ----------------------------------------------------------------------- */

struct operator_agent operator_agent_of_session(const struct orchestrator *orchestrator,
                                                struct session *session)
{
    struct operator_agent agent;

    if (own_sessions_processes(orchestrator, session, &agent))
        return agent;
    return (struct operator_agent){.session = session};
}

struct operator_agent operator_agent_of(const struct orchestrator *orchestrator,
                                        const struct call *call)
{
    struct operator_agent agent = {.session = call->session, .tree = call->client.tree};

    if (!call_text_is_shared(call->session))
        agent = operator_agent_of_session(orchestrator, call->session);
    agent.asker = call->client.name;
    return agent;
}

static bool is_stopped_here(const struct operator_agent *agent)
{
    if (agent->name != NULL)
        return session_name_is_stopped(agent->session, agent->name);
    return agent->tree != 0 ? session_tree_is_stopped(agent->session, agent->tree)
                            : agent->session->stopped;
}

bool operator_agent_is_stopped(const struct orchestrator *orchestrator,
                               const struct operator_agent *agent)
{
    bool stopped = is_stopped_here(agent);
    const struct session *own;
    size_t next = 0;

    while (stopped && (own = own_sessions_next(orchestrator, agent, &next)) != NULL)
        stopped = own->stopped;
    return stopped;
}

bool operator_agent_is_many(const struct operator_agent *agent)
{
    return call_text_is_shared(agent->session);
}

bool operator_agent_claims(const struct operator_agent *agent, const struct call *call)
{
    return call->client.name != NULL && strcasecmp(call->client.name, agent->name) == 0;
}

bool operator_agent_leaves_out(const struct orchestrator *orchestrator,
                               const struct operator_agent *agent, const struct call *call)
{
    const struct operator_agent processes = {.session = call->session, .tree = call->client.tree};
    const struct session *own;
    size_t next = 0;

    while (agent->rest && (own = own_sessions_next(orchestrator, &processes, &next)) != NULL)
        if (own_sessions_is_called(orchestrator, own, agent->name))
            return true;
    return false;
}

static bool is_among(pid_t tree, const pid_t *trees, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (trees[i] == tree)
            return true;
    return false;
}

/* Does the call come from that tree of processes? */
static bool comes_from(const struct call *call, pid_t tree)
{
    struct process process = {.session = 0};

    process_read(tree, &process);
    return call_client_comes_from(&call->client, tree, process.session);
}

/* The number of processes that have gone may mean others by now. */
static bool still_asks(const struct call *call)
{
    struct process process;

    return call->state != CALL_FINISHED || process_read(call->client.tree, &process);
}

static void add_root(pid_t **trees, size_t *count, pid_t tree)
{
    if (tree == 0 || is_among(tree, *trees, *count))
        return;
    *trees = xreallocarray(*trees, *count + 1, sizeof(**trees));
    (*trees)[(*count)++] = tree;
}

static size_t trees_stopped_with(const struct operator_agent *agent, pid_t **trees)
{
    size_t count = 0;

    for (size_t i = 0; i < agent->session->stopped_tree_count; i++) {
        const struct stopped_tree *tree = &agent->session->stopped_trees[i];

        if (tree->with != NULL && strcasecmp(tree->with, agent->name) == 0)
            add_root(trees, &count, tree->root);
    }
    return count;
}

size_t operator_agent_trees(const struct orchestrator *orchestrator,
                            const struct operator_agent *agent, pid_t **trees)
{
    size_t count = 0;

    *trees = NULL;
    add_root(trees, &count, agent->tree);
    if (agent->name != NULL && is_stopped_here(agent))
        return trees_stopped_with(agent, trees);
    for (size_t i = 0; agent->name != NULL && i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->session == agent->session && operator_agent_claims(agent, call) &&
            still_asks(call) && !operator_agent_leaves_out(orchestrator, agent, call))
            add_root(trees, &count, call->client.tree);
    }
    return count;
}

/* One with its trees, and its sessions beside theirs, while calls are compared with it. */
struct group {
    const struct orchestrator *orchestrator;
    const struct operator_agent *agent;
    pid_t *trees; /* owned */
    size_t tree_count;
    struct session **own; /* the array is owned */
    size_t own_count;
};

static struct group group_of(const struct orchestrator *orchestrator,
                             const struct operator_agent *agent)
{
    struct group group = {.orchestrator = orchestrator, .agent = agent};

    group.tree_count = operator_agent_trees(orchestrator, agent, &group.trees);
    group.own_count = own_sessions_all(orchestrator, agent, &group.own);
    return group;
}

static void group_clear(struct group *group)
{
    free(group->trees);
    free(group->own);
}

static bool comes_from_any(const struct call *call, const struct group *group)
{
    for (size_t i = 0; i < group->tree_count; i++)
        if (comes_from(call, group->trees[i]))
            return true;
    return false;
}

static bool is_claimed(const struct group *group, const struct call *call)
{
    const struct operator_agent *agent = group->agent;

    return agent->name != NULL && operator_agent_claims(agent, call) &&
           !operator_agent_leaves_out(group->orchestrator, agent, call);
}

static bool group_has(const struct group *group, const struct call *call)
{
    const struct operator_agent *agent = group->agent;

    for (size_t i = 0; i < group->own_count; i++)
        if (call->session == group->own[i])
            return true;
    if (call->session != agent->session)
        return false;
    return (agent->tree == 0 && agent->name == NULL) || is_claimed(group, call) ||
           comes_from_any(call, group);
}

/* What a command wants to reach is asked about as a part of it. */
static bool is_open(const struct call *call)
{
    return call->state != CALL_FINISHED && call->reach == NULL;
}

unsigned operator_agent_open_calls(const struct orchestrator *orchestrator,
                                   const struct operator_agent *agent)
{
    struct group group;
    unsigned count = 0;

    if (agent->tree == 0 && agent->name == NULL)
        return session_calls(agent->session);
    group = group_of(orchestrator, agent);
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        count += is_open(call) && group_has(&group, call);
    }
    group_clear(&group);
    return count;
}

const struct call *operator_agent_next_open(const struct orchestrator *orchestrator,
                                            const struct operator_agent *agent, size_t *next)
{
    struct group group = group_of(orchestrator, agent);
    const struct call *found = NULL;

    while (found == NULL && *next < orchestrator_call_count(orchestrator)) {
        const struct call *call = orchestrator_call_at(orchestrator, (*next)++);

        if (is_open(call) && group_has(&group, call))
            found = call;
    }
    group_clear(&group);
    return found;
}

bool operator_agents_overlap(const struct orchestrator *orchestrator,
                             const struct operator_agent *one, const struct operator_agent *other)
{
    struct group groups[] = {group_of(orchestrator, one), group_of(orchestrator, other)};
    bool found = false;

    for (size_t i = 0; i < orchestrator_call_count(orchestrator) && !found; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        found = group_has(&groups[0], call) && group_has(&groups[1], call);
    }
    group_clear(&groups[0]);
    group_clear(&groups[1]);
    return found;
}

bool operator_agent_has_claimed(const struct orchestrator *orchestrator,
                                const struct operator_agent *agent, const char *typed)
{
    struct group group = group_of(orchestrator, agent);
    bool found = false;

    for (size_t i = 0; i < orchestrator_call_count(orchestrator) && !found; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        found = call->client.name != NULL && operator_agent_is_meant(call->client.name, typed) &&
                group_has(&group, call);
    }
    group_clear(&group);
    return found;
}

/* ---- how it is called ------------------------------------------------------------------------ */

static char *tree_name(pid_t tree)
{
    cleanup_free char *handle = tree_text_handle(tree);

    /* L10N: claude 18802 with its processes */
    return xasprintf(_("%s with its processes"), handle);
}

/* Of one tree of processes nothing tells them apart. */
static bool has_namesake(const struct orchestrator *orchestrator, const struct call *call)
{
    const char *name = call_text_claimed(call);

    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *other = orchestrator_call_at(orchestrator, i);

        if (other->client.tree != call->client.tree && session_is_agent(other->session) &&
            strcasecmp(call_text_claimed(other), name) == 0)
            return true;
    }
    return false;
}

char *operator_agent_numbered(const struct call *call, size_t columns)
{
    cleanup_free char *number = xasprintf(" %ld", (long)call->client.tree);
    size_t width = strlen(number);
    cleanup_free char *name = call_text_agent(call, columns > width ? columns - width : 1);

    return xasprintf("%s%s", name, number);
}

char *operator_agent_label(const struct orchestrator *orchestrator, const struct call *call,
                           size_t columns)
{
    return call->client.tree != 0 && session_is_agent(call->session) &&
                   has_namesake(orchestrator, call)
               ? operator_agent_numbered(call, columns)
               : call_text_agent(call, columns);
}

static char *quoted(const char *name)
{
    struct strbuf text = STRBUF_INIT;

    call_text_add_quoted(&text, name);
    return strbuf_steal(&text);
}

static char *claimed_name(const struct group *group)
{
    cleanup_free char *name = quoted(group->agent->name);
    cleanup_free char *tree = NULL;

    if (group->tree_count == 0)
        return steal_pointer(&name);
    if (group->tree_count > 1)
        return xasprintf(
            P_("%s and %zu process tree", "%s and %zu process trees", group->tree_count), name,
            group->tree_count);
    tree = tree_name(group->trees[0]);
    /* L10N: "bob" and claude 18802 with its processes */
    return xasprintf(_("%s and %s"), name, tree);
}

/* What its sessions of its own are called, each name once; NULL when it has none. */
static char *own_names(const struct group *group)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    struct strset seen = {0};
    size_t count = 0;

    for (size_t i = 0; i < group->own_count; i++) {
        cleanup_free char *name = call_text_session(group->own[i], OPERATOR_AGENT_NAME_COLUMNS);

        if (strset_add(&seen, name, strlen(name)) && ++count <= OWN_NAMES_MAX)
            strbuf_addf(&names, "%s%s", count > 1 ? ", " : "", name);
    }
    strset_clear(&seen);
    if (count > OWN_NAMES_MAX)
        strbuf_addf(&names, _(" and %zu more"), count - OWN_NAMES_MAX);
    return count > 0 ? strbuf_steal(&names) : NULL;
}

/* dev and node 18802 with its processes: both ways. */
static char *processes_name(const struct group *group)
{
    cleanup_free char *tree = tree_name(group->agent->tree);
    cleanup_free char *own = own_names(group);

    return own != NULL ? xasprintf(_("%s and %s"), own, tree) : steal_pointer(&tree);
}

static char *group_name(const struct group *group)
{
    const struct operator_agent *agent = group->agent;

    if (agent->name != NULL)
        return claimed_name(group);
    if (agent->tree != 0)
        return processes_name(group);
    if (!operator_agent_is_many(agent))
        return call_text_session(agent->session, OPERATOR_AGENT_NAME_COLUMNS);
    return xstrdup(agent->session->leftover ? _("all that use assent exec, of no running program")
                                            : _("all that use assent exec"));
}

char *operator_agent_name(const struct orchestrator *orchestrator,
                          const struct operator_agent *agent)
{
    struct group group = group_of(orchestrator, agent);
    char *name = group_name(&group);

    group_clear(&group);
    return name;
}

char *operator_agent_full_name(const struct orchestrator *orchestrator,
                               const struct operator_agent *agent)
{
    struct group group = group_of(orchestrator, agent);
    const struct clients clients = {.session = agent->session,
                                    .trees = group.trees,
                                    .tree_count = group.tree_count,
                                    .first = agent->name != NULL ? agent->name : agent->asker};
    bool alone = agent->name != NULL && group.tree_count == 0;
    cleanup_free char *name = group_name(&group);
    cleanup_free char *names =
        alone ? NULL : clients_text(orchestrator, &clients, CLIENTS_TEXT_FEW);

    group_clear(&group);
    return names != NULL ? xasprintf("%s (%s)", name, names) : steal_pointer(&name);
}

/* A name of several words could be read as words of ours, and that of an agent means that one. */
static bool names_it_alone(const struct orchestrator *orchestrator,
                           const struct operator_agent *agent, const char *name)
{
    const struct operator_agent whole =
        agent->name == NULL ? operator_agent_of_session(orchestrator, agent->session) : *agent;
    struct operator_agent_place next = {0};
    struct operator_agent named;

    return *name != '\0' && tree_text_is_word(name) &&
           operator_agent_next_named(orchestrator, name, &next, &named) &&
           named.session == whole.session && named.tree == whole.tree &&
           (named.name == NULL) == (whole.name == NULL) &&
           !operator_agent_next_named(orchestrator, name, &next, &named);
}

char *operator_agent_handle(const struct orchestrator *orchestrator,
                            const struct operator_agent *agent)
{
    cleanup_free char *name = NULL;

    if (agent->tree != 0)
        return tree_text_handle(agent->tree);
    name = agent->name != NULL ? xstrdup(agent->name)
           : operator_agent_is_many(agent)
               ? xstrdup(OPERATOR_AGENT_SHARED)
               : call_text_session(agent->session, OPERATOR_AGENT_NAME_COLUMNS);
    if (names_it_alone(orchestrator, agent, name))
        return steal_pointer(&name);
    return agent->name != NULL ? quoted(agent->name) : xasprintf("%.8s", agent->session->id);
}

/* ---- who is stopped -------------------------------------------------------------------------- */

/* Was it stopped with processes that still are? */
static bool is_told_with_tree(const struct orchestrator *orchestrator,
                              const struct session *session)
{
    struct operator_agent agent;

    return session->stopped_with_tree && own_sessions_processes(orchestrator, session, &agent) &&
           is_stopped_here(&agent);
}

/* That one of the stops in the session; false when there are not so many. */
static bool stop_at(const struct orchestrator *orchestrator, struct session *session, size_t index,
                    struct operator_agent *agent)
{
    size_t names = strv_length((const char *const *)session->stopped_names);

    *agent = (struct operator_agent){.session = session};
    if (session->stopped && !is_told_with_tree(orchestrator, session) && index-- == 0)
        return true;
    if (index < names) {
        agent->name = session->stopped_names[index];
        return true;
    }
    index -= names;
    for (size_t i = 0; i < session->stopped_tree_count; i++) {
        const struct stopped_tree *tree = &session->stopped_trees[i];

        agent->tree = tree->root;
        if (tree->with == NULL && is_stopped_here(agent) && index-- == 0)
            return true;
    }
    return false;
}

bool operator_agent_next_stopped(const struct orchestrator *orchestrator, size_t *next,
                                 struct operator_agent *agent)
{
    size_t at = 0;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);

        for (size_t j = 0; !session->ended && stop_at(orchestrator, session, j, agent); j++)
            if (at++ == *next)
                return ++*next > 0;
    }
    return false;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Has no earlier call of the session come from the same processes? */
static bool is_first_of_tree(const struct orchestrator *orchestrator, size_t index)
{
    const struct call *call = orchestrator_call_at(orchestrator, index);

    for (size_t i = 0; i < index; i++) {
        const struct call *other = orchestrator_call_at(orchestrator, i);

        if (other->session == call->session && other->client.tree == call->client.tree)
            return false;
    }
    return true;
}

static void add_tree(struct strbuf *text, const struct orchestrator *orchestrator,
                     const struct operator_agent *tree)
{
    unsigned calls = operator_agent_open_calls(orchestrator, tree);
    cleanup_free char *handle = tree_text_handle(tree->tree);

    strbuf_addf(text, "%s%s (", text->length > 0 ? ", " : "", handle);
    if (is_stopped_here(tree))
        strbuf_addstr(text, _("stopped"));
    else
        strbuf_addf(text, P_("%u open call", "%u open calls", calls), calls);
    strbuf_addch(text, ')');
}

static void add_stopped(struct strbuf *text, const struct orchestrator *orchestrator,
                        struct session *session)
{
    for (char **name = session->stopped_names; name != NULL && *name != NULL; name++) {
        cleanup_free char *shown = quoted(*name);

        strbuf_addf(text, "%s%s (%s)", text->length > 0 ? ", " : "", shown, _("stopped"));
    }
    for (size_t i = 0; i < session->stopped_tree_count; i++) {
        const struct operator_agent tree = {.session = session,
                                            .tree = session->stopped_trees[i].root};

        if (is_stopped_here(&tree))
            add_tree(text, orchestrator, &tree);
    }
}

char *operator_agents_listed(const struct orchestrator *orchestrator, struct session *session)
{
    struct strbuf text = STRBUF_INIT;

    add_stopped(&text, orchestrator, session);
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);
        const struct operator_agent tree = {.session = session, .tree = call->client.tree};

        if (call->session == session && call_text_is_shared(session) && tree.tree != 0 &&
            !is_stopped_here(&tree) && is_first_of_tree(orchestrator, i) &&
            operator_agent_open_calls(orchestrator, &tree) > 0)
            add_tree(&text, orchestrator, &tree);
    }
    return text.length > 0 ? strbuf_steal(&text) : NULL;
}
