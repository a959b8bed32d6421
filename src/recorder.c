/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "recorder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "approval/decision_words.h"
#include "approval/keys.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/paths.h"
#include "log_filter.h"
#include "log_reading.h"
#include "record/log_repair.h"
#include "record/log_resume.h"
#include "rulebook.h"
#include "typed_ahead.h"
#include "ui/rules_text.h"

/* A view is for reading: more calls than this are for `assent log`. */
#define CALLS_SHOWN 500

#define LIST_ROWS 8     /* of what is asked about, so that the question stays on the screen */
#define NAME_COLUMNS 60 /* of what did not come back; longer lines are wrapped */

struct recorder {
    char *directory, *anchors;
    struct session_log *log;
    struct log_resume *resume; /* where this one goes on, or NULL */
    bool one_session;          /* of all plain clients */
    bool restores;             /* what was approved there holds */
    bool continues;            /* agents of there go on */
    bool received;             /* a call: there is something to go on with */
};

/* "2026-11-21T09:08:07.123Z" becomes a file name that sorts by time. */
static char *new_name(void)
{
    char started[32];
    clock_format_utc(clock_wall_ms(NULL), started);
    for (char *byte = started; *byte; byte++)
        if (*byte == ':' || *byte == '.')
            *byte = '-';
    return xasprintf("%s-%ld", started, (long)getpid());
}

struct recorder *recorder_new(const struct options *options, const char *state, struct error *error)
{
    struct recorder *recorder = XNEW(struct recorder);
    recorder->directory = paths_log_directory(options_string(options, OPTION_LOG_DIRECTORY));
    recorder->anchors = xasprintf("%s/anchors", state);
    recorder->one_session = strcmp(options_string(options, OPTION_PLAIN_SESSIONS), "program") != 0;
    if (paths_make_private(recorder->directory, error) < 0)
        recorder_free(&recorder, true);
    else
        log_repair(recorder->directory, recorder->anchors, NULL);
    return recorder;
}

static struct log_place place_of(const struct recorder *recorder)
{
    return (struct log_place){.directory = recorder->directory, .anchors = recorder->anchors};
}

uint64_t recorder_last_call(const struct recorder *recorder)
{
    return recorder->resume ? log_resume_last_call(recorder->resume) : 0;
}

uint64_t recorder_denied(void *argument, const struct call *call)
{
    const struct recorder *recorder = argument;
    return recorder->resume ? log_resume_denied(recorder->resume, call) : 0;
}

int recorder_start(struct recorder *recorder, struct loop *loop, const struct options *options,
                   struct error *error)
{
    const struct log_place place = place_of(recorder);
    cleanup_free char *name = new_name();
    recorder->log = session_log_open(loop, &place, name, error);
    if (!recorder->log)
        return -1;
    session_log_begin(recorder->log, recorder->resume ? log_resume_console(recorder->resume) : NULL,
                      recorder_last_call(recorder));
    const struct log_limits limits = {.age_ms =
                                          options_number(options, OPTION_LOG_KEEP_DAYS) * 86400000,
                                      .bytes = options_number(options, OPTION_LOG_KEEP_SIZE)};
    session_log_retain(recorder->log, &limits);
    return 0;
}

/* ---- going on -------------------------------------------------------------------------------- */

int recorder_resume(struct recorder *recorder, const char *name, const char **root,
                    struct error *error)
{
    const struct log_place place = place_of(recorder);
    recorder->resume = log_resume_open(&place, name, error);
    if (!recorder->resume)
        return -1;
    if (recorder->one_session)
        log_resume_one_session(recorder->resume);
    *root = log_resume_root(recorder->resume);
    return 0;
}

static char *whose(const struct log_legacy *left)
{
    cleanup_free char *name = text_line(left->name, strlen(left->name), 40);
    if (left->origin == SESSION_OPERATOR)
        return xstrdup(_("you"));
    return left->peer_pid == 0 ? xstrdup(_("all that use assent exec"))
                               : xasprintf("%s (%ld)", name, (long)left->peer_pid);
}

