/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fake_core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/strbuf.h"

#define CALLS_MAX 1024
#define SESSIONS_MAX 40
#define ANSWERS_MAX 8

struct orchestrator {
    struct loop *loop;
    struct loop_turn *turn;
    const struct observer *observer;
    void *observer_argument;
    struct session *sessions[SESSIONS_MAX];
    size_t session_count;
    struct call *calls[CALLS_MAX];
    size_t call_count;
    uint64_t last_call, last_prompt;
    struct fake_decision decisions[CALLS_MAX];
    size_t decision_count, due, applied; /* handed in; of those, to be applied now; applied */
    uint64_t released[CALLS_MAX];
    size_t released_count;
    size_t by_step; /* what a rule would allow, from that step on; 0: none */
    uint64_t by_rule;
    uint64_t denied_before;
    struct strbuf typed, replied;
    int rows, columns;
    size_t cancels;
    bool frozen;
    char *rule;    /* that the operator made last, or NULL */
    char *kept[2]; /* the same, as a list */
    struct undo answers[ANSWERS_MAX];
    bool together;
    size_t answer_count;
    struct rules *rules; /* of the operator's files, or NULL */
    size_t looks;
    const char *changed; /* a file that commands run code from, or NULL */
    size_t aside, judged, sought, come_to;
    bool git_is_slow;
};

/* At a call: the lookups have no other way to say so. */
static void count_look(const struct orchestrator *core)
{
    ((struct orchestrator *)core)->looks++;
}

/* Tells the observer, if it wants to know. */
#define TELL(core, event, ...)                                                                     \
    do {                                                                                           \
        if ((core)->observer != NULL && (core)->observer->event != NULL)                           \
            (core)->observer->event((core)->observer_argument, __VA_ARGS__);                       \
    } while (0)

/* What the owner of a call points to that waits for room, and of one that was looked at then. */
static char held_back, looked_at, forgotten;

static struct call *call_with_prompt(const struct orchestrator *core, uint64_t prompt)
{
    for (size_t i = 0; i < core->call_count; i++)
        if (core->calls[i]->prompt != NULL && core->calls[i]->prompt->id == prompt)
            return core->calls[i];
    return NULL;
}

static void apply_decision(struct orchestrator *core, const struct fake_decision *decision)
{
    struct call *call = call_with_prompt(core, decision->prompt);
    struct prompt *prompt = call->prompt;

    call->prompt = NULL;
    call->decision.kind = decision->kind;
    if (decision->kind == REVIEW_APPROVED_PATH ||
        decision->kind == REVIEW_APPROVED_PATH_FOR_SESSION)
        call->decision.path = steal_pointer(&prompt->path);
    call->decision.offer = decision->offer;
    call->decision.source = DECIDED_BY_USER;
    call->decision.rule_lasts = decision->choice.scope == LADDER_PROJECT;
    call->decision.unsandboxed =
        review_kind_approves(decision->kind) && prompt->sandbox == ATTEMPT_UNSANDBOXED &&
        decision->kind != REVIEW_APPROVED_SANDBOXED && call->decision.path == NULL;
    call->state = review_kind_approves(decision->kind) ? CALL_RECORDING : CALL_FINISHED;
    TELL(core, decided, call, prompt);
    if (call->state == CALL_FINISHED)
        TELL(core, finished, call);
    prompt_free(&prompt);
}

static void ask_usually(struct orchestrator *core, struct call *call, bool unsandboxed)
{
    const struct prompt prompt = {
        .sandbox = unsandboxed ? ATTEMPT_UNSANDBOXED : ATTEMPT_TURN_DEFAULT,
        .may_sandbox = unsandboxed,
        .may_approve_for_session = true,
    };

    fake_core_ask_for(
        core, call, prompt,
        unsandboxed ? "The agent asks to run it outside the sandbox." : "The policy is to ask.",
        unsandboxed ? "no sandbox: all files, network on" : "workspace-write (network off)");
}

static void ask_what_was_looked_at(struct orchestrator *core)
{
    for (size_t i = 0; i < core->call_count; i++) {
        struct call *call = core->calls[i];
        int64_t since = call->waits_ms;

        if (call->owner != &looked_at)
            continue;
        call->owner = NULL;
        ask_usually(core, call, orchestrator_leaves(call));
        call->waits_ms = since;
    }
}

