/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_again.h"

#include <inttypes.h>
#include <string.h>

#include "approval/decision_words.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_content_int.h"
#include "ui/call_text.h"
#include "ui/decision_text.h"

/* Calls that are looked at: an agent that repeats itself does so soon. */
#define CALLS_MAX 200

static bool answered(const struct call *call)
{
    return call->decision.kind != REVIEW_NONE && call->decision.source == DECIDED_BY_USER &&
           !call_text_stopped_unanswered(call);
}

/* Did the operator answer it, or it ended before? What a rule or an earlier answer let run was no
 * question. */
static bool was_asked(const struct call *call)
{
    size_t attempts = call->attempt_count;
    bool unanswered =
        call->cancelled && (attempts == 0 || !call->attempts[attempts - 1].result.cancelled);

    return call->prompt == NULL && (answered(call) || unanswered);
}

/* The answer, and what came of it: a yes that failed is not one that was ignored. */
static char *answer_words(const struct call *last)
{
    const struct attempt *attempt =
        last->attempt_count > 0 ? &last->attempts[last->attempt_count - 1] : NULL;
    bool allowed = review_kind_approves(last->decision.kind);
    bool over = last->state == CALL_FINISHED;
    cleanup_free char *answer = decision_text_what(last);

    if (allowed && last->reach != NULL && last->reach->unreached != NULL) {
        cleanup_strbuf struct strbuf why = STRBUF_INIT;

        text_escape(&why, last->reach->unreached, strlen(last->reach->unreached),
                    TEXT_PLAIN_AGENT | TEXT_PROSE);
        return xasprintf(_("%s, but not reached: %s"), answer, strbuf_str(&why));
    }
    if (allowed && over && attempt != NULL && attempt->result.outcome != RUN_FAILED) {
        struct call_standing standing = call_text_standing(last);
        cleanup_free char *end = standing.words;

        return xasprintf(_("%s, and ran: %s"), answer, end);
    }
    if (allowed && over && last->failure != NULL && !last->cancelled)
        return xasprintf(_("%s, but not started"), answer);
    return steal_pointer(&answer);
}

/* Was the name allowed, and this is what it leads to? */
static bool leads_elsewhere(const struct call *last, const struct call *call)
{
    return call->reach != NULL && call->reach->special != NULL && !call->reach->own_name &&
           last->reach != NULL && last->reach->special == NULL && answered(last) &&
           review_kind_approves(last->decision.kind);
}

/* An answer that was just given has not failed. */
static char *elsewhere_words(const struct call *last)
{
    return last->decision.kind == REVIEW_APPROVED_AMENDMENT
               ? xasprintf(_("c%" PRIu64 ": you allowed the name by a rule, which holds; no rule "
                             "for a name covers an address that is not public"),
                           last->id)
               : xasprintf(_("c%" PRIu64 ": you allowed the name; that covers no address that is "
                             "not public"),
                           last->id);
}

/* It waited already when that was allowed for the session: what is grave is not closed by that. */
static bool is_covered_already(const struct call *call)
{
    return grants_cover(call->session->grants, (const char *const *)call->keys, false) != 0 &&
           call->assessment.level == RISK_HIGH;
}

static char *again_words(const struct call *last, const struct call *call, unsigned count)
{
    bool stopped = call_text_stopped_unanswered(last);
    bool withdrawn = last->cancelled && last->cancelled_by == CANCELLED_BY_CLIENT;
    cleanup_free char *answer =
        answered(last) ? answer_words(last)
        : stopped      ? xstrdup(decision_words_stopped(last->attempt_count > 0))
        : withdrawn    ? xasprintf(_("ended unanswered: %s"), call_text_withdrawn(last))
                       : xstrdup(_("ended unanswered"));

    cleanup_free char *words =
        count == 1
            ? xasprintf(_("c%" PRIu64 " was the same: %s"), last->id, answer)
            : xasprintf(_("%u were the same, the last c%" PRIu64 ": %s"), count, last->id, answer);

    return is_covered_already(call)
               ? xasprintf(
                     _("%s. This waited already: what is HIGH then needs a yes of its own; a no "
                       "takes that yes back"),
                     words)
               : steal_pointer(&words);
}

/* Numbers go on from one console to the next: which one it was is said all the same, because it is
 * in no list here. NULL: there was none. */
static char *before_words(uint64_t denied)
{
    return denied != 0
               ? xasprintf(_("c%" PRIu64 ", in the console before, asked the same: denied"), denied)
               : NULL;
}

/* `first`: also one that asked just that at its first try, and something else at its second. */
static bool is_same(const struct call *earlier, const struct call *call, bool first)
{
    return earlier->id < call->id && earlier->session == call->session && was_asked(earlier) &&
           (strcmp(earlier->asked_as, call->asked_as) == 0 ||
            (first && strcmp(earlier->first_asked_as, call->asked_as) == 0));
}

