/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/call.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/text.h"
#include "record/log_decision.h"

/* Columns of a value; more is cut with "…" (the whole is in the JSON). */
#define VALUE_COLUMNS 160

/* What has no words of its own: the fields of an event that a person wants to see, in order. */
static const struct {
    const char *event;
    const char *fields;
} shown_fields[] = {
    {"log_start", "console version pid resumes"},
    {"grant_restored", "grant grant_label"},
    {"log_removed", "console cause bytes lines head"},
    {"log_repaired", "torn_bytes not_anchored"},
    {"session_start", "session name origin peer_pid peer_exe"},
    {"session_end", "session"},
    {"context_changed", "session"},
    {"call_received", "argv cwd sandbox_permissions justification"},
    {"edited", "argv"},
    {"grant_ended", "grant why uses"},
    {"connection", "to outcome detail sent received"},
    {"conversation", "conversation"},
    {"layout", "zoomed"},
    {"notice", "level text"},
};

static const char *fields_of(const char *event)
{
    for (size_t i = 0; i < COUNT(shown_fields); i++)
        if (strcmp(shown_fields[i].event, event) == 0)
            return shown_fields[i].fields;
    return "";
}

static const char *text_of(json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static json_int_t number_of(json_t *event, const char *key)
{
    return json_integer_value(json_object_get(event, key));
}

static bool is_true(json_t *event, const char *key)
{
    return json_is_true(json_object_get(event, key));
}

static void add_safe(struct strbuf *out, const char *text)
{
    cleanup_free char *line = text_line(text, strlen(text), VALUE_COLUMNS);
    strbuf_addstr(out, line);
}

static void add_words(struct strbuf *out, json_t *list)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    char **words = NULL;
    json_t *object = json_pack("{s:O}", "words", list);
    json_get_strv_optional(object, "words", SIZE_MAX, &words, NULL);
    json_decref(object);
    if (words != NULL)
        text_quote_argv(&line, (const char *const *)words);
    strv_free(&words);
    add_safe(out, strbuf_str(&line));
}

bool log_line_says(json_t *value)
{
    if (json_is_string(value))
        return json_string_length(value) > 0;
    if (json_is_array(value))
        return json_array_size(value) > 0;
    return value != NULL && !json_is_null(value) && !json_is_false(value);
}

void log_line_value(struct strbuf *out, json_t *value)
{
    if (json_is_string(value)) {
        add_safe(out, json_string_value(value));
    } else if (json_is_array(value)) {
        add_words(out, value);
    } else {
        cleanup_free char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        if (text != NULL)
            add_safe(out, text);
    }
}

static void add_fields(struct strbuf *out, json_t *event, const char *fields)
{
    while (*fields != '\0') {
        size_t length = strcspn(fields, " ");
        cleanup_free char *name = xstrndup(fields, length);
        json_t *value = json_object_get(event, name);
        if (log_line_says(value)) {
            strbuf_addf(out, " %s=", name);
            log_line_value(out, value);
        }
        fields += length + strspn(fields + length, " ");
    }
}

/* ---- in words -------------------------------------------------------------------------------- */

/* ": because"; nothing where there is no such text. */
static void add_text(struct strbuf *out, json_t *event, const char *key)
{
    const char *text = text_of(event, key);
    if (*text == '\0')
        return;
    strbuf_addstr(out, ": ");
    add_safe(out, text);
}

static char *seconds_of(json_int_t milliseconds)
{
    return xasprintf("%" JSON_INTEGER_FORMAT ".%d", milliseconds / 1000,
                     (int)(milliseconds / 100 % 10));
}

static void add_requirement(struct strbuf *out, json_t *event)
{
    const char *kind = text_of(event, "requirement");
    strbuf_addstr(out, strcmp(kind, "skip") == 0        ? _("needs no question")
                       : strcmp(kind, "forbidden") == 0 ? _("is not allowed, and not asked about")
                                                        : _("has to be asked about"));
    if (is_true(event, "bypass_sandbox"))
        strbuf_addf(out, ", %s", _("no sandbox"));
    add_text(out, event, "reason");
    add_fields(out, event, "shadow");
}

static void add_assessment(struct strbuf *out, json_t *event)
{
    const char *level = text_of(event, "level");
    strbuf_addstr(out, strcmp(level, "high") == 0     ? _("risk high")
                       : strcmp(level, "medium") == 0 ? _("risk medium")
                                                      : _("risk low"));
    add_text(out, event, "description");
}

