/* SPDX-License-Identifier: MIT */
/* option_table_console: the console: keys about its screen, its record, what assesses risk, and
 * agents. */
#include "config.h"

#include "base/i18n.h"
#include "config/option_table-int.h"

enum { FIRST = OPTION_GUARD_TIME };

const struct option_spec option_specs_console[OPTION_PROFILE - FIRST] = {
    [OPTION_GUARD_TIME - FIRST] =
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
    [OPTION_ESCAPE_TIME - FIRST] =
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
    [OPTION_SCROLLBACK - FIRST] =
        {
            .key = "scrollback",
            .type = OPTION_NUMBER,
            .metavar = N_("LINES"),
            .fallback = "10000",
            .minimum = 100,
            .maximum = 1000000,
            .description = N_("Lines that a pane keeps above its screen."),
        },
    [OPTION_THEME - FIRST] =
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
    [OPTION_MOUSE - FIRST] =
        {
            .key = "mouse",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("The mouse selects calls, scrolls and marks answers; false leaves "
                              "it to the terminal."),
        },
    [OPTION_KEYS - FIRST] =
        {
            .key = "keys",
            .type = OPTION_LIST,
            .metavar = N_("ACTION=KEY"),
            .fallback = "",
            .description =
                N_("Other keys in the console, such as approve=Y or zoom=Ctrl-T; :keys lists the "
                   "actions. Enter, Esc, Tab, arrows and the like keep what they do."),
        },
    [OPTION_ALERT - FIRST] =
        {
            .key = "alert",
            .type = OPTION_BOOL,
            .fallback = "true",
            .description = N_("A request that waits rings the terminal's bell and shows in its "
                              "title."),
        },
    [OPTION_NOTIFICATION - FIRST] =
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
    [OPTION_NOTIFY_COMMAND - FIRST] =
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
    [OPTION_ESCALATE_AFTER - FIRST] =
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
    [OPTION_AWAY_AFTER - FIRST] =
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
    [OPTION_LOG_DIRECTORY - FIRST] =
        {
            .key = "log_directory",
            .type = OPTION_PATH,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("Where the record of each session is kept; empty means "
                              "assent/sessions in the state directory."),
        },
    [OPTION_LOG_KEEP_DAYS - FIRST] =
        {
            .key = "log_keep_days",
            .type = OPTION_NUMBER,
            .metavar = N_("DAYS"),
            .fallback = "365",
            .minimum = 1,
            .maximum = 100000,
            .description = N_("Records that ended longer ago are removed when a console starts."),
        },
    [OPTION_TELEMETRY - FIRST] =
        {
            .key = "telemetry",
            .type = OPTION_BOOL,
            .fallback = "false",
            .description =
                N_("Send counts of requests, decisions and sandbox outcomes by OTLP/HTTP "
                   "with JSON, as OpenTelemetry's variables (OTEL_EXPORTER_OTLP_ENDPOINT "
                   "and so on) say; nothing of commands, paths or names."),
        },
    [OPTION_LOG_KEEP_SIZE - FIRST] =
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
    [OPTION_ASSESSMENT_MODEL - FIRST] =
        {
            .key = "assessment.model",
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("The language model that is asked how bad a command can be, beside "
                              "the built-in assessor; empty means none. Commands are sent to it, "
                              "secrets in them masked."),
        },
    [OPTION_ASSESSMENT_URL - FIRST] =
        {
            .key = "assessment.url",
            .type = OPTION_STRING,
            .metavar = N_("URL"),
            .fallback = "http://localhost:11434/v1",
            .description = N_("Where the model is. http is for this machine only."),
        },
    [OPTION_ASSESSMENT_DIALECT - FIRST] =
        {
            .key = "assessment.dialect",
            .type = OPTION_CHOICE,
            .metavar = N_("WHICH"),
            .fallback = "chat",
            .choices = {"chat", "responses"},
            .description = N_("What the model's server speaks: Chat Completions or the Responses "
                              "API."),
        },
    [OPTION_ASSESSMENT_STREAM - FIRST] =
        {
            .key = "assessment.stream",
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Let the model's server send its answer piece by piece."),
        },
    [OPTION_ASSESSMENT_KEY_VARIABLE - FIRST] =
        {
            .key = "assessment.key_variable",
            .type = OPTION_STRING,
            .metavar = N_("NAME"),
            .fallback = "",
            .description = N_("The environment variable that holds the key for the model."),
        },
    [OPTION_ASSESSMENT_KEY_FILE - FIRST] =
        {
            .key = "assessment.key_file",
            .type = OPTION_PATH,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("The file that holds the key for the model, readable by nobody "
                              "else."),
        },
    [OPTION_ASSESSMENT_CA_FILE - FIRST] =
        {
            .key = "assessment.ca_file",
            .type = OPTION_PATH,
            .metavar = N_("FILE"),
            .fallback = "",
            .description = N_("The certificates by which the model's server is known; empty means "
                              "those of the system."),
        },
    [OPTION_ASSESSMENT_TIMEOUT - FIRST] =
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
    [OPTION_ASSESSMENT_CONNECT_TIMEOUT - FIRST] =
        {
            .key = "assessment.connect_timeout",
            .type = OPTION_DURATION,
            .metavar = N_("TIME"),
            .fallback = "2s",
            .minimum = 50,
            .maximum = 60 * SECOND,
            .description = N_("How long connecting to the model's server may take."),
        },
    [OPTION_ASSESSMENT_CONCURRENCY - FIRST] =
        {
            .key = "assessment.concurrency",
            .type = OPTION_NUMBER,
            .metavar = N_("NUMBER"),
            .fallback = "2",
            .minimum = 1,
            .maximum = 16,
            .description = N_("How many questions the model gets at a time."),
        },

    [OPTION_AGENTS - FIRST] =
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
    [OPTION_CONFINE_AGENT - FIRST] =
        {
            .key = "confine_agent",
            .name = "confine-agent",
            .subcommands = ON(CONSOLE),
            .type = OPTION_BOOL,
            .fallback = "false",
            .description = N_("Start agents themselves in the sandbox, too: what they do without "
                              "asking is confined as their commands are."),
        },
    [OPTION_AGENT_ROOTS - FIRST] =
        {
            .key = "agent_roots",
            .type = OPTION_PATHS,
            .metavar = N_("DIR"),
            .fallback = "",
            .description = N_("More directories that a confined agent keeps its own things in."),
        },
    [OPTION_PLAIN_SESSIONS - FIRST] =
        {
            .key = "plain_sessions",
            .type = OPTION_CHOICE,
            .metavar = N_("WHOSE"),
            .fallback = "shared",
            .choices = {"shared", "program"},
            .description = N_("For whom of all that use assent exec an answer for the session "
                              "holds: for all of them, or for those that the same program "
                              "starts."),
        },
    [OPTION_DECIDE_BY - FIRST] =
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
};
