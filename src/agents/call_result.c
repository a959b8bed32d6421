/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/call_result.h"

#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"

static json_t *string_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_string_lossy(text, strlen(text)) : json_null();
}

static const struct attempt *last_attempt(const struct call *call)
{
    return call->attempt_count > 0 ? &call->attempts[call->attempt_count - 1] : NULL;
}

static bool was_refused(const struct call *call)
{
    enum review_kind kind = call->decision.kind;
    return kind == REVIEW_DENIED || kind == REVIEW_ABORT || kind == REVIEW_TIMED_OUT ||
           (call->requirement.kind == REQUIREMENT_FORBIDDEN && call->attempt_count == 0);
}

static const char *outcome_name(const struct call *call)
{
    const struct attempt *attempt = last_attempt(call);
    if (call->cancelled)
        return "cancelled";
    if (was_refused(call))
        return "refused";
    if (call->agent_tool != NULL && call->failure == NULL)
        return "allowed";
    if (attempt == NULL || attempt->result.outcome == RUN_FAILED)
        return "failed";
    return attempt->result.outcome == RUN_SIGNALED ? "signaled" : "exited";
}

static json_t *signal_number(const struct attempt *attempt)
{
    bool signaled = attempt != NULL && attempt->result.outcome == RUN_SIGNALED;
    return signaled ? json_integer(attempt->result.signal) : json_null();
}

static json_t *decision_object(const struct call *call)
{
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(review_kind_name(call->decision.kind)));
    json_object_set_new(object, "source",
                        call->decision.kind == REVIEW_NONE
                            ? json_null() /* nobody was asked, nothing decided */
                            : json_string(decision_source_name(call->decision.source)));
    json_object_set_new(object, "message", string_or_null(call->decision.message));
    if (call->decision.offer > 0)
        json_object_set_new(object, "offer", json_integer((json_int_t)call->decision.offer - 1));
    return object;
}

/* What ran in place of what was asked for; NULL: nothing did. What came of the last change may have
 * been denied, and what ran before that is then what the agent is to know. */
static char *const *changed_argv(const struct call *call)
{
    const struct attempt *first = &call->attempts[0];
    if (call->asked_command == NULL || call->attempt_count == 0)
        return NULL;
    if (first->command == NULL || call->attempt_count == 2)
        return call->spec->argv;
    return strcmp(first->command, call->asked_command) != 0 ? first->argv : NULL;
}

/* What the operator made of the command, when that has run. */
static json_t *edited_object(const struct call *call)
{
    const char *first = call->attempts[0].command;
    char *const *argv = changed_argv(call);
    if (argv == NULL)
        return json_null();
    bool second_try = first != NULL && call->attempt_count == 2;
    json_t *words = json_array();
    for (char *const *word = argv; *word != NULL; word++)
        json_array_append_new(words, json_string_lossy(*word, strlen(*word)));
    json_t *object = json_pack("{s:o, s:b}", "argv", words, "second_try", second_try);
    if (second_try && strcmp(first, call->asked_command) != 0)
        json_object_set_new(object, "first_try", json_string_lossy(first, strlen(first)));
    return object;
}

static json_t *denial_object(const struct attempt *attempt)
{
    if (attempt == NULL || attempt->denial == NULL)
        return json_null();
    const struct sandbox_denial *denial = attempt->denial;
    cleanup_strbuf struct strbuf reason = STRBUF_INIT;
    /* A path, of which it is not known what was done to it. */
    bool alone = denial->path[0] != '\0' && strcmp(denial->cause, "file system") == 0;
    strbuf_addstr(&reason, alone ? "access to" : denial->cause);
    if (denial->path[0] != '\0')
        strbuf_addf(&reason, "%s%s", reason.length > 0 ? " " : "", denial->path);
    json_t *object = json_object();
    json_object_set_new(object, "reason", string_or_null(strbuf_str(&reason)));
    json_object_set_new(object, "inferred", json_boolean(denial->inferred));
    return object;
}

/* Where it was not let connect to, and why; or who said so. */
static json_t *text_array(char *const *texts)
{
    json_t *array = json_array();
    for (char *const *line = texts; line != NULL && *line != NULL; line++)
        json_array_append_new(array, json_string_lossy(*line, strlen(*line)));
    return array;
}

/* What it did at its first try is done: it must not be taken for one that never ran. */
#define SECOND_STOPPED_BY_OPERATOR                                                                 \
    "it ran in the sandbox, and its second try was stopped by the operator"

