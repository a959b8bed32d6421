/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/orchestrator.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"

/* ---- a turn ---------------------------------------------------------------------------------- */

static void turn_cancels(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        if (!entry->cancel_requested)
            continue;
        entry->cancel_requested = false;
        transition_fire(entry, EVENT_CANCELLED);
        i -= entry->call.state == CALL_FINISHED; /* it left the list */
    }
}

static void turn_ends(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        if (!entry->run_ended)
            continue;
        transition_fire(entry, EVENT_ENDED);
        i -= entry->call.state == CALL_FINISHED;
    }
}

static void turn_records(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        if (!entry->recorded || !halt_may_start(entry))
            continue;
        transition_fire(entry, EVENT_RECORDED);
        i -= entry->call.state == CALL_FINISHED;
    }
}

static void turn_answers(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->waiting_count; i++) {
        struct call_entry *entry = orchestrator->waiting[i];
        if (entry->answer == REVIEW_NONE)
            continue;
        transition_fire(entry, EVENT_ANSWERED);
        i--; /* whatever was said, the prompt is gone */
    }
}

/* A rule that was made meanwhile answers first questions of its session, but never high-risk ones.
 */
static bool allowed_by_rule(struct call_entry *entry)
{
    if (entry->retry || entry->call.assessment.level == RISK_HIGH ||
        entry->call.session != entry->orchestrator->rule_session)
        return false;
    arrival_judge_requirement(entry);
    return entry->call.requirement.kind == REQUIREMENT_SKIP;
}

/* After something was granted or denied: whatever waits and is answered by that now closes. Of
 * what waits on it is said what of it is denied by now. */
static void turn_covers(struct orchestrator *orchestrator)
{
    if (!orchestrator->recheck)
        return;
    orchestrator->recheck = false;
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        uint64_t grant_id;
        if (!entry_is_question(entry) || entry->answer != REVIEW_NONE)
            continue;
        if (verdict_refuse_again(entry)) {
            i--; /* it left the list */
            continue;
        }
        changes_void_grants(entry);
        if (verdict_covered(entry, &grant_id) || allowed_by_rule(entry))
            transition_fire(entry, EVENT_COVERED);
        else
            question_follow_answers(entry);
    }
    orchestrator->rule_session = NULL;
}

/* Looked for again and again while somebody waits for it: nothing else is, with it. */
static void turn_paths(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->open_count; i++)
        question_follow_path(orchestrator->open[i]);
}

static void turn_arrivals(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        if (entry->taken_up)
            continue;
        entry->taken_up = true;
        transition_fire(entry, EVENT_TAKEN_UP);
        i -= entry->call.state == CALL_FINISHED;
    }
}

static void turn_forget(struct orchestrator *orchestrator)
{
    size_t finished = orchestrator->call_count - orchestrator->open_count;
    for (size_t i = 0; finished > orchestrator->max_finished_calls; i++) {
        struct call_entry *entry = orchestrator->calls[i];
        if (entry->call.state != CALL_FINISHED)
            continue;
        entry_forget(entry);
        finished--;
        i--;
    }
}

static void remove_session(struct orchestrator *orchestrator, size_t index)
{
    session_free(&orchestrator->sessions[index]);
    orchestrator->session_count--;
    memmove(&orchestrator->sessions[index], &orchestrator->sessions[index + 1],
            (orchestrator->session_count - index) * sizeof(*orchestrator->sessions));
}

static void turn_sessions(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->session_count; i++) {
        struct session *session = orchestrator->sessions[i];
        if (!session->closing || session->open_calls > 0)
            continue;
        if (!session->ended) {
            session->ended = true;
            undo_forget(orchestrator, session);
            announce(orchestrator, session_ended, session);
        }
        if (session->kept_calls == 0)
            remove_session(orchestrator, i--);
    }
}

static void sweep_observers(struct orchestrator *orchestrator)
{
    size_t kept = 0;
    for (size_t i = 0; i < orchestrator->observer_count; i++)
        if (orchestrator->observers[i].observer != NULL)
            orchestrator->observers[kept++] = orchestrator->observers[i];
    orchestrator->observer_count = kept;
}

