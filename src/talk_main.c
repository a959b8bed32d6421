/* SPDX-License-Identifier: MIT */
/* talk_main: `assent acp` (assent-acp): starts an agent and connects what it says and asks with the
 * terminal and the console. */
#include "config.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/bridge.h"
#include "agents/drive/acp.h"
#include "agents/drive/agent_process.h"
#include "agents/drive/agent_session.h"
#include "agents/drive/appserver.h"
#include "agents/drive/asker.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "base/i18n.h"
#include "base/install.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "config/arguments.h"
#include "config/help.h"
#include "config/options.h"
#include "ui/talk/talk.h"

enum { AGENT_ENDED = 1, TALK_FAILED = 125, SIGNAL_COUNT = 3 };

struct program {
    struct options *options;
    char *cwd;
    struct loop *loop;
    struct loop_signal *signals[SIGNAL_COUNT];
    struct talk *talk;
    struct asker *asker;
    struct agent_process *process;
    struct agent_session *session;
    char *agent, *mode, *plan; /* for the status line; NULL while unknown */
    char *queued;              /* what the operator said while the agent was busy */
    bool ready, busy;
    bool input_ended; /* leave when the agent has finished */
    int status;
};

/* ---- the status line ------------------------------------------------------------------------ */

static void show_status(struct program *program)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    if (program->busy)
        strbuf_addstr(&text, _("working, Esc stops it"));
    else if (program->ready)
        strbuf_addstr(&text, _("Enter sends, Alt-Enter new line, /help"));
    else
        strbuf_addstr(&text, _("the agent is starting"));
    if (program->mode != NULL)
        strbuf_addf(&text, _(" | mode: %s"), program->mode);
    if (program->plan != NULL)
        strbuf_addf(&text, _(" | plan: %s"), program->plan);
    talk_status(program->talk, strbuf_str(&text));
}

static void note(struct program *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct program *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cleanup_free char *text = xvasprintf(format, arguments);
    va_end(arguments);
    talk_line(program->talk, TALK_NOTE, text);
}

/* ---- what the agent does -------------------------------------------------------------------- */

static void leave(struct program *program, int status)
{
    program->status = status;
    loop_stop(program->loop);
}

static void send_prompt(struct program *program, const char *text)
{
    program->busy = true;
    show_status(program);
    agent_session_prompt(program->session, text);
}

/* The agent has nothing to do: what was said meanwhile is next. */
static void go_on(struct program *program)
{
    cleanup_free char *text = steal_pointer(&program->queued);
    if (text != NULL)
        send_prompt(program, text);
    else if (program->input_ended && !program->busy)
        leave(program, 0);
}

static void on_refused(void *argument, const char *why)
{
    struct program *program = argument;
    note(program, "%s", why);
    leave(program, AGENT_ENDED);
}

/* So that the console can go on with it another time, and never has it twice. */
static void tell_conversation(struct program *program, const char *session)
{
    bool loaded = options_string(program->options, OPTION_LOAD)[0] != '\0';
    if (getenv("ASSENT_CAPABILITY") != NULL && session != NULL)
        asker_conversation(program->asker, session, loaded, on_refused, program);
}

static void on_ready(void *argument, const char *agent, const char *session)
{
    struct program *program = argument;
    free(program->agent);
    program->agent = xstrdup(agent);
    program->ready = true;
    asker_set_name(program->asker, agent);
    note(program, _("%s is ready (session %s)"), agent, session);
    tell_conversation(program, session);
    show_status(program);
    go_on(program);
}

static void on_speech(void *argument, enum agent_speech who, const char *text, size_t length)
{
    static const enum talk_voice voices[] = {
        [AGENT_SPEECH_OPERATOR] = TALK_OPERATOR,
        [AGENT_SPEECH_AGENT] = TALK_AGENT,
        [AGENT_SPEECH_THOUGHT] = TALK_THOUGHT,
    };
    struct program *program = argument;
    if (who == AGENT_SPEECH_OPERATOR) {
        program->busy = program->ready;
        talk_pause(program->talk);
    }
    talk_say(program->talk, voices[who], text, length);
    if (who == AGENT_SPEECH_OPERATOR)
        talk_pause(program->talk);
}

static void on_tool(void *argument, const char *title, const char *status)
{
    struct program *program = argument;
    cleanup_free char *line = xasprintf("%s: %s", status, title);
    talk_line(program->talk, TALK_TOOL, line);
}

