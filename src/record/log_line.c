/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/call.h"
#include "approval/decision_words.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/text.h"
#include "record/log_decision.h"

/* Columns of a value; more is cut with "…" (the whole is in the JSON). */
#define VALUE_COLUMNS 160

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

/* ", in the words that stand for the value"; nothing for a value that has none. */
static void add_word_of(struct strbuf *out, const char *value, const char *const (*words)[2],
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i][0], value) == 0)
            strbuf_addf(out, ", %s", _(words[i][1]));
}

/* ---- of the console and its sessions --------------------------------------------------------- */

static void add_console(struct strbuf *out, json_t *event)
{
    strbuf_addstr(out, _("the console starts"));
    add_text(out, event, "console");
    strbuf_addf(out, ", Assent ");
    add_safe(out, text_of(event, "version"));
    if (*text_of(event, "resumes") == '\0')
        return;
    strbuf_addf(out, ", %s", _("going on from"));
    add_text(out, event, "resumes");
}

static void add_console_end(struct strbuf *out, json_t *event)
{
    (void)event;
    strbuf_addstr(out, _("the console ended"));
}

static void add_removed(struct strbuf *out, json_t *event)
{
    static const char *const causes[][2] = {{"age", N_("it was too old")},
                                            {"size", N_("all together were too large")}};
    strbuf_addstr(out, _("an old record was removed"));
    add_text(out, event, "console");
    add_word_of(out, text_of(event, "cause"), causes, COUNT(causes));
}

static void add_repaired(struct strbuf *out, json_t *event)
{
    strbuf_addf(out, _("the record was mended: %" PRId64 " bytes of a torn line taken away"),
                (int64_t)number_of(event, "torn_bytes"));
    if (number_of(event, "not_anchored") > 0)
        strbuf_addf(out, _(", %" PRId64 " lines not proven"),
                    (int64_t)number_of(event, "not_anchored"));
}

/* As the console calls it. */
static void add_session(struct strbuf *out, json_t *event)
{
    const char *origin = text_of(event, "origin");
    json_int_t pid = number_of(event, "peer_pid");
    strbuf_addstr(out, _("a session begins"));
    if (strcmp(origin, "operator") == 0)
        strbuf_addf(out, ": %s", _("you"));
    else if (strcmp(origin, "default") == 0 && pid == 0)
        strbuf_addf(out, ": %s", _("all that use assent exec"));
    else
        add_text(out, event, "name");
    if (pid > 0)
        strbuf_addf(out, " (%" JSON_INTEGER_FORMAT ")", pid);
    if (*text_of(event, "peer_exe") != '\0')
        strbuf_addstr(out, ", ");
    add_safe(out, text_of(event, "peer_exe"));
    strbuf_addstr(out, ", ");
    add_safe(out, text_of(event, "session"));
}

static void add_session_end(struct strbuf *out, json_t *event)
{
    strbuf_addstr(out, _("the session ends"));
    add_text(out, event, "session");
}

static void add_context(struct strbuf *out, json_t *event)
{
    json_t *context = json_object_get(event, "context");
    strbuf_addstr(out, _("its policy changed"));
    add_text(out, json_object_get(context, "approval"), "policy");
    strbuf_addstr(out, ", ");
    add_safe(out, text_of(context, "sandbox"));
}

static void add_notice(struct strbuf *out, json_t *event)
{
    const char *level = text_of(event, "level");
    if (strcmp(level, "alarm") == 0)
        strbuf_addstr(out, _("alarm: "));
    else if (strcmp(level, "warning") == 0)
        strbuf_addstr(out, _("warning: "));
    add_safe(out, text_of(event, "text"));
}

/* ---- of calls -------------------------------------------------------------------------------- */

static void add_received(struct strbuf *out, json_t *event)
{
    static const char *const permissions[][2] = {
        {"require_escalated", N_("to run outside the sandbox")},
        {"with_additional_permissions", N_("with more than the sandbox gives")}};
    cleanup_strbuf struct strbuf words = STRBUF_INIT, directory = STRBUF_INIT;
    add_words(&words, json_object_get(event, "argv"));
    add_safe(&directory, text_of(event, "cwd"));
    cleanup_free char *asked =
        decision_words_asked(strbuf_str(&words), strcmp(text_of(event, "tool"), "network") == 0);
    strbuf_addf(out, _("is asked for: %s, in %s"), asked, strbuf_str(&directory));
    add_word_of(out, text_of(event, "sandbox_permissions"), permissions, COUNT(permissions));
    if (*text_of(event, "justification") != '\0')
        strbuf_addf(out, "; %s", _("the agent says"));
    add_text(out, event, "justification");
}

