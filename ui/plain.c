/* SPDX-License-Identifier: MIT */
/* plain: its life, its terminal, and what it prints of what happens. */
#include "config.h"

#include "ui/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/console.h"
#include "ui/decision_text.h"
#include "ui/git_text.h"
#include "ui/operator_agent.h"
#include "ui/plain_int.h"
#include "ui/plain_lines.h"
#include "ui/restored_view.h"

#define READ_BYTES 4096
#define LINE_MAX_BYTES ((size_t)64 * 1024) /* of input */
#define OUTPUT_LINE_BYTES ((size_t)2000)   /* of a command; the rest goes on in the next line */
#define OUTPUT_LINE_COLUMNS 1000
/* A terminal that does not read loses output of commands beyond this, never a request. */
#define UNSENT_MAX ((size_t)1024 * 1024)
#define COMMAND_COLUMNS 200

/* ---- writing ------------------------------------------------------------------------------ */

/* The question counts as printed once the terminal has taken all of it. */
static void all_sent(struct plain *plain)
{
    strbuf_reset(&plain->unsent);
    plain->sent = 0;
    loop_io_set(plain->output_io, 0);
    if (plain->sent_ms < 0)
        plain->sent_ms = loop_now_ms(plain->setup.loop);
    if (plain->question == PLAIN_NOTHING || plain->asked_ms >= 0)
        return;
    plain->asked_ms = loop_now_ms(plain->setup.loop);
    tcflush(plain->setup.input, TCIFLUSH);
}

static void send_some(struct plain *plain)
{
    while (plain->sent < plain->unsent.length) {
        ssize_t count = write(plain->output, plain->unsent.data + plain->sent,
                              plain->unsent.length - plain->sent);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN) {
            loop_io_set(plain->output_io, LOOP_WRITE);
            return;
        }
        if (count < 0) {
            plain_quit(plain, 128 + 1);
            break;
        }
        plain->sent += (size_t)count;
    }
    all_sent(plain);
}

static void output_ready(int fd, unsigned events, void *argument)
{
    (void)fd;
    (void)events;
    send_some(argument);
}

