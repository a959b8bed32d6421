/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/headless.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"

#define COMMAND_COLUMNS 120
#define REASON_COLUMNS 400
#define NAME_COLUMNS 60

struct headless {
    FILE *out;
};

struct headless *headless_new(FILE *out)
{
    struct headless *headless = XNEW(struct headless);
    headless->out = out;
    return headless;
}

void headless_free(struct headless **headless)
{
    free(*headless);
    *headless = NULL;
}

static void write_line(struct headless *headless, const struct strbuf *line)
{
    fprintf(headless->out, "%s\n", strbuf_str(line));
    fflush(headless->out);
}

static void add_escaped(struct strbuf *line, const char *text, size_t columns)
{
    cleanup_free char *safe = text_line(text, strlen(text), columns);
    strbuf_addstr(line, safe);
}

static void add_command(struct strbuf *line, const struct call *call)
{
    cleanup_free char *command = prompt_command_line((const char *const *)call->spec->argv, false);
    add_escaped(line, command, COMMAND_COLUMNS);
}

static void on_session_started(void *argument, const struct session *session)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    if (session->origin == SESSION_DEFAULT && session->peer_pid == 0) {
        strbuf_addstr(&line, "commands that no agent's session asks for come under the name ");
        add_escaped(&line, session->name, NAME_COLUMNS);
    } else {
        add_escaped(&line, session->name, NAME_COLUMNS);
        strbuf_addstr(&line, session->origin == SESSION_OPERATOR
                                 ? ": what was given on the command line comes under this name"
                                 : " has come, and may ask for commands");
    }
    write_line(argument, &line);
}

/* Who asked for it, as they call themselves: a program says more than the session that it has in
 * common with others. */
static void add_who(struct strbuf *line, const struct call *call)
{
    const char *name = call->client.name != NULL ? call->client.name : call->session->name;
    add_escaped(line, name, NAME_COLUMNS);
    if (call->client.pid > 0)
        strbuf_addf(line, " (process %ld)", (long)call->client.pid);
}

static void on_decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    (void)prompt;
    const struct review_decision *decision = &call->decision;
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "c%" PRIu64 " %s (%s), asked by ", call->id,
                review_kind_name(decision->kind), decision_source_name(decision->source));
    add_who(&line, call);
    strbuf_addstr(&line, ": ");
    add_command(&line, call);
    if (decision->message != NULL) {
        strbuf_addstr(&line, ": ");
        add_escaped(&line, decision->message, REASON_COLUMNS);
    }
    write_line(argument, &line);
}

static void on_attempt_ended(void *argument, const struct call *call, unsigned attempt)
{
    const struct sandbox_denial *denial = call->attempts[attempt].denial;
    if (denial == NULL)
        return;
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "c%" PRIu64 " the sandbox %s: %s ", call->id,
                denial->inferred ? "may have blocked" : "blocked", denial->cause);
    add_escaped(&line, denial->path, REASON_COLUMNS);
    write_line(argument, &line);
}

static void on_finished(void *argument, const struct call *call)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    bool refused =
        !call->cancelled && call->attempt_count == 0 && !review_kind_approves(call->decision.kind);
    if (refused && call->reach != NULL)
        strbuf_addf(&line, "c%" PRIu64 " refused: no connection was made", call->id);
    else if (refused)
        strbuf_addf(&line, "c%" PRIu64 " refused: did not run, its client ends with status %d",
                    call->id, call_exit_status(call));
    else
        strbuf_addf(&line, "c%" PRIu64 " %s, exit status %d", call->id,
                    call->cancelled ? "cancelled" : "finished", call_exit_status(call));
    if (call->failure != NULL) {
        strbuf_addstr(&line, ": ");
        add_escaped(&line, call->failure, REASON_COLUMNS);
    }
    write_line(argument, &line);
}

static void on_notice(void *argument, enum notice_level level, const char *text)
{
    static const char *const names[] = {
        [NOTICE_INFO] = "note",
        [NOTICE_WARNING] = "warning",
        [NOTICE_ALARM] = "ALARM",
        [NOTICE_OPERATOR] = "operator",
    };
    cleanup_free char *safe = text_sentence(text, strlen(text), REASON_COLUMNS);
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "%s: %s", names[level], safe);
    write_line(argument, &line);
}

static const struct observer observer = {
    .name = "headless",
    .session_started = on_session_started,
    .decided = on_decided,
    .attempt_ended = on_attempt_ended,
    .finished = on_finished,
    .notice = on_notice,
};

const struct observer *headless_observer(void)
{
    return &observer;
}