static void add_edited(struct strbuf *out, json_t *event)
{
    strbuf_addf(out, "%s: ", _("changed by you"));
    add_words(out, json_object_get(event, "argv"));
}

static void add_restored(struct strbuf *out, json_t *event)
{
    strbuf_addstr(out, _("goes on being allowed, from an earlier console"));
    add_text(out, event, "grant_label");
}

static void add_grant_end(struct strbuf *out, json_t *event)
{
    static const char *const reasons[][2] = {{"revoked", N_("you took it back")},
                                             {"time", N_("its time is over")},
                                             {"runs", N_("it was used as often")},
                                             {"call", N_("its call has ended")},
                                             {"files", N_("the files that it runs changed")},
                                             {"path", N_("its path changed")}};
    strbuf_addstr(out, _("is allowed no longer"));
    add_word_of(out, text_of(event, "why"), reasons, COUNT(reasons));
    add_text(out, event, "changed");
}

static void add_connection(struct strbuf *out, json_t *event)
{
    static const char *const outcomes[][2] = {
        {"passed", N_("let out")},
        {"denied", N_("denied")},
        {"failed", N_("it failed")},
        {"other_name", N_("refused: it named another host")},
        {"withdrawn", N_("given up before it was connected")}};
    json_int_t sent = number_of(event, "sent"), received = number_of(event, "received");
    json_int_t allowed = number_of(event, "allowed_by"), covered = number_of(event, "covered_by");
    strbuf_addstr(out, _("a connection"));
    add_text(out, event, "to");
    if (allowed > 0) {
        strbuf_addstr(out, ", ");
        strbuf_addf(out, _("allowed by you (c%" PRIu64 ")"), (uint64_t)allowed);
    } else if (covered > 0) {
        strbuf_addstr(out, ", ");
        strbuf_addf(out, _("covered by your answer to c%" PRIu64), (uint64_t)covered);
    }
    add_word_of(out, text_of(event, "outcome"), outcomes, COUNT(outcomes));
    add_text(out, event, "detail");
    if (sent + received > 0)
        strbuf_addf(out, _(", %" PRId64 " bytes sent, %" PRId64 " received"), (int64_t)sent,
                    (int64_t)received);
}

static void add_conversation(struct strbuf *out, json_t *event)
{
    strbuf_addstr(out, _("the agent's conversation"));
    add_text(out, event, "conversation");
}

static void add_layout(struct strbuf *out, json_t *event)
{
    strbuf_addstr(out, is_true(event, "zoomed") ? _("its pane takes the whole screen")
                                                : _("its pane is one of several again"));
}

static const char *requirement_words(json_t *value)
{
    const char *kind = text_of(value, "requirement");
    return strcmp(kind, "skip") == 0        ? _("needs no question")
           : strcmp(kind, "forbidden") == 0 ? _("is not allowed, and not asked about")
                                            : _("has to be asked about");
}

