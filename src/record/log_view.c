/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_view.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "record/log_files.h"
#include "record/log_index.h"
#include "record/log_layout.h"
#include "record/log_line.h"
#include "record/log_lineage.h"

static const char *text_of(json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static void print_event(json_t *event, FILE *out)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    log_line_add(&text, event);
    log_layout_line(out, 0, strbuf_str(&text));
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

static void show_text(const struct viewer *viewer, const char *text, size_t number)
{
    cleanup_json json_t *event = text != NULL ? json_parse(text, strlen(text), NULL) : NULL;
    if (!json_is_object(event)) {
        cleanup_free char *mark = xasprintf("line %zu is damaged", number);
        print_mark(viewer, mark);
    } else if (viewer->options->json) {
        fprintf(viewer->out, "%s\n", text);
    } else {
        print_event(event, viewer->out);
    }
}

/* The lines from `first` on; false when nobody takes them any more. */
static bool show_lines(const struct viewer *viewer, const struct log_index *index, size_t first)
{
    for (size_t line = first; line < log_index_count(index); line++) {
        const struct log_entry *entry = log_index_at(index, line);
        const char *session =
            entry->session > 0 ? log_index_session(index, entry->session - 1) : NULL;
        if (viewer->session != NULL && (session == NULL || strcmp(session, viewer->session) != 0))
            continue;
        cleanup_free char *text = log_index_text(index, line);
        show_text(viewer, text, line + 1);
        if (ferror(viewer->out))
            return false;
    }
    return fflush(viewer->out) == 0;
}

static int print_log(struct log_index *index, const struct viewer *viewer, struct error *error)
{
    /* Asked before reading: what its last moments wrote is read, too. */
    bool live = log_index_live(index);
    log_index_update(index);
    size_t shown = 0;
    bool taken = show_lines(viewer, index, shown);
    while (viewer->options->follow && live && taken) {
        shown = log_index_count(index);
        poll(NULL, 0, LOG_VIEW_FOLLOW_MS);
        live = log_index_live(index);
        log_index_update(index);
        taken = show_lines(viewer, index, shown);
    }
    if (!live && log_index_torn(index) > 0)
        print_mark(viewer, "the last line is torn: the console was killed or the disk was full");
    return taken && fflush(viewer->out) == 0
               ? 0
               : error_errno(error, errno, "cannot write the log out");
}

/* ---- the list -------------------------------------------------------------------------------- */

struct listed {
    size_t start; /* line of its session_start, plus 1; 0: it is not there */
    uint64_t calls;
    bool ended;
};

static struct listed *count_sessions(const struct log_index *index, size_t *count)
{
    *count = 0;
    while (log_index_session(index, *count) != NULL)
        (*count)++;
    struct listed *list = xcalloc(*count + 1, sizeof(*list));
    for (size_t line = 0; line < log_index_count(index); line++) {
        const struct log_entry *entry = log_index_at(index, line);
        if (entry->session == 0)
            continue;
        struct listed *listed = &list[entry->session - 1];
        if (entry->event == LOG_EVENT_SESSION_START)
            listed->start = line + 1;
        listed->calls += entry->event == LOG_EVENT_CALL_RECEIVED;
        listed->ended |= entry->event == LOG_EVENT_SESSION_END;
    }
    return list;
}

/* As the console calls it. A program's is told from others of that program. Caller frees. */
static char *shown_name(json_t *start)
{
    const char *name = text_of(start, "name");
    json_int_t pid = json_integer_value(json_object_get(start, "peer_pid"));
    bool plain = strcmp(text_of(start, "origin"), "default") == 0;
    cleanup_free char *safe = text_line(name, strlen(name), 60);
    if (plain && pid == 0)
        return xstrdup(_("all that use assent exec"));
    return plain ? xasprintf("%s (%" JSON_INTEGER_FORMAT ")", safe, pid) : steal_pointer(&safe);
}

static void print_session(const char *id, json_t *start, const struct listed *listed,
                          const char *state, FILE *out)
{
    const char *name = text_of(start, "name"), *time = text_of(start, "time");
    cleanup_json json_t *object =
        json_pack("{s:s, s:s, s:s, s:I, s:s}", "session", id, "time", time, "name", name, "calls",
                  (json_int_t)listed->calls, "state", state);
    cleanup_free char *line = json_line(object);
    fprintf(out, "%s\n", line);
}

#define NAMES_SHOWN 3

/* What a person knows a console by. */
struct row {
    int64_t time_ms; /* of its first session; 0: none */
    char *root;
    uint64_t calls;
    struct strbuf names; /* of whose calls they were */
    size_t name_count;
};

static void add_name(struct row *row, json_t *start)
{
    cleanup_free char *name = shown_name(start);
    if (row->name_count < NAMES_SHOWN)
        strbuf_addf(&row->names, "%s%s", row->name_count > 0 ? ", " : "", name);
    row->name_count++;
}

static void add_to_row(struct row *row, json_t *start, const struct listed *listed)
{
    const char *time = text_of(start, "time");
    const char *root = text_of(json_object_get(start, "context"), "root");
    if (row->time_ms == 0)
        row->time_ms = clock_parse_utc(time, strlen(time));
    if (row->root == NULL && *root != '\0')
        row->root = xstrdup(root);
    row->calls += listed->calls;
    if (listed->calls > 0 || strcmp(text_of(start, "origin"), "operator") != 0)
        add_name(row, start);
}

/* Beneath the home directory as a shell would write it. */
static char *shown_root(const char *root)
{
    const char *home = getenv("HOME");
    size_t length = home != NULL ? strlen(home) : 0;
    bool beneath = length > 1 && path_is_beneath(root, home);
    cleanup_free char *path = beneath ? xasprintf("~%s", root + length) : xstrdup(root);
    return text_line(path, strlen(path), 160);
}

/* How it stands with a console. Whoever resumed it holds its lock: its log tells that it is over.
 */
enum standing { STANDING_OPEN, STANDING_ENDED, STANDING_KILLED };

static enum standing standing_of(const struct log_index *index, bool cut)
{
    size_t count = log_index_count(index);
    cleanup_free char *text = count > 0 ? log_index_text(index, count - 1) : NULL;
    cleanup_json json_t *last = text != NULL ? json_parse(text, strlen(text), NULL) : NULL;
    if (strcmp(text_of(last, "event"), "log_end") == 0)
        return STANDING_ENDED;
    if (strcmp(text_of(last, "event"), "log_repaired") == 0)
        return STANDING_KILLED;
    if (log_index_live(index))
        return STANDING_OPEN;
    return cut ? STANDING_KILLED : STANDING_ENDED;
}

/* `after`: the console that goes on from it, or NULL. Caller frees. */
static char *standing_words(enum standing standing, const char *after)
{
    const char *words = standing == STANDING_OPEN    ? C_("console", "open")
                        : standing == STANDING_ENDED ? _("ended")
                                                     : _("killed");
    cleanup_free char *name = after != NULL ? text_line(after, strlen(after), 80) : NULL;
    return name != NULL ? xasprintf(_("%s, resumed by %s"), words, name) : xstrdup(words);
}

#define WIDE_COLUMNS 120 /* all is in one row */

/* Where cells begin. */
enum { TIME_AT = 34, CALLS_AT = 52, REST_AT = 66, REST_BELOW_AT = 4 };

static void print_row(const char *console, const struct row *row, const char *state, FILE *out)
{
    char when[32] = "?";
    time_t seconds = (time_t)(row->time_ms / 1000);
    struct tm broken;
    cleanup_free char *name = text_line(console, strlen(console), 80);
    cleanup_free char *root = shown_root(row->root != NULL ? row->root : "?");
    if (row->time_ms > 0 && localtime_r(&seconds, &broken) != NULL)
        strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &broken);
    struct log_layout line = {.out = out, .columns = log_layout_columns(out)};
    cleanup_free char *calls =
        xasprintf(P_("%" PRIu64 " call", "%" PRIu64 " calls", row->calls), row->calls);
    cleanup_free char *more = row->name_count > NAMES_SHOWN
                                  ? xasprintf(_(" and %zu more"), row->name_count - NAMES_SHOWN)
                                  : xstrdup("");
    cleanup_free char *rest =
        xasprintf("%s  %s%s%s%s", state, root, row->name_count > 0 ? "  " : "",
                  row->name_count > 0 ? strbuf_str(&row->names) : "", more);
    log_layout_cell(&line, 0, 0, name);
    log_layout_cell(&line, TIME_AT, 0, when);
    log_layout_cell(&line, CALLS_AT, 0, calls);
    log_layout_cell(&line, line.columns >= WIDE_COLUMNS ? REST_AT : REST_BELOW_AT, 0, rest);
    log_layout_end(&line);
}