static void on_plan(void *argument, const struct agent_step *steps, size_t count)
{
    struct program *program = argument;
    size_t done = 0;
    const char *current = "";
    for (size_t i = 0; i < count; i++) {
        cleanup_free char *line = xasprintf("[%c] %s",
                                            steps[i].done      ? 'x'
                                            : steps[i].current ? '>'
                                                               : ' ',
                                            steps[i].content);
        talk_line(program->talk, TALK_TOOL, line);
        done += steps[i].done;
        if (steps[i].current)
            current = steps[i].content;
    }
    free(program->plan);
    program->plan = xasprintf("%zu/%zu %s", done, count, current);
    show_status(program);
}

static void on_mode(void *argument, const char *name)
{
    struct program *program = argument;
    free(program->mode);
    program->mode = xstrdup(name);
    show_status(program);
}

static void on_note(void *argument, const char *text)
{
    struct program *program = argument;
    talk_line(program->talk, TALK_NOTE, text);
}

static void on_turn_ended(void *argument, const char *why)
{
    struct program *program = argument;
    talk_pause(program->talk);
    program->busy = false;
    if (why != NULL)
        note(program, _("the turn has ended: %s"), why);
    show_status(program);
    go_on(program);
}

/* What it wrote to its standard error says why, if anything does. */
static void on_ended(void *argument, const char *why)
{
    struct program *program = argument;
    const char *words = agent_process_last_words(program->process);
    if (program->status != 0)
        return;
    note(program, "%s", why);
    if (words[0] != '\0')
        talk_line(program->talk, TALK_NOTE, words);
    leave(program, AGENT_ENDED);
}

/* ---- what the operator types ---------------------------------------------------------------- */

static void say_help(struct program *program)
{
    note(program, "%s",
         _("/quit leaves, /cancel stops the agent, /mode NAME, /auth METHOD; other "
           "lines go to the agent"));
}

/* True when the line was for us. */
static bool run_command(struct program *program, const char *line)
{
    const char *rest = strchr(line, ' ');
    rest = rest != NULL ? rest + 1 : "";
    if (strcmp(line, "/quit") == 0)
        leave(program, 0);
    else if (strcmp(line, "/help") == 0)
        say_help(program);
    else if (strcmp(line, "/cancel") == 0)
        agent_session_cancel(program->session);
    else if (strncmp(line, "/mode ", 6) == 0 && !agent_session_set_mode(program->session, rest))
        note(program, _("the agent has no mode \"%s\""), rest);
    else if (strncmp(line, "/auth ", 6) == 0 && !agent_session_authenticate(program->session, rest))
        note(program, _("the agent has no log-in \"%s\""), rest);
    else
        return strncmp(line, "/mode ", 6) == 0 || strncmp(line, "/auth ", 6) == 0;
    return true;
}

static void on_line(void *argument, const char *text)
{
    struct program *program = argument;
    if (run_command(program, text))
        return;
    if (program->ready && !program->busy) {
        send_prompt(program, text);
        return;
    }
    char *both =
        program->queued != NULL ? xasprintf("%s\n%s", program->queued, text) : xstrdup(text);
    free(program->queued);
    program->queued = both;
    note(program, _("later: %s"), text);
}

static void on_cancel(void *argument)
{
    struct program *program = argument;
    if (program->busy)
        agent_session_cancel(program->session);
    else
        say_help(program);
}

static void on_input_ended(void *argument)
{
    struct program *program = argument;
    program->input_ended = true;
    if (isatty(STDIN_FILENO) || (program->ready && !program->busy && program->queued == NULL))
        leave(program, 0);
}

/* ---- the parts ------------------------------------------------------------------------------ */

static void on_signal(int number, void *argument)
{
    leave(argument, 128 + number);
}

static void on_process_ended(void *argument, const char *how)
{
    on_ended(argument, how);
}

static struct asker *start_asker(struct program *program)
{
    struct client_setup client = {
        .cwd = program->cwd,
        .socket = getenv("ASSENT_SOCKET"),
        .name = "assent acp",
        .capability = getenv("ASSENT_CAPABILITY"),
        .own_session = getenv("ASSENT_CAPABILITY") == NULL,
    };
    return asker_new(program->loop, &client);
}

