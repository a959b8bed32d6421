/* SPDX-License-Identifier: MIT */
/*
 * main: the console program (assent-console). Reads the options, makes the parts, connects them,
 * runs the loop, and takes everything down in the opposite order. The one file that knows all
 * layers; it decides nothing.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/server.h"
#include "approval/headless.h"
#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/install.h"
#include "base/log.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/environment.h"
#include "config/paths.h"
#include "demo.h"
#include "record/session_log.h"
#include "sandbox/probe.h"
#include "turn.h"
#include "ui/console.h"

enum { EXIT_ASSENT_FAILED = 125, SIGNAL_COUNT = 3 };

extern char **environ;

struct program {
    struct options *options;
    struct demo *demo;
    struct loop *loop;
    struct loop_signal *signals[SIGNAL_COUNT];
    struct session_log *log;
    struct orchestrator *orchestrator;
    struct server *server;
    struct turn_context *context; /* of sessions that begin */
    struct session *operator_session;
    struct headless *headless;
    struct console *console;
    char *state;           /* directory of Assent's own files */
    char *warning;         /* about the workspace, for the operator */
    uint64_t command_call; /* the call that the command line asked for, 0: none */
    bool end_with_command; /* quit when that call has finished */
    int status;
};

static void quit(void *argument, int status)
{
    struct program *program = argument;
    program->status = status;
    loop_stop(program->loop);
}

static void on_signal(int number, void *argument)
{
    struct program *program = argument;
    log_info("main", "signal %d: ending", number);
    quit(program, 128 + number);
}

static void on_finished(void *argument, const struct call *call)
{
    struct program *program = argument;
    if (program->end_with_command && call->id == program->command_call)
        quit(program, call_exit_status(call));
}

static const struct observer command_observer = {.name = "command", .finished = on_finished};

static struct sandbox_policy *policy_of_mode(void *argument, enum sandbox_mode mode,
                                             const char *root, struct error *error)
{
    const struct program *program = argument;
    return turn_sandbox_policy(program->options, mode, root, error);
}

static void on_context_chosen(void *argument, struct turn_context *context)
{
    struct program *program = argument;
    server_set_context(program->server, context);
}

/* ---- options ------------------------------------------------------------------------------ */

/* Returns the index of the command in argv (argc when there is none), or -1. */
static int read_options(struct program *program, int argc, char **argv, struct error *error)
{
    program->options = options_new();
    int rest = arguments_parse(program->options, SUBCOMMAND_CONSOLE, argc, argv, error);
    if (rest < 0 || config_file_load(program->options, error) < 0)
        return -1;
    if (rest < argc && strcmp(argv[rest - 1], "--") != 0)
        return error_set(error, EINVAL,
                         _("unknown command \"%s\" (assent --help lists them; a program to run "
                           "goes behind --)"),
                         argv[rest]);
    bool screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (!screen && !options_bool(program->options, OPTION_HEADLESS) &&
        !options_bool(program->options, OPTION_DEMO))
        return error_set(error, ENOTTY,
                         _("the console needs a terminal (--headless runs without one)"));
    return rest;
}

static bool is_headless(const struct program *program)
{
    return options_bool(program->options, OPTION_HEADLESS) || !isatty(STDIN_FILENO) ||
           !isatty(STDOUT_FILENO);
}

static int open_debug_log(const struct program *program, struct error *error)
{
    long long wanted = options_number(program->options, OPTION_VERBOSE);
    if (wanted == 0)
        return 0;
    cleanup_free char *path = xasprintf("%s/debug-%ld.log", program->state, (long)getpid());
    int result = log_open(path, wanted > 1 ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO);
    if (result < 0)
        return error_errno(error, -result, _("cannot write %s"), path);
    return 0;
}

/* ---- the parts, in the order in which they stand on one another ---------------------------- */

static int start_context(struct program *program, struct error *error)
{
    if (options_bool(program->options, OPTION_DEMO)) {
        program->demo = demo_new(error);
        if (!program->demo)
            return -1;
    }
    cleanup_free char *root = program->demo ? xstrdup(demo_workspace(program->demo))
                                            : turn_workspace(program->options, error);
    if (!root)
        return -1;
    program->context = turn_context_from_options(program->options, root, &program->warning, error);
    return program->context ? 0 : -1;
}

