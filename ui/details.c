/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/details.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "approval/config_kept.h"
#include "approval/decision_words.h"
#include "approval/listed.h"
#include "approval/orchestrator.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/loader.h"
#include "risk/mask.h"
#include "run/output.h"
#include "ui/approval_again.h"
#include "ui/approval_content.h"
#include "ui/approval_words.h"
#include "ui/call_text.h"
#include "ui/clients_text.h"
#include "ui/decision_text.h"
#include "ui/git_text.h"
#include "ui/holding.h"
#include "ui/lease_text.h"
#include "ui/operator_agent.h"

#define NAME_COLUMNS 60     /* of whose commands a host is for, and of who asked for one */
#define COMMAND_COLUMNS 200 /* of one beside others */

/* Every blank of it counts. */
static void add_raw(struct document *document, const char *heading, const char *words)
{
    document_add_foreign(document, heading, DOCUMENT_UNTRUSTED, THEME_OVERLAY_TEXT, words);
}

/* Words to read, whoever wrote them. */
static void add_prose(struct document *document, const char *heading, const char *words)
{
    document_add_foreign(document, heading, DOCUMENT_QUOTED, THEME_OVERLAY_TEXT, words);
}

/* As much of it as fits beside our words, of its first line. */
static void add_excerpt(struct strbuf *text, const char *words, size_t length)
{
    enum { EXCERPT_BYTES = 60 };
    size_t shown = 0;

    while (shown < length && words[shown] != '\n' && shown < EXCERPT_BYTES)
        shown++;
    while (shown > 0 && shown < length && ((unsigned char)words[shown] & 0xc0) == 0x80)
        shown--;
    text_escape(text, words, shown, TEXT_PLAIN_AGENT);
    if (shown < length)
        strbuf_addstr(text, " …");
}

static int by_place(const void *a, const void *b)
{
    const struct risk_evidence *one = a, *other = b;

    return one->start != other->start ? (one->start > other->start ? 1 : -1)
                                      : (int)other->level - (int)one->level;
}

/* "line 59: deletes files: rm -rf ~/.cache/x", in the order of the lines. */
static void add_evidence(struct document *document, const struct call *call)
{
    const struct assessment *assessment = &call->assessment;
    const char *line = call->line != NULL ? call->line : "";
    struct risk_evidence sorted[RISK_EVIDENCE_MAX];
    struct strbuf text = STRBUF_INIT;

    memcpy(sorted, assessment->evidence, sizeof(sorted));
    qsort(sorted, assessment->evidence_count, sizeof(*sorted), by_place);
    for (size_t i = 0; i < assessment->evidence_count; i++) {
        const struct risk_evidence *evidence = &sorted[i];

        if (evidence->end > strlen(line) || evidence->start >= evidence->end)
            continue;
        strbuf_addstr(&text, text.length > 0 ? "\n" : "");
        size_t number = call_text_line_number(call, evidence->start);
        if (number > 0)
            strbuf_addf(&text, _("line %zu: "), number);
        strbuf_addf(&text, "%s: ", _(evidence->why));
        add_excerpt(&text, line + evidence->start, evidence->end - evidence->start);
    }
    if (text.length > 0 && assessment->evidence_more)
        strbuf_addf(&text, "\n%s", _("and more, which is no graver than these"));
    if (text.length > 0)
        document_add(document, _("What the risk was judged by"), DOCUMENT_QUOTED,
                     THEME_OVERLAY_TEXT, strbuf_str(&text));
    strbuf_free(&text);
}

/* argv word by word: quoting can hide where one ends. A host is no command. */
static void add_words(struct document *document, const struct call *call)
{
    struct strbuf text = STRBUF_INIT;

    if (call->reach != NULL)
        return;
    for (size_t i = 0; call->spec->argv[i] != NULL; i++) {
        const char *word = call->spec->argv[i];

        strbuf_addf(&text, "%s%zu  ", i > 0 ? "\n" : "", i);
        text_escape(&text, word, strlen(word), TEXT_PLAIN_AGENT);
    }
    document_add(document, _("Word by word"), DOCUMENT_UNTRUSTED, THEME_OVERLAY_TEXT,
                 strbuf_str(&text));
    strbuf_free(&text);
}

