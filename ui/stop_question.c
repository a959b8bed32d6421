/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/stop_question.h"

#include <inttypes.h>
#include <stdlib.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "ui/call_text.h"
#include "ui/operator_agent.h"
#include "ui/view.h"

/* What leads to the consequence, which has to be whole: less and less of it. */
struct detail {
    size_t command; /* columns of a call's; 0: the call's number says enough */
    bool names;     /* as its clients call themselves */
    bool chosen_by; /* the call by which it was */
};

static const struct detail details[] = {
    {.command = 12, .names = true, .chosen_by = true},
    {.names = true, .chosen_by = true},
    {.names = true},
    {.command = 0},
};

/* What is asked. */
struct asked {
    const struct orchestrator *orchestrator;
    const struct operator_agent *agent;
    const struct call *selected;
    const char *again, *elsewhere;
};

#define CALLS_MAX 3U /* that are named */

/* c12 "ls": a command is its agent's words. */
static void add_call(struct strbuf *text, const struct call *call, size_t columns)
{
    strbuf_addf(text, "c%" PRIu64, call->id);
    if (columns == 0)
        return;
    strbuf_addch(text, ' ');
    call_text_add_line_quoted(text, call, columns);
}

/* The one that ends, with its command unless that has been told; of several, their numbers. */
static char *open_calls(const struct asked *asked, unsigned count, const struct detail *detail)
{
    struct strbuf text = STRBUF_INIT;
    const struct call *call;
    size_t next = 0;
    unsigned named = 0;

    while (named < CALLS_MAX &&
           (call = operator_agent_next_open(asked->orchestrator, asked->agent, &next)) != NULL) {
        strbuf_addstr(&text, named++ > 0 ? ", " : "");
        add_call(&text, call, count == 1 && call != asked->selected ? detail->command : 0);
    }
    if (count > named)
        strbuf_addf(&text, _(" and %zu more"), (size_t)(count - named));
    return strbuf_steal(&text);
}

/* What of it ends. */
static char *loss(const struct asked *asked, const struct detail *detail)
{
    unsigned count = operator_agent_open_calls(asked->orchestrator, asked->agent);
    cleanup_free char *calls = NULL;

    if (count == 0)
        return xstrdup(_("none is open"));
    calls = open_calls(asked, count, detail);
    return xasprintf(P_("%u open call ends (%s)", "%u open calls end (%s)", count), count, calls);
}

/* Whose it is, and by which call the operator can see that. */
static char *name_of(const struct asked *asked, const struct detail *detail)
{
    cleanup_free char *name = detail->names
                                  ? operator_agent_full_name(asked->orchestrator, asked->agent)
                                  : operator_agent_name(asked->orchestrator, asked->agent);
    cleanup_strbuf struct strbuf call = STRBUF_INIT;

    if (asked->selected == NULL || !detail->chosen_by)
        return steal_pointer(&name);
    add_call(&call, asked->selected, detail->command);
    /* A process tells nobody whose command it is about. */
    if (asked->agent->tree != 0)
        /* L10N: the agent of c12 "make", bash 4711 with its processes ("bob") */
        return xasprintf(_("the agent of %s, %s"), strbuf_str(&call), name);
    /* L10N: bob, who asked for c12 "make" */
    return xasprintf(_("%s, who asked for %s"), name, strbuf_str(&call));
}

/* " (but bash 6812 has c10: Tab)" */
static char *beside(const struct asked *asked)
{
    const struct call *call = asked->elsewhere != NULL
                                  ? stop_question_open_elsewhere(asked->orchestrator, asked->agent)
                                  : NULL;
    cleanup_free char *name = NULL;
    struct operator_agent other;

    if (call == NULL)
        return xstrdup("");
    other = operator_agent_of(asked->orchestrator, call);
    name = operator_agent_handle(asked->orchestrator, &other);
    /* L10N: that has it open, and the key leads there; short, a small screen has two rows */
    return xasprintf(_(" (but %s has c%" PRIu64 ": %s)"), name, call->id, asked->elsewhere);
}

static char *in_detail(const struct asked *asked, const struct detail *detail)
{
    cleanup_free char *name = name_of(asked, detail);
    cleanup_free char *ends = loss(asked, detail);
    cleanup_free char *other = beside(asked);

    return xasprintf(_("%s once more stops all requests of %s: %s%s; new ones are refused until "
                       ":resume"),
                     asked->again, name, ends, other);
}

char *stop_question(const struct orchestrator *orchestrator, const char *again,
                    const struct operator_agent *agent, const struct call *selected,
                    const char *elsewhere, const struct rect *room)
{
    const struct asked asked = {orchestrator, agent, selected, again, elsewhere};
    char *question = in_detail(&asked, &details[0]);

    for (size_t i = 1; i < COUNT(details) && room != NULL && !view_trail_fits(*room, question);
         i++) {
        free(question);
        question = in_detail(&asked, &details[i]);
    }
    return question;
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
        const struct operator_agent other = operator_agent_of(orchestrator, call);

        if (call->state != CALL_FINISHED && call->reach == NULL &&
            session_is_agent(call->session) && !operator_agent_is_stopped(orchestrator, &other))
            newest = call;
    }
    return newest;
}