static void core_turn(void *argument)
{
    struct orchestrator *core = argument;

    ask_what_was_looked_at(core);

    while (core->applied < core->due)
        apply_decision(core, &core->decisions[core->applied++]);
    core->due = core->decision_count; /* the next turn's */
    if (core->applied < core->due)
        loop_wake(core->loop);
}

struct orchestrator *fake_core_new(struct loop *loop)
{
    struct orchestrator *core = XNEW(struct orchestrator);

    core->loop = loop;
    core->turn = loop_on_turn(loop, core_turn, core);
    return core;
}

static void free_call(struct call **place)
{
    struct call *call = *place;

    prompt_free(&call->prompt);
    free(call->asked_command);
    command_spec_free(&call->spec);
    turn_context_unref(&call->context);
    approval_requirement_clear(&call->requirement);
    strv_free(&call->keys);
    free(call->program);
    free(call->line);
    push_commits_clear(&call->pushes);
    push_seen_clear(&call->seen);
    git_losses_clear(&call->losses);
    reach_free(&call->reach);
    wording_free(&call->attempts[0].under);
    wording_free(&call->attempts[1].under);
    wording_free(&call->attempts[0].touched);
    free(call->decision.path);
    free(call->decision.rule);
    free(call->client.name);
    free(call->client.exe);
    free(call->failure);
    free(call->agent_tool);
    free(call->patch);
    for (size_t i = 0; i < call->offer_count; i++)
        free(call->offers[i].name);
    free(call);
    *place = NULL;
}

void fake_core_free(struct orchestrator **place)
{
    struct orchestrator *core = *place;

    loop_turn_free(&core->turn);
    for (size_t i = 0; i < core->call_count; i++)
        free_call(&core->calls[i]);
    for (size_t i = 0; i < core->session_count; i++)
        session_free(&core->sessions[i]);
    while (core->answer_count > 0)
        undo_clear(&core->answers[--core->answer_count]);
    strbuf_free(&core->typed);
    strbuf_free(&core->replied);
    free(core->rule);
    rules_free(&core->rules);
    free(core);
    *place = NULL;
}

struct session *fake_core_session(struct orchestrator *core, enum session_origin origin,
                                  const char *name)
{
    struct approval_policy approval = {.kind = APPROVAL_ON_REQUEST, .escalate_on_request = true};
    struct sandbox_policy *sandbox = sandbox_policy_new_workspace_write("/home/ann/shop");
    struct turn_context *context =
        turn_context_new(&approval, sandbox, SANDBOX_AUTO, "/home/ann/shop");
    bool peer = origin == SESSION_CLIENT;
    struct session *session =
        session_new(origin, name, peer ? 4242 : 0, peer ? "/usr/bin/node" : NULL, context,
                    loop_clock(core->loop));

    sandbox_policy_free(&sandbox);
    turn_context_unref(&context);
    snprintf(session->id, sizeof(session->id), "5f3a9c01d2e4");
    core->sessions[core->session_count++] = session;
    return session;
}

static struct call *add_call(struct orchestrator *core, struct session *session,
                             struct command_spec *spec)
{
    struct call *call = XNEW(struct call);

    call->id = ++core->last_call;
    call->session = session;
    call->context = turn_context_ref(session->context);
    call->spec = spec;
    call->program = xstrdup("/usr/bin/env");
    call->assessment.level = RISK_LOW;
    snprintf(call->assessment.description, sizeof(call->assessment.description),
             "Reads files of the project and prints them.");
    core->calls[core->call_count++] = call;
    return call;
}

struct call *fake_core_call(struct orchestrator *core, struct session *session, const char *line)
{
    struct command_spec *spec = command_spec_new();
    struct call *call;

    spec->argv = strv_copy((const char *const[]){"bash", "-lc", line, NULL});
    spec->cwd = xstrdup("/home/ann/shop");
    call = add_call(core, session, spec);
    TELL(core, call_received, call);
    return call;
}

static struct prompt_script *copy_scripts(const struct prompt *prompt)
{
    struct prompt_script *scripts = xcalloc(prompt->script_count + 1, sizeof(*scripts));