static void add_wording(struct document *document, const char *heading,
                        const struct wording *wording)
{
    cleanup_free char *text = i18n_wording(wording);

    add_prose(document, heading, text);
}

/* The end of what the first try wrote: what it was stopped at stands there. */
#define FIRST_OUTPUT_BYTES ((size_t)16 * 1024)

static void add_output(struct document *document, const char *heading, const struct output *output)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    uint64_t total = output != NULL ? output_total(output) : 0;
    uint64_t position = total > FIRST_OUTPUT_BYTES ? total - FIRST_OUTPUT_BYTES : 0;
    uint64_t skipped;
    char bytes[4096];
    size_t length;

    if (position > 0)
        strbuf_addf(&text, _("[%" PRIu64 " bytes before this]\n"), position);
    while (output != NULL &&
           (length = output_read(output, &position, bytes, sizeof(bytes), &skipped)) > 0)
        for (size_t i = 0; i < length; i++)
            if (bytes[i] != '\r' && bytes[i] != '\0')
                strbuf_addch(&text, bytes[i]);
    if (text.length > 0 && text.data[text.length - 1] == '\n')
        text.data[--text.length] = '\0';
    add_raw(document, heading, strbuf_str(&text));
}

static void add_first_output(struct document *document, const struct call *call)
{
    if (!call->prompt->retry)
        return;
    add_output(document, _("What the first try wrote"), call->output);
    add_output(document, _("What it wrote to standard error"), call->error_output);
}

static bool is_shown(const struct prompt_script *script)
{
    return script->text != NULL && *script->text != '\0';
}

static size_t seen_at(size_t script)
{
    return script < DETAILS_SCRIPTS_MAX ? script : DETAILS_SCRIPTS_MAX - 1;
}

bool details_scripts_seen(const struct prompt *prompt, const bool seen[DETAILS_SCRIPTS_MAX])
{
    for (size_t i = 0; i < prompt->script_count; i++)
        if (is_shown(&prompt->scripts[i]) && !seen[seen_at(i)])
            return false;
    return true;
}

/* What would run where no sandbox holds it. */
static void add_scripts(struct document *document, const struct call *call, bool *seen)
{
    for (size_t i = 0; i < call->prompt->script_count; i++) {
        const struct prompt_script *script = &call->prompt->scripts[i];
        const char *path = call_text_script_path(call, script);
        cleanup_strbuf struct strbuf name = STRBUF_INIT;
        cleanup_free char *heading = NULL, *text = NULL;
        size_t length = script->text != NULL ? strlen(script->text) : 0;

        text =
            length > 0 ? xstrndup(script->text, length - (script->text[length - 1] == '\n')) : NULL;
        text_escape(&name, path, strlen(path), TEXT_PLAIN_AGENT);
        heading = xasprintf(_("What %s says"), strbuf_str(&name));
        add_raw(document, heading, text);
        if (is_shown(script) && seen != NULL)
            document_watch(document, &seen[seen_at(i)]);
    }
}

/* A program of that kind finds code by itself: that no file is named needs a word. */
static void add_unnamed(struct document *document, const struct call *call)
{
    const struct prompt *prompt = call->prompt;

    if (prompt->once_reason != NULL && loader_reads_code(prompt->once_reason) &&
        prompt->script_count == 0 && !prompt->script_unknown)
        document_add(document, _("Script"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
                     _("the command names no file that it runs; which ones it will run can only be "
                       "seen once it runs"));
}

/* The rules that the request could be made into, as they would be written. */
static void add_ladder(struct document *document, const struct ladder *ladder, bool *seen)
{
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; ladder != NULL && i < ladder->count; i++) {
        cleanup_free char *rule = ladder_rule(ladder, i, LADDER_PROJECT);
        const char *refused = ladder->steps[i].refused;

        strbuf_addstr(&text, i > 0 ? "\n" : "");
        if (refused != NULL)
            strbuf_addf(&text, "-  %s", rule);
        else
            strbuf_addf(&text, "%zu  %s", ladder_offered(ladder, i) + 1, rule);
        if (refused != NULL)
            strbuf_addf(&text, _(" (not offered: %s)"), _(refused));
    }
    if (text.length > 0) {
        add_raw(document, _("Rules that could be made of it"), strbuf_str(&text));
        document_watch(document, seen);
    }
    strbuf_free(&text);
}