/* What it lets its command do beside what the sandbox does: ", WITHOUT the sandbox"; "" mostly. */
static char *more_text(const struct grant *grant)
{
    if (grant->unsandboxed)
        return xasprintf("%s", _(", WITHOUT the sandbox"));
    if (grant->path == NULL)
        return xstrdup("");
    cleanup_strbuf struct strbuf path = STRBUF_INIT;
    text_escape(&path, grant->path, strlen(grant->path), 0);
    return xasprintf(_(", may write %s"), strbuf_str(&path));
}

static void list_grant(const char *name, const struct grant *grant, FILE *out)
{
    cleanup_strbuf struct strbuf label = STRBUF_INIT;
    cleanup_free char *more = more_text(grant);
    cleanup_free char *asked =
        decision_words_asked(grant->label, keys_summary(grant->key).kind == APPROVED_HOST);
    text_escape(&label, asked, strlen(asked), 0);
    fprintf(out, "  %s%s: %s\n", name, more, strbuf_str(&label));
}

/* What lets its command do more than the sandbox does, or the rest; how many there was no room for.
 */
static size_t list_grants(const struct log_resume *resume, bool more, size_t *room, FILE *out)
{
    size_t left_out = 0;
    for (size_t i = 0; log_resume_at(resume, i); i++) {
        const struct log_legacy *left = log_resume_at(resume, i);
        cleanup_free char *name = whose(left);
        for (size_t j = 0; j < grants_count(left->grants); j++) {
            const struct grant *grant = grants_at(left->grants, j);
            if ((grant->unsandboxed || grant->path != NULL) != more)
                continue;
            left_out += *room == 0;
            if (*room > 0)
                list_grant(name, grant, out);
            *room -= *room > 0;
        }
    }
    return left_out;
}

/* What nobody would let hold unseen stands first. */
static void list_approvals(const struct log_resume *resume, size_t room, FILE *out)
{
    size_t more = list_grants(resume, true, &room, out);
    size_t others = list_grants(resume, false, &room, out);
    if (more > 0)
        fprintf(out, _("  and %zu more WITHOUT the sandbox or with a path to write\n"), more);
    if (others > 0)
        fprintf(out, _("  and %zu more in the sandbox\n"), others);
}

/* Is it yes? A terminal that has gone gave no answer: to go on without what it asks for would leave
 * that behind for good. */
static int ask_yes(const struct recorder_terminal *terminal, const char *question, bool *yes,
                   struct error *error)
{
    FILE *in = terminal->in, *out = terminal->out;
    char answer[16];
    fflush(out);
    typed_ahead_drop(fileno(in), terminal->quiet_ms);
    fprintf(out, "%s ", question);
    fflush(out);
    if (!fgets(answer, sizeof answer, in)) {
        fputc('\n', out);
        return error_set(error, 0, _("no answer: nothing was started, and all is as it was"));
    }
    *yes =
        strcmp(answer, "y\n") == 0 || strcmp(answer, "yes\n") == 0 || strcmp(answer, _("y\n")) == 0;
    return 0;
}

static void list_agents(const struct recorder *recorder, size_t room, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; log_resume_agent(recorder->resume, i); i++) {
        if (count++ >= room)
            continue;
        cleanup_strbuf struct strbuf line = STRBUF_INIT;
        cleanup_strbuf struct strbuf safe = STRBUF_INIT;
        text_quote_argv(&line, log_resume_agent(recorder->resume, i));
        text_escape(&safe, strbuf_str(&line), line.length, 0);
        fprintf(out, "  assent %s\n", strbuf_str(&safe));
    }
    if (count > room)
        fprintf(out, _("  and %zu more\n"), count - room);
}