/* 0: it is no terminal, or one that does not know. */
static size_t terminal_columns(const struct plain *plain)
{
    struct winsize size;

    return ioctl(plain->output, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

void plain_say(struct plain *plain, const char *format, ...)
{
    cleanup_free char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    plain_lines_add(&plain->unsent, text, terminal_columns(plain), WRAP_EXACT);
    plain_reminder_line(plain->reminder);
    loop_wake(plain->setup.loop);
}

void plain_quote(struct plain *plain, const char *text, size_t length, enum wrap_mode mode)
{
    cleanup_free char *line = xasprintf("    | %.*s", (int)length, text);

    plain_lines_add(&plain->unsent, line, terminal_columns(plain), mode);
    loop_wake(plain->setup.loop);
}

void plain_tell(struct plain *plain, enum theme_element element, const char *text)
{
    trail_add(plain->trail, clock_wall_ms(loop_clock(plain->setup.loop)), element, text);
    plain_say(plain, "%s", trail_at(plain->trail, trail_count(plain->trail) - 1)->text);
}

/* What is typed is seen on the terminal, or not. */
static void set_echo(const struct plain *plain, bool on)
{
    struct termios modes;

    if (tcgetattr(plain->setup.input, &modes) < 0)
        return; /* it is no terminal: there is no echo */
    modes.c_lflag = on ? modes.c_lflag | ECHO : modes.c_lflag & ~(tcflag_t)ECHO;
    tcsetattr(plain->setup.input, TCSANOW, &modes);
}

void plain_ask(struct plain *plain, enum plain_question question)
{
    bool hide = question == PLAIN_WORDS && plain->secret;

    if (hide != plain->hidden)
        set_echo(plain, !hide);
    plain->hidden = hide;
    plain->question = question;
    plain->asked_ms = -1;
    if (question == PLAIN_NOTHING || question == PLAIN_ANSWER) {
        free(plain->sentence);
        plain->sentence = NULL;
    }
    strbuf_reset(&plain->line);
    tcflush(plain->setup.input, TCIFLUSH);
    plain_reminder_asked(plain->reminder);
    loop_wake(plain->setup.loop);
}

void plain_ask_for(struct plain *plain, enum plain_question question, const char *sentence)
{
    free(plain->sentence);
    plain->sentence = xstrdup(sentence);
    plain_say(plain, "%s", sentence);
    plain_ask(plain, question);
}

/* ---- reading ------------------------------------------------------------------------------ */

static bool is_guarded(const struct plain *plain)
{
    return plain->asked_ms < 0 ||
           loop_now_ms(plain->setup.loop) - plain->asked_ms < plain->setup.guard_ms;
}

/* The same question: its last line stands behind why it is asked again. */
static void ask_too_soon(struct plain *plain)
{
    const struct call *call = plain->sentence == NULL ? plain_request_asked(plain) : NULL;

    plain_say(plain, "%s",
              _("That was typed too soon after the question, and is not taken. "
                "Answer it now."));
    if (plain->sentence != NULL)
        plain_say(plain, "%s", plain->sentence);
    else if (call != NULL)
        plain_print_keys(plain, call);
    plain_ask(plain, plain->question);
}

static void take_line(struct plain *plain, char *line)
{
    plain->quit_confirm = plain->quit_confirm && *line == ':'; /* of these, one is for that */
    if (plain->question != PLAIN_NOTHING && is_guarded(plain)) {
        ask_too_soon(plain);
    } else if (plain->question != PLAIN_NOTHING) {
        plain_answer_line(plain, line);
    } else {
        plain_command_line(plain, line);
    }
}

/* Whole lines, one after the other; a question that one of them brings up throws the rest away. */
static void take_lines(struct plain *plain, const char *bytes, size_t length)
{
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t piece = end != NULL ? (size_t)(end - bytes) : length;
        enum plain_question before = plain->question;
        cleanup_free char *line = NULL;

        if (plain->line.length + piece <= LINE_MAX_BYTES)
            strbuf_add(&plain->line, bytes, piece);
        if (end == NULL)
            return;
        line = xstrdup(strbuf_str(&plain->line));
        strbuf_reset(&plain->line);
        take_line(plain, line);
        if (before != PLAIN_NOTHING || plain->question != PLAIN_NOTHING)
            return;
        bytes += piece + 1;
        length -= piece + 1;
    }
}

static void input_ready(int fd, unsigned events, void *argument)
{
    struct plain *plain = argument;
    char bytes[READ_BYTES];
    ssize_t length = read(fd, bytes, sizeof(bytes));

    (void)events;
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (length <= 0) { /* its end, or Ctrl-D */
        loop_io_set(plain->input_io, 0);
        plain_quit(plain, length < 0 ? 128 + 1 : 0);
        return;
    }
    vigil_present(plain->vigil);
    take_lines(plain, bytes, (size_t)length);
}

void plain_quit(struct plain *plain, int status)
{
    if (!plain->quitting && plain->setup.quit != NULL)
        plain->setup.quit(plain->setup.argument, status);
    plain->quitting = true;
}

static void plain_turn(void *argument)
{
    struct plain *plain = argument;

    vigil_follow(plain->vigil);
    plain_request_follow(plain);
    plain_check_follow(plain->check);
    plain_reminder_follow(plain->reminder);
    send_some(plain);
}

/* ---- what happens ------------------------------------------------------------------------- */

static void decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    struct plain *plain = argument;
    cleanup_free char *text = NULL;
    bool allowed;

    if (prompt == NULL && call->decision.source != DECIDED_BY_CACHE &&
        call->decision.source != DECIDED_BY_STOP)
        return;
    text = decision_text(plain->setup.orchestrator, call, 0, &allowed);
    plain_tell(plain, allowed ? THEME_OK : THEME_FAILED, text);
}

static void grant_ended(void *argument, const struct session *session, const struct grant *grant,
                        enum grant_end end)
{
    cleanup_free char *text = decision_text_grant_end(grant, end);

