/* SPDX-License-Identifier: MIT */
/* mcp_main: `assent mcp`, the command line around mcp.h. */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
static int serve(void)
{
    cleanup_free char *cwd = getcwd(NULL, 0);
    struct loop *loop = loop_new(NULL);
    struct mcp_setup setup = {
        .loop = loop,
        .read_fd = STDIN_FILENO,
        .write_fd = STDOUT_FILENO,
        .cwd = cwd != NULL ? cwd : "/",
        .socket = getenv("ASSENT_SOCKET"),
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

static int run(const struct options *options, char *const *rest)
{
    if (options_bool(options, OPTION_HELP))
        return help_print(stdout, SUBCOMMAND_MCP) == 0 ? 0 : MCP_FAILED;
    if (rest[0] != NULL) {
        fprintf(stderr, "assent mcp: %s\n", _("takes no arguments (see assent mcp --help)"));
        return MCP_FAILED;
    }
    return serve();
}

int main(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    i18n_init();
    struct options *options = options_new();
    int first = arguments_parse(options, SUBCOMMAND_MCP, argc, argv, &error);
    int status = MCP_FAILED;
    if (first < 0)
        fprintf(stderr, "assent mcp: %s\n", error.message);
    else
        status = run(options, argv + first);
    options_free(&options);
    return status;
}