/* Nothing is said of none. */
static void note(FILE *out, size_t count, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void note(FILE *out, size_t count, const char *format, ...)
{
    va_list arguments;
    if (count == 0)
        return;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputc('\n', out);
}

/* Which they were, on a line of its own: the first, and how many more. */
static void list_names(FILE *out, const char *const *names, size_t count, bool rules)
{
    size_t named = names != NULL ? strv_length(names) : 0;
    for (size_t i = 0; i < named; i++) {
        cleanup_free char *safe = rules ? rules_text_subject(names[i]) : xstrdup(names[i]);
        cleanup_free char *shown = text_line(safe, strlen(safe), NAME_COLUMNS);
        fprintf(out, "%s%s", i == 0 ? "  " : ", ", shown);
    }
    if (named > 0 && count > named)
        fprintf(out, _(" and %zu more"), count - named);
    if (named > 0)
        fputc('\n', out);
}

static void tell_killed(const struct log_resume_rest *rest, FILE *out)
{
    if (rest->killed)
        fputs(_("It was killed: what its last calls did may be missing from its record.\n"), out);
}

/* What comes back by no answer. */
static void list_lost(const struct log_resume_rest *rest, FILE *out)
{
    note(out, rest->left_out,
         P_("%zu approval of an agent's session, which ended",
            "%zu approvals of agents' sessions, which ended", rest->left_out),
         rest->left_out);
    note(out, rest->leases,
         P_("%zu approval for a time, for runs or for a command",
            "%zu approvals for a time, for runs or for a command", rest->leases),
         rest->leases);
    list_names(out, rest->lease_names, rest->leases, false);
    note(out, rest->rules, P_("%zu rule for a session", "%zu rules for a session", rest->rules),
         rest->rules);
    list_names(out, rest->rule_names, rest->rules, true);
    note(out, rest->voided,
         P_("%zu approval that ended because a file changed",
            "%zu approvals that ended because a file changed", rest->voided),
         rest->voided);
    list_names(out, rest->void_names, rest->voided, false);
    note(out, rest->denials,
         P_("%zu denial of yours: agents may ask again (:log denied)",
            "%zu denials of yours: agents may ask again (:log denied)", rest->denials),
         rest->denials);
    list_names(out, rest->deny_names, rest->denials, false);
}

static int ask_about_agents(struct recorder *recorder, const struct recorder_terminal *terminal,
                            struct error *error)
{
    if (!log_resume_agent(recorder->resume, 0))
        return 0;
    fputs(_("Agents were at work there, and can go on with what they were told:\n"), terminal->out);
    list_agents(recorder, LIST_ROWS, terminal->out);
    fputs(_("y: they go on, each in a pane. n, or Enter: none is started.\n"), terminal->out);
    return ask_yes(terminal, _("Start them again? [y/N]"), &recorder->continues, error);
}

const char *const *recorder_agent(const struct recorder *recorder, size_t index)
{
    return recorder->continues ? log_resume_agent(recorder->resume, index) : NULL;
}

size_t recorder_zoomed(const struct recorder *recorder)
{
    return recorder->continues ? log_resume_zoomed(recorder->resume) : SIZE_MAX;
}

int recorder_ask(struct recorder *recorder, const struct recorder_terminal *terminal,
                 struct error *error)
{
    FILE *out = terminal->out;
    const struct log_resume *resume = recorder->resume;
    const struct log_resume_rest rest = log_resume_rest(resume);
    if (log_resume_meant(resume) != NULL)
        fprintf(out, _("Others have gone on from %s; the last of them is meant.\n"),
                log_resume_meant(resume));
    fprintf(out, _("Going on from %s.\n"), log_resume_console(resume));
    tell_killed(&rest, out);
    if (rest.left_out + rest.leases + rest.rules + rest.voided + rest.denials > 0) {
        fputs(_("This does not come back:\n"), out);
        list_lost(&rest, out);
    }
    if (ask_about_agents(recorder, terminal, error) < 0)
        return -1;
    if (log_resume_at(resume, 0) == NULL)
        return 0;
    fputs(_("You approved there for the session, and have not taken back:\n"), out);
    list_approvals(resume, LIST_ROWS, out);
    fputs(_("y, then Enter: all of it holds until this console ends (:grants, :revoke).\n"
            "n, or Enter alone: none of it does, and you are asked again.\n"),
          out);
    return ask_yes(terminal, _("Is that to hold here as well? [y/N]"), &recorder->restores, error);
}

/* ---- what came back -------------------------------------------------------------------------- */

/* What was printed, without the last newline; caller frees. */
static char *close_text(FILE *out, char **text, const size_t *length)
{
    fclose(out);
    if (*length > 0 && (*text)[*length - 1] == '\n')
        (*text)[*length - 1] = '\0';
    return *text;
}

static char *approvals_text(const struct recorder *recorder)
{
    char *text = NULL;
    size_t length;
    FILE *out = recorder->restores ? open_memstream(&text, &length) : NULL;
    if (!out)
        return NULL;
    list_approvals(recorder->resume, SIZE_MAX, out);
    return close_text(out, &text, &length);
}

static char *agents_text(const struct recorder *recorder)
{
    char *text = NULL;
    size_t length;
    FILE *out = recorder->continues ? open_memstream(&text, &length) : NULL;
    if (!out)
        return NULL;
    list_agents(recorder, SIZE_MAX, out);
    return close_text(out, &text, &length);
}

static size_t count_approvals(const struct log_resume *resume)
{
    size_t count = 0;
    for (size_t i = 0; log_resume_at(resume, i); i++)
        count += grants_count(log_resume_at(resume, i)->grants);
    return count;
}

static size_t count_agents(const struct log_resume *resume)
{
    size_t count = 0;
    while (log_resume_agent(resume, count))
        count++;
    return count;
}

static void list_what_stays(const struct recorder *recorder, FILE *out)
{
    const struct log_resume_rest rest = log_resume_rest(recorder->resume);
    size_t approvals = recorder->restores ? 0 : count_approvals(recorder->resume);
    size_t agents = recorder->continues ? 0 : count_agents(recorder->resume);
    tell_killed(&rest, out);
    note(out, approvals,
         P_("%zu approval that you did not let hold", "%zu approvals that you did not let hold",
            approvals),
         approvals);
    list_lost(&rest, out);
    note(out, rest.open,
         P_("%zu call that the end cut short", "%zu calls that the end cut short", rest.open),
         rest.open);
    note(out, agents,
         P_("%zu agent that you did not start again", "%zu agents that you did not start again",
            agents),
         agents);
    note(out, rest.agents_ended,
         P_("%zu agent that had ended before", "%zu agents that had ended before",
            rest.agents_ended),
         rest.agents_ended);
    note(out, rest.agents_hidden,
         P_("%zu agent of which it is not known how it was started",
            "%zu agents of which it is not known how they were started", rest.agents_hidden),
         rest.agents_hidden);
    fputs(_("changes of policy, sandbox and network: they are as configured"), out);
}

static char *rest_text(const struct recorder *recorder)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    list_what_stays(recorder, out);
    return close_text(out, &text, &length);
}

