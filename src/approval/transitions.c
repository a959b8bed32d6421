/* SPDX-License-Identifier: MIT */
/* transitions: what happens to a call on which event; one table, one function a row. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/log.h"
#include "base/path.h"
#include "base/process.h"
#include "base/text.h"

static const char *const event_names[] = {
    [EVENT_TAKEN_UP] = "taken up", [EVENT_CANCELLED] = "cancelled", [EVENT_ANSWERED] = "answered",
    [EVENT_COVERED] = "covered",   [EVENT_ROOM] = "room",           [EVENT_RECORDED] = "recorded",
    [EVENT_ENDED] = "ended",
};

static int64_t wall_ms(const struct orchestrator *orchestrator)
{
    return clock_wall_ms(loop_clock(orchestrator->loop));
}

void transition_enter(struct call_entry *entry, enum call_state state)
{
    if (!call_transition_allowed(entry->call.state, state))
        log_warning("approval", "call %llu: %s does not follow %s",
                    (unsigned long long)entry->call.id, call_state_name(state),
                    call_state_name(entry->call.state));
    entry->call.state = state;
}

/* ---- endings --------------------------------------------------------------------------------- */

void transition_finish(struct call_entry *entry)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    entry->held = false;
    transition_enter(entry, CALL_FINISHED);
    entry_remove_open(orchestrator, entry);
    entry->call.session->open_calls--;
    entry->call.session->open_reaches -= entry->call.reach != NULL ? 1 : 0;
    if (entry->call.reach != NULL)
        reach_finished(entry);
    announce(orchestrator, finished, &entry->call);
    leases_call_ended(orchestrator, entry->call.id);
    entry_shed(entry);
    loop_wake(orchestrator->loop);
}

static void fail(struct call_entry *entry, const char *why)
{
    free(entry->call.failure);
    entry->call.failure = xstrdup(why);
    transition_finish(entry);
}

/* ---- a call arrives -------------------------------------------------------------------------- */

static enum decision_source requirement_source(const struct approval_requirement *requirement)
{
    return requirement->category == PROMPT_RULE ? DECIDED_BY_RULE : DECIDED_BY_CONFIG;
}

/* Input that an agent feeds to a command outside the sandbox always asks. */
static void ask_for_agent_input(struct call_entry *entry)
{
    struct approval_requirement *requirement = &entry->call.requirement;
    if (requirement->kind != REQUIREMENT_SKIP || !requirement->bypass_sandbox ||
        entry->standard_input == STDIN_NULL || !session_is_agent(entry->call.session))
        return;
    approval_requirement_clear(requirement);
    requirement->kind = REQUIREMENT_NEEDS_APPROVAL;
    requirement->category = PROMPT_SANDBOX;
    requirement->cause = PROMPT_BY_INPUT;
    requirement->reason =
        wording_from(N_("the agent feeds input to a command outside the sandbox"));
}

/* A path that names something which is no program: a shell tells that apart from nothing. */
static bool names_a_file(const struct command_spec *spec)
{
    const char *name = spec->argv[0];
    if (strchr(name, '/') == NULL)
        return false;
    cleanup_free char *path = name[0] == '/' ? xstrdup(name) : xasprintf("%s/%s", spec->cwd, name);
    return access(path, F_OK) == 0;
}

/* 126 and 127 as in a shell. */
static void not_found(struct call_entry *entry)
{
    struct call *call = &entry->call;
    struct run_result *result = &call->attempts[0].result;
    const char *name = call->spec->argv[0];
    bool exists = names_a_file(call->spec);
    cleanup_free char *why =
        exists ? xasprintf("%.200s is not executable", name)
               : xasprintf("%.200s was not found%s", name,
                           strchr(name, '/') == NULL ? " on the console's search path" : "");
    call->attempt_count = 1;
    result->outcome = RUN_FAILED;
    result->code = exists ? 126 : 127;
    fail(entry, why);
}

