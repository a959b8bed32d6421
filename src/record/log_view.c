/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_view.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "record/log_reader.h"
#include "record/session_log.h"

/* How often a log that is followed is looked at. */
#define FOLLOW_MS 200

/* Columns of a value; more is cut with "…" (the whole is in the JSON). */
#define VALUE_COLUMNS 160

/* ---- one line for a person ------------------------------------------------------------------- */

/* The fields of an event that a person wants to see, in order. */
static const struct {
    const char *event;
    const char *fields;
} shown_fields[] = {
    {"log_start", "console version pid"},
    {"log_end", ""},
    {"session_start", "session name origin peer_pid peer_exe"},
    {"session_end", "session"},
    {"context_changed", "session"},
    {"call_received", "argv cwd sandbox_permissions justification"},
    {"requirement", "requirement reason bypass_sandbox"},
    {"assessment", "level categories description"},
    {"prompt_shown", "prompt reason under"},
    {"decision", "kind source waited_ms grant message"},
    {"attempt_start", "attempt under"},
    {"attempt_end", "attempt outcome code signal timed_out cancelled duration_ms failure denied"},
    {"finished", "exit_status cancelled failure"},
    {"notice", "level text"},
};

static const char *fields_of(const char *event)
{
    for (size_t i = 0; i < sizeof(shown_fields) / sizeof(*shown_fields); i++)
        if (strcmp(shown_fields[i].event, event) == 0)
            return shown_fields[i].fields;
    return "";
}

static void add_safe(struct strbuf *out, const char *text, size_t length)
{
    cleanup_free char *line = text_line(text, length, VALUE_COLUMNS);
    strbuf_addstr(out, line);
}

static void add_words(struct strbuf *out, json_t *list)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    char **words = NULL;
    json_t *object = json_pack("{s:O}", "words", list);
    json_get_strv_optional(object, "words", SIZE_MAX, &words, NULL);
    json_decref(object);
    if (words != NULL)
        text_quote_argv(&line, (const char *const *)words);
    strv_free(&words);
    add_safe(out, strbuf_str(&line), line.length);
}

/* False for what says nothing: false, null, "" and []. */
static bool says_something(json_t *value)
{
    if (json_is_string(value))
        return json_string_length(value) > 0;
    if (json_is_array(value))
        return json_array_size(value) > 0;
    return value != NULL && !json_is_null(value) && !json_is_false(value);
}

static void add_value(struct strbuf *out, json_t *value)
{
    if (json_is_string(value)) {
        add_safe(out, json_string_value(value), json_string_length(value));
    } else if (json_is_array(value)) {
        add_words(out, value);
    } else {
        cleanup_free char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        if (text != NULL)
            add_safe(out, text, strlen(text));
    }
}

static void add_fields(struct strbuf *out, json_t *event, const char *fields)
{
    while (*fields != '\0') {
        size_t length = strcspn(fields, " ");
        cleanup_free char *name = xstrndup(fields, length);
        json_t *value = json_object_get(event, name);
        if (says_something(value)) {
            strbuf_addf(out, " %s=", name);
            add_value(out, value);
        }
        fields += length + strspn(fields + length, " ");
    }
}

static const char *text_of(json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static void print_event(const struct log_line *line, FILE *out)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    json_t *call = json_object_get(line->event, "call");
    const char *name = text_of(line->event, "event");
    add_safe(&text, text_of(line->event, "time"), strlen(text_of(line->event, "time")));
    if (json_is_integer(call))
        strbuf_addf(&text, " c%" JSON_INTEGER_FORMAT, json_integer_value(call));
    strbuf_addch(&text, ' ');
    add_safe(&text, name, strlen(name));
    add_fields(&text, line->event, fields_of(name));
    fprintf(out, "%s\n", strbuf_str(&text));
}

/* ---- one log --------------------------------------------------------------------------------- */

struct viewer {
    const struct log_view_options *options;
    const char *session; /* only its events; NULL: all */
    FILE *out;
};

static void print_mark(const struct viewer *viewer, const char *text)
{
    fprintf(viewer->options->json ? stderr : viewer->out, "[... %s ...]\n", text);
}