/* All that has come in since the last turn, always in this order: who leaves comes before who
 * goes on, and what the operator says before who arrives. */
static void turn(void *argument)
{
    struct orchestrator *orchestrator = argument;
    orchestrator->moment++;
    turn_cancels(orchestrator);
    turn_ends(orchestrator);
    turn_records(orchestrator);
    turn_answers(orchestrator);
    turn_covers(orchestrator);
    turn_paths(orchestrator);
    room_give(orchestrator); /* who waits for it comes before who arrives */
    turn_arrivals(orchestrator);
    turn_forget(orchestrator);
    turn_sessions(orchestrator);
    sweep_observers(orchestrator);
    orchestrator->moment++;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* A program in the directory of another one. */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return xasprintf("%.*s%s", slash != NULL ? (int)(slash - path) + 1 : 0, path, name);
}

struct orchestrator *orchestrator_new(const struct orchestrator_setup *setup)
{
    static const char *const nothing[] = {NULL};
    struct orchestrator *orchestrator = XNEW(struct orchestrator);
    orchestrator->loop = setup->loop;
    orchestrator->commit = setup->commit;
    orchestrator->helper_path = xstrdup(setup->helper_path);
    orchestrator->gateway_environment =
        strv_copy(setup->gateway_environment != NULL ? setup->gateway_environment : nothing);
    orchestrator->patch_path = beside(setup->helper_path, "assent-patch");
    if (setup->state_directory != NULL)
        orchestrator->state_directory = xstrdup(setup->state_directory);
    orchestrator->base_environment =
        strv_copy(setup->base_environment != NULL ? setup->base_environment : nothing);
    orchestrator->search_path =
        program_environment_get((const char *const *)orchestrator->base_environment, "PATH");
    orchestrator->capability = *setup->capability;
    orchestrator->output_cap = setup->output_cap;
    orchestrator->last_call_id = setup->last_call_id;
    orchestrator->grace_ms = setup->grace_ms;
    orchestrator->max_open_calls = setup->max_open_calls;
    orchestrator->max_open_prompts =
        setup->max_open_prompts > 0 ? setup->max_open_prompts : ORCHESTRATOR_OPEN_PROMPTS;
    orchestrator->max_finished_calls = setup->max_finished_calls;
    orchestrator->headless = setup->headless;
    orchestrator->keyboard = setup->keyboard;
    orchestrator->turn = loop_on_turn(setup->loop, turn, orchestrator);
    orchestrator->build_files = build_files_new();
    leases_open(orchestrator);
    return orchestrator;
}

void orchestrator_close_calls(struct orchestrator *orchestrator)
{
    while (orchestrator->open_count > 0)
        transition_close(orchestrator->open[0], ENDED_WITH_CONSOLE);
}

void orchestrator_free(struct orchestrator **orchestrator)
{
    struct orchestrator *freed = steal_pointer(orchestrator);
    if (freed == NULL)
        return;
    loop_turn_free(&freed->turn);
    orchestrator_close_calls(freed);
    while (freed->call_count > 0)
        entry_forget(freed->calls[0]);
    while (freed->session_count > 0) {
        if (!freed->sessions[0]->ended) {
            freed->sessions[0]->ended = true;
            announce(freed, session_ended, freed->sessions[0]);
        }
        remove_session(freed, 0);
    }
    leases_close(freed);
    loop_signal_free(&freed->hold_signal);
    build_files_free(&freed->build_files);
    session_denials_clear(&freed->plain_denials);
    halt_free(freed);
    for (struct ticket *ticket = freed->tickets; ticket != NULL; ticket = ticket->next)
        ticket->orchestrator = NULL;
    free(freed->helper_path);
    strv_free(&freed->gateway_environment);
    free(freed->patch_path);
    free(freed->state_directory);
    strv_free(&freed->base_environment);
    rules_free(&freed->rules);
    free(freed->rules_broken);
    undo_free(freed);
    free(freed->observers);
    free(freed->sessions);
    free(freed->calls);
    free(freed->open);
    free(freed->waiting);
    free(freed);
}