/* What our MCP server needs to find the console that we talk to, and to share our session there. */
static char **server_environment(void)
{
    static const char *const names[] = {"ASSENT_SOCKET", "ASSENT_CAPABILITY", "XDG_CONFIG_HOME",
                                        "XDG_STATE_HOME", "XDG_RUNTIME_DIR"};
    char **environment = xcalloc(COUNT(names) + 1, sizeof(char *));
    size_t count = 0;
    for (size_t i = 0; i < COUNT(names); i++)
        if (getenv(names[i]) != NULL)
            environment[count++] = xasprintf("%s=%s", names[i], getenv(names[i]));
    return environment;
}

static int start_session(struct program *program, char *const *argv, struct error *error)
{
    static const struct agent_session_events events = {
        .ready = on_ready,
        .speech = on_speech,
        .tool = on_tool,
        .plan = on_plan,
        .mode = on_mode,
        .note = on_note,
        .turn_ended = on_turn_ended,
        .ended = on_ended,
    };
    const char *load = options_string(program->options, OPTION_LOAD);
    cleanup_free char *assent = install_find_program("assent", error);
    if (assent == NULL)
        return -1;
    char *server[] = {assent, (char *)"mcp", NULL};
    cleanup_strv char **environment = server_environment();
    struct agent_session_setup setup = {
        .loop = program->loop,
        .asker = program->asker,
        .cwd = program->cwd,
        .load = load[0] != '\0' ? load : NULL,
        .server = server,
        .server_env = environment,
        .files = options_bool(program->options, OPTION_FILES),
        .events = &events,
        .argument = program,
    };
    program->process = agent_process_start(program->loop, argv, &setup.from_agent, &setup.to_agent,
                                           on_process_ended, program, error);
    if (program->process == NULL)
        return -1;
    bool app_server = options_bool(program->options, OPTION_APP_SERVER);
    program->session = app_server ? appserver_new(&setup) : acp_new(&setup);
    return 0;
}

static int converse(struct program *program, char *const *argv)
{
    static const int numbers[SIGNAL_COUNT] = {SIGHUP, SIGTERM, SIGINT};
    struct error error = ERROR_INIT;
    signal(SIGPIPE, SIG_IGN);
    program->loop = loop_new(NULL);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        program->signals[i] = loop_signal_new(program->loop, numbers[i], on_signal, program);
    program->asker = start_asker(program);
    struct talk_setup talk = {
        .loop = program->loop,
        .input = STDIN_FILENO,
        .output = STDOUT_FILENO,
        .line = on_line,
        .cancel = on_cancel,
        .ended = on_input_ended,
        .argument = program,
    };
    if (start_session(program, argv, &error) < 0) {
        fprintf(stderr, "assent acp: %s\n", error.message);
        program->status = TALK_FAILED;
    } else {
        program->talk = talk_new(&talk);
        show_status(program);
        loop_run(program->loop);
    }
    talk_free(&program->talk);
    agent_session_free(&program->session);
    agent_process_free(&program->process);
    asker_free(&program->asker);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        loop_signal_free(&program->signals[i]);
    loop_free(&program->loop);
    return program->status;
}

static int run(struct program *program, int argc, char **argv)
{
    static char *codex[] = {(char *)"codex", (char *)"app-server", NULL};
    struct error error = ERROR_INIT;
    int rest = arguments_parse(program->options, SUBCOMMAND_ACP, argc, argv, &error);
    if (rest >= 0 && options_bool(program->options, OPTION_HELP))
        return help_print(stdout, SUBCOMMAND_ACP) == 0 ? 0 : TALK_FAILED;
    bool app_server = rest >= 0 && options_bool(program->options, OPTION_APP_SERVER);
    char **agent = rest >= 0 && rest < argc ? argv + rest : app_server ? codex : NULL;
    if (rest >= 0 && agent == NULL)
        error_set(&error, 0, _("expected the command that starts the agent, behind --"));
    if (agent != NULL)
        return converse(program, agent);
    fprintf(stderr, "assent acp: %s\n", error.message);
    return TALK_FAILED;
}

int main(int argc, char **argv)
{
    i18n_init();
    struct program program = {.options = options_new()};
    program.cwd = getcwd(NULL, 0);
    int status = program.cwd != NULL ? run(&program, argc, argv) : TALK_FAILED;
    options_free(&program.options);
    free(program.cwd);
    free(program.agent);
    free(program.mode);
    free(program.plan);
    free(program.queued);
    return status;
}
