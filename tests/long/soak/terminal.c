/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "soak.h"

#define GOES_ON "\xe2\x86\xb3" /* "↳", which no agent can show (src/base/text.h) */
#define REDRAW_MS 10000        /* all is drawn anew by then */

void terminal_start(struct terminal *terminal, const char *const *argv, const char *directory,
                    const char *tape, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

    *terminal = (struct terminal){.rows = rows, .columns = columns, .tape = fopen(tape, "we")};
    terminal->outer = outer_new(rows, columns);
    terminal->console = forkpty(&terminal->fd, NULL, NULL, &size);
    if (terminal->console == 0) {
        if (chdir(directory) == 0)
            execv(argv[0], (char **)(uintptr_t)argv);
        _exit(127);
    }
    if (terminal->console < 0 || terminal->tape == NULL) {
        perror("forkpty");
        exit(2);
    }
    fd_set_nonblock(terminal->fd, true);
    fcntl(terminal->fd, F_SETFD, FD_CLOEXEC);
}

/* ---- frames -----------------------------------------------------------------------------------
 */

#define QUESTION "\x1b[?2026$p"
#define FRAME_END "\x1b[?2026l"
#define CLEAR "\x1b[H\x1b[J"

/* True at the last byte of the sequence; `matched` is how much of it there has been. */
static bool completes(const char *sequence, size_t *matched, char byte)
{
    if (byte != sequence[*matched])
        *matched = byte == *sequence ? 1 : 0;
    else
        ++*matched;
    if (sequence[*matched] != '\0')
        return false;
    *matched = 0;
    return true;
}

/* All that it drew so far is on the screen, and nothing of what it draws next. */
static void frame_over(struct terminal *terminal)
{
    struct redraw *redraw = &terminal->redraw;

    if (!redraw->awaited)
        return;
    if (!redraw->cleared)
        terminal_picture_free(&redraw->before);
    *(redraw->cleared ? &redraw->after : &redraw->before) = terminal_picture(terminal);
    redraw->awaited = !redraw->cleared;
}

static void take_byte(struct terminal *terminal, char byte)
{
    outer_write(terminal->outer, &byte, 1);
    if (completes(CLEAR, &terminal->matched.clear, byte))
        terminal->redraw.cleared = true;
    if (completes(FRAME_END, &terminal->matched.end, byte))
        frame_over(terminal);
    if (completes(QUESTION, &terminal->matched.question, byte))
        terminal_keys(terminal, "\x1b[?2026;2$y");
}

bool terminal_redrawn(struct terminal *terminal, void (*ask)(struct terminal *terminal),
                      struct terminal_picture **before, struct terminal_picture **after)
{
    int64_t end = soak_now_ms() + REDRAW_MS;

    while (terminal_pump(terminal, 0))
        continue;
    terminal->redraw = (struct redraw){.awaited = true, .before = terminal_picture(terminal)};
    ask(terminal);
    while (terminal->redraw.awaited && terminal->fd >= 0 && soak_now_ms() < end)
        terminal_pump(terminal, 10);
    terminal->redraw.awaited = false;
    *before = terminal->redraw.before;
    *after = terminal->redraw.after;
    return *after != NULL;
}

/* One piece; false when there is none. */
static bool take(struct terminal *terminal)
{
    char bytes[65536];
    ssize_t length = read(terminal->fd, bytes, sizeof(bytes));

    if (length > 0) {
        for (ssize_t i = 0; i < length; i++)
            take_byte(terminal, bytes[i]);
        fwrite(bytes, 1, (size_t)length, terminal->tape);
        terminal->bytes += (uint64_t)length;
        terminal->last_ms = soak_now_ms();
        return true;
    }
    if (length == 0 || (errno != EAGAIN && errno != EINTR))
        fd_close(&terminal->fd);
    return false;
}

bool terminal_pump(struct terminal *terminal, int wait_ms)
{
    struct pollfd poller = {.fd = terminal->fd, .events = POLLIN};

    if (terminal->fd < 0 || poll(&poller, 1, wait_ms) <= 0 || !take(terminal))
        return false;
    for (int i = 0; i < 64 && terminal->fd >= 0 && take(terminal); i++)
        continue;
    return true;
}

bool terminal_settle(struct terminal *terminal, int quiet_ms, int limit_ms)
{
    int64_t end = soak_now_ms() + limit_ms;

    while (terminal_pump(terminal, quiet_ms))
        if (soak_now_ms() >= end)
            return false;
    return true;
}