static void add_prompt(struct strbuf *out, json_t *event)
{
    strbuf_addstr(out, _("you are asked"));
    add_text(out, event, "reason");
}

static void add_decision(struct strbuf *out, json_t *event)
{
    cleanup_free char *words = log_decision_of(event);
    cleanup_free char *waited = seconds_of(number_of(event, "waited_ms"));
    strbuf_addstr(out, words);
    if (json_object_get(event, "waited_ms") != NULL)
        strbuf_addf(out, _(", after %s s"), waited);
    add_text(out, event, "message");
}

static void add_start(struct strbuf *out, json_t *event)
{
    strbuf_addstr(out, number_of(event, "attempt") > 1 ? _("runs again") : _("runs"));
    add_text(out, event, "under");
}

static void add_denied(struct strbuf *out, json_t *denied)
{
    if (!json_is_object(denied))
        return;
    strbuf_addstr(out, is_true(denied, "inferred") ? _("; the sandbox may have refused")
                                                   : _("; the sandbox refused"));
    add_text(out, denied, "cause");
    strbuf_addch(out, ' ');
    add_safe(out, text_of(denied, "path"));
}

static void add_end(struct strbuf *out, json_t *event)
{
    const char *outcome = text_of(event, "outcome");
    cleanup_free char *ran = seconds_of(number_of(event, "duration_ms"));
    cleanup_free char *paused = seconds_of(number_of(event, "paused_ms"));
    if (strcmp(outcome, "failed") == 0)
        strbuf_addstr(out, _("could not start"));
    else if (is_true(event, "timed_out"))
        strbuf_addstr(out, _("timed out"));
    else if (is_true(event, "cancelled"))
        strbuf_addstr(out, _("was stopped"));
    else if (strcmp(outcome, "signaled") == 0)
        strbuf_addf(out, _("was killed by signal %d"), (int)number_of(event, "signal"));
    else
        strbuf_addf(out, _("ended with exit status %d"), (int)number_of(event, "code"));
    strbuf_addf(out, _(", after %s s"), ran);
    if (number_of(event, "paused_ms") > 0)
        strbuf_addf(out, _(", and %s s in which it was frozen or waited for you"), paused);
    add_text(out, event, "failure");
    add_denied(out, json_object_get(event, "denied"));
}

const char *log_line_exit(json_t *finished)
{
    const char *decision = text_of(finished, "decision");
    json_int_t status = number_of(finished, "exit_status");
    bool refused = strcmp(decision, "denied") == 0 || strcmp(decision, "abort") == 0 ||
                   strcmp(decision, "timed_out") == 0;
    if (status == EXIT_STATUS_REFUSED && refused)
        return _(", denied");
    if (status == EXIT_STATUS_FAILED &&
        (number_of(finished, "attempts") == 0 || *text_of(finished, "failure") != '\0'))
        return _(", Assent could not run it");
    return "";
}

static void add_finished(struct strbuf *out, json_t *event)
{
    const char *by = text_of(event, "cancelled_by");
    strbuf_addf(out, _("is over: exit %d%s"), (int)number_of(event, "exit_status"),
                log_line_exit(event));
    if (strcmp(by, "operator") == 0)
        strbuf_addf(out, ", %s", _("stopped by you"));
    else if (strcmp(by, "client") == 0)
        strbuf_addf(out, ", %s", _("withdrawn by the client"));
    else if (*by != '\0')
        strbuf_addf(out, ", %s", _("the console ended"));
    add_text(out, event, "failure");
}

static const struct {
    const char *event;
    void (*add)(struct strbuf *out, json_t *event);
} worded[] = {
    {"requirement", add_requirement}, {"assessment", add_assessment}, {"prompt_shown", add_prompt},
    {"decision", add_decision},       {"attempt_start", add_start},   {"attempt_end", add_end},
    {"finished", add_finished},
};

void log_line_add(struct strbuf *out, json_t *event)
{
    json_t *call = json_object_get(event, "call");
    const char *name = text_of(event, "event");
    add_safe(out, text_of(event, "time"));
    if (json_is_integer(call))
        strbuf_addf(out, " c%" JSON_INTEGER_FORMAT, json_integer_value(call));
    strbuf_addch(out, ' ');
    for (size_t i = 0; i < COUNT(worded); i++)
        if (strcmp(worded[i].event, name) == 0) {
            worded[i].add(out, event);
            return;
        }
    add_safe(out, name);
    add_fields(out, event, fields_of(name));
}