    for (size_t i = 0; i < prompt->script_count; i++) {
        const struct prompt_script *script = &prompt->scripts[i];

        scripts[i] = (struct prompt_script){.path = xstrdup(script->path),
                                            .text = script->text ? xstrdup(script->text) : NULL,
                                            .lines = script->lines};
    }
    return scripts;
}

void fake_core_ask(struct orchestrator *core, struct call *call, const struct prompt *prompt)
{
    struct prompt *copy = XNEW(struct prompt);

    *copy = *prompt;
    copy->id = ++core->last_prompt;
    copy->revision = 1;
    copy->command = xstrdup(call->spec->argv[2]);
    copy->reason = wording_copy(prompt->reason);
    copy->under = wording_copy(prompt->under);
    copy->path = prompt->path != NULL ? xstrdup(prompt->path) : NULL;
    copy->path_under = wording_copy(prompt->path_under);
    copy->held = prompt->held != NULL ? additional_permissions_copy(prompt->held) : NULL;
    copy->once_names = prompt->once_names != NULL ? xstrdup(prompt->once_names) : NULL;
    copy->amendment = strv_copy((const char *const *)prompt->amendment);
    copy->denied = prompt->denied != NULL ? xstrdup(prompt->denied) : NULL;
    copy->changed = wording_copy(prompt->changed);
    copy->first_attempt = wording_copy(prompt->first_attempt);
    copy->scripts = copy_scripts(prompt);
    copy->opened_ms = call->waits_ms = loop_now_ms(core->loop);
    call->prompt = copy;
    prompt_note(call, NULL);
    call->state = CALL_ASKING;
    TELL(core, asked, call);
}

void fake_core_ask_for(struct orchestrator *core, struct call *call, struct prompt prompt,
                       const char *reason, const char *under)
{
    cleanup_wording struct wording *why = wording_from(reason);
    cleanup_wording struct wording *confined = wording_from(under);

    prompt.reason = why;
    prompt.under = confined;
    fake_core_ask(core, call, &prompt);
}

struct call *fake_core_request(struct orchestrator *core, struct session *session, const char *line,
                               enum risk_level risk, bool unsandboxed)
{
    struct call *call = fake_core_call(core, session, line);

    call->assessment.level = risk;
    call->spec->justification = xstrdup("The tests need it.");
    ask_usually(core, call, unsandboxed);
    return call;
}

struct call *fake_core_hold(struct orchestrator *core, struct session *session, const char *line,
                            enum risk_level risk)
{
    struct call *call = fake_core_call(core, session, line);

    call->assessment.level = risk;
    call->waits_ms = loop_now_ms(core->loop);
    call->owner = &held_back;
    return call;
}

void orchestrator_come_to(struct orchestrator *core, uint64_t prompt_id, bool answers)
{
    (void)answers;
    core->come_to++;
    for (size_t i = 0; i < core->call_count && !core->git_is_slow; i++)
        if (core->calls[i]->prompt != NULL && core->calls[i]->prompt->id == prompt_id)
            core->calls[i]->looks = ++core->calls[i]->looks_begun; /* git says the same */
}

void fake_core_slow_git(struct orchestrator *core)
{
    core->git_is_slow = true;
}

size_t fake_core_come_to(const struct orchestrator *core)
{
    return core->come_to;
}

void orchestrator_look_at(struct orchestrator *core, uint64_t call_id)
{
    struct call *call = orchestrator_find_call(core, call_id);

    if (call == NULL || call->owner != &held_back)
        return;
    call->owner = &looked_at;
    loop_wake(core->loop);
}

void fake_core_rules(struct session *session, const char *path, const char *lines)
{
    const struct rules_source source = {.path = path, .layer = RULES_USER};
    struct error error = ERROR_INIT;

    if (rules_add_text(session->rules, lines, strlen(lines), &source, &error) < 0)
        fail_msg("%s", error.message);
}

void fake_core_raise(struct orchestrator *core, struct call *call, enum risk_level level)
{
    call->assessment.level = level;
    call->prompt->revision++;
    prompt_note(call, NULL); /* a test may have made something else of it */
    TELL(core, prompt_changed, call);
}

void fake_core_opinion(struct orchestrator *core, struct call *call, const struct opinion *opinion)
{
    call->opinion = *opinion;
    call->news++;
    if (opinion->status == OPINION_SUCCESS && opinion->level > call->assessment.level) {
        call->assessment.level = opinion->level;
        call->prompt->revision++;
    }
    TELL(core, prompt_changed, call);
}

