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
#include "record/log_event.h"
#include "record/log_files.h"
#include "record/log_frame.h"
#include "record/log_writer.h"

struct session_log {
    struct loop *loop;
    struct log_writer *writer;
    char *directory, *anchors;
    char *console;
    char *path;
    struct log_head head; /* the last line that was put */
    void (*changed)(void *argument, bool failing, const char *message);
    void *changed_argument;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Takes `event` over and writes it behind the fields that every line has. */
static void write_event(struct session_log *log, const char *name, json_t *event)
{
    int64_t now = clock_wall_ms(loop_clock(log->loop));
    cleanup_free char *line = log_frame_line(++log->head.lines, log->head.hash, now, name, event);
    json_decref(event);
    sha256_of(line, strlen(line), log->head.hash);
    log_writer_put(log->writer, line, strlen(line), log->head.hash);
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

/* Without the sandbox what its scripts say counts, too. */
static void on_asked(void *argument, const struct call *call)
{
    if (call->prompt->retry)
        write_event(argument, "assessment", log_event_assessment(call));
    write_event(argument, "prompt_shown", log_event_prompt(call));
}

static void on_prompt_changed(void *argument, const struct call *call)
{
    write_event(argument, "assessment", log_event_assessment(call));
    write_event(argument, "prompt_shown", log_event_prompt(call));
}

static void on_edited(void *argument, const struct call *call)
{
    write_event(argument, "edited", log_event_edit(call));
    write_event(argument, "requirement", log_event_requirement(call));
    write_event(argument, "assessment", log_event_assessment(call));
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

static void on_connection_ended(void *argument, const struct call *call,
                                const struct reach_connection *connection)
{
    write_event(argument, "connection", log_event_connection(call, connection));
}

static void on_grant_ended(void *argument, const struct session *session, const struct grant *grant,
                           enum grant_end end)
{
    write_event(argument, "grant_ended", log_event_grant_end(session, grant, end));
}

static void on_notice(void *argument, enum notice_level level, const char *text)
{
    write_event(argument, "notice", log_event_notice(level, text));
}

static void on_conversation_opened(void *argument, const struct call *call, const char *id)
{
    write_event(argument, "conversation", log_event_conversation(call, id));
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
        .edited = on_edited,
        .decided = on_decided,
        .attempt_started = on_attempt_started,
        .attempt_ended = on_attempt_ended,
        .connection_ended = on_connection_ended,
        .conversation_opened = on_conversation_opened,
        .finished = on_finished,
        .grant_ended = on_grant_ended,
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
    /* Held until this process ends, however it does: readers tell by it that the console lives, and
     * hold it for the moment of asking. */
    if (flock(fd, LOCK_EX) < 0)
        return error_errno(error, errno, "cannot lock the session log %s/%s", directory, name);
    int opened = fd;
    fd = -1;
    return opened;
}

void session_log_begin(struct session_log *log, const char *resumes, uint64_t last_call)
{
    json_t *event =
        json_pack("{s:s, s:s, s:I, s:I}", "console", log->console, "version", PACKAGE_VERSION,
                  "pid", (json_int_t)getpid(), "uid", (json_int_t)geteuid());
    if (resumes != NULL)
        json_object_set_new(event, "resumes", json_string(resumes));
    if (last_call != 0)
        json_object_set_new(event, "last_call", json_integer((json_int_t)last_call));
    write_event(log, "log_start", event);
}

void session_log_layout(struct session_log *log, const struct call *call, bool zoomed)
{
    write_event(log, "layout", log_event_layout(call, zoomed));
}

void session_log_grants_restored(struct session_log *log, const struct session *session)
{
    for (size_t i = 0; i < grants_count(session->grants); i++)
        write_event(log, "grant_restored",
                    log_event_grant_restored(session, grants_at(session->grants, i)));
}

static void on_change(void *argument, int number)
{
    struct session_log *log = argument;
    bool room = number == ENOSPC || number == EDQUOT || number == EFBIG;
    if (log->changed == NULL)
        return;
    cleanup_free char *message =
        number == 0
            ? xasprintf("the session log %s is written again, with nothing missing", log->path)
            : xasprintf("the session log %s cannot be written (%s), and without a record nothing "
                        "runs: %s",
                        log->path, strerror(number),
                        room ? "free space there, then ask again" : "start the console again");
    log->changed(log->changed_argument, number != 0, message);
}

/* NULL with a message; owns the descriptor. */
static struct log_writer *start_writer(struct loop *loop, int fd, const char *anchors,
                                       const char *console_id, struct error *error)
{
    struct log_anchor *anchor = log_anchor_create(anchors, console_id, error);
    if (anchor != NULL)
        return log_writer_new(loop, fd, anchor, error);
    fd_close(&fd);
    return NULL;
}

static void free_log(struct session_log **place)
{
    free((*place)->console);
    free((*place)->directory);
    free((*place)->anchors);
    free((*place)->path);
    free(*place);
    *place = NULL;
}

struct session_log *session_log_open(struct loop *loop, const struct log_place *place,
                                     const char *console_id, struct error *error)
{
    if (!is_plain_name(console_id)) {
        error_set(error, EINVAL, "\"%s\" is no name for a session log", console_id);
        return NULL;
    }
    cleanup_free char *name = xasprintf("%s" LOG_FILES_SUFFIX, console_id);
    int fd = create_file(place->directory, name, error);
    if (fd < 0)
        return NULL;
    struct session_log *log = XNEW(struct session_log);
    log->loop = loop;
    log->path = xasprintf("%s/%s", place->directory, name);
    log->console = xstrdup(console_id);
    log->directory = xstrdup(place->directory);
    log->anchors = xstrdup(place->anchors);
    log->writer = start_writer(loop, fd, place->anchors, console_id, error);
    if (log->writer == NULL) {
        unlink(log->path);
        free_log(&log);
        return NULL;
    }
    log_writer_on_change(log->writer, on_change, log);
    return log;
}

void session_log_close(struct session_log **place, struct log_head *head)
{
    struct session_log *log = *place;
    if (log == NULL)
        return;
    write_event(log, "log_end", json_object());
    bool whole = log_writer_free(&log->writer);
    if (head != NULL)
        *head = whole ? log->head : (struct log_head){0};
    free_log(place);
}

static void on_removing(void *argument, const struct log_removal *removal)
{
    json_t *event = json_pack("{s:s, s:s, s:I}", "console", removal->console, "cause",
                              removal->cause, "bytes", (json_int_t)removal->bytes);
    if (removal->head != NULL) {
        char hash[SHA256_HEX_SIZE];
        sha256_hex(removal->head->hash, hash);
        json_object_set_new(event, "lines", json_integer((json_int_t)removal->head->lines));
        json_object_set_new(event, "head", json_string(hash));
    }
    write_event(argument, "log_removed", event);
}

void session_log_retain(struct session_log *log, const struct log_limits *limits)
{
    log_retain(log->directory, log->anchors, limits, loop_clock(log->loop), on_removing, log);
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

const char *session_log_console(const struct session_log *log)
{
    return log->console;
}

const char *session_log_path(const struct session_log *log)
{
    return log->path;
}

void session_log_on_change(struct session_log *log,
                           void (*changed)(void *argument, bool failing, const char *message),
                           void *argument)
{
    log->changed = changed;
    log->changed_argument = argument;
}
