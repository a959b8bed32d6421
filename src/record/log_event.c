/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_event.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "sandbox/policy.h"
#include "sandbox/select.h"

/* ---- values ---------------------------------------------------------------------------------- */

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void put_integer(json_t *object, const char *key, int64_t value)
{
    put(object, key, json_integer(value));
}

static void put_bool(json_t *object, const char *key, bool value)
{
    put(object, key, json_boolean(value));
}

/* Any bytes; nothing when there are none. */
static void put_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        put(object, key, json_string_lossy(text, strlen(text)));
}

static void put_filled(json_t *object, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0')
        put_text(object, key, text);
}

static json_t *encoded(const char *bytes)
{
    struct strbuf text = STRBUF_INIT;
    base64_encode(&text, bytes, strlen(bytes));
    json_t *value = json_string(strbuf_str(&text));
    strbuf_free(&text);
    return value;
}

static bool is_text(const char *bytes)
{
    return text_valid_utf8(bytes, strlen(bytes));
}

/* Bytes that decide what runs: kept exactly, in a second field where JSON cannot hold them. */
static void put_exact(json_t *object, const char *key, const char *exact_key, const char *bytes)
{
    if (bytes == NULL)
        return;
    put_text(object, key, bytes);
    if (!is_text(bytes))
        put(object, exact_key, encoded(bytes));
}

static json_t *list_of(char *const *strings)
{
    json_t *list = json_array();
    for (; strings != NULL && *strings != NULL; strings++)
        json_array_append_new(list, json_string_lossy(*strings, strlen(*strings)));
    return list;
}

static void put_list(json_t *object, const char *key, char *const *strings)
{
    if (strings != NULL)
        put(object, key, list_of(strings));
}

static void put_argv(json_t *object, char *const *argv)
{
    bool text = true;
    put_list(object, "argv", argv);
    for (char *const *word = argv; *word != NULL; word++)
        text &= is_text(*word);
    if (text)
        return;
    json_t *exact = json_array();
    for (char *const *word = argv; *word != NULL; word++)
        json_array_append_new(exact, encoded(*word));
    put(object, "argv_b64", exact);
}

static bool names_secret(const char *entry, size_t length)
{
    static const char *const marks[] = {"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"};
    cleanup_free char *name = xstrndup(entry, length);
    for (char *place = name; *place != '\0'; place++)
        *place = (char)toupper((unsigned char)*place);
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (strstr(name, marks[i]) != NULL)
            return true;
    return false;
}

/* The record is read by more people than the machine is. */
static void put_environment(json_t *object, char *const *entries)
{
    if (entries == NULL)
        return;
    json_t *list = json_array();
    for (; *entries != NULL; entries++) {
        size_t length = strcspn(*entries, "=");
        struct strbuf shown = STRBUF_INIT;
        strbuf_addstr(&shown, *entries);
        if (names_secret(*entries, length)) {
            strbuf_reset(&shown);
            strbuf_add(&shown, *entries, length);
            strbuf_addstr(&shown, "=[redacted]");
        }
        json_array_append_new(list, json_string_lossy(strbuf_str(&shown), shown.length));
        strbuf_free(&shown);
    }
    put(object, "env", list);
}

/* ---- sessions -------------------------------------------------------------------------------- */

static const char *origin_name(enum session_origin origin)
{
    switch (origin) {
    case SESSION_OPERATOR:
        return "operator";
    case SESSION_DEFAULT:
        return "default";
    case SESSION_CLIENT:
        break;
    }
    return "client";
}

static json_t *approval_value(const struct approval_policy *policy)
{
    json_t *value = json_object();
    put_text(value, "policy", approval_policy_name(policy->kind));
    if (policy->kind == APPROVAL_REJECT) {
        put_bool(value, "reject_sandbox_approval", policy->reject_sandbox_approval);
        put_bool(value, "reject_rules", policy->reject_rules);
        put_bool(value, "reject_elicitations", policy->reject_elicitations);
    }
    put_bool(value, "escalate_on_request", policy->escalate_on_request);
    put_bool(value, "first_covers_retry", policy->first_covers_retry);
    return value;
}

static json_t *context_value(const struct turn_context *context)
{
    json_t *value = json_object();
    cleanup_free char *summary = sandbox_policy_summary(context->sandbox);
    cleanup_free char *policy = sandbox_policy_canonical(context->sandbox);
    put(value, "approval", approval_value(&context->approval));
    put_text(value, "sandbox", summary);
    put_text(value, "sandbox_policy", policy);
    put_text(value, "sandbox_preference", sandbox_preference_name(context->preference));
    put_bool(value, "network", context->sandbox->network);
    put_exact(value, "root", "root_b64", context->root);
    put_integer(value, "default_timeout_ms", context->default_timeout_ms);
    put_integer(value, "max_timeout_ms", context->max_timeout_ms);
    return value;
}

