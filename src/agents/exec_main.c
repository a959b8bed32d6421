/* SPDX-License-Identifier: MIT */
/* exec_main: `assent exec`, the command line around exec.h. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agents/exec.h"
#include "agents/exec_patch.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/i18n.h"
#include "config/arguments.h"
#include "config/help.h"
#include "config/options.h"

static const char *text_or_null(const struct options *options, enum option_id id)
{
    const char *text = options_string(options, id);
    return text[0] != '\0' ? text : NULL;
}

static const char *const *list_or_null(const struct options *options, enum option_id id)
{
    const char *const *list = options_list(options, id);
    return list[0] != NULL ? list : NULL;
}

/* A reason, or a line for a shell, where the command is to stand: the operator would be asked to
 * run a program of that name. Behind "--" it is taken at its word. */
static bool is_sentence(char *const *argv)
{
    return strcmp(argv[-1], "--") != 0 && strpbrk(argv[0], " \t\n") != NULL &&
           strchr(argv[0], '/') == NULL;
}

/* `argv`: the command, in the place where it was given. */
static int run(const struct options *options, char *const *argv)
{
    if (options_bool(options, OPTION_HELP))
        return help_print(stdout, SUBCOMMAND_EXEC) == 0 ? 0 : EXEC_FAILED;
    if (argv[0] == NULL) {
        fprintf(stderr, "assent exec: %s\n", _("no command given (see assent exec --help)"));
        return EXEC_FAILED;
    }
    if (is_sentence(argv)) {
        fprintf(stderr, "assent exec: %s\n",
                _("this is no command: a reason stands behind --justification, a line for a shell "
                  "behind -- bash -c"));
        return EXEC_FAILED;
    }
    struct error error = ERROR_INIT;
    cleanup_free char *patch = NULL;
    int found = exec_patch_find(argv, STDIN_FILENO, &patch, &error);
    if (found < 0) {
        fprintf(stderr, "assent exec: %s\n", error.message);
        return EXEC_FAILED;
    }
    struct exec_options exec_options = {
        .argv = argv,
        .patch = patch,
        .session = text_or_null(options, OPTION_EXEC_SESSION),
        .justification = text_or_null(options, OPTION_EXEC_JUSTIFICATION),
        .config_directory = text_or_null(options, OPTION_CONFIG_DIRECTORY),
        .socket_directories = list_or_null(options, OPTION_SOCKET_DIRECTORIES),
        .escalate = options_bool(options, OPTION_EXEC_ESCALATE),
        .tty = found == 0 && options_bool(options, OPTION_EXEC_TTY),
        .pass_stdin = found == 0 && options_bool(options, OPTION_EXEC_STDIN),
        .json = options_bool(options, OPTION_JSON),
        .timeout_ms = options_number(options, OPTION_EXEC_TIMEOUT),
    };
    return exec_run(&exec_options);
}

int main(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    i18n_init();
    struct options *options = options_new();
    int first = arguments_parse(options, SUBCOMMAND_EXEC, argc, argv, &error);
    int status = EXEC_FAILED;
    if (first < 0)
        fprintf(stderr, "assent exec: %s\n", error.message);
    else
        status = run(options, argv + first);
    options_free(&options);
    return status;
}
