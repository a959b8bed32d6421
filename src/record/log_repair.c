/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/log.h"
#include "record/log_files.h"
#include "record/log_frame.h"
#include "record/log_verify.h"

/* Behind the last whole line comes the event; what was there of a torn one is gone. */
static int append_event(int fd, const struct log_report *report, int64_t now, struct log_head *head)
{
    cleanup_json json_t *fields = json_pack("{s:I, s:I}", "torn_bytes", (json_int_t)report->torn,
                                            "not_anchored", (json_int_t)report->beyond);
    *head = report->head;
    cleanup_free char *line =
        log_frame_line(++head->lines, report->head.hash, now, "log_repaired", fields);
    size_t length = strlen(line);
    sha256_of(line, length, head->hash);
    head->closed = true;
    line[length] = '\n'; /* in place of the NUL */
    if (ftruncate(fd, report->whole) < 0)
        return -errno;
    int result = fd_write_all(fd, line, length + 1);
    if (result < 0 && ftruncate(fd, report->whole) < 0)
        return -errno;
    return result == 0 && fdatasync(fd) < 0 ? -errno : result;
}

/* The anchor goes along with the file: a stop at any point leaves what can be repaired again. */
static int write_end(int fd, const char *anchors, const char *console,
                     const struct log_report *report, int64_t now)
{
    struct error error = ERROR_INIT;
    struct log_head head;
    struct log_anchor *anchor = log_anchor_open(anchors, console, &error);
    if (anchor == NULL)
        return -EBADMSG;
    int result = append_event(fd, report, now, &head);
    if (result == 0)
        result = log_anchor_write(anchor, &head, true);
    /* Both places of the anchor hold a head again. */
    if (result == 0)
        result = log_anchor_write(anchor, &head, true);
    log_anchor_free(&anchor);
    return result;
}

static bool needs_repair(const char *anchors, const char *console)
{
    struct log_head head;
    bool torn;
    return log_anchor_read(anchors, console, &head, &torn, NULL) == 0 && !head.closed;
}

static bool repair_log(const struct log_file *file, const char *directory, const char *anchors,
                       const struct clock *clock)
{
    cleanup_fd int fd = open(file->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    /* Of two consoles that start one repairs; a console that lives holds the lock. */
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
        return false;
    struct log_report report;
    struct error error = ERROR_INIT;
    if (log_verify(directory, anchors, file->console, &report, &error) < 0)
        return false;
    int result = -EBADMSG;
    if (report.verdict == LOG_INTACT && !report.head.closed)
        result = write_end(fd, anchors, file->console, &report, clock_wall_ms(clock));
    log_report_clear(&report);
    if (result < 0)
        log_warning("record", "cannot repair %s: %s", file->path, strerror(-result));
    return result == 0;
}

unsigned log_repair(const char *directory, const char *anchors, const struct clock *clock)
{
    struct log_files files;
    unsigned repaired = 0;
    if (log_files_find(directory, &files, NULL) < 0)
        return 0;
    for (size_t i = 0; i < files.count; i++)
        if (needs_repair(anchors, files.items[i].console) &&
            repair_log(&files.items[i], directory, anchors, clock))
            repaired++;
    log_files_clear(&files);
    return repaired;
}
