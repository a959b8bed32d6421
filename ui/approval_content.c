/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_content.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "approval/config_kept.h"
#include "approval/orchestrator.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/approval_content_int.h"
#include "ui/approval_words.h"
#include "ui/call_text.h"
#include "ui/git_text.h"
#include "ui/lease_text.h"

#define NAME_COLUMNS 24 /* of whose commands a host is for */

/* Who is to say no with few rows to read needs these first, in this order. */
enum { BRIEF_RISK = 1, BRIEF_AGENT, BRIEF_DIRECTORY, BRIEF_REASON };

void approval_content_add(struct approval_content *content, const char *label,
                          enum theme_element element, char *text)
{
    if (content->count == APPROVAL_FIELDS_MAX) {
        free(text);
        return;
    }
    content->fields[content->count++] = (struct approval_field){
        .label = label, .text = text, .element = element, .worth = APPROVAL_TELLS};
}

struct approval_field *approval_content_last(struct approval_content *content)
{
    return &content->fields[content->count - 1];
}

void approval_content_add_words(struct approval_content *content, const char *label,
                                const char *text)
{
    struct strbuf safe = STRBUF_INIT;

    if (text == NULL || *text == '\0')
        return;
    text_escape(&safe, text, strlen(text), TEXT_PLAIN_AGENT | TEXT_PROSE);
    approval_content_add(content, label, THEME_OVERLAY_TEXT, strbuf_steal(&safe));
}

static void add_wording(struct approval_content *content, const char *label,
                        const struct wording *wording)
{
    cleanup_free char *text = i18n_wording(wording);

    approval_content_add_words(content, label, text);
}

/* Its length without the line ends behind the last line. */
static size_t trimmed_length(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    return length;
}

static void add_command(struct approval_content *content, const struct call *call)
{
    cleanup_strbuf struct strbuf raw = STRBUF_INIT;
    struct strbuf safe = STRBUF_INIT;

    if (call->patch != NULL)
        strbuf_add(&raw, call->patch, trimmed_length(call->patch));
    else
        call_text_command(call, &raw);
    content->command_bytes = raw.length;
    content->tabs = text_tabs_of(strbuf_str(&raw), raw.length);
    content->replaced += text_escape(&safe, strbuf_str(&raw), raw.length,
                                     TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT | content->tabs);
    content->look_alikes = text_mixed_scripts(strbuf_str(&raw), raw.length) ||
                           (call->reach != NULL && call->reach->look_alike);
    content->command = xstrdup(strbuf_str(&safe));
    strbuf_free(&safe);
}

/* How long the first `length` bytes of a command are when shown: 0 when what is shown does not
 * begin so, because marks stand for runs across that place. */
static size_t shown_length(const struct approval_content *content, const char *raw, size_t length,
                           bool ascii)
{
    struct strbuf safe = STRBUF_INIT;
    char *text;
    size_t shown;

    text_escape(&safe, raw, length, TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT | content->tabs);
    text = xstrdup(strbuf_str(&safe));
    strbuf_free(&safe);
    if (ascii)
        call_text_to_ascii(&text);
    shown = strlen(text);
    if (strncmp(text, content->command, shown) != 0)
        shown = 0;
    free(text);
    return shown;
}

/* Marks the evidence in the command as it is shown; evidence counts the bytes of call->line. */
static void add_marks(struct approval_content *content, const struct call *call, bool ascii)
{
    cleanup_strbuf struct strbuf raw = STRBUF_INIT;
    const char *line;

    call_text_command(call, &raw);
    line = call->line != NULL ? strstr(strbuf_str(&raw), call->line) : NULL;
    for (size_t i = 0; line != NULL && i < call->assessment.evidence_count; i++) {
        const struct risk_evidence *evidence = &call->assessment.evidence[i];
        size_t offset = (size_t)(line - strbuf_str(&raw));
        struct approval_mark mark;

        if (evidence->end > strlen(call->line) || evidence->start >= evidence->end)
            continue;
        mark.start = shown_length(content, raw.data, offset + evidence->start, ascii);
        mark.end = shown_length(content, raw.data, offset + evidence->end, ascii);
        if (mark.end > mark.start)
            content->marks[content->mark_count++] = mark;
    }
}

