/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

#define OUTPUT_CAP_MINIMUM 4096

/* Of what comes in small pieces. A write for each echoed key would be felt by who types. */
#define RECENT_BYTES 256

#define AGENT_BYTES ((size_t)10 * 1024)
#define AGENT_HEAD_BYTES (AGENT_BYTES / 2)
#define AGENT_LINES 256
#define AGENT_HEAD_LINES (AGENT_LINES / 2)
#define AGENT_TAIL_LINES (AGENT_LINES - AGENT_HEAD_LINES)

#define PREVIEW_BYTES ((size_t)2 * 1024)
#define PREVIEW_LINES 64
#define PREVIEW_NOTICE "[... telemetry preview truncated ...]"

/*
 * The file has two parts: bytes 0 to `head_room` hold the start of the stream, the rest is a ring
 * that holds its end. A position below head_room is its own offset; one above lies in the ring.
 * When the file cannot be written, the bytes are lost and so is what lies between them and the
 * end of the head: kept bytes are always one piece at the start and one at the end. The last few
 * may not be in the file yet but in `recent`: like the file, that ends with the process.
 */
struct output {
    int fd;
    size_t head_room;
    size_t ring_room;
    uint64_t total;
    uint64_t newlines;
    uint64_t head_end;   /* kept: positions 0 up to here … */
    uint64_t lost_until; /* … and from here on, as far as the ring reaches */
    size_t recent_length;
    char recent[RECENT_BYTES]; /* ends at `total` */
};

static int open_spool(const char *directory, struct error *error)
{
    if (directory == NULL) {
        int fd = memfd_create("output", MFD_CLOEXEC);
        if (fd < 0)
            error_errno(error, errno, "cannot make memory for a command's output");
        return fd;
    }
    int fd = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    /* Not every file system has O_TMPFILE; those that lack it fail with one of these. */
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
        return error_errno(error, errno, "cannot keep a command's output in %s", directory);
    cleanup_free char *path = xasprintf("%s/output-XXXXXX", directory);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return error_errno(error, errno, "cannot keep a command's output in %s", directory);
    unlink(path);
    return fd;
}

struct output *output_new(const char *directory, size_t cap, struct error *error)
{
    if (cap < OUTPUT_CAP_MINIMUM) {
        error_set(error, EINVAL, "the output cap must be at least %d bytes", OUTPUT_CAP_MINIMUM);
        return NULL;
    }
    int fd = open_spool(directory, error);
    if (fd < 0)
        return NULL;
    struct output *output = XNEW(struct output);
    output->fd = fd;
    output->head_room = cap / 2;
    output->ring_room = cap - output->head_room;
    return output;
}

void output_free(struct output **output)
{
    if (*output == NULL)
        return;
    fd_close(&(*output)->fd);
    free(*output);
    *output = NULL;
}

