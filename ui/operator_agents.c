/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_agents.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/process.h"
#include "ui/details.h"
#include "ui/operator_calls.h"

#define NAME_COLUMNS 30
#define ID_BYTES_MIN ((size_t)6) /* of a session's id, to name it by */
#define NAMES_MAX 3              /* of agents that one line names */

/* ---- how it is called ------------------------------------------------------------------------ */

struct operator_agent operator_agent_of(const struct call *call)
{
    return (struct operator_agent){call->session,
                                   call_text_is_shared(call->session) ? call->client.tree : 0};
}

bool operator_agent_is_stopped(const struct operator_agent *agent)
{
    return agent->tree != 0 ? session_tree_is_stopped(agent->session, agent->tree)
                            : agent->session->stopped;
}

/* Those who share a session, or are processes of one tree, are many, and spoken of so. */
static bool is_many(const struct operator_agent *agent)
{
    return call_text_is_shared(agent->session);
}

static bool is_word(const char *text)
{
    return text[strspn(
               text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

/* What the first process of the tree runs, as the kernel tells; NULL when it is gone, or called as
 * no program is: the name is no agent's way to write in our sentences. Caller frees. */
static char *tree_program(pid_t tree)
{
    char *program = process_program(tree);

    if (program != NULL &&
        (*program == '\0' || !is_word(program) || strlen(program) > (size_t)NAME_COLUMNS)) {
        free(program);
        return NULL;
    }
    return program;
}

static char *tree_name(pid_t tree)
{
    cleanup_free char *program = tree_program(tree);

    return program != NULL ? xasprintf(_("the process tree t%ld of %s"), (long)tree, program)
                           : xasprintf(_("the process tree t%ld"), (long)tree);
}

/* In a sentence. */
static char *sentence_name(const struct operator_agent *agent)
{
    if (agent->tree != 0)
        return tree_name(agent->tree);
    return is_many(agent) ? xstrdup(_("all plain clients"))
                          : call_text_session(agent->session, NAME_COLUMNS);
}

/* With those who ask in it: "shared by plain clients" is nobody's name. */
static char *full_name(const struct desk *desk, const struct operator_agent *agent)
{
    cleanup_free char *name = sentence_name(agent);
    cleanup_free char *clients = call_text_clients(desk->orchestrator, agent->session, agent->tree);

    return clients != NULL ? xasprintf("%s (%s)", name, clients) : steal_pointer(&name);
}

/* Does one of its clients call itself so? */
static bool is_claimed(const struct orchestrator *orchestrator, const struct session *session,
                       const char *name)
{
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->session == session && call->client.name != NULL &&
            strcasecmp(call->client.name, name) == 0)
            return true;
    }
    return false;
}

/* Is it the session of an agent that is called so on the screen (whatever the case), or has an id
 * that begins so? */
static bool is_shown_as(const struct session *session, const char *name)
{
    cleanup_free char *shown = call_text_session(session, NAME_COLUMNS);
    size_t length = strlen(name);

    if (!session_is_agent(session) || session->ended)
        return false;
    return (session->name != NULL && strcasecmp(session->name, name) == 0) ||
           strcasecmp(shown, name) == 0 ||
           (length >= ID_BYTES_MIN && strncmp(session->id, name, length) == 0);
}

/* The same, or does one in it call itself so? To stop one too many does less harm than to let one
 * go on. */
static bool is_named(const struct orchestrator *orchestrator, const struct session *session,
                     const char *name)
{
    return is_shown_as(session, name) || (session_is_agent(session) && !session->ended &&
                                          is_claimed(orchestrator, session, name));
}

/* The sessions of the agent called `name`, or that session, one after the other; NULL behind the
 * last. `next` is 0 before the first. */
static struct session *next_named(const struct desk *desk, const char *name, size_t *next)
{
    while (*next < orchestrator_session_count(desk->orchestrator)) {
        struct session *session = orchestrator_session_at(desk->orchestrator, (*next)++);

        if (is_named(desk->orchestrator, session, name))
            return session;
    }
    return NULL;
}

/* What names it and no other behind ":resume": a name of several words could be read as words of
 * ours. Caller frees. */
static char *handle_of(const struct desk *desk, const struct operator_agent *agent)
{
    cleanup_free char *name = call_text_session(agent->session, NAME_COLUMNS);
    size_t next = 0;

    if (agent->tree != 0)
        return xasprintf("t%ld", (long)agent->tree);
    if (*name != '\0' && is_word(name) && next_named(desk, name, &next) == agent->session &&
        next_named(desk, name, &next) == NULL)
        return steal_pointer(&name);
    return xasprintf("%.8s", agent->session->id);
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool has_tree(const struct orchestrator *orchestrator, const struct operator_agent *agent)
{
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->session == agent->session && call->client.tree == agent->tree)
            return true;
    }
    return session_tree_is_stopped(agent->session, agent->tree);
}