static void add_directory(struct approval_content *content, const struct call *call)
{
    const char *cwd = call->spec->cwd;
    struct strbuf safe = STRBUF_INIT;

    content->replaced += text_escape(&safe, cwd, strlen(cwd), TEXT_PLAIN_AGENT);
    approval_content_add(content, _("Directory"), THEME_OVERLAY_TEXT, strbuf_steal(&safe));
    approval_content_last(content)->brief = BRIEF_DIRECTORY;
}

/* What changes the meaning of a command without being in it. */
static void add_surroundings(struct approval_content *content, const struct call *call)
{
    if (call->patch != NULL || call->agent_fields)
        return;
    if (call->program == NULL)
        approval_content_add_words(content, _("Program"), _("not found on your PATH"));
    else if (!call_text_system_program(call))
        approval_content_add_words(content, _("Program"), call->program);
    if (call->spec->env != NULL && call->spec->env[0] != NULL) {
        cleanup_strbuf struct strbuf line = STRBUF_INIT;

        text_quote_argv(&line, (const char *const *)call->spec->env);
        approval_content_add_words(content, _("Variables"), strbuf_str(&line));
        approval_content_last(content)->agent_words = true;
        approval_content_last(content)->worth = APPROVAL_MATTERS;
    }
    if (call->spec->standard_input == STDIN_PIPE)
        approval_content_add_words(content, _("Input"),
                                   _("the agent sends it while the command runs"));
}

/* What it was before the operator changed it. */
static void add_asked(struct approval_content *content, const struct call *call)
{
    struct strbuf safe = STRBUF_INIT;

    if (call->asked_command == NULL)
        return;
    text_escape(&safe, call->asked_command, strlen(call->asked_command), TEXT_PLAIN_AGENT);
    approval_content_add(content, _("Asked for"), THEME_AGENT_WORDS, strbuf_steal(&safe));
    approval_content_last(content)->agent_words = true;
}

static void add_justification(struct approval_content *content, const struct call *call)
{
    const char *words = call->spec->justification;
    struct strbuf safe = STRBUF_INIT;

    if (words == NULL || *words == '\0')
        return;
    text_escape(&safe, words, strlen(words), TEXT_PLAIN_AGENT | TEXT_PROSE);
    approval_content_add(content, _("It says"), THEME_AGENT_WORDS, strbuf_steal(&safe));
    approval_content_last(content)->agent_words = approval_content_last(content)->prose = true;
}

static void add_categories(struct strbuf *text, const struct assessment *assessment,
                           unsigned categories, const char **separator)
{
    for (unsigned i = 0; i < RISK_CATEGORY_COUNT; i++) {
        enum risk_category category = (enum risk_category)(1U << i);

        if ((categories & category) == 0)
            continue;
        strbuf_addf(text, "%s%s", *separator, call_text_category(assessment, category));
        *separator = ", ";
    }
}

/* Where that is: in a file that the command runs, or in a script of many lines. */
static void add_line(struct strbuf *text, const struct call *call, const char *phrase)
{
    const struct assessment *assessment = &call->assessment;
    const char *file = assessment->worst.file;

    if (*file != '\0') {
        strbuf_addstr(text, " (");
        text_escape(text, file, strlen(file), TEXT_PLAIN_AGENT);
        if (assessment->worst.line > 0) {
            strbuf_addstr(text, ", ");
            strbuf_addf(text, _("line %zu"), assessment->worst.line);
        }
        strbuf_addstr(text, ")");
        return;
    }
    for (size_t i = 0; i < assessment->evidence_count; i++) {
        size_t number = call_text_line_number(call, assessment->evidence[i].start);
        if (assessment->evidence[i].why != phrase || number == 0)
            continue;
        strbuf_addstr(text, " (");
        strbuf_addf(text, _("line %zu"), number);
        strbuf_addstr(text, ")");
        return;
    }
}

/* What has left the machine is not brought back: it is told beside what is graver, too. */
static void add_sending(struct strbuf *text, const struct assessment *assessment, bool first,
                        const char **separator)
{
    bool is_first;

    if (!assessment_sends_commits(assessment, &is_first) || first != is_first)
        return;
    strbuf_addf(text, "%s%s", *separator, _("sends commits"));
    *separator = ", ";
}

/* First what made a command as grave as it is, by its category or, where that says too little, in
 * words: the network alone is nothing grave. */
