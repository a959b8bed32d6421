/* SPDX-License-Identifier: MIT */
/*
 * launcher: the program `assent`. Starts the program that answers a subcommand, or the console.
 *
 * It needs libc only, so that what starts often (sandbox, exec, hooks) does not pay for the
 * libraries of the console. What starts most often, a command in the sandbox, it does itself.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/i18n.h"
#include "base/install.h"
#include "config/help.h"
#include "config/subcommand_table.h"
#include "sandbox_cli.h"

enum { EXIT_ASSENT_FAILED = 125 };

static bool is_help(const char *argument)
{
    return argument && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0);
}

static bool is_version(const char *argument)
{
    return argument && (strcmp(argument, "--version") == 0 || strcmp(argument, "-V") == 0);
}

/* `argv` as main got it. What is started sees itself as "assent exec", or as "assent" with the
 * subcommand in argv[1] when it answers several. Returns only when it cannot be started. */
static int start_program(const struct subcommand *subcommand, char **argv)
{
    struct error error = ERROR_INIT;
    cleanup_free char *path = install_find_program(subcommand->program, &error);
    cleanup_free char *shown = NULL;
    if (subcommand->name && !subcommand->shared) {
        shown = xasprintf("assent %s", subcommand->name);
        *++argv = shown;
    }
    if (path) {
        execv(path, argv);
        error_errno(&error, errno, "cannot start %s", path);
    }
    fprintf(stderr, "assent: %s\n", error.message);
    return EXIT_ASSENT_FAILED;
}

int main(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : NULL;
    const struct subcommand *subcommand = first ? subcommand_find(first) : NULL;
    if (is_version(first))
        return help_print_version(stdout) == 0 ? 0 : EXIT_ASSENT_FAILED;
    if (is_help(first) || (subcommand && is_help(argv[2]))) {
        i18n_init();
        if (!subcommand)
            subcommand = &subcommands[SUBCOMMAND_CONSOLE];
        enum subcommand_id id = (enum subcommand_id)(subcommand - subcommands);
        return help_print(stdout, id) == 0 ? 0 : EXIT_ASSENT_FAILED;
    }
#if defined __linux__
    if (subcommand == &subcommands[SUBCOMMAND_SANDBOX]) {
        argv[1] = (char *)"assent sandbox";
        return sandbox_cli_main(argc - 1, argv + 1);
    }
#endif
    return start_program(subcommand ? subcommand : &subcommands[SUBCOMMAND_CONSOLE], argv);
}
