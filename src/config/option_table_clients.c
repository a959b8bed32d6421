/* SPDX-License-Identifier: MIT */
/* option_table_clients: what the console and programs that ask it take on the command line only. */
#include "config.h"

#include "base/i18n.h"
#include "config/option_table-int.h"

enum { FIRST = OPTION_PROFILE };

const struct option_spec option_specs_clients[OPTION_JSON - FIRST] = {
    [OPTION_PROFILE - FIRST] =
        {
            .name = "profile",
            .letter = 'p',
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(RULES) | ON(ASSESS),
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("Use the values of that profile of the configuration file."),
        },
    [OPTION_CONFIG_FILE - FIRST] =
        {
            .name = "config",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(RULES) | ON(ASSESS),
            .type = OPTION_STRING,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("Read this configuration file instead of the usual one."),
        },
    [OPTION_SET - FIRST] =
        {
            .name = "set",
            .letter = 'c',
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(RULES) | ON(ASSESS),
            .type = OPTION_LIST,
            .metavar = N_("KEY=VALUE"),
            .fallback = "",
            .description = N_("Set any configuration key for this start."),
        },
    [OPTION_WORKSPACE - FIRST] =
        {
            .name = "workspace",
            .letter = 'C',
            .subcommands = ON(CONSOLE) | ON(CHECK) | ON(SANDBOX) | ON(RULES),
            .type = OPTION_STRING,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("The workspace root; without it the current directory."),
        },
    [OPTION_DEMO - FIRST] =
        {
            .name = "demo",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description =
                N_("Show what Assent does with a scripted agent in a throw-away directory."),
        },
    [OPTION_HEADLESS - FIRST] =
        {
            .name = "headless",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description =
                N_("No screen: decide by policy alone and print a line for each decision."),
        },
    [OPTION_PLAIN - FIRST] =
        {
            .name = "plain",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("No full screen: requests and answers in lines, for screen readers "
                              "and dumb terminals."),
        },
    [OPTION_ZOOM - FIRST] =
        {
            .name = "zoom",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Give the pane of COMMAND the whole screen."),
        },
    [OPTION_EXIT_WHEN_DONE - FIRST] =
        {
            .name = "exit-when-done",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Leave when COMMAND has ended, with its exit status."),
        },
    [OPTION_CODEX - FIRST] =
        {
            .name = "codex",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Converse with Codex in a pane, by its app-server."),
        },
    [OPTION_VERBOSE - FIRST] =
        {
            .name = "verbose",
            .letter = 'v',
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Write a diagnostic log to the state directory; twice for more."),
        },

    [OPTION_EXEC_SESSION - FIRST] =
        {
            .name = "session",
            .subcommands = ON(EXEC),
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description =
                N_("The name that the console shows for this client. It makes no session of "
                   "its own: what is allowed for the session holds for others, too, unless "
                   "plain_sessions = program is set."),
        },
    [OPTION_EXEC_JUSTIFICATION - FIRST] =
        {
            .name = "justification",
            .subcommands = ON(EXEC),
            .type = OPTION_STRING,
            .metavar = N_("TEXT"),
            .fallback = "",
            .description =
                N_("Why the command is needed, shown to the operator as the agent's words."),
        },
    [OPTION_EXEC_ESCALATE - FIRST] =
        {
            .name = "escalate",
            .subcommands = ON(EXEC),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Ask to run without the sandbox."),
        },
    [OPTION_EXEC_TTY - FIRST] =
        {
            .name = "tty",
            .letter = 't',
            .subcommands = ON(EXEC),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Run the command on a terminal."),
        },
    [OPTION_EXEC_STDIN - FIRST] =
        {
            .name = "stdin",
            .letter = 'i',
            .subcommands = ON(EXEC),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Pass standard input on to the command; else it reads nothing."),
        },
    [OPTION_EXEC_TIMEOUT - FIRST] =
        {
            .name = "timeout",
            .subcommands = ON(EXEC),
            .type = OPTION_NUMBER,
            .metavar = N_("MS"),
            .fallback = "0",
            .minimum = 0,
            .maximum = 30 * DAY,
            .description = N_("How many milliseconds the command may run."),
        },
    [OPTION_CONFIG_DIRECTORY - FIRST] =
        {
            .name = "config-dir",
            .subcommands = ON(EXEC) | ON(MCP) | ON(HOOK),
            .type = OPTION_PATH,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("Where the console's configuration and its secret are; without it "
                              "the environment says so."),
        },
    [OPTION_SOCKET_DIRECTORIES - FIRST] =
        {
            .name = "socket-dir",
            .subcommands = ON(EXEC) | ON(MCP) | ON(HOOK),
            .type = OPTION_PATHS,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("Where consoles' sockets are looked for; without it the environment "
                              "says so."),
        },
    [OPTION_YES - FIRST] =
        {
            .name = "yes",
            .letter = 'y',
            .subcommands = ON(MCP) | ON(HOOK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With install and uninstall: write without asking."),
        },
    [OPTION_DRY_RUN - FIRST] =
        {
            .name = "dry-run",
            .letter = 'n',
            .subcommands = ON(MCP) | ON(HOOK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With install and uninstall: show what changes, and write nothing."),
        },
    [OPTION_KEEP_SHELL - FIRST] =
        {
            .name = "keep-shell",
            .subcommands = ON(MCP),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With install: leave the client its own shell, which no console "
                              "sees."),
        },
    [OPTION_RETURN_AFTER - FIRST] =
        {
            .name = "return-after",
            .subcommands = ON(MCP),
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "0",
            .minimum = 0,
            .maximum = 30 * DAY,
            .description = N_("Answer a call after that at the latest: it goes on, and the agent "
                              "polls for the rest; 0 means as the agent is known to need it."),
        },
    [OPTION_WAIT - FIRST] =
        {
            .name = "wait",
            .subcommands = ON(HOOK),
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "9min",
            .minimum = SECOND,
            .maximum = 30 * DAY,
            .description =
                N_("How long to wait for the operator before the answer is no; agents wait ten "
                   "minutes for a hook and then go ahead, unless their settings say otherwise."),
        },
    [OPTION_WITHOUT_CONSOLE - FIRST] =
        {
            .name = "without-console",
            .subcommands = ON(HOOK),
            .type = OPTION_CHOICE,
            .metavar = N_("WHAT"),
            .fallback = "deny",
            .choices = {"deny", "ask"},
            .description = N_("What happens when no console runs: deny, or leave it to the agent "
                              "to ask."),
        },
    [OPTION_REWRITE - FIRST] =
        {
            .name = "rewrite",
            .subcommands = ON(HOOK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let the agent's shell commands run through the console, in the "
                              "sandbox, instead of asking about each."),
        },
    [OPTION_APP_SERVER - FIRST] =
        {
            .name = "app-server",
            .subcommands = ON(ACP),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("AGENT is Codex' app-server and speaks its own protocol; without "
                              "AGENT `codex app-server` is started."),
        },
    [OPTION_LOAD - FIRST] =
        {
            .name = "load",
            .subcommands = ON(ACP),
            .type = OPTION_STRING,
            .metavar = N_("SESSION"),
            .fallback = "",
            .description = N_("Go on with an earlier session of the agent."),
        },
    [OPTION_FILES - FIRST] =
        {
            .name = "files",
            .subcommands = ON(ACP),
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("Offer the agent to read and write files through Assent; without it "
                              "the agent uses its own tools."),
        },
};
