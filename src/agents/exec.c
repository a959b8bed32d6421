/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/exec.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agents/client.h"
#include "agents/edited.h"
#include "agents/raw_terminal.h"
#include "agents/refusal.h"
#include "agents/sink.h"
#include "base/alloc.h"
#include "base/base64.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"

/* Input in one message. */
#define INPUT_BYTES ((size_t)48 * 1024)
/* Output that waits for our reader before we stop taking more from the console. */
#define QUEUE_HIGH ((size_t)256 * 1024)

#define SIGNAL_COUNT 4
static const int end_signals[SIGNAL_COUNT] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct exec {
    const struct exec_options *options;
    struct loop *loop;
    struct client *client;
    struct sink *out, *error_out;
    struct raw_terminal terminal;
    struct loop_io *input; /* standard input, while it is passed on */
    struct loop_signal *signals[SIGNAL_COUNT];
    struct loop_signal *resized;
    uint64_t call;   /* 0 until the console has taken it */
    bool running;    /* as the console told last */
    int64_t attempt; /* the same: how often it has been started */
    bool feeding;    /* input is on its way */
    bool finished;   /* nothing more will come: leave when all is written */
    int last_signal; /* that was to end us, 0 when none */
    int status;
};

/* ---- leaving ------------------------------------------------------------------------------- */

static void leave_when_written(struct exec *exec)
{
    if (exec->finished && sink_queued(exec->out) == 0 && sink_queued(exec->error_out) == 0)
        loop_stop(exec->loop);
}

/* The terminal is the caller's again, as it was before. */
static void give_terminal_back(struct exec *exec)
{
    cleanup_strbuf struct strbuf undo = STRBUF_INIT;
    raw_terminal_undo(&exec->terminal, &undo);
    raw_terminal_set(&exec->terminal, false);
    sink_write(exec->out, strbuf_str(&undo), undo.length);
}

static void finish(struct exec *exec, int status)
{
    exec->status = exec->last_signal != 0 ? 128 + exec->last_signal : status;
    exec->finished = true;
    give_terminal_back(exec);
    leave_when_written(exec);
}

/* One line on standard error; `text` may come from others. */
static void say(struct exec *exec, const char *text)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    strbuf_addstr(&line, "assent: ");
    text_escape(&line, text, strlen(text), TEXT_KEEP_NEWLINES | TEXT_PROSE);
    strbuf_addstr(&line, exec->terminal.raw ? "\r\n" : "\n");
    sink_write(exec->error_out, strbuf_str(&line), line.length);
}

static void on_written(void *argument)
{
    struct exec *exec = argument;
    if (exec->finished || exec->client == NULL) {
        leave_when_written(exec);
        return;
    }
    /* Whoever read our output has left: as with any program, that ends the command. */
    if (sink_failure(exec->out) == EPIPE && exec->last_signal == 0) {
        exec->last_signal = SIGPIPE;
        client_cancel(exec->client, exec->call);
    }
    size_t queued = sink_queued(exec->out) + sink_queued(exec->error_out);
    client_pause(exec->client, queued > QUEUE_HIGH);
}

/* ---- input --------------------------------------------------------------------------------- */

static void stop_input(struct exec *exec)
{
    loop_io_free(&exec->input);
}

static void on_fed(void *argument, const char *error)
{
    struct exec *exec = argument;
    exec->feeding = false;
    if (error != NULL)
        stop_input(exec);
    if (exec->input != NULL)
        loop_io_set(exec->input, LOOP_READ);
}

static void on_input(int fd, unsigned events, void *argument)
{
    struct exec *exec = argument;
    char bytes[INPUT_BYTES];
    (void)events;
    ssize_t count = read(fd, bytes, sizeof(bytes));
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    loop_io_set(exec->input, 0);
    exec->feeding = true;
    client_feed(exec->client, exec->call, bytes, count > 0 ? (size_t)count : 0, count <= 0, on_fed,
                exec);
    if (count <= 0)
        stop_input(exec);
}

static void start_input(struct exec *exec)
{
    if (!exec->options->pass_stdin && !exec->options->tty)
        return;
    exec->input = loop_io_new(exec->loop, STDIN_FILENO, on_input, exec);
}

/* A terminal's keys are the command's only while it runs: until then ^C is for us. A pipe may be
 * read ahead. */
