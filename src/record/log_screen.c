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
#include "record/log_line.h"

#define AGENT_COLUMNS 24
#define COMMAND_COLUMNS 400 /* a few rows of a screen; `assent log` has all of it */

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

static void print_time(struct log_screen *screen, int64_t time_ms)
{
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm when;
    char clock[16];
    if (time_ms < 0 || localtime_r(&seconds, &when) == NULL) {
        fputs("--:--:--", screen->out);
        return;
    }
    print_day(screen, &when);
    strftime(clock, sizeof(clock), "%H:%M:%S", &when);
    fputs(clock, screen->out);
}

static bool is_connection(const struct log_call *call)
{
    return strcmp(text_of(call->received, "tool"), "network") == 0;
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
            command = xasprintf(_("connect to %s"), words[1]);
        else if (script != NULL)
            command = xstrdup(script);
    }
    strv_free(&words);
    return command != NULL ? command : xstrdup(call->command);
}

/* How it ended, when something ran here. */
static void print_exit(const struct log_screen *screen, const struct log_call *call)
{
    json_t *status = json_object_get(call->finished, "exit_status");
    if (json_is_integer(status) && !log_line_exit_denies(call->finished) && !is_connection(call) &&
        *text_of(call->received, "agent_tool") == '\0')
        fprintf(screen->out, "  exit %" JSON_INTEGER_FORMAT "%s", json_integer_value(status),
                log_line_exit(call->finished));
}

void log_screen_call(struct log_screen *screen, const struct log_call *call)
{
    cleanup_free char *agent = log_export_agent(call, AGENT_COLUMNS);
    cleanup_free char *decision = log_decision_words(call);
    cleanup_free char *raw = command_of(call);
    cleanup_free char *command = text_line(raw, strlen(raw), COMMAND_COLUMNS);
    print_time(screen, call->time_ms);
    fprintf(screen->out, "  c%" PRIu64 "  %s  %s  %s", call->number, agent,
            *call->risk != '\0' ? call->risk : "-", decision);
    print_exit(screen, call);
    fprintf(screen->out, "  %s\n", command);
}