/* Who is stopped with others is told whose processes those are. */
static void refuse_stopped(struct call_entry *entry)
{
    struct call *call = &entry->call;
    bool itself =
        call->session->stopped || session_name_is_stopped(call->session, call->client.name);
    pid_t tree = itself ? 0 : session_stopped_from(call->session, &call->client);
    cleanup_free char *program = tree != 0 ? process_program(tree) : NULL;
    cleanup_free char *whom = tree == 0
                                  ? xstrdup("this agent")
                                  : xasprintf("the processes of %.60s %ld, and this is one of them",
                                              program != NULL ? program : "process", (long)tree);
    cleanup_free char *message =
        xasprintf("the operator has stopped %s: nothing that it asks for is run any more; end "
                  "your work and say so",
                  whom);
    call->agent_stopped = true;
    verdict_refuse(
        entry,
        &(struct verdict){.kind = REVIEW_DENIED, .source = DECIDED_BY_STOP, .message = message});
}

static void act_take_up(struct call_entry *entry)
{
    struct call *call = &entry->call;
    const struct approval_requirement *requirement = &call->requirement;
    arrival_judge(entry);
    ask_for_agent_input(entry);
    announce(entry->orchestrator, call_received, call);
    if (orchestrator_is_stopped(call)) {
        refuse_stopped(entry);
    } else if (entry->operator_started && entry->program.path != NULL) {
        verdict_approve(entry,
                        &(struct verdict){.kind = REVIEW_APPROVED, .source = DECIDED_BY_USER});
    } else if (requirement->kind == REQUIREMENT_FORBIDDEN) {
        verdict_refuse(entry, &(struct verdict){.kind = REVIEW_DENIED,
                                                .source = requirement_source(requirement),
                                                .message = wording_english(requirement->reason)});
    } else if (entry->program.path == NULL && call->agent_tool == NULL && call->reach == NULL) {
        not_found(entry);
    } else if (requirement->kind == REQUIREMENT_SKIP) {
        if (!verdict_give_paths(entry))
            verdict_approve(entry, &(struct verdict){.kind = REVIEW_APPROVED,
                                                     .source = requirement_source(requirement)});
    } else {
        verdict_seek(entry);
    }
}

static void mark_cancelled(struct call_entry *entry)
{
    entry->call.cancelled = true;
    entry->call.cancelled_by = entry->cancel_by;
}

static void act_withdraw(struct call_entry *entry)
{
    mark_cancelled(entry);
    cleanup_free char *why = steal_pointer(&entry->cancel_why);
    if (entry->cancel_by == CANCELLED_BY_OPERATOR) { /* who says stop, says no */
        verdict_refuse(
            entry, &(struct verdict){.kind = entry->abort_requested ? REVIEW_ABORT : REVIEW_DENIED,
                                     .source = DECIDED_BY_USER,
                                     .message = why});
        return;
    }
    struct prompt *prompt = question_take(entry);
    fail(entry, why);
    prompt_free(&prompt);
}

/* ---- the operator answers -------------------------------------------------------------------- */

/* False: none ended. */
static bool abort_others(const struct call_entry *entry)
{
    bool any = false;
    struct orchestrator *orchestrator = entry->orchestrator;
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *other = orchestrator->open[i];
        if (!session_abort_ends(&entry->call, &other->call, entry->answer_up_to))
            continue;
        any = other->abort_requested = other->call.ended_with = true;
        orchestrator_cancel(orchestrator, &other->call, CANCELLED_BY_OPERATOR, STOPPED_BY_OPERATOR);
    }
    return any;
}

/* Was it given for just that, and not for parts of it that others have? */
static bool is_for_the_same(const struct call_entry *entry, const struct grant *grant)
{
    const struct call_entry *granted = entry_find(entry->orchestrator, grant->call);
    return entry_holds_key(entry->call.keys, grant->key) &&
           (entry->call.keys[1] == NULL ||
            (granted != NULL && text_same(granted->question, entry->question)));
}

/* The last word counts: what was allowed before it is so no more, here or in a console that goes
 * on. */
static void take_back_approval(const struct call_entry *entry)
{
    struct session *session = entry->call.session;
    for (size_t i = grants_count(session->grants); i-- > 0;) {
        const struct grant *grant = grants_at(session->grants, i);
        if (entry->call.keys[0] != NULL && is_for_the_same(entry, grant))
            orchestrator_revoke(entry->orchestrator, session, grant->id);
    }
}