static void update_input(struct exec *exec)
{
    bool wanted = exec->call != 0 && (exec->running || !exec->terminal.is_terminal);
    if (exec->input != NULL && !exec->feeding)
        loop_io_set(exec->input, wanted ? LOOP_READ : 0);
    if (exec->options->tty)
        raw_terminal_set(&exec->terminal, exec->running);
}

/* Whoever pipes something into it expects it to arrive. */
static void say_unread(struct exec *exec)
{
    int waiting = 0;
    if (exec->options->pass_stdin || exec->options->tty || isatty(STDIN_FILENO))
        return;
    if (ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0)
        say(exec, _("standard input was not passed on (option -i does that)"));
}

/* ---- signals ------------------------------------------------------------------------------- */

static void on_end_signal(int number, void *argument)
{
    struct exec *exec = argument;
    bool again = exec->last_signal != 0;
    exec->last_signal = number;
    if (exec->client == NULL || exec->call == 0 || again) {
        finish(exec, EXEC_FAILED);
        loop_stop(exec->loop);
        return;
    }
    client_cancel(exec->client, exec->call);
}

static void on_resize(int number, void *argument)
{
    struct exec *exec = argument;
    int rows, columns;
    (void)number;
    if (exec->call != 0 && raw_terminal_size(&rows, &columns))
        client_resize(exec->client, exec->call, rows, columns);
}

/* ---- the result ---------------------------------------------------------------------------- */

static const char *member_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void say_refused(struct exec *exec, const json_t *result)
{
    const json_t *decision = json_object_get(result, "decision");
    const char *message = member_text(decision, "message");
    if (message == NULL)
        message = member_text(result, "failure");
    const char *who = _(refusal_by(decision));
    cleanup_free char *text = message != NULL ? xasprintf("%s: %s", who, message) : xstrdup(who);
    say(exec, text);
}

static void say_denied(struct exec *exec, const json_t *denied)
{
    const char *reason = member_text(denied, "reason");
    bool inferred = json_is_true(json_object_get(denied, "inferred"));
    cleanup_free char *text =
        xasprintf("%s: %s%s", _("the sandbox blocked"), reason != NULL ? reason : _("something"),
                  inferred ? _(" (inferred from the output)") : "");
    say(exec, text);
}

static void say_push_stopped(struct exec *exec, const json_t *result)
{
    const char *told = refusal_to_push(result);
    if (told == NULL)
        return;
    cleanup_free char *text = xasprintf("%s: %s", _(told), member_text(result, "push_stopped"));
    say(exec, text);
}

static void say_unreached(struct exec *exec, const json_t *result)
{
    const json_t *unreached = json_object_get(result, "unreached");
    for (size_t i = 0; i < json_array_size(unreached); i++) {
        const char *line = json_string_value(json_array_get(unreached, i));
        cleanup_free char *text = xasprintf(refusal_of_host_by_operator(result, i)
                                                ? _("the operator refused a connection to %s")
                                                : _("the configuration refused a connection to %s"),
                                            line != NULL ? line : "");
        say(exec, text);
    }
}

static void say_unconnected(struct exec *exec, const json_t *result)
{
    const json_t *hosts = json_object_get(result, "unconnected");
    for (size_t i = 0; i < json_array_size(hosts); i++) {
        const json_t *host = json_array_get(hosts, i);
        const char *to = member_text(host, "to"), *why = member_text(host, "why");
        if (to == NULL || why == NULL)
            continue;
        cleanup_free char *text =
            xasprintf(_("%s was allowed, but could not be reached: %s"), to, why);
        say(exec, text);
    }
}

static void say_placeholders(struct exec *exec, const json_t *result)
{
    cleanup_free char *names = refusal_of_names(result);
    if (names == NULL)
        return;
    cleanup_free char *text = xasprintf(_("the sandbox holds these names, so that no command makes "
                                          "them; they go when it ends: %s"),
                                        names);
    say(exec, text);
}

static void say_edited(struct exec *exec, const json_t *result)
{
    const char *first = edited_first(result);
    cleanup_free char *edited = edited_command(result);
    if (edited == NULL)
        return;
    if (first != NULL) {
        cleanup_free char *text =
            xasprintf("%s: %s", _("the operator changed the command to"), first);
        say(exec, text);
    }
    cleanup_free char *text = xasprintf("%s: %s", _(edited_words(result)), edited);
    say(exec, text);
}