/* The processes that "t4242" names; false when it names none. */
static bool find_tree(const struct desk *desk, const char *name, struct operator_agent *agent)
{
    const char *digits = name + 1;

    if (*name != 't' || *digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
        return false;
    agent->tree = (pid_t)strtol(digits, NULL, 10);
    for (size_t i = 0; i < orchestrator_session_count(desk->orchestrator); i++) {
        agent->session = orchestrator_session_at(desk->orchestrator, i);
        if (call_text_is_shared(agent->session) && agent->tree != 0 &&
            has_tree(desk->orchestrator, agent))
            return true;
    }
    return false;
}

static unsigned open_calls(const struct orchestrator *orchestrator,
                           const struct operator_agent *agent)
{
    unsigned count = 0;

    if (agent->tree == 0)
        return session_calls(agent->session);
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        count += call->session == agent->session && call->client.tree == agent->tree &&
                 call->state != CALL_FINISHED && call->reach == NULL;
    }
    return count;
}

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
    unsigned calls = open_calls(orchestrator, tree);
    cleanup_free char *program = tree_program(tree->tree);

    strbuf_addf(text, "%st%ld %s%s(", text->length > 0 ? ", " : "", (long)tree->tree,
                program != NULL ? program : "", program != NULL ? " " : "");
    if (operator_agent_is_stopped(tree))
        strbuf_addstr(text, _("stopped"));
    else
        strbuf_addf(text, P_("%u open call", "%u open calls", calls), calls);
    strbuf_addch(text, ')');
}

char *operator_agents_listed(const struct orchestrator *orchestrator, struct session *session)
{
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < session->stopped_tree_count; i++) {
        struct operator_agent tree = {session, session->stopped_trees[i].root};

        if (operator_agent_is_stopped(&tree))
            add_tree(&text, orchestrator, &tree);
    }
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);
        struct operator_agent tree = {session, call->client.tree};

        if (call->session == session && call_text_is_shared(session) && tree.tree != 0 &&
            !operator_agent_is_stopped(&tree) && open_calls(orchestrator, &tree) > 0 &&
            is_first_of_tree(orchestrator, i))
            add_tree(&text, orchestrator, &tree);
    }
    return text.length > 0 ? strbuf_steal(&text) : NULL;
}

/* ---- stopping -------------------------------------------------------------------------------- */

static void stop(const struct desk *desk, const struct operator_agent *agent, bool stop)
{
    if (agent->tree != 0)
        orchestrator_stop_tree(desk->orchestrator, agent->session, agent->tree, stop);
    else
        orchestrator_stop_session(desk->orchestrator, agent->session, stop);
}

void operator_agent_stop(const struct desk *desk, const struct operator_agent *agent)
{
    const struct session *session = agent->session;
    cleanup_free char *name = full_name(desk, agent);
    cleanup_free char *handle = handle_of(desk, agent);

    if (operator_agent_is_stopped(agent)) {
        desk_remark(desk, THEME_WARNING, _("stopped already: %s (:resume %s ends that)"), name,
                    handle);
        return;
    }
    stop(desk, agent, true);
    desk_say(desk, agent->tree != 0 ? handle : session->id, THEME_WARNING,
             is_many(agent) ? _("Stopped: %s, session %.8s. What they ask for from now on is "
                                "refused; :resume %s lets them ask again")
                            : _("Stopped: %s, session %.8s. What it asks for from now on is "
                                "refused; :resume %s lets it ask again"),
             name, session->id, handle);
}

/* Whom the operator has stopped by itself goes on when that is taken back. */
static void say_still_stopped(const struct desk *desk, struct session *session)
{
    for (size_t i = 0; i < session->stopped_tree_count; i++) {
        const struct operator_agent tree = {session, session->stopped_trees[i].root};
        cleanup_free char *name = full_name(desk, &tree);
        cleanup_free char *handle = handle_of(desk, &tree);

        if (operator_agent_is_stopped(&tree))
            desk_remark(desk, THEME_WARNING, _("still stopped: %s (:resume %s ends that)"), name,
                        handle);
    }
}