static void add_risk(struct approval_content *content, const struct call *call)
{
    const struct assessment *assessment = &call->assessment;
    const struct risk_clause *worst = &assessment->clauses[0];
    unsigned categories = assessment_told_categories(assessment);
    unsigned first = categories & worst->categories;
    bool vague = first == 0 || (first == RISK_NETWORK_ACCESS && worst->level == RISK_HIGH);
    bool command = assessment->evidence_count > 0;
    struct strbuf text = STRBUF_INIT;
    const char *separator = ": ";

    content->risk = assessment->level;
    strbuf_addstr(&text, call_text_risk(content->risk));
    if (vague && command && worst->phrase != NULL && worst->level > RISK_LOW) {
        strbuf_addf(&text, "%s%s", separator, _(worst->phrase));
        separator = ", ";
    }
    first = vague ? 0 : first;
    if (!vague)
        add_sending(&text, assessment, true, &separator);
    add_categories(&text, assessment, first, &separator);
    if (worst->level > RISK_LOW)
        add_line(&text, call, worst->phrase);
    add_sending(&text, assessment, false, &separator);
    add_categories(&text, assessment, categories & ~first, &separator);
    approval_content_add(content, _("Risk"), call_text_risk_element(content->risk),
                         strbuf_steal(&text));
    approval_content_last(content)->worth = APPROVAL_GIVES;
    approval_content_last(content)->brief = BRIEF_RISK;
}

/* Ours, made from what was found, in the operator's language. */
static void add_summary(struct approval_content *content, const struct call *call)
{
    cleanup_free char *description = assessment_describe(&call->assessment);

    approval_content_add_words(content, _("Summary"), description);
    /* Where data goes or what is lost is not cut for what tells less. */
    if (call->assessment.level == RISK_HIGH)
        approval_content_last(content)->worth = APPROVAL_MATTERS;
}

/* That what git says comes in moves nothing. */
static void add_git(struct approval_content *content, const char *label, char *text, bool in_part)
{
    if (text == NULL)
        return;
    approval_content_add(content, label, THEME_AGENT_WORDS, text);
    approval_content_last(content)->agent_words = approval_content_last(content)->prose = true;
    approval_content_last(content)->single = approval_content_last(content)->in_part = in_part;
}

static void add_losses(struct approval_content *content, const struct call *call)
{
    const char *label;
    char *taken = git_text_losses_row(call, &label);

    add_git(content, _("Lost there"), git_text_lost_row(call), call->pushes.there != NULL);
    add_git(content, _("Sends"), git_text_sent_row(call), call->pushes.there != NULL);
    add_git(content, label, taken, call->losses.count > 0);
}

static const char *opinion_words(enum opinion_status status)
{
    switch (status) {
    case OPINION_ASKING:
        return _("is being asked …");
    case OPINION_TIMEOUT:
        return _("gave no answer in time");
    case OPINION_PARSE_ERROR:
    case OPINION_NO_OUTPUT:
        return _("gave an answer that cannot be used");
    default:
        return _("could not be asked");
    }
}

/* The model's opinion, in one row: that it comes in moves nothing. */
static void add_opinion(struct approval_content *content, const struct call *call)
{
    const struct opinion *opinion = &call->opinion;
    struct strbuf text = STRBUF_INIT;

    if (opinion->status == OPINION_NONE || opinion->status == OPINION_DISABLED)
        return;
    if (opinion->status == OPINION_SUCCESS) {
        strbuf_addf(&text, "%s. ", call_text_risk(opinion->level));
        text_escape(&text, opinion->description, strlen(opinion->description),
                    TEXT_PLAIN_AGENT | TEXT_PROSE);
    } else {
        strbuf_addstr(&text, opinion_words(opinion->status));
    }
    approval_content_add(content, _("Model"), THEME_AGENT_WORDS, strbuf_steal(&text));
    approval_content_last(content)->agent_words = approval_content_last(content)->prose = true;
    approval_content_last(content)->single = true;
}