void fake_core_see_push(struct orchestrator *core, struct call *call, struct push_seen *seen)
{
    push_seen_clear(&call->seen);
    call->seen = *seen;
    call->news++;
    TELL(core, prompt_changed, call);
}

void fake_core_see_losses(struct orchestrator *core, struct call *call, struct git_losses *told)
{
    git_losses_take(&call->losses, told);
    call->news++;
    TELL(core, prompt_changed, call);
}

void fake_core_start(struct orchestrator *core, struct call *call, const char *under)
{
    call->state = CALL_RUNNING;
    call->attempts[call->attempt_count].under = wording_from(under);
    call->attempt_count++;
    TELL(core, attempt_started, call, call->attempt_count - 1);
}

void fake_core_fail_connection(struct orchestrator *core, struct call *command, const char *url,
                               const char *why, uint64_t by)
{
    const struct reach_connection connection = {
        .url = url, .outcome = "failed", .detail = why, .allowed_by = by};

    TELL(core, connection_ended, command, &connection);
}

void fake_core_output(struct orchestrator *core, struct call *call, const char *text)
{
    TELL(core, output, call, call->spec->tty ? RUN_TERMINAL : RUN_STDOUT, text, strlen(text));
}

void fake_core_finish(struct orchestrator *core, struct call *call, int code)
{
    struct run_result *result = &call->attempts[call->attempt_count - 1].result;

    result->outcome = RUN_EXITED;
    result->code = code;
    result->duration_ms = 1234;
    TELL(core, attempt_ended, call, call->attempt_count - 1);
    call->state = CALL_FINISHED;
    TELL(core, finished, call);
}

static void withdraw(struct orchestrator *core, struct call *call, enum canceller by,
                     const char *why)
{
    prompt_free(&call->prompt);
    call->state = CALL_FINISHED;
    call->cancelled = true;
    call->cancelled_by = by;
    call->failure = xstrdup(why);
    TELL(core, finished, call);
}

void fake_core_withdraw(struct orchestrator *core, struct call *call)
{
    withdraw(core, call, CANCELLED_BY_CLIENT, "client gone");
}

void fake_core_refuse(struct orchestrator *core, struct call *call, enum decision_source source)
{
    call->decision.kind = REVIEW_DENIED;
    call->decision.source = source;
    call->state = CALL_FINISHED;
    TELL(core, decided, call, NULL);
    TELL(core, finished, call);
}

void fake_core_end_session(struct orchestrator *core, struct session *session)
{
    session->ended = true;
    TELL(core, session_ended, session);
}

void fake_core_forget(struct orchestrator *core, struct call *call)
{
    for (size_t i = 0; i < core->call_count; i++) {
        if (core->calls[i] != call)
            continue;
        memmove(core->calls + i, core->calls + i + 1,
                (core->call_count - i - 1) * sizeof(struct call *));
        core->call_count--;
        TELL(core, forgotten, call);
        free_call(&call);
        return;
    }
}

void fake_core_release_by_rule(struct orchestrator *core, size_t step, uint64_t call)
{
    core->by_step = step;
    core->by_rule = call;
}

void fake_core_release(struct orchestrator *core, const uint64_t *calls, size_t count)
{
    memcpy(core->released, calls, count * sizeof(*calls));
    core->released_count = count;
}

size_t fake_core_decisions(const struct orchestrator *core)
{
    return core->decision_count;
}

const struct fake_decision *fake_core_decision(const struct orchestrator *core, size_t index)
{
    return &core->decisions[index];
}

const char *fake_core_typed(const struct orchestrator *core)
{
    return strbuf_str(&core->typed);
}

const char *fake_core_replied(const struct orchestrator *core)
{
    return strbuf_str(&core->replied);
}

void fake_core_size(const struct orchestrator *core, int *rows, int *columns)
{
    *rows = core->rows;
    *columns = core->columns;
}

size_t fake_core_cancels(const struct orchestrator *core)
{
    return core->cancels;
}

/* ---- the orchestrator's interface, as far as the console uses it ---------------------------- */