    (void)session;
    if (text != NULL)
        plain_tell(argument, THEME_STRONG, text);
}

static void say_output(struct plain *plain)
{
    cleanup_free char *safe =
        text_line(plain->output_line.length > 0 ? plain->output_line.data : "",
                  plain->output_line.length, OUTPUT_LINE_COLUMNS);

    if (plain->unsent.length < UNSENT_MAX)
        plain_say(plain, "c%" PRIu64 "| %s", plain->output_call, safe);
    strbuf_reset(&plain->output_line);
}

/* Of the operator's own commands; what agents run is for them to read. */
static void output(void *argument, const struct call *call, enum run_stream stream,
                   const char *bytes, size_t length)
{
    struct plain *plain = argument;

    (void)stream;
    if (session_is_agent(call->session))
        return;
    if (plain->output_call != call->id && plain->output_line.length > 0)
        say_output(plain);
    plain->output_call = call->id;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\r')
            continue;
        if (bytes[i] == '\n' || plain->output_line.length >= OUTPUT_LINE_BYTES)
            say_output(plain);
        if (bytes[i] != '\n')
            strbuf_addch(&plain->output_line, bytes[i]);
    }
}

/* Of a call that nobody was asked about, and that ran or that a policy refused, no line has said
 * what it is: " (codex: make)". Caller frees. */
static char *unheard_of(const struct plain *plain, const struct call *call)
{
    cleanup_free char *agent = operator_agent_label(plain->setup.orchestrator, call, 24);
    cleanup_free char *line = call_text_line_within(call, COMMAND_COLUMNS);
    bool told = call->decision.source == DECIDED_BY_CACHE ||
                call->decision.source == DECIDED_BY_USER ||
                call->decision.source == DECIDED_BY_STOP;

    return session_is_agent(call->session) && !told ? xasprintf(" (%s: %s)", agent, line)
                                                    : xstrdup("");
}

static void finished(void *argument, const struct call *call)
{
    struct plain *plain = argument;
    cleanup_free char *unheard = unheard_of(plain, call);
    struct call_standing standing = call_text_standing(call);
    cleanup_free char *words = standing.words;
    cleanup_free char *failure =
        call->failure != NULL ? text_sentence(call->failure, strlen(call->failure), COMMAND_COLUMNS)
                              : NULL;

    if (plain->output_call == call->id && plain->output_line.length > 0)
        say_output(plain);
    plain_say(plain, "c%" PRIu64 " %s%s%s%s", call->id, words, failure != NULL ? ": " : "",
              failure != NULL ? failure : "", unheard);
    if (call->id == plain->setup.command_call && plain->setup.exit_when_done)
        plain_quit(plain, call_exit_status(call));
}

static void connection_ended(void *argument, const struct call *call,
                             const struct reach_connection *connection)
{
    struct plain *plain = argument;
    cleanup_free char *text = decision_text_unreached(plain->setup.orchestrator, call, connection);

    if (text != NULL)
        plain_tell(plain, THEME_WARNING, text);
}

static void notice(void *argument, enum notice_level level, const char *text)
{
    cleanup_free char *warning = xasprintf(_("Warning: %s"), text);

    if (level == NOTICE_ALARM || level == NOTICE_WARNING)
        plain_tell(argument, THEME_WARNING, warning);
    else if (level == NOTICE_INFO)
        plain_tell(argument, THEME_DIM, text);
}

static void asked(void *argument, const struct call *call)
{
    const struct plain *plain = argument;

    (void)call;
    loop_wake(plain->setup.loop);
}

static void tell_row(struct plain *plain, const struct call *call, const char *label, char *row)
{
    cleanup_free char *text =
        row != NULL ? xasprintf("c%" PRIu64 ", %s: %s", call->id, label, row) : NULL;

    if (text != NULL)
        plain_tell(plain, THEME_OVERLAY_TEXT, text);
    free(row);
}

/* What git has said comes in behind the request, in lines of its own, once: other news leave it as
 * it is. */
