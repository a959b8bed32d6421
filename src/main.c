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

#include "agent_confine.h"
#include "agents/server.h"
#include "approval/git_look.h"
#include "approval/headless.h"
#include "approval/orchestrator.h"
#include "approval/second_opinion.h"
#include "base/alloc.h"
#include "base/fd.h"
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
#include "front.h"
#include "gate.h"
#include "hop_setup.h"
#include "model_setup.h"
#include "record/telemetry.h"
#include "recorder.h"
#include "rule_files.h"
#include "sandbox/gateway.h"
#include "sandbox/probe.h"
#include "started.h"
#include "turn.h"

enum { EXIT_ASSENT_FAILED = 125, SIGNAL_COUNT = 4 };

extern char **environ;

struct program {
    struct options *options;
    struct demo *demo;
    struct loop *loop;
    struct loop_signal *signals[SIGNAL_COUNT];
    struct recorder *recorder;
    struct telemetry *telemetry; /* NULL: off */
    const char *resumed;         /* console or session to go on from; NULL: the last one, if any */
    struct sandbox_capability capability;
    struct orchestrator *orchestrator;
    struct gate *gate;
    struct rule_files *rule_files;
    struct server *server;
    struct turn_context *context; /* of sessions that begin */
    struct session *operator_session;
    struct second_opinion *opinion; /* NULL: no model is configured */
    struct git_look *git_look;      /* NULL: nobody can be asked */
    struct headless *headless;
    struct front *front;   /* NULL: headless */
    char *state;           /* directory of Assent's own files */
    char *warning;         /* for the operator, at the start */
    uint64_t command_call; /* the call that the command line asked for, 0: none */
    bool zoomed;           /* that call's pane has the whole screen: a resumed agent's, as it had */
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
    if (number == SIGINT && program->front && front_interrupt(program->front))
        return;
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

/* ---- options ------------------------------------------------------------------------------ */

/* Returns the index of the command in argv (argc when there is none), or -1. */
static int read_options(struct program *program, int argc, char **argv, struct error *error)
{
    program->options = options_new();
    int rest = arguments_parse(program->options, SUBCOMMAND_CONSOLE, argc, argv, error);
    if (rest >= 0 && rest < argc && strcmp(argv[rest - 1], "--") != 0 &&
        options_bool(program->options, OPTION_RESUME)) {
        /* Of --resume; further options may follow. */
        program->resumed = argv[rest];
        int more =
            arguments_parse(program->options, SUBCOMMAND_CONSOLE, argc - rest, argv + rest, error);
        rest = more < 0 ? -1 : rest + more;
    }
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

/* Hosts are asked for where this system lets a command have a network of its own; where it does
 * not, the network is off, unless the operator insists. */
static int check_network(struct program *program, struct error *error)
{
    struct options *options = program->options;
    const struct option_source source = {.origin = ORIGIN_COMMAND_LINE};
    if (program->capability.user_namespaces ||
        strcmp(options_string(options, OPTION_NETWORK), "ask") != 0)
        return 0;
    if (options_source(options, OPTION_NETWORK).origin != ORIGIN_DEFAULT)
        return error_set(error, 0,
                         _("network = ask needs network namespaces, which this system does not "
                           "give: set it to off or on"));
    return options_set(options, OPTION_NETWORK, "off", &source, error);
}

/* Before the screen is taken: what was approved is shown. Nobody sees it where there is no
 * screen, and then it does not hold. */
static int resume(struct program *program, struct error *error)
{
    const struct option_source source = {.origin = ORIGIN_COMMAND_LINE};
    const char *root;
    if (!options_bool(program->options, OPTION_RESUME))
        return 0;
    if (recorder_resume(program->recorder, program->resumed, &root, error) < 0)
        return -1;
    if (*root && !*options_string(program->options, OPTION_WORKSPACE) &&
        options_set(program->options, OPTION_WORKSPACE, root, &source, error) < 0)
        return -1;
    const struct recorder_terminal terminal = {
        .in = stdin,
        .out = stdout,
        .quiet_ms = (int)options_number(program->options, OPTION_GUARD_TIME)};
    return is_headless(program) ? 0 : recorder_ask(program->recorder, &terminal, error);
}

static int start_context(struct program *program, struct error *error)
{
    probe_capability(&program->capability);
    if (check_network(program, error) < 0)
        return -1;
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

/* While it fails, nothing that needs a decision runs; the operator must know why. */
static void on_record_change(void *argument, bool failing, const char *message)
{
    struct program *program = argument;
    orchestrator_notice(program->orchestrator, failing ? NOTICE_ALARM : NOTICE_INFO, "%s", message);
    if (program->front != NULL)
        front_record_fails(program->front, failing);
}

static int start_orchestrator(struct program *program, struct error *error)
{
    cleanup_free char *helper = install_find_program("assent-sandbox", error);
    if (!helper)
        return -1;
    cleanup_free char *connect = install_find_program("assent-connect", NULL);
    cleanup_free char *node_module = install_find_data("node-proxy.cjs", NULL);
    cleanup_strv char **gateway = gateway_own_variables(connect, node_module);
    cleanup_strv char **environment =
        environment_build(program->options, (const char *const *)environ);
    struct orchestrator_setup setup = {
        .loop = program->loop,
        .commit = session_log_commit(recorder_log(program->recorder)),
        .helper_path = helper,
        .gateway_environment = (const char *const *)gateway,
        .state_directory = program->state,
        .base_environment = (const char *const *)environment,
        .last_call_id = recorder_last_call(program->recorder),
        .output_cap = (size_t)options_number(program->options, OPTION_OUTPUT_CAP),
        .grace_ms = options_number(program->options, OPTION_KILL_GRACE),
        .capability = &program->capability,
        .max_open_calls = (size_t)options_number(program->options, OPTION_MAX_OPEN_CALLS),
        .max_finished_calls = 1000,
        .headless = is_headless(program),
        .keyboard = !is_headless(program) && !options_bool(program->options, OPTION_PLAIN),
    };
    program->orchestrator = orchestrator_new(&setup);
    orchestrator_add_observer(program->orchestrator, session_log_observer(),
                              recorder_log(program->recorder));
    orchestrator_add_observer(program->orchestrator, recorder_observer(), program->recorder);
    orchestrator_set_recall(program->orchestrator, recorder_denied, program->recorder);
    session_log_on_change(recorder_log(program->recorder), on_record_change, program);
    orchestrator_add_observer(program->orchestrator, &command_observer, program);
    program->rule_files = rule_files_new(program->orchestrator, program->context->root);
    return 0;
}

/* Where connections of commands go, and through what. */
static int start_gate(struct program *program, struct error *error)
{
    char *warning = NULL;
    struct next_hop *hop = hop_setup(program->options, &warning, error);
    if (hop == NULL && error->message[0] != '\0')
        return -1;
    if (warning != NULL && program->warning == NULL)
        program->warning = steal_pointer(&warning);
    free(warning);
    program->gate = gate_new(program->loop, program->orchestrator, hop);
    return 0;
}

/* A model is asked only where somebody looks at what it says. */
static int start_opinion(struct program *program, struct error *error)
{
    struct model *model = model_setup(program->loop, program->options, error);
    if (model == NULL)
        return *error->message != '\0' ? -1 : 0;
    program->opinion = second_opinion_new(program->loop, program->orchestrator, model);
    orchestrator_add_observer(program->orchestrator, second_opinion_observer(), program->opinion);
    return 0;
}

static void start_git_look(struct program *program)
{
    program->git_look = git_look_new(program->orchestrator);
    orchestrator_add_observer(program->orchestrator, git_look_observer(), program->git_look);
}

static void on_telemetry_trouble(void *argument, const char *message)
{
    const struct program *program = argument;
    orchestrator_notice(program->orchestrator, NOTICE_WARNING, "%s", message);
}

/* Whatever is wrong with it, the console goes on without. */
static void start_telemetry(struct program *program)
{
    struct error error = ERROR_INIT;
    if (!options_bool(program->options, OPTION_TELEMETRY))
        return;
    program->telemetry = telemetry_new(program->loop, (const char *const *)environ,
                                       on_telemetry_trouble, program, &error);
    if (program->telemetry)
        orchestrator_add_observer(program->orchestrator, telemetry_observer(), program->telemetry);
    else if (*error.message)
        orchestrator_notice(program->orchestrator, NOTICE_WARNING, "telemetry is off: %s",
                            error.message);
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
        .session_per_program =
            strcmp(options_string(program->options, OPTION_PLAIN_SESSIONS), "program") == 0,
        .deciding = options_list(program->options, OPTION_DECIDE_BY),
    };
    program->server = server_new(&setup, error);
    return program->server ? 0 : -1;
}

/* What holds again is seen, and can be taken back, before any agent comes. */
static void open_what_was_left(const struct program *program)
{
    const struct log_legacy *left;
    for (size_t i = 0; (left = recorder_left(program->recorder, i)) != NULL; i++)
        if (left->origin == SESSION_DEFAULT)
            server_open_plain(program->server, left->peer_pid, left->name);
}

static int start_headless(struct program *program)
{
    program->headless = headless_new(stdout);
    orchestrator_add_observer(program->orchestrator, headless_observer(), program->headless);
    return 0;
}

static int start_front(struct program *program, struct error *error)
{
    const struct front_setup setup = {
        .loop = program->loop,
        .options = program->options,
        .orchestrator = program->orchestrator,
        .session = program->operator_session,
        .server = program->server,
        .recorder = program->recorder,
        .rule_files = program->rule_files,
        .root = program->context->root,
        .state = program->state,
        .command_call = program->command_call,
        .demo = program->demo != NULL,
        .zoomed = program->zoomed,
        .quit = quit,
        .argument = program,
    };
    program->front = front_new(&setup, error);
    return program->front ? 0 : -1;
}

/* ---- from start to end --------------------------------------------------------------------- */

static void ignore_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a full disk is an error like others */
}

static void watch_signals(struct program *program)
{
    static const int numbers[SIGNAL_COUNT] = {SIGHUP, SIGTERM, SIGINT, SIGQUIT};
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

/* The first conversation gets the keyboard when there is no command. */
static int start_what_was_named(struct program *program, const char *const *command,
                                struct error *error)
{
    const struct started_setup setup = {
        .options = program->options,
        .orchestrator = program->orchestrator,
        .server = program->server,
        .context = program->context,
        .session = program->operator_session,
        .recorder = program->recorder,
        .demo = program->demo,
        .terminal = !program->headless && !options_bool(program->options, OPTION_PLAIN),
    };
    uint64_t agent;
    if (started_command(&setup, command, &program->command_call, error) < 0 ||
        started_agents(&setup, &agent, error) < 0)
        return -1;
    bool waits = program->command_call || options_bool(program->options, OPTION_EXIT_WHEN_DONE);
    program->end_with_command = waits && program->headless;
    if (program->command_call)
        return 0;
    program->command_call = agent;
    program->zoomed = agent && recorder_zoomed(program->recorder) != SIZE_MAX;
    return 0;
}

static int start(struct program *program, const char *const *command, struct error *error)
{
    program->loop = loop_new(NULL);
    ignore_signals();
    program->state = paths_state_directory();
    if (paths_make_private(program->state, error) < 0 || open_debug_log(program, error) < 0)
        return -1;
    agent_confine_tidy();
    program->recorder = recorder_new(program->options, program->state, error);
    if (!program->recorder || resume(program, error) < 0)
        return -1;
    watch_signals(program); /* before that, while it asks, Ctrl-C just ends it */
    if (start_context(program, error) < 0 ||
        recorder_start(program->recorder, program->loop, program->options, error) < 0 ||
        start_orchestrator(program, error) < 0 || start_gate(program, error) < 0 ||
        start_server(program, error) < 0)
        return -1;
    program->operator_session = orchestrator_open_session(program->orchestrator, SESSION_OPERATOR,
                                                          _("you"), 0, NULL, program->context);
    open_what_was_left(program);
    bool headless = is_headless(program);
    if (headless)
        start_headless(program);
    if (start_what_was_named(program, command, error) < 0 ||
        (!headless && (start_front(program, error) < 0 || start_opinion(program, error) < 0)))
        return -1;
    if (!headless)
        start_git_look(program);
    start_telemetry(program);
    warn_of_the_workspace(program);
    rule_files_warn(program->rule_files);
    server_look_around(program->server);
    return 0;
}

/* The screen goes first, so that whatever comes afterwards is seen. */
static void end(struct program *program)
{
    if (program->opinion)
        orchestrator_remove_observer(program->orchestrator, program->opinion);
    second_opinion_free(&program->opinion);
    if (program->git_look)
        orchestrator_remove_observer(program->orchestrator, program->git_look);
    git_look_free(&program->git_look);
    front_free(&program->front);
    if (program->orchestrator)
        orchestrator_close_calls(program->orchestrator);
    server_free(&program->server);
    rule_files_free(&program->rule_files);
    gate_free(&program->gate);
    orchestrator_free(&program->orchestrator);
    headless_free(&program->headless);
    recorder_free(&program->recorder, program->demo != NULL);
    telemetry_free(&program->telemetry);
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
    text_escape(&line, error->message, strlen(error->message), TEXT_KEEP_NEWLINES | TEXT_PROSE);
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
