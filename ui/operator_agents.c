/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_agents.h"

#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "ui/details.h"
#include "ui/operator_agent.h"
#include "ui/operator_calls.h"
#include "ui/own_sessions.h"
#include "ui/stop_question.h"

#define NAMES_MAX 3 /* of agents that one line names */

/* ---- stopping -------------------------------------------------------------------------------- */

static void stop(const struct desk *desk, const struct operator_agent *agent)
{
    struct orchestrator *orchestrator = desk->orchestrator;
    struct session **own;
    pid_t *trees;
    size_t count = operator_agent_trees(orchestrator, agent, &trees);
    size_t own_count = own_sessions_all(orchestrator, agent, &own);

    if (agent->name != NULL)
        orchestrator_stop_name(orchestrator, agent->session, agent->name, trees, count);
    else if (agent->tree != 0)
        orchestrator_stop_tree(orchestrator, agent->session, agent->tree, own, own_count);
    else
        orchestrator_stop_session(orchestrator, agent->session, true);
    free(own);
    free(trees);
}

static void resume(const struct desk *desk, const struct operator_agent *agent)
{
    struct session **own;
    size_t count = own_sessions_all(desk->orchestrator, agent, &own);

    if (agent->name != NULL)
        orchestrator_resume_name(desk->orchestrator, agent->session, agent->name);
    else if (agent->tree != 0)
        orchestrator_resume_tree(desk->orchestrator, agent->session, agent->tree, own, count);
    else
        orchestrator_stop_session(desk->orchestrator, agent->session, false);
    free(own);
}

void operator_agent_stop(const struct desk *desk, const struct operator_agent *agent)
{
    const struct session *session = agent->session;
    bool all = agent->tree == 0 && agent->name == NULL;
    cleanup_free char *name = operator_agent_full_name(desk->orchestrator, agent);
    cleanup_free char *handle = operator_agent_handle(desk->orchestrator, agent);

    if (operator_agent_is_stopped(desk->orchestrator, agent)) {
        desk_remark(desk, THEME_WARNING, _("stopped already: %s (:resume %s ends that)"), name,
                    handle);
        return;
    }
    stop(desk, agent);
    /* How to take it back comes first: a later message cuts this one's end. */
    if (!all) /* of a session that goes on */
        desk_say(desk, handle, THEME_WARNING,
                 _("Stopped (:resume %s lets them ask again): %s. What they ask for is refused"),
                 handle, name);
    else
        desk_say(
            desk, session->id, THEME_WARNING,
            operator_agent_is_many(agent)
                ? _("Stopped (:resume %s lets them ask again): %s, session %.8s. What they ask "
                    "for from now on is refused")
                : _("Stopped (:resume %s lets it ask again): %s, session %.8s. What it asks for "
                    "from now on is refused"),
            handle, name, session->id);
}

/* Whom the operator has stopped otherwise does not go on with these. */
static void say_still_stopped(const struct desk *desk, const struct operator_agent *resumed)
{
    struct operator_agent agent;
    size_t next = 0;

    while (operator_agent_next_stopped(desk->orchestrator, &next, &agent)) {
        cleanup_free char *name = operator_agent_full_name(desk->orchestrator, &agent);
        cleanup_free char *handle = operator_agent_handle(desk->orchestrator, &agent);

        if (agent.session == resumed->session &&
            ((resumed->tree == 0 && resumed->name == NULL) ||
             operator_agents_overlap(desk->orchestrator, resumed, &agent)))
            desk_remark(desk, THEME_WARNING, _("still stopped: %s (:resume %s ends that)"), name,
                        handle);
    }
}