bool recorder_restored(const struct recorder *recorder, struct console_restored *restored)
{
    if (!recorder->resume)
        return false;
    *restored = (struct console_restored){
        .console = log_resume_console(recorder->resume),
        .calls = log_resume_rest(recorder->resume).calls,
        .approvals = approvals_text(recorder),
        .agents = agents_text(recorder),
        .zoomed = recorder_zoomed(recorder) != SIZE_MAX,
        .rest = rest_text(recorder),
    };
    return true;
}

void recorder_restored_clear(struct console_restored *restored)
{
    free(restored->approvals);
    free(restored->agents);
    free(restored->rest);
}

const struct log_legacy *recorder_left(const struct recorder *recorder, size_t index)
{
    return recorder->restores ? log_resume_at(recorder->resume, index) : NULL;
}

static void on_call_received(void *argument, const struct call *call)
{
    struct recorder *recorder = argument;
    (void)call;
    recorder->received = true;
}

static void on_session_started(void *argument, const struct session *session)
{
    const struct recorder *recorder = argument;
    if (recorder->restores && log_resume_give(recorder->resume, session) > 0)
        session_log_grants_restored(recorder->log, session);
}

const struct observer *recorder_observer(void)
{
    static const struct observer observer = {.name = "recorder",
                                             .session_started = on_session_started,
                                             .call_received = on_call_received};
    return &observer;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Whoever goes on from a console has what that one went on from. */
static bool leaves_something(const struct recorder *recorder)
{
    return recorder->received || recorder->resume != NULL;
}

static void show_end(const struct recorder *recorder, const char *console,
                     const struct log_head *head)
{
    char hash[SHA256_HEX_SIZE];
    sha256_hex(head->hash, hash);
    if (head->lines > 0)
        fprintf(stderr, _("Record: %s, %llu lines, the last one's SHA-256:\n%s\n"), console,
                (unsigned long long)head->lines, hash);
    else
        fprintf(stderr, _("Record: the end of %s could not be written\n"), console);
    if (head->lines > 0 && leaves_something(recorder))
        fputs(_("\"assent --resume\" goes on from here. It asks whether what you approved for the\n"
                "session holds again; approvals for a time or for some runs, and the rules\n"
                "of the session, do not come back.\n"),
              stderr);
}

void recorder_free(struct recorder **place, bool quiet)
{
    struct recorder *recorder = *place;
    if (!recorder)
        return;
    if (recorder->log) {
        struct log_head head;
        cleanup_free char *console = xstrdup(session_log_console(recorder->log));
        session_log_close(&recorder->log, &head);
        if (!quiet)
            show_end(recorder, console, &head);
    }
    log_resume_free(&recorder->resume);
    free(recorder->directory);
    free(recorder->anchors);
    free(recorder);
    *place = NULL;
}

struct session_log *recorder_log(const struct recorder *recorder)
{
    return recorder->log;
}

/* ---- what is shown --------------------------------------------------------------------------- */

/* What the console reads for a view. */
struct shown {
    struct log_filter filter;
    struct rulebook *rules;      /* as they are in the files; NULL until that matters */
    struct log_reading *reading; /* NULL: nothing can be read, because of `problem` */
    struct error problem;
};

/* What the operator approved today, and what a time is given for, is looked for in all consoles. */
void *recorder_read(void *argument, const char *text, size_t columns)
{
    const struct recorder *recorder = argument;
    struct shown *shown = XNEW(struct shown);
    struct log_query *query = &shown->filter.query;
    const char *before = recorder->resume ? log_resume_console(recorder->resume) : NULL;
    const char *const here[] = {session_log_console(recorder->log), before, NULL};
    bool stats = strcmp(text, "stats") == 0;
    if (log_filter_parse(&shown->filter, stats ? "" : text, &shown->problem) < 0)
        return shown;
    query->last = stats ? 0 : CALLS_SHOWN;
    query->keeps_rule = rulebook_keeps;
    query->keeper = &shown->rules;
    bool all = query->since_ms != 0 || query->until_ms != 0;
    shown->reading = log_reading_new(recorder->directory, all ? NULL : here, query, stats, columns);
    return shown;
}

char *recorder_read_on(void *argument)
{
    struct shown *shown = argument;
    struct strbuf problem = STRBUF_INIT;
    if (shown->reading)
        return log_reading_step(shown->reading) ? NULL : log_reading_text(shown->reading);
    text_escape(&problem, shown->problem.message, strlen(shown->problem.message), 0);
    return strbuf_steal(&problem);
}

void recorder_read_end(void *argument)
{
    struct shown *shown = argument;
    log_reading_free(&shown->reading);
    log_filter_clear(&shown->filter);
    rulebook_free(&shown->rules);
    free(shown);
}
