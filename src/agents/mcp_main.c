/* SPDX-License-Identifier: MIT */
/* mcp_main: `assent mcp`, the command line around mcp.h and setup.h. */
#include "config.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agents/bridge.h"
#include "agents/mcp.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "config/arguments.h"
#include "config/help.h"
#include "config/options.h"

enum { MCP_FAILED = 125 };

static void stop(void *argument)
{
    loop_stop(argument);
}

static void on_signal(int number, void *argument)
{
    (void)number;
    loop_stop(argument);
}

/* Until the client is gone or a signal ends us; what still runs is cancelled then. */
static int serve(const struct options *options)
{
    const char *const *directories = options_list(options, OPTION_SOCKET_DIRECTORIES);
    const char *config = options_string(options, OPTION_CONFIG_DIRECTORY);
    bool fixed = directories[0] != NULL;
    cleanup_free char *cwd = getcwd(NULL, 0);
    struct loop *loop = loop_new(NULL);
    struct mcp_setup setup = {
        .loop = loop,
        .read_fd = STDIN_FILENO,
        .write_fd = STDOUT_FILENO,
        .cwd = cwd != NULL ? cwd : "/",
        .socket = fixed ? NULL : getenv("ASSENT_SOCKET"),
        .socket_directories = fixed ? directories : NULL,
        .config_directory = config[0] != '\0' ? config : NULL,
        .return_after_ms = options_number(options, OPTION_RETURN_AFTER),
        .capability = getenv("ASSENT_CAPABILITY"),
        .ended = stop,
        .argument = loop,
    };
    signal(SIGPIPE, SIG_IGN);
    struct loop_signal *interrupted = loop_signal_new(loop, SIGINT, on_signal, loop);
    struct loop_signal *terminated = loop_signal_new(loop, SIGTERM, on_signal, loop);
    struct mcp *mcp = mcp_new(&setup);
    loop_run(loop);
    mcp_free(&mcp);
    loop_signal_free(&interrupted);
    loop_signal_free(&terminated);
    loop_free(&loop);
    return 0;
}

static int run(const struct options *options, char *const *words)
{
    if (options_bool(options, OPTION_HELP))
        return help_print(stdout, SUBCOMMAND_MCP) == 0 ? 0 : MCP_FAILED;
    return words[0] == NULL ? serve(options) : bridge_set_up("mcp", options, words);
}

int main(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    char *words[BRIDGE_WORDS_MAX + 1] = {NULL};
    i18n_init();
    struct options *options = options_new();
    int status = MCP_FAILED;
    if (bridge_parse(options, SUBCOMMAND_MCP, argc, argv, words, &error) < 0)
        fprintf(stderr, "assent mcp: %s\n", error.message);
    else
        status = run(options, words);
    options_free(&options);
    return status;
}
