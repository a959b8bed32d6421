/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/call_text.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <strings.h>

#include "approval/decision_words.h"
#include "approval/orchestrator.h"
#include "approval/prompt.h"
#include "approval/reach.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/text.h"
#include "ui/lease_text.h"
#include "ui/tree_text.h"

bool call_text_system_program(const struct call *call)
{
    return call->program != NULL && path_is_system_program(call->program);
}

void call_text_command(const struct call *call, struct strbuf *out)
{
    cleanup_free char *line = NULL;

    if (call->reach != NULL) {
        line = reach_url(call->reach);
        strbuf_addstr(out, line);
        return;
    }
    if (call->prompt != NULL && call->prompt->command != NULL) {
        strbuf_addstr(out, call->prompt->command);
        return;
    }
    line =
        prompt_command_line((const char *const *)call->spec->argv, call_text_system_program(call));
    strbuf_addstr(out, line);
}

/* Enough for any screen; a line is cut to its columns afterwards. */
#define LINE_BYTES_MAX ((size_t)8192)

/* A claimed name that is longer is cut: it must not push away what we know ourselves. */
#define NAME_COLUMNS 40

static size_t at_most(size_t length)
{
    return length < LINE_BYTES_MAX ? length : LINE_BYTES_MAX;
}

char *call_text_line_as(const struct call *call, size_t columns, unsigned flags)
{
    cleanup_strbuf struct strbuf raw = STRBUF_INIT;

    call_text_command(call, &raw);
    return text_line_as(strbuf_str(&raw), at_most(raw.length), columns, flags);
}

char *call_text_line(const struct call *call, size_t columns)
{
    return call_text_line_as(call, columns, 0);
}

unsigned call_text_row_flags(const struct theme *theme)
{
    return theme_unicode(theme) ? TEXT_BREAKS : 0;
}

char *call_text_row(const struct call *call, size_t columns, const struct theme *theme)
{
    return call_text_line_as(call, columns, call_text_row_flags(theme));
}

char *call_text_row_ends(const struct call *call, size_t columns, const struct theme *theme)
{
    cleanup_strbuf struct strbuf raw = STRBUF_INIT;

    call_text_command(call, &raw);
    if (raw.length > LINE_BYTES_MAX) /* its end is further than we look */
        return call_text_row(call, columns, theme);
    return text_line_ends(strbuf_str(&raw), raw.length, columns, call_text_row_flags(theme));
}

/* In a shared session each call tells who asked. */
const char *call_text_claimed(const struct call *call)
{
    if (call->client.name != NULL)
        return call->client.name;
    return call->session->name != NULL ? call->session->name : "";
}

bool call_text_is_shared(const struct session *session)
{
    return session->origin == SESSION_DEFAULT && session->peer_pid == 0;
}

char *call_text_session(const struct session *session, size_t columns)
{
    const char *name = session->name != NULL ? session->name : "";

    if (session->origin == SESSION_OPERATOR)
        return xstrdup(_("you"));
    if (call_text_is_shared(session))
        return xstrdup(_("all that use assent exec"));
    if (session->origin == SESSION_DEFAULT) {
        cleanup_free char *program = xasprintf("%s (%ld)", name, (long)session->peer_pid);

        return text_line(program, at_most(strlen(program)), columns);
    }
    return text_line(name, at_most(strlen(name)), columns);
}

/* What has been made safe, and cut, already. */
static void add_line_quoted(struct strbuf *out, const char *line)
{
    strbuf_addch(out, '"');
    for (const char *at = line; *at != '\0'; at++) {
        if (*at == '"')
            strbuf_addstr(out, "<U+0022>");
        else
            strbuf_addch(out, *at);
    }
    strbuf_addch(out, '"');
}

void call_text_add_quoted(struct strbuf *out, const char *name)
{
    cleanup_free char *line = text_line(name, at_most(strlen(name)), NAME_COLUMNS);

    add_line_quoted(out, line);
}

void call_text_add_line_quoted(struct strbuf *out, const struct call *call, size_t columns)
{
    cleanup_free char *line = call_text_line(call, columns);

    add_line_quoted(out, line);
}