static void add_requirement(struct strbuf *out, json_t *event)
{
    json_t *shadow = json_object_get(event, "shadow");
    strbuf_addstr(out, requirement_words(event));
    if (is_true(event, "bypass_sandbox"))
        strbuf_addf(out, ", %s", _("no sandbox"));
    add_text(out, event, "reason");
    if (!json_is_object(shadow))
        return;
    strbuf_addf(out, "; %s: ", _("by a rule that only reports it"));
    strbuf_addstr(out, requirement_words(shadow));
    if (is_true(shadow, "bypass_sandbox"))
        strbuf_addf(out, ", %s", _("no sandbox"));
    add_text(out, shadow, "rule");
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
    if (strcmp(text_of(event, "message"), STOPPED_BY_OPERATOR) != 0) /* the words say so */
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

/* Who ended it; "" when it ended by itself. */
static const char *ended_by(json_t *finished)
{
    const char *by = text_of(finished, "cancelled_by");
    bool ran = number_of(finished, "attempts") > 0;
    if (strcmp(by, "operator") == 0)
        return _(", stopped by you");
    if (strcmp(by, "client") == 0)
        return ran ? _(", withdrawn by its client while it ran") : _(", withdrawn by its client");
    if (strcmp(by, "console") != 0)
        return "";
    /* The console also ends what it cannot hold any longer, and lives on. */
    return strcmp(text_of(finished, "failure"), ENDED_WITH_CONSOLE) == 0
               ? _(", ended with the console")
               : _(", ended by the console");
}

bool log_line_exit_denies(json_t *finished)
{
    const char *decision = text_of(finished, "decision");
    return number_of(finished, "exit_status") == EXIT_STATUS_REFUSED &&
           (strcmp(decision, "denied") == 0 || strcmp(decision, "abort") == 0 ||
            strcmp(decision, "timed_out") == 0);
}

const char *log_line_exit(json_t *finished)
{
    const char *by = ended_by(finished);
    if (*by == '\0' && number_of(finished, "exit_status") == EXIT_STATUS_FAILED &&
        (number_of(finished, "attempts") == 0 || *text_of(finished, "failure") != '\0'))
        return _(", Assent could not run it");
    return by;
}

static void add_finished(struct strbuf *out, json_t *event)
{
    bool stopped = strcmp(text_of(event, "cancelled_by"), "operator") == 0;
    if (log_line_exit_denies(event)) /* its agent was told a status that no program ended with */
        strbuf_addstr(out, stopped ? _("is over: stopped by you") : _("is over: denied"));
    else
        strbuf_addf(out, _("is over: exit %d%s"), (int)number_of(event, "exit_status"),
                    log_line_exit(event));
    add_text(out, event, "failure");
}

/* What has words, and which fields they tell. */
static const struct {
    const char *event;
    void (*add)(struct strbuf *out, json_t *event);
    const char *told;
} worded[] = {
    {"log_start", add_console, " console version resumes "},
    {"log_end", add_console_end, ""},
    {"log_removed", add_removed, " console cause "},
    {"log_repaired", add_repaired, " torn_bytes not_anchored "},
    {"session_start", add_session, " origin name peer_pid peer_exe "},
    {"session_end", add_session_end, ""},
    {"context_changed", add_context, ""},
    {"notice", add_notice, " level text "},
    {"call_received", add_received, " argv cwd sandbox_permissions justification "},
    {"edited", add_edited, " argv "},
    {"requirement", add_requirement, " requirement bypass_sandbox reason shadow "},
    {"assessment", add_assessment, " level description "},
    {"prompt_shown", add_prompt, " cause retry reason sandbox "},
    {"decision", add_decision,
     " kind source by_rule waited_ms message lease alone rule_lasts path offer "},
    {"grant_restored", add_restored, " grant_label "},
    {"grant_ended", add_grant_end, " why changed "},
    {"attempt_start", add_start, " attempt sandbox under "},
    {"attempt_end", add_end,
     " attempt outcome code signal timed_out cancelled duration_ms paused_ms failure denied "},
    {"finished", add_finished, " exit_status cancelled cancelled_by decision failure "},
    {"connection", add_connection, " to allowed_by covered_by outcome detail sent received "},
    {"conversation", add_conversation, " conversation "},
    {"layout", add_layout, " zoomed "},
};

const char *log_line_words(struct strbuf *out, json_t *event)
{
    const char *name = text_of(event, "event");
    for (size_t i = 0; i < COUNT(worded); i++)
        if (strcmp(worded[i].event, name) == 0) {
            worded[i].add(out, event);
            return worded[i].told;
        }
    add_safe(out, name);
    return "";
}

void log_line_add(struct strbuf *out, json_t *event)
{
    json_t *call = json_object_get(event, "call");
    add_safe(out, text_of(event, "time"));
    if (json_is_integer(call))
        strbuf_addf(out, " c%" JSON_INTEGER_FORMAT, json_integer_value(call));
    strbuf_addch(out, ' ');
    (void)log_line_words(out, event);
}