/* What the first try did before it was stopped is there when the second begins. */
static void add_tries(struct approval_content *content, const struct call *call,
                      const struct approval_keys *keys)
{
    const struct prompt *prompt = call->prompt;
    bool may_change = keys != NULL && *keys->change != '\0' && prompt_fixed(call) == NULL;

    if (!prompt->retry)
        return;
    add_wording(content, _("First try"), prompt->first_attempt);
    if (prompt->first_attempt != NULL)
        approval_content_last(content)->worth = APPROVAL_MATTERS;
    if (!prompt->repeats_some)
        return;
    approval_content_add(content, _("Second try"), THEME_OVERLAY_TEXT,
                         !call->attempts[0].touched_some ? xstrdup(_("ALL of it runs again"))
                         : may_change ? xasprintf(_("ALL of it runs again, also what is done (%s: "
                                                    "take that out)"),
                                                  keys->change)
                                      : xstrdup(_("ALL of it runs again, also what is done")));
    approval_content_last(content)->worth = APPROVAL_MATTERS;
}

/* What runs is no longer what was allowed before, though the command says the same. */
static void add_changed(struct approval_content *content, const struct prompt *prompt)
{
    if (prompt->changed == NULL)
        return;
    add_wording(content, _("Changed"), prompt->changed);
    approval_content_last(content)->element = THEME_WARNING;
    approval_content_last(content)->worth = APPROVAL_MATTERS;
}

#define HELD_COLUMNS 22

/* What was given to the same command when it asked for no more than that. */
static void add_held(struct approval_content *content, const struct prompt *prompt,
                     const struct approval_keys *keys)
{
    cleanup_free char *path = NULL;

    if (prompt->held == NULL || keys == NULL || *keys->inside == '\0')
        return;
    path =
        text_path_ends(prompt->held->writable[0], strlen(prompt->held->writable[0]), HELD_COLUMNS);
    approval_content_add(
        content, _("Again"), THEME_WARNING,
        xasprintf(_("your answer to c%" PRIu64 " holds: with %s it may write %s%s"),
                  prompt->held_call, keys->inside, path,
                  prompt->held->writable[1] != NULL ? _(", and more") : ""));
    approval_content_last(content)->worth = APPROVAL_MATTERS;
}

/* It was denied by itself, and is asked for among other things. */
static void add_denied(struct approval_content *content, const struct prompt *prompt)
{
    if (prompt->denied == NULL)
        return;
    approval_content_add(content, _("Again"), THEME_WARNING,
                         xasprintf(_("you denied for this session: %s"), prompt->denied));
    approval_content_last(content)->worth = APPROVAL_MATTERS;
}

/* Does the sandbox stop what the command is known to write or delete? */
static bool is_stopped(const struct call *call, const struct prompt *prompt)
{
    enum sandbox_mode mode = call->context->sandbox->mode;

    return prompt->sandbox == ATTEMPT_TURN_DEFAULT && call->assessment.writes_outside &&
           (mode == SANDBOX_WORKSPACE_WRITE || mode == SANDBOX_READ_ONLY);
}

/* What an answer gives then, and why it is asked for all the same. */
static char *stopped_words(const struct call *call, const struct prompt *prompt,
                           const struct approval_keys *keys)
{
    if (!is_stopped(call, prompt))
        return xstrdup("");
    if (prompt->retry_denied != 0)
        return xasprintf(_("; the sandbox will stop what it changes outside the workspace, and you "
                           "denied to run it without (c%" PRIu64 ")"),
                         prompt->retry_denied);
    if (keys == NULL || !policy_may_ask_retry(&call->context->approval) || prompt->covers_retry)
        return xstrdup(_("; the sandbox will stop what it changes outside the workspace"));
    return xasprintf(
        call_ends_with_last(call)
            ? _("; %s runs it in the sandbox, which stops changes outside the "
                "workspace; you are asked again only if the last command of the line fails")
            : _("; %s runs it in the sandbox, which stops changes outside the "
                "workspace; if it fails of that, you are asked again"),
        keys->once);
}

static void add_under(struct approval_content *content, const struct call *call,
                      const struct prompt *prompt, const struct approval_keys *keys)
{
    cleanup_free char *under = i18n_wording(prompt->under);
    cleanup_free char *stopped = stopped_words(call, prompt, keys);
    cleanup_free char *text = NULL;

    text =
        xasprintf("%s%s%s", under != NULL ? under : "", stopped,
                  prompt->covers_retry ? _("; if the sandbox stops it, once more without it") : "");
    approval_content_add_words(content, _("Runs under"), text);
    approval_content_last(content)->worth = APPROVAL_GIVES;
    if (prompt->sandbox == ATTEMPT_UNSANDBOXED || prompt->covers_retry)
        approval_content_last(content)->element = THEME_WARNING;
}