char *call_text_line_within(const struct call *call, size_t columns)
{
    cleanup_free char *line = call_text_line(call, columns);
    struct strbuf quoted = STRBUF_INIT;

    if (strchr(line, ')') == NULL)
        return steal_pointer(&line);
    add_line_quoted(&quoted, line);
    return strbuf_steal(&quoted);
}

/* "claude 18802" is what we call processes. */
static bool ends_in_number(const char *name)
{
    const char *last = strrchr(name, ' ');

    return last != NULL && last[1] != '\0' && last[1 + strspn(last + 1, "0123456789")] == '\0';
}

/* Has it blanks that cannot be seen, or counted? With them it looks like another's name. */
static bool has_lost_blanks(const char *name)
{
    size_t length = strlen(name);

    return name[0] == ' ' || (length > 0 && name[length - 1] == ' ') || strstr(name, "  ") != NULL;
}

/* Is it plainly a name? Else quotes say that it is somebody's words: "you" is the operator, and
 * what stands beside a name in a title is ours. */
static bool is_plain_name(const char *name)
{
    return !ends_in_number(name) && !has_lost_blanks(name) && strcasecmp(name, "you") != 0 &&
           strcasecmp(name, _("you")) != 0 &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
                             "._-/@+:#")] == '\0';
}

char *call_text_agent(const struct call *call, size_t columns)
{
    const char *name = call_text_claimed(call);
    cleanup_strbuf struct strbuf quoted = STRBUF_INIT;

    if (call->session->origin == SESSION_OPERATOR)
        return xstrdup(_("you"));
    if (is_plain_name(name))
        return text_line(name, at_most(strlen(name)), columns);
    call_text_add_quoted(&quoted, name);
    return text_line(strbuf_str(&quoted), quoted.length, columns);
}

/* What the kernel says of a program that is in no file (memfd_create(2)), and of one whose file has
 * gone. */
char *call_text_program(const char *exe)
{
    static const char memory[] = "/memfd:", gone[] = " (deleted)";
    size_t length = strlen(exe), tail = strlen(gone);
    bool deleted = length > tail && strcmp(exe + length - tail, gone) == 0;
    cleanup_free char *kept = xstrndup(exe, deleted ? length - tail : length);
    cleanup_strbuf struct strbuf name = STRBUF_INIT;

    if (!deleted)
        return steal_pointer(&kept);
    if (strncmp(kept, memory, strlen(memory)) != 0)
        return xasprintf(_("%s (this file is deleted or replaced)"), kept);
    call_text_add_quoted(&name, kept + strlen(memory));
    return xasprintf(_("a program that is in memory alone, as %s"), strbuf_str(&name));
}

/* Of clients that share a session the one that asked is gone with its question; what it was started
 * by tells whose it is. */
static void add_process(struct strbuf *out, const struct call *call, pid_t pid)
{
    pid_t tree = call_text_is_shared(call->session) ? call->client.tree : 0;
    cleanup_free char *handle = tree != 0 ? tree_text_handle(tree) : NULL;

    if (pid != 0 && handle != NULL && tree != pid)
        strbuf_addf(out, _(", process %ld of %s"), (long)pid, handle);
    else if (pid != 0)
        strbuf_addf(out, _(", process %ld"), (long)pid);
}

char *call_text_identity(const struct call *call)
{
    const char *name = call_text_claimed(call);
    bool plain = call->session->origin == SESSION_DEFAULT && call->session->peer_pid != 0;
    /* A plain client lives for one question: what tells something is the program behind it. */
    bool own = call->client.pid != 0 && !plain;
    pid_t pid = own ? call->client.pid : call->session->peer_pid;
    const char *exe = own && call->client.exe != NULL ? call->client.exe : call->session->peer_exe;
    cleanup_strbuf struct strbuf out = STRBUF_INIT;

    if (call->session->origin == SESSION_OPERATOR)
        return xstrdup(_("you, at this console"));
    if (*name != '\0') {
        call_text_add_quoted(&out, name);
        strbuf_addf(&out, " %s", _("(so it says)"));
    } else {
        strbuf_addstr(&out, _("gives no name"));
    }
    add_process(&out, call, pid);
    if (exe != NULL) {
        cleanup_free char *program = call_text_program(exe);

        strbuf_addstr(&out, ", ");
        text_escape(&out, program, at_most(strlen(program)), TEXT_PLAIN_AGENT);
    }
    strbuf_addf(&out, _(", session %.8s"), call->session->id);
    return strbuf_steal(&out);
}