void orchestrator_add_observer(struct orchestrator *orchestrator, const struct observer *observer,
                               void *argument)
{
    orchestrator->observers =
        xreallocarray(orchestrator->observers, orchestrator->observer_count + 1,
                      sizeof(*orchestrator->observers));
    orchestrator->observers[orchestrator->observer_count++] =
        (struct observer_slot){.observer = observer, .argument = argument};
}

void orchestrator_remove_observer(struct orchestrator *orchestrator, void *argument)
{
    for (size_t i = 0; i < orchestrator->observer_count; i++)
        if (orchestrator->observers[i].argument == argument)
            orchestrator->observers[i].observer = NULL;
    if (orchestrator->announcing == 0)
        sweep_observers(orchestrator);
}

/* ---- rules ----------------------------------------------------------------------------------- */

void orchestrator_set_rules(struct orchestrator *orchestrator, struct rules *rules,
                            const char *broken)
{
    rules_free(&orchestrator->rules);
    free(orchestrator->rules_broken);
    orchestrator->rules = rules;
    orchestrator->rules_broken = broken != NULL ? xstrdup(broken) : NULL;
}

const struct rules *orchestrator_rules(const struct orchestrator *orchestrator)
{
    return orchestrator->rules;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static int check_room(const struct orchestrator *orchestrator, const struct session *session,
                      struct error *error)
{
    bool shared = session->origin == SESSION_DEFAULT && session->peer_pid == 0;
    size_t limit = orchestrator->max_open_calls * (shared ? ORCHESTRATOR_SHARED_CALLS : 1);
    if (session->closing)
        return error_set(error, 0, "the session has ended");
    if (session->open_calls >= limit)
        return error_set(error, 0,
                         "this session has %u open calls already, which is the limit: wait for "
                         "one to finish",
                         session->open_calls);
    return 0;
}

struct call *orchestrator_submit(struct orchestrator *orchestrator, struct session *session,
                                 enum call_tool tool, struct command_spec *spec,
                                 const struct call_options *options, struct error *error)
{
    struct call_entry *entry = entry_new(orchestrator, session, tool, spec, options);
    if (check_room(orchestrator, session, error) != 0 || arrival_take(entry, error) != 0) {
        entry_free(entry);
        return NULL;
    }
    return entry_take_in(orchestrator, entry);
}

/* ---- looking --------------------------------------------------------------------------------- */

size_t orchestrator_waiting_count(const struct orchestrator *orchestrator)
{
    return orchestrator->waiting_count;
}

struct call *orchestrator_waiting_at(const struct orchestrator *orchestrator, size_t index)
{
    return index < orchestrator->waiting_count ? &orchestrator->waiting[index]->call : NULL;
}

bool orchestrator_waits(const struct call *call)
{
    return entry_is_question((const struct call_entry *)call);
}

bool orchestrator_leaves(const struct call *call)
{
    return ((const struct call_entry *)call)->sandbox == ATTEMPT_UNSANDBOXED;
}

size_t orchestrator_question_count(const struct orchestrator *orchestrator)
{
    return orchestrator->waiting_count + orchestrator_held_count(orchestrator);
}

size_t orchestrator_call_count(const struct orchestrator *orchestrator)
{
    return orchestrator->call_count;
}

struct call *orchestrator_call_at(const struct orchestrator *orchestrator, size_t index)
{
    return index < orchestrator->call_count ? &orchestrator->calls[index]->call : NULL;
}

struct call *orchestrator_find_call(const struct orchestrator *orchestrator, uint64_t id)
{
    struct call_entry *entry = entry_find(orchestrator, id);
    return entry != NULL ? &entry->call : NULL;
}

size_t orchestrator_session_count(const struct orchestrator *orchestrator)
{
    return orchestrator->session_count;
}

struct session *orchestrator_session_at(const struct orchestrator *orchestrator, size_t index)
{
    return index < orchestrator->session_count ? orchestrator->sessions[index] : NULL;
}