/* What the answer that gives a path means, by its key: it is the narrower of the two. */
static void add_path(struct approval_content *content, const struct prompt *prompt,
                     const struct approval_keys *keys)
{
    cleanup_free char *under = i18n_wording(prompt->path_under);
    cleanup_free char *text = NULL;

    if (prompt->path == NULL || under == NULL)
        return;
    text = keys != NULL ? xasprintf("%s: %s", keys->path, under) : steal_pointer(&under);
    approval_content_add_words(content, _("Or under"), text);
    approval_content_last(content)->worth = APPROVAL_GIVES;
    approval_content_last(content)->path = true;
}

/* What a push says that it sets, and does not. */
static void add_upstream(struct approval_content *content, const struct call *call)
{
    const struct sandbox_policy *policy = call->context->sandbox;
    bool confined = call->prompt->path != NULL || call->prompt->sandbox == ATTEMPT_TURN_DEFAULT;
    cleanup_free char *upstream = NULL;

    if (!confined || policy->mode != SANDBOX_WORKSPACE_WRITE || !policy->protect)
        return;
    upstream = config_kept_upstream(call);
    if (upstream == NULL)
        return;
    approval_content_add(content, _("Tracking"), THEME_OVERLAY_TEXT,
                         xasprintf(_("not set in sandbox: git branch -u %s afterwards"), upstream));
    approval_content_last(content)->worth = APPROVAL_MATTERS;
    approval_content_last(content)->single = true;
}

static void all_to_ascii(struct approval_content *content)
{
    content->replaced += call_text_to_ascii(&content->command);
    for (size_t i = 0; i < content->count; i++)
        call_text_to_ascii(&content->fields[i].text);
}

/* The no is remembered for its session, if that is an agent's. */
static bool is_denied_with(const struct call *call, const struct call *other)
{
    return other != call && other->session == call->session && session_is_agent(call->session) &&
           orchestrator_waits(other) && orchestrator_same_question(call, other);
}

struct approval_ends approval_content_ends(const struct call *call, uint64_t up_to)
{
    const struct orchestrator *orchestrator = call->session->orchestrator;
    size_t calls = orchestrator != NULL ? orchestrator_call_count(orchestrator) : 0;
    struct approval_ends ends = {.last = call->id};

    for (size_t i = 0; i < calls; i++) {
        const struct call *other = orchestrator_call_at(orchestrator, i);
        bool is_grave;

        ends.same += is_denied_with(call, other);
        if (!approval_words_ends_with(call, other, up_to, &is_grave))
            continue;
        ends.count++;
        ends.last = other->id > ends.last ? other->id : ends.last;
        ends.grave += is_grave;
        ends.foreign += call->session->origin == SESSION_DEFAULT &&
                        !call_client_is_same(&call->client, &other->client);
    }
    return ends;
}

/* How many end with it, whose they are, and how grave those are that nobody has read perhaps: is
 * that something else than before? */
static bool follow_ends(struct approval_content *content, const struct call *call)
{
    struct approval_ends before = content->ends, ends = approval_content_ends(call, 0);

    content->ends = ends;
    return ends.count != before.count || ends.grave != before.grave ||
           ends.foreign != before.foreign || ends.same != before.same || ends.last != before.last;
}

bool approval_content_follow(struct approval_content *content, const struct call *call)
{
    bool other = follow_ends(content, call);

    return approval_content_follow_waiting(content, call) || other;
}

/* What it would run where no sandbox holds it: all of that is a key away. */
static void add_scripts(struct approval_content *content, const struct call *call)
{
    cleanup_free char *text = call_text_scripts(call);

    approval_content_add_words(content, _("Script"), text);
}

/* An answer for the session, or for less, is not for the command alone that asks for a host; but
 * until that ends it is. */
static char *host_reach(const struct approval_content *content, const struct lease *lease)
{
    cleanup_free char *long_as = lease_text_offer(lease, true);

    if (lease->kind == LEASE_CALL)
        return xasprintf(_("%s, %s: for this command alone, uploads too"), content->host_key,
                         long_as);
    if (content->own)
        return lease->kind == LEASE_SESSION
                   ? xasprintf(_("%s: for any command you run here, uploads too"),
                               content->host_key)
                   : xasprintf(_("%s, %s: for any command you run here, uploads too"),
                               content->host_key, long_as);
    if (lease->kind == LEASE_SESSION)
        return xasprintf(_("%s: for any command of %s, uploads too"), content->host_key,
                         content->host_for);
    return xasprintf(_("%s, %s: for any command of %s, uploads too"), content->host_key, long_as,
                     content->host_for);
}

