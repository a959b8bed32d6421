/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/details.h"

#define NAME_COLUMNS 30
#define ID_BYTES_MIN ((size_t)6) /* of a session's id, to name it by */
#define NAMES_MAX 3              /* of agents that one line names */

/* ---- calls ----------------------------------------------------------------------------------- */

/* The call that "c12", "12" or nothing (the selected one) names; NULL after saying so. */
static struct call *named_call(const struct desk *desk, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    struct call *call =
        *argument == '\0' ? desk->voice->selected(desk->console)
                          : orchestrator_find_call(desk->orchestrator, strtoull(digits, NULL, 10));

    if (call == NULL)
        desk_remark(desk, THEME_FAILED, "%s", _("there is no such call"));
    return call;
}

void operator_stop_call(const struct desk *desk, struct call *call)
{
    if (call->state == CALL_FINISHED)
        desk_remark(desk, THEME_DIM, _("c%" PRIu64 " has finished already"), call->id);
    else
        orchestrator_cancel(desk->orchestrator, call, CANCELLED_BY_OPERATOR,
                            "stopped by the operator");
}

void operator_show(const struct desk *desk, const char *argument)
{
    const struct call *call = named_call(desk, argument);
    struct document text = {0};
    cleanup_free char *title = NULL;
    struct call_standing standing;

    if (call == NULL)
        return;
    title = xasprintf(_("Call c%" PRIu64), call->id);
    standing = desk->voice->standing(desk->console, call);
    details_call(&text, call, &standing);
    free(standing.words);
    desk_show(desk, title, &text);
}

/* ---- agents ---------------------------------------------------------------------------------- */

/* In a sentence; those who share a session are many. */
static char *sentence_name(const struct session *session)
{
    return call_text_is_shared(session) ? xstrdup(_("all plain clients"))
                                        : call_text_session(session, NAME_COLUMNS);
}

