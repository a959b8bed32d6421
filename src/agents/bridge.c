/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/bridge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/setup.h"
#include "agents/setup_client.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/install.h"
#include "config/paths.h"

enum { BRIDGE_FAILED = 125 };

int bridge_parse(struct options *options, enum subcommand_id subcommand, int argc, char **argv,
                 char *words[BRIDGE_WORDS_MAX + 1], struct error *error)
{
    size_t count = 0;
    int at = 0;
    for (;;) {
        int first = arguments_parse(options, subcommand, argc - at, argv + at, error);
        if (first < 0)
            return -1;
        at += first;
        if (at >= argc || count == BRIDGE_WORDS_MAX)
            return 0;
        words[count++] = argv[at];
    }
}

/* ---- commands ------------------------------------------------------------------------------ */

static void add_word(char ***argv, const char *word)
{
    size_t count = strv_length((const char *const *)*argv);
    *argv = xreallocarray(*argv, count + 2, sizeof(char *));
    (*argv)[count] = xstrdup(word);
    (*argv)[count + 1] = NULL;
}

static void add_pair(char ***argv, const char *option, const char *value)
{
    add_word(argv, option);
    add_word(argv, value);
}

/* Where sockets are as the environment says now; and where they are usually, because that may not
 * be there now, and be there when a console starts. */
static void add_usual_sockets(char ***argv)
{
    cleanup_free char *usual = xasprintf("/run/user/%lu/assent", (unsigned long)geteuid());
    cleanup_strv char **sockets = paths_runtime_candidates();
    for (size_t i = 0; sockets[i] != NULL; i++)
        add_pair(argv, "--socket-dir", sockets[i]);
    if (strcmp(sockets[0], usual) != 0)
        add_pair(argv, "--socket-dir", usual);
}

char **bridge_command_new(const struct bridge_command *command, struct error *error)
{
    cleanup_free char *config = paths_config_directory();
    cleanup_free char *program = install_find_program("assent", error);
    if (program == NULL)
        return NULL;
    char **argv = xcalloc(1, sizeof(char *));
    add_word(&argv, program);
    add_word(&argv, command->subcommand);
    add_pair(&argv, "--config-dir",
             command->config_directory != NULL ? command->config_directory : config);
    if (command->socket_directories == NULL)
        add_usual_sockets(&argv);
    for (const char *const *path = command->socket_directories; path != NULL && *path; path++)
        add_pair(&argv, "--socket-dir", *path);
    if (command->end_of_options)
        add_word(&argv, "--");
    return argv;
}

/* ---- install and uninstall ----------------------------------------------------------------- */

/* How the client has to start it. */
static char **installed_command(const char *what, const struct options *options,
                                struct error *error)
{
    char **argv = bridge_command_new(&(struct bridge_command){.subcommand = what}, error);
    if (argv == NULL)
        return NULL;
    if (strcmp(what, "hook") != 0) {
        /* As long as the client is told to wait; it gets nothing from polling. */
        add_pair(&argv, "--return-after", SETUP_WAIT);
        return argv;
    }
    add_pair(&argv, "--wait", SETUP_WAIT);
    add_pair(&argv, "--without-console", options_string(options, OPTION_WITHOUT_CONSOLE));
    if (options_bool(options, OPTION_REWRITE))
        add_word(&argv, "--rewrite");
    return argv;
}

static int set_up(const char *what, const struct options *options, bool remove, const char *client)
{
    struct error error = ERROR_INIT;
    cleanup_strv char **argv = installed_command(what, options, &error);
    struct setup_options setup = {
        .remove = remove,
        .dry_run = options_bool(options, OPTION_DRY_RUN),
        .yes = options_bool(options, OPTION_YES),
        .keep_shell = options_bool(options, OPTION_KEEP_SHELL),
        .what = what,
        .argv = argv,
    };
    int status = argv != NULL ? setup_run(client, &setup, &error) : -1;
    if (status < 0)
        fprintf(stderr, "assent %s: %s\n", what, error.message);
    return status < 0 ? BRIDGE_FAILED : status;
}

int bridge_set_up(const char *what, const struct options *options, char *const *words)
{
    bool install = strcmp(words[0], "install") == 0;
    if ((install || strcmp(words[0], "uninstall") == 0) && words[1] != NULL && words[2] == NULL)
        return set_up(what, options, !install, words[1]);
    cleanup_free char *clients = setup_client_names(what);
    fprintf(stderr, "assent %s: ", what);
    fprintf(stderr, _("expected nothing, or install or uninstall and one of %s\n"), clients);
    return BRIDGE_FAILED;
}
