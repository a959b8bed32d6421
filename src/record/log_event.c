/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_event.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "risk/mask.h"
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

/* What an agent or a program says may hold a secret as well; errs towards masking. */
static void put_masked_bytes(json_t *object, const char *key, const char *bytes, size_t length)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    mask_secrets(&safe, bytes, length);
    put(object, key, json_string_lossy(strbuf_str(&safe), safe.length));
}

static void put_masked(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        put_masked_bytes(object, key, text, strlen(text));
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

/* Passwords and tokens in it are masked: the record outlives them. */
static void put_argv(json_t *object, char *const *argv)
{
    bool text = true, masked = false;
    json_t *list = json_array();
    for (char *const *word = argv; *word != NULL; word++) {
        cleanup_free char *safe = mask_word(word > argv ? word[-1] : "", *word);
        json_array_append_new(list, json_string_lossy(safe, strlen(safe)));
        text &= is_text(*word);
        masked |= strcmp(safe, *word) != 0;
    }
    put(object, "argv", list);
    if (text || masked)
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
        int length = (int)strcspn(*entries, "=");
        cleanup_free char *shown = names_secret(*entries, (size_t)length)
                                       ? xasprintf("%.*s=[redacted]", length, *entries)
                                       : mask_word("", *entries);
        json_array_append_new(list, json_string_lossy(shown, strlen(shown)));
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
    cleanup_wording struct wording *summary = sandbox_policy_summary(context->sandbox);
    cleanup_free char *policy = sandbox_policy_canonical(context->sandbox);
    put(value, "approval", approval_value(&context->approval));
    put_text(value, "sandbox", wording_english(summary));
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
    put_masked(event, "justification", spec->justification);
    put_bool(event, "tty", spec->tty);
    put_text(event, "stdin", stdin_name(spec->standard_input));
}

static json_t *reach_value(const struct reach *reach)
{
    json_t *value = json_object();
    put_text(value, "host", reach->host);
    put_text(value, "protocol", reach->protocol);
    put_integer(value, "port", reach->port);
    put_text(value, "leads_to", reach->special);
    put_text(value, "addresses", reach->addresses);
    put_integer(value, "command", (json_int_t)reach->command);
    return value;
}

#define PATCH_KEPT_MAX ((size_t)16 * 1024)
/* Looked at for secrets, so that one which the end of the kept text cuts is seen whole. */
#define PATCH_MASKED_MAX (PATCH_KEPT_MAX + 4096)

/* What was approved is told by the hash, what it said by as much of it as a record should hold. */
static json_t *patch_value(const char *patch)
{
    size_t length = strlen(patch);
    unsigned char hash[SHA256_SIZE];
    char hex[SHA256_HEX_SIZE];
    struct sha256 state;
    sha256_init(&state);
    sha256_add(&state, patch, length);
    sha256_finish(&state, hash);
    sha256_hex(hash, hex);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    mask_secrets(&text, patch, length < PATCH_MASKED_MAX ? length : PATCH_MASKED_MAX);
    size_t kept = text.length < PATCH_KEPT_MAX ? text.length : PATCH_KEPT_MAX;
    json_t *value = json_object();
    put_text(value, "sha256", hex);
    put_integer(value, "bytes", (json_int_t)length);
    put(value, "text", json_string_lossy(strbuf_str(&text), kept));
    put_bool(value, "cut", length > PATCH_MASKED_MAX || kept < text.length);
    return value;
}

json_t *log_event_call(const struct call *call)
{
    json_t *event = call_event(call);
    put_text(event, "tool", call_tool_name(call->tool));
    put_spec(event, call->spec);
    put_exact(event, "program", "program_b64", call->program);
    put_text(event, "agent_tool", call->agent_tool);
    if (call->reach != NULL)
        put(event, "network", reach_value(call->reach));
    if (call->patch != NULL)
        put(event, "patch", patch_value(call->patch));
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
    put_text(event, "reason", wording_english(requirement->reason));
    put_list(event, "amendment", requirement->amendment);
    if (requirement->shadow.rule != NULL) {
        json_t *shadow = json_object();
        put_text(shadow, "rule", requirement->shadow.rule);
        put_text(shadow, "requirement", requirement_name(requirement->shadow.kind));
        put_bool(shadow, "bypass_sandbox", requirement->shadow.bypass_sandbox);
        put(event, "shadow", shadow);
    }
    return event;
}

static json_t *categories_json(unsigned categories)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < RISK_CATEGORY_COUNT; i++)
        if (categories & 1U << i)
            json_array_append_new(list,
                                  json_string(risk_category_name((enum risk_category)(1U << i))));
    return list;
}

static json_t *opinion_json(const struct opinion *opinion)
{
    json_t *object = json_object();
    put_text(object, "status", opinion_status_name(opinion->status));
    if (opinion->status == OPINION_SUCCESS) {
        put_text(object, "level", risk_level_name(opinion->level));
        put(object, "categories", categories_json(opinion->categories));
        put_masked(object, "description", opinion->description);
    }
    if (opinion->latency_ms >= 0)
        put_integer(object, "latency_ms", opinion->latency_ms);
    return object;
}

json_t *log_event_assessment(const struct call *call)
{
    const struct assessment *assessment = &call->assessment;
    json_t *event = call_event(call);
    put_text(event, "level", risk_level_name(assessment->level));
    put(event, "categories", categories_json(assessment->categories));
    put_masked(event, "description", assessment->description);
    if (call->opinion.status != OPINION_NONE)
        put(event, "model", opinion_json(&call->opinion));
    return event;
}

