/* SPDX-License-Identifier: MIT */
/* option_table_commands: what commands may do: keys about approval, the sandbox, time, output and
 * environment. */
#include "config.h"

#include "base/i18n.h"
#include "config/option_table-int.h"

enum { FIRST = OPTION_APPROVAL_POLICY };

const struct option_spec option_specs_commands[OPTION_GUARD_TIME - FIRST] = {
    [OPTION_APPROVAL_POLICY - FIRST] =
        {
            .key = "approval_policy",
            .name = "policy",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(RULES),
            .type = OPTION_CHOICE,
            .metavar = N_("POLICY"),
            .fallback = "on-request",
            .choices = {"untrusted", "on-failure", "on-request", "reject", "never"},
            .description = N_("When the operator is asked before a command runs."),
        },
    [OPTION_REJECT_SANDBOX_APPROVAL - FIRST] =
        {
            .key = "reject.sandbox_approval",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description =
                N_("With approval_policy reject: refuse what would ask to leave the sandbox."),
        },
    [OPTION_REJECT_RULES - FIRST] =
        {
            .key = "reject.rules",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("With approval_policy reject: refuse what a rule would ask about."),
        },
    [OPTION_REJECT_ELICITATIONS - FIRST] =
        {
            .key = "reject.elicitations",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("With approval_policy reject: refuse questions that a tool asks."),
        },
    [OPTION_ESCALATE_ON_REQUEST - FIRST] =
        {
            .key = "escalate_on_request",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("With approval_policy on-request: ask whether a command that the "
                              "sandbox stopped may run again without it."),
        },
    [OPTION_SANDBOX_MODE - FIRST] =
        {
            .key = "sandbox_mode",
            .name = "mode",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX) | ON(RULES),
            .type = OPTION_CHOICE,
            .metavar = N_("MODE"),
            .fallback = "workspace-write",
            .choices = {"read-only", "workspace-write", "danger-full-access", "external-sandbox"},
            .description = N_("What commands may do to files."),
        },
    [OPTION_SANDBOX_PREFERENCE - FIRST] =
        {
            .key = "sandbox_preference",
            .type = OPTION_CHOICE,
            .metavar = N_("WHEN"),
            .fallback = "auto",
            .choices = {"auto", "require", "forbid"},
            .description = N_("Whether the sandbox is used: auto follows the mode, require uses it "
                              "always, forbid never."),
        },
    [OPTION_WRITABLE_ROOTS - FIRST] =
        {
            .key = "writable_roots",
            .name = "writable-root",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_PATHS,
            .metavar = N_("DIR"),
            .fallback = "",
            .description =
                N_("More directories that commands may write to in mode workspace-write."),
        },
    [OPTION_READABLE_ROOTS - FIRST] =
        {
            .key = "readable_roots",
            .name = "readable-root",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_PATHS,
            .metavar = N_("DIR"),
            .fallback = "",
            .description =
                N_("More directories that commands may read when reading is restricted."),
        },
    [OPTION_RESTRICTED_READ - FIRST] =
        {
            .key = "restricted_read",
            .name = "restricted-read",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let commands read only the workspace, the readable roots and what "
                              "programs need to start."),
        },
    [OPTION_TMP - FIRST] =
        {
            .key = "tmp",
            .type = OPTION_CHOICE,
            .metavar = N_("WHICH"),
            .fallback = "private",
            .choices = {"private", "host", "none"},
            .description = N_("What commands find at /tmp, /var/tmp and $TMPDIR: directories of "
                              "their own, the host's, or none that they can write to."),
        },
    [OPTION_NETWORK - FIRST] =
        {
            .key = "network",
            .type = OPTION_CHOICE,
            .metavar = N_("HOW"),
            .fallback = "ask",
            .choices = {"ask", "off", "on"},
            .description = N_("The network of commands in the sandbox: ask for each host when a "
                              "command wants it, off, or on."),
        },
    [OPTION_NETWORK_ACCESS - FIRST] =
        {
            .key = "network_access",
            .name = "network",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let commands use the network, as network = on."),
        },
    [OPTION_NETWORK_PROXY - FIRST] =
        {
            .key = "network_proxy",
            .type = OPTION_STRING,
            .metavar = N_("URL"),
            .fallback = "environment",
            .description = N_("The proxy that granted connections go out through, as "
                              "http://NAME:PASSWORD@HOST:PORT; environment takes the one of "
                              "HTTPS_PROXY and NO_PROXY, none goes out directly. Commands never "
                              "see it."),
        },
    [OPTION_ALLOW_UNIX_SOCKETS - FIRST] =
        {
            .key = "allow_unix_sockets",
            .name = "allow-unix-socket",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_PATHS,
            .metavar = N_("PATH"),
            .fallback = "",
            .description = N_("UNIX sockets that commands may connect to."),
        },
    [OPTION_ALLOW_DEGRADED - FIRST] =
        {
            .key = "allow_degraded",
            .name = "allow-degraded",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Run also where this machine cannot enforce all of the policy."),
        },
    [OPTION_PROTECT_GIT - FIRST] =
        {
            .key = "protect_git",
            .name = "protect-git",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_CHOICE,
            .metavar = N_("WHAT"),
            .fallback = "code",
            .choices = {"code", "all"},
            .description = N_("What stays read-only in .git: what makes git run code (commits "
                              "work), or all of it."),
        },
    [OPTION_PROTECT_NESTED - FIRST] =
        {
            .key = "protect_nested",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description =
                N_("Protect repositories and .env files that lie deeper in the workspace too."),
        },
    [OPTION_TOOL_CACHES - FIRST] =
        {
            .key = "tool_caches",
            .name = "tool-caches",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_CHOICE,
            .metavar = N_("WHICH"),
            .fallback = "private",
            .choices = {"private", "shared", "none"},
            .description = N_("Where build tools keep downloads: in caches of the session's own, "
                              "in the operator's, or nowhere."),
        },
    [OPTION_DEFAULT_TIMEOUT - FIRST] =
        {
            .key = "default_timeout",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "10min",
            .minimum = 0,
            .maximum = DAY,
            .description =
                N_("How long a command may run when the agent names no time; 0 means no limit."),
        },
    [OPTION_MAX_TIMEOUT - FIRST] =
        {
            .key = "max_timeout",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "2h",
            .minimum = 0,
            .maximum = 30 * DAY,
            .description = N_("The longest time that an agent may ask for; 0 means no limit."),
        },
    [OPTION_KILL_GRACE - FIRST] =
        {
            .key = "kill_grace",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "2s",
            .minimum = 0,
            .maximum = 60 * SECOND,
            .description = N_("How long a command that must end has between TERM and KILL."),
        },
    [OPTION_OUTPUT_CAP - FIRST] =
        {
            .key = "output_cap",
            .type = OPTION_SIZE,
            .metavar = N_("SIZE"),
            .fallback = "64MiB",
            .minimum = 4 * KIB,
            .maximum = 64 * GIB,
            .description =
                N_("How much output of a command is kept; beyond it the middle is dropped."),
        },
    [OPTION_FRAME_LIMIT - FIRST] =
        {
            .key = "frame_limit",
            .type = OPTION_SIZE,
            .metavar = N_("SIZE"),
            .fallback = "8MiB",
            .minimum = 64 * KIB,
            .maximum = GIB,
            .description = N_("The longest message that an agent may send."),
        },
    [OPTION_MAX_OPEN_CALLS - FIRST] =
        {
            .key = "max_open_calls",
            .type = OPTION_NUMBER,
            .metavar = N_("NUMBER"),
            .fallback = "64",
            .minimum = 1,
            .maximum = 4096,
            .description =
                N_("How many calls of a session may be open at a time; more are refused."),
        },
    [OPTION_ENVIRONMENT_PASS - FIRST] =
        {
            .key = "environment_pass",
            .type = OPTION_LIST,
            .metavar = N_("NAME"),
            .fallback = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ COLORTERM TMPDIR",
            .description = N_("Variables of the console's environment that commands get; a * at "
                              "the end stands for any rest."),
        },
    [OPTION_ENVIRONMENT_SET - FIRST] =
        {
            .key = "environment_set",
            .type = OPTION_LIST,
            .metavar = N_("NAME=VALUE"),
            .fallback = "",
            .description = N_("Variables that commands get with a fixed value."),
        },
};
