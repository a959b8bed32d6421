/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/call.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "record/log_frame.h"
#include "record/log_reader.h"

#define PIECE ((size_t)1 << 18) /* of the log: a step */
#define ENTRIES_AT_ONCE ((size_t)1 << 15)
#define SESSION_ID_MAX 64
/* The file is written again when so many lines are not in it. */
#define UNSAVED_MAX 2000
#define LINES_MAX ((size_t)1 << 28)

struct session_name {
    char id[SESSION_ID_MAX];
};

struct log_index {
    int fd; /* of the log */
    char *path;
    struct log_entry *entries;
    size_t count, room;
    struct session_name *sessions;
    size_t session_count, session_room;
    uint64_t end;          /* of the last whole line that is in */
    struct strbuf partial; /* behind it: what was read of the next one */
    size_t saved;          /* lines that the file holds */
    bool rebuilt;
    int file;        /* of the index, while it is read; else -1 */
    uint64_t loaded; /* where the line behind the entries that were read begins */
};

/* How the file begins; entries and session ids follow. */
struct header {
    char magic[8];
    uint64_t device, inode; /* of the log */
    uint64_t end;
    uint64_t count, sessions;
};

static const char magic[8] = {'A', 's', 'L', 'o', 'g', 'I', 'x', 'A'};

/* ---- one line -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum log_event_kind kind;
} event_names[] = {
    {"session_start", LOG_EVENT_SESSION_START},
    {"session_end", LOG_EVENT_SESSION_END},
    {"call_received", LOG_EVENT_CALL_RECEIVED},
    {"requirement", LOG_EVENT_REQUIREMENT},
    {"assessment", LOG_EVENT_ASSESSMENT},
    {"prompt_shown", LOG_EVENT_PROMPT_SHOWN},
    {"decision", LOG_EVENT_DECISION},
    {"attempt_end", LOG_EVENT_ATTEMPT_END},
    {"finished", LOG_EVENT_FINISHED},
    {"grant_restored", LOG_EVENT_GRANT},
    {"grant_ended", LOG_EVENT_GRANT},
    {"conversation", LOG_EVENT_CONVERSATION},
    {"layout", LOG_EVENT_LAYOUT},
    {"edited", LOG_EVENT_EDITED},
    {"attempt_start", LOG_EVENT_ATTEMPT_START},
    {"notice", LOG_EVENT_NOTICE},
    {"connection", LOG_EVENT_CONNECTION},
};

static enum log_event_kind event_kind(const struct log_piece *name)
{
    for (size_t i = 0; i < COUNT(event_names); i++)
        if (strlen(event_names[i].name) == name->length &&
            memcmp(event_names[i].name, name->text, name->length) == 0)
            return event_names[i].kind;
    return LOG_EVENT_OTHER;
}

/* The value of `"key":"` where it stands first. Inside of a string the quotes would be escaped, so
 * that nobody's text passes for a key. Empty when there is none. */
static struct log_piece find_value(const char *line, size_t length, const char *key)
{
    size_t width = strlen(key);
    const char *place = memmem(line, length, key, width);
    struct log_piece value = {.text = ""};
    if (place == NULL)
        return value;
    value.text = place + width;
    const char *quote = memchr(value.text, '"', (size_t)(line + length - value.text));
    value.length = quote != NULL ? (size_t)(quote - value.text) : 0;
    return value;
}

static bool piece_is(const struct log_piece *piece, const char *text)
{
    return strlen(text) == piece->length && memcmp(piece->text, text, piece->length) == 0;
}

static void read_decision(struct log_entry *entry, const char *line, size_t length)
{
    struct log_piece kind = find_value(line, length, "\"kind\":\"");
    struct log_piece source = find_value(line, length, "\"source\":\"");
    for (unsigned i = 0; i <= REVIEW_LAST; i++)
        if (piece_is(&kind, review_kind_name((enum review_kind)i)))
            entry->value = (uint8_t)i;
    for (unsigned i = 0; i <= DECIDED_BY_LAST; i++)
        if (piece_is(&source, decision_source_name((enum decision_source)i)))
            entry->source = (uint8_t)i;
}

