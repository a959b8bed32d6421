/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/decision_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/decision_words.h"
#include "approval/keys.h"
#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/sha256.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/operator_agent.h"
#include "ui/rules_text.h"

#define LINE_COLUMNS 200
#define ASKER_COLUMNS 24

/* "codex, ", or nothing for the operator's own command. */
static char *asker_words(const struct orchestrator *orchestrator, const struct call *call)
{
    cleanup_free char *agent = operator_agent_label(orchestrator, call, ASKER_COLUMNS);

    return call->session->origin == SESSION_OPERATOR ? xstrdup("") : xasprintf("%s, ", agent);
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

/* Was a rule made of it that the operator has taken back since? */
static bool rule_is_gone(const struct call *call)
{
    const struct orchestrator *orchestrator = call->session->orchestrator;
    const char *rule = call->decision.rule;

    if (rule == NULL || (call->decision.rule_lasts && orchestrator == NULL))
        return false;
    return call->decision.rule_lasts
               ? !strv_has(orchestrator_kept_rules(orchestrator), rule)
               : !strv_has((const char *const *)call->session->rule_lines, rule);
}

/* Has what the operator denied, or allowed for longer, been taken back since? What was covered by
 * it has not. */
static bool is_taken_back(const struct call *call)
{
    if (!review_kind_approves(call->decision.kind))
        return call->decision.taken_back;
    return call->decision.source == DECIDED_BY_USER && call->session->grants != NULL &&
           grants_was_revoked(call->session->grants, call->decision.grant_id);
}

/* What there is to say of it. */
static struct decided decided_of(const struct call *call)
{
    const struct review_decision *decision = &call->decision;
    const struct grant *grant = decision->source == DECIDED_BY_CACHE
                                    ? grants_find_id(call->session->grants, decision->grant_id)
                                    : NULL;

    return (struct decided){
        .kind = decision->kind,
        .source = decision->source,
        .host = call->reach != NULL,
        .lease = decision->lease,
        .rule_lasts = decision->rule_lasts,
        .rule_gone = rule_is_gone(call),
        .taken_back = is_taken_back(call),
        .changed = call->asked_command != NULL,
        .alone = decision->alone,
        .tried = call->attempt_count > 0,
        .covered_by = grant != NULL ? grant->call : 0,
        .path = decision->path,
        .by_rule = call->requirement.rule,
        .offer = decision->offer > 0 ? call->offers[decision->offer - 1].name : NULL,
    };
}

/* Is an agent that asks the same again denied unasked? */
static bool stays_denied(const struct call *call)
{
    return call->decision.source == DECIDED_BY_USER && call->decision.offer == 0 &&
           !review_kind_approves(call->decision.kind) && session_is_agent(call->session) &&
           orchestrator_denial_holds(call);
}

/* What the operator can do about their answer, as long as that is so: a rule that is kept stands in
 * no list of this session. "": nothing. */
static char *remedy(const struct call *call)
{
    const struct review_decision *decision = &call->decision;

    if (stays_denied(call))
        return xasprintf(_(" (:undo, later :forget c%" PRIu64 ", lets it ask again)"), call->id);
    if (decision->source != DECIDED_BY_USER || decision->offer > 0)
        return xstrdup("");
    if (decision->kind == REVIEW_APPROVED_AMENDMENT && !rule_is_gone(call))
        return xstrdup(_(" (:undo takes the rule back)"));
    if (decision->kind == REVIEW_APPROVED_PATH_FOR_SESSION && !is_taken_back(call))
        return xstrdup(_(" (:undo takes it back)"));
    return xstrdup("");
}

/* Who it was, and until when that holds; caller frees. */
static char *decider(const struct call *call)
{
    const struct review_decision *decision = &call->decision;
    const struct decided decided = decided_of(call);
    bool denied_before = decision->source == DECIDED_BY_CACHE && decision->grant_id == 0;
    cleanup_free char *who =
        denied_before && decided.offer == NULL ? as_before(call) : decision_words_by(&decided);

    return stays_denied(call) ? xasprintf(_("%s, for this session"), who) : steal_pointer(&who);
}

/* The operator has changed the command, and denied both. */
static bool refused_change(const struct call *call)
{
    return call->asked_command != NULL && !review_kind_approves(call->decision.kind);
}

char *decision_text_what(const struct call *call)
{
    const struct decided decided = decided_of(call);

    return decision_words(&decided);
}

/* The way back, or by which answer it was, stands where a row that is cut still has it: what was
 * allowed for longer takes long words. */
char *decision_text_words(const struct call *call)
{
    bool covered = call->decision.source == DECIDED_BY_CACHE;
    bool unsandboxed = call->decision.unsandboxed;
    cleanup_free char *who = decider(call);
    cleanup_free char *words = decision_text_what(call);
    cleanup_free char *back = remedy(call);

    if (call_text_stopped_unanswered(call))
        return xstrdup(decision_words_stopped(call->attempt_count > 0));
    if ((covered && call->decision.path != NULL) ||
        (*back != '\0' && review_kind_approves(call->decision.kind)))
        return xasprintf("%s%s, %s%s%s", who, back, words, unsandboxed ? ", " : "",
                         unsandboxed ? _("no sandbox") : "");
    if (covered && unsandboxed)
        return xasprintf("%s, %s, %s", words, who, _("no sandbox"));
    if (unsandboxed)
        return xasprintf("%s%s, %s, %s", words, back, _("no sandbox"), who);
    return xasprintf("%s%s, %s", words, back, who);
}

/* What the words before it are about: a rule covers more than the command that it was made of; and
 * what was denied is the request, and with it what the operator made of it. */
static char *subject_line(const struct call *call, unsigned flags)
{
    const char *asked = call->asked_command;
    cleanup_free char *rule = NULL;

    if (refused_change(call))
        return text_line_as(asked, strlen(asked), LINE_COLUMNS, flags);
    if (call->decision.kind != REVIEW_APPROVED_AMENDMENT || call->decision.rule == NULL)
        return call_text_line_as(call, LINE_COLUMNS, flags);
    rule = rules_text_made(call->decision.rule);
    return text_line(rule, strlen(rule), LINE_COLUMNS);
}

/* Beside a rule there is room for no more than the way back: what the rule is tells all else. */
static char *message_words(const struct call *call)
{
    const struct review_decision *decision = &call->decision;
    bool made = decision->kind == REVIEW_APPROVED_AMENDMENT && decision->rule != NULL &&
                decision->source == DECIDED_BY_USER && !rule_is_gone(call);

    return made ? xasprintf("%s%s",
                            decision->rule_lasts ? _("rule made") : _("rule made for this session"),
                            _(" (:undo takes it back)"))
                : decision_text_words(call);
}

char *decision_text(const struct orchestrator *orchestrator, const struct call *call,
                    unsigned flags, bool *allowed)
{
    cleanup_free char *asker = asker_words(orchestrator, call);
    cleanup_free char *words = message_words(call);
    cleanup_free char *line = subject_line(call, flags);

    *allowed = review_kind_approves(call->decision.kind);
    return xasprintf("c%" PRIu64 " %s%s: %s", call->id, asker, words, line);
}

/* An answer that goes on holding has a count of its own. */
char *decision_text_refusal(const struct orchestrator *orchestrator, const struct call *call,
                            unsigned flags, unsigned times)
{
    bool allowed;
    cleanup_free char *asker = asker_words(orchestrator, call);
    cleanup_free char *words = decision_text_words(call);
    cleanup_free char *line = NULL;

    if (times == 1 || call->decision.source == DECIDED_BY_CACHE)
        return decision_text(orchestrator, call, flags, &allowed);
    line = call_text_line_as(call, LINE_COLUMNS, flags);
    return xasprintf(P_("c%" PRIu64 " %s%s, %u time: %s", "c%" PRIu64 " %s%s, %u times: %s", times),
                     call->id, asker, words, times, line);
}

/* "c12 ": the call, which is no longer kept when it is long ago. */
static const struct call *call_at(const struct orchestrator *orchestrator, const char *at,
                                  char **behind)
{
    unsigned long long id;

    if (at[0] != 'c' || at[1] < '0' || at[1] > '9')
        return NULL;
    id = strtoull(at + 1, behind, 10);
    return *(*behind)++ == ' ' ? orchestrator_find_call(orchestrator, id) : NULL;
}

char *decision_text_by_now(const struct orchestrator *orchestrator, const char *line)
{
    char *name = NULL;
    const struct call *call = call_at(orchestrator, line, &name);
    cleanup_free char *before = NULL;
    cleanup_free char *now = NULL;
    size_t length;

    if (call == NULL)
        call =
            call_at(orchestrator, line + strcspn(line, " ") + (strchr(line, ' ') != NULL), &name);
    if (call == NULL)
        return xstrdup(line);
    before = call_text_agent(call, ASKER_COLUMNS);
    now = operator_agent_label(orchestrator, call, ASKER_COLUMNS);
    length = strlen(before);
    if (strncmp(name, before, length) != 0 || name[length] != ',')
        return xstrdup(line);
    return xasprintf("%.*s%s%s", (int)(name - line), line, now, name + length);
}

char *decision_text_same(const struct call *call)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    unsigned char hash[SHA256_SIZE];
    char hex[SHA256_HEX_SIZE];

    strbuf_addf(&text, "%s\n%d\n%ld %s\n", call->session->id, (int)call->decision.source,
                (long)call->client.tree, call_text_claimed(call));
    call_text_command(call, &text);
    sha256_of(strbuf_str(&text), text.length, hash);
    sha256_hex(hash, hex);
    return xstrdup(hex);
}