json_t *log_event_edit(const struct call *call)
{
    json_t *event = call_event(call);
    put_argv(event, call->spec->argv);
    put_exact(event, "program", "program_b64", call->program);
    return event;
}

json_t *log_event_prompt(const struct call *call)
{
    const struct prompt *prompt = call->prompt;
    json_t *event = call_event(call);
    put_integer(event, "prompt", (int64_t)prompt->id);
    put_integer(event, "revision", prompt->revision);
    put_text(event, "cause", prompt_cause_name(prompt->cause));
    put_bool(event, "retry", prompt->retry);
    put_masked(event, "command", prompt->command);
    put_text(event, "reason", wording_english(prompt->reason));
    put_text(event, "under", wording_english(prompt->under));
    put_text(event, "sandbox", attempt_sandbox_name(prompt->sandbox));
    put_bool(event, "covers_retry", prompt->covers_retry);
    put_bool(event, "may_approve_for_session", prompt->may_approve_for_session);
    put_list(event, "amendment", prompt->amendment);
    put_text(event, "first_attempt", wording_english(prompt->first_attempt));
    put_text(event, "changed", wording_english(prompt->changed));
    return event;
}

static json_t *lease_value(const struct lease *lease)
{
    json_t *value = json_object();
    put_text(value, "kind", lease_kind_name(lease->kind));
    if (lease->kind == LEASE_TIME)
        put_integer(value, "duration_ms", lease->duration_ms);
    else if (lease->kind == LEASE_RUNS)
        put_integer(value, "runs", (json_int_t)lease->runs);
    else if (lease->kind == LEASE_CALL)
        put_integer(value, "call", (json_int_t)lease->call);
    return value;
}

json_t *log_event_grant_end(const struct session *session, const struct grant *grant,
                            enum grant_end end)
{
    json_t *event = session_event(session);
    put_integer(event, "call", (json_int_t)grant->call);
    put_integer(event, "grant", (json_int_t)grant->id);
    put_text(event, "why", grant_end_name(end));
    put_integer(event, "uses", (json_int_t)grant->uses);
    return event;
}

/* What was approved for the session, so that a later console can go on with it; nothing when there
 * is a secret in it. */
static void put_grant(json_t *event, const char *const *keys, const char *label)
{
    json_t *list = json_array();
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++) {
        cleanup_strbuf struct strbuf safe = STRBUF_INIT;
        mask_secrets(&safe, keys[i], strlen(keys[i]));
        if (strcmp(strbuf_str(&safe), keys[i]) != 0 || !is_text(keys[i])) {
            json_decref(list);
            return;
        }
        json_array_append_new(list, json_string(keys[i]));
    }
    put(event, "grant_keys", list);
    put_masked(event, "grant_label", label);
}

json_t *log_event_grant_restored(const struct session *session, const struct grant *grant)
{
    json_t *event = session_event(session);
    put_integer(event, "call", (int64_t)grant->call);
    put_integer(event, "grant", (int64_t)grant->id);
    put_grant(event, (const char *const[]){grant->key, NULL}, grant->label);
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
    if (decision->lease.kind != LEASE_SESSION)
        put(event, "lease", lease_value(&decision->lease));
    else if (prompt != NULL && decision->kind == REVIEW_APPROVED_FOR_SESSION)
        put_grant(event, (const char *const *)call->keys, prompt->command);
    if (prompt != NULL && decision->kind == REVIEW_APPROVED_AMENDMENT)
        put_list(event, "amendment", prompt->amendment);
    if (decision->offer > 0)
        put_masked(event, "offer", call->offers[decision->offer - 1].name);
    put_text(event, "rule", decision->rule);
    put_masked(event, "message", decision->message);
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
    put_text(event, "under", wording_english(call->attempts[attempt].under));
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
    cleanup_strbuf struct strbuf preview = STRBUF_INIT;
    output_preview(output, &preview);
    put_integer(value, "bytes", (int64_t)output_total(output));
    put_integer(value, "dropped", (int64_t)output_dropped(output));
    put_masked_bytes(value, "preview", strbuf_str(&preview), preview.length);
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
    if (call->cancelled)
        put_text(event, "cancelled_by", canceller_name(call->cancelled_by));
    put_integer(event, "attempts", call->attempt_count);
    put_text(event, "decision", review_kind_name(call->decision.kind));
    put_masked(event, "failure", call->failure);
    return event;
}

json_t *log_event_connection(const struct call *call, const struct reach_connection *connection)
{
    json_t *event = call_event(call);
    put_masked(event, "to", connection->url);
    put_text(event, "outcome", connection->outcome);
    if (connection->detail[0] != '\0')
        put_text(event, "detail", connection->detail);
    put_text(event, "address", connection->address);
    put_integer(event, "sent", (json_int_t)connection->sent);
    put_integer(event, "received", (json_int_t)connection->received);
    put_integer(event, "duration_ms", connection->duration_ms);
    return event;
}

json_t *log_event_conversation(const struct call *call, const char *id)
{
    json_t *event = call_event(call);
    put_text(event, "conversation", id);
    return event;
}

json_t *log_event_layout(const struct call *call, bool zoomed)
{
    json_t *event = call_event(call);
    put_bool(event, "zoomed", zoomed);
    return event;
}

json_t *log_event_notice(enum notice_level level, const char *text)
{
    static const char *const names[] = {
        [NOTICE_INFO] = "info",
        [NOTICE_WARNING] = "warning",
        [NOTICE_ALARM] = "alarm",
        [NOTICE_OPERATOR] = "operator",
    };
    json_t *event = json_object();
    put_text(event, "level", names[level]);
    put_masked(event, "text", text);
    return event;
}
