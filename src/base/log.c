/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "base/text.h"

/* A line longer than this is cut: PIPE_BUF, so that lines of several processes that append to one
 * file or pipe are not mixed. */
#define LINE_MAX_BYTES 4096

static int log_fd = -1;
static enum log_level log_threshold = LOG_LEVEL_OFF;

int log_open(const char *path, enum log_level level)
{
    int fd =
        strcmp(path, "-") == 0
            ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
            : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
    if (fd < 0)
        return -errno;
    log_close();
    log_fd = fd;
    log_threshold = level;
    return 0;
}

void log_close(void)
{
    fd_close(&log_fd);
    log_threshold = LOG_LEVEL_OFF;
}

void log_write(enum log_level level, const char *subsystem, const char *format, ...)
{
    static const char *const names[] = {"off", "warning", "info", "debug"};
    if (level == LOG_LEVEL_OFF || level > log_threshold || log_fd < 0)
        return;
    int saved = errno;
    char time[32];
    clock_format_utc(clock_wall_ms(NULL), time);
    cleanup_strbuf struct strbuf message = STRBUF_INIT, line = STRBUF_INIT;
    va_list arguments;
    va_start(arguments, format);
    errno = saved; /* for %m */
    strbuf_vaddf(&message, format, arguments);
    va_end(arguments);
    strbuf_addf(&line, "%s %d %s %s: ", time, (int)getpid(), names[level], subsystem);
    size_t length = message.length < LINE_MAX_BYTES ? message.length : LINE_MAX_BYTES;
    text_escape(&line, strbuf_str(&message), length, 0);
    if (line.length >= LINE_MAX_BYTES) {
        line.length = LINE_MAX_BYTES - 1;
        while ((line.data[line.length] & 0xC0) == 0x80) /* not in the middle of a character */
            line.length--;
    }
    strbuf_addch(&line, '\n');
    /* A full disk or a closed pipe is no reason to stop: this log is for looking into trouble. */
    (void)!fd_write_all(log_fd, line.data, line.length);
    errno = saved;
}