void approval_content_hold(struct approval_content *content, const struct lease *lease)
{
    for (size_t i = 0; content->host_for != NULL && i < content->count; i++) {
        if (!content->fields[i].session)
            continue;
        free(content->fields[i].text);
        content->fields[i].text = host_reach(content, lease);
    }
}

/* Whom an answer for the session reaches. */
static void add_session(struct approval_content *content, const struct call *call,
                        const struct approval_keys *keys)
{
    bool host = call->reach != NULL && content->may_approve_for_session && keys != NULL;
    cleanup_free char *reach = NULL;

    if (host) {
        content->host_for = call_text_session(call->session, NAME_COLUMNS);
        snprintf(content->host_key, sizeof(content->host_key), "%s", keys->session);
    }
    reach = host ? host_reach(content, &(struct lease){.kind = LEASE_SESSION})
                 : call_text_reach(call->session);
    approval_content_add_words(content, _("Session"), reach);
    if (reach == NULL)
        return;
    approval_content_last(content)->worth =
        content->shared && !host ? APPROVAL_SAME : APPROVAL_MATTERS;
    approval_content_last(content)->session = true;
}

/* A rule that only reports has matched. */
static void add_shadow(struct approval_content *content, const struct call *call)
{
    cleanup_free char *text = call_text_shadow(&call->requirement);

    approval_content_add_words(content, _("On trial"), text);
}

/* Input goes where the call already runs that gets it. */
static bool input_leaves(const struct call *call)
{
    const struct orchestrator *orchestrator = call->session->orchestrator;
    const struct call *target =
        orchestrator != NULL ? orchestrator_find_call(orchestrator, call->input_for) : NULL;

    return target == NULL || target->attempt_count == 0 ||
           target->attempts[target->attempt_count - 1].sandbox == ATTEMPT_UNSANDBOXED;
}

/* What an agent does itself was in no sandbox of ours to leave: were each of its calls to take a
 * second key, nobody would read before it. */
bool approval_content_leaves(const struct call *call)
{
    if (call->wants_words || call->reach != NULL || (call->agent_tool != NULL && !call->widens))
        return false;
    if (call->input_for != 0)
        return input_leaves(call);
    return call->prompt->sandbox == ATTEMPT_UNSANDBOXED || call->prompt->covers_retry;
}

static void add_reason(struct approval_content *content, const struct prompt *prompt)
{
    size_t before = content->count;

    add_wording(content, _("Reason"), prompt->reason);
    if (content->count == before)
        return;
    approval_content_last(content)->worth = APPROVAL_REASON;
    approval_content_last(content)->brief = BRIEF_REASON;
}

static bool asks_hosts(const struct call *call)
{
    const struct sandbox_policy *policy = call->context->sandbox;

    return subject_of(call) == SUBJECT_COMMAND && call->prompt->sandbox != ATTEMPT_UNSANDBOXED &&
           (assessment_told_categories(&call->assessment) & RISK_NETWORK_ACCESS) != 0 &&
           policy->network_asks && !policy->network;
}

/* Whether it is for one of these is known only once it connects. */
static bool hosts_denied(const struct call *call)
{
    const struct orchestrator *orchestrator = call->session->orchestrator;
    size_t calls = orchestrator != NULL ? orchestrator_call_count(orchestrator) : 0;

    for (size_t i = 0; i < calls; i++) {
        const struct call *other = orchestrator_call_at(orchestrator, i);

        if (other->session == call->session && other->reach != NULL &&
            orchestrator_denial_holds(other))
            return true;
    }
    return false;
}

