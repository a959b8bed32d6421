/* SPDX-License-Identifier: MIT */
/* log_event_decision: what a call requires, how it was judged, what was asked, answered, granted.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "record/log_event-int.h"
#include "risk/mask.h"

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
    json_t *event = log_event_of_call(call);
    log_put_text(event, "requirement", requirement_name(requirement->kind));
    log_put_bool(event, "bypass_sandbox", requirement->bypass_sandbox);
    log_put_text(event, "reason", wording_english(requirement->reason));
    log_put_words(event, "amendment", requirement->amendment);
    if (requirement->shadow.rule != NULL) {
        json_t *shadow = json_object();
        log_put_text(shadow, "rule", requirement->shadow.rule);
        log_put_text(shadow, "requirement", requirement_name(requirement->shadow.kind));
        log_put_bool(shadow, "bypass_sandbox", requirement->shadow.bypass_sandbox);
        log_put(event, "shadow", shadow);
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

/* What a description takes from a command is cut out of its place there, by which alone a password
 * is known: words that the command shows masked only are masked. */
static void put_description(json_t *object, const struct call *call, const char *text)
{
    if (text == NULL)
        return;
    cleanup_strbuf struct strbuf command = STRBUF_INIT, safe = STRBUF_INIT;
    text_quote_argv(&command, (const char *const *)call->spec->argv);
    mask_told(&safe, text, strbuf_str(&command));
    log_put_masked(object, "description", strbuf_str(&safe));
}

static json_t *opinion_json(const struct call *call)
{
    const struct opinion *opinion = &call->opinion;
    json_t *object = json_object();
    log_put_text(object, "status", opinion_status_name(opinion->status));
    if (opinion->status == OPINION_SUCCESS) {
        log_put_text(object, "level", risk_level_name(opinion->level));
        log_put(object, "categories", categories_json(opinion->categories));
        put_description(object, call, opinion->description);
    }
    if (opinion->latency_ms >= 0)
        log_put_integer(object, "latency_ms", opinion->latency_ms);
    return object;
}

json_t *log_event_assessment(const struct call *call)
{
    const struct assessment *assessment = &call->assessment;
    json_t *event = log_event_of_call(call);
    log_put_text(event, "level", risk_level_name(assessment->level));
    log_put(event, "categories", categories_json(assessment->categories));
    put_description(event, call, assessment->description);
    if (*assessment->worst.file != '\0') {
        log_put_text(event, "script", assessment->worst.file);
        log_put_integer(event, "script_line", (json_int_t)assessment->worst.line);
    }
    if (call->opinion.status != OPINION_NONE)
        log_put(event, "model", opinion_json(call));
    return event;
}

/* What they said can be looked for; it may hold what does not belong here. */
static json_t *scripts_value(const struct prompt *prompt)
{
    json_t *list = json_array();
    for (size_t i = 0; i < prompt->script_count; i++) {
        json_t *script = json_object();
        log_put_text(script, "path", prompt->scripts[i].path);
        log_put_filled(script, "sha256", prompt->scripts[i].sha256);
        json_array_append_new(list, script);
    }
    return list;
}

json_t *log_event_prompt(const struct call *call)
{
    const struct prompt *prompt = call->prompt;
    json_t *event = log_event_of_call(call);
    log_put_integer(event, "prompt", (int64_t)prompt->id);
    log_put_integer(event, "revision", prompt->revision);
    log_put_text(event, "cause", prompt_cause_name(prompt->cause));
    log_put_bool(event, "retry", prompt->retry);
    log_put_command(event, "command", prompt->command);
    log_put_text(event, "reason", wording_english(prompt->reason));
    log_put_text(event, "under", wording_english(prompt->under));
    log_put_text(event, "sandbox", attempt_sandbox_name(prompt->sandbox));
    log_put_bool(event, "covers_retry", prompt->covers_retry);
    log_put_bool(event, "may_sandbox", prompt->may_sandbox);
    log_put_text(event, "path", prompt->path);
    log_put_bool(event, "path_may_last", prompt->path_may_last);
    log_put_bool(event, "may_approve_for_session", prompt->may_approve_for_session);
    log_put_words(event, "amendment", prompt->amendment);
    log_put_text(event, "first_attempt", wording_english(prompt->first_attempt));
    log_put_text(event, "changed", wording_english(prompt->changed));
    if (prompt->script_count > 0)
        log_put(event, "scripts", scripts_value(prompt));
    return event;
}