/* What was edited was refused in both forms. */
static void remember_denial(const struct call_entry *entry, const char *message)
{
    const struct call *call = &entry->call;
    bool system = call->program != NULL && path_is_system_program(call->program);
    cleanup_free char *label =
        call->reach != NULL ? reach_url(call->reach)
                            : prompt_command_line((const char *const *)call->spec->argv, system);
    entry->orchestrator->recheck = true; /* the same may be waiting */
    take_back_approval(entry);
    session_remember_denial(call->session, entry->question, label, call->id, message);
    if (entry->asked_question != NULL)
        session_remember_denial(call->session, entry->asked_question,
                                call->asked_command != NULL ? call->asked_command : label, call->id,
                                message);
}

/* Notes what the operator can take back; a rule is noted where it is made. */
static void note_answer(const struct call_entry *entry, const struct verdict *verdict)
{
    bool approves = review_kind_approves(verdict->kind);
    bool lasts = approves ? verdict->grant_id != 0 : session_is_agent(entry->call.session);
    if (verdict->source != DECIDED_BY_USER || verdict->kind == REVIEW_APPROVED_AMENDMENT)
        return;
    undo_note(entry, !lasts ? UNDO_ONCE : approves ? UNDO_APPROVAL : UNDO_DENIAL);
}

static void act_on_refusal(struct call_entry *entry, const struct verdict *verdict)
{
    if (session_is_agent(entry->call.session) && verdict->kind != REVIEW_TIMED_OUT)
        remember_denial(entry, verdict->message);
    note_answer(entry, verdict);
    struct verdict said = *verdict;
    if (verdict->kind == REVIEW_ABORT)
        said.alone = !abort_others(entry);
    verdict_refuse(entry, &said);
}

/* Remembers what the operator allowed beyond this one request. */
static uint64_t remember_approval(struct call_entry *entry, struct verdict *verdict, char **rule)
{
    enum review_kind kind = verdict->kind;
    struct orchestrator *orchestrator = entry->orchestrator;
    uint64_t id = 0;
    if (kind == REVIEW_APPROVED_FOR_SESSION)
        id = leases_grant(entry);
    else if (kind == REVIEW_APPROVED_AMENDMENT)
        *rule = memory_add(entry, &verdict->rule_lasts);
    orchestrator->recheck = orchestrator->recheck || kind != REVIEW_APPROVED;
    return id;
}

/* It runs as if it had not asked to leave the sandbox, with what the operator gave for the session
 * to the same command that did not ask. What was shown with the question is allowed
 * there alone: neither the changes that it told of nor a second run count as allowed outside. */
static void keep_inside(struct call_entry *entry, struct verdict *verdict)
{
    entry->sandbox = ATTEMPT_TURN_DEFAULT;
    verdict->path = path_grants_keep(entry);
    entry->retry_approved = false;
    scripts_free(&entry->scripts); /* only what no sandbox holds has to stay as it was shown */
    note_answer(entry, verdict);
    verdict_approve(entry, verdict);
}

/* It runs, or runs again, in the sandbox, which gives it the path that the prompt named: for this
 * once, or whenever its session runs the same. */
static void give_path(struct call_entry *entry, struct verdict *verdict)
{
    if (verdict->kind == REVIEW_APPROVED_PATH_FOR_SESSION)
        verdict->grant_id = path_grants_add(entry);
    entry->sandbox = ATTEMPT_PERMISSIONS;
    scripts_free(&entry->scripts); /* as above */
    verdict->path = entry->offered_path;
    if (!entry->retry)
        path_offer_keep(entry);
    note_answer(entry, verdict);
    verdict_approve(entry, verdict);
}

static enum decision_source answer_source(const struct call_entry *entry)
{
    if (entry->answer == REVIEW_TIMED_OUT)
        return DECIDED_BY_CONFIG; /* nobody answered in time: that was the configuration */
    return entry->answered_by_client ? DECIDED_BY_CLIENT : DECIDED_BY_USER;
}