char *call_text_reach(const struct session *session)
{
    if (session->origin != SESSION_DEFAULT)
        return NULL;
    if (session->peer_pid != 0)
        return xasprintf(_("all that process %ld starts, and nothing else"),
                         (long)session->peer_pid);
    if (session->leftover)
        return xstrdup(_("shared, with its answers, by clients of no running program"));
    return xstrdup(_("shared, with answers, by all that use assent exec (:sessions)"));
}

static const struct attempt *last_attempt(const struct call *call)
{
    return call->attempt_count > 0 ? &call->attempts[call->attempt_count - 1] : NULL;
}

char *call_text_waited(const struct call *call)
{
    const struct attempt *last = call->state == CALL_FINISHED ? last_attempt(call) : NULL;
    char duration[32];

    if (last == NULL || last->result.paused_ms < CALL_TEXT_PAUSED_MS_MIN)
        return xstrdup("");
    clock_format_duration(last->result.paused_ms, duration);
    return xasprintf(_(", waited %s"), duration);
}

const char *call_text_withdrawn(const struct call *call)
{
    return call->reach != NULL && call->failure != NULL ? _(call->failure)
                                                        : _("withdrawn by the client");
}

static const char *cancelled_words(const struct call *call)
{
    switch (call->cancelled_by) {
    case CANCELLED_BY_OPERATOR:
        return decision_words_stopped(false);
    case CANCELLED_BY_CLIENT:
        return call_text_withdrawn(call);
    default:
        return _("stopped");
    }
}

bool call_text_stopped_unanswered(const struct call *call)
{
    enum review_kind kind = call->decision.kind;

    return call->cancelled && call->cancelled_by == CANCELLED_BY_OPERATOR &&
           (kind == REVIEW_DENIED || kind == REVIEW_ABORT);
}

/* A call that ended without running, or was withdrawn. */
static struct call_standing standing_unrun(const struct call *call)
{
    struct call_standing standing = {GLYPH_REFUSED, THEME_FAILED, NULL};

    bool answer_only = call->agent_tool != NULL || call->reach != NULL;

    if (answer_only && call->failure == NULL && review_kind_approves(call->decision.kind)) {
        if (call->reach != NULL && call->reach->unreached != NULL)
            return (struct call_standing){GLYPH_FAILED, THEME_WARNING, xstrdup(_("not reached"))};
        return (struct call_standing){GLYPH_OK, THEME_OK, xstrdup(_("allowed"))};
    }
    if (call->decision.source == DECIDED_BY_STOP) {
        standing.words = xstrdup(_("denied: agent stopped"));
    } else if (call->requirement.kind == REQUIREMENT_FORBIDDEN) {
        standing.words = xstrdup(_("refused"));
    } else if (!call_text_stopped_unanswered(call) &&
               (call->decision.kind == REVIEW_DENIED || call->decision.kind == REVIEW_ABORT ||
                call->decision.kind == REVIEW_TIMED_OUT)) {
        standing.words = xstrdup(call->decision.taken_back ? _("denied, taken back") : _("denied"));
    } else if (call->cancelled) {
        standing.words = xstrdup(cancelled_words(call));
        standing.element = THEME_DIM;
    } else {
        standing.words = xstrdup(_("failed"));
    }
    return standing;
}

/* Was it of high risk, and let run unasked because a sandbox holds it? */
static bool ran_grave(const struct call *call)
{
    bool unasked =
        call->decision.source == DECIDED_BY_CONFIG || call->decision.source == DECIDED_BY_RULE;

    return call->assessment.level == RISK_HIGH && unasked &&
           review_kind_approves(call->decision.kind) && call->session->origin != SESSION_OPERATOR;
}

