/* SPDX-License-Identifier: MIT */
/* `assent log`: the sessions on record, or the events of one. */
#include "config.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/help.h"
#include "config/options.h"
#include "config/paths.h"
#include "record/log_view.h"
#include "tool.h"

/* Where the console writes its logs. */
static char *log_directory(const struct options *options)
{
    const char *named = options_string(options, OPTION_LOG_DIRECTORY);
    if (named[0])
        return xstrdup(named);
    cleanup_free char *state = paths_state_directory();
    return xasprintf("%s/sessions", state);
}

static int show(const struct options *options, const char *session, struct error *error)
{
    const struct log_view_options view = {
        .json = options_bool(options, OPTION_JSON),
        .follow = options_bool(options, OPTION_FOLLOW),
    };
    cleanup_free char *directory = log_directory(options);
    if (session || view.follow || view.json)
        return log_view_print(directory, session, &view, stdout, error);
    return log_view_list(directory, &view, stdout, error);
}

int tool_log(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    int result = 0;
    int rest = arguments_parse(options, SUBCOMMAND_LOG, argc, argv, &error);
    if (rest >= 0 && options_bool(options, OPTION_HELP))
        result = help_print(stdout, SUBCOMMAND_LOG);
    else if (rest >= 0 && argc - rest > 1)
        result = error_set(&error, 0, _("log takes one session at most"));
    else if (rest < 0 || config_file_load(options, &error) < 0)
        result = -1;
    else
        result = show(options, argv[rest], &error);
    options_free(&options);
    if (*error.message)
        tool_complain(argv[0], &error);
    return result == 0 && fflush(stdout) == 0 ? 0 : TOOL_FAILED;
}