static void let_go_on(const struct desk *desk, const struct operator_agent *agent)
{
    bool all = agent->tree == 0 && agent->name == NULL;
    cleanup_free char *name = operator_agent_full_name(desk->orchestrator, agent);
    cleanup_free char *handle = operator_agent_handle(desk->orchestrator, agent);
    /* What it is called by goes with the stop. */
    cleanup_free char *claimed = agent->name != NULL ? xstrdup(agent->name) : NULL;
    struct operator_agent resumed = *agent;

    resume(desk, agent);
    resumed.name = claimed;
    desk_say(desk, all ? agent->session->id : handle, THEME_STRONG,
             _("%s, session %.8s, may ask again"), name, agent->session->id);
    say_still_stopped(desk, &resumed);
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
    struct operator_agent_place next = {0};
    struct operator_agent agent;

    while (operator_agent_next_named(desk->orchestrator, name, &next, &agent)) {
        cleanup_free char *shown = operator_agent_name(desk->orchestrator, &agent);

        if (operator_agent_is_stopped(desk->orchestrator, &agent))
            continue;
        if (going.agents < NAMES_MAX)
            strbuf_addf(&going.names, "%s%s", going.agents > 0 ? ", " : "", shown);
        if (going.agents++ == 0)
            going.first = agent;
        going.calls += operator_agent_open_calls(desk->orchestrator, &agent);
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
        question = stop_question(desk->orchestrator, again, &going.first, NULL, NULL, desk->room);
    else if (asks)
        question =
            xasprintf(_("%s once more stops all requests of %zu agents (%s): %u open calls in "
                        "all end; new requests are refused"),
                      again, going.agents, strbuf_str(&going.names), going.calls);
    if (asks)
        desk_remark(desk, THEME_WARNING, "%s", question);
    strbuf_free(&going.names);
    return asks;
}

/* Stops all that is named so, once it has been asked about; false when nothing is. */
static bool stop_named(const struct desk *desk, const char *name)
{
    struct operator_agent_place next = {0};
    struct operator_agent agent;
    size_t named = 0;

    if (asks_first(desk, name))
        return true;
    for (; operator_agent_next_named(desk->orchestrator, name, &next, &agent); named++)
        operator_agent_stop(desk, &agent);
    return named > 0;
}

/* Stops those processes, once that has been asked about. */
static void stop_tree(const struct desk *desk, const char *name, const struct operator_agent *agent)
{
    cleanup_free char *again = xasprintf(":stop %s", name);
    cleanup_free char *question =
        stop_question(desk->orchestrator, again, agent, NULL, NULL, desk->room);

    if (operator_agent_is_stopped(desk->orchestrator, agent) || desk_asked(desk, name))
        operator_agent_stop(desk, agent);
    else
        desk_remark(desk, THEME_WARNING, "%s", question);
}

static void say_no_agent(const struct desk *desk)
{
    desk_remark(desk, THEME_FAILED, "%s",
                _("there is no such agent or call (:sessions lists agents)"));
}

/* An agent may call itself "c12" or "claude 18802": what names a call is a call, and what names
 * processes is these. */
void operator_stop(const struct desk *desk, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    bool names_call = digits[strspn(digits, "0123456789")] == '\0';
    struct operator_agent tree;
    struct call *call;

    if (operator_agent_find_tree(desk->orchestrator, argument, &tree)) {
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

struct operator_stops operator_agents_stopped(const struct orchestrator *orchestrator)
{
    struct operator_stops stops = {0};
    struct operator_agent agent;
    size_t next = 0;

    while (operator_agent_next_stopped(orchestrator, &next, &agent)) {
        size_t own = 0;

        if (agent.tree != 0 && own_sessions_next(orchestrator, &agent, &own) == NULL)
            stops.trees++;
        else
            stops.agents++;
    }
    return stops;
}

/* Lets the one that is stopped go on; says so when none is, or several are. */
static void resume_only(const struct desk *desk)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    struct operator_agent agent, only = {.session = NULL};
    size_t count = 0;

    while (operator_agent_next_stopped(desk->orchestrator, &count, &agent)) {
        cleanup_free char *handle = operator_agent_handle(desk->orchestrator, &agent);

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

/* Of several that are stopped and could be meant the operator chooses. */
struct choice {
    struct operator_agent one;
    size_t stopped;
    struct strbuf names; /* of some of them */
};

static void add_choice(const struct desk *desk, struct choice *choice,
                       const struct operator_agent *agent, bool by_id)
{
    cleanup_free char *handle = by_id && agent->tree == 0
                                    ? xasprintf("%.8s", agent->session->id)
                                    : operator_agent_handle(desk->orchestrator, agent);

    if (choice->stopped > 0 && agent->tree != 0 && choice->one.session == agent->session &&
        choice->one.tree == agent->tree)
        return; /* by another session of its */
    choice->one = *agent;
    if (choice->stopped++ < NAMES_MAX)
        strbuf_addf(&choice->names, "%s:resume %s", choice->stopped > 1 ? ", " : "", handle);
}

static void choose(const struct desk *desk, const struct choice *choice)
{
    if (choice->stopped > 1)
        desk_remark(desk, THEME_FAILED, _("several agents are stopped: %s (:sessions lists them)"),
                    strbuf_str(&choice->names));
    else
        let_go_on(desk, &choice->one);
}

/* Who was stopped by that name; or else the processes that have been, and have asked by it. */
static void choose_claiming(const struct desk *desk, struct choice *choice, const char *name)
{
    struct operator_agent agent;

    for (size_t at = 0; operator_agent_next_stopped(desk->orchestrator, &at, &agent);)
        if (agent.name != NULL && operator_agent_is_meant(agent.name, name))
            add_choice(desk, choice, &agent, false);
    if (choice->stopped > 0)
        return;
    for (size_t at = 0; operator_agent_next_stopped(desk->orchestrator, &at, &agent);)
        if (agent.tree != 0 && operator_agent_has_claimed(desk->orchestrator, &agent, name))
            add_choice(desk, choice, &agent, false);
}

/* Nobody is called so here, but perhaps by itself. Whose session was stopped goes on by its id. */
static void resume_claimed(const struct desk *desk, const char *name)
{
    struct choice choice = {.names = STRBUF_INIT};
    struct operator_agent_place next = {0};
    struct operator_agent agent;

    choose_claiming(desk, &choice, name);
    if (choice.stopped > 0) {
        choose(desk, &choice);
        strbuf_free(&choice.names);
        return;
    }
    while (operator_agent_next_named(desk->orchestrator, name, &next, &agent))
        if (agent.session->stopped)
            add_choice(desk, &choice, &agent, true);
    if (choice.stopped == 0)
        say_no_agent(desk);
    else
        desk_remark(desk, THEME_FAILED, _("only its clients call themselves so: %s"),
                    strbuf_str(&choice.names));
    strbuf_free(&choice.names);
}

/* What one calls itself could be another's name: only by what is shown, as long as somebody is
 * shown so. */
static void resume_named(const struct desk *desk, const char *name)
{
    struct choice choice = {.names = STRBUF_INIT};

    for (size_t i = 0; i < orchestrator_session_count(desk->orchestrator); i++) {
        struct session *session = orchestrator_session_at(desk->orchestrator, i);
        const struct operator_agent agent = operator_agent_of_session(desk->orchestrator, session);

        if (!operator_agent_is_shown_as(session, name) &&
            !operator_agent_is_labelled(desk->orchestrator, session, name))
            continue;
        if (session->stopped)
            add_choice(desk, &choice, &agent, true);
        else if (choice.stopped == 0)
            choice.one = agent;
    }
    if (choice.one.session == NULL)
        resume_claimed(desk, name);
    else
        choose(desk, &choice);
    strbuf_free(&choice.names);
}

void operator_resume(const struct desk *desk, const char *argument)
{
    struct operator_agent agent = {.session = NULL};

    if (*argument == '\0') {
        resume_only(desk);
        return;
    }
    if (operator_agent_find_tree(desk->orchestrator, argument, &agent)) {
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