/* What is looked for afterwards: that no sandbox held it, or how grave it was. NULL: neither. */
static const char *mark_of(const struct call *call, const struct attempt *attempt)
{
    if (attempt->sandbox == ATTEMPT_UNSANDBOXED)
        return _("no sandbox");
    return ran_grave(call) ? call_text_risk(RISK_HIGH) : NULL;
}

static char *killed_words(const struct attempt *attempt)
{
    const char *abbreviation = sigabbrev_np(attempt->result.signal);

    return xasprintf(_("killed by SIG%s"), abbreviation != NULL ? abbreviation : "?");
}

/* Of one that ran: whose doing it was is said of all that the operator ends. */
static const char *ended_words(const struct call *call)
{
    return call->cancelled && call->cancelled_by == CANCELLED_BY_OPERATOR
               ? decision_words_stopped(false)
               : _("stopped");
}

/* Of one that ended well, as its exit says: behind what ended well there may be something that did
 * not. NULL: nothing is known of that. */
static const char *doubt_words(const struct call *call, const struct attempt *attempt)
{
    if (attempt->push_stopped != NULL)
        return _("no push?");
    if (attempt->write_stopped != NULL)
        return _("no write?");
    return call->unreached != NULL && attempt->sandbox != ATTEMPT_UNSANDBOXED ? _("host denied")
                                                                              : NULL;
}

static struct call_standing standing_of_result(const struct call *call,
                                               const struct attempt *attempt)
{
    const struct run_result *result = &attempt->result;
    struct call_standing standing = {GLYPH_FAILED, THEME_FAILED, NULL};
    const char *doubt = doubt_words(call, attempt), *dot = "·";
    char duration[32];

    clock_format_duration(result->duration_ms, duration);
    if (result->timed_out) {
        standing.words = xasprintf("%s %s %s", _("timed out"), dot, duration);
    } else if (result->cancelled) {
        standing.words = xasprintf("%s %s %s", ended_words(call), dot, duration);
    } else if (result->outcome == RUN_SIGNALED) {
        standing.words = killed_words(attempt);
    } else if (result->code != 0) {
        standing.words = xasprintf(_("exit %d %s %s"), result->code, dot, duration);
    } else if (doubt != NULL) {
        standing.glyph = GLYPH_DASH;
        standing.element = THEME_WARNING;
        standing.words = xasprintf("%s %s %s", doubt, dot, duration);
    } else {
        standing.glyph = GLYPH_OK;
        standing.element = THEME_OK;
        standing.words = xasprintf("%s %s %s", _("done"), dot, duration);
    }
    return standing;
}

/* What marks it comes first: what a narrow column cuts off is the end, and the sign says how it
 * ended. */
static struct call_standing standing_ended(const struct call *call, const struct attempt *attempt)
{
    const char *mark = mark_of(call, attempt);
    struct call_standing standing;

    if (attempt->result.outcome == RUN_FAILED)
        return (struct call_standing){GLYPH_FAILED, THEME_FAILED, xstrdup(_("could not start"))};
    standing = standing_of_result(call, attempt);
    if (mark != NULL) {
        cleanup_free char *words = standing.words;

        standing.words = xasprintf("%s · %s", mark, words);
    }
    return standing;
}

/* What it did stands first: that it ran must not be lost. */
static struct call_standing standing_withdrawn(const struct call *call)
{
    struct call_standing standing = standing_ended(call, last_attempt(call));
    cleanup_free char *first = standing.words;

    standing.words = call->cancelled_by == CANCELLED_BY_CLIENT
                         ? xasprintf(_("%s; its second request was withdrawn"), first)
                         : xasprintf("%s; %s", first, cancelled_words(call));
    return standing;
}

static bool denied_at_prompt(const struct call *call)
{
    enum review_kind kind = call->decision.kind;

    return kind == REVIEW_DENIED || kind == REVIEW_ABORT || kind == REVIEW_TIMED_OUT;
}