static void show_line(struct viewer *viewer, const struct log_line *line)
{
    if (line->event == NULL) {
        cleanup_free char *mark = xasprintf("line %" PRIu64 " is damaged", line->number);
        print_mark(viewer, mark);
        return;
    }
    if (viewer->session != NULL && strcmp(text_of(line->event, "session"), viewer->session) != 0)
        return;
    if (viewer->options->json)
        fprintf(viewer->out, "%.*s\n", (int)line->length, line->text);
    else
        print_event(line, viewer->out);
}

static int print_log(const char *path, struct viewer *viewer, struct error *error)
{
    struct log_reader *reader = log_reader_open(path, error);
    if (reader == NULL)
        return -1;
    struct log_line line;
    bool live = true;
    while (live) {
        /* Asked before reading: what its last moments wrote is read, too. */
        live = log_reader_live(reader);
        while (log_reader_next(reader, &line) != LOG_READER_END)
            show_line(viewer, &line);
        if (!viewer->options->follow || fflush(viewer->out) != 0)
            break;
        if (live)
            poll(NULL, 0, FOLLOW_MS);
    }
    if (!live && log_reader_torn(reader) > 0)
        print_mark(viewer, "the last line is torn: the console was killed or the disk was full");
    log_reader_close(&reader);
    return fflush(viewer->out) == 0 ? 0 : error_errno(error, errno, "cannot write the log out");
}

/* ---- the directory --------------------------------------------------------------------------- */

static int only_logs(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    size_t suffix = strlen(SESSION_LOG_SUFFIX);
    return entry->d_name[0] != '.' && length > suffix &&
           strcmp(entry->d_name + length - suffix, SESSION_LOG_SUFFIX) == 0;
}

struct log_file {
    char *path;
    struct timespec changed;
};

struct log_files {
    struct log_file *items;
    size_t count;
};

static int by_age(const void *a, const void *b)
{
    const struct log_file *first = a;
    const struct log_file *second = b;
    if (first->changed.tv_sec != second->changed.tv_sec)
        return first->changed.tv_sec < second->changed.tv_sec ? -1 : 1;
    if (first->changed.tv_nsec != second->changed.tv_nsec)
        return first->changed.tv_nsec < second->changed.tv_nsec ? -1 : 1;
    return strcmp(first->path, second->path);
}

static void free_files(struct log_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i].path);
    free(files->items);
    *files = (struct log_files){0};
}

/* The logs of a directory, the one that changed last at the end. */
static int find_files(const char *directory, struct log_files *files, struct error *error)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, only_logs, alphasort);
    if (count < 0)
        return error_errno(error, errno, "cannot read the directory of the session logs, %s",
                           directory);
    *files = (struct log_files){.items = xcalloc((size_t)count + 1, sizeof(*files->items))};
    for (int i = 0; i < count; i++) {
        struct stat status;
        char *path = xasprintf("%s/%s", directory, entries[i]->d_name);
        if (stat(path, &status) == 0)
            files->items[files->count++] = (struct log_file){path, status.st_mtim};
        else
            free(path);
        free(entries[i]);
    }
    free(entries);
    qsort(files->items, files->count, sizeof(*files->items), by_age);
    return 0;
}

/* ---- the list -------------------------------------------------------------------------------- */

struct listed {
    char *id;
    json_t *start; /* its session_start */
    uint64_t calls;
    const char *end; /* "open", "ended", or "cut off" */
};

struct list {
    struct listed *items;
    size_t count;
    size_t room;
};

static struct listed *find_listed(const struct list *list, const char *id)
{
    for (size_t i = list->count; i > 0; i--)
        if (strcmp(list->items[i - 1].id, id) == 0)
            return &list->items[i - 1];
    return NULL;
}

static void add_listed(struct list *list, json_t *start)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 16 : list->room * 2;
        list->items = xreallocarray(list->items, list->room, sizeof(*list->items));
    }
    list->items[list->count++] = (struct listed){
        .id = xstrdup(text_of(start, "session")), .start = json_incref(start), .end = "open"};
}

static void free_list(struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].id);
        json_decref(list->items[i].start);
    }
    free(list->items);
}

static void count_event(struct list *list, json_t *event)
{
    const char *name = text_of(event, "event");
    if (strcmp(name, "session_start") == 0) {
        add_listed(list, event);
        return;
    }
    struct listed *listed = find_listed(list, text_of(event, "session"));
    if (listed != NULL && strcmp(name, "call_received") == 0)
        listed->calls++;
    if (listed != NULL && strcmp(name, "session_end") == 0)
        listed->end = "ended";
}