char *decision_text_unreached(const struct orchestrator *orchestrator, const struct call *call,
                              const struct reach_connection *connection)
{
    const struct call *asked = orchestrator_find_call(orchestrator, connection->allowed_by);
    cleanup_free char *answer = asked != NULL ? decision_text_what(asked) : NULL;
    cleanup_free char *text = NULL;

    if (connection->url == NULL || strcmp(connection->outcome, "failed") != 0)
        return NULL;
    text = xasprintf(_("c%" PRIu64 " could not reach %s: %s"), call->id, connection->url,
                     connection->detail);
    return answer != NULL ? xasprintf("%s (c%" PRIu64 ": %s)", text, asked->id, answer)
                          : steal_pointer(&text);
}

char *decision_text_grant_end(const struct grant *grant, enum grant_end end)
{
    static const char *const why[] = {
        [GRANT_TIME_OVER] = N_("its time is over"),
        [GRANT_RUNS_USED] = N_("its runs are used up"),
        [GRANT_CALL_ENDED] = N_("what it was given for has ended"),
        [GRANT_PATH_CHANGED] = N_("what it may write is no longer what it was"),
        [GRANT_FILES_CHANGED] = N_("files that it runs code from may have changed"),
    };

    cleanup_free char *asked =
        decision_words_asked(grant->label, keys_summary(grant->key).kind == APPROVED_HOST);

    if (end == GRANT_REVOKED)
        return NULL;
    if (end == GRANT_RUNS_USED && keys_summary(grant->key).kind == APPROVED_HOST)
        return xasprintf(
            _("your answer to c%" PRIu64 " holds no more, its connections are used up: %s"),
            grant->call, asked);
    if (end == GRANT_FILES_CHANGED && grant->changed != NULL)
        return xasprintf(_("your answer to c%" PRIu64 " holds no more, %s changed: %s"),
                         grant->call, grant->changed, asked);
    return xasprintf(_("your answer to c%" PRIu64 " holds no more, %s: %s"), grant->call,
                     _(why[end]), asked);
}