void approval_content_init(struct approval_content *content, const struct call *call,
                           const struct approval_keys *keys, bool ascii)
{
    const struct prompt *prompt = call->prompt;

    memset(content, 0, sizeof(*content));
    content->subject = subject_of(call);
    content->own = call->session->origin == SESSION_OPERATOR;
    content->shared = call->session->origin == SESSION_DEFAULT && call->session->peer_pid == 0;
    content->changed = call->asked_command != NULL;
    content->may_end = call->agent_tool != NULL || call->session->advisory;
    if (keys != NULL)
        snprintf(content->deny_key, sizeof(content->deny_key), "%s", keys->deny);
    content->retry = prompt->retry;
    content->instead = prompt->retry && call->attempts[0].command != NULL;
    content->inferred = prompt->retry && subject_stop_inferred(call);
    content->unsandboxed = prompt->sandbox == ATTEMPT_UNSANDBOXED;
    content->leaves = approval_content_leaves(call);
    content->asks_hosts = asks_hosts(call);
    content->hosts_denied = content->asks_hosts && hosts_denied(call);
    content->fetches = assessment_fetches_code(&call->assessment);
    follow_ends(content, call);
    content->for_call = call->reach != NULL ? call->reach->command : 0;
    content->may_sandbox = prompt->may_sandbox;
    content->path = prompt->path;
    content->path_holds = prompt->path_holds;
    content->path_may_last = prompt->path_may_last;
    content->repeats = prompt->repeats_some && call->attempts[0].touched_some;
    content->may_approve_for_session = prompt->may_approve_for_session;
    if (prompt->ladder == NULL)
        content->rule.none = call_text_no_rule(prompt);
    content->offers = call->offer_count > 0;
    content->secret = call->secret_words;
    add_command(content, call);
    if (call->reach != NULL) {
        approval_content_add_reach(content, call);
    } else {
        add_asked(content, call);
        if (!call->wants_words)
            add_directory(content, call);
        add_surroundings(content, call);
    }
    approval_content_add(content, _("Asked by"), THEME_OVERLAY_TEXT, call_text_identity(call));
    approval_content_last(content)->brief = BRIEF_AGENT;
    add_session(content, call, keys);
    add_reason(content, prompt);
    add_shadow(content, call);
    add_denied(content, prompt);
    add_held(content, prompt, keys);
    add_changed(content, prompt);
    add_scripts(content, call);
    add_tries(content, call, keys);
    add_justification(content, call);
    add_summary(content, call);
    add_losses(content, call);
    add_risk(content, call);
    add_opinion(content, call);
    add_under(content, call, prompt, keys);
    add_path(content, prompt, keys);
    add_upstream(content, call);
    approval_content_add_missing(content, call, keys);
    if (ascii)
        all_to_ascii(content);
    add_marks(content, call, ascii);
}

void approval_content_clear(struct approval_content *content)
{
    free(content->command);
    free(content->no_path);
    free(content->path_once);
    free(content->once);
    free(content->host_for);
    approval_rule_clear(&content->rule);
    for (size_t i = 0; i < content->count; i++)
        free(content->fields[i].text);
    memset(content, 0, sizeof(*content));
}

const char *approval_content_question(const struct approval_content *content)
{
    return content->retry
               ? subject_question_again(content->inferred, content->path != NULL, content->instead)
               : subject_question(content->subject, content->unsandboxed);
}

bool approval_content_is_grave(const struct approval_content *content)
{
    return content->risk == RISK_HIGH || content->replaced > 0 || content->look_alikes;
}

bool approval_content_lets_out(const struct approval_content *content, enum action action)
{
    switch (action) {
    case ACTION_APPROVE:
        return content->leaves;
    case ACTION_APPROVE_SESSION:
        return content->leaves || approval_content_session_leaves(content);
    case ACTION_APPROVE_PREFIX: /* this run is allowed as it was asked for, whatever the rule */
        return content->leaves || approval_content_rule_leaves(content);
    default:
        return false;
    }
}

bool approval_content_widens(const struct approval_content *content, enum action action)
{
    return action == ACTION_APPROVE_PREFIX && content->rule.offered && content->rule.wide;
}

bool approval_content_confirms(const struct approval_content *content, enum action action)
{
    bool once = action == ACTION_APPROVE && !content->retry;

    if (approval_content_is_grave(content) || approval_content_widens(content, action) ||
        (action == ACTION_APPROVE_PATH && (content->path_lasts || content->repeats)))
        return true;
    return approval_content_lets_out(content, action) && !(once && content->risk == RISK_LOW);
}

bool approval_content_session_leaves(const struct approval_content *content)
{
    return content->unsandboxed;
}

bool approval_content_rule_leaves(const struct approval_content *content)
{
    return content->rule.offered && content->rule.bypass;
}