static int start_record(struct program *program, struct error *error)
{
    const char *named = options_string(program->options, OPTION_LOG_DIRECTORY);
    cleanup_free char *directory =
        named[0] ? xstrdup(named) : xasprintf("%s/sessions", program->state);
    if (paths_make_private(directory, error) < 0)
        return -1;
    char started[32];
    clock_format_utc(clock_wall_ms(NULL), started);
    /* "2026-11-21T09:08:07.123Z" becomes part of a file name that sorts by time. */
    for (char *byte = started; *byte; byte++)
        if (*byte == ':' || *byte == '.')
            *byte = '-';
    cleanup_free char *id = xasprintf("%s-%ld", started, (long)getpid());
    program->log = session_log_open(program->loop, directory, id, error);
    return program->log ? 0 : -1;
}

/* Nothing that needs a decision runs from now on; the operator must know why. */
static void on_record_failure(void *argument, const char *message)
{
    struct program *program = argument;
    orchestrator_notice(program->orchestrator, NOTICE_ALARM, "%s", message);
}

static int start_orchestrator(struct program *program, struct error *error)
{
    cleanup_free char *helper = install_find_program("assent-sandbox", error);
    if (!helper)
        return -1;
    cleanup_strv char **environment =
        environment_build(program->options, (const char *const *)environ);
    struct sandbox_capability capability;
    probe_capability(&capability);
    struct orchestrator_setup setup = {
        .loop = program->loop,
        .commit = session_log_commit(program->log),
        .helper_path = helper,
        .state_directory = program->state,
        .base_environment = (const char *const *)environment,
        .output_cap = (size_t)options_number(program->options, OPTION_OUTPUT_CAP),
        .grace_ms = options_number(program->options, OPTION_KILL_GRACE),
        .capability = &capability,
        .max_open_calls = (size_t)options_number(program->options, OPTION_MAX_OPEN_CALLS),
        .max_finished_calls = 1000,
        .headless = is_headless(program),
    };
    program->orchestrator = orchestrator_new(&setup);
    orchestrator_add_observer(program->orchestrator, session_log_observer(), program->log);
    session_log_on_failure(program->log, on_record_failure, program);
    orchestrator_add_observer(program->orchestrator, &command_observer, program);
    return 0;
}

static int start_server(struct program *program, struct error *error)
{
    struct server_setup setup = {
        .loop = program->loop,
        .orchestrator = program->orchestrator,
        .context = program->context,
        .limits = {.line_bytes = (size_t)options_number(program->options, OPTION_FRAME_LIMIT),
                   .session_running =
                       (unsigned)options_number(program->options, OPTION_MAX_OPEN_CALLS)},
    };
    program->server = server_new(&setup, error);
    return program->server ? 0 : -1;
}

static int start_headless(struct program *program)
{
    program->headless = headless_new(stdout);
    orchestrator_add_observer(program->orchestrator, headless_observer(), program->headless);
    return 0;
}

static int start_console(struct program *program, struct error *error)
{
    const char *theme = options_string(program->options, OPTION_THEME);
    struct console_setup setup = {
        .loop = program->loop,
        .orchestrator = program->orchestrator,
        .session = program->operator_session,
        .input = STDIN_FILENO,
        .output = STDOUT_FILENO,
        .theme = strcmp(theme, "auto") == 0 ? NULL : theme,
        .guard_ms = options_number(program->options, OPTION_GUARD_TIME),
        .scrollback = (int)options_number(program->options, OPTION_SCROLLBACK),
        .directory = program->context->root,
        .command_call = program->command_call,
        /* The demo is about the requests: they come up only while no pane has the keyboard. */
        .command_keyboard = program->demo == NULL,
        .zoom = options_bool(program->options, OPTION_ZOOM),
        .exit_when_done = options_bool(program->options, OPTION_EXIT_WHEN_DONE),
        .policy_of_mode = policy_of_mode,
        .context_chosen = on_context_chosen,
        .quit = quit,
        .argument = program,
    };
    program->console = console_new(&setup, error);
    if (!program->console)
        return -1;
    orchestrator_add_observer(program->orchestrator, console_observer(), program->console);
    return 0;
}

/* ---- the command that Assent was started with ---------------------------------------------- */

/* It talks to this console as a session of its own; nobody else knows its secret. */
static char **command_environment(struct program *program, const char *secret)
{
    char **environment = xcalloc(5, sizeof *environment);
    environment[0] = xasprintf("ASSENT_SOCKET=%s", server_path(program->server));
    environment[1] = xasprintf("ASSENT_CAPABILITY=%s", secret);
    if (program->demo) {
        environment[2] = xasprintf("ASSENT_DEMO_OUTSIDE=%s", demo_outside(program->demo));
        environment[3] = install_find_program("assent", NULL);
        if (environment[3]) {
            cleanup_free char *path = environment[3];
            environment[3] = xasprintf("ASSENT_PROGRAM=%s", path);
        }
    }
    return environment;
}