static void print_listed(const struct listed *listed, bool json, FILE *out)
{
    if (json) {
        cleanup_json json_t *object =
            json_pack("{s:s, s:s, s:s, s:I, s:s}", "session", listed->id, "time",
                      text_of(listed->start, "time"), "name", text_of(listed->start, "name"),
                      "calls", (json_int_t)listed->calls, "state", listed->end);
        cleanup_free char *line = json_line(object);
        fprintf(out, "%s\n", line);
        return;
    }
    const char *id = listed->id, *name = text_of(listed->start, "name");
    const char *time = text_of(listed->start, "time");
    cleanup_free char *safe_id = text_line(id, strlen(id), 40);
    cleanup_free char *safe_time = text_line(time, strlen(time), 32);
    cleanup_free char *safe_name = text_line(name, strlen(name), 60);
    fprintf(out, "%s  %s  calls=%" PRIu64 "  %s  %s\n", safe_id, safe_time, listed->calls,
            listed->end, safe_name);
}

static int list_log(const char *path, bool json, FILE *out, struct error *error)
{
    struct log_reader *reader = log_reader_open(path, error);
    if (reader == NULL)
        return -1;
    struct list list = {0};
    struct log_line line;
    for (enum log_reader_state state; (state = log_reader_next(reader, &line)) != LOG_READER_END;)
        if (state == LOG_READER_LINE)
            count_event(&list, line.event);
    bool live = log_reader_live(reader);
    for (size_t i = 0; i < list.count; i++) {
        if (!live && strcmp(list.items[i].end, "open") == 0)
            list.items[i].end = "cut off";
        print_listed(&list.items[i], json, out);
    }
    free_list(&list);
    log_reader_close(&reader);
    return 0;
}

int log_view_list(const char *directory, const struct log_view_options *options, FILE *out,
                  struct error *error)
{
    struct log_files files;
    int result = find_files(directory, &files, error);
    if (result < 0)
        return result;
    for (size_t i = 0; i < files.count && result == 0; i++)
        result = list_log(files.items[i].path, options->json, out, error);
    free_files(&files);
    return result;
}

/* ---- which log ------------------------------------------------------------------------------- */

static bool holds_session(const char *path, const char *session)
{
    struct log_reader *reader = log_reader_open(path, NULL);
    if (reader == NULL)
        return false;
    bool found = false;
    struct log_line line;
    for (enum log_reader_state state;
         !found && (state = log_reader_next(reader, &line)) != LOG_READER_END;)
        found = state == LOG_READER_LINE && strcmp(text_of(line.event, "session"), session) == 0;
    log_reader_close(&reader);
    return found;
}

static bool is_log_of(const char *path, const char *console)
{
    const char *name = strrchr(path, '/') + 1;
    size_t length = strlen(console);
    return strncmp(name, console, length) == 0 && strcmp(name + length, SESSION_LOG_SUFFIX) == 0;
}

/* The file to print, NULL when there is none; *session when only that session is meant. */
static const char *choose_file(const struct log_files *files, const char *name,
                               const char **session)
{
    *session = NULL;
    if (name == NULL)
        return files->count > 0 ? files->items[files->count - 1].path : NULL;
    for (size_t i = files->count; i > 0; i--)
        if (is_log_of(files->items[i - 1].path, name))
            return files->items[i - 1].path;
    *session = name;
    for (size_t i = files->count; i > 0; i--)
        if (holds_session(files->items[i - 1].path, name))
            return files->items[i - 1].path;
    return NULL;
}

int log_view_print(const char *directory, const char *name, const struct log_view_options *options,
                   FILE *out, struct error *error)
{
    struct log_files files;
    if (find_files(directory, &files, error) < 0)
        return -1;
    struct viewer viewer = {.options = options, .out = out};
    const char *path = choose_file(&files, name, &viewer.session);
    int result;
    if (path != NULL)
        result = print_log(path, &viewer, error);
    else if (name != NULL)
        result = error_set(error, ENOENT, "there is no session \"%s\" in %s", name, directory);
    else
        result = error_set(error, ENOENT, "there is no session log in %s yet", directory);
    free_files(&files);
    return result;
}
