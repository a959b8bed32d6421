/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "started.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent_confine.h"
#include "agent_program.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/install.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"

/* It talks to this console as a session of its own; nobody else knows its secret. */
static char **command_environment(const struct started_setup *setup, const char *secret,
                                  char *const *login)
{
    static const char *const places[] = {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"};
    size_t count = 0, more = login != NULL ? strv_length((const char *const *)login) : 0;
    char **environment = xcalloc(8 + more, sizeof *environment);
    for (; count < more; count++)
        environment[count] = xstrdup(login[count]);
    environment[count++] = xasprintf("ASSENT_SOCKET=%s", server_path(setup->server));
    environment[count++] = xasprintf("ASSENT_CAPABILITY=%s", secret);
    /* Its clients look for us, and for our secret, where we do. */
    for (size_t i = 0; i < COUNT(places); i++)
        if (getenv(places[i]))
            environment[count++] = xasprintf("%s=%s", places[i], getenv(places[i]));
    if (setup->demo) {
        cleanup_free char *path = install_find_program("assent", NULL);
        environment[count++] = xasprintf("ASSENT_DEMO_OUTSIDE=%s", demo_outside(setup->demo));
        if (path)
            environment[count++] = xasprintf("ASSENT_PROGRAM=%s", path);
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
 * started it, unasked, in a terminal, and unconfined, unless `confined` is the session under whose
 * context it runs. Its calls are those of a session of that name; it alone gets the variables
 * `login` (may be NULL). Returns the call's id, or 0 with a message. */
static uint64_t start_program(const struct started_setup *setup, const char *name,
                              const char *const *argv, char *const *login, struct session *confined,
                              struct error *error)
{
    struct session *session = confined ? confined : setup->session;
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup(setup->context->root);
    if (!confined)
        spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    spec->tty = setup->terminal;
    char secret[SERVER_SECRET_SIZE];
    server_issue_capability(setup->server, name, secret);
    cleanup_strv char **environment = command_environment(setup, secret, login);
    const struct call_options options = {
        .operator_started = true,
        .private_environment = (const char *const *)environment,
    };
    const struct call *call =
        orchestrator_submit(setup->orchestrator, session, CALL_SHELL, spec, &options, error);
    if (call)
        server_bind_capability(setup->server, secret, call->id);
    explicit_bzero(secret, sizeof secret);
    return call ? call->id : 0;
}

int started_command(const struct started_setup *setup, const char *const *argv, uint64_t *call,
                    struct error *error)
{
    cleanup_strv char **demo = NULL;
    *call = 0;
    if (setup->demo && !*argv) {
        demo = demo_command(error);
        argv = (const char *const *)demo;
        if (!demo)
            return -1;
    }
    if (!*argv)
        return 0;
    *call = start_program(setup, setup->demo ? "demo-agent" : argv[0], argv, NULL, NULL, error);
    return *call ? 0 : -1;
}

/* `assent acp -- …` for a shell's line; without a shell where it is one plain command. */
static char **conversation(const char *assent, const char *line)
{
    struct shell_script script;
    cleanup_free char *wrapped = xasprintf("exec %s", line);
    const char *const shell[] = {"/bin/sh", "-c", wrapped, NULL};
    shell_parse(line, strlen(line), &script);
    bool plain = script.plain && script.count == 1 && script.constructs == 0;
    const char *const *words = plain ? (const char *const *)script.commands[0].argv : shell;
    size_t count = strv_length(words);
    char **argv = xcalloc(count + 4, sizeof *argv);
    argv[0] = xstrdup(assent);
    argv[1] = xstrdup("acp");
    argv[2] = xstrdup("--");
    for (size_t i = 0; i < count; i++)
        argv[3 + i] = xstrdup(words[i]);
    shell_script_clear(&script);
    return argv;
}

/* The session that a confined agent's own process belongs to; NULL with a message. */
static struct session *confining_session(const struct started_setup *setup, const char *line,
                                         const char *name, struct error *error)
{
    struct turn_context *context = agent_confine_context(setup->options, setup->context, line,
                                                         server_path(setup->server), error);
    if (context == NULL)
        return NULL;
    struct session *session =
        orchestrator_open_session(setup->orchestrator, SESSION_CLIENT, name, 0, NULL, context);
    session->confined = true;
    turn_context_unref(&context);
    return session;
}

static int start_agent(const struct started_setup *setup, const char *line, char *const *argv,
                       uint64_t *first, struct error *error)
{
    cleanup_free char *name = agent_program_label(line);
    struct session *confined = NULL;
    if (options_bool(setup->options, OPTION_CONFINE_AGENT)) {
        confined = confining_session(setup, line, name, error);
        if (confined == NULL)
            return -1;
    }
    /* As if the operator had started it in this terminal. */
    cleanup_strv char **login = agent_login_variables(name, environ);
    uint64_t call = start_program(setup, name, (const char *const *)argv, login, confined, error);
    if (!*first)
        *first = call;
    return call ? 0 : -1;
}

/* The shell's line that stands for the words behind "--"; codex where there are none. Caller frees.
 */
static char *line_of_words(const char *const *words)
{
    struct strbuf line = STRBUF_INIT;
    while (*words && strcmp(*words, "--") != 0)
        words++;
    if (!*words || !words[1])
        return xstrdup("codex");
    if (strcmp(words[1], "/bin/sh") == 0 && words[2] && words[3])
        return xstrdup(words[3] + (strncmp(words[3], "exec ", 5) == 0 ? 5 : 0));
    text_quote_argv(&line, words + 1);
    return strbuf_steal(&line);
}

/* Those of the console that this one goes on from. */
static int start_agents_again(const struct started_setup *setup, char *assent, uint64_t *first,
                              struct error *error)
{
    const char *const *words;
    for (size_t i = 0; (words = recorder_agent(setup->recorder, i)); i++) {
        size_t count = strv_length(words);
        cleanup_free const char **argv = xcalloc(count + 2, sizeof *argv);
        cleanup_free char *line = line_of_words(words);
        argv[0] = assent;
        memcpy(argv + 1, words, count * sizeof *argv);
        uint64_t call = 0;
        if (start_agent(setup, line, (char *const *)argv, &call, error) < 0)
            return -1;
        if (!*first || i == recorder_zoomed(setup->recorder))
            *first = call;
    }
    return 0;
}

/* Said before there is a screen that hides it. Lines that only a shell can read tell it in their
 * pane. */
static int check_program(const struct started_setup *setup, const char *line, struct error *error)
{
    struct agent_program program;
    bool told = agent_program_find(line, setup->context->root, getenv("PATH"), &program);
    cleanup_free char *name = agent_program_label(line);
    int result =
        told && program.files[0] == NULL
            ? error_set(error, ENOENT,
                        _("--agent: cannot start %s: no such program is on your search path"), name)
            : 0;
    agent_program_clear(&program);
    return result;
}

int started_agents(const struct started_setup *setup, uint64_t *first, struct error *error)
{
    const char *const *lines = options_list(setup->options, OPTION_AGENTS);
    cleanup_free char *assent = install_find_program("assent", error);
    *first = 0;
    if (!assent)
        return -1;
    for (; *lines; lines++) {
        cleanup_strv char **argv = conversation(assent, *lines);
        if (check_program(setup, *lines, error) < 0 ||
            start_agent(setup, *lines, argv, first, error) < 0)
            return -1;
    }
    if (start_agents_again(setup, assent, first, error) < 0)
        return -1;
    char *const codex[] = {assent, (char *)"acp", (char *)"--app-server", NULL};
    return options_bool(setup->options, OPTION_CODEX)
               ? start_agent(setup, "codex", codex, first, error)
               : 0;
}