void terminal_keys(struct terminal *terminal, const char *bytes)
{
    size_t length = strlen(bytes);

    while (length > 0 && terminal->fd >= 0) {
        ssize_t written = write(terminal->fd, bytes, length);

        if (written < 0 && errno == EAGAIN) {
            terminal_pump(terminal, 10);
            continue;
        }
        if (written < 0)
            return;
        bytes += written;
        length -= (size_t)written;
    }
}

/* What it wrote for the old size is read before. */
void terminal_resize(struct terminal *terminal, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

    while (terminal_pump(terminal, 0))
        continue;
    terminal->rows = rows;
    terminal->columns = columns;
    outer_resize(terminal->outer, rows, columns);
    fprintf(terminal->tape, "\x1b[8;%d;%dt", rows, columns);
    if (terminal->fd >= 0)
        ioctl(terminal->fd, TIOCSWINSZ, &size);
}

void terminal_end(struct terminal *terminal)
{
    outer_free(&terminal->outer);
    fclose(terminal->tape);
}

bool terminal_shows(const struct terminal *terminal, const char *text)
{
    for (int row = 0; row < terminal->rows; row++) {
        cleanup_free char *line = outer_row(terminal->outer, row);

        if (strstr(line, text) != NULL)
            return true;
    }
    return false;
}

uint64_t terminal_request(const struct terminal *terminal)
{
    const char *where = terminal_where(terminal);

    return strncmp(where, "request c", 9) == 0 ? strtoull(where + 9, NULL, 10) : 0;
}

const char *terminal_where(const struct terminal *terminal)
{
    static char where[64];
    cleanup_free char *line = outer_row(terminal->outer, terminal->rows - 1);
    const char *start = strstr(line, " keys: ");
    size_t length;

    /* Where there is little room, it stands right behind the mark. */
    if (start != NULL)
        start += strlen(" keys: ");
    else
        start = line + strspn(line, " ") + strcspn(line + strspn(line, " "), " ");
    start += strspn(start, " ");
    length = strcspn(start, " ");
    if (strncmp(start, "request ", 8) == 0 || strncmp(start, "pane ", 5) == 0 ||
        strncmp(start, "this ", 5) == 0 || strncmp(start, "your ", 5) == 0 ||
        strncmp(start, "the ", 4) == 0)
        length += 1 + strcspn(start + length + 1, " ");
    snprintf(where, sizeof(where), "%.*s", (int)length, start);
    return where;
}

/* Behind the mark for an agent's words, or for a row that goes on; else NULL. */
static const char *behind_mark(const char *start)
{
    static const char *const marks[] = {" \xe2\x94\x83 ", " " GOES_ON " "};

    for (size_t i = 0; i < COUNT(marks); i++)
        if (strncmp(start, marks[i], strlen(marks[i])) == 0)
            return start + strlen(marks[i]);
    return NULL;
}

/* What stands between the box's sides in this row behind such a mark, or NULL. A short command
 * stands beside its heading where rows are few. */
static char *bar_words(const char *line)
{
    static const char side[] = "\xe2\x94\x82", heading[] = " Command";
    const char *start = strstr(line, side);
    const char *end;

    if (start == NULL)
        return NULL;
    start += strlen(side);
    if (strncmp(start, heading, strlen(heading)) == 0) {
        start += strlen(heading);
        start += strspn(start, " ") - 1;
    }
    start = behind_mark(start);
    if (start == NULL)
        return NULL;
    end = strstr(start, side);
    for (const char *next = end; next != NULL; next = strstr(next + 1, side))
        end = next;
    return end != NULL ? xstrndup(start, (size_t)(end - start)) : NULL;
}

char *terminal_command(const struct terminal *terminal)
{
    struct strbuf command = STRBUF_INIT;
    bool inside = false;

    for (int row = 0; row < terminal->rows; row++) {
        cleanup_free char *line = outer_row(terminal->outer, row);
        cleanup_free char *words = bar_words(line);

        if (words == NULL && inside)
            break;
        inside = words != NULL;
        for (const char *at = words; at != NULL && *at != '\0'; at++)
            if (strncmp(at, GOES_ON, strlen(GOES_ON)) == 0) /* behind a word that is broken */
                at += strlen(GOES_ON) - 1;
            else if (*at != ' ')
                strbuf_addch(&command, *at);
    }
    strbuf_addstr(&command, "");
    return strbuf_steal(&command);
}

void terminal_print(const struct terminal *terminal)
{
    struct strbuf text = STRBUF_INIT;

    outer_dump(terminal->outer, &text);
    printf("%s", strbuf_str(&text));
    strbuf_free(&text);
}