static enum document_kind field_kind(const struct approval_field *field)
{
    if (!field->agent_words)
        return DOCUMENT_WORDS;
    return field->prose ? DOCUMENT_QUOTED : DOCUMENT_UNTRUSTED;
}

/* The sandbox that one of the answers keeps it in: the field says what it asks to run under. */
static void add_inside(struct document *document, const struct call *call)
{
    cleanup_wording struct wording *under = NULL;
    const struct additional_permissions *held;

    if (!call->prompt->may_sandbox)
        return;
    held = call->prompt->held;
    under = prompt_under(call->context, held != NULL ? ATTEMPT_PERMISSIONS : ATTEMPT_TURN_DEFAULT,
                         held);
    add_wording(document, _("In the sandbox"), under);
}

/* What an answer that lasts allows, by how long it does. */
static char *session_covers(const struct call *call, const struct lease *lease)
{
    cleanup_free char *who = call_text_session(call->session, NAME_COLUMNS);
    cleanup_free char *long_as = lease_text_offer(lease, true);

    if (lease->kind == LEASE_CALL)
        return xasprintf(_("%s: c%" PRIu64 " alone may connect to this host and port, by this "
                           "protocol, and send there what it can read"),
                         long_as, lease->call);
    if (call->session->origin == SESSION_OPERATOR)
        return lease->kind == LEASE_SESSION
                   ? xstrdup(_("any command that you run here may connect to this host and port, "
                               "by this protocol, and send there what it can read; not this "
                               "command alone"))
                   : xasprintf(_("%s: any command that you run here may connect to this host and "
                                 "port, by this protocol, and send there what it can read; not "
                                 "this command alone"),
                               long_as);
    if (lease->kind != LEASE_SESSION)
        return xasprintf(_("%s: any command of %s may connect to this host and port, by this "
                           "protocol, and send there what it can read; not this command alone"),
                         long_as, who);
    return xasprintf(_("any command of %s may connect to this host and port, by this protocol, "
                       "and send there what it can read; not this command alone"),
                     who);
}

/* Of a host more than the request suggests. */
static void add_session_covers(struct document *document, const struct call *call,
                               const struct lease *lease)
{
    cleanup_free char *text = NULL;

    if (call->reach == NULL || !call->prompt->may_approve_for_session)
        return;
    text = session_covers(call, lease);
    document_add(document,
                 lease->kind == LEASE_SESSION ? _("For the session means")
                                              : _("The chosen length means"),
                 DOCUMENT_WORDS, THEME_OVERLAY_TEXT, text);
}

/* By what a later request counts as the same. */
static const char *denied_what(enum subject subject)
{
    switch (subject) {
    case SUBJECT_CONNECTION:
        return _("this host and port, by this protocol");
    case SUBJECT_COMMAND:
        return _("exactly this command, in this directory, asked for as now");
    case SUBJECT_PATCH:
        return _("exactly this patch, in this directory");
    default:
        return _("exactly this request");
    }
}

/* The no is remembered, too: for those who could come again as each other, for all of them. What
 * the operator types is always asked about anew. */
static void add_denial_covers(struct document *document, const struct call *call,
                              enum subject subject)
{
    bool plain = call->session->origin == SESSION_DEFAULT;
    cleanup_free char *who = NULL, *text = NULL;