static json_t *session_event(const struct session *session)
{
    json_t *event = json_object();
    put_text(event, "session", session->id);
    return event;
}

json_t *log_event_session_start(const struct session *session)
{
    json_t *event = session_event(session);
    put_text(event, "origin", origin_name(session->origin));
    put_text(event, "name", session->name);
    if (session->peer_pid > 0)
        put_integer(event, "peer_pid", session->peer_pid);
    put_text(event, "peer_exe", session->peer_exe);
    put(event, "context", context_value(session->context));
    return event;
}

json_t *log_event_session_end(const struct session *session)
{
    return session_event(session);
}

json_t *log_event_context(const struct session *session)
{
    json_t *event = session_event(session);
    put(event, "context", context_value(session->context));
    return event;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static json_t *call_event(const struct call *call)
{
    json_t *event = session_event(call->session);
    put_integer(event, "call", (int64_t)call->id);
    return event;
}

static json_t *additional_value(const struct additional_permissions *additional)
{
    json_t *value = json_object();
    put(value, "readable", list_of(additional->readable));
    put(value, "writable", list_of(additional->writable));
    put_bool(value, "network", additional->network);
    return value;
}

static const char *stdin_name(enum stdin_kind kind)
{
    switch (kind) {
    case STDIN_NULL:
        return "null";
    case STDIN_PIPE:
        return "pipe";
    case STDIN_TTY:
        break;
    }
    return "tty";
}

static json_t *client_value(const struct call_client *client)
{
    json_t *value = json_object();
    put_text(value, "name", client->name);
    if (client->pid > 0)
        put_integer(value, "pid", client->pid);
    put_text(value, "exe", client->exe);
    return value;
}

static void put_spec(json_t *event, const struct command_spec *spec)
{
    put_argv(event, spec->argv);
    put_exact(event, "cwd", "cwd_b64", spec->cwd);
    put_environment(event, spec->env);
    if (spec->timeout_ms > 0)
        put_integer(event, "timeout_ms", spec->timeout_ms);
    put_text(event, "sandbox_permissions", command_permissions_name(spec->permissions));
    if (spec->additional != NULL)
        put(event, "additional_permissions", additional_value(spec->additional));
    put_text(event, "justification", spec->justification);
    put_bool(event, "tty", spec->tty);
    put_text(event, "stdin", stdin_name(spec->standard_input));
}

json_t *log_event_call(const struct call *call)
{
    json_t *event = call_event(call);
    put_text(event, "tool", call_tool_name(call->tool));
    put_spec(event, call->spec);
    put_exact(event, "program", "program_b64", call->program);
    put(event, "client", client_value(&call->client));
    return event;
}

static const char *requirement_name(enum requirement_kind kind)
{
    switch (kind) {
    case REQUIREMENT_SKIP:
        return "skip";
    case REQUIREMENT_NEEDS_APPROVAL:
        return "needs_approval";
    case REQUIREMENT_FORBIDDEN:
        break;
    }
    return "forbidden";
}

json_t *log_event_requirement(const struct call *call)
{
    const struct approval_requirement *requirement = &call->requirement;
    json_t *event = call_event(call);
    put_text(event, "requirement", requirement_name(requirement->kind));
    put_bool(event, "bypass_sandbox", requirement->bypass_sandbox);
    put_text(event, "reason", requirement->reason);
    put_list(event, "amendment", requirement->amendment);
    return event;
}

json_t *log_event_assessment(const struct call *call)
{
    const struct assessment *assessment = &call->assessment;
    json_t *event = call_event(call);
    json_t *categories = json_array();
    for (unsigned i = 0; i < RISK_CATEGORY_COUNT; i++)
        if (assessment->categories & 1U << i)
            json_array_append_new(categories,
                                  json_string(risk_category_name((enum risk_category)(1U << i))));
    put_text(event, "level", risk_level_name(assessment->level));
    put(event, "categories", categories);
    put_text(event, "description", assessment->description);
    return event;
}

json_t *log_event_prompt(const struct call *call)
{
    const struct prompt *prompt = call->prompt;
    json_t *event = call_event(call);
    put_integer(event, "prompt", (int64_t)prompt->id);
    put_integer(event, "revision", prompt->revision);
    put_bool(event, "retry", prompt->retry);
    put_text(event, "command", prompt->command);
    put_text(event, "reason", prompt->reason);
    put_text(event, "under", prompt->under);
    put_text(event, "sandbox", attempt_sandbox_name(prompt->sandbox));
    put_bool(event, "covers_retry", prompt->covers_retry);
    put_bool(event, "may_approve_for_session", prompt->may_approve_for_session);
    put_list(event, "amendment", prompt->amendment);
    put_text(event, "first_attempt", prompt->first_attempt);
    return event;
}

json_t *log_event_decision(const struct call *call, const struct prompt *prompt)
{
    const struct review_decision *decision = &call->decision;
    json_t *event = call_event(call);
    if (prompt != NULL) {
        put_integer(event, "prompt", (int64_t)prompt->id);
        put_integer(event, "revision", prompt->revision);
        put_integer(event, "waited_ms", decision->waited_ms);
    }
    put_text(event, "kind", review_kind_name(decision->kind));
    put_text(event, "source", decision_source_name(decision->source));
    if (decision->grant_id != 0)
        put_integer(event, "grant", (int64_t)decision->grant_id);
    if (prompt != NULL && decision->kind == REVIEW_APPROVED_AMENDMENT)
        put_list(event, "amendment", prompt->amendment);
    put_text(event, "message", decision->message);
    return event;
}

/* ---- attempts -------------------------------------------------------------------------------- */

static json_t *attempt_event(const struct call *call, unsigned attempt)
{
    json_t *event = call_event(call);
    put_integer(event, "attempt", (int64_t)attempt + 1);
    return event;
}

json_t *log_event_attempt_start(const struct call *call, unsigned attempt)
{
    json_t *event = attempt_event(call, attempt);
    put_text(event, "sandbox", attempt_sandbox_name(call->attempts[attempt].sandbox));
    put_text(event, "sandbox_type", sandbox_type_name(call->attempts[attempt].type));
    put_text(event, "under", call->attempts[attempt].under);
    return event;
}

static const char *outcome_name(enum run_outcome outcome)
{
    switch (outcome) {
    case RUN_EXITED:
        return "exited";
    case RUN_SIGNALED:
        return "signaled";
    case RUN_FAILED:
        break;
    }
    return "failed";
}

static void put_result(json_t *event, const struct run_result *result)
{
    put_text(event, "outcome", outcome_name(result->outcome));
    put_integer(event, "code", result->code);
    if (result->signal != 0)
        put_integer(event, "signal", result->signal);
    put_bool(event, "timed_out", result->timed_out);
    put_bool(event, "cancelled", result->cancelled);
    put_integer(event, "duration_ms", result->duration_ms);
    put_filled(event, "failure", result->failure);
    put_filled(event, "layers", result->layers);
    put_filled(event, "blocked", result->blocked);
    put_filled(event, "alarm", result->alarm);
}

static void put_output(json_t *event, const char *key, const struct output *output)
{
    if (output == NULL)
        return;
    json_t *value = json_object();
    struct strbuf preview = STRBUF_INIT;
    output_preview(output, &preview);
    put_integer(value, "bytes", (int64_t)output_total(output));
    put_integer(value, "dropped", (int64_t)output_dropped(output));
    put(value, "preview", json_string_lossy(strbuf_str(&preview), preview.length));
    strbuf_free(&preview);
    put(event, key, value);
}

json_t *log_event_attempt_end(const struct call *call, unsigned attempt)
{
    const struct sandbox_denial *denial = &call->attempts[attempt].denial;
    json_t *event = attempt_event(call, attempt);
    put_result(event, &call->attempts[attempt].result);
    if (denial->denied) {
        json_t *value = json_object();
        put_bool(value, "inferred", denial->inferred);
        put_text(value, "cause", denial->cause);
        put_filled(value, "path", denial->path);
        put(event, "denied", value);
    }
    put_output(event, "output", call->output);
    put_output(event, "error_output", call->error_output);
    return event;
}

json_t *log_event_finished(const struct call *call)
{
    json_t *event = call_event(call);
    put_integer(event, "exit_status", call_exit_status(call));
    put_bool(event, "cancelled", call->cancelled);
    put_integer(event, "attempts", call->attempt_count);
    put_text(event, "decision", review_kind_name(call->decision.kind));
    put_text(event, "failure", call->failure);
    return event;
}

json_t *log_event_notice(enum notice_level level, const char *text)
{
    static const char *const names[] = {
        [NOTICE_INFO] = "info", [NOTICE_WARNING] = "warning", [NOTICE_ALARM] = "alarm"};
    json_t *event = json_object();
    put_text(event, "level", names[level]);
    put_text(event, "text", text);
    return event;
}