static json_t *lease_value(const struct lease *lease)
{
    json_t *value = json_object();
    log_put_text(value, "kind", lease_kind_name(lease->kind));
    if (lease->kind == LEASE_TIME)
        log_put_integer(value, "duration_ms", lease->duration_ms);
    else if (lease->kind == LEASE_RUNS)
        log_put_integer(value, "runs", (json_int_t)lease->runs);
    else if (lease->kind == LEASE_CALL)
        log_put_integer(value, "call", (json_int_t)lease->call);
    return value;
}

/* What was approved for the session, so that a later console can go on with it; nothing when there
 * is a secret in it. */
static void put_grant(json_t *event, const char *const *keys, const char *label, const char *files)
{
    json_t *list = json_array();
    cleanup_strbuf struct strbuf command = STRBUF_INIT;
    /* What a value is of is told by the word before it, which the keys have as a string of its own.
     */
    if (label != NULL)
        mask_command(&command, label, strlen(label));
    if (label != NULL && strcmp(strbuf_str(&command), label) != 0) {
        json_decref(list);
        return;
    }
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++) {
        cleanup_strbuf struct strbuf safe = STRBUF_INIT;
        mask_code(&safe, keys[i], strlen(keys[i]));
        if (strcmp(strbuf_str(&safe), keys[i]) != 0 || !log_value_is_text(keys[i])) {
            json_decref(list);
            return;
        }
        json_array_append_new(list, json_string(keys[i]));
    }
    log_put(event, "grant_keys", list);
    log_put_command(event, "grant_label", label);
    log_put_text(event, "grant_files", files);
}

json_t *log_event_grant_restored(const struct session *session, const struct grant *grant)
{
    json_t *event = log_event_of_session(session);
    log_put_integer(event, "call", (int64_t)grant->call);
    log_put_integer(event, "grant", (int64_t)grant->id);
    put_grant(event, (const char *const[]){grant->key, NULL}, grant->label, grant->files);
    return event;
}

json_t *log_event_grant_end(const struct session *session, const struct grant *grant,
                            enum grant_end end)
{
    json_t *event = log_event_of_session(session);
    log_put_integer(event, "call", (json_int_t)grant->call);
    log_put_integer(event, "grant", (json_int_t)grant->id);
    log_put_text(event, "why", grant_end_name(end));
    log_put_masked(event, "changed", grant->changed);
    log_put_integer(event, "uses", (json_int_t)grant->uses);
    return event;
}

/* NULL when none is known. */
static const char *files_of_grant(const struct call *call)
{
    const struct grant *grant = grants_find_id(call->session->grants, call->decision.grant_id);
    return grant != NULL ? grant->files : NULL;
}

json_t *log_event_decision(const struct call *call, const struct prompt *prompt)
{
    const struct review_decision *decision = &call->decision;
    json_t *event = log_event_of_call(call);
    if (prompt != NULL) {
        log_put_integer(event, "prompt", (int64_t)prompt->id);
        log_put_integer(event, "revision", prompt->revision);
        log_put_integer(event, "waited_ms", decision->waited_ms);
    }
    log_put_text(event, "kind", review_kind_name(decision->kind));
    log_put_text(event, "source", decision_source_name(decision->source));
    if (decision->source == DECIDED_BY_RULE)
        log_put_text(event, "by_rule", call->requirement.rule);
    if (decision->alone)
        log_put_bool(event, "alone", true);
    if (decision->grant_id != 0)
        log_put_integer(event, "grant", (int64_t)decision->grant_id);
    if (decision->lease.kind != LEASE_SESSION)
        log_put(event, "lease", lease_value(&decision->lease));
    else if (prompt != NULL && (decision->kind == REVIEW_APPROVED_FOR_SESSION ||
                                decision->kind == REVIEW_APPROVED_PATH_FOR_SESSION))
        put_grant(event, (const char *const *)call->keys, prompt->command, files_of_grant(call));
    if (prompt != NULL && decision->kind == REVIEW_APPROVED_AMENDMENT)
        log_put_words(event, "amendment", prompt->amendment);
    if (decision->offer > 0)
        log_put_masked(event, "offer", call->offers[decision->offer - 1].name);
    log_put_text(event, "rule", decision->rule);
    if (decision->rule != NULL)
        log_put_bool(event, "rule_lasts", decision->rule_lasts);
    log_put_text(event, "path", decision->path);
    if (call->secret_words && decision->message != NULL && !call->cancelled) /* by the operator */
        log_put_text(event, "message", MASK_SIGN);
    else
        log_put_masked(event, "message", decision->message);
    return event;
}