static char **demo_command(struct error *error)
{
    cleanup_free char *script = install_find_data("demo-agent", error);
    if (!script)
        return NULL;
    const char *const argv[] = {"/bin/sh", script, NULL};
    return strv_copy(argv);
}

/* What the operator named on Assent's own command line is theirs, not an agent's: it runs as they
 * started it, unconfined and unasked, in a terminal. */
static int start_command(struct program *program, const char *const *argv, struct error *error)
{
    cleanup_strv char **demo = NULL;
    if (program->demo && !*argv) {
        demo = demo_command(error);
        argv = (const char *const *)demo;
        if (!demo)
            return -1;
    }
    if (!*argv)
        return 0;
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup(program->context->root);
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    spec->tty = !program->headless;
    char secret[SERVER_SECRET_SIZE];
    server_issue_capability(program->server, program->demo ? "demo-agent" : argv[0], secret);
    cleanup_strv char **environment = command_environment(program, secret);
    const struct call_options options = {
        .operator_started = true,
        .private_environment = (const char *const *)environment,
    };
    const struct call *call = orchestrator_submit(program->orchestrator, program->operator_session,
                                                  CALL_SHELL, spec, &options, error);
    if (call)
        server_bind_capability(program->server, secret, call->id);
    explicit_bzero(secret, sizeof secret);
    if (!call)
        return -1;
    program->command_call = call->id;
    program->end_with_command = program->headless != NULL;
    return 0;
}

/* ---- from start to end --------------------------------------------------------------------- */

static void watch_signals(struct program *program)
{
    static const int numbers[SIGNAL_COUNT] = {SIGHUP, SIGTERM, SIGINT};
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        /* What is in force again once they are not watched: a second one must not cut the
         * clean-up short. */
        signal(numbers[i], SIG_IGN);
        program->signals[i] = loop_signal_new(program->loop, numbers[i], on_signal, program);
    }
}

static void warn_of_the_workspace(struct program *program)
{
    if (program->warning)
        orchestrator_notice(program->orchestrator, NOTICE_WARNING, "%s", program->warning);
}

static int start(struct program *program, const char *const *command, struct error *error)
{
    program->loop = loop_new(NULL);
    watch_signals(program);
    program->state = paths_state_directory();
    if (paths_make_private(program->state, error) < 0 || open_debug_log(program, error) < 0 ||
        start_context(program, error) < 0 || start_record(program, error) < 0 ||
        start_orchestrator(program, error) < 0 || start_server(program, error) < 0)
        return -1;
    program->operator_session = orchestrator_open_session(program->orchestrator, SESSION_OPERATOR,
                                                          _("you"), 0, NULL, program->context);
    bool headless = is_headless(program);
    if (headless)
        start_headless(program);
    if (start_command(program, command, error) < 0 ||
        (!headless && start_console(program, error) < 0))
        return -1;
    warn_of_the_workspace(program);
    return 0;
}

/* The screen goes first, so that whatever comes afterwards is seen. */
static void end(struct program *program)
{
    if (program->console)
        orchestrator_remove_observer(program->orchestrator, program->console);
    console_free(&program->console);
    server_free(&program->server);
    orchestrator_free(&program->orchestrator);
    headless_free(&program->headless);
    session_log_close(&program->log);
    turn_context_unref(&program->context);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        loop_signal_free(&program->signals[i]);
    loop_free(&program->loop);
    demo_free(&program->demo);
    options_free(&program->options);
    free(program->warning);
    free(program->state);
    log_close();
}

static void complain(const struct error *error)
{
    struct strbuf line = STRBUF_INIT;
    text_escape(&line, error->message, strlen(error->message), TEXT_KEEP_NEWLINES);
    fprintf(stderr, "assent: %s\n", strbuf_str(&line));
    strbuf_free(&line);
}

int main(int argc, char **argv)
{
    i18n_init();
    /* Nobody with the operator's uid may attach to the console or read its memory. */
    prctl(PR_SET_DUMPABLE, 0);
    struct program program = {.status = 0};
    struct error error = ERROR_INIT;
    int command = read_options(&program, argc, argv, &error);
    if (command >= 0 && start(&program, (const char *const *)argv + command, &error) == 0)
        loop_run(program.loop);
    else
        program.status = EXIT_ASSENT_FAILED;
    end(&program);
    if (program.status == EXIT_ASSENT_FAILED && error.message[0])
        complain(&error);
    return program.status;
}