void orchestrator_add_observer(struct orchestrator *core, const struct observer *observer,
                               void *argument)
{
    core->observer = observer;
    core->observer_argument = argument;
}

void orchestrator_remove_observer(struct orchestrator *core, void *argument)
{
    (void)argument;
    core->observer = NULL;
}

void orchestrator_set_context(struct orchestrator *core, struct session *session,
                              struct turn_context *context)
{
    struct turn_context *old = session->context;

    session->context = turn_context_ref(context);
    turn_context_unref(&old);
    TELL(core, context_changed, session);
}

struct call *orchestrator_submit(struct orchestrator *core, struct session *session,
                                 enum call_tool tool, struct command_spec *spec,
                                 const struct call_options *options, struct error *error)
{
    struct call *call = add_call(core, session, spec);

    (void)tool;
    (void)error;
    core->rows = options->rows;
    core->columns = options->columns;
    TELL(core, call_received, call);
    return call;
}

/* It takes effect in the next turn. */
static bool decided_already(const struct orchestrator *core, uint64_t prompt)
{
    for (size_t i = core->applied; i < core->decision_count; i++)
        if (core->decisions[i].prompt == prompt)
            return true;
    return false;
}

int orchestrator_decide(struct orchestrator *core, uint64_t prompt, unsigned revision,
                        enum review_kind kind, const char *message, struct error *error)
{
    const struct call *call = call_with_prompt(core, prompt);
    struct fake_decision *decision = &core->decisions[core->decision_count];

    if (call == NULL || call->prompt->revision != revision)
        return error_set(error, 0, "this request has changed meanwhile");
    if (decided_already(core, prompt))
        return error_set(error, 0, "this request has been decided already");
    *decision = (struct fake_decision){
        .prompt = prompt, .revision = revision, .kind = kind, .together = core->together};
    if (message != NULL)
        snprintf(decision->message, sizeof(decision->message), "%s", message);
    core->decision_count++;
    return 0;
}

int orchestrator_decide_lease(struct orchestrator *core, uint64_t prompt, unsigned revision,
                              const struct lease *lease, struct error *error)
{
    size_t count = core->decision_count;

    if (orchestrator_decide(core, prompt, revision, REVIEW_APPROVED_FOR_SESSION, NULL, error) < 0)
        return -1;
    core->decisions[count].lease = *lease;
    return 0;
}

int orchestrator_decide_abort(struct orchestrator *core, uint64_t prompt, unsigned revision,
                              uint64_t up_to, struct error *error)
{
    size_t count = core->decision_count;

    if (orchestrator_decide(core, prompt, revision, REVIEW_ABORT, NULL, error) < 0)
        return -1;
    core->decisions[count].up_to = up_to;
    return 0;
}

int orchestrator_decide_offer(struct orchestrator *core, uint64_t prompt, unsigned revision,
                              size_t offer, struct error *error)
{
    const struct call *call = call_with_prompt(core, prompt);
    size_t count = core->decision_count;
    bool denies = call != NULL && offer_kind_denies(call->offers[offer].kind);

    if (orchestrator_decide(core, prompt, revision, denies ? REVIEW_DENIED : REVIEW_APPROVED, NULL,
                            error) < 0)
        return -1;
    core->decisions[count].offer = offer + 1;
    return 0;
}

/* Anything goes but "forbidden": the same call asks again by another prompt. */
int orchestrator_edit(struct orchestrator *core, uint64_t prompt, unsigned revision,
                      const char *text, struct error *error)
{
    struct call *call = call_with_prompt(core, prompt);

    if (call == NULL || call->prompt->revision != revision)
        return error_set(error, 0, "this request has changed meanwhile");
    if (strcmp(text, "forbidden") == 0)
        return error_set(error, 0, "this is not allowed: forbidden");
    if (call->asked_command == NULL)
        call->asked_command = xstrdup(call->prompt->command);
    free(call->prompt->command);
    call->prompt->command = xstrdup(text);
    call->prompt->id = ++core->last_prompt;
    TELL(core, asked, call);
    return 0;
}

int orchestrator_decide_rule(struct orchestrator *core, uint64_t prompt, unsigned revision,
                             const struct rule_choice *choice, struct error *error)
{
    size_t count = core->decision_count;

    if (orchestrator_decide(core, prompt, revision, REVIEW_APPROVED_AMENDMENT, NULL, error) < 0)
        return -1;
    core->decisions[count].choice = *choice;
    return 0;
}

