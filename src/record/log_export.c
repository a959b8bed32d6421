/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_export.h"

#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "approval/decision_words.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "record/log_decision.h"
#include "record/log_line.h"

#define COMMAND_COLUMNS 100 /* of a row for a terminal */

enum { COLUMN_COUNT = 15 };

static const char *const columns[COLUMN_COUNT] = {
    "time",    "console",       "call",   "session",   "agent",
    "risk",    "decision",      "source", "waited_ms", "exit_status",
    "command", "justification", "client", "offer",     "taken_back"};

/* One row's cells, in the order of the columns; nothing where nothing is known. */
struct row {
    char *cells[COLUMN_COUNT + 1];
};

static char *number_of(json_t *event, const char *key)
{
    json_t *value = json_object_get(event, key);
    return json_is_integer(value) ? xasprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value))
                                  : xstrdup("");
}

static const char *text_of(json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static void fill_row(const struct log_call *call, struct row *row)
{
    char time[32] = "";
    if (call->time_ms >= 0)
        clock_format_utc(call->time_ms, time);
    char *cells[] = {
        xstrdup(time),
        xstrdup(call->console),
        xasprintf("c%" PRIu64, call->number),
        xstrdup(call->session),
        xstrdup(call->agent),
        xstrdup(call->risk),
        xstrdup(call->decision),
        xstrdup(call->source),
        number_of(call->decided, "waited_ms"),
        number_of(call->finished, "exit_status"),
        xstrdup(call->command),
        xstrdup(text_of(call->received, "justification")),
        xstrdup(call->client != NULL ? call->client : ""),
        xstrdup(text_of(call->decided, "offer")),
        xstrdup(call->taken_back ? "yes" : ""),
    };
    memcpy(row->cells, cells, sizeof(cells));
    row->cells[COLUMN_COUNT] = NULL;
}

static void clear_row(struct row *row)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        free(row->cells[i]);
}

/* ---- formats --------------------------------------------------------------------------------- */

char *log_export_agent(const struct log_call *call, size_t width)
{
    bool claimed = call->shared && call->client != NULL && *call->client != '\0';
    const char *name = call->shared ? _("all that use assent exec") : call->agent;
    cleanup_free char *line = NULL;
    if (!claimed)
        return text_line(name, strlen(name), width);
    line = text_line(call->client, strlen(call->client), width - 2);
    for (char *at = line; *at != '\0'; at++)
        *at = *at == '"' ? '\'' : *at; /* it cannot close the quotes */
    return xasprintf("\"%s\"", line);
}

/* As the console's lists have it, where the terminal shows more than ASCII. */
static unsigned row_flags(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? TEXT_BREAKS : 0;
}

/* The command, as people read it. Caller frees. */
static char *asked_of(const struct log_call *call)
{
    return decision_words_asked(call->command,
                                strcmp(text_of(call->received, "tool"), "network") == 0);
}

static void print_text(FILE *out, const struct log_call *call, const struct row *row)
{
    cleanup_free char *agent = log_export_agent(call, 24);
    cleanup_free char *decision = log_decision_words(call);
    cleanup_free char *asked = asked_of(call);
    cleanup_free char *command = text_line_as(asked, strlen(asked), COMMAND_COLUMNS, row_flags());
    const char *exit_status = row->cells[9];
    json_t *network = json_object_get(call->received, "network");
    long long command_id = json_integer_value(json_object_get(network, "command"));
    fprintf(out, "%s  %s  %s  %s  %s", row->cells[0], row->cells[2], agent,
            call->risk[0] != '\0' ? call->risk : "-", decision);
    /* No program ran for that: what came of it is told of the command that wanted the host. */
    if (json_is_object(network) && log_line_exit_denies(call->finished))
        fprintf(out, _("  a host for c%lld"), command_id);
    else if (json_is_object(network))
        fprintf(out, _("  a host for c%lld: assent log c%lld tells whether it was reached"),
                command_id, command_id);
    else if (exit_status[0] != '\0' && !log_line_exit_denies(call->finished))
        fprintf(out, "  exit %s%s", exit_status, log_line_exit(call->finished));
    fprintf(out, "  %s\n", command);
}

static void print_json(FILE *out, const struct row *row)
{
    cleanup_json json_t *object = json_object();
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        const char *cell = row->cells[i];
        bool number =
            strcmp(columns[i], "waited_ms") == 0 || strcmp(columns[i], "exit_status") == 0;
        if (cell[0] == '\0')
            continue;
        bool yes = strcmp(columns[i], "taken_back") == 0;
        json_object_set_new(object, columns[i],
                            number ? json_integer(atoll(cell))
                            : yes  ? json_true()
                                   : json_string_lossy(cell, strlen(cell)));
    }
    cleanup_free char *line = json_line(object);
    fprintf(out, "%s\n", line);
}

static void print_markdown_cell(FILE *out, const char *cell)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    text_escape(&text, cell, strlen(cell), 0);
    for (const char *byte = strbuf_str(&text); *byte != '\0'; byte++) {
        if (strchr("\\`*_[]<>|#~&@!", *byte) != NULL || (*byte == ':' && byte[1] == '/'))
            fputc('\\', out);
        fputc(*byte, out);
    }
}

static void print_markdown(FILE *out, const struct row *row)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        fputs("| ", out);
        print_markdown_cell(out, row->cells[i]);
        fputc(' ', out);
    }
    fputs("|\n", out);
}

static void print_csv_cell(FILE *out, const char *cell)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    text_escape(&text, cell, strlen(cell), 0);
    const char *bytes = strbuf_str(&text);
    fputc('"', out);
    if (bytes[0] != '\0' && strchr("=+-@", bytes[0]) != NULL)
        fputc('\'', out);
    for (; *bytes != '\0'; bytes++) {
        if (*bytes == '"')
            fputc('"', out);
        fputc(*bytes, out);
    }
    fputc('"', out);
}

static void print_csv(FILE *out, const struct row *row)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (i > 0)
            fputc(',', out);
        print_csv_cell(out, row->cells[i]);
    }
    fputs("\r\n", out);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void print_names(FILE *out, const char *before, const char *between, const char *after)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        fprintf(out, "%s%s", i == 0 ? before : between, columns[i]);
    fputs(after, out);
}

void log_export_begin(FILE *out, enum log_format format)
{
    if (format == LOG_FORMAT_CSV)
        print_names(out, "", ",", "\r\n");
    if (format != LOG_FORMAT_MARKDOWN)
        return;
    print_names(out, "| ", " | ", " |\n");
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        fputs("| --- ", out);
    fputs("|\n", out);
}

void log_export_call(FILE *out, enum log_format format, const struct log_call *call)
{
    struct row row;
    fill_row(call, &row);
    switch (format) {
    case LOG_FORMAT_TEXT:
        print_text(out, call, &row);
        break;
    case LOG_FORMAT_JSON:
        print_json(out, &row);
        break;
    case LOG_FORMAT_MARKDOWN:
        print_markdown(out, &row);
        break;
    case LOG_FORMAT_CSV:
        print_csv(out, &row);
        break;
    }
    clear_row(&row);
}