    if (call->session->origin == SESSION_OPERATOR)
        return;
    who = plain ? xstrdup(_("all that use assent exec"))
                : call_text_session(call->session, NAME_COLUMNS);
    text = xasprintf(_("%s: refused to %s, unasked, for this session; all else is asked about as "
                       "before. :undo, later :forget c%" PRIu64 ", lets it ask again"),
                     denied_what(subject), who, call->id);
    document_add(document, _("If you deny it"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, text);
}

/* What would end with it by the answer that ends all, a row each. */
static void add_ends(struct document *document, const struct orchestrator *orchestrator,
                     const struct call *call, const char *key)
{
    cleanup_free char *heading = xasprintf(_("If you end all (%s)"), key);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *other = orchestrator_call_at(orchestrator, i);
        cleanup_free char *agent = NULL, *line = NULL;
        bool grave;

        if (!approval_words_ends_with(call, other, 0, &grave))
            continue;
        agent = operator_agent_label(orchestrator, other, NAME_COLUMNS);
        line = call_text_line(other, COMMAND_COLUMNS);
        strbuf_addf(&text, "%sc%" PRIu64 " (%s: %s)", text.length > 0 ? "\n" : "", other->id, agent,
                    line);
        if (call->reach != NULL && call->reach->command == other->id)
            strbuf_addstr(&text, _(", which this is for"));
        if (grave)
            strbuf_addstr(&text, _(", of high risk"));
    }
    if (text.length > 0)
        document_add(document, heading, DOCUMENT_QUOTED, THEME_OVERLAY_TEXT, strbuf_str(&text));
}

/* In the order of the request; what that has in part stands whole in its place. */
static void add_fields(struct document *document, const struct call *call,
                       const struct approval_content *content, bool *path)
{
    bool whole = false;

    for (size_t i = 0; i < content->count; i++) {
        const struct approval_field *field = &content->fields[i];

        if (!field->in_part) {
            document_add(document, field->label, field_kind(field), field->element, field->text);
        } else if (!whole) {
            git_text_push_add(document, call);
            git_text_losses_add(document, call);
            whole = true;
        }
        if (field->path)
            document_watch(document, path);
    }
    if (!whole)
        git_text_push_add(document, call);
}

void details_request(struct document *document, const struct orchestrator *orchestrator,
                     const struct call *call, const struct details_answers *answers, bool ascii,
                     const struct details_seen *seen)
{
    struct approval_content content;

    approval_content_init(&content, call, seen->keys, ascii);
    approval_again_add(&content, orchestrator, call, ascii);
    /* Of many lines these are to be looked for; of one, it is marked in the command. */
    if (call_text_line_number(call, 0) > 0)
        add_evidence(document, call);
    document_add(document, subject_heading(content.subject),
                 content.subject == SUBJECT_PATCH ? DOCUMENT_PATCH : DOCUMENT_UNTRUSTED,
                 THEME_STRONG, content.command);
    document_watch(document, seen->end);
    add_scripts(document, call, seen->scripts);
    add_fields(document, call, &content, seen->path);
    add_session_covers(document, call, answers->lease);
    add_denial_covers(document, call, content.subject);
    add_ends(document, orchestrator, call, answers->end);
    add_unnamed(document, call);
    add_inside(document, call);
    add_first_output(document, call);
    add_words(document, call);
    if (call_text_line_number(call, 0) == 0)
        add_evidence(document, call);
    add_ladder(document, call->prompt->ladder, seen->rules);
    approval_content_clear(&content);
}

/* Its time stands still meanwhile: who looks at the clock misses it. Caller frees. */
static char *paused_words(const struct call *call, const struct attempt *attempt)
{
    char duration[32];

    if (attempt->result.paused_ms < CALL_TEXT_PAUSED_MS_MIN)
        return xstrdup("");
    clock_format_duration(attempt->result.paused_ms, duration);
    return xasprintf(call->was_frozen ? _(", and %s in which it was frozen or waited for you")
                                      : _(", and %s waiting for you"),
                     duration);
}

/* "exit 1 · 9.8 s, and 52.0 s waiting for you" */
static void add_standing(struct document *document, const struct call *call,
                         const struct call_standing *standing)
{
    bool ended = call->state == CALL_FINISHED && call->attempt_count > 0;
    cleanup_free char *paused =
        ended ? paused_words(call, &call->attempts[call->attempt_count - 1]) : xstrdup("");
    cleanup_free char *words = xasprintf("%s%s", standing->words, paused);

    document_add(document, _("Standing"), DOCUMENT_WORDS, standing->element, words);
}

