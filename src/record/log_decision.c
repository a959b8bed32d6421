/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_decision.h"

#include <inttypes.h>
#include <string.h>

#include "approval/call.h"
#include "approval/decision_words.h"
#include "base/alloc.h"
#include "base/i18n.h"

static const char *text_of(const json_t *event, const char *key)
{
    return json_string_value(json_object_get(event, key));
}

/* REVIEW_NONE: there is no such kind. */
static enum review_kind kind_of(const char *name)
{
    for (int kind = 0; kind <= REVIEW_LAST; kind++)
        if (strcmp(review_kind_name((enum review_kind)kind), name) == 0)
            return (enum review_kind)kind;
    return REVIEW_NONE;
}

static enum decision_source source_of(const char *name)
{
    for (int source = 0; source <= DECIDED_BY_LAST; source++)
        if (strcmp(decision_source_name((enum decision_source)source), name) == 0)
            return (enum decision_source)source;
    return DECIDED_BY_CONFIG;
}

static uint64_t number_of(const json_t *event, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(event, key));
    return number > 0 ? (uint64_t)number : 0;
}

static struct lease lease_of(const json_t *decided)
{
    const json_t *recorded = json_object_get(decided, "lease");
    const char *kind = text_of(recorded, "kind");
    struct lease lease = {.kind = LEASE_SESSION};
    for (int at = LEASE_SESSION; kind != NULL && at <= LEASE_CALL; at++)
        if (strcmp(lease_kind_name((enum lease_kind)at), kind) == 0)
            lease.kind = (enum lease_kind)at;
    lease.duration_ms = (int64_t)number_of(recorded, "duration_ms");
    lease.runs = number_of(recorded, "runs");
    lease.call = number_of(recorded, "call");
    return lease;
}

/* The operator stopped it, by itself or with others, before they answered. */
static bool stopped_unanswered(const struct log_call *call)
{
    bool refused = strcmp(call->decision, "denied") == 0 || strcmp(call->decision, "abort") == 0;
    return refused && json_is_true(json_object_get(call->finished, "cancelled"));
}

/* What such a call is refused with is none of the operator's words. */
bool log_decision_is_stop(const json_t *event)
{
    const char *source = text_of(event, "source"), *message = text_of(event, "message");
    return source != NULL && source_of(source) == DECIDED_BY_USER && message != NULL &&
           (strcmp(message, STOPPED_BY_OPERATOR) == 0 ||
            strcmp(message, AGENT_STOPPED_BY_OPERATOR) == 0);
}

/* Of an older record only the rule itself tells. */
static bool rule_lasts(const json_t *event)
{
    const char *rule = text_of(event, "rule");
    const json_t *lasts = json_object_get(event, "rule_lasts");
    return json_is_boolean(lasts) ? json_is_true(lasts)
                                  : rule == NULL || strstr(rule, "project_id=") != NULL;
}

bool log_decision_rule_lasts(const struct log_call *call)
{
    return rule_lasts(call->decided);
}

/* Of a decision alone nothing tells what it was about. */
static struct decided decided_of(const json_t *event, bool is_host)
{
    const char *kind = text_of(event, "kind");
    const char *source = text_of(event, "source");
    return (struct decided){
        .kind = kind_of(kind != NULL ? kind : ""),
        .source = source_of(source != NULL ? source : ""),
        .lease = lease_of(event),
        .host = is_host,
        .rule_lasts = rule_lasts(event),
        .alone = json_is_true(json_object_get(event, "alone")),
        .path = text_of(event, "path"),
        .offer = text_of(event, "offer"),
        .by_rule = text_of(event, "by_rule"),
    };
}

char *log_decision_of(const json_t *event)
{
    const struct decided decided = decided_of(event, false);
    if (log_decision_is_stop(event))
        return xstrdup(decision_words_stopped(false));
    cleanup_free char *words = decision_words(&decided);
    cleanup_free char *who = decision_words_by(&decided);
    return xasprintf("%s, %s", words, who);
}

static char *last_decision(const struct log_call *call)
{
    bool makes_rule = text_of(call->decided, "rule") != NULL;
    struct decided decided =
        decided_of(call->decided, json_is_object(json_object_get(call->received, "network")));
    decided.rule_gone = makes_rule && call->taken_back;
    decided.taken_back = !makes_rule && call->taken_back;
    decided.kind = kind_of(call->decision);
    decided.source = source_of(call->source);
    decided.changed = call->edited != NULL;
    decided.tried = call->tried;
    decided.covered_by = call->covered_by;
    cleanup_free char *words = decision_words(&decided);
    cleanup_free char *who = decision_words_by(&decided);
    /* What was allowed for longer covers the connections behind the first as well. */
    bool told = call->reached_by == call->host_by && call->reached_last_by == call->host_last_by;
    cleanup_free char *reached =
        told ? xstrdup("") : decision_words_reached(call->reached_by, call->reached_last_by);
    cleanup_free char *host = decision_words_host(call->host_by, call->host_last_by);
    return xasprintf("%s%s%s, %s%s%s%s%s", words, call->unsandboxed ? ", " : "",
                     call->unsandboxed ? _("no sandbox") : "", who, host, reached,
                     call->held_back ? ", " : "",
                     call->held_back ? _("but a host was denied") : "");
}

/* It came to no decision: there was nothing to run. NULL: there was. */
static const char *missing(const struct log_call *call)
{
    json_int_t status = json_integer_value(json_object_get(call->finished, "exit_status"));
    if (*call->decision != '\0')
        return NULL;
    return status == 127 ? _("not found") : status == 126 ? _("not executable") : NULL;
}

/* A host was asked for, and with its command the operator stopped the question. */
static bool command_was_stopped(const struct log_call *call)
{
    const char *failure = text_of(call->finished, "failure");
    return *call->decision == '\0' && failure != NULL &&
           strcmp(failure, REACH_COMMAND_STOPPED) == 0 &&
           json_is_object(json_object_get(call->received, "network"));
}

char *log_decision_words(const struct log_call *call)
{
    if (missing(call) != NULL)
        return xstrdup(missing(call));
    if (stopped_unanswered(call))
        return xstrdup(decision_words_stopped(call->tried));
    if (command_was_stopped(call))
        return xstrdup(_(REACH_COMMAND_STOPPED));
    if (*call->decision != '\0' && !call->open)
        return last_decision(call);
    return xasprintf("%s%s%s",
                     *call->decision != '\0' ? _("ran, second try undecided") : _("undecided"),
                     call->unsandboxed ? ", " : "", call->unsandboxed ? _("no sandbox") : "");
}
