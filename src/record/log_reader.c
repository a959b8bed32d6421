/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "record/log_files.h"

struct log_reader {
    int fd;
    struct strbuf bytes; /* read and not yet used up */
    size_t used;         /* of them, the lines that were handed out */
    size_t searched;     /* of them, known to hold no newline behind `used` */
    uint64_t lines;
    bool skipping; /* in a line over the limit */
    json_t *event; /* of the line handed out last */
};

struct log_reader *log_reader_open(const char *path, struct error *error)
{
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0) {
        error_errno(error, errno, "cannot read the session log %s", path);
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        error_set(error, EINVAL, "the session log %s is not a file", path);
        return NULL;
    }
    struct log_reader *reader = XNEW(struct log_reader);
    reader->fd = fd;
    fd = -1;
    return reader;
}

void log_reader_close(struct log_reader **reader)
{
    if (*reader == NULL)
        return;
    fd_close(&(*reader)->fd);
    strbuf_free(&(*reader)->bytes);
    json_decref((*reader)->event);
    free(*reader);
    *reader = NULL;
}

/* False when there is nothing more for now. */
static bool read_more(struct log_reader *reader)
{
    char piece[64 * 1024];
    strbuf_consume(&reader->bytes, reader->used);
    reader->searched -= reader->used;
    reader->used = 0;
    ssize_t count;
    do
        count = read(reader->fd, piece, sizeof(piece));
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    strbuf_add(&reader->bytes, piece, (size_t)count);
    return true;
}

static char *find_newline(struct log_reader *reader)
{
    size_t length = reader->bytes.length - reader->searched;
    char *newline = NULL;
    if (length > 0)
        newline = memchr(reader->bytes.data + reader->searched, '\n', length);
    if (newline == NULL)
        reader->searched = reader->bytes.length;
    return newline;
}

/* Throws a line away that is too long to be one, as it comes in. */
static void skip_long(struct log_reader *reader)
{
    if (reader->bytes.length - reader->used <= LOG_READER_LINE_MAX)
        return;
    reader->skipping = true;
    reader->used = reader->bytes.length;
}

static enum log_reader_state take_line(struct log_reader *reader, const char *newline,
                                       struct log_line *line)
{
    line->text = reader->bytes.data + reader->used;
    line->length = (size_t)(newline - line->text);
    line->number = ++reader->lines;
    reader->used += line->length + 1;
    reader->searched = reader->used;
    bool whole = !reader->skipping;
    reader->skipping = false;
    return whole ? LOG_READER_LINE : LOG_READER_DAMAGED;
}

enum log_reader_state log_reader_next_text(struct log_reader *reader, struct log_line *line)
{
    *line = (struct log_line){0};
    json_decref(reader->event);
    reader->event = NULL;
    for (;;) {
        char *newline = find_newline(reader);
        if (newline != NULL)
            return take_line(reader, newline, line);
        skip_long(reader);
        if (!read_more(reader))
            return LOG_READER_END;
    }
}

enum log_reader_state log_reader_next(struct log_reader *reader, struct log_line *line)
{
    enum log_reader_state state = log_reader_next_text(reader, line);
    if (state != LOG_READER_LINE)
        return state;
    reader->event = json_parse(line->text, line->length, NULL);
    if (!json_is_object(reader->event)) {
        json_decref(reader->event);
        reader->event = NULL;
    }
    line->event = reader->event;
    return reader->event != NULL ? LOG_READER_LINE : LOG_READER_DAMAGED;
}

size_t log_reader_torn(const struct log_reader *reader)
{
    return reader->bytes.length - reader->used;
}

bool log_reader_live(const struct log_reader *reader)
{
    return log_files_live(reader->fd);
}