/* Where a position lies in the file, and how many bytes follow it there in one piece. */
static off_t place_of(const struct output *output, uint64_t position, size_t *room)
{
    if (position < output->head_room) {
        *room = output->head_room - (size_t)position;
        return (off_t)position;
    }
    size_t in_ring = (size_t)((position - output->head_room) % output->ring_room);
    *room = output->ring_room - in_ring;
    return (off_t)(output->head_room + in_ring);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int write_pieces(const struct output *output, uint64_t position, const char *bytes,
                        size_t length)
{
    while (length > 0) {
        size_t room;
        off_t offset = place_of(output, position, &room);
        ssize_t written = pwrite(output->fd, bytes, smaller(room, length), offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? -errno : -EIO;
        position += (uint64_t)written;
        bytes += written;
        length -= (size_t)written;
    }
    return 0;
}

static uint64_t count_newlines(const char *bytes, size_t length)
{
    uint64_t count = 0;
    const char *end = bytes + length;
    while (bytes < end && (bytes = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL) {
        count++;
        bytes++;
    }
    return count;
}

/* The head grows for as long as nothing was lost. */
static void extend_head(struct output *output)
{
    if (output->lost_until == 0)
        output->head_end = output->total < output->head_room ? output->total : output->head_room;
}

static uint64_t written_until(const struct output *output)
{
    return output->total - output->recent_length;
}

static int write_recent(struct output *output)
{
    uint64_t position = written_until(output);
    int result = write_pieces(output, position, output->recent, output->recent_length);
    output->recent_length = 0;
    if (result < 0) {
        output->lost_until = output->total;
        if (output->head_end > position)
            output->head_end = position;
    }
    return result;
}

/* What the ring would overwrite in the same call need not be written. */
static int write_all(struct output *output, const char *bytes, size_t length)
{
    uint64_t position = output->total;
    size_t head_part = 0;
    if (position < output->head_room)
        head_part = smaller(length, output->head_room - (size_t)position);
    int result = write_pieces(output, position, bytes, head_part);
    size_t rest = length - head_part;
    size_t skip = rest > output->ring_room ? rest - output->ring_room : 0;
    if (result == 0)
        result = write_pieces(output, position + head_part + skip, bytes + head_part + skip,
                              rest - skip);
    output->total += length;
    if (result < 0)
        output->lost_until = output->total;
    return result;
}

static int keep_recent(struct output *output, const char *bytes, size_t length)
{
    memcpy(output->recent + output->recent_length, bytes, length);
    output->recent_length += length;
    output->total += length;
    return 0;
}

int output_append(struct output *output, const char *bytes, size_t length)
{
    int earlier = 0;
    output->newlines += count_newlines(bytes, length);
    if (length > RECENT_BYTES - output->recent_length)
        earlier = write_recent(output);
    int result = length > RECENT_BYTES ? write_all(output, bytes, length)
                                       : keep_recent(output, bytes, length);
    extend_head(output);
    return earlier < 0 ? earlier : result;
}

uint64_t output_total(const struct output *output)
{
    return output->total;
}

/* Where the kept piece at the end begins; equal to head_end when nothing is missing. */
static uint64_t tail_start(const struct output *output)
{
    uint64_t start = output->head_end;
    if (output->total > output->head_room + output->ring_room)
        start = output->total - output->ring_room;
    return start > output->lost_until ? start : output->lost_until;
}

uint64_t output_dropped(const struct output *output)
{
    return tail_start(output) - output->head_end;
}

/* At most `length` bytes that lie at `offset` of the file, or will. */
static ssize_t read_at(const struct output *output, uint64_t position, char *bytes, size_t length,
                       off_t offset)
{
    uint64_t written = written_until(output);
    if (position >= written) {
        memcpy(bytes, output->recent + (position - written), length);
        return (ssize_t)length;
    }
    if (length > written - position)
        length = (size_t)(written - position);
    return pread(output->fd, bytes, length, offset);
}

size_t output_read(const struct output *output, uint64_t *position, char *bytes, size_t length,
                   uint64_t *skipped)
{
    uint64_t tail = tail_start(output);
    *skipped = 0;
    if (*position >= output->head_end && *position < tail) {
        *skipped = tail - *position;
        *position = tail;
    }
    uint64_t end = *position < output->head_end ? output->head_end : output->total;
    size_t done = 0;
    while (done < length && *position < end) {
        size_t room;
        off_t offset = place_of(output, *position, &room);
        uint64_t left = end - *position;
        size_t want = smaller(smaller(room, length - done), left < SIZE_MAX ? (size_t)left : room);
        ssize_t count = read_at(output, *position, bytes + done, want, offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += (size_t)count;
        *position += (uint64_t)count;
    }
    return done;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Bytes without a character at the end that is only begun. Bytes that are not UTF-8 stay. */
static size_t cut_end(const char *bytes, size_t length)
{
    for (size_t back = 1; back < 4 && back <= length; back++) {
        unsigned char byte = (unsigned char)bytes[length - back];
        if (is_continuation((char)byte))
            continue;
        size_t whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return whole > back ? length - back : length;
    }
    return length;
}

/* As cut_end() for the front: how many bytes at the start belong to a character cut in two. */
static size_t cut_front(const char *bytes, size_t length)
{
    for (size_t skip = 0; skip < 4 && skip < length; skip++)
        if (!is_continuation(bytes[skip]))
            return skip;
    return 0;
}

/* Bytes of the first `lines` lines. */
static size_t first_lines(const char *bytes, size_t length, size_t lines)
{
    size_t place = 0;
    while (lines-- > 0 && place < length) {
        const char *newline = memchr(bytes + place, '\n', length - place);
        if (newline == NULL)
            return length;
        place = (size_t)(newline - bytes) + 1;
    }
    return place;
}

/* Where the last `lines` lines begin; an unfinished last line counts as one. */
static size_t last_lines(const char *bytes, size_t length, size_t lines)
{
    size_t place = length;
    while (place > 0) {
        if (bytes[place - 1] == '\n' && place < length && --lines == 0)
            return place;
        place--;
    }
    return 0;
}

/* Reads the kept piece from `position` on, at most `length` bytes, never across a gap. */
static size_t read_piece(const struct output *output, uint64_t position, char *bytes, size_t length)
{
    uint64_t skipped;
    uint64_t start = position;
    size_t count = output_read(output, &position, bytes, length, &skipped);
    return position - count == start ? count : 0;
}

/* Reads from the start what is kept without a gap: the head, and what follows it when nothing is
 * missing between. */
static size_t read_start(const struct output *output, char *bytes, size_t length)
{
    size_t count = read_piece(output, 0, bytes, length);
    if (count == output->head_end)
        count += read_piece(output, count, bytes + count, length - count);
    return count;
}

/* Reads the last bytes that are kept without a gap. */
static size_t read_end(const struct output *output, char *bytes, size_t length)
{
    uint64_t position = output->total > length ? output->total - length : 0;
    if (output_dropped(output) > 0 && position < tail_start(output))
        position = tail_start(output);
    size_t count = 0;
    size_t piece;
    do {
        piece = read_piece(output, position + count, bytes + count, length - count);
        count += piece;
    } while (piece > 0 && count < length);
    return count;
}

static void put_notice(struct strbuf *out, const char *notice)
{
    if (out->length > 0 && out->data[out->length - 1] != '\n')
        strbuf_addch(out, '\n');
    strbuf_addstr(out, notice);
    strbuf_addch(out, '\n');
}

/* Lines of the whole stream; an unfinished last line counts as one. */
static uint64_t count_lines(const struct output *output, const char *last, size_t length)
{
    return output->newlines + (length > 0 && last[length - 1] != '\n' ? 1 : 0);
}

/* Head, a line that says how much is missing, tail. `bytes` are the first and `last` the last
 * kept bytes of the stream, AGENT_BYTES each at most. */
static void join_head_and_tail(const struct output *output, const char *bytes, size_t length,
                               const char *last, size_t last_length, struct strbuf *out)
{
    size_t head = first_lines(bytes, length, AGENT_HEAD_LINES);
    head = cut_end(bytes, smaller(head, AGENT_HEAD_BYTES));

    /* Room for the longest notice (two 20 digit numbers cannot both appear) and its line ends. */
    char notice[80];
    size_t budget = AGENT_BYTES - head - sizeof(notice) - 1;
    size_t start = last_length > budget ? last_length - budget : 0;
    start += cut_front(last + start, last_length - start);
    size_t by_lines = last_lines(last, last_length, AGENT_TAIL_LINES);
    if (by_lines > start)
        start = by_lines;

    uint64_t lines = output->newlines - count_newlines(bytes, head) -
                     count_newlines(last + start, last_length - start);
    uint64_t missing = output->total - head - (last_length - start);
    if (lines > 0)
        snprintf(notice, sizeof(notice), "[... %" PRIu64 " lines omitted ...]", lines);
    else
        snprintf(notice, sizeof(notice), "[... %" PRIu64 " bytes omitted ...]", missing);
    strbuf_add(out, bytes, head);
    put_notice(out, notice);
    strbuf_add(out, last + start, last_length - start);
}

void output_for_agent(const struct output *output, struct strbuf *out, bool *truncated)
{
    cleanup_free char *bytes = xmalloc(AGENT_BYTES);
    cleanup_free char *last = xmalloc(AGENT_BYTES);
    size_t length = read_start(output, bytes, AGENT_BYTES);
    size_t last_length = read_end(output, last, AGENT_BYTES);
    *truncated = length < output->total || count_lines(output, last, last_length) > AGENT_LINES;
    if (*truncated)
        join_head_and_tail(output, bytes, length, last, last_length, out);
    else
        strbuf_add(out, bytes, length);
}

void output_preview(const struct output *output, struct strbuf *out)
{
    char bytes[PREVIEW_BYTES];
    size_t length = read_start(output, bytes, sizeof(bytes));
    size_t shown = first_lines(bytes, length, PREVIEW_LINES);
    if (shown < output->total)
        shown = cut_end(bytes, smaller(shown, PREVIEW_BYTES));
    strbuf_add(out, bytes, shown);
    if (shown < output->total)
        put_notice(out, PREVIEW_NOTICE);
}