static const char *session_state(const struct listed *listed, enum standing standing)
{
    return listed->ended ? "ended" : standing == STANDING_OPEN ? "open" : "cut off";
}

static bool is_cut(const struct listed *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].start != 0 && !list[i].ended)
            return true;
    return false;
}

/* One row for a person, who names a console as its end and --resume do; as JSON one a session. */
static int list_log(const struct log_file *file, const char *after, bool json, FILE *out,
                    struct error *error)
{
    struct log_index *index = log_index_open(file, error);
    if (index == NULL)
        return -1;
    size_t count, started = 0;
    struct listed *list = count_sessions(index, &count);
    enum standing standing = standing_of(index, is_cut(list, count));
    struct row row = {.names = STRBUF_INIT};
    for (size_t i = 0; i < count; i++) {
        if (list[i].start == 0)
            continue;
        started++;
        cleanup_free char *text = log_index_text(index, list[i].start - 1);
        cleanup_json json_t *start = text != NULL ? json_parse(text, strlen(text), NULL) : NULL;
        add_to_row(&row, start, &list[i]);
        if (json)
            print_session(log_index_session(index, i), start, &list[i],
                          session_state(&list[i], standing), out);
    }
    cleanup_free char *words = standing_words(standing, after);
    if (!json && started > 0)
        print_row(file->console, &row, words, out);
    free(row.root);
    strbuf_free(&row.names);
    free(list);
    log_index_free(&index);
    return 0;
}