/* What the exit status alone does not tell. */
static void explain(struct exec *exec, const json_t *result)
{
    const char *outcome = member_text(result, "outcome");
    const char *failure = member_text(result, "failure");
    const json_t *denied = json_object_get(result, "denied");
    const char *inside = refusal_to_leave(result);
    const char *alone = refusal_by_localhost(result);
    say_edited(exec, result);
    if (inside != NULL)
        say(exec, _(inside));
    if (outcome == NULL)
        say(exec, _("the console sent no result"));
    else if (strcmp(outcome, "refused") == 0)
        say_refused(exec, result);
    else if (strcmp(outcome, "failed") == 0)
        say(exec, failure != NULL ? failure : _("the command could not be run"));
    else if (strcmp(outcome, "cancelled") == 0 && exec->last_signal == 0)
        say(exec, failure != NULL ? failure : _("cancelled"));
    else if (json_is_true(json_object_get(result, "timed_out")))
        say(exec, _("the command took longer than allowed and was ended"));
    if (json_is_object(denied))
        say_denied(exec, denied);
    if (json_is_true(json_object_get(result, "git_config_kept")))
        say(exec, _("the sandbox keeps .git/config read-only: what git wanted to change there "
                    "(as tracking) is as it was"));
    say_push_stopped(exec, result);
    if (alone != NULL)
        say(exec, _(alone));
    say_unreached(exec, result);
    say_unconnected(exec, result);
    say_placeholders(exec, result);
}

static void on_finished(void *argument, uint64_t call, const json_t *result)
{
    struct exec *exec = argument;
    if (call != exec->call || exec->finished)
        return;
    const json_t *code = json_object_get(result, "exit_code");
    give_terminal_back(exec);
    if (exec->options->json) {
        cleanup_free char *line = json_line(result);
        sink_write(exec->out, line, strlen(line));
        sink_write(exec->out, "\n", 1);
    } else {
        explain(exec, result);
    }
    stop_input(exec);
    say_unread(exec);
    finish(exec, json_is_integer(code) ? (int)json_integer_value(code) : EXEC_FAILED);
}

/* ---- what the console tells ------------------------------------------------------------------ */

static void on_state(void *argument, uint64_t call, const char *state, int64_t waiting,
                     int64_t attempt)
{
    struct exec *exec = argument;
    (void)waiting;
    if (call != exec->call)
        return;
    exec->running = strcmp(state, "running") == 0;
    /* What comes does not go on from what is above, which the first one printed. */
    if (attempt > 1 && exec->attempt <= 1 && !exec->options->json)
        say(exec, _("second try:"));
    exec->attempt = attempt;
    update_input(exec);
}

static void on_output(void *argument, uint64_t call, const char *stream, const char *bytes,
                      size_t length, uint64_t skipped)
{
    struct exec *exec = argument;
    if (call != exec->call)
        return;
    if (skipped > 0) {
        cleanup_free char *text =
            xasprintf(_("%" PRIu64 " bytes of output were not kept"), skipped);
        say(exec, text);
    }
    bool is_error = strcmp(stream, "stderr") == 0;
    if (exec->options->tty)
        raw_terminal_written(&exec->terminal, bytes, length);
    sink_write(is_error ? exec->error_out : exec->out, bytes, length);
    loop_give_way(exec->loop);
    if (sink_queued(exec->out) + sink_queued(exec->error_out) > QUEUE_HIGH)
        client_pause(exec->client, true);
}

static void on_gone(void *argument, const char *why)
{
    struct exec *exec = argument;
    client_free(&exec->client);
    if (exec->finished)
        return;
    stop_input(exec);
    give_terminal_back(exec);
    say(exec, why);
    finish(exec, EXEC_FAILED);
}

static void on_started(void *argument, uint64_t call, const char *why)
{
    struct exec *exec = argument;
    if (call == 0) {
        say(exec, why != NULL ? why : _("the console did not take the command"));
        finish(exec, EXEC_FAILED);
        return;
    }
    exec->call = call;
    update_input(exec);
}

/* ---- the question -------------------------------------------------------------------------- */

static bool all_text(char *const *argv)
{
    for (; *argv != NULL; argv++)
        if (!text_valid_utf8(*argv, strlen(*argv)))
            return false;
    return true;
}

