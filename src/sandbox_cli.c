/* SPDX-License-Identifier: MIT */
/* sandbox_cli: `assent sandbox … -- CMD`: libc only, because it starts often. */
#include "config.h"

#include <stdio.h>

#include "base/error.h"
#include "config/arguments.h"
#include "sandbox/helper.h"
#include "sandbox_cli.h"
#include "sandbox_front.h"

static int run(int argc, char **argv, struct error *error)
{
    struct options *options = options_new();
    int first = arguments_parse(options, SUBCOMMAND_SANDBOX, argc, argv, error);
    if (first < 0)
        return -1;
    if (options_bool(options, OPTION_EXPLAIN) || options_bool(options, OPTION_PRINT_POLICY) ||
        options_string(options, OPTION_POLICY_JSON)[0])
        return sandbox_front_become(SANDBOX_EXPLAIN_PROGRAM, argv, error);
    if (first >= argc)
        return error_set(error, 0, "no command: assent sandbox [OPTION…] -- COMMAND…");
    struct sandbox_policy *policy = sandbox_front_policy(options, error);
    return policy ? sandbox_front_run(policy, argv + first, error) : -1;
}

int sandbox_cli_main(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    int code = run(argc, argv, &error);
    if (code >= 0)
        return code;
    fprintf(stderr, "assent sandbox: %s\n", error.message);
    return HELPER_EXIT_FAILED;
}
