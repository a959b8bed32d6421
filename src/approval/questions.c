/* SPDX-License-Identifier: MIT */
/* questions: the prompt of a call is made, put to the operator, and taken off the screen's list. */
#include "config.h"

#include <stdlib.h>

#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "approval/touched.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

struct prompt *question_take(struct call_entry *entry)
{
    struct prompt *prompt = steal_pointer(&entry->call.prompt);
    if (prompt != NULL) {
        entry_remove_waiting(entry->orchestrator, entry);
        room_set_aside(entry, false);
        entry->call.session->open_prompts--;
    }
    entry->answer = REVIEW_NONE;
    entry->answered_by_client = false;
    entry->answer_offer = 0;
    free(steal_pointer(&entry->answer_message));
    return prompt;
}

static bool first_covers_retry(const struct call_entry *entry)
{
    const struct approval_policy *policy = &entry->call.context->approval;
    return !entry->retry && entry->call.reach == NULL && policy->first_covers_retry &&
           policy_may_ask_retry(policy) && entry->sandbox != ATTEMPT_UNSANDBOXED;
}

/* What the sandbox stops is not asked about once more then. */
static uint64_t denied_retry(const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    if (entry->retry || call->tool != CALL_SHELL || call->agent_tool != NULL || call->widens ||
        call->input_for != 0 || call->session->denials->count == 0)
        return 0;
    cleanup_free char *key = arrival_retry_key(entry);
    const struct session_denial *denial = session_find_denial(call->session, key);
    return denial != NULL ? denial->call : 0;
}

/* An answer that lasts would let a part run that was denied for as long. */
static void offer_once(struct prompt_facts *facts)
{
    facts->may_approve_for_session = false;
    facts->once_reason = facts->path_once_reason = N_("you denied a part of it");
    facts->once_names = NULL;
}

static struct prompt *make_prompt(struct call_entry *entry)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    const struct call *call = &entry->call;
    bool path = entry->offered_path != NULL;
    struct prompt_facts facts = {
        .call = call,
        .sandbox = entry->sandbox,
        .under = attempt_describe(entry, entry->sandbox),
        /* A patch is shown itself: how its program gets it is no news. */
        .standard_input = entry->patch == NULL ? entry->standard_input : STDIN_NULL,
        .agent_input = session_is_agent(call->session),
        .replayed = entry->retry && entry->patch == NULL ? entry->input.length : 0,
        .program_installed = entry->program_installed || entry->patch != NULL,
        .covers_retry = first_covers_retry(entry),
        .may_sandbox = attempt_may_stay(entry),
        .path = entry->offered_path,
        .path_once_reason = path ? path_grants_once_reason(entry) : NULL,
        .no_path = entry->no_offered_path,
        .path_under = path ? attempt_describe(entry, ATTEMPT_PERMISSIONS) : NULL,
        .may_approve_for_session = call->keys[0] != NULL,
        .once_reason = entry->once_reason,
        .once_names = entry->once_names,
        .lease_call = leases_call(entry),
        .retry_denied = denied_retry(entry),
        .denied = denied_parts(entry),
        .changed = changes_describe(entry),
        .changes = changes_newest(entry),
        .scripts = entry->scripts,
    };
    facts.held = path_grants_held(entry, &facts.held_call);
    uint64_t id = ++orchestrator->last_prompt_id;
    int64_t now = loop_now_ms(orchestrator->loop);
    if (facts.denied == NULL)
        facts.ladder = arrival_make_ladder(entry, &facts.no_rule);
    else
        offer_once(&facts);
    return entry->retry ? prompt_retry(&facts, id, now) : prompt_first(&facts, id, now);
}

/* Only of what is asked about: the console stands still meanwhile, and agents repeat themselves. */
static void note_touched(struct call_entry *entry)
{
    struct attempt *first = &entry->call.attempts[0];
    if (entry->retry && first->touched == NULL)
        first->touched = touched_words((const char *const *)entry->writable_roots,
                                       entry->names_before, first->began, &first->touched_some);
}

void question_open(struct call_entry *entry)
{
    arrival_note_stopped(entry);
    note_touched(entry);
    entry->was_asked = true;
    path_offer_known(entry);
    entry->call.prompt = make_prompt(entry);
    prompt_note(&entry->call, entry->question);
    entry->call.session->open_prompts++;
    entry_add_waiting(entry->orchestrator, entry);
    transition_enter(entry, CALL_ASKING);
    announce(entry->orchestrator, asked, &entry->call);
}

void question_ask_anew(struct call_entry *entry)
{
    int64_t opened_ms = entry->call.prompt->opened_ms;
    room_set_aside(entry, false);
    prompt_free(&entry->call.prompt);
    path_offer_known(entry);
    entry->call.prompt = make_prompt(entry);
    prompt_note(&entry->call, entry->question);
    entry->call.prompt->opened_ms = opened_ms; /* the agent has waited since then */
    announce(entry->orchestrator, asked, &entry->call);
}

void question_follow_path(struct call_entry *entry)
{
    bool sought = entry->path_sought;
    entry->path_sought = false;
    if (!sought || entry->call.prompt == NULL || entry->answer != REVIEW_NONE ||
        entry->offered_path != NULL)
        return;
    if (entry->retry)
        path_offer_denied(entry);
    else
        path_offer_known(entry);
    if (entry->offered_path != NULL)
        question_ask_anew(entry);
}

void orchestrator_seek_path(struct orchestrator *orchestrator, uint64_t prompt_id)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (entry == NULL)
        return;
    entry->path_sought = true;
    loop_wake(orchestrator->loop);
}

/* Is what it would be given in the sandbox another by now than its prompt says? */
static bool holds_otherwise(struct call_entry *entry)
{
    const struct prompt *prompt = entry->call.prompt;
    uint64_t call = 0;
    struct additional_permissions *held = path_grants_held(entry, &call);
    bool otherwise = (held == NULL) != (prompt->held == NULL) || call != prompt->held_call ||
                     (held != NULL && !strv_equal((const char *const *)held->writable,
                                                  (const char *const *)prompt->held->writable));
    additional_permissions_free(&held);
    return otherwise;
}

void question_follow_answers(struct call_entry *entry)
{
    const struct prompt *prompt = entry->call.prompt;
    if (prompt == NULL)
        return;
    cleanup_free char *denied = denied_parts(entry);
    if (!text_same(denied, prompt->denied) || denied_retry(entry) != prompt->retry_denied ||
        holds_otherwise(entry))
        question_ask_anew(entry);
}