/* What a listing of its workspace shows, and nobody has made. */
static void add_placeholders(struct document *document, const struct run_result *result)
{
    enum { NAMES_SHOWN = 6 };
    cleanup_free char *names = NULL, *text = NULL;

    if (result->placeholder_count == 0)
        return;
    names = listed_words(result->placeholders, result->placeholder_count, NAMES_SHOWN);
    text = xasprintf(_("%s: the workspace has none of these; empty files of the sandbox held the "
                       "names while it ran, so that no command makes them"),
                     names);
    add_prose(document, _("Placeholders"), text);
}

/* Its exit is that of what came after, as `tail`. */
static void add_push(struct document *document, const char *repository)
{
    cleanup_free char *text = NULL;

    if (repository == NULL)
        return;
    text = xasprintf(_("nothing says that it went through, though the command ended well: the "
                       "sandbox may have kept it from writing %s"),
                     repository);
    add_prose(document, _("Push"), text);
}

/* Of several commands the last one says how they end. */
static void add_write(struct document *document, const char *path)
{
    cleanup_free char *text = NULL;

    if (path == NULL)
        return;
    text = xasprintf(_("its output says that it was stopped at %s, though the command ended well: "
                       "the sandbox may have kept it from writing there"),
                     path);
    add_prose(document, _("Not written"), text);
}

static void add_attempt(struct document *document, const struct call *call,
                        const struct attempt *attempt, unsigned number)
{
    cleanup_free char *heading = xasprintf(_("Attempt %u"), number);
    char duration[32];
    cleanup_free char *under = i18n_wording(attempt->under);
    cleanup_free char *paused = paused_words(call, attempt);
    struct strbuf text = STRBUF_INIT;

    clock_format_duration(attempt->result.duration_ms, duration);
    strbuf_addf(&text, _("under %s, for %s"), under != NULL ? under : "?", duration);
    strbuf_addstr(&text, paused);
    if (attempt->result.layers[0] != '\0')
        strbuf_addf(&text, _("; confined by %s"), attempt->result.layers);
    if (attempt->denial != NULL)
        strbuf_addf(&text, _("; the sandbox refused: %s %s%s"), _(attempt->denial->cause),
                    attempt->denial->path,
                    attempt->denial->inferred ? _(" (as its output says)") : "");
    if (attempt->result.failure[0] != '\0')
        strbuf_addf(&text, "; %s", attempt->result.failure);
    if (attempt->touched != NULL) {
        cleanup_free char *touched = i18n_wording(attempt->touched);

        strbuf_addf(&text, "; %s", touched);
    }
    add_prose(document, heading, strbuf_str(&text));
    add_raw(document, _("It ran"), attempt->command);
    add_placeholders(document, &attempt->result);
    if (attempt->git_config_kept) {
        cleanup_free char *kept = config_kept_words(call);

        add_prose(document, _("Not set"), kept);
    }
    add_push(document, attempt->push_stopped);
    add_write(document, attempt->write_stopped);
    if (attempt->result.alarms > 0)
        document_add_foreign(document, _("Alarm"), DOCUMENT_QUOTED, THEME_FAILED,
                             attempt->result.alarm);
    strbuf_free(&text);
}

/* A server that another command does not find, and a client that does not find one. */
static void add_network(struct document *document, const struct call *call)
{
    const struct attempt *last =
        call->attempt_count > 0 ? &call->attempts[call->attempt_count - 1] : NULL;

    if (last == NULL || !last->own_network)
        return;
    add_prose(document, _("Network"),
              last->nobody_listened
                  ? _("of its own, and nobody listened on its localhost: a server that runs in "
                      "another command, or outside the sandbox, is not there")
                  : _("of its own: what it serves on localhost, no other command reaches"));
}

