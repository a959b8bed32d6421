/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/stop_question.h"

#include <inttypes.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "ui/call_text.h"
#include "ui/operator_agent.h"

#define COMMAND_COLUMNS 12 /* the question has two rows on a small screen */
#define CALLS_MAX 3U       /* that are named */

/* c12 "ls": a command is its agent's words. */
static void add_call(struct strbuf *text, const struct call *call)
{
    cleanup_free char *line = call_text_line(call, COMMAND_COLUMNS);

    strbuf_addf(text, "c%" PRIu64 " ", call->id);
    call_text_add_quoted(text, line);
}

/* The one that ends, with its command unless that has been told; of several, their numbers. */
static char *open_calls(const struct orchestrator *orchestrator, const struct operator_agent *agent,
                        unsigned count, const struct call *told)
{
    struct strbuf text = STRBUF_INIT;
    const struct call *call;
    size_t next = 0;
    unsigned named = 0;

    while (named < CALLS_MAX &&
           (call = operator_agent_next_open(orchestrator, agent, &next)) != NULL) {
        strbuf_addstr(&text, named++ > 0 ? ", " : "");
        if (count == 1 && call != told)
            add_call(&text, call);
        else
            strbuf_addf(&text, "c%" PRIu64, call->id);
    }
    if (count > named)
        strbuf_addf(&text, _(" and %zu more"), (size_t)(count - named));
    return strbuf_steal(&text);
}

/* What of it ends. */
static char *loss(const struct orchestrator *orchestrator, const struct operator_agent *agent,
                  const struct call *told)
{
    bool many = operator_agent_is_many(agent);
    unsigned count = operator_agent_open_calls(orchestrator, agent);
    cleanup_free char *calls = NULL;

    if (count == 0)
        return xstrdup(many ? _("they have nothing open") : _("it has nothing open"));
    calls = open_calls(orchestrator, agent, count, told);
    return xasprintf(many
                         ? P_("their %u open call ends (%s)", "their %u open calls end (%s)", count)
                         : P_("its %u open call ends (%s)", "its %u open calls end (%s)", count),
                     count, calls);
}

/* Whose it is, and by which call the operator can see that. */
static char *name_of(const struct orchestrator *orchestrator, const struct operator_agent *agent,
                     const struct call *selected)
{
    cleanup_free char *name = operator_agent_full_name(orchestrator, agent);
    cleanup_strbuf struct strbuf call = STRBUF_INIT;

    if (selected == NULL)
        return steal_pointer(&name);
    add_call(&call, selected);
    /* L10N: bob, who asked for c12 "make" */
    return xasprintf(_("%s, who asked for %s"), name, strbuf_str(&call));
}

/* " (but bash 6812 has c10: Tab)" */
static char *beside(const struct orchestrator *orchestrator, const struct operator_agent *agent,
                    const char *key)
{
    const struct call *call =
        key != NULL ? stop_question_open_elsewhere(orchestrator, agent) : NULL;
    cleanup_free char *name = NULL;
    struct operator_agent other;

    if (call == NULL)
        return xstrdup("");
    other = operator_agent_of(call);
    name = operator_agent_handle(orchestrator, &other);
    /* L10N: that has it open, and the key leads there; short, a small screen has two rows */
    return xasprintf(_(" (but %s has c%" PRIu64 ": %s)"), name, call->id, key);
}

char *stop_question(const struct orchestrator *orchestrator, const char *again,
                    const struct operator_agent *agent, const struct call *selected,
                    const char *elsewhere)
{
    cleanup_free char *name = name_of(orchestrator, agent, selected);
    cleanup_free char *ends = loss(orchestrator, agent, selected);
    cleanup_free char *other = beside(orchestrator, agent, elsewhere);

    return xasprintf(operator_agent_is_many(agent)
                         ? _("%s once more stops %s: %s%s; what else they ask for is refused")
                         : _("%s once more stops %s: %s%s; what else it asks for is refused"),
                     again, name, ends, other);
}

const struct call *stop_question_open_elsewhere(const struct orchestrator *orchestrator,
                                                const struct operator_agent *agent)
{
    const struct call *newest = NULL;
    size_t next = 0;

    if (operator_agent_next_open(orchestrator, agent, &next) != NULL)
        return NULL;
    for (size_t i = orchestrator_call_count(orchestrator); i > 0 && newest == NULL; i--) {
        const struct call *call = orchestrator_call_at(orchestrator, i - 1);
        const struct operator_agent other = operator_agent_of(call);

        if (call->state != CALL_FINISHED && call->reach == NULL &&
            session_is_agent(call->session) && !operator_agent_is_stopped(&other))
            newest = call;
    }
    return newest;
}