/* JSON carries text only: arguments that are none travel as base64. */
static void add_argv(json_t *params, char *const *argv)
{
    json_t *array = json_array();
    bool plain = all_text(argv);
    json_object_set_new(params, plain ? "argv" : "argv_b64", array);
    for (; *argv != NULL; argv++) {
        cleanup_strbuf struct strbuf text = STRBUF_INIT;
        if (plain)
            strbuf_addstr(&text, *argv);
        else
            base64_encode(&text, *argv, strlen(*argv));
        json_array_append_new(array, json_stringn(strbuf_str(&text), text.length));
    }
}

static json_t *new_params(const struct exec_options *options, const char *cwd)
{
    json_t *params = json_object();
    int rows, columns;
    if (options->patch != NULL)
        json_object_set_new(params, "patch", json_string(options->patch));
    else
        add_argv(params, options->argv);
    json_object_set_new(params, "cwd", json_string(cwd));
    if (options->justification != NULL)
        json_object_set_new(
            params, "justification",
            json_string_lossy(options->justification, strlen(options->justification)));
    if (options->escalate)
        json_object_set_new(params, "sandbox_permissions", json_string("require_escalated"));
    if (options->timeout_ms > 0)
        json_object_set_new(params, "timeout_ms", json_integer(options->timeout_ms));
    json_object_set_new(params, "stream", json_boolean(!options->json));
    json_object_set_new(params, "tty", json_boolean(options->tty));
    json_object_set_new(params, "stdin", json_boolean(options->pass_stdin));
    json_object_set_new(params, "split_streams", json_boolean(!options->tty));
    if (options->tty && raw_terminal_size(&rows, &columns)) {
        json_object_set_new(params, "rows", json_integer(rows));
        json_object_set_new(params, "columns", json_integer(columns));
    }
    return params;
}

/* The only console that runs takes commands from anywhere; its workspace stays what it is. */
static void say_elsewhere(struct exec *exec, const char *cwd)
{
    const char *root = client_console_root(exec->client);
    if (exec->options->json || root == NULL || path_is_beneath(cwd, root))
        return;
    cleanup_free char *text =
        xasprintf(_("the console of %s takes this: %s lies outside its workspace"), root, cwd);
    say(exec, text);
}

static void on_ready(void *argument)
{
    struct exec *exec = argument;
    cleanup_free char *cwd = getcwd(NULL, 0);
    if (cwd == NULL || !text_valid_utf8(cwd, strlen(cwd))) {
        say(exec, _("the current directory is gone, or its name is not UTF-8"));
        finish(exec, EXEC_FAILED);
        return;
    }
    say_elsewhere(exec, cwd);
    client_start(exec->client, new_params(exec->options, cwd), on_started, exec);
}

static const struct client_events events = {
    .ready = on_ready,
    .state = on_state,
    .output = on_output,
    .finished = on_finished,
    .gone = on_gone,
};

/* ---- wiring -------------------------------------------------------------------------------- */

static void set_up(struct exec *exec)
{
    exec->loop = loop_new(NULL);
    exec->out = sink_new(exec->loop, STDOUT_FILENO, on_written, exec);
    exec->error_out = sink_new(exec->loop, STDERR_FILENO, on_written, exec);
    raw_terminal_init(&exec->terminal);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        exec->signals[i] = loop_signal_new(exec->loop, end_signals[i], on_end_signal, exec);
    if (exec->options->tty)
        exec->resized = loop_signal_new(exec->loop, SIGWINCH, on_resize, exec);
    start_input(exec);

    cleanup_free char *cwd = getcwd(NULL, 0);
    struct client_setup setup = {
        .cwd = cwd != NULL ? cwd : "/",
        .socket = exec->options->socket_directories == NULL ? getenv("ASSENT_SOCKET") : NULL,
        .socket_directories = exec->options->socket_directories,
        .config_directory = exec->options->config_directory,
        .name = "assent exec",
        .session = exec->options->session,
        .capability = getenv("ASSENT_CAPABILITY"),
    };
    exec->client = client_new(exec->loop, &setup, &events, exec);
}

static void tear_down(struct exec *exec)
{
    raw_terminal_set(&exec->terminal, false);
    loop_io_free(&exec->input);
    client_free(&exec->client);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        loop_signal_free(&exec->signals[i]);
    loop_signal_free(&exec->resized);
    sink_free(&exec->out);
    sink_free(&exec->error_out);
    loop_free(&exec->loop);
}

int exec_run(const struct exec_options *options)
{
    struct exec exec = {.options = options, .status = EXEC_FAILED};
    set_up(&exec);
    loop_run(exec.loop);
    tear_down(&exec);
    return exec.status;
}