static const struct call *last_same(const struct orchestrator *orchestrator,
                                    const struct call *call, bool first, unsigned *count)
{
    size_t calls = orchestrator_call_count(orchestrator);
    const struct call *last = NULL;

    *count = 0;
    for (size_t i = calls; call->asked_as[0] != '\0' && i-- > 0 && calls - i <= CALLS_MAX;) {
        const struct call *earlier = orchestrator_call_at(orchestrator, i);

        if (!is_same(earlier, call, first))
            continue;
        last = last == NULL ? earlier : last;
        (*count)++;
    }
    return last;
}

/* Did it fail in the sandbox, or may have? */
static bool was_stopped(const struct call *earlier)
{
    const struct attempt *first = &earlier->attempts[0];

    return earlier->state == CALL_FINISHED && earlier->attempt_count > 0 &&
           first->command == NULL && (first->denial != NULL || first->push_stopped != NULL);
}

static bool is_certain(const struct call *earlier)
{
    return earlier->attempts[0].denial != NULL && !earlier->attempts[0].denial->inferred;
}

static bool is_same_command(const struct call *one, const struct call *other)
{
    return one->session == other->session && strcmp(one->spec->cwd, other->spec->cwd) == 0 &&
           strv_equal((const char *const *)one->spec->argv, (const char *const *)other->spec->argv);
}

/* What was said to its second try, and what came of it. NULL: nothing. */
static char *second_words(const struct call *earlier)
{
    const struct review_decision *decision = &earlier->decision;
    bool yours = decision->source == DECIDED_BY_USER || decision->source == DECIDED_BY_CACHE;
    bool allowed = review_kind_approves(decision->kind);

    if (decision->kind == REVIEW_NONE || !yours || call_text_stopped_unanswered(earlier) ||
        (allowed && earlier->attempt_count < 2))
        return NULL;
    return answer_words(earlier);
}

static char *told_of_stopped(const struct call *earlier)
{
    cleanup_free char *second = second_words(earlier);
    cleanup_free char *words = xasprintf(
        is_certain(earlier) ? _("c%" PRIu64 " was the same: the sandbox stopped it")
                            : _("c%" PRIu64 " was the same: the sandbox may have stopped it"),
        earlier->id);

    /* L10N: "c4 was the same: the sandbox stopped it; then: denied" */
    return second != NULL ? xasprintf(_("%s; then: %s"), words, second) : steal_pointer(&words);
}

/* What asks to leave the sandbox could be kept in it: that it has failed there, also where nobody
 * was asked, tells what would come of it. NULL: it has not. */
static char *stopped_words(const struct orchestrator *orchestrator, const struct call *call)
{
    size_t calls = orchestrator_call_count(orchestrator);

    bool inside = call->prompt->may_sandbox && call->prompt->held == NULL; /* which is told, too */

    for (size_t i = calls; inside && i-- > 0 && calls - i <= CALLS_MAX;) {
        const struct call *earlier = orchestrator_call_at(orchestrator, i);

        if (earlier->id < call->id && was_stopped(earlier) && is_same_command(earlier, call))
            return told_of_stopped(earlier);
    }
    return NULL;
}

const struct call *approval_again_last(const struct orchestrator *orchestrator,
                                       const struct call *call)
{
    unsigned count;

    return last_same(orchestrator, call, false, &count);
}

/* It was put aside, and the same came again and was allowed for the session. */
static const struct call *granted_since(const struct orchestrator *orchestrator,
                                        const struct call *call)
{
    const struct grants *grants = call->session->grants;
    const struct grant *grant;

    if (call->keys == NULL || !is_covered_already(call))
        return NULL;
    grant = grants_find_id(
        grants, grants_cover(call->session->grants, (const char *const *)call->keys, false));
    return grant != NULL ? orchestrator_find_call(orchestrator, grant->call) : NULL;
}

void approval_again_add(struct approval_content *content, const struct orchestrator *orchestrator,
                        const struct call *call, bool ascii)
{
    unsigned count;
    const struct call *last = last_same(orchestrator, call, true, &count);
    const struct call *since = last == NULL ? granted_since(orchestrator, call) : NULL;
    char *words;

    if (since != NULL)
        words = again_words(since, call, 1);
    else if (last == NULL)
        words = before_words(orchestrator_denied_before(orchestrator, call));
    else
        words =
            leads_elsewhere(last, call) ? elsewhere_words(last) : again_words(last, call, count);
    if (words == NULL)
        words = stopped_words(orchestrator, call);
    if (words == NULL)
        return;
    if (ascii)
        call_text_to_ascii(&words);
    approval_content_add(content, _("Again"), THEME_WARNING, words);
    approval_content_last(content)->worth = APPROVAL_MATTERS;
}
