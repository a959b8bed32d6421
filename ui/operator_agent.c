/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_agent.h"

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
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/clients_text.h"
#include "ui/tree_text.h"

#define NAME_COLUMNS 30
#define LABEL_COLUMNS 200
#define SHARED_WORD "shared"     /* names the session that many share, in every language */
#define ID_BYTES_MIN ((size_t)6) /* of a session's id, to name it by */

/* ---- who belongs to it ----------------------------------------------------------------------- */

struct operator_agent operator_agent_of(const struct call *call)
{
    return (struct operator_agent){.session = call->session,
                                   .tree =
                                       call_text_is_shared(call->session) ? call->client.tree : 0,
                                   .asker = call->client.name};
}

bool operator_agent_is_stopped(const struct operator_agent *agent)
{
    if (agent->name != NULL)
        return session_name_is_stopped(agent->session, agent->name);
    return agent->tree != 0 ? session_tree_is_stopped(agent->session, agent->tree)
                            : agent->session->stopped;
}

bool operator_agent_is_many(const struct operator_agent *agent)
{
    return call_text_is_shared(agent->session);
}

static bool claims(const struct call *call, const char *name)
{
    return call->client.name != NULL && strcasecmp(call->client.name, name) == 0;
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
    if (agent->name != NULL && operator_agent_is_stopped(agent))
        return trees_stopped_with(agent, trees);
    for (size_t i = 0; agent->name != NULL && i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->session == agent->session && claims(call, agent->name) && still_asks(call))
            add_root(trees, &count, call->client.tree);
    }
    return count;
}

/* One with its trees, while calls are compared with it. */
struct group {
    const struct operator_agent *agent;
    pid_t *trees; /* owned */
    size_t tree_count;
};

static struct group group_of(const struct orchestrator *orchestrator,
                             const struct operator_agent *agent)
{
    struct group group = {.agent = agent};

    group.tree_count = operator_agent_trees(orchestrator, agent, &group.trees);
    return group;
}

static bool comes_from_any(const struct call *call, const struct group *group)
{
    for (size_t i = 0; i < group->tree_count; i++)
        if (comes_from(call, group->trees[i]))
            return true;
    return false;
}

static bool group_has(const struct group *group, const struct call *call)
{
    const struct operator_agent *agent = group->agent;

    if (call->session != agent->session)
        return false;
    return (agent->tree == 0 && agent->name == NULL) ||
           (agent->name != NULL && claims(call, agent->name)) || comes_from_any(call, group);
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
    free(group.trees);
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
    free(group.trees);
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
    free(groups[0].trees);
    free(groups[1].trees);
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

/* "dev 12369": the number, which is what tells them apart, is whole. */
static char *labelled(const struct call *call, size_t columns)
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
               ? labelled(call, columns)
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

static char *group_name(const struct group *group)
{
    const struct operator_agent *agent = group->agent;

    if (agent->name != NULL)
        return claimed_name(group);
    if (agent->tree != 0)
        return tree_name(agent->tree);
    if (!operator_agent_is_many(agent))
        return call_text_session(agent->session, NAME_COLUMNS);
    return xstrdup(agent->session->leftover ? _("all that use assent exec, of no running program")
                                            : _("all that use assent exec"));
}

char *operator_agent_name(const struct orchestrator *orchestrator,
                          const struct operator_agent *agent)
{
    struct group group = group_of(orchestrator, agent);
    char *name = group_name(&group);

    free(group.trees);
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

    free(group.trees);
    return names != NULL ? xasprintf("%s (%s)", name, names) : steal_pointer(&name);
}

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

/* A name of several words could be read as words of ours, and that of an agent means that one. */
static bool names_it_alone(const struct orchestrator *orchestrator,
                           const struct operator_agent *agent, const char *name)
{
    struct operator_agent_place next = {0};
    struct operator_agent named;

    return *name != '\0' && tree_text_is_word(name) &&
           operator_agent_next_named(orchestrator, name, &next, &named) &&
           named.session == agent->session && (named.name == NULL) == (agent->name == NULL) &&
           !operator_agent_next_named(orchestrator, name, &next, &named);
}

char *operator_agent_handle(const struct orchestrator *orchestrator,
                            const struct operator_agent *agent)
{
    cleanup_free char *name = NULL;

    if (agent->tree != 0)
        return tree_text_handle(agent->tree);
    name = agent->name != NULL             ? xstrdup(agent->name)
           : operator_agent_is_many(agent) ? xstrdup(SHARED_WORD)
                                           : call_text_session(agent->session, NAME_COLUMNS);
    if (names_it_alone(orchestrator, agent, name))
        return steal_pointer(&name);
    return agent->name != NULL ? quoted(agent->name) : xasprintf("%.8s", agent->session->id);
}

/* ---- whom the operator means ----------------------------------------------------------------- */

bool operator_agent_is_shown_as(const struct session *session, const char *name)
{
    cleanup_free char *shown = call_text_session(session, NAME_COLUMNS);
    size_t length = strlen(name);

    if (!session_is_agent(session) || session->ended)
        return false;
    if (call_text_is_shared(session) && strcasecmp(name, SHARED_WORD) == 0)
        return true;
    return (session->name != NULL && strcasecmp(session->name, name) == 0) ||
           strcasecmp(shown, name) == 0 ||
           (length >= ID_BYTES_MIN && strncmp(session->id, name, length) == 0);
}

bool operator_agent_is_meant(const char *claimed, const char *typed)
{
    cleanup_free char *shown = quoted(claimed);

    return strcasecmp(claimed, typed) == 0 || strcasecmp(shown, typed) == 0;
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
    free(group.trees);
    return found;
}

/* "dev 12369", as operator_agent_label() shows it, whether or not it is cut there. */
static bool is_labelled(const struct call *call, const char *name)
{
    cleanup_free char *label = labelled(call, LABEL_COLUMNS);
    cleanup_free char *bare = xasprintf("%s %ld", call_text_claimed(call), (long)call->client.tree);

    return strcasecmp(label, name) == 0 || strcasecmp(bare, name) == 0;
}

bool operator_agent_is_labelled(const struct orchestrator *orchestrator,
                                const struct session *session, const char *name)
{
    pid_t tree = named_tree(name);

    if (tree == 0 || call_text_is_shared(session) || !session_is_agent(session) || session->ended)
        return false;
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->session == session && call->client.tree == tree && is_labelled(call, name))
            return true;
    }
    return false;
}