static const char *failure_text(const struct call *call)
{
    const struct attempt *attempt = last_attempt(call);
    if (call->failure != NULL)
        return call->failure;
    if (call->cancelled && call->cancelled_by == CANCELLED_BY_OPERATOR)
        return attempt != NULL && was_refused(call) ? SECOND_STOPPED_BY_OPERATOR
                                                    : STOPPED_BY_OPERATOR;
    if (attempt != NULL && attempt->result.outcome == RUN_FAILED)
        return attempt->result.failure;
    /* Why it was asked is no reason that the operator gave. */
    if (was_refused(call) && call->decision.message == NULL &&
        call->decision.source != DECIDED_BY_USER && call->decision.source != DECIDED_BY_CLIENT)
        return wording_english(call->requirement.reason);
    return NULL;
}

/* Adds the bounded text of one stream to `all` as well; null when there is no such stream. */
static json_t *stream_text(const struct output *output, struct strbuf *all, bool *truncated)
{
    if (output == NULL)
        return json_null();
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    bool cut = false;
    output_for_agent(output, &text, &cut);
    *truncated |= cut;
    strbuf_add(all, strbuf_str(&text), text.length);
    return json_string_lossy(strbuf_str(&text), text.length);
}

/* The streams were bounded one by one: their sum is at most twice the limit. */
static json_t *output_object(const struct call *call)
{
    bool truncated = false;
    cleanup_strbuf struct strbuf all = STRBUF_INIT;
    json_t *object = json_object();
    json_object_set_new(object, "stdout", stream_text(call->output, &all, &truncated));
    json_object_set_new(object, "stderr", stream_text(call->error_output, &all, &truncated));
    json_object_set_new(object, "aggregated", json_string_lossy(strbuf_str(&all), all.length));
    json_object_set_new(object, "truncated", json_boolean(truncated));
    return object;
}

/* Names, with "/" between; null when there are none. */
static json_t *names_array(const char *names)
{
    if (names == NULL)
        return json_null();
    json_t *array = json_array();
    while (*names != '\0') {
        size_t length = strcspn(names, "/");
        json_array_append_new(array, json_string_lossy(names, length));
        names += length + (names[length] == '/');
    }
    return array;
}

/* Where it was let connect to, but could not be reached. */
static json_t *failures_array(const struct call *call)
{
    json_t *array = json_array();
    for (size_t i = 0; i < call->failure_count; i++) {
        json_t *host = json_object();
        json_object_set_new(host, "to", string_or_null(call->failures[i].url));
        json_object_set_new(host, "why", string_or_null(call->failures[i].why));
        json_array_append_new(array, host);
    }
    return array;
}

json_t *call_result_new(const struct call *call)
{
    const struct attempt *attempt = last_attempt(call);
    json_t *result = json_object();
    json_object_set_new(result, "outcome", json_string(outcome_name(call)));
    json_object_set_new(result, "exit_code", json_integer(call_exit_status(call)));
    json_object_set_new(result, "signal", signal_number(attempt));
    json_object_set_new(result, "timed_out",
                        json_boolean(attempt != NULL && attempt->result.timed_out));
    json_object_set_new(result, "duration_ms",
                        json_integer(attempt != NULL ? attempt->result.duration_ms : 0));
    json_object_set_new(result, "sandbox",
                        string_or_null(attempt != NULL ? wording_english(attempt->under) : NULL));
    json_object_set_new(result, "decision", decision_object(call));
    json_object_set_new(result, "denied", denial_object(attempt));
    json_object_set_new(result, "git_config_kept",
                        json_boolean(attempt != NULL && attempt->git_config_kept));
    json_object_set_new(result, "push_stopped",
                        string_or_null(attempt != NULL ? attempt->push_stopped : NULL));
    json_object_set_new(result, "nobody_listened",
                        json_boolean(attempt != NULL && attempt->nobody_listened));
    json_object_set_new(result, "placeholders", names_array(call->listed));
    json_object_set_new(result, "unreached", text_array(call->unreached));
    json_object_set_new(result, "unreached_by", text_array(call->unreached_by));
    json_object_set_new(result, "unconnected", failures_array(call));
    json_object_set_new(result, "failure", string_or_null(failure_text(call)));
    json_object_set_new(result, "attempts", json_integer(call->attempt_count));
    json_object_set_new(result, "edited", edited_object(call));
    json_object_set_new(result, "output", output_object(call));
    return result;
}