static struct call_standing standing_finished(const struct call *call)
{
    const struct attempt *last = last_attempt(call);

    if (last == NULL)
        return standing_unrun(call);
    /* How the first attempt ended is not how the call did, but that it ran must not be lost. */
    if (call_text_stopped_unanswered(call))
        return (struct call_standing){GLYPH_REFUSED, THEME_DIM,
                                      xstrdup(decision_words_stopped(true))};
    if (denied_at_prompt(call))
        return (struct call_standing){GLYPH_REFUSED, THEME_FAILED,
                                      xstrdup(_("ran, second try denied"))};
    return call->cancelled && !last->result.cancelled ? standing_withdrawn(call)
                                                      : standing_ended(call, last);
}

struct call_standing call_text_standing(const struct call *call)
{
    if (call->frozen && call->state != CALL_FINISHED && call->state != CALL_ASKING)
        return (struct call_standing){GLYPH_DASH, THEME_WARNING, xstrdup(_("frozen"))};
    switch (call->state) {
    case CALL_ASKING:
        return (struct call_standing){GLYPH_ASKING, THEME_ASKING, xstrdup(_("waiting"))};
    case CALL_RUNNING:
        return (struct call_standing){GLYPH_RUNNING, THEME_RUNNING, xstrdup(_("running"))};
    case CALL_FINISHED:
        return standing_finished(call);
    default:
        return (struct call_standing){GLYPH_DOT, THEME_DIM, xstrdup(_("starting"))};
    }
}

char *call_text_under(const struct call *call)
{
    const struct attempt *last = last_attempt(call);

    if (last == NULL || last->under == NULL)
        return xstrdup("");
    return last->sandbox == ATTEMPT_UNSANDBOXED ? xstrdup(_("no sandbox"))
                                                : i18n_wording(last->under);
}

const char *call_text_no_rule(const struct prompt *prompt)
{
    return prompt->no_rule != NULL ? _(prompt->no_rule) : _("No rule is offered for this request.");
}

char *call_text_path_once(const struct prompt *prompt)
{
    return prompt->path_once_reason != NULL
               ? xasprintf(_("This path only once: %s."), _(prompt->path_once_reason))
               : xstrdup(_("This path can only be given once."));
}

const char *call_text_risk(enum risk_level level)
{
    static const char *const names[] = {
        [RISK_LOW] = N_("low"), [RISK_MEDIUM] = N_("medium"), [RISK_HIGH] = N_("HIGH")};

    return _(names[level]);
}

enum theme_glyph call_text_risk_glyph(enum risk_level level)
{
    return level == RISK_HIGH     ? GLYPH_RISK_HIGH
           : level == RISK_MEDIUM ? GLYPH_RISK_MEDIUM
                                  : GLYPH_RISK_LOW;
}

enum theme_element call_text_risk_element(enum risk_level level)
{
    return level == RISK_HIGH     ? THEME_RISK_HIGH
           : level == RISK_MEDIUM ? THEME_RISK_MEDIUM
                                  : THEME_RISK_LOW;
}

/* Whose data that is tells most of how grave it is. */
static const char *deletion(const struct assessment *assessment)
{
    const char *remote = assessment_remote_loss(assessment);

    if (assessment_deletes_outside(assessment))
        return _("deletes data outside the workspace");
    return remote != NULL ? _(remote) : _("deletes data");
}

static const char *deletion_word(const struct assessment *assessment)
{
    if (assessment_deletes_outside(assessment))
        return C_("risk in one word", "outside");
    return assessment_remote_loss(assessment) != NULL ? C_("risk in one word", "remote")
                                                      : C_("risk in one word", "deletes");
}

const char *call_text_category(const struct assessment *assessment, enum risk_category category)
{
    switch (category) {
    case RISK_DATA_DELETION:
        return deletion(assessment);
    case RISK_DATA_EXFILTRATION:
        return _("may leak data");
    case RISK_PRIVILEGE_ESCALATION:
        return _("gains privileges");
    case RISK_SYSTEM_MODIFICATION:
        return _("changes the system");
    case RISK_NETWORK_ACCESS:
        return assessment_uses_network(assessment) ? _("uses the network")
                                                   : _("may use the network");
    case RISK_RESOURCE_EXHAUSTION:
        return _("may use up resources");
    case RISK_COMPLIANCE:
        return _("may break rules or licences");
    }
    return "";
}

