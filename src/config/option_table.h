/* SPDX-License-Identifier: MIT */
/*
 * option_table: every option and configuration key, once.
 *
 * The command line, --help, the man page, the completions, the default configuration file and
 * `assent config` are all made from this table and subcommand_table. Pure data: no allocation, libc
 * only, so that the launcher can hold it too.
 */
#ifndef ASSENT_CONFIG_OPTION_TABLE_H
#define ASSENT_CONFIG_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "config/subcommand_table.h"

/* Ids of all options: those with a configuration key first. */
enum option_id {
    OPTION_APPROVAL_POLICY,
    OPTION_REJECT_SANDBOX_APPROVAL,
    OPTION_REJECT_RULES,
    OPTION_REJECT_ELICITATIONS,
    OPTION_ESCALATE_ON_REQUEST,
    OPTION_SANDBOX_MODE,
    OPTION_SANDBOX_PREFERENCE,
    OPTION_WRITABLE_ROOTS,
    OPTION_READABLE_ROOTS,
    OPTION_RESTRICTED_READ,
    OPTION_TMP,
    OPTION_NETWORK,
    OPTION_NETWORK_ACCESS,
    OPTION_NETWORK_PROXY,
    OPTION_ALLOW_UNIX_SOCKETS,
    OPTION_ALLOW_DEGRADED,
    OPTION_PROTECT_GIT,
    OPTION_PROTECT_NESTED,
    OPTION_TOOL_CACHES,
    OPTION_DEFAULT_TIMEOUT,
    OPTION_MAX_TIMEOUT,
    OPTION_KILL_GRACE,
    OPTION_OUTPUT_CAP,
    OPTION_FRAME_LIMIT,
    OPTION_MAX_OPEN_CALLS,
    OPTION_ENVIRONMENT_PASS,
    OPTION_ENVIRONMENT_SET,
    OPTION_GUARD_TIME,
    OPTION_ESCAPE_TIME,
    OPTION_SCROLLBACK,
    OPTION_THEME,
    OPTION_MOUSE,
    OPTION_KEYS,
    OPTION_ALERT,
    OPTION_NOTIFICATION,
    OPTION_NOTIFY_COMMAND,
    OPTION_ESCALATE_AFTER,
    OPTION_AWAY_AFTER,
    OPTION_LOG_DIRECTORY,
    OPTION_LOG_KEEP_DAYS,
    OPTION_TELEMETRY,
    OPTION_LOG_KEEP_SIZE,
    OPTION_ASSESSMENT_MODEL,
    OPTION_ASSESSMENT_URL,
    OPTION_ASSESSMENT_DIALECT,
    OPTION_ASSESSMENT_STREAM,
    OPTION_ASSESSMENT_KEY_VARIABLE,
    OPTION_ASSESSMENT_KEY_FILE,
    OPTION_ASSESSMENT_CA_FILE,
    OPTION_ASSESSMENT_TIMEOUT,
    OPTION_ASSESSMENT_CONNECT_TIMEOUT,
    OPTION_ASSESSMENT_CONCURRENCY,
    OPTION_AGENTS,
    OPTION_CONFINE_AGENT,
    OPTION_AGENT_ROOTS,
    OPTION_PLAIN_SESSIONS,
    OPTION_DECIDE_BY,
    OPTION_KEY_COUNT, /* from here on: command line only */

    OPTION_PROFILE = OPTION_KEY_COUNT,
    OPTION_CONFIG_FILE,
    OPTION_SET,
    OPTION_WORKSPACE,
    OPTION_DEMO,
    OPTION_HEADLESS,
    OPTION_PLAIN,
    OPTION_ZOOM,
    OPTION_EXIT_WHEN_DONE,
    OPTION_CODEX,
    OPTION_VERBOSE,

    OPTION_EXEC_SESSION,
    OPTION_EXEC_JUSTIFICATION,
    OPTION_EXEC_ESCALATE,
    OPTION_EXEC_TTY,
    OPTION_EXEC_STDIN,
    OPTION_EXEC_TIMEOUT,
    OPTION_CONFIG_DIRECTORY,
    OPTION_SOCKET_DIRECTORIES,
    OPTION_YES,
    OPTION_DRY_RUN,
    OPTION_KEEP_SHELL,
    OPTION_RETURN_AFTER,
    OPTION_WAIT,
    OPTION_WITHOUT_CONSOLE,
    OPTION_REWRITE,
    OPTION_APP_SERVER,
    OPTION_LOAD,
    OPTION_FILES,
    OPTION_JSON,
    OPTION_FOLLOW,
    OPTION_HEAD,
    OPTION_RESUME,
    OPTION_LOG_AGENT,
    OPTION_LOG_DECISION,
    OPTION_LOG_SOURCE,
    OPTION_LOG_RISK,
    OPTION_LOG_TEXT,
    OPTION_LOG_SINCE,
    OPTION_LOG_UNTIL,
    OPTION_LOG_FORMAT,
    OPTION_BATCH,
    OPTION_ASK_MODEL,
    OPTION_RULES,
    OPTION_RULES_ONLY,
    OPTION_RULES_WRITE,
    OPTION_RESOLVE_HOST_EXECUTABLES,

    OPTION_NO_USERNS,
    OPTION_LANDLOCK_ABI,
    OPTION_POLICY_JSON,
    OPTION_PRINT_POLICY,
    OPTION_EXPLAIN,

    OPTION_HELP,
    OPTION_VERSION,
    OPTION_COUNT,
};

enum option_type {
    OPTION_BOOL,     /* true, false (also yes/no, on/off); on the command line --x or --no-x */
    OPTION_NUMBER,   /* whole number within minimum..maximum */
    OPTION_SIZE,     /* bytes: a number with KiB, MiB or GiB behind it, or none */
    OPTION_DURATION, /* milliseconds: a number with ms, s, min or h behind it; none: ms */
    OPTION_CHOICE,   /* one of `choices` */
    OPTION_STRING,
    OPTION_PATH,  /* absolute; "~/" at its start is the home directory */
    OPTION_LIST,  /* strings; on the command line repeatable */
    OPTION_PATHS, /* a list of paths */
};

struct option_spec {
    const char *key;         /* in the configuration file ("section.key"), NULL when in none */
    const char *name;        /* long option without its dashes, NULL when in no command line */
    char letter;             /* short option, 0 for none */
    unsigned subcommands;    /* which command lines take it: bits 1 << subcommand_id */
    enum option_type type;   /* of one value */
    const char *metavar;     /* what its argument is called, NULL for OPTION_BOOL */
    const char *fallback;    /* default as written in the file; lists: separated by spaces */
    const char *choices[12]; /* OPTION_CHOICE, titled: NULL-terminated */
    long long minimum;       /* numbers, sizes, durations: smallest value */
    long long maximum;       /* and largest */
    bool titled;             /* its section has a title: TITLE=VALUE is an item of the list */
    const char *description; /* one or two sentences, N_() */
};

/* Of an enum option_id. */
const struct option_spec *option_spec(int id);

/* By configuration key, or by long name or letter for one subcommand: id or -1. */
int option_find_key(const char *key);
int option_find_name(enum subcommand_id subcommand, const char *name, size_t length);
int option_find_letter(enum subcommand_id subcommand, char letter);
/* "true, false" and the like: the values that a person may write, for messages and manuals. */
const char *option_type_values(enum option_type type);
bool option_is_list(const struct option_spec *spec);

#endif