/* Who each of them goes on from; the caller frees. */
static char **consoles_before(const struct log_files *files)
{
    char **before = xcalloc(files->count + 1, sizeof(*before));
    for (size_t i = 0; i < files->count; i++)
        before[i] = log_lineage_before(&files->items[i]);
    return before;
}

/* Who goes on from that one, or NULL. */
static const char *console_after(const struct log_files *files, char *const *before,
                                 const char *console)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(before[i], console) == 0)
            return files->items[i].console;
    return NULL;
}

int log_view_list(const char *directory, const struct log_view_options *options, FILE *out,
                  struct error *error)
{
    struct log_files files;
    int result = log_files_find(directory, &files, error);
    if (result < 0)
        return result;
    cleanup_strv char **before = consoles_before(&files);
    for (size_t i = 0; i < files.count && result == 0; i++) {
        const char *after = console_after(&files, before, files.items[i].console);
        result = list_log(&files.items[i], after, options->json, out, error);
    }
    if (files.count == 0 && !options->json)
        fprintf(stderr, _("no session is on record in %s\n"), directory);
    else if (result == 0 && !options->json && isatty(fileno(out)))
        log_layout_line(out, 0,
                        _("assent log SESSION shows one; assent log calls, approved, stats or "
                          "verify: see assent log --help"));
    log_files_clear(&files);
    return result;
}

/* ---- which log ------------------------------------------------------------------------------- */

/* The console shows the first eight digits of an id. */
#define ID_BYTES_MIN ((size_t)6)

/* The id of the session that the name is, or that begins so; NULL when there is none. Borrowed. */
static const char *find_session(const struct log_index *index, const char *name)
{
    const char *id;
    size_t length = strlen(name);
    for (size_t i = 0; (id = log_index_session(index, i)) != NULL; i++)
        if (strcmp(id, name) == 0 || (length >= ID_BYTES_MIN && strncmp(id, name, length) == 0))
            return id;
    return NULL;
}

/* The log that is meant, NULL with a message when there is none; *session when only that session
 * is. */
static struct log_index *choose_log(const char *directory, const struct log_files *files,
                                    const char *name, const char **session, char **console,
                                    struct error *error)
{
    *session = NULL;
    for (size_t i = files->count; i > 0; i--) {
        struct log_file *file = &files->items[i - 1];
        bool named = name == NULL || strcmp(file->console, name) == 0;
        struct log_index *index = log_index_open(file, error);
        const char *id = index != NULL && !named ? find_session(index, name) : NULL;
        if (index != NULL && (named || id != NULL)) {
            *session = id;
            *console = xstrdup(file->console);
            return index;
        }
        log_index_free(&index);
        if (named)
            return NULL;
    }
    if (name != NULL)
        error_set(error, ENOENT, "there is no session \"%s\" in %s", name, directory);
    else
        error_set(error, ENOENT, "there is no session log in %s yet", directory);
    return NULL;
}

struct log_index *log_view_open(const char *directory, const char *name, const char **session,
                                char **console, struct error *error)
{
    struct log_files files;
    if (log_files_find(directory, &files, error) < 0)
        return NULL;
    struct log_index *index = choose_log(directory, &files, name, session, console, error);
    log_files_clear(&files);
    return index;
}

char *log_view_console(const char *directory, const char *name, struct error *error)
{
    const char *session;
    char *console;
    struct log_index *index = log_view_open(directory, name, &session, &console, error);
    if (index == NULL)
        return NULL;
    log_index_free(&index);
    return console;
}

