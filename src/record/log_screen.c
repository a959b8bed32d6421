/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_screen.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text.h"
#include "command/shell.h"
#include "record/log_decision.h"
#include "record/log_export.h"
#include "record/log_layout.h"
#include "record/log_line.h"

#define AGENT_COLUMNS 24
#define AGENT_CELL 14       /* the same where it has a column */
#define COMMAND_COLUMNS 400 /* a few rows of a screen; `assent log` has all of it */

#define WIDE_COLUMNS 140 /* the command stands beside the rest, and not below it */

/* Where cells begin. */
enum { NUMBER_AT = 10, AGENT_AT = 17, RISK_AT = 33, RESULT_AT = 41, COMMAND_AT = 93 };

static const char *text_of(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static void print_day(struct log_screen *screen, const struct tm *when)
{
    char day[sizeof(screen->day)];
    strftime(day, sizeof(day), "%Y-%m-%d", when);
    if (strcmp(day, screen->day) == 0)
        return;
    strcpy(screen->day, day);
    fprintf(screen->out, "%s\n", day);
}

/* The time of day; caller frees. */
static char *time_of(struct log_screen *screen, int64_t time_ms)
{
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm when;
    char clock[16];
    if (time_ms < 0 || localtime_r(&seconds, &when) == NULL)
        return xstrdup("--:--:--");
    print_day(screen, &when);
    strftime(clock, sizeof(clock), "%H:%M:%S", &when);
    return xstrdup(clock);
}

static bool is_connection(const struct log_call *call)
{
    return strcmp(text_of(call->received, "tool"), "network") == 0;
}

/* For which command it is tells where to look for whether it was reached. */
static char *connection_of(const struct log_call *call, const char *url)
{
    json_int_t command =
        json_integer_value(json_object_get(json_object_get(call->received, "network"), "command"));
    return command > 0 ? xasprintf(_("connect to %s, for c%lld"), url, (long long)command)
                       : xasprintf(_("connect to %s"), url);
}

/* The script of `bash -c SCRIPT` alone, where that is the system's shell. */
static char *command_of(const struct log_call *call)
{
    char **words = NULL;
    char *command = NULL;
    const char *script = NULL;
    json_t *event = call->edited != NULL ? call->edited : call->received;
    if (json_get_strv_optional(event, "argv", SIZE_MAX, &words, NULL) == 0 && words != NULL) {
        if (path_is_system_program(text_of(event, "program")))
            script = shell_wrapped_script((const char *const *)words);
        if (is_connection(call) && words[0] != NULL && words[1] != NULL)
            command = connection_of(call, words[1]);
        else if (script != NULL)
            command = xstrdup(script);
    }
    strv_free(&words);
    return command != NULL ? command : xstrdup(call->command);
}

/* "  exit 1", when something ran here; else "". Caller frees. */
static char *exit_of(const struct log_call *call)
{
    json_t *status = json_object_get(call->finished, "exit_status");
    if (!json_is_integer(status) || log_line_exit_denies(call->finished) || is_connection(call) ||
        *text_of(call->received, "agent_tool") != '\0')
        return xstrdup("");
    return xasprintf("  exit %" JSON_INTEGER_FORMAT "%s", json_integer_value(status),
                     log_line_exit(call->finished));
}

/* A column is narrow: who shares the session is told in few words. */
static char *agent_of(const struct log_call *call, bool laid_out)
{
    bool claims = call->client != NULL && *call->client != '\0';
    if (laid_out && call->shared && !claims)
        return xstrdup("assent exec");
    return log_export_agent(call, laid_out ? AGENT_CELL : AGENT_COLUMNS);
}

void log_screen_call(struct log_screen *screen, const struct log_call *call)
{
    bool wide = screen->columns >= WIDE_COLUMNS;
    cleanup_free char *time = time_of(screen, call->time_ms);
    cleanup_free char *number = xasprintf("c%" PRIu64, call->number);
    cleanup_free char *agent = agent_of(call, screen->columns > 0);
    cleanup_free char *decision = log_decision_words(call);
    cleanup_free char *ended = exit_of(call);
    cleanup_free char *result = xasprintf("%s%s", decision, ended);
    cleanup_free char *raw = command_of(call);
    cleanup_free char *command = text_line(raw, strlen(raw), COMMAND_COLUMNS);
    struct log_layout row = {.out = screen->out, .columns = screen->columns};
    log_layout_cell(&row, 0, 0, time);
    log_layout_cell(&row, NUMBER_AT, 0, number);
    log_layout_cell(&row, AGENT_AT, 0, agent);
    log_layout_cell(&row, RISK_AT, 0, *call->risk != '\0' ? call->risk : "-");
    log_layout_cell(&row, RESULT_AT, 0, result);
    log_layout_cell(&row, wide ? COMMAND_AT : AGENT_AT, 0, command);
    log_layout_end(&row);
}