static void add_connections(struct document *document, const struct call *call)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    if (call->connections > 0)
        strbuf_addf(&text, _("%u ended; %" PRIu64 " bytes sent, %" PRIu64 " received"),
                    call->connections, call->sent, call->received);
    for (size_t i = 0; i < call->covered_count; i++) {
        const struct reach_cover *cover = &call->covered[i];

        strbuf_addf(&text, _("%s%s: covered by your answer to c%" PRIu64),
                    text.length > 0 ? "\n" : "", cover->url, cover->by);
    }
    if (text.length > 0)
        add_prose(document, _("Connections"), strbuf_str(&text));
}

/* A rule that only reports has matched. */
static void add_shadow(struct document *document, const struct approval_requirement *requirement)
{
    cleanup_free char *text = call_text_shadow(requirement);

    add_prose(document, _("Rule that only reports"), text);
}

/* A patch that seems to end where only its copy does would be taken for a smaller one. */
static void add_left_out(struct document *document, const struct call *call)
{
    bool any = call->patch != NULL && *call->patch != '\0';
    cleanup_free char *text = NULL;

    if (call->patch_left_out == 0)
        return;
    text = any ? call_text_patch_cut(call->patch_left_out)
               : xasprintf(_("The patch is no longer kept (%zu bytes)."), call->patch_left_out);
    document_add(document, any ? NULL : subject_heading(SUBJECT_PATCH), DOCUMENT_WORDS,
                 THEME_WARNING, text);
}

/* With what had been decided of a host before it: else nothing says there why nobody was asked. */
static char *decision_of(const struct call *call)
{
    size_t count = call->covered_count;
    cleanup_free char *words = decision_text_words(call);
    cleanup_free char *reached = decision_words_reached(
        count > 0 ? call->covered[0].by : 0, count > 0 ? call->covered[count - 1].by : 0);

    return xasprintf("%s%s", words, reached);
}

/* What it did, as far as that is told by its words: of what ran unasked no request has said it. */
static void add_deed(struct document *document, const struct call *call)
{
    cleanup_free char *deed = assessment_describe(&call->assessment);

    if (call->assessment.level > RISK_LOW && !orchestrator_waits(call))
        add_prose(document, _("Summary"), deed);
}

/* Whoever wonders why such a thing was not asked about may want to be asked. */
static char *unasked_words(const struct call *call)
{
    cleanup_free char *decision = decision_of(call);
    bool unasked = call->decision.source == DECIDED_BY_CONFIG &&
                   call->decision.kind == REVIEW_APPROVED && call->assessment.level == RISK_HIGH;

    return unasked ? xasprintf(_("%s (a rule of yours that says \"prompt\" would ask)"), decision)
                   : steal_pointer(&decision);
}