static void act_follow_answer(struct call_entry *entry)
{
    cleanup_free char *message = steal_pointer(&entry->answer_message);
    struct verdict verdict = {.kind = entry->answer,
                              .source = answer_source(entry),
                              .message = message,
                              .offer = entry->answer_offer};
    if (!review_kind_approves(verdict.kind)) {
        act_on_refusal(entry, &verdict);
        return;
    }
    if (verdict.kind == REVIEW_APPROVED_SANDBOXED) {
        keep_inside(entry, &verdict);
        return;
    }
    if (verdict.kind == REVIEW_APPROVED_PATH || verdict.kind == REVIEW_APPROVED_PATH_FOR_SESSION) {
        give_path(entry, &verdict);
        return;
    }
    cleanup_free char *rule = NULL;
    if (verdict.kind == REVIEW_APPROVED_FOR_SESSION)
        verdict.lease = entry->answer_lease;
    changes_allowed(entry, entry->call.prompt->changes);
    verdict.grant_id = remember_approval(entry, &verdict, &rule);
    verdict.rule = rule;
    note_answer(entry, &verdict);
    entry->retry_approved = entry->call.prompt->covers_retry;
    verdict_approve(entry, &verdict);
}

/* The grant that another request was given, or the prefix that was allowed with it. */
static void act_follow_grant(struct call_entry *entry)
{
    struct call *call = &entry->call;
    struct verdict verdict = {.kind = REVIEW_APPROVED_FOR_SESSION, .source = DECIDED_BY_CACHE};
    if (verdict_covered(entry, &verdict.grant_id)) {
        leases_use(entry->orchestrator, call);
    } else {
        verdict.kind = REVIEW_APPROVED;
        verdict.source = DECIDED_BY_RULE;
    }
    verdict_approve(entry, &verdict);
}

/* ---- it runs --------------------------------------------------------------------------------- */

/* Nothing could be started. A second attempt counts as one that failed, so that the call does not
 * end with the result of the first. */
static void fail_to_start(struct call_entry *entry, const char *why)
{
    struct call *call = &entry->call;
    if (call->attempt_count == 1) {
        call->attempts[1] = (struct attempt){
            .sandbox = entry->sandbox,
            .under = attempt_describe(entry, entry->sandbox),
            .started_ms = wall_ms(entry->orchestrator),
            .result = {.outcome = RUN_FAILED, .code = 125},
        };
        call->attempt_count = 2;
    }
    fail(entry, why);
}

/* For calls of its session that arrive from now on. */
static int widen_session(struct call_entry *entry, struct error *error)
{
    struct session *session = entry->call.session;
    const struct turn_context *old = session->context;
    struct sandbox_policy *policy =
        sandbox_policy_with_additional(old->sandbox, entry->call.spec->additional, error);
    if (policy == NULL)
        return -1;
    struct turn_context *context =
        turn_context_new(&old->approval, policy, old->preference, old->root);
    context->default_timeout_ms = old->default_timeout_ms;
    context->max_timeout_ms = old->max_timeout_ms;
    orchestrator_set_context(entry->orchestrator, session, context);
    turn_context_unref(&context);
    sandbox_policy_free(&policy);
    return 0;
}

static void explain_no_record(struct error *error, int number)
{
    bool room = number == ENOSPC || number == EDQUOT || number == EFBIG;
    error_errno(error, number, "the decision could not be recorded, so nothing was run (%s)",
                room ? "free space on the disk of Assent's records, then ask again"
                     : "the console must be started again");
}

static void act_start(struct call_entry *entry)
{
    struct error error = ERROR_INIT;
    entry->recorded = false;
    if (entry->taken_back) {
        verdict_refuse(entry,
                       &(struct verdict){.kind = REVIEW_DENIED,
                                         .source = DECIDED_BY_USER,
                                         .message = "the approval that covered it was taken back"});
        return;
    }
    if (entry->record_error != 0) {
        explain_no_record(&error, -entry->record_error);
        fail_to_start(entry, error.message);
        return;
    }
    if (entry->call.widens && widen_session(entry, &error) != 0) {
        fail_to_start(entry, error.message);
        return;
    }
    if (entry->call.agent_tool != NULL || entry->call.reach != NULL) {
        transition_finish(entry); /* the answer is all that was asked for */
        return;
    }
    /* Before the attempt: observers of its start see the call running. */
    transition_enter(entry, CALL_RUNNING);
    if (attempt_start(entry, &error) != 0)
        fail_to_start(entry, error.message);
}

