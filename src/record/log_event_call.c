/* SPDX-License-Identifier: MIT */
/* log_event_call: what was asked for, what ran, and how it ended. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "record/log_event-int.h"
#include "risk/mask.h"
#include "sandbox/select.h"

static json_t *additional_value(const struct additional_permissions *additional)
{
    json_t *value = json_object();
    log_put(value, "readable", log_value_list(additional->readable));
    log_put(value, "writable", log_value_list(additional->writable));
    log_put_bool(value, "network", additional->network);
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
    log_put_text(value, "name", client->name);
    if (client->pid > 0)
        log_put_integer(value, "pid", client->pid);
    log_put_text(value, "exe", client->exe);
    return value;
}

static void put_spec(json_t *event, const struct command_spec *spec)
{
    log_put_argv(event, spec->argv);
    log_put_exact(event, "cwd", "cwd_b64", spec->cwd);
    log_put_environment(event, spec->env);
    if (spec->timeout_ms > 0)
        log_put_integer(event, "timeout_ms", spec->timeout_ms);
    log_put_text(event, "sandbox_permissions", command_permissions_name(spec->permissions));
    if (spec->additional != NULL)
        log_put(event, "additional_permissions", additional_value(spec->additional));
    log_put_masked(event, "justification", spec->justification);
    log_put_bool(event, "tty", spec->tty);
    log_put_text(event, "stdin", stdin_name(spec->standard_input));
}

static json_t *reach_value(const struct reach *reach)
{
    json_t *value = json_object();
    log_put_text(value, "host", reach->host);
    log_put_text(value, "protocol", reach->protocol);
    log_put_integer(value, "port", reach->port);
    log_put_text(value, "leads_to", reach->special);
    log_put_text(value, "addresses", reach->addresses);
    log_put_integer(value, "command", (json_int_t)reach->command);
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
    mask_code(&text, patch, length < PATCH_MASKED_MAX ? length : PATCH_MASKED_MAX);
    size_t kept = text.length < PATCH_KEPT_MAX ? text.length : PATCH_KEPT_MAX;
    json_t *value = json_object();
    log_put_text(value, "sha256", hex);
    log_put_integer(value, "bytes", (json_int_t)length);
    log_put(value, "text", json_string_lossy(strbuf_str(&text), kept));
    log_put_bool(value, "cut", length > PATCH_MASKED_MAX || kept < text.length);
    return value;
}

json_t *log_event_call(const struct call *call)
{
    json_t *event = log_event_of_call(call);
    log_put_text(event, "tool", call_tool_name(call->tool));
    put_spec(event, call->spec);
    log_put_exact(event, "program", "program_b64", call->program);
    log_put_text(event, "agent_tool", call->agent_tool);
    if (call->reach != NULL)
        log_put(event, "network", reach_value(call->reach));
    if (call->patch != NULL)
        log_put(event, "patch", patch_value(call->patch));
    log_put(event, "client", client_value(&call->client));
    return event;
}

json_t *log_event_edit(const struct call *call)
{
    json_t *event = log_event_of_call(call);
    log_put_argv(event, call->spec->argv);
    log_put_exact(event, "program", "program_b64", call->program);
    return event;
}

static json_t *attempt_event(const struct call *call, unsigned attempt)
{
    json_t *event = log_event_of_call(call);
    log_put_integer(event, "attempt", (int64_t)attempt + 1);
    return event;
}

json_t *log_event_attempt_start(const struct call *call, unsigned attempt)
{
    json_t *event = attempt_event(call, attempt);
    log_put_text(event, "sandbox", attempt_sandbox_name(call->attempts[attempt].sandbox));
    log_put_text(event, "sandbox_type", sandbox_type_name(call->attempts[attempt].type));
    log_put_text(event, "under", wording_english(call->attempts[attempt].under));
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
    log_put_text(event, "outcome", outcome_name(result->outcome));
    log_put_integer(event, "code", result->code);
    if (result->signal != 0)
        log_put_integer(event, "signal", result->signal);
    log_put_bool(event, "timed_out", result->timed_out);
    log_put_bool(event, "cancelled", result->cancelled);
    log_put_integer(event, "duration_ms", result->duration_ms);
    if (result->paused_ms > 0)
        log_put_integer(event, "paused_ms", result->paused_ms);
    log_put_filled(event, "failure", result->failure);
    log_put_filled(event, "layers", result->layers);
    log_put_filled(event, "blocked", result->blocked);
    log_put_filled(event, "alarm", result->alarm);
}

static void put_output(json_t *event, const char *key, const struct output *output)
{
    if (output == NULL)
        return;
    json_t *value = json_object();
    cleanup_strbuf struct strbuf preview = STRBUF_INIT;
    output_preview(output, &preview);
    log_put_integer(value, "bytes", (int64_t)output_total(output));
    log_put_integer(value, "dropped", (int64_t)output_dropped(output));
    log_put_masked_bytes(value, "preview", strbuf_str(&preview), preview.length);
    log_put(event, key, value);
}

json_t *log_event_attempt_end(const struct call *call, unsigned attempt)
{
    const struct sandbox_denial *denial = call->attempts[attempt].denial;
    json_t *event = attempt_event(call, attempt);
    put_result(event, &call->attempts[attempt].result);
    if (denial != NULL) {
        json_t *value = json_object();
        log_put_bool(value, "inferred", denial->inferred);
        log_put_text(value, "cause", denial->cause);
        log_put_filled(value, "path", denial->path);
        log_put(event, "denied", value);
    }
    put_output(event, "output", call->output);
    put_output(event, "error_output", call->error_output);
    return event;
}

json_t *log_event_finished(const struct call *call)
{
    json_t *event = log_event_of_call(call);
    log_put_integer(event, "exit_status", call_exit_status(call));
    log_put_bool(event, "cancelled", call->cancelled);
    if (call->cancelled)
        log_put_text(event, "cancelled_by", canceller_name(call->cancelled_by));
    log_put_integer(event, "attempts", call->attempt_count);
    log_put_text(event, "decision", review_kind_name(call->decision.kind));
    log_put_masked(event, "failure", call->failure);
    return event;
}

json_t *log_event_connection(const struct call *call, const struct reach_connection *connection)
{
    json_t *event = log_event_of_call(call);
    log_put_masked(event, "to", connection->url);
    log_put_text(event, "outcome", connection->outcome);
    if (connection->detail[0] != '\0')
        log_put_text(event, "detail", connection->detail);
    log_put_text(event, "address", connection->address);
    log_put_integer(event, "sent", (json_int_t)connection->sent);
    log_put_integer(event, "received", (json_int_t)connection->received);
    log_put_integer(event, "duration_ms", connection->duration_ms);
    if (connection->covered_by != 0)
        log_put_integer(event, "covered_by", (json_int_t)connection->covered_by);
    if (connection->allowed_by != 0)
        log_put_integer(event, "allowed_by", (json_int_t)connection->allowed_by);
    return event;
}

json_t *log_event_conversation(const struct call *call, const char *id)
{
    json_t *event = log_event_of_call(call);
    log_put_text(event, "conversation", id);
    return event;
}

json_t *log_event_layout(const struct call *call, bool zoomed)
{
    json_t *event = log_event_of_call(call);
    log_put_bool(event, "zoomed", zoomed);
    return event;
}