static void prompt_changed(void *argument, const struct call *call)
{
    struct plain *plain = argument;
    enum git_look_state look = call->losses.count > 0 ? call->losses.look : call->seen.look;
    const char *label;

    if ((look == GIT_SEEN || look == GIT_UNSEEN) && call->prompt->id == plain->prompt &&
        plain->git_told != plain->prompt) {
        char *taken = git_text_losses_row(call, &label);

        tell_row(plain, call, _("Lost there"), git_text_lost_row(call));
        tell_row(plain, call, _("Sends"), git_text_sent_row(call));
        tell_row(plain, call, label, taken);
        plain->git_told = plain->prompt;
    }
    asked(argument, call);
}

const struct observer *plain_observer(void)
{
    static const struct observer observer = {
        .name = "plain",
        .asked = asked,
        .prompt_changed = prompt_changed,
        .decided = decided,
        .output = output,
        .connection_ended = connection_ended,
        .finished = finished,
        .grant_ended = grant_ended,
        .notice = notice,
    };

    return &observer;
}

/* ---- life --------------------------------------------------------------------------------- */

/* The same terminal, opened anew: making the one that we were given non-blocking would make it so
 * for whoever shares it. */
static int open_again(int fd)
{
    cleanup_free char *path = xasprintf("/proc/self/fd/%d", fd);

    return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static void requests_wait(void *argument, enum vigil_event event, size_t waiting)
{
    cleanup_free char *text = vigil_text(event, waiting);

    if (event != VIGIL_WAITING) /* which is printed itself */
        plain_say(argument, "%s", text);
}

static struct vigil *start_vigil(struct plain *plain)
{
    const struct vigil_setup setup = {
        .loop = plain->setup.loop,
        .orchestrator = plain->setup.orchestrator,
        .escalate_ms = plain->setup.escalate_ms,
        .away_ms = plain->setup.away_ms,
        .command = plain->setup.notify_command,
        .alert = requests_wait,
        .argument = plain,
    };

    return vigil_new(&setup);
}

static void say_restored(struct plain *plain, const struct console_restored *restored)
{
    struct document text = {0};

    plain->calls_before = restored->calls;
    restored_view_text(&text, restored, orchestrator_rules(plain->setup.orchestrator));
    plain_show(plain, _("What came back"), &text);
}

struct plain *plain_new(const struct plain_setup *setup, struct error *error)
{
    int fd = open_again(setup->output);
    struct plain *plain;

    if (fd < 0) {
        error_errno(error, errno, "cannot write to the terminal");
        return NULL;
    }
    plain = XNEW(struct plain);
    plain->setup = *setup;
    plain->output = fd;
    plain->asked_ms = -1;
    plain->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    plain->output_io = loop_io_new(setup->loop, fd, output_ready, plain);
    plain->input_io = loop_io_new(setup->loop, setup->input, input_ready, plain);
    plain->trail = trail_new();
    plain->reminder = plain_reminder_new(plain);
    plain->check = plain_check_new(plain);
    plain->vigil = start_vigil(plain);
    plain->turn = loop_on_turn(setup->loop, plain_turn, plain);
    loop_io_set(plain->input_io, LOOP_READ);
    plain_say(plain, "%s",
              _("Assent, in plain lines. !COMMAND runs a command, :help lists the rest."));
    if (setup->restored != NULL)
        say_restored(plain, setup->restored);
    return plain;
}

void plain_free(struct plain **place)
{
    struct plain *plain = *place;

    if (plain == NULL)
        return;
    if (plain->hidden)
        set_echo(plain, true);
    loop_io_free(&plain->input_io);
    loop_io_free(&plain->output_io);
    loop_turn_free(&plain->turn);
    plain_record_end(plain);
    vigil_free(&plain->vigil);
    plain_reminder_free(&plain->reminder);
    plain_check_free(&plain->check);
    trail_free(&plain->trail);
    fd_close(&plain->output);
    strbuf_free(&plain->unsent);
    strbuf_free(&plain->line);
    strbuf_free(&plain->output_line);
    free(plain->aside);
    free(plain->sentence);
    desk_question_drop(&plain->stop_question);
    free(plain);
    *place = NULL;
}