int log_view_print(const char *directory, const char *name, const struct log_view_options *options,
                   FILE *out, struct error *error)
{
    struct viewer viewer = {.options = options, .out = out};
    char *console;
    struct log_index *index = log_view_open(directory, name, &viewer.session, &console, error);
    if (index == NULL)
        return -1;
    free(console);
    int result = print_log(index, &viewer, error);
    log_index_free(&index);
    return result;
}

/* ---- one call -------------------------------------------------------------------------------- */

enum { FIELD_AT = 4, FIELD_LINES_AT = 8 };

static void print_lines(const char *text, FILE *out)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        cleanup_strbuf struct strbuf line = STRBUF_INIT;
        text_escape(&line, text, length, 0);
        log_layout_line(out, FIELD_LINES_AT, strbuf_str(&line));
        text += length + (text[length] == '\n');
    }
}

static void print_field(const char *key, json_t *value, FILE *out)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    const char *preview = json_string_value(json_object_get(value, "preview"));
    if (preview != NULL)
        strbuf_addf(&text, "%" JSON_INTEGER_FORMAT " bytes",
                    json_integer_value(json_object_get(value, "bytes")));
    else
        log_line_value(&text, value);
    cleanup_free char *name = text_line(key, strlen(key), 40);
    cleanup_free char *line = xasprintf("%s: %s", name, strbuf_str(&text));
    log_layout_line(out, FIELD_AT, line);
    if (preview != NULL)
        print_lines(preview, out);
}

/* In words, and below them what they do not tell. */
static void print_whole_event(json_t *event, FILE *out)
{
    static const char *const framing = " v n prev time event session call ";
    const char *key, *time = text_of(event, "time");
    json_t *value;
    cleanup_strbuf struct strbuf words = STRBUF_INIT;
    const char *told = log_line_words(&words, event);
    cleanup_free char *safe_time = text_line(time, strlen(time), 32);
    cleanup_free char *line = xasprintf("%s %s", safe_time, strbuf_str(&words));
    log_layout_line(out, 0, line);
    json_object_foreach(event, key, value)
    {
        cleanup_free char *word = xasprintf(" %s ", key);
        if (strstr(framing, word) == NULL && strstr(told, word) == NULL && log_line_says(value))
            print_field(key, value, out);
    }
}

struct holders {
    uint64_t call;
    char *newest; /* NULL: none */
    size_t count;
};

static bool holds_call(const struct log_index *index, uint64_t call)
{
    for (size_t line = log_index_count(index); line-- > 0;)
        if (log_index_at(index, line)->event == LOG_EVENT_CALL_RECEIVED &&
            log_index_at(index, line)->call == call)
            return true;
    return false;
}

static bool note_holder(void *argument, const struct log_index *index, const char *console)
{
    struct holders *holders = argument;
    if (holds_call(index, holders->call)) {
        free(holders->newest);
        holders->newest = xstrdup(console);
        holders->count++;
    }
    return true;
}

/* Each console counts its calls: whose this is, and of how many it could be. */
static void print_holder(const char *console, const struct holders *holders, FILE *out)
{
    fprintf(out, _("c%" PRIu64 " of the console %s"), holders->call, console);
    if (holders->count > 1)
        fprintf(out,
                P_(" (%zu other has a c%" PRIu64 ": assent log, then assent log SESSION c%" PRIu64
                   ")",
                   " (%zu others have a c%" PRIu64 ": assent log, then assent log SESSION c%" PRIu64
                   ")",
                   holders->count - 1),
                holders->count - 1, holders->call, holders->call);
    fputc('\n', out);
}

static void print_events_of(const struct log_index *index, uint64_t call, FILE *out)
{
    for (size_t line = 0; line < log_index_count(index); line++) {
        if (log_index_at(index, line)->call != call)
            continue;
        cleanup_free char *text = log_index_text(index, line);
        cleanup_json json_t *event = text != NULL ? json_parse(text, strlen(text), NULL) : NULL;
        if (json_is_object(event))
            print_whole_event(event, out);
    }
}

int log_view_call(const char *directory, const char *name, uint64_t call, FILE *out,
                  struct error *error)
{
    const char *session;
    char *console;
    struct holders holders = {.call = call};
    if (name == NULL && log_index_each(directory, note_holder, &holders, error) < 0)
        return -1;
    struct log_index *index =
        log_view_open(directory, name != NULL ? name : holders.newest, &session, &console, error);
    free(holders.newest);
    if (index == NULL)
        return -1;
    bool found = holds_call(index, call);
    if (found) {
        print_holder(console, &holders, out);
        print_events_of(index, call, out);
    } else {
        error_set(error, ENOENT, "%s has no call c%" PRIu64, console, call);
    }
    log_index_free(&index);
    free(console);
    return found ? 0 : -1;
}
