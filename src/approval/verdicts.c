/* SPDX-License-Identifier: MIT */
/* verdicts: what is decided on a call and by whom: nothing runs before that is on disk. */
#include "config.h"

#include <stdlib.h>

#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "base/alloc.h"

/* What an agent runs itself, and a connection, have no sandbox of ours in any case. */
static bool leaves_sandbox(const struct call_entry *entry, const struct verdict *verdict)
{
    return review_kind_approves(verdict->kind) && entry->sandbox == ATTEMPT_UNSANDBOXED &&
           entry->call.agent_tool == NULL && entry->call.reach == NULL;
}

/* Stores the decision and closes the prompt that it answers, if there is one. */
static struct prompt *take_decision(struct call_entry *entry, const struct verdict *verdict)
{
    struct review_decision *decision = &entry->call.decision;
    char *message = verdict->message != NULL ? xstrdup(verdict->message) : NULL;
    struct prompt *prompt = question_take(entry);
    free(decision->message);
    free(decision->rule);
    free(decision->path);
    *decision = (struct review_decision){
        .kind = verdict->kind,
        .source = verdict->source,
        .grant_id = verdict->grant_id,
        .lease = verdict->lease,
        .repeats = verdict->repeats,
        .message = message,
        .offer = verdict->offer,
        .alone = verdict->alone,
        .rule = verdict->rule != NULL ? xstrdup(verdict->rule) : NULL,
        .rule_lasts = verdict->rule_lasts,
        .unsandboxed = leaves_sandbox(entry, verdict),
        .path = verdict->path != NULL ? xstrdup(verdict->path) : NULL,
        .waited_ms =
            prompt != NULL ? loop_now_ms(entry->orchestrator->loop) - prompt->opened_ms : 0,
    };
    entry->held = false;
    return prompt;
}

static void commit_done(void *argument, int result)
{
    struct ticket *ticket = argument;
    struct orchestrator *orchestrator = ticket->orchestrator;
    if (orchestrator != NULL) {
        struct call_entry *entry = entry_find(orchestrator, ticket->call_id);
        if (entry != NULL) { /* one that was cancelled meanwhile does not look at it any more */
            entry->recorded = true;
            entry->record_error = result;
        }
        struct ticket **at = &orchestrator->tickets;
        while (*at != ticket)
            at = &(*at)->next;
        *at = ticket->next;
        loop_wake(orchestrator->loop);
    }
    free(ticket);
}

static void commit(struct call_entry *entry)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    entry->recorded = false;
    entry->record_error = 0;
    if (orchestrator->commit.sync == NULL) {
        entry->recorded = true;
        loop_wake(orchestrator->loop);
        return;
    }
    struct ticket *ticket = XNEW(struct ticket);
    ticket->orchestrator = orchestrator;
    ticket->call_id = entry->call.id;
    ticket->next = orchestrator->tickets;
    orchestrator->tickets = ticket;
    orchestrator->commit.sync(orchestrator->commit.argument, commit_done, ticket);
}

void verdict_approve(struct call_entry *entry, const struct verdict *verdict)
{
    struct prompt *prompt = take_decision(entry, verdict);
    transition_enter(entry, CALL_RECORDING);
    announce(entry->orchestrator, decided, &entry->call, prompt);
    prompt_free(&prompt);
    commit(entry);
}

void verdict_refuse(struct call_entry *entry, const struct verdict *verdict)
{
    struct prompt *prompt = take_decision(entry, verdict);
    announce(entry->orchestrator, decided, &entry->call, prompt);
    prompt_free(&prompt);
    transition_finish(entry);
}

static bool is_high(const struct call_entry *entry)
{
    return entry->call.assessment.level == RISK_HIGH;
}

bool verdict_covered(const struct call_entry *entry, uint64_t *grant_id)
{
    const struct call *call = &entry->call;
    uint64_t id = leases_cover(call);
    /* A grant given to another request never releases a high-risk one that was there already. */
    if (id == 0 || (is_high(entry) && id > entry->grants_at_hand))
        return false;
    *grant_id = id;
    return true;
}

/* Who asks to leave the sandbox, and was told that it may not run without it when that stopped it.
 */
static const struct session_denial *denied_retry(struct call_entry *entry)
{
    const struct call *call = &entry->call;
    if (entry->retry || call->tool != CALL_SHELL || call->agent_tool != NULL || call->widens ||
        call->input_for != 0 || call->session->denials->count == 0 ||
        call->spec->permissions != SANDBOX_PERMISSIONS_REQUIRE_ESCALATED)
        return NULL;
    cleanup_free char *key = arrival_retry_key(entry);
    const struct session_denial *denial = session_repeat_denial(call->session, key);
    if (denial != NULL && entry->asked_question == NULL)
        entry->asked_question = steal_pointer(&key); /* by which the operator lets it ask again */
    return denial;
}

bool verdict_refuse_again(struct call_entry *entry)
{
    const struct session_denial *denial =
        session_repeat_denial(entry->call.session, entry->question);
    if (denial == NULL)
        denial = denied_retry(entry);
    if (denial == NULL)
        return false;
    verdict_refuse(entry, &(struct verdict){.kind = REVIEW_DENIED,
                                            .source = DECIDED_BY_CACHE,
                                            .repeats = denial->repeats,
                                            .message = denial->message});
    return true;
}

bool verdict_give_paths(struct call_entry *entry)
{
    uint64_t grant_id;
    if (!path_grants_use(entry, &grant_id))
        return false;
    const struct grant *grant = grants_find_id(entry->call.session->grants, grant_id);
    verdict_approve(entry, &(struct verdict){.kind = REVIEW_APPROVED_PATH_FOR_SESSION,
                                             .source = DECIDED_BY_CACHE,
                                             .grant_id = grant_id,
                                             .path = grant->path});
    return true;
}

/* Nobody can answer: a first attempt is refused, of a second there is none. */
static void go_without_answer(struct call_entry *entry)
{
    if (entry->retry) {
        transition_finish(entry);
        return;
    }
    cleanup_free char *message =
        xasprintf("nobody can be asked here (headless), and this needs approval: %s",
                  wording_english(entry->call.requirement.reason));
    verdict_refuse(
        entry,
        &(struct verdict){.kind = REVIEW_DENIED, .source = DECIDED_BY_CONFIG, .message = message});
}

/* Does what was said before answer the question at hand? Then it is decided so. */
static bool answered_before(struct call_entry *entry)
{
    uint64_t grant_id;
    if (verdict_refuse_again(entry) || verdict_give_paths(entry))
        return true;
    changes_void_grants(entry);
    if (!verdict_covered(entry, &grant_id))
        return false;
    leases_use(entry->orchestrator, &entry->call);
    verdict_approve(entry, &(struct verdict){.kind = REVIEW_APPROVED_FOR_SESSION,
                                             .source = DECIDED_BY_CACHE,
                                             .grant_id = grant_id});
    return true;
}

void verdict_seek(struct call_entry *entry)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    entry->call.waits_ms = loop_now_ms(orchestrator->loop);
    entry->looked_at = false; /* an earlier question of its was, perhaps */
    if (answered_before(entry))
        return;
    if (orchestrator->headless) {
        go_without_answer(entry);
        return;
    }
    entry->held = !room_is_free(entry);
    if (!entry->held)
        question_open(entry);
}

void verdict_take_room(struct call_entry *entry)
{
    entry->held = false;
    if (!answered_before(entry))
        question_open(entry);
}
