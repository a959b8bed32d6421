/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/session_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "record/log_event.h"
#include "record/log_writer.h"

struct session_log {
    struct loop *loop;
    struct log_writer *writer;
    char *path;
    int64_t lines;
    void (*failed)(void *argument, const char *message);
    void *failed_argument;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Takes `event` over and writes it behind the fields that every line has. */
static void write_event(struct session_log *log, const char *name, json_t *event)
{
    char time[32];
    cleanup_json json_t *line = json_object();
    clock_format_utc(clock_wall_ms(loop_clock(log->loop)), time);
    json_object_set_new(line, "v", json_integer(SESSION_LOG_VERSION));
    json_object_set_new(line, "n", json_integer(++log->lines));
    json_object_set_new(line, "time", json_string(time));
    json_object_set_new(line, "event", json_string(name));
    json_object_update(line, event);
    json_decref(event);
    cleanup_free char *text = json_line(line);
    log_writer_put(log->writer, text, strlen(text));
}

static void on_session_started(void *argument, const struct session *session)
{
    write_event(argument, "session_start", log_event_session_start(session));
}

static void on_session_ended(void *argument, const struct session *session)
{
    write_event(argument, "session_end", log_event_session_end(session));
}

static void on_context_changed(void *argument, const struct session *session)
{
    write_event(argument, "context_changed", log_event_context(session));
}

static void on_call_received(void *argument, const struct call *call)
{
    write_event(argument, "call_received", log_event_call(call));
    write_event(argument, "requirement", log_event_requirement(call));
    write_event(argument, "assessment", log_event_assessment(call));
}

static void on_asked(void *argument, const struct call *call)
{
    write_event(argument, "prompt_shown", log_event_prompt(call));
}

static void on_prompt_changed(void *argument, const struct call *call)
{
    write_event(argument, "assessment", log_event_assessment(call));
    write_event(argument, "prompt_shown", log_event_prompt(call));
}

static void on_decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    write_event(argument, "decision", log_event_decision(call, prompt));
}

static void on_attempt_started(void *argument, const struct call *call, unsigned attempt)
{
    write_event(argument, "attempt_start", log_event_attempt_start(call, attempt));
}

static void on_attempt_ended(void *argument, const struct call *call, unsigned attempt)
{
    write_event(argument, "attempt_end", log_event_attempt_end(call, attempt));
}

static void on_finished(void *argument, const struct call *call)
{
    write_event(argument, "finished", log_event_finished(call));
}

static void on_notice(void *argument, enum notice_level level, const char *text)
{
    write_event(argument, "notice", log_event_notice(level, text));
}

const struct observer *session_log_observer(void)
{
    static const struct observer observer = {
        .name = "session log",
        .session_started = on_session_started,
        .session_ended = on_session_ended,
        .context_changed = on_context_changed,
        .call_received = on_call_received,
        .asked = on_asked,
        .prompt_changed = on_prompt_changed,
        .decided = on_decided,
        .attempt_started = on_attempt_started,
        .attempt_ended = on_attempt_ended,
        .finished = on_finished,
        .notice = on_notice,
    };
    return &observer;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* A name that stays in its directory and on one line. */
static bool is_plain_name(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return name[0] != '\0' && name[0] != '.' && strspn(name, letters) == strlen(name);
}

/* The record is nobody else's business: the directory must be ours and is closed to others. */
static int open_directory(const char *path, struct error *error)
{
    int result = fd_make_directories(path, 0700);
    if (result < 0)
        return error_errno(error, -result, "cannot make the directory %s", path);
    cleanup_fd int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return error_errno(error, errno, "cannot open the directory %s", path);
    if (status.st_uid != geteuid())
        return error_set(error, EPERM, "the directory %s belongs to another user", path);
    if ((status.st_mode & 077) != 0 && fchmod(fd, 0700) < 0)
        return error_errno(error, errno, "cannot close the directory %s to others", path);
    int opened = fd;
    fd = -1;
    return opened;
}

static int create_file(const char *directory, const char *name, struct error *error)
{
    cleanup_fd int folder = open_directory(directory, error);
    if (folder < 0)
        return -1;
    cleanup_fd int fd =
        openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return error_errno(error, errno, "cannot create the session log %s/%s", directory, name);
    /* The umask may have taken from it; the entry in the directory must be on disk, too. */
    if (fchmod(fd, 0600) < 0 || fsync(folder) < 0)
        return error_errno(error, errno, "cannot create the session log %s/%s", directory, name);
    /* Held until this process ends, however it does: readers tell by it that the console lives. */
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return error_errno(error, errno, "cannot lock the session log %s/%s", directory, name);
    int opened = fd;
    fd = -1;
    return opened;
}

static json_t *start_event(const char *console_id)
{
    return json_pack("{s:s, s:s, s:I, s:I}", "console", console_id, "version", PACKAGE_VERSION,
                     "pid", (json_int_t)getpid(), "uid", (json_int_t)geteuid());
}

static void on_failure(void *argument, int number)
{
    struct session_log *log = argument;
    if (log->failed == NULL)
        return;
    cleanup_free char *message =
        xasprintf("the session log %s cannot be written (%s): nothing that needs a record will run",
                  log->path, strerror(number));
    log->failed(log->failed_argument, message);
}

struct session_log *session_log_open(struct loop *loop, const char *directory,
                                     const char *console_id, struct error *error)
{
    if (!is_plain_name(console_id)) {
        error_set(error, EINVAL, "\"%s\" is no name for a session log", console_id);
        return NULL;
    }
    cleanup_free char *name = xasprintf("%s" SESSION_LOG_SUFFIX, console_id);
    int fd = create_file(directory, name, error);
    if (fd < 0)
        return NULL;
    struct session_log *log = XNEW(struct session_log);
    log->loop = loop;
    log->path = xasprintf("%s/%s", directory, name);
    log->writer = log_writer_new(loop, fd, error);
    if (log->writer == NULL) {
        free(log->path);
        free(log);
        return NULL;
    }
    log_writer_on_failure(log->writer, on_failure, log);
    write_event(log, "log_start", start_event(console_id));
    return log;
}

void session_log_close(struct session_log **place)
{
    struct session_log *log = *place;
    if (log == NULL)
        return;
    write_event(log, "log_end", json_object());
    log_writer_free(&log->writer);
    free(log->path);
    free(log);
    *place = NULL;
}

static void commit(void *argument, void (*done)(void *done_argument, int result),
                   void *done_argument)
{
    struct session_log *log = argument;
    log_writer_sync(log->writer, done, done_argument);
}

struct commit session_log_commit(struct session_log *log)
{
    return (struct commit){.sync = commit, .argument = log};
}

const char *session_log_path(const struct session_log *log)
{
    return log->path;
}

int session_log_status(const struct session_log *log)
{
    return log_writer_status(log->writer);
}

void session_log_on_failure(struct session_log *log,
                            void (*failed)(void *argument, const char *message), void *argument)
{
    log->failed = failed;
    log->failed_argument = argument;
}
