/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/decision_text.h"

#include <inttypes.h>
#include <string.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/sha256.h"
#include "base/text.h"
#include "ui/call_text.h"

#define LINE_COLUMNS 200

/* The answer that a grant came from, as the operator knows it. */
static char *covered_by(const struct call *call)
{
    const struct grant *grant = grants_find_id(call->session->grants, call->decision.grant_id);

    return grant != NULL ? xasprintf(_("covered by your answer to c%" PRIu64), grant->call)
                         : xstrdup(_("covered by an answer of yours"));
}

/* "codex, ", or nothing for the operator's own command. */
static char *asker_words(const struct call *call)
{
    cleanup_free char *agent = call_text_agent(call, 24);

    return call->session->origin == SESSION_OPERATOR ? xstrdup("") : xasprintf("%s, ", agent);
}

/* The agent's own answer that was picked, by its name; NULL: none was. Caller frees. */
static char *offer_words(const struct call *call)
{
    const char *name =
        call->decision.offer > 0 ? call->offers[call->decision.offer - 1].name : NULL;
    cleanup_free char *safe = name != NULL ? text_line(name, strlen(name), 60) : NULL;

    return safe != NULL ? xasprintf(_("by its agent's answer \"%s\""), safe) : NULL;
}

/* The same was denied before; what lifts that is named, because nobody is asked any more. */
static char *as_before(const struct call *call)
{
    unsigned repeats = call->decision.repeats;

    return repeats == 0 || !orchestrator_denial_holds(call)
               ? xstrdup(_("as before"))
               : xasprintf(
                     P_("as before (repeated %u time; :forget c%" PRIu64 " lets it ask again)",
                        "as before (repeated %u times; :forget c%" PRIu64 " lets it ask again)",
                        repeats),
                     repeats, call->id);
}

/* By the operator, whose rule is kept where no list of this session shows it. */
static const char *by_whose_rule(const struct call *call)
{
    return call->asked_command != NULL ? _("changed by you (:undo takes the rule back)")
                                       : _("by you (:undo takes the rule back)");
}

/* An agent that asks the same again is denied unasked: it is said here, as long as that is so, and
 * with what lifts it. Caller frees. */
static char *by_operator(const struct call *call)
{
    if (call->decision.kind == REVIEW_APPROVED_AMENDMENT)
        return xstrdup(by_whose_rule(call));
    if (review_kind_approves(call->decision.kind))
        return xstrdup(call->asked_command != NULL ? _("changed by you") : _("by you"));
    return session_is_agent(call->session) && orchestrator_denial_holds(call)
               ? xasprintf(_("by you, for this session (:forget c%" PRIu64 " lets it ask again)"),
                           call->id)
               : xstrdup(_("by you"));
}

/* Who it was; caller frees. */
static char *decider(const struct call *call)
{
    const struct review_decision *decision = &call->decision;
    char *offer = offer_words(call);

    if (offer != NULL)
        return offer;
    switch (decision->source) {
    case DECIDED_BY_CACHE:
        return decision->grant_id == 0 ? as_before(call) : covered_by(call);
    case DECIDED_BY_USER:
        return by_operator(call);
    case DECIDED_BY_CLIENT:
        return xstrdup(_("by its client"));
    case DECIDED_BY_STOP:
        return xstrdup(_("its agent is stopped"));
    case DECIDED_BY_RULE:
        return xstrdup(_("by a rule"));
    default:
        return xstrdup(_("by the policy"));
    }
}

/* The operator has changed the command, and denied both. */
static bool refused_change(const struct call *call)
{
    return call->asked_command != NULL && !review_kind_approves(call->decision.kind);
}

char *decision_text_words(const struct call *call)
{
    cleanup_free char *who = decider(call);
    cleanup_free char *words = refused_change(call) ? xstrdup(_("denied, as asked and as changed"))
                                                    : call_text_decision(&call->decision);

    if (call_text_ended_with_another(call))
        return xstrdup(_("stopped by you"));
    if (call->decision.unsandboxed)
        return xasprintf("%s, %s, %s", words, _("no sandbox"), who);
    return xasprintf("%s, %s", words, who);
}

char *decision_text(const struct call *call, bool *allowed)
{
    cleanup_free char *asker = asker_words(call);
    cleanup_free char *words = decision_text_words(call);
    /* What was denied is the request, and with it what the operator made of it. */
    cleanup_free char *line =
        refused_change(call)
            ? text_line(call->asked_command, strlen(call->asked_command), LINE_COLUMNS)
            : call_text_line(call, LINE_COLUMNS);

    *allowed = review_kind_approves(call->decision.kind);
    return xasprintf("c%" PRIu64 " %s%s: %s", call->id, asker, words, line);
}

/* An answer that goes on holding has a count of its own. */
char *decision_text_refusal(const struct call *call, unsigned times)
{
    bool allowed;
    cleanup_free char *asker = asker_words(call);
    cleanup_free char *words = decision_text_words(call);
    cleanup_free char *line = NULL;

    if (times == 1 || call->decision.source == DECIDED_BY_CACHE)
        return decision_text(call, &allowed);
    line = call_text_line(call, LINE_COLUMNS);
    return xasprintf(P_("c%" PRIu64 " %s%s, %u time: %s", "c%" PRIu64 " %s%s, %u times: %s", times),
                     call->id, asker, words, times, line);
}

char *decision_text_same(const struct call *call)
{
    cleanup_free char *asker = asker_words(call);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    unsigned char hash[SHA256_SIZE];
    char hex[SHA256_HEX_SIZE];

    strbuf_addf(&text, "%s\n%d\n%s\n", call->session->id, (int)call->decision.source, asker);
    call_text_command(call, &text);
    sha256_of(strbuf_str(&text), text.length, hash);
    sha256_hex(hash, hex);
    return xstrdup(hex);
}

char *decision_text_grant_end(const struct grant *grant, enum grant_end end)
{
    static const char *const why[] = {
        [GRANT_TIME_OVER] = N_("its time is over"),
        [GRANT_RUNS_USED] = N_("its runs are used up"),
        [GRANT_CALL_ENDED] = N_("what it was given for has ended"),
        [GRANT_FILES_CHANGED] = N_("files that it runs code from may have changed"),
    };

    if (end == GRANT_REVOKED)
        return NULL;
    return xasprintf(_("your answer to c%" PRIu64 " holds no more, %s: %s"), grant->call,
                     _(why[end]), grant->label);
}