void undo_clear(struct undo *undo)
{
    free(undo->what);
    free(undo->path);
    *undo = (struct undo){0};
}

void fake_core_answered(struct orchestrator *core, const struct undo *undo)
{
    struct undo *answer = &core->answers[core->answer_count++];

    *answer = *undo;
    answer->what = undo->what != NULL ? xstrdup(undo->what) : NULL;
    answer->path = undo->path != NULL ? xstrdup(undo->path) : NULL;
}

void orchestrator_decide_together(struct orchestrator *core, bool together)
{
    core->together = together;
}

int orchestrator_undo(struct orchestrator *core, struct undo *undo, struct error *error)
{
    const char *what = core->answer_count > 0 ? core->answers[core->answer_count - 1].what : NULL;

    *undo = (struct undo){0};
    if (what != NULL && strcmp(what, "kept") == 0)
        return error_set(error, 0, "the rules cannot be written");
    if (core->answer_count > 0)
        *undo = core->answers[--core->answer_count];
    else if (core->rule != NULL)
        *undo = (struct undo){.kind = UNDO_RULE, .what = steal_pointer(&core->rule)};
    return 0;
}

void orchestrator_next_undo(struct orchestrator *core, struct undo *undo)
{
    size_t count = core->answer_count;

    *undo = (struct undo){0};
    if (count == 0)
        return;
    fake_core_answered(core, &core->answers[count - 1]);
    *undo = core->answers[--core->answer_count];
}

uint64_t orchestrator_denied_before(const struct orchestrator *core, const struct call *call)
{
    return call->session->origin == SESSION_OPERATOR ? 0 : core->denied_before;
}

void fake_core_denied_before(struct orchestrator *core, uint64_t denied)
{
    core->denied_before = denied;
}

const char *const *orchestrator_kept_rules(const struct orchestrator *core)
{
    return core->rule != NULL ? (const char *const *)core->kept : NULL;
}

int orchestrator_take_back_rule(struct orchestrator *core, const char *line, struct error *error)
{
    (void)error;
    assert_string_equal(line, core->rule);
    free(steal_pointer(&core->rule));
    core->kept[0] = NULL;
    return 1;
}

int orchestrator_remember_rule(struct orchestrator *core, const char *line, struct error *error)
{
    (void)error;
    free(core->rule);
    core->rule = core->kept[0] = xstrdup(line);
    return 0;
}

const char *fake_core_rule(const struct orchestrator *core)
{
    return core->rule;
}

const struct rules *orchestrator_rules(const struct orchestrator *core)
{
    return core->rules;
}

void fake_core_own_rules(struct orchestrator *core, const char *lines)
{
    const struct rules_source source = {.path = "/etc/rules", .layer = RULES_USER};

    rules_free(&core->rules);
    core->rules = rules_new();
    assert_int_equal(rules_add_text(core->rules, lines, strlen(lines), &source, NULL), 0);
}

void orchestrator_cancel(struct orchestrator *core, struct call *call, enum canceller by,
                         const char *why)
{
    core->cancels++;
    if (call->state == CALL_ASKING && by == CANCELLED_BY_OPERATOR) /* who says stop, says no */
        call->decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    if (call->state == CALL_ASKING)
        withdraw(core, call, by, why);
}

int orchestrator_type(struct orchestrator *core, struct call *call, const char *bytes,
                      size_t length)
{
    (void)call;
    strbuf_add(&core->typed, bytes, length);
    return 0;
}

int orchestrator_reply(struct orchestrator *core, struct call *call, const char *bytes,
                       size_t length)
{
    (void)call;
    strbuf_add(&core->replied, bytes, length);
    return 0;
}

static bool hides_input;

bool orchestrator_hides_input(const struct call *call)
{
    (void)call;
    return hides_input;
}

void fake_core_hide_input(bool hide)
{
    hides_input = hide;
}

static enum foreground foreground;

enum foreground orchestrator_foreground(const struct call *call)
{
    (void)call;
    return foreground;
}

void fake_core_foreground(enum foreground is)
{
    foreground = is;
}

