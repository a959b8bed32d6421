/* SPDX-License-Identifier: MIT */
/* option_table_tools: what tools that read and check (log, rules, sandbox …) take on the command
 * line only. */
#include "config.h"

#include "base/i18n.h"
#include "config/option_table-int.h"

enum { FIRST = OPTION_JSON };

const struct option_spec option_specs_tools[OPTION_COUNT - FIRST] = {
    [OPTION_JSON - FIRST] =
        {
            .name = "json",
            .subcommands = ON(EXEC) | ON(LOG) | ON(CONFIG) | ON(DOCTOR) | ON(PARSE) | ON(CHECK) |
                           ON(RULES) | ON(ASSESS),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Print JSON for programs."),
        },
    [OPTION_FOLLOW - FIRST] =
        {
            .name = "follow",
            .letter = 'f',
            .subcommands = ON(LOG),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Go on showing what is added."),
        },
    [OPTION_HEAD - FIRST] =
        {
            .name = "head",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("SHA-256"),
            .fallback = "",
            .description = N_("With verify: the end that the console showed when it ended."),
        },
    [OPTION_RESUME - FIRST] =
        {
            .name = "resume",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Go on where a console (named behind the options, or the last one) "
                              "ended: its workspace, agents and approvals, but not rules for the "
                              "session, nor approvals for a time or for runs."),
        },
    [OPTION_LOG_AGENT - FIRST] =
        {
            .name = "from",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("Calls of agents whose name holds this."),
        },
    [OPTION_LOG_DECISION - FIRST] =
        {
            .name = "decision",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("KIND"),
            .fallback = "any",
            .choices = {"any", "approved", "approved_sandboxed", "approved_path",
                        "approved_path_for_session", "approved_for_session", "approved_amendment",
                        "denied", "abort", "timed_out"},
            .description = N_("Calls decided so."),
        },
    [OPTION_LOG_SOURCE - FIRST] =
        {
            .name = "by",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("SOURCE"),
            .fallback = "any",
            .choices = {"any", "user", "config", "cache", "rule", "client", "stopped", "ended"},
            .description =
                N_("Calls decided by the operator, the configuration, a grant or a rule."),
        },
    [OPTION_LOG_RISK - FIRST] =
        {
            .name = "risk",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("LEVEL"),
            .fallback = "any",
            .choices = {"any", "low", "medium", "high"},
            .description = N_("Calls of this risk or a higher one."),
        },
    [OPTION_LOG_TEXT - FIRST] =
        {
            .name = "text",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("TEXT"),
            .fallback = "",
            .description = N_("Calls that hold this in command, reason, directory or answer."),
        },
    [OPTION_LOG_SINCE - FIRST] =
        {
            .name = "since",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("TIME"),
            .fallback = "",
            .description = N_("Calls from then on: today, a day (2026-11-21), a UTC time, or an "
                              "age (90min, 7d)."),
        },
    [OPTION_LOG_UNTIL - FIRST] =
        {
            .name = "until",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("TIME"),
            .fallback = "",
            .description = N_("Calls before then."),
        },
    [OPTION_LOG_FORMAT - FIRST] =
        {
            .name = "format",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("FORMAT"),
            .fallback = "text",
            .choices = {"text", "json", "markdown", "csv"},
            .description = N_("How calls are printed."),
        },
    [OPTION_BATCH - FIRST] =
        {
            .name = "batch",
            .subcommands = ON(PARSE) | ON(CHECK) | ON(ASSESS),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Read JSON lines on standard input and answer each with one."),
        },
    [OPTION_ASK_MODEL - FIRST] =
        {
            .name = "model",
            .subcommands = ON(ASSESS),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Ask the configured model as well, and say what happened."),
        },
    [OPTION_RULES - FIRST] =
        {
            .name = "rules",
            .subcommands = ON(CHECK),
            .type = OPTION_PATHS,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("Use the rules of this file instead of the installed ones."),
        },
    [OPTION_RULES_ONLY - FIRST] =
        {
            .name = "rules-only",
            .subcommands = ON(CHECK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Look at rules alone, and at the words of COMMAND as they stand."),
        },
    [OPTION_RULES_WRITE - FIRST] =
        {
            .name = "write",
            .subcommands = ON(RULES),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With import: put the rules into imported.rules of your rules."),
        },
    [OPTION_RESOLVE_HOST_EXECUTABLES - FIRST] =
        {
            .name = "resolve-host-executables",
            .subcommands = ON(CHECK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With --rules-only: a path that has no rules of its own has those of "
                              "its file name."),
        },

    [OPTION_NO_USERNS - FIRST] =
        {
            .name = "no-userns",
            .subcommands = ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Do without user namespaces."),
        },
    [OPTION_LANDLOCK_ABI - FIRST] =
        {
            .name = "landlock-abi",
            .subcommands = ON(SANDBOX),
            .type = OPTION_NUMBER,
            .metavar = N_("N"),
            .fallback = "0",
            .minimum = 0,
            .maximum = 64,
            .description = N_("Use at most this version of Landlock."),
        },
    [OPTION_POLICY_JSON - FIRST] =
        {
            .name = "policy-json",
            .subcommands = ON(SANDBOX),
            .type = OPTION_STRING,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("Take the whole policy from a JSON file."),
        },
    [OPTION_PRINT_POLICY - FIRST] =
        {
            .name = "print-policy",
            .subcommands = ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Print the policy as JSON and run nothing."),
        },
    [OPTION_EXPLAIN - FIRST] =
        {
            .name = "explain",
            .subcommands = ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Say what would hold here and run nothing."),
        },

    [OPTION_HELP - FIRST] =
        {
            .name = "help",
            .letter = 'h',
            .subcommands = ON_EVERY,
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Show this help."),
        },
    [OPTION_VERSION - FIRST] =
        {
            .name = "version",
            .letter = 'V',
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Show the version."),
        },
};
