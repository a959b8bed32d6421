/* SPDX-License-Identifier: MIT */
/* log_event: sessions, and what is about no call. */
#include "config.h"

#include "base/alloc.h"
#include "base/json.h"
#include "record/log_event-int.h"
#include "sandbox/policy.h"
#include "sandbox/select.h"

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
    log_put_text(value, "policy", approval_policy_name(policy->kind));
    if (policy->kind == APPROVAL_REJECT) {
        log_put_bool(value, "reject_sandbox_approval", policy->reject_sandbox_approval);
        log_put_bool(value, "reject_rules", policy->reject_rules);
        log_put_bool(value, "reject_elicitations", policy->reject_elicitations);
    }
    log_put_bool(value, "escalate_on_request", policy->escalate_on_request);
    log_put_bool(value, "first_covers_retry", policy->first_covers_retry);
    return value;
}

static json_t *context_value(const struct turn_context *context)
{
    json_t *value = json_object();
    cleanup_wording struct wording *summary = sandbox_policy_summary(context->sandbox);
    cleanup_free char *policy = sandbox_policy_canonical(context->sandbox);
    log_put(value, "approval", approval_value(&context->approval));
    log_put_text(value, "sandbox", wording_english(summary));
    log_put_text(value, "sandbox_policy", policy);
    log_put_text(value, "sandbox_preference", sandbox_preference_name(context->preference));
    log_put_bool(value, "network", context->sandbox->network);
    log_put_exact(value, "root", "root_b64", context->root);
    log_put_integer(value, "default_timeout_ms", context->default_timeout_ms);
    log_put_integer(value, "max_timeout_ms", context->max_timeout_ms);
    return value;
}

json_t *log_event_of_session(const struct session *session)
{
    json_t *event = json_object();
    log_put_text(event, "session", session->id);
    return event;
}

json_t *log_event_session_start(const struct session *session)
{
    json_t *event = log_event_of_session(session);
    log_put_text(event, "origin", origin_name(session->origin));
    log_put_text(event, "name", session->name);
    if (session->peer_pid > 0)
        log_put_integer(event, "peer_pid", session->peer_pid);
    log_put_text(event, "peer_exe", session->peer_exe);
    log_put(event, "context", context_value(session->context));
    return event;
}

json_t *log_event_session_end(const struct session *session)
{
    return log_event_of_session(session);
}

json_t *log_event_context(const struct session *session)
{
    json_t *event = log_event_of_session(session);
    log_put(event, "context", context_value(session->context));
    return event;
}

json_t *log_event_of_call(const struct call *call)
{
    json_t *event = log_event_of_session(call->session);
    log_put_integer(event, "call", (int64_t)call->id);
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
    log_put_text(event, "level", names[level]);
    log_put_masked(event, "text", text);
    return event;
}