void orchestrator_resize(struct orchestrator *core, struct call *call, int rows, int columns)
{
    (void)call;
    core->rows = rows;
    core->columns = columns;
}

size_t orchestrator_would_release(const struct orchestrator *core, uint64_t prompt,
                                  enum review_kind kind, const struct rule_choice *choice,
                                  uint64_t *ids, size_t limit)
{
    (void)prompt;
    ((struct orchestrator *)core)->judged++;
    if (kind == REVIEW_APPROVED_AMENDMENT && core->by_rule != 0 && choice->step >= core->by_step) {
        ids[0] = core->by_rule;
        return 1;
    }
    if (kind != REVIEW_APPROVED_FOR_SESSION)
        return 0;
    for (size_t i = 0; i < core->released_count && i < limit; i++)
        ids[i] = core->released[i];
    return core->released_count;
}

bool orchestrator_leaves(const struct call *call)
{
    return call->prompt != NULL ? call->prompt->sandbox == ATTEMPT_UNSANDBOXED
                                : call->spec->permissions == SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
}

bool orchestrator_waits(const struct call *call)
{
    return call->prompt != NULL || call->owner == &held_back || call->owner == &looked_at;
}

void orchestrator_put_aside(struct orchestrator *core, uint64_t prompt_id, bool aside)
{
    (void)prompt_id;
    core->aside = aside ? core->aside + 1 : core->aside - 1;
}

void orchestrator_seek_path(struct orchestrator *core, uint64_t prompt_id)
{
    (void)prompt_id;
    core->sought++;
}

size_t fake_core_sought(const struct orchestrator *core)
{
    return core->sought;
}

size_t fake_core_judged(const struct orchestrator *core)
{
    return core->judged;
}

size_t fake_core_aside(const struct orchestrator *core)
{
    return core->aside;
}

size_t orchestrator_held_count(const struct orchestrator *core)
{
    size_t count = 0;

    for (size_t i = 0; i < core->call_count; i++)
        count += orchestrator_waits(core->calls[i]) && core->calls[i]->prompt == NULL;
    return count;
}

size_t orchestrator_question_count(const struct orchestrator *core)
{
    return orchestrator_waiting_count(core) + orchestrator_held_count(core);
}

bool orchestrator_denial_holds(const struct call *call)
{
    return !review_kind_approves(call->decision.kind) && call->owner != &forgotten;
}

bool orchestrator_forget_denial(struct orchestrator *core, const struct call *call)
{
    orchestrator_find_call(core, call->id)->owner = &forgotten;
    orchestrator_find_call(core, call->id)->decision.taken_back = true;
    return call->decision.kind == REVIEW_DENIED;
}

void orchestrator_forget_denials(struct orchestrator *core, struct session *session)
{
    (void)core;
    (void)session;
}

bool orchestrator_forget_denials_of(struct orchestrator *core, struct session *session,
                                    uint64_t call)
{
    (void)core;
    return session_forget_denials_of(session, call);
}

size_t orchestrator_waiting_count(const struct orchestrator *core)
{
    size_t count = 0;

    for (size_t i = 0; i < core->call_count; i++)
        count += core->calls[i]->prompt != NULL;
    return count;
}

struct call *orchestrator_waiting_at(const struct orchestrator *core, size_t index)
{
    count_look(core);
    for (size_t i = 0; i < core->call_count; i++)
        if (core->calls[i]->prompt != NULL && index-- == 0)
            return core->calls[i];
    return NULL;
}

size_t orchestrator_call_count(const struct orchestrator *core)
{
    return core->call_count;
}

struct call *orchestrator_call_at(const struct orchestrator *core, size_t index)
{
    return core->calls[index];
}

struct call *orchestrator_find_call(const struct orchestrator *core, uint64_t id)
{
    count_look(core);
    for (size_t i = 0; i < core->call_count; i++)
        if (core->calls[i]->id == id)
            return core->calls[i];
    return NULL;
}

size_t orchestrator_session_count(const struct orchestrator *core)
{
    return core->session_count;
}

struct session *orchestrator_session_at(const struct orchestrator *core, size_t index)
{
    return core->sessions[index];
}

bool orchestrator_revoke_rule(struct orchestrator *core, struct session *session, size_t index)
{
    (void)core;
    return session_remove_rule(session, index);
}