/* What was decided before its first try is not the answer to what is asked now. */
static void add_decision(struct document *document, const struct call *call)
{
    cleanup_free char *decision = unasked_words(call);
    bool again = orchestrator_waits(call) && call->attempt_count > 0;
    cleanup_free char *first =
        again ? xasprintf(_("first try: %s; the second try waits for your answer"), decision)
              : NULL;

    if (call->decision.kind != REVIEW_NONE)
        document_add(document, _("Decision"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
                     again ? first : decision);
}

/* What a patch changed, as the request showed it: the command has its files alone. */
static void add_patch(struct document *document, const struct call *call)
{
    document_add_foreign(document, subject_heading(SUBJECT_PATCH), DOCUMENT_PATCH, THEME_STRONG,
                         call->patch);
    add_left_out(document, call);
}

void details_call(struct document *document, const struct call *call,
                  const struct call_standing *standing)
{
    cleanup_free char *identity = call_text_identity(call);
    cleanup_strbuf struct strbuf command = STRBUF_INIT;

    call_text_command(call, &command);
    add_raw(document, _("Command"), strbuf_str(&command));
    add_raw(document, _("Asked for"), call->asked_command);
    add_raw(document, _("Directory"), call->spec->cwd);
    document_add(document, _("Asked by"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, identity);
    add_prose(document, _("It says"), call->spec->justification);
    add_standing(document, call, standing);
    add_deed(document, call);
    if (call->reach != NULL)
        add_raw(document, _("What failed"), call->reach->unreached);
    add_decision(document, call);
    if (!call_text_stopped_unanswered(call)) /* what its agent is told then is not yours */
        add_prose(document, _("Your message"),
                  call->secret_words && call->decision.message != NULL ? MASK_SIGN
                                                                       : call->decision.message);
    add_wording(document, _("Reason"), call->requirement.reason);
    add_shadow(document, &call->requirement);
    add_prose(document, _("Why it ended"), call->failure);
    add_network(document, call);
    add_connections(document, call);
    for (unsigned i = 0; i < call->attempt_count; i++)
        add_attempt(document, call, &call->attempts[i], i + 1);
    add_patch(document, call);
    add_words(document, call);
}

/* How much of what its agent does we get to see. */
static const char *coverage(const struct session *session)
{
    if (session->origin == SESSION_OPERATOR)
        return "";
    if (session->confined)
        return _("confined: it runs in the sandbox itself, with all that it does\n");
    return session->advisory
               ? _("advisory: it does things itself, and asks as long as it wants to\n")
               : _("covered is what it runs through this console, nothing else\n");
}

static void add_session(struct document *document, const struct orchestrator *orchestrator,
                        struct session *session, size_t number)
{
    cleanup_free char *heading = NULL;
    cleanup_free char *name = call_text_session(session, 60);
    cleanup_wording struct wording *summary = sandbox_policy_summary(session->context->sandbox);
    cleanup_free char *sandbox = i18n_wording(summary);
    cleanup_free char *counts = holding_session_counts(orchestrator, session);
    cleanup_free char *clients =
        clients_text(orchestrator, &(struct clients){.session = session}, CLIENTS_TEXT_MANY);
    cleanup_free char *trees = operator_agents_listed(orchestrator, session);
    cleanup_free char *program =
        session->peer_exe != NULL ? call_text_program(session->peer_exe) : NULL;
    struct strbuf text = STRBUF_INIT;

    heading = xasprintf("%zu  %s", number, name);
    if (session->peer_pid != 0)
        strbuf_addf(&text, _("process %ld %s\n"), (long)session->peer_pid,
                    program != NULL ? program : "");
    if (clients != NULL)
        strbuf_addf(&text, _("clients, as they call themselves: %s\n"), clients);
    if (call_text_is_shared(session) && !session->leftover)
        strbuf_addf(&text, "%s\n",
                    _("an answer for the session holds for all of them, by whatever names; with "
                      "plain_sessions = program each program has its own"));
    if (trees != NULL)
        strbuf_addf(&text, _("processes (:stop NAME NUMBER for one): %s\n"), trees);
    strbuf_addstr(&text, coverage(session));
    strbuf_addf(&text, _("session %s\n%s, %s\nroot %s\n%s"), session->id,
                approval_policy_name(session->context->approval.kind), sandbox,
                session->context->root, counts);
    add_prose(document, heading, strbuf_str(&text));
    strbuf_free(&text);
}

void details_sessions(struct document *document, const struct orchestrator *orchestrator)
{
    size_t count = orchestrator_session_count(orchestrator);

    for (size_t i = 0; i < count; i++)
        add_session(document, orchestrator, orchestrator_session_at(orchestrator, i), i + 1);
}

void details_trail(struct document *document, const struct orchestrator *orchestrator,
                   const struct trail *trail)
{
    size_t count = trail_count(trail);

    if (count == 0)
        document_add(document, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM, _("nothing yet"));
    for (size_t i = 0; i < count; i++) {
        const struct trail_line *line = trail_at(trail, i);
        time_t seconds = (time_t)(line->wall_ms / 1000);
        struct tm broken;
        char when[32];
        cleanup_free char *words = decision_text_by_now(orchestrator, line->text);
        cleanup_free char *text = NULL;

        localtime_r(&seconds, &broken);
        strftime(when, sizeof(when), "%H:%M:%S", &broken);
        text = xasprintf("%s  %s", when, words);
        document_add(document, NULL, DOCUMENT_ROWS, line->element, text);
    }
}