char *operator_session_name(const struct desk *desk, const struct session *session)
{
    cleanup_free char *name = sentence_name(session);
    cleanup_free char *clients = call_text_clients(desk->orchestrator, session);

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

/* Is it the session of an agent that is called so on the screen or by itself (whatever the case),
 * or has an id that begins so? */
static bool is_named(const struct orchestrator *orchestrator, const struct session *session,
                     const char *name)
{
    cleanup_free char *shown = call_text_session(session, NAME_COLUMNS);
    size_t length = strlen(name);

    if (!session_is_agent(session) || session->ended)
        return false;
    return (session->name != NULL && strcasecmp(session->name, name) == 0) ||
           strcasecmp(shown, name) == 0 ||
           (length >= ID_BYTES_MIN && strncmp(session->id, name, length) == 0) ||
           is_claimed(orchestrator, session, name);
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

static bool is_word(const char *text)
{
    return text[strspn(
               text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

/* What names this session and no other behind ":resume": a name of several words could be read as
 * words of ours. Caller frees. */
static char *handle_of(const struct desk *desk, const struct session *session)
{
    cleanup_free char *name = call_text_session(session, NAME_COLUMNS);
    size_t next = 0;

    if (*name != '\0' && is_word(name) && next_named(desk, name, &next) == session &&
        next_named(desk, name, &next) == NULL)
        return steal_pointer(&name);
    return xasprintf("%.8s", session->id);
}

void operator_stop_session(const struct desk *desk, struct session *session, bool stop)
{
    cleanup_free char *name = operator_session_name(desk, session);
    cleanup_free char *handle = handle_of(desk, session);

    if (stop && session->stopped) {
        desk_remark(desk, THEME_WARNING, _("stopped already: %s (:resume %s ends that)"), name,
                    handle);
        return;
    }
    orchestrator_stop_session(desk->orchestrator, session, stop);
    if (stop)
        desk_say(desk, session->id, THEME_WARNING,
                 call_text_is_shared(session)
                     ? _("Stopped: %s, session %.8s. What they ask for from now on is refused; "
                         ":resume %s lets them ask again")
                     : _("Stopped: %s, session %.8s. What it asks for from now on is refused; "
                         ":resume %s lets it ask again"),
                 name, session->id, handle);
    else
        desk_say(desk, session->id, THEME_STRONG, _("%s, session %.8s, may ask again"), name,
                 session->id);
}

static char *stop_shared_question(const struct desk *desk, const char *again,
                                  const struct session *session)
{
    cleanup_free char *name = operator_session_name(desk, session);
    unsigned calls = session_calls(session);

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

char *operator_stop_question(const struct desk *desk, const char *again,
                             const struct session *session)
{
    cleanup_free char *name = operator_session_name(desk, session);
    unsigned calls = session_calls(session);

    if (call_text_is_shared(session))
        return stop_shared_question(desk, again, session);
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
    const struct session *first;
    size_t agents;
    unsigned calls;
    struct strbuf names; /* of some of them */
};

static struct going going_named(const struct desk *desk, const char *name)
{
    struct going going = {.names = STRBUF_INIT};
    const struct session *session;
    size_t next = 0;

    while ((session = next_named(desk, name, &next)) != NULL) {
        cleanup_free char *shown = sentence_name(session);

        if (session->stopped)
            continue;
        if (going.agents < NAMES_MAX)
            strbuf_addf(&going.names, "%s%s", going.agents > 0 ? ", " : "", shown);
        if (going.agents++ == 0)
            going.first = session;
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
        question = operator_stop_question(desk, again, going.first);
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
        operator_stop_session(desk, session, true);
    return named > 0;
}

static void say_no_agent(const struct desk *desk)
{
    desk_remark(desk, THEME_FAILED, "%s",
                _("there is no such agent or call (:sessions lists agents)"));
}

/* An agent may call itself "c12": what names a call is a call. */
void operator_stop(const struct desk *desk, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    bool names_call = digits[strspn(digits, "0123456789")] == '\0';
    struct call *call;

    if (!names_call && stop_named(desk, argument))
        return;
    call = names_call ? named_call(desk, argument) : NULL;
    if (call != NULL)
        operator_stop_call(desk, call);
    else if (!names_call)
        say_no_agent(desk);
}

/* The one agent that is stopped; NULL: none is, or several are, which is said. */
static struct session *only_stopped(const struct desk *desk)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    struct session *found = NULL;
    size_t count = 0;

    for (size_t i = 0; i < orchestrator_session_count(desk->orchestrator); i++) {
        struct session *session = orchestrator_session_at(desk->orchestrator, i);

        if (!session->stopped || session->ended)
            continue;
        found = session;
        if (count++ < NAMES_MAX) {
            cleanup_free char *handle = handle_of(desk, session);

            strbuf_addf(&names, "%s:resume %s", count > 1 ? ", " : "", handle);
        }
    }
    if (count == 0)
        desk_remark(desk, THEME_DIM, "%s", _("no agent is stopped"));
    else if (count > 1)
        desk_remark(desk, THEME_FAILED, _("several agents are stopped: %s (:sessions lists them)"),
                    strbuf_str(&names));
    return count == 1 ? found : NULL;
}

void operator_resume(const struct desk *desk, const char *argument)
{
    struct session *session = *argument == '\0' ? only_stopped(desk) : NULL;
    size_t next = 0, named = 0;

    if (session != NULL)
        operator_stop_session(desk, session, false);
    if (*argument == '\0')
        return;
    for (; (session = next_named(desk, argument, &next)) != NULL; named++)
        operator_stop_session(desk, session, false);
    if (named == 0)
        say_no_agent(desk);
}

void operator_sessions(const struct desk *desk, const char *argument)
{
    struct document text = {0};

    (void)argument;
    details_sessions(&text, desk->orchestrator);
    desk_show(desk, _("Sessions"), &text);
}

/* ---- what was decided ------------------------------------------------------------------------ */

/* Takes back what was granted with the answer to that call; false when nothing was. */
static bool revoke_answer(struct orchestrator *orchestrator, uint64_t call)
{
    bool any = false;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);

        for (size_t j = grants_count(session->grants); j-- > 0;) {
            const struct grant *grant = grants_at(session->grants, j);

            if (grant->call == call)
                any = orchestrator_revoke(orchestrator, session, grant->id) || any;
        }
    }
    return any;
}

void operator_revoke(const struct desk *desk, const char *argument)
{
    uint64_t call = strtoull(*argument == 'c' ? argument + 1 : argument, NULL, 10);

    if (revoke_answer(desk->orchestrator, call))
        desk_say(desk, NULL, THEME_STRONG, _("your answer to c%" PRIu64 " is taken back"), call);
    else
        desk_remark(desk, THEME_FAILED, "%s", _("there is no such approval (:grants)"));
}

static void forget_all(const struct desk *desk)
{
    for (size_t i = 0; i < orchestrator_session_count(desk->orchestrator); i++)
        orchestrator_forget_denials(desk->orchestrator,
                                    orchestrator_session_at(desk->orchestrator, i));
    desk_say(desk, NULL, THEME_STRONG, "%s", _("what you denied may be asked again"));
}

void operator_forget(const struct desk *desk, const char *argument)
{
    const struct call *call;

    if (strcmp(argument, "all") == 0) {
        forget_all(desk);
        return;
    }
    call = named_call(desk, argument);
    if (call == NULL)
        return;
    if (orchestrator_forget_denial(desk->orchestrator, call))
        desk_say(desk, NULL, THEME_STRONG, _("what c%" PRIu64 " asked for may be asked again"),
                 call->id);
    else
        desk_remark(desk, THEME_FAILED, _("c%" PRIu64 " was not denied by you"), call->id);
}