bool orchestrator_revoke(struct orchestrator *core, struct session *session, uint64_t grant)
{
    (void)core;
    return grants_revoke(session->grants, grant);
}

void fake_core_files_changed(struct orchestrator *core, const char *name)
{
    core->changed = name;
}

void orchestrator_end_changed(struct orchestrator *core)
{
    for (size_t i = 0; core->changed != NULL && i < core->session_count; i++) {
        struct grants *grants = core->sessions[i]->grants;

        for (size_t j = grants_count(grants); j-- > 0;)
            if (grants_at(grants, j)->files != NULL)
                grants_end_changed(grants, grants_at(grants, j)->id, core->changed);
    }
}

bool orchestrator_is_frozen(const struct orchestrator *core)
{
    return core->frozen;
}

void fake_core_hold_frozen(struct orchestrator *core, struct call *call)
{
    call->frozen = true;
    TELL(core, held_frozen, call);
}

void orchestrator_freeze(struct orchestrator *core, bool freeze)
{
    core->frozen = freeze;
    for (size_t i = 0; i < core->call_count; i++)
        core->calls[i]->frozen = freeze && core->calls[i]->state == CALL_RUNNING;
}

void orchestrator_stop_session(struct orchestrator *core, struct session *session, bool stop)
{
    (void)core;
    session->stopped = stop;
    session->stopped_with_tree = false;
}

void orchestrator_stop_tree(struct orchestrator *core, struct session *session, pid_t tree,
                            struct session *const *own, size_t own_count)
{
    session_stop_tree(session, tree, true);
    for (size_t i = 0; i < own_count; i++) {
        orchestrator_stop_session(core, own[i], true);
        own[i]->stopped_with_tree = true;
    }
}

void orchestrator_resume_tree(struct orchestrator *core, struct session *session, pid_t tree,
                              struct session *const *own, size_t own_count)
{
    session_stop_tree(session, tree, false);
    for (size_t i = 0; i < own_count; i++)
        orchestrator_stop_session(core, own[i], false);
}

void orchestrator_stop_name(struct orchestrator *core, struct session *session, const char *name,
                            const pid_t *trees, size_t tree_count)
{
    (void)core;
    session_stop_name(session, name, trees, tree_count);
}

void orchestrator_resume_name(struct orchestrator *core, struct session *session, const char *name)
{
    (void)core;
    session_resume_name(session, name);
}

bool orchestrator_is_stopped(const struct call *call)
{
    return call->session->stopped || session_stopped_from(call->session, &call->client) != 0 ||
           session_name_is_stopped(call->session, call->client.name);
}

static const char *asked(const struct call *call)
{
    return call->prompt != NULL ? call->prompt->command : call->spec->argv[2];
}

bool orchestrator_same_question(const struct call *a, const struct call *b)
{
    return orchestrator_waits(a) && orchestrator_waits(b) && strcmp(asked(a), asked(b)) == 0 &&
           a->assessment.level == b->assessment.level;
}

uint64_t orchestrator_question_hash(const struct call *call)
{
    return orchestrator_waits(call) ? strlen(asked(call)) + 1 : 0;
}

size_t fake_core_looks(const struct orchestrator *core)
{
    return core->looks;
}

struct ladder *fake_core_npm_ladder(const char *const *words)
{
    static const char *const prefix[] = {"npm", "run", "lint", NULL};
    static const char *const runner[] = {"npm", "run", NULL}, *const program[] = {"npm", NULL};
    static const char *const tasks[] = {"lint", "test", NULL};
    struct ladder *ladder = XNEW(struct ladder);

    *ladder = (struct ladder){
        .steps = {{.width = LADDER_HERE, .words = strv_copy(words), .exact = true, .here = true},
                  {.width = LADDER_ANYWHERE, .words = strv_copy(words), .exact = true},
                  {.width = LADDER_SUBCOMMAND, .words = strv_copy(prefix), .covers = 3},
                  {.width = LADDER_TASKS,
                   .words = strv_copy(runner),
                   .alternatives = strv_copy(tasks),
                   .covers = 5},
                  {.width = LADDER_PROGRAM,
                   .words = strv_copy(program),
                   .refused = "with other words it might run other programs"}},
        .count = 5,
        .first = 2,
        .past = 7,
    };
    return ladder;
}
