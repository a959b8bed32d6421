/* SPDX-License-Identifier: MIT */
/* hook_main: `assent hook`, the command line around hook.h and setup.h. Its mistakes deny, too. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/bridge.h"
#include "agents/hook.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "config/help.h"

/* `assent exec … --`, for scripts that are to run through the console. */
static char **exec_words(const struct options *options)
{
    struct error error = ERROR_INIT;
    const char *const *sockets = options_list(options, OPTION_SOCKET_DIRECTORIES);
    const char *config = options_string(options, OPTION_CONFIG_DIRECTORY);
    struct bridge_command command = {.subcommand = "exec"};
    if (!options_bool(options, OPTION_REWRITE))
        return NULL;
    command.config_directory = config[0] != '\0' ? config : NULL;
    command.socket_directories = sockets[0] != NULL ? sockets : NULL;
    command.end_of_options = true;
    return bridge_command_new(&command, &error);
}

static int answer(const struct options *options)
{
    const char *const *sockets = options_list(options, OPTION_SOCKET_DIRECTORIES);
    const char *config = options_string(options, OPTION_CONFIG_DIRECTORY);
    cleanup_strv char **rewrite = exec_words(options);
    struct hook_options hook = {
        .config_directory = config[0] != '\0' ? config : NULL,
        .socket_directories = sockets[0] != NULL ? sockets : NULL,
        .wait_ms = options_number(options, OPTION_WAIT),
        .ask_without_console = strcmp(options_string(options, OPTION_WITHOUT_CONSOLE), "ask") == 0,
        .rewrite = rewrite,
    };
    return hook_run_guarded(&hook);
}

static int run(const struct options *options, char *const *words)
{
    if (options_bool(options, OPTION_HELP))
        return help_print(stdout, SUBCOMMAND_HOOK) == 0 ? 0 : HOOK_DENIED;
    if (words[0] == NULL)
        return answer(options);
    int status = bridge_set_up("hook", options, words);
    return status > 1 ? HOOK_DENIED : status;
}

int main(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    char *words[BRIDGE_WORDS_MAX + 1] = {NULL};
    i18n_init();
    struct options *options = options_new();
    int status = HOOK_DENIED;
    if (bridge_parse(options, SUBCOMMAND_HOOK, argc, argv, words, &error) < 0)
        fprintf(stderr, "assent hook: %s\n", error.message);
    else
        status = run(options, words);
    options_free(&options);
    return status;
}
