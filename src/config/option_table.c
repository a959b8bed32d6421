/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/option_table.h"

#include <string.h>

#include "base/i18n.h"

#define ON(id) (1u << SUBCOMMAND_##id)
#define ON_EVERY ((1u << SUBCOMMAND_COUNT) - 1)
#define KIB 1024LL
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)
#define SECOND 1000LL
#define DAY (24 * 3600 * SECOND)

const struct option_spec option_specs[OPTION_COUNT] = {
    [OPTION_APPROVAL_POLICY] =
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
    [OPTION_REJECT_SANDBOX_APPROVAL] =
        {
            .key = "reject.sandbox_approval",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description =
                N_("With approval_policy reject: refuse what would ask to leave the sandbox."),
        },
    [OPTION_REJECT_RULES] =
        {
            .key = "reject.rules",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("With approval_policy reject: refuse what a rule would ask about."),
        },
    [OPTION_REJECT_ELICITATIONS] =
        {
            .key = "reject.elicitations",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("With approval_policy reject: refuse questions that a tool asks."),
        },
    [OPTION_ESCALATE_ON_REQUEST] =
        {
            .key = "escalate_on_request",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("With approval_policy on-request: ask whether a command that the "
                              "sandbox stopped may run again without it."),
        },
    [OPTION_SANDBOX_MODE] =
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
    [OPTION_SANDBOX_PREFERENCE] =
        {
            .key = "sandbox_preference",
            .type = OPTION_CHOICE,
            .metavar = N_("WHEN"),
            .fallback = "auto",
            .choices = {"auto", "require", "forbid"},
            .description = N_("Whether the sandbox is used: auto follows the mode, require uses it "
                              "always, forbid never."),
        },
    [OPTION_WRITABLE_ROOTS] =
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
    [OPTION_READABLE_ROOTS] =
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
    [OPTION_RESTRICTED_READ] =
        {
            .key = "restricted_read",
            .name = "restricted-read",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let commands read only the workspace, the readable roots and what "
                              "programs need to start."),
        },
    [OPTION_TMP] =
        {
            .key = "tmp",
            .type = OPTION_CHOICE,
            .metavar = N_("WHICH"),
            .fallback = "private",
            .choices = {"private", "host", "none"},
            .description = N_("What commands find at /tmp, /var/tmp and $TMPDIR: directories of "
                              "their own, the host's, or none that they can write to."),
        },
    [OPTION_NETWORK] =
        {
            .key = "network",
            .type = OPTION_CHOICE,
            .metavar = N_("HOW"),
            .fallback = "ask",
            .choices = {"ask", "off", "on"},
            .description = N_("The network of commands in the sandbox: ask for each host when a "
                              "command wants it, off, or on."),
        },
    [OPTION_NETWORK_ACCESS] =
        {
            .key = "network_access",
            .name = "network",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let commands use the network, as network = on."),
        },
    [OPTION_NETWORK_PROXY] =
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
    [OPTION_ALLOW_UNIX_SOCKETS] =
        {
            .key = "allow_unix_sockets",
            .name = "allow-unix-socket",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_PATHS,
            .metavar = N_("PATH"),
            .fallback = "",
            .description = N_("UNIX sockets that commands may connect to."),
        },
    [OPTION_ALLOW_DEGRADED] =
        {
            .key = "allow_degraded",
            .name = "allow-degraded",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Run also where this machine cannot enforce all of the policy."),
        },
    [OPTION_PROTECT_GIT] =
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
    [OPTION_PROTECT_NESTED] =
        {
            .key = "protect_nested",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description =
                N_("Protect repositories and .env files that lie deeper in the workspace too."),
        },
    [OPTION_TOOL_CACHES] =
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
    [OPTION_DEFAULT_TIMEOUT] =
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
    [OPTION_MAX_TIMEOUT] =
        {
            .key = "max_timeout",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "2h",
            .minimum = 0,
            .maximum = 30 * DAY,
            .description = N_("The longest time that an agent may ask for; 0 means no limit."),
        },
    [OPTION_KILL_GRACE] =
        {
            .key = "kill_grace",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "2s",
            .minimum = 0,
            .maximum = 60 * SECOND,
            .description = N_("How long a command that must end has between TERM and KILL."),
        },
    [OPTION_OUTPUT_CAP] =
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
    [OPTION_FRAME_LIMIT] =
        {
            .key = "frame_limit",
            .type = OPTION_SIZE,
            .metavar = N_("SIZE"),
            .fallback = "8MiB",
            .minimum = 64 * KIB,
            .maximum = GIB,
            .description = N_("The longest message that an agent may send."),
        },
    [OPTION_MAX_OPEN_CALLS] =
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
    [OPTION_ENVIRONMENT_PASS] =
        {
            .key = "environment_pass",
            .type = OPTION_LIST,
            .metavar = N_("NAME"),
            .fallback = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ COLORTERM TMPDIR",
            .description = N_("Variables of the console's environment that commands get; a * at "
                              "the end stands for any rest."),
        },
    [OPTION_ENVIRONMENT_SET] =
        {
            .key = "environment_set",
            .type = OPTION_LIST,
            .metavar = N_("NAME=VALUE"),
            .fallback = "",
            .description = N_("Variables that commands get with a fixed value."),
        },
    [OPTION_GUARD_TIME] =
        {
            .key = "guard_time",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "400ms",
            .minimum = 0,
            .maximum = 10 * SECOND,
            .description =
                N_("Keys pressed before a request has been on the screen this long do not decide."),
        },
    [OPTION_ESCAPE_TIME] =
        {
            .key = "escape_time",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "0",
            .minimum = 0,
            .maximum = 2 * SECOND,
            .description =
                N_("How long the rest of a key may come behind its first byte before that "
                   "is the Escape key; 0 is 30 ms, and 400 ms over ssh."),
        },
    [OPTION_SCROLLBACK] =
        {
            .key = "scrollback",
            .type = OPTION_NUMBER,
            .metavar = N_("LINES"),
            .fallback = "10000",
            .minimum = 100,
            .maximum = 1000000,
            .description = N_("Lines that a pane keeps above its screen."),
        },
    [OPTION_THEME] =
        {
            .key = "theme",
            .name = "theme",
            .subcommands = ON(CONSOLE) | ON(CONFIG),
            .type = OPTION_CHOICE,
            .metavar = N_("THEME"),
            .fallback = "auto",
            .choices = {"auto", "dark", "light", "mono", "high-contrast", "colour-blind"},
            .description = N_("Colours of the screen; auto goes by NO_COLOR and the terminal."),
        },
    [OPTION_MOUSE] =
        {
            .key = "mouse",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("The mouse selects calls, scrolls and marks answers; false leaves "
                              "it to the terminal."),
        },
    [OPTION_KEYS] =
        {
            .key = "keys",
            .type = OPTION_LIST,
            .metavar = N_("ACTION=KEY"),
            .fallback = "",
            .description =
                N_("Other keys in the console, such as approve=Y or zoom=Ctrl-T; :keys lists the "
                   "actions. Enter, Esc, Tab, arrows and the like keep what they do."),
        },
    [OPTION_ALERT] =
        {
            .key = "alert",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("A request that waits rings the terminal's bell and shows in its "
                              "title."),
        },
    [OPTION_NOTIFICATION] =
        {
            .key = "notification",
            .type = OPTION_CHOICE,
            .metavar = N_("KIND"),
            .fallback = "osc9",
            .choices = {"off", "osc9", "osc777"},
            .description =
                N_("The sequence by which the terminal is asked for a desktop "
                   "notification when a request waits; alert = false turns it off, too."),
        },
    [OPTION_NOTIFY_COMMAND] =
        {
            .key = "notify_command",
            .type = OPTION_STRING,
            .metavar = N_("COMMAND"),
            .fallback = "",
            .description =
                N_("A command for the shell when a request waits, has waited long or was denied "
                   "because you were away; ASSENT_EVENT and ASSENT_WAITING tell it which and how "
                   "many, nothing tells it what is asked."),
        },
    [OPTION_ESCALATE_AFTER] =
        {
            .key = "escalate_after",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "1min",
            .minimum = 0,
            .maximum = 24 * 60 * 60 * SECOND,
            .description = N_("A request that has waited this long is told of again, then at twice "
                              "that time, and so on; 0 means never."),
        },
    [OPTION_AWAY_AFTER] =
        {
            .key = "away_after",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "0",
            .minimum = 0,
            .maximum = 24 * 60 * 60 * SECOND,
            .description = N_("A request that has waited this long while no key was pressed is "
                              "denied, with a message that nobody is here; 0 means never."),
        },
    [OPTION_LOG_DIRECTORY] =
        {
            .key = "log_directory",
            .type = OPTION_PATH,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("Where the record of each session is kept; empty means "
                              "assent/sessions in the state directory."),
        },
    [OPTION_TELEMETRY] =
        {
            .key = "telemetry",
            .type = OPTION_BOOL,
            .fallback = "false",
            .description =
                N_("Send counts of requests, decisions and sandbox outcomes by OTLP/HTTP "
                   "with JSON, as OpenTelemetry's variables (OTEL_EXPORTER_OTLP_ENDPOINT "
                   "and so on) say; nothing of commands, paths or names."),
        },
    [OPTION_LOG_KEEP_DAYS] =
        {
            .key = "log_keep_days",
            .type = OPTION_NUMBER,
            .metavar = N_("DAYS"),
            .fallback = "365",
            .minimum = 1,
            .maximum = 100000,
            .description = N_("Records that ended longer ago are removed when a console starts."),
        },
    [OPTION_LOG_KEEP_SIZE] =
        {
            .key = "log_keep_size",
            .type = OPTION_SIZE,
            .metavar = N_("SIZE"),
            .fallback = "4GiB",
            .minimum = 1,
            .maximum = 1024 * GIB,
            .description = N_("When all records are larger together, the oldest that have ended "
                              "are removed."),
        },
    [OPTION_ASSESSMENT_MODEL] =
        {
            .key = "assessment.model",
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("The language model that is asked how bad a command can be, beside "
                              "the built-in assessor; empty means none. Commands are sent to it, "
                              "secrets in them masked."),
        },
    [OPTION_ASSESSMENT_URL] =
        {
            .key = "assessment.url",
            .type = OPTION_STRING,
            .metavar = N_("URL"),
            .fallback = "http://localhost:11434/v1",
            .description = N_("Where the model is. http is for this machine only."),
        },
    [OPTION_ASSESSMENT_DIALECT] =
        {
            .key = "assessment.dialect",
            .type = OPTION_CHOICE,
            .metavar = N_("WHICH"),
            .fallback = "chat",
            .choices = {"chat", "responses"},
            .description = N_("What the model's server speaks: Chat Completions or the Responses "
                              "API."),
        },
    [OPTION_ASSESSMENT_STREAM] =
        {
            .key = "assessment.stream",
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let the model's server send its answer piece by piece."),
        },
    [OPTION_ASSESSMENT_KEY_VARIABLE] =
        {
            .key = "assessment.key_variable",
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("The environment variable that holds the key for the model."),
        },
    [OPTION_ASSESSMENT_KEY_FILE] =
        {
            .key = "assessment.key_file",
            .type = OPTION_PATH,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("The file that holds the key for the model, readable by nobody "
                              "else."),
        },
    [OPTION_ASSESSMENT_CA_FILE] =
        {
            .key = "assessment.ca_file",
            .type = OPTION_PATH,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("The certificates by which the model's server is known; empty means "
                              "those of the system."),
        },
    [OPTION_ASSESSMENT_TIMEOUT] =
        {
            .key = "assessment.timeout",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "5s",
            .minimum = 100,
            .maximum = 120 * SECOND,
            .description =
                N_("How long the model has for an answer. A request never waits for it."),
        },
    [OPTION_ASSESSMENT_CONNECT_TIMEOUT] =
        {
            .key = "assessment.connect_timeout",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "2s",
            .minimum = 50,
            .maximum = 60 * SECOND,
            .description = N_("How long connecting to the model's server may take."),
        },
    [OPTION_ASSESSMENT_CONCURRENCY] =
        {
            .key = "assessment.concurrency",
            .type = OPTION_NUMBER,
            .metavar = N_("NUMBER"),
            .fallback = "2",
            .minimum = 1,
            .maximum = 16,
            .description = N_("How many questions the model gets at a time."),
        },

    [OPTION_PROFILE] =
        {
            .name = "profile",
            .letter = 'p',
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(RULES) | ON(ASSESS),
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("Use the values of that profile of the configuration file."),
        },
    [OPTION_CONFIG_FILE] =
        {
            .name = "config",
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(RULES) | ON(ASSESS),
            .type = OPTION_STRING,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("Read this configuration file instead of the usual one."),
        },
    [OPTION_SET] =
        {
            .name = "set",
            .letter = 'c',
            .subcommands = ON(CONSOLE) | ON(CONFIG) | ON(CHECK) | ON(RULES) | ON(ASSESS),
            .type = OPTION_LIST,
            .metavar = N_("KEY=VALUE"),
            .fallback = "",
            .description = N_("Set any configuration key for this start."),
        },
    [OPTION_WORKSPACE] =
        {
            .name = "workspace",
            .letter = 'C',
            .subcommands = ON(CONSOLE) | ON(CHECK) | ON(SANDBOX) | ON(RULES),
            .type = OPTION_STRING,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("The workspace root; without it the current directory."),
        },
    [OPTION_DEMO] =
        {
            .name = "demo",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description =
                N_("Show what Assent does with a scripted agent in a throw-away directory."),
        },
    [OPTION_HEADLESS] =
        {
            .name = "headless",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description =
                N_("No screen: decide by policy alone and print a line for each decision."),
        },
    [OPTION_PLAIN] =
        {
            .name = "plain",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("No full screen: requests and answers in lines, for screen readers "
                              "and dumb terminals."),
        },
    [OPTION_ZOOM] =
        {
            .name = "zoom",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Give the pane of COMMAND the whole screen."),
        },
    [OPTION_EXIT_WHEN_DONE] =
        {
            .name = "exit-when-done",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Leave when COMMAND has ended, with its exit status."),
        },
    [OPTION_AGENTS] =
        {
            .key = "agents",
            .name = "agent",
            .subcommands = ON(CONSOLE),
            .type = OPTION_LIST,
            .metavar = N_("CMD"),
            .fallback = "",
            .description =
                N_("Start this agent (a shell's line) and converse with it in a pane, by "
                   "the Agent Client Protocol; repeat for more agents."),
        },
    [OPTION_CODEX] =
        {
            .name = "codex",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Converse with Codex in a pane, by its app-server."),
        },
    [OPTION_CONFINE_AGENT] =
        {
            .key = "confine_agent",
            .name = "confine-agent",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Start agents themselves in the sandbox, too: what they do without "
                              "asking is confined as their commands are."),
        },
    [OPTION_AGENT_ROOTS] =
        {
            .key = "agent_roots",
            .type = OPTION_PATHS,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("More directories that a confined agent keeps its own things in."),
        },
    [OPTION_PLAIN_SESSIONS] =
        {
            .key = "plain_sessions",
            .type = OPTION_CHOICE,
            .metavar = N_("WHOSE"),
            .fallback = "shared",
            .choices = {"shared", "program"},
            .description = N_("Which plain clients (assent exec) an answer for the session holds "
                              "for: all of them, or those that the same program starts."),
        },
    [OPTION_DECIDE_BY] =
        {
            .key = "client.decide_by",
            .titled = true,
            .type = OPTION_LIST,
            .metavar = N_("NAME=WHO"),
            .fallback = "",
            .choices = {"console", "client"},
            .description =
                N_("Who answers what the MCP client of that name asks for: the console alone, or "
                   "also its user in a form that it shows. High risk is always the console's."),
        },
    [OPTION_VERBOSE] =
        {
            .name = "verbose",
            .letter = 'v',
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Write a diagnostic log to the state directory; twice for more."),
        },

    [OPTION_EXEC_SESSION] =
        {
            .name = "session",
            .subcommands = ON(EXEC),
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("The name that the console shows for this client."),
        },
    [OPTION_EXEC_JUSTIFICATION] =
        {
            .name = "justification",
            .subcommands = ON(EXEC),
            .type = OPTION_STRING,
            .metavar = N_("TEXT"),
            .fallback = "",
            .description =
                N_("Why the command is needed, shown to the operator as the agent's words."),
        },
    [OPTION_EXEC_ESCALATE] =
        {
            .name = "escalate",
            .subcommands = ON(EXEC),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Ask to run without the sandbox."),
        },
    [OPTION_EXEC_TTY] =
        {
            .name = "tty",
            .letter = 't',
            .subcommands = ON(EXEC),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Run the command on a terminal."),
        },
    [OPTION_EXEC_STDIN] =
        {
            .name = "stdin",
            .letter = 'i',
            .subcommands = ON(EXEC),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Pass standard input on to the command; else it reads nothing."),
        },
    [OPTION_EXEC_TIMEOUT] =
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
    [OPTION_CONFIG_DIRECTORY] =
        {
            .name = "config-dir",
            .subcommands = ON(EXEC) | ON(MCP) | ON(HOOK),
            .type = OPTION_PATH,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("Where the console's configuration and its secret are; without it "
                              "the environment says so."),
        },
    [OPTION_SOCKET_DIRECTORIES] =
        {
            .name = "socket-dir",
            .subcommands = ON(EXEC) | ON(MCP) | ON(HOOK),
            .type = OPTION_PATHS,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("Where consoles' sockets are looked for; without it the environment "
                              "says so."),
        },
    [OPTION_YES] =
        {
            .name = "yes",
            .letter = 'y',
            .subcommands = ON(MCP) | ON(HOOK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With install and uninstall: write without asking."),
        },
    [OPTION_DRY_RUN] =
        {
            .name = "dry-run",
            .letter = 'n',
            .subcommands = ON(MCP) | ON(HOOK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With install and uninstall: show what changes, and write nothing."),
        },
    [OPTION_KEEP_SHELL] =
        {
            .name = "keep-shell",
            .subcommands = ON(MCP),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With install: leave the client its own shell, which no console "
                              "sees."),
        },
    [OPTION_RETURN_AFTER] =
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
    [OPTION_WAIT] =
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
    [OPTION_WITHOUT_CONSOLE] =
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
    [OPTION_REWRITE] =
        {
            .name = "rewrite",
            .subcommands = ON(HOOK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let the agent's shell commands run through the console, in the "
                              "sandbox, instead of asking about each."),
        },
    [OPTION_APP_SERVER] =
        {
            .name = "app-server",
            .subcommands = ON(ACP),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("AGENT is Codex' app-server and speaks its own protocol; without "
                              "AGENT `codex app-server` is started."),
        },
    [OPTION_LOAD] =
        {
            .name = "load",
            .subcommands = ON(ACP),
            .type = OPTION_STRING,
            .metavar = N_("SESSION"),
            .fallback = "",
            .description = N_("Go on with an earlier session of the agent."),
        },
    [OPTION_FILES] =
        {
            .name = "files",
            .subcommands = ON(ACP),
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("Offer the agent to read and write files through Assent; without it "
                              "the agent uses its own tools."),
        },
    [OPTION_JSON] =
        {
            .name = "json",
            .subcommands = ON(EXEC) | ON(LOG) | ON(CONFIG) | ON(DOCTOR) | ON(PARSE) | ON(CHECK) |
                           ON(RULES) | ON(ASSESS),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Print JSON for programs."),
        },
    [OPTION_FOLLOW] =
        {
            .name = "follow",
            .letter = 'f',
            .subcommands = ON(LOG),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Go on showing what is added."),
        },
    [OPTION_RESUME] =
        {
            .name = "resume",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description =
                N_("Go on where a console (named behind the options, or the last one) "
                   "ended: its workspace, its agents, and what you approved for the session."),
        },
    [OPTION_HEAD] =
        {
            .name = "head",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("SHA-256"),
            .fallback = "",
            .description = N_("With verify: the end that the console showed when it ended."),
        },
    [OPTION_LOG_AGENT] =
        {
            .name = "from",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("Calls of agents whose name holds this."),
        },
    [OPTION_LOG_DECISION] =
        {
            .name = "decision",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("KIND"),
            .fallback = "any",
            .choices = {"any", "approved", "approved_for_session", "approved_amendment", "denied",
                        "abort", "timed_out"},
            .description = N_("Calls decided so."),
        },
    [OPTION_LOG_SOURCE] =
        {
            .name = "by",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("SOURCE"),
            .fallback = "any",
            .choices = {"any", "user", "config", "cache", "rule", "client"},
            .description =
                N_("Calls decided by the operator, the configuration, a grant or a rule."),
        },
    [OPTION_LOG_RISK] =
        {
            .name = "risk",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("LEVEL"),
            .fallback = "any",
            .choices = {"any", "low", "medium", "high"},
            .description = N_("Calls of this risk or a higher one."),
        },
    [OPTION_LOG_TEXT] =
        {
            .name = "text",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("TEXT"),
            .fallback = "",
            .description = N_("Calls that hold this in command, reason, directory or answer."),
        },
    [OPTION_LOG_SINCE] =
        {
            .name = "since",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("TIME"),
            .fallback = "",
            .description = N_("Calls from then on: today, a day (2026-11-21), a UTC time, or an "
                              "age (90min, 7d)."),
        },
    [OPTION_LOG_UNTIL] =
        {
            .name = "until",
            .subcommands = ON(LOG),
            .type = OPTION_STRING,
            .metavar = N_("TIME"),
            .fallback = "",
            .description = N_("Calls before then."),
        },
    [OPTION_LOG_FORMAT] =
        {
            .name = "format",
            .subcommands = ON(LOG),
            .type = OPTION_CHOICE,
            .metavar = N_("FORMAT"),
            .fallback = "text",
            .choices = {"text", "json", "markdown", "csv"},
            .description = N_("How calls are printed."),
        },
    [OPTION_BATCH] =
        {
            .name = "batch",
            .subcommands = ON(PARSE) | ON(CHECK) | ON(ASSESS),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Read JSON lines on standard input and answer each with one."),
        },
    [OPTION_ASK_MODEL] =
        {
            .name = "model",
            .subcommands = ON(ASSESS),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Ask the configured model as well, and say what happened."),
        },
    [OPTION_RULES] =
        {
            .name = "rules",
            .subcommands = ON(CHECK),
            .type = OPTION_PATHS,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("Use the rules of this file instead of the installed ones."),
        },
    [OPTION_RULES_ONLY] =
        {
            .name = "rules-only",
            .subcommands = ON(CHECK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Look at rules alone, and at the words of COMMAND as they stand."),
        },
    [OPTION_RULES_WRITE] =
        {
            .name = "write",
            .subcommands = ON(RULES),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With import: put the rules into imported.rules of your rules."),
        },
    [OPTION_RESOLVE_HOST_EXECUTABLES] =
        {
            .name = "resolve-host-executables",
            .subcommands = ON(CHECK),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("With --rules-only: a path that has no rules of its own has those of "
                              "its file name."),
        },

    [OPTION_NO_USERNS] =
        {
            .name = "no-userns",
            .subcommands = ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Do without user namespaces."),
        },
    [OPTION_LANDLOCK_ABI] =
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
    [OPTION_POLICY_JSON] =
        {
            .name = "policy-json",
            .subcommands = ON(SANDBOX),
            .type = OPTION_STRING,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("Take the whole policy from a JSON file."),
        },
    [OPTION_PRINT_POLICY] =
        {
            .name = "print-policy",
            .subcommands = ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Print the policy as JSON and run nothing."),
        },
    [OPTION_EXPLAIN] =
        {
            .name = "explain",
            .subcommands = ON(SANDBOX),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Say what would hold here and run nothing."),
        },

    [OPTION_HELP] =
        {
            .name = "help",
            .letter = 'h',
            .subcommands = ON_EVERY,
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Show this help."),
        },
    [OPTION_VERSION] =
        {
            .name = "version",
            .letter = 'V',
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Show the version."),
        },
};

int option_find_key(const char *key)
{
    for (int i = 0; i < OPTION_KEY_COUNT; i++)
        if (strcmp(option_specs[i].key, key) == 0)
            return i;
    return -1;
}

int option_find_name(enum subcommand_id subcommand, const char *name, size_t length)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_spec *spec = &option_specs[i];
        if ((spec->subcommands & (1u << subcommand)) && strlen(spec->name) == length &&
            memcmp(spec->name, name, length) == 0)
            return i;
    }
    return -1;
}

int option_find_letter(enum subcommand_id subcommand, char letter)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_spec *spec = &option_specs[i];
        if ((spec->subcommands & (1u << subcommand)) && spec->letter == letter)
            return i;
    }
    return -1;
}

const char *option_type_values(enum option_type type)
{
    switch (type) {
    case OPTION_BOOL:
        return "true or false";
    case OPTION_NUMBER:
        return "a whole number";
    case OPTION_SIZE:
        return "a number of bytes, or with KiB, MiB or GiB behind it";
    case OPTION_DURATION:
        return "a number with ms, s, min or h behind it";
    case OPTION_CHOICE:
        return "one of its choices";
    case OPTION_PATH:
        return "an absolute path, or one that starts with ~/";
    case OPTION_PATHS:
        return "a list of paths, absolute or starting with ~/";
    case OPTION_LIST:
        return "a list of strings";
    case OPTION_STRING:
        break;
    }
    return "a string";
}

bool option_is_list(const struct option_spec *spec)
{
    return spec->type == OPTION_LIST || spec->type == OPTION_PATHS;
}