static void read_assessment(struct log_entry *entry, const char *line, size_t length)
{
    struct log_piece level = find_value(line, length, "\"level\":\"");
    for (unsigned i = 0; i <= RISK_HIGH; i++)
        if (piece_is(&level, risk_level_name((enum risk_level)i)))
            entry->value = (uint8_t)i;
}

static void read_attempt(struct log_entry *entry, const char *line, size_t length)
{
    struct log_piece sandbox = find_value(line, length, "\"sandbox\":\"");
    for (unsigned i = 0; i <= ATTEMPT_UNSANDBOXED; i++)
        if (piece_is(&sandbox, attempt_sandbox_name((enum attempt_sandbox)i)))
            entry->value = (uint8_t)i;
}

static bool has_key(const char *line, size_t length, const char *key)
{
    return memmem(line, length, key, strlen(key)) != NULL;
}

static void read_connection(struct log_entry *entry, const char *line, size_t length)
{
    struct log_piece outcome = find_value(line, length, "\"outcome\":\"");
    if (piece_is(&outcome, "denied"))
        entry->value = LOG_CONNECTION_DENIED;
    else if (has_key(line, length, "\"covered_by\":"))
        entry->value = LOG_CONNECTION_COVERED;
    else if (has_key(line, length, "\"allowed_by\":"))
        entry->value = LOG_CONNECTION_ALLOWED;
}

/* The number of a session, which is new when it has not been met. Looks at the latest first: what
 * is open is near the end. */
static uint32_t session_number(struct log_index *index, const struct log_piece *id)
{
    if (id->length == 0 || id->length >= SESSION_ID_MAX)
        return 0;
    for (size_t i = index->session_count; i > 0; i--)
        if (piece_is(id, index->sessions[i - 1].id))
            return (uint32_t)i;
    if (index->session_count == index->session_room) {
        index->session_room = index->session_room == 0 ? 16 : index->session_room * 2;
        index->sessions =
            xreallocarray(index->sessions, index->session_room, sizeof(*index->sessions));
    }
    struct session_name *name = &index->sessions[index->session_count++];
    *name = (struct session_name){0};
    memcpy(name->id, id->text, id->length);
    return (uint32_t)index->session_count;
}