const char *call_text_category_word(const struct assessment *assessment,
                                    enum risk_category category)
{
    switch (category) {
    case RISK_DATA_DELETION:
        return deletion_word(assessment);
    case RISK_DATA_EXFILTRATION:
        return C_("risk in one word", "leaks");
    case RISK_PRIVILEGE_ESCALATION:
        return C_("risk in one word", "rights");
    case RISK_SYSTEM_MODIFICATION:
        return C_("risk in one word", "system");
    case RISK_NETWORK_ACCESS:
        return C_("risk in one word", "network");
    case RISK_RESOURCE_EXHAUSTION:
        return C_("risk in one word", "load");
    case RISK_COMPLIANCE:
        return C_("risk in one word", "rules");
    }
    return "";
}

size_t call_text_to_ascii(char **text)
{
    struct strbuf out = STRBUF_INIT;
    size_t length = strlen(*text), at = 0, replaced = 0;

    while (at < length) {
        uint32_t codepoint;
        size_t size = text_decode(*text + at, length - at, &codepoint);

        if (size == 1)
            strbuf_addch(&out, (*text)[at]);
        else if (codepoint == TEXT_TAB_ARROW) /* ordinary where it is shown so */
            strbuf_addstr(&out, "<TAB>");
        else
            strbuf_addf(&out, "<U+%04X>", (unsigned)codepoint);
        replaced += size > 1 && codepoint != TEXT_TAB_ARROW ? 1 : 0;
        at += size;
    }
    free(*text);
    *text = xstrdup(strbuf_str(&out));
    strbuf_free(&out);
    return replaced;
}

size_t call_text_line_number(const struct call *call, size_t at)
{
    size_t line = 1;

    if (call->line == NULL || strchr(call->line, '\n') == NULL)
        return 0;
    for (size_t i = 0; i < at && call->line[i] != '\0'; i++)
        line += call->line[i] == '\n';
    return line;
}

char *call_text_shadow(const struct approval_requirement *requirement)
{
    const struct shadow_requirement *shadow = &requirement->shadow;
    const char *would = _("would have asked");

    if (shadow->rule == NULL)
        return NULL;
    if (shadow->kind == REQUIREMENT_FORBIDDEN)
        would = _("would have refused it");
    else if (shadow->kind == REQUIREMENT_SKIP)
        would = shadow->bypass_sandbox ? _("would have let it run unasked and WITHOUT the sandbox")
                                       : _("would have let it run unasked");
    return xasprintf("%s (%s)", would, shadow->rule);
}

const char *call_text_script_path(const struct call *call, const struct prompt_script *script)
{
    size_t length = strlen(call->spec->cwd);

    return path_is_beneath(script->path, call->spec->cwd) && script->path[length] == '/'
               ? script->path + length + 1
               : script->path;
}

char *call_text_scripts(const struct call *call)
{
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < call->prompt->script_count; i++) {
        const struct prompt_script *script = &call->prompt->scripts[i];
        const char *path = call_text_script_path(call, script);

        if (i > 0)
            strbuf_addstr(&text, "; ");
        if (script->text == NULL)
            strbuf_addf(&text, _("%s, which is not text or too long to be shown"), path);
        else
            strbuf_addf(
                &text,
                P_("%s, %zu line (v shows it)", "%s, %zu lines (v shows them)", script->lines),
                path, script->lines);
    }
    if (call->prompt->script_unknown)
        strbuf_addstr(&text, text.length > 0 ? _("; and more, which only the run itself tells")
                                             : _("which file it runs, only the run itself tells"));
    return text.length > 0 ? strbuf_steal(&text) : NULL;
}

char *call_text_patch_cut(size_t bytes)
{
    return xasprintf(_("The patch is cut here: %zu more bytes are not kept."), bytes);
}