/* The sandbox denied the first attempt: may there be a second, and who says so? */
static void ask_for_retry(struct call_entry *entry)
{
    struct call *call = &entry->call;
    const struct sandbox_denial *denial = call->attempts[0].denial;
    entry->retry = true;
    entry->sandbox = ATTEMPT_UNSANDBOXED;
    if (entry->standard_input == STDIN_PIPE && entry->input.length == 0)
        entry->standard_input = STDIN_NULL; /* it read nothing: there is nothing to give again */
    bool as_shown = scripts_changed(entry->scripts) == NULL;
    arrival_make_keys(entry);
    arrival_tell_git(entry);
    path_offer_denied(entry);
    /* What a command says of itself is no evidence: only a denial that the sandbox reported can
     * be covered by the first approval, and only of the code that was shown with it. */
    if (entry->retry_approved && !denial->inferred && as_shown)
        verdict_approve(entry,
                        &(struct verdict){.kind = REVIEW_APPROVED, .source = DECIDED_BY_USER});
    else
        verdict_seek(entry);
}

static void act_judge_end(struct call_entry *entry)
{
    struct call *call = &entry->call;
    attempt_end(entry);
    if (!call->cancelled && !entry->operator_started && call->attempt_count == 1 &&
        call->attempts[0].denial != NULL && policy_may_ask_retry(&call->context->approval) &&
        attempt_can_repeat(entry))
        ask_for_retry(entry);
    else
        transition_finish(entry);
}

static void act_kill(struct call_entry *entry)
{
    mark_cancelled(entry);
    if (entry->call.failure == NULL)
        entry->call.failure = steal_pointer(&entry->cancel_why);
    free(steal_pointer(&entry->cancel_why));
    if (entry->call.run != NULL)
        attempt_kill(entry);
    else if (!entry->run_ended)
        transition_finish(entry); /* it had ended, and its question was held back */
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    enum call_state state;
    enum call_event event;
    void (*act)(struct call_entry *entry);
} transitions[] = {
    {CALL_RECEIVED, EVENT_TAKEN_UP, act_take_up},
    {CALL_RECEIVED, EVENT_ROOM, verdict_take_room},
    {CALL_RECEIVED, EVENT_COVERED, act_follow_grant},
    {CALL_RECEIVED, EVENT_CANCELLED, act_withdraw},
    {CALL_ASKING, EVENT_ANSWERED, act_follow_answer},
    {CALL_ASKING, EVENT_COVERED, act_follow_grant},
    {CALL_ASKING, EVENT_CANCELLED, act_withdraw},
    {CALL_RECORDING, EVENT_RECORDED, act_start},
    {CALL_RECORDING, EVENT_CANCELLED, act_withdraw},
    {CALL_RUNNING, EVENT_ENDED, act_judge_end},
    {CALL_RUNNING, EVENT_ROOM, verdict_take_room},
    {CALL_RUNNING, EVENT_COVERED, act_follow_grant},
    {CALL_RUNNING, EVENT_CANCELLED, act_kill},
};

void transition_fire(struct call_entry *entry, enum call_event event)
{
    for (size_t i = 0; i < COUNT(transitions); i++) {
        if (transitions[i].state == entry->call.state && transitions[i].event == event) {
            transitions[i].act(entry);
            return;
        }
    }
    log_warning("approval", "call %llu: nothing to do for '%s' when %s",
                (unsigned long long)entry->call.id, event_names[event],
                call_state_name(entry->call.state));
}

void transition_close(struct call_entry *entry, const char *why)
{
    struct call *call = &entry->call;
    if (call->prompt != NULL) { /* nothing runs: it is denied, as whoever leaves was told */
        verdict_refuse(entry, &(struct verdict){
                                  .kind = REVIEW_DENIED, .source = DECIDED_BY_END, .message = why});
        return;
    }
    call->cancelled = true;
    call->cancelled_by = CANCELLED_BY_CONSOLE;
    if (call->run != NULL) {
        call->broken_off = true; /* it has not failed by itself */
        attempt_kill_now(entry);
    }
    fail(entry, why);
}