static void add_line(struct log_index *index, const char *line, size_t length)
{
    struct log_frame frame;
    struct log_entry entry = {.offset = index->end, .length = (uint32_t)length, .time_ms = -1};
    if (length < LOG_READER_LINE_MAX && log_frame_read(line, length, &frame)) {
        entry.event = (uint8_t)event_kind(&frame.event);
        entry.time_ms = clock_parse_utc(frame.time.text, frame.time.length);
        entry.call = (uint32_t)frame.call;
        entry.session = session_number(index, &frame.session);
    }
    if (entry.event == LOG_EVENT_DECISION)
        read_decision(&entry, line, length);
    if (entry.event == LOG_EVENT_ASSESSMENT)
        read_assessment(&entry, line, length);
    else if (entry.event == LOG_EVENT_ATTEMPT_START)
        read_attempt(&entry, line, length);
    else if (entry.event == LOG_EVENT_CONNECTION)
        read_connection(&entry, line, length);
    if (index->count == index->room) {
        index->room = index->room == 0 ? 256 : index->room * 2;
        index->entries = xreallocarray(index->entries, index->room, sizeof(*index->entries));
    }
    index->entries[index->count++] = entry;
    index->end += length + 1;
    index->loaded = index->end;
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Takes the whole lines of what was read out of it. */
static void take_lines(struct log_index *index)
{
    struct strbuf *bytes = &index->partial;
    const char *at = bytes->data, *end = bytes->data + bytes->length;
    const char *newline;
    while (at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        add_line(index, at, (size_t)(newline - at));
        at = newline + 1;
    }
    strbuf_consume(bytes, (size_t)(at - bytes->data));
}

/* The next piece of the log; false at its end. */
static bool read_piece(struct log_index *index)
{
    cleanup_free char *piece = xmalloc(PIECE);
    off_t at = (off_t)(index->end + index->partial.length);
    ssize_t count = index->count < LINES_MAX ? pread(index->fd, piece, PIECE, at) : 0;
    if (count > 0) {
        strbuf_add(&index->partial, piece, (size_t)count);
        take_lines(index);
        return true;
    }
    /* A torn line may be another one the next time. */
    strbuf_reset(&index->partial);
    return false;
}

/* ---- the file of the index ------------------------------------------------------------------- */

static char *index_path(const struct log_index *index)
{
    size_t name = strlen(index->path) - strlen(LOG_FILES_SUFFIX);
    return xasprintf("%.*s" LOG_FILES_INDEX_SUFFIX, (int)name, index->path);
}

static bool make_header(const struct log_index *index, struct header *header)
{
    struct stat status;
    if (fstat(index->fd, &status) < 0)
        return false;
    *header = (struct header){.device = (uint64_t)status.st_dev,
                              .inode = (uint64_t)status.st_ino,
                              .end = index->end,
                              .count = index->count,
                              .sessions = index->session_count};
    memcpy(header->magic, magic, sizeof(magic));
    return (off_t)index->end <= status.st_size;
}

/* Not being able to keep it is no reason not to show the log. */
static void save(struct log_index *index)
{
    struct header header;
    if (!make_header(index, &header))
        return;
    cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
    strbuf_add(&bytes, &header, sizeof(header));
    strbuf_add(&bytes, index->entries, index->count * sizeof(*index->entries));
    strbuf_add(&bytes, index->sessions, index->session_count * sizeof(*index->sessions));
    cleanup_free char *path = index_path(index);
    if (fd_replace_cache(path, bytes.data, bytes.length, 0600) == 0)
        index->saved = index->count;
}

static bool header_fits(const struct log_index *index, const struct header *header, size_t length)
{
    struct header log;
    if (!make_header(index, &log) || memcmp(header->magic, magic, sizeof(magic)) != 0 ||
        header->device != log.device || header->inode != log.inode || header->count > LINES_MAX ||
        header->sessions > header->count)
        return false;
    return length == sizeof(*header) + header->count * sizeof(struct log_entry) +
                         header->sessions * sizeof(struct session_name);
}

/* It is not to be used: everything comes from the log. */
static bool give_up(struct log_index *index)
{
    fd_close(&index->file);
    index->count = index->session_count = index->saved = 0;
    index->end = index->loaded = 0;
    return true;
}

/* Whole entries follow, one after the other, or nothing is taken. */
static void begin_loading(struct log_index *index)
{
    struct header header;
    struct stat status;
    cleanup_free char *path = index_path(index);
    index->file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (index->file < 0)
        return;
    if (fstat(index->file, &status) < 0 || !S_ISREG(status.st_mode) ||
        pread(index->file, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
        !header_fits(index, &header, (size_t)status.st_size)) {
        give_up(index);
        return;
    }
    index->room = header.count + 1;
    index->session_room = header.sessions + 1;
    index->entries = xmalloc(index->room * sizeof(*index->entries));
    index->sessions = xcalloc(index->session_room, sizeof(*index->sessions));
    index->session_count = header.sessions;
    index->end = header.end;
    index->saved = header.count;
}

/* Does a line begin where the one before ends? */
static bool entry_fits(const struct log_index *index, const struct log_entry *entry)
{
    return entry->offset == index->loaded && entry->session <= index->session_count &&
           entry->event <= LOG_EVENT_LAST && entry->value <= REVIEW_LAST &&
           entry->source <= DECIDED_BY_LAST;
}

static bool end_loading(struct log_index *index)
{
    char newline = '\n';
    size_t size = index->session_count * sizeof(*index->sessions);
    off_t at = (off_t)(sizeof(struct header) + index->count * sizeof(*index->entries));
    if (index->loaded != index->end ||
        pread(index->file, index->sessions, size, at) != (ssize_t)size ||
        (index->end > 0 && pread(index->fd, &newline, 1, (off_t)index->end - 1) != 1) ||
        newline != '\n')
        return give_up(index);
    for (size_t i = 0; i < index->session_count; i++)
        index->sessions[i].id[SESSION_ID_MAX - 1] = '\0';
    fd_close(&index->file);
    return true;
}

static bool load_piece(struct log_index *index)
{
    size_t count = index->saved - index->count;
    if (count == 0)
        return end_loading(index);
    if (count > ENTRIES_AT_ONCE)
        count = ENTRIES_AT_ONCE;
    size_t size = count * sizeof(*index->entries);
    off_t at = (off_t)(sizeof(struct header) + index->count * sizeof(*index->entries));
    if (pread(index->file, index->entries + index->count, size, at) != (ssize_t)size)
        return give_up(index);
    for (size_t i = 0; i < count; i++) {
        const struct log_entry *entry = &index->entries[index->count];
        if (!entry_fits(index, entry))
            return give_up(index);
        index->loaded += (uint64_t)entry->length + 1;
        index->count++;
    }
    return true;
}

/* ---- in all ---------------------------------------------------------------------------------- */

struct log_index *log_index_begin(const struct log_file *file, struct error *error)
{
    cleanup_fd int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
        error_errno(error, errno, "cannot read the session log %s", file->path);
        return NULL;
    }
    struct log_index *index = XNEW(struct log_index);
    index->fd = fd;
    fd = -1;
    index->path = xstrdup(file->path);
    begin_loading(index);
    return index;
}

bool log_index_step(struct log_index *index)
{
    if (index->file >= 0)
        return load_piece(index);
    if (index->count == 0)
        index->rebuilt = true;
    return read_piece(index);
}

size_t log_index_update(struct log_index *index)
{
    size_t before = index->count;
    while (log_index_step(index))
        continue;
    return index->count - before;
}

struct log_index *log_index_open(const struct log_file *file, struct error *error)
{
    struct log_index *index = log_index_begin(file, error);
    if (index == NULL)
        return NULL;
    log_index_update(index);
    if (index->count - index->saved > UNSAVED_MAX)
        save(index);
    return index;
}

void log_index_free(struct log_index **place)
{
    struct log_index *index = *place;
    if (index == NULL)
        return;
    fd_close(&index->fd);
    fd_close(&index->file);
    strbuf_free(&index->partial);
    free(index->path);
    free(index->entries);
    free(index->sessions);
    free(index);
    *place = NULL;
}

int log_index_each(const char *directory,
                   bool (*each)(void *argument, const struct log_index *index, const char *console),
                   void *argument, struct error *error)
{
    struct log_files files;
    if (log_files_find(directory, &files, error) < 0)
        return -1;
    int result = 0;
    bool more = true;
    for (size_t i = 0; i < files.count && more && result == 0; i++) {
        struct log_index *index = log_index_open(&files.items[i], error);
        if (index == NULL)
            result = -1;
        else
            more = each(argument, index, files.items[i].console);
        log_index_free(&index);
    }
    log_files_clear(&files);
    return result;
}

size_t log_index_count(const struct log_index *index)
{
    return index->count;
}

const struct log_entry *log_index_at(const struct log_index *index, size_t line)
{
    return &index->entries[line];
}

const char *log_index_session(const struct log_index *index, size_t session)
{
    return session < index->session_count ? index->sessions[session].id : NULL;
}

char *log_index_text(const struct log_index *index, size_t line)
{
    const struct log_entry *entry = &index->entries[line];
    char *text = xmalloc((size_t)entry->length + 1);
    if (pread(index->fd, text, entry->length, (off_t)entry->offset) != (ssize_t)entry->length) {
        free(text);
        return NULL;
    }
    text[entry->length] = '\0';
    return text;
}

bool log_index_live(const struct log_index *index)
{
    return log_files_live(index->fd);
}

uint64_t log_index_torn(const struct log_index *index)
{
    struct stat status;
    bool known = fstat(index->fd, &status) == 0 && status.st_size > (off_t)index->end;
    return known ? (uint64_t)status.st_size - index->end : 0;
}

bool log_index_rebuilt(const struct log_index *index)
{
    return index->rebuilt;
}