static void let_go_on(const struct desk *desk, const struct operator_agent *agent)
{
    cleanup_free char *name = full_name(desk, agent);
    cleanup_free char *handle = handle_of(desk, agent);

    stop(desk, agent, false);
    desk_say(desk, agent->tree != 0 ? handle : agent->session->id, THEME_STRONG,
             _("%s, session %.8s, may ask again"), name, agent->session->id);
    if (agent->tree == 0)
        say_still_stopped(desk, agent->session);
}

static char *question_of_many(const char *again, const char *name, unsigned calls)
{
    if (calls == 0)
        return xasprintf(_("%s once more stops %s: what they ask for from now on is refused"),
                         again, name);
    return xasprintf(P_("%s once more stops %s: their %u open call ends, what else they ask for is "
                        "refused",
                        "%s once more stops %s: their %u open calls end, what else they ask for is "
                        "refused",
                        calls),
                     again, name, calls);
}

char *operator_agent_question(const struct desk *desk, const char *again,
                              const struct operator_agent *agent)
{
    cleanup_free char *name = full_name(desk, agent);
    unsigned calls = open_calls(desk->orchestrator, agent);

    if (is_many(agent))
        return question_of_many(again, name, calls);
    if (calls == 0)
        return xasprintf(_("%s once more stops %s: what it asks for from now on is refused"), again,
                         name);
    return xasprintf(P_("%s once more stops %s: its %u open call ends, what else it asks for is "
                        "refused",
                        "%s once more stops %s: its %u open calls end, what else it asks for is "
                        "refused",
                        calls),
                     again, name, calls);
}

/* What goes on of what is named so: all of these would be stopped. */
struct going {
    struct operator_agent first;
    size_t agents;
    unsigned calls;
    struct strbuf names; /* of some of them */
};

static struct going going_named(const struct desk *desk, const char *name)
{
    struct going going = {.names = STRBUF_INIT};
    struct session *session;
    size_t next = 0;

    while ((session = next_named(desk, name, &next)) != NULL) {
        const struct operator_agent agent = {.session = session};
        cleanup_free char *shown = sentence_name(&agent);

        if (session->stopped)
            continue;
        if (going.agents < NAMES_MAX)
            strbuf_addf(&going.names, "%s%s", going.agents > 0 ? ", " : "", shown);
        if (going.agents++ == 0)
            going.first = agent;
        going.calls += session_calls(session);
    }
    if (going.agents > NAMES_MAX)
        strbuf_addf(&going.names, _(" and %zu more"), going.agents - NAMES_MAX);
    return going;
}

/* Asks whether to stop them; false when that has been asked, or they have been stopped. */
static bool asks_first(const struct desk *desk, const char *name)
{
    struct going going = going_named(desk, name);
    cleanup_free char *again = xasprintf(":stop %s", name);
    cleanup_free char *about = xasprintf("%zu %s", going.agents, name); /* one more is told of */
    cleanup_free char *question = NULL;
    bool asks = going.agents > 0 && !desk_asked(desk, about);

    if (asks && going.agents == 1)
        question = operator_agent_question(desk, again, &going.first);
    else if (asks)
        question = xasprintf(_("%s once more stops %zu agents (%s): %u open calls in all end, "
                               "what else they ask for is refused"),
                             again, going.agents, strbuf_str(&going.names), going.calls);
    if (asks)
        desk_remark(desk, THEME_WARNING, "%s", question);
    strbuf_free(&going.names);
    return asks;
}

/* Stops all that is named so, once it has been asked about; false when nothing is. */
static bool stop_named(const struct desk *desk, const char *name)
{
    struct session *session;
    size_t next = 0, named = 0;

    if (asks_first(desk, name))
        return true;
    for (; (session = next_named(desk, name, &next)) != NULL; named++)
        operator_agent_stop(desk, &(struct operator_agent){.session = session});
    return named > 0;
}

/* Stops those processes, once that has been asked about. */
static void stop_tree(const struct desk *desk, const char *name, const struct operator_agent *agent)
{
    cleanup_free char *again = xasprintf(":stop %s", name);
    cleanup_free char *question = operator_agent_question(desk, again, agent);

    if (operator_agent_is_stopped(agent) || desk_asked(desk, name))
        operator_agent_stop(desk, agent);
    else
        desk_remark(desk, THEME_WARNING, "%s", question);
}

static void say_no_agent(const struct desk *desk)
{
    desk_remark(desk, THEME_FAILED, "%s",
                _("there is no such agent or call (:sessions lists agents)"));
}