/* The next call of the session whose client calls itself so, unless an earlier one was by that
 * name, too; NULL behind the last. */
static const struct call *next_claiming(const struct orchestrator *orchestrator,
                                        const struct session *session, const char *typed,
                                        size_t *next)
{
    while (*next < orchestrator_call_count(orchestrator)) {
        const struct call *call = orchestrator_call_at(orchestrator, (*next)++);
        bool before = false;

        if (call->session != session || call->client.name == NULL ||
            !operator_agent_is_meant(call->client.name, typed))
            continue;
        for (size_t i = 0; i + 1 < *next && !before; i++) {
            const struct call *earlier = orchestrator_call_at(orchestrator, i);

            before = earlier->session == session && claims(earlier, call->client.name);
        }
        if (!before)
            return call;
    }
    return NULL;
}

/* One of the session's own, by that name; false when there is none, or no further one. */
static bool next_in_session(const struct orchestrator *orchestrator, struct session *session,
                            const char *name, size_t *next, struct operator_agent *agent)
{
    bool shared = call_text_is_shared(session);
    bool shown = operator_agent_is_shown_as(session, name) ||
                 operator_agent_is_labelled(orchestrator, session, name);
    const struct call *call = NULL;

    if (!session_is_agent(session) || session->ended || ((shown || !shared) && *next > 0))
        return false;
    *agent = (struct operator_agent){.session = session};
    if (shown)
        return ++*next > 0;
    call = next_claiming(orchestrator, session, name, next);
    if (call != NULL && shared)
        agent->name = call->client.name;
    return call != NULL;
}

bool operator_agent_next_named(const struct orchestrator *orchestrator, const char *name,
                               struct operator_agent_place *next, struct operator_agent *agent)
{
    for (; next->session < orchestrator_session_count(orchestrator);
         next->session++, next->call = 0) {
        struct session *session = orchestrator_session_at(orchestrator, next->session);

        if (next_in_session(orchestrator, session, name, &next->call, agent))
            return true;
    }
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

/* ---- who is stopped -------------------------------------------------------------------------- */

/* That one of the stops in the session; false when there are not so many. */
static bool stop_at(struct session *session, size_t index, struct operator_agent *agent)
{
    size_t names = strv_length((const char *const *)session->stopped_names);

    *agent = (struct operator_agent){.session = session};
    if (session->stopped && index-- == 0)
        return true;
    if (index < names) {
        agent->name = session->stopped_names[index];
        return true;
    }
    index -= names;
    for (size_t i = 0; i < session->stopped_tree_count; i++) {
        const struct stopped_tree *tree = &session->stopped_trees[i];

        agent->tree = tree->root;
        if (tree->with == NULL && operator_agent_is_stopped(agent) && index-- == 0)
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

        for (size_t j = 0; !session->ended && stop_at(session, j, agent); j++)
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
    if (operator_agent_is_stopped(tree))
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

        if (operator_agent_is_stopped(&tree))
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
            !operator_agent_is_stopped(&tree) && is_first_of_tree(orchestrator, i) &&
            operator_agent_open_calls(orchestrator, &tree) > 0)
            add_tree(&text, orchestrator, &tree);
    }
    return text.length > 0 ? strbuf_steal(&text) : NULL;
}