/* An agent may call itself "c12" or "t4242": what names a call is a call, and what names processes
 * is these. */
void operator_stop(const struct desk *desk, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    bool names_call = digits[strspn(digits, "0123456789")] == '\0';
    struct operator_agent tree;
    struct call *call;

    if (find_tree(desk, argument, &tree)) {
        stop_tree(desk, argument, &tree);
        return;
    }
    if (!names_call && stop_named(desk, argument))
        return;
    call = names_call ? operator_named_call(desk, argument) : NULL;
    if (call != NULL)
        operator_stop_call(desk, call);
    else if (!names_call)
        say_no_agent(desk);
}

/* The stopped agents, one after the other; false behind the last. `next` is 0 before the first. */
static bool next_stopped(const struct orchestrator *orchestrator, size_t *next,
                         struct operator_agent *agent)
{
    size_t at = 0;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);

        *agent = (struct operator_agent){.session = session};
        if (session->ended)
            continue;
        if (session->stopped && at++ == *next)
            return ++*next > 0;
        for (size_t j = 0; j < session->stopped_tree_count; j++) {
            agent->tree = session->stopped_trees[j].root;
            if (session_tree_is_stopped(session, agent->tree) && at++ == *next)
                return ++*next > 0;
        }
    }
    return false;
}

size_t operator_agents_stopped(const struct orchestrator *orchestrator)
{
    struct operator_agent agent;
    size_t count = 0;

    while (next_stopped(orchestrator, &count, &agent))
        continue;
    return count;
}

/* Lets the one that is stopped go on; says so when none is, or several are. */
static void resume_only(const struct desk *desk)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    struct operator_agent agent, only = {.session = NULL};
    size_t count = 0;

    while (next_stopped(desk->orchestrator, &count, &agent)) {
        cleanup_free char *handle = handle_of(desk, &agent);

        only = agent;
        if (count <= NAMES_MAX)
            strbuf_addf(&names, "%s:resume %s", count > 1 ? ", " : "", handle);
    }
    if (count == 0)
        desk_remark(desk, THEME_DIM, "%s", _("no agent is stopped"));
    else if (count > 1)
        desk_remark(desk, THEME_FAILED, _("several agents are stopped: %s (:sessions lists them)"),
                    strbuf_str(&names));
    else
        let_go_on(desk, &only);
}

/* Nobody is called so here, but perhaps by itself: then it is said by what it goes on. */
static void say_claimed(const struct desk *desk, const char *name)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    const struct session *session;
    size_t next = 0, count = 0;

    while ((session = next_named(desk, name, &next)) != NULL)
        if (session->stopped && count++ < NAMES_MAX)
            strbuf_addf(&names, "%s:resume %.8s", count > 1 ? ", " : "", session->id);
    if (count == 0)
        say_no_agent(desk);
    else
        desk_remark(desk, THEME_FAILED, _("only its clients call themselves so: %s"),
                    strbuf_str(&names));
}

/* Only by what is shown: what one calls itself could be another's name. Of several that are called
 * so and are stopped the operator chooses. */
static void resume_named(const struct desk *desk, const char *name)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    struct operator_agent one = {.session = NULL};
    size_t count = orchestrator_session_count(desk->orchestrator), stopped = 0;

    for (size_t i = 0; i < count; i++) {
        struct operator_agent agent = {orchestrator_session_at(desk->orchestrator, i), 0};

        if (!is_shown_as(agent.session, name) || (stopped > 0 && !agent.session->stopped))
            continue;
        one = agent;
        if (agent.session->stopped && stopped++ < NAMES_MAX)
            strbuf_addf(&names, "%s:resume %.8s", stopped > 1 ? ", " : "", agent.session->id);
    }
    if (one.session == NULL)
        say_claimed(desk, name);
    else if (stopped > 1)
        desk_remark(desk, THEME_FAILED, _("several agents are stopped: %s (:sessions lists them)"),
                    strbuf_str(&names));
    else
        let_go_on(desk, &one);
}

void operator_resume(const struct desk *desk, const char *argument)
{
    struct operator_agent agent = {.session = NULL};

    if (*argument == '\0') {
        resume_only(desk);
        return;
    }
    if (find_tree(desk, argument, &agent)) {
        let_go_on(desk, &agent);
        return;
    }
    resume_named(desk, argument);
}

void operator_sessions(const struct desk *desk, const char *argument)
{
    struct document text = {0};

    (void)argument;
    details_sessions(&text, desk->orchestrator);
    desk_show(desk, _("Sessions"), &text);
}
