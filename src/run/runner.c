/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/log.h"
#include "run/child.h"
#include "run/feed.h"
#include "run/pty.h"
#include "run/spawn.h"
#include "sandbox/helper.h"
#include "sandbox/status.h"
#include "sandbox/tree.h"

/* What one run may read in one turn, so that a flood delays neither keys nor other runs. */
#define READ_BUDGET_BYTES ((size_t)32 * 1024)
#define READ_BUDGET_MS 1
/* The same just after something was written to a run on a terminal: most likely a key, whose echo
 * somebody waits for. */
#define ECHO_BUDGET_BYTES ((size_t)4 * 1024)
#define ECHO_MS 20

/* How long output is waited for after the helper has ended: its tree is gone, so that only somebody
 * outside it, who was handed the descriptor, can still hold the other end. */
#define DRAIN_MS 250

/* How long the helper may take to kill its tree before it is itself killed with it. */
#define KILL_WAIT_MS 5000

struct stream {
    struct run *run;
    enum run_stream kind;
    int fd; /* -1 once it has ended */
    struct loop_io *io;
};

struct run {
    struct loop *loop;
    const struct run_events *events;
    void *argument;

    pid_t pid; /* the helper */
    struct child *child;
    struct feed *feed;
    struct stream streams[2];
    int stream_count;
    int status_fd;
    struct loop_io *status_io;

    struct loop_timer *timeout;
    struct loop_timer *kill;  /* the end of the grace period, then of the helper's time */
    struct loop_timer *drain; /* output does not end although the tree has */
    int64_t grace_ms;
    int64_t timeout_ms; /* 0: none */
    int64_t spent_ms;   /* running time up to the last pause */
    int64_t since_ms;   /* running since; meaningless while the clock is paused */

    bool clock_paused;
    bool frozen;
    bool stopped; /* by a signal that was sent through run_signal() */
    bool output_paused;
    bool terminating;
    bool started;
    bool failed; /* the helper told why the command never ran */
    bool reaped;
    bool ended; /* the caller was told */

    unsigned depth; /* calls to the outside that are on the stack */
    bool freed;     /* by one of them: the memory goes when the last returns */
    struct run_result result;
};

static void release(struct run *run);

/* ---- calls to the outside, which may free the run -------------------------------------------- */

static void enter(struct run *run)
{
    run->depth++;
}

/* False when the run is gone. */
static bool leave(struct run *run)
{
    run->depth--;
    if (run->freed && run->depth == 0) {
        release(run);
        return false;
    }
    return !run->freed;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool clock_stands(const struct run *run)
{
    return run->clock_paused || run->frozen;
}

static int64_t running_ms(const struct run *run)
{
    return run->spent_ms + (clock_stands(run) ? 0 : loop_now_ms(run->loop) - run->since_ms);
}

static void close_stream(struct stream *stream)
{
    loop_io_free(&stream->io);
    fd_close(&stream->fd);
}

static void close_status(struct run *run)
{
    loop_io_free(&run->status_io);
    fd_close(&run->status_fd);
}

static bool output_open(const struct run *run)
{
    return run->streams[0].fd >= 0 || run->streams[1].fd >= 0;
}

/* Tells the caller once all is over. Called last in a loop callback: the run may be gone after. */
static void end_if_over(struct run *run)
{
    if (run->ended || !run->reaped || output_open(run))
        return;
    run->ended = true;
    loop_timer_stop(run->timeout);
    loop_timer_stop(run->kill);
    loop_timer_stop(run->drain);
    enter(run);
    run->events->ended(run->argument, &run->result);
    leave(run);
}

static void arm_drain(struct run *run)
{
    if (run->reaped && output_open(run) && !run->output_paused)
        loop_timer_start(run->drain, DRAIN_MS);
}

static void on_drain(void *argument)
{
    struct run *run = argument;
    log_info("run", "output of %d is held open from outside its tree", (int)run->pid);
    close_stream(&run->streams[0]);
    close_stream(&run->streams[1]);
    end_if_over(run);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Fills the buffer as far as there is something, and time: a command that writes while it is read
 * is never done. Returns the bytes; *end when nothing will come. */
static size_t gather(const struct run *run, int fd, char *bytes, size_t length, int64_t stop_ms,
                     bool *end)
{
    size_t done = 0;
    while (done < length && (done == 0 || loop_now_ms(run->loop) < stop_ms)) {
        ssize_t count = read(fd, bytes + done, length - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count <= 0) { /* EIO on a terminal: its last user has closed it */
            *end = true;
            break;
        }
        done += (size_t)count;
    }
    return done;
}

static size_t budget(const struct run *run)
{
    size_t bytes = loop_hurries(run->loop) ? ECHO_BUDGET_BYTES : READ_BUDGET_BYTES;
    return bytes / (size_t)run->stream_count;
}

static void on_output(int fd, unsigned events, void *argument)
{
    (void)events;
    struct stream *stream = argument;
    struct run *run = stream->run;
    char bytes[READ_BUDGET_BYTES];
    int64_t stop_ms = loop_now_ms(run->loop) + READ_BUDGET_MS;
    bool end = false;
    size_t count = gather(run, fd, bytes, budget(run), stop_ms, &end);
    if (count > 0) {
        enter(run);
        run->events->output(run->argument, stream->kind, bytes, count);
        if (!leave(run))
            return;
    }
    if (end)
        close_stream(stream);
    end_if_over(run);
}

static void watch_output(struct run *run)
{
    for (int i = 0; i < run->stream_count; i++)
        if (run->streams[i].io != NULL)
            loop_io_set(run->streams[i].io, run->output_paused ? 0 : LOOP_READ);
}

static void add_stream(struct run *run, enum run_stream kind, int fd)
{
    struct stream *stream = &run->streams[run->stream_count++];
    *stream = (struct stream){.run = run, .kind = kind, .fd = fd};
    stream->io = loop_io_new(run->loop, fd, on_output, stream);
    loop_io_set(stream->io, LOOP_READ);
}

/* ---- what the helper tells ------------------------------------------------------------------- */

static void take_failure(struct run *run, const struct status_message *message, const char *verb)
{
    struct run_result *result = &run->result;
    run->failed = true;
    result->outcome = RUN_FAILED;
    if (message->number != 0)
        snprintf(result->failure, sizeof(result->failure), "%s %s: %s", verb, message->text,
                 strerror(message->number));
    else
        snprintf(result->failure, sizeof(result->failure), "%s %s", verb, message->text);
}

static int steal_descriptor(int *descriptor)
{
    int stolen = *descriptor;
    *descriptor = -1;
    return stolen;
}

/* `descriptor` came with the message, or is -1; what is not taken stays with the caller. */
static void take_message(struct run *run, const struct status_message *message, int *descriptor)
{
    struct run_result *result = &run->result;
    switch (message->kind) {
    case STATUS_LAYERS:
        if (strcmp(message->text, "none") != 0)
            snprintf(result->layers, sizeof(result->layers), "%s", message->text);
        break;
    case STATUS_GATEWAY:
        if (run->events->gateway != NULL && *descriptor >= 0)
            run->events->gateway(run->argument, steal_descriptor(descriptor));
        break;
    case STATUS_STARTED:
        run->started = true;
        if (run->frozen) /* there was nothing to stop yet */
            child_signal(run->child, SIGTSTP);
        run->events->started(run->argument, run->pid);
        break;
    case STATUS_EXEC_FAILED:
        take_failure(run, message, "cannot execute");
        break;
    case STATUS_FAILED:
        take_failure(run, message, "cannot make the sandbox:");
        break;
    case STATUS_DENIED:
        if (result->blocked[0] == '\0')
            snprintf(result->blocked, sizeof(result->blocked), "%s %s", message->operation,
                     message->text);
        break;
    case STATUS_ALARM:
        if (result->alarm[0] == '\0')
            snprintf(result->alarm, sizeof(result->alarm), "%s", message->text);
        break;
    }
}

/* One packet, as recv(2), and the descriptor that came with it, or -1. */
static ssize_t receive(int fd, char packet[STATUS_MESSAGE_MAX], int *descriptor)
{
    struct iovec part = {packet, STATUS_MESSAGE_MAX};
    union {
        struct cmsghdr head; /* for its alignment */
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    *descriptor = -1;
    ssize_t length = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const struct cmsghdr *rights = length > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (rights != NULL && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS &&
        rights->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(rights), sizeof *descriptor);
    return length;
}

/* Reads all that is there. False when the run is gone. */
static bool read_status(struct run *run)
{
    char packet[STATUS_MESSAGE_MAX];
    struct status_message message;
    while (run->status_fd >= 0) {
        cleanup_fd int descriptor = -1;
        ssize_t length = receive(run->status_fd, packet, &descriptor);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && errno == EAGAIN)
            return true;
        if (length <= 0) {
            close_status(run);
            return true;
        }
        if (status_parse(packet, (size_t)length, &message) < 0) {
            log_warning("run", "the helper %d told something unknown", (int)run->pid);
            continue;
        }
        enter(run);
        take_message(run, &message, &descriptor);
        if (!leave(run))
            return false;
    }
    return true;
}

static void on_status(int fd, unsigned events, void *argument)
{
    (void)fd;
    (void)events;
    read_status(argument);
}

static void judge_end(struct run *run, int status)
{
    struct run_result *result = &run->result;
    result->duration_ms = running_ms(run);
    if (WIFSIGNALED(status)) {
        result->signal = WTERMSIG(status);
        result->code = 128 + result->signal;
    } else {
        result->code = WEXITSTATUS(status);
    }
    if (run->failed)
        return;
    if (!run->started && !run->terminating) {
        result->outcome = RUN_FAILED;
        snprintf(result->failure, sizeof(result->failure),
                 "the sandbox helper ended before the command ran");
        result->code = HELPER_EXIT_FAILED;
        result->signal = 0;
        return;
    }
    result->outcome = WIFSIGNALED(status) ? RUN_SIGNALED : RUN_EXITED;
}

static void on_child_ended(void *argument, int status)
{
    struct run *run = argument;
    if (!read_status(run))
        return;
    close_status(run);
    run->reaped = true;
    judge_end(run, status);
    loop_timer_stop(run->timeout);
    loop_timer_stop(run->kill);
    feed_free(&run->feed);
    arm_drain(run);
    end_if_over(run);
}

/* ---- time, and the end by force -------------------------------------------------------------- */

static void arm_timeout(struct run *run)
{
    if (run->timeout_ms == 0 || clock_stands(run) || run->reaped)
        return;
    int64_t left = run->timeout_ms - running_ms(run);
    loop_timer_start(run->timeout, left > 0 ? left : 0);
}

static void kill_helper(struct run *run)
{
    tree_kill(run->pid);
    child_signal(run->child, SIGKILL);
}

/* The helper kills its tree when nobody listens to it any more, and ends when none of it is left,
 * which only it can tell for sure: it adopts what loses its parent. */
static void kill_now(struct run *run)
{
    run->terminating = true;
    loop_timer_stop(run->timeout);
    close_status(run);
    loop_timer_start(run->kill, KILL_WAIT_MS);
}

/* TERM goes to the helper, which passes it on to the whole tree. What is stopped would not notice;
 * CONT wakes it. What is frozen must not run once more, not even to end. */
static void terminate(struct run *run)
{
    if (run->terminating || run->reaped)
        return;
    if (run->frozen) {
        kill_now(run);
        return;
    }
    run->terminating = true;
    loop_timer_stop(run->timeout);
    child_signal(run->child, SIGTERM);
    child_signal(run->child, SIGCONT);
    loop_timer_start(run->kill, run->grace_ms);
}

static void on_timeout(void *argument)
{
    struct run *run = argument;
    run->result.timed_out = true;
    terminate(run);
}

static void on_kill(void *argument)
{
    struct run *run = argument;
    if (run->status_fd < 0)
        kill_helper(run);
    else if (read_status(run)) /* what it told before its end */
        kill_now(run);
}

/* ---- the interface --------------------------------------------------------------------------- */

struct run *run_start(struct loop *loop, const struct exec_request *request,
                      const struct run_options *options, const struct run_events *events,
                      void *argument, struct error *error)
{
    struct spawn spawn;
    if (spawn_helper(request, options, &spawn, error) < 0)
        return NULL;
    struct run *run = XNEW(struct run);
    run->loop = loop;
    run->events = events;
    run->argument = argument;
    run->pid = spawn.pid;
    run->grace_ms = options->grace_ms;
    run->timeout_ms = options->timeout_ms;
    run->since_ms = loop_now_ms(loop);
    run->streams[1].fd = -1;
    add_stream(run, options->tty ? RUN_TERMINAL : RUN_STDOUT, spawn.output);
    if (spawn.errors >= 0)
        add_stream(run, RUN_STDERR, spawn.errors);
    if (spawn.input >= 0)
        run->feed = feed_new(loop, spawn.input, options->tty);
    run->status_fd = spawn.status;
    run->status_io = loop_io_new(loop, spawn.status, on_status, run);
    loop_io_set(run->status_io, LOOP_READ);
    run->child = child_new(loop, spawn.pid, on_child_ended, run);
    run->timeout = loop_timer_new(loop, on_timeout, run);
    run->kill = loop_timer_new(loop, on_kill, run);
    run->drain = loop_timer_new(loop, on_drain, run);
    arm_timeout(run);
    return run;
}

static void release(struct run *run)
{
    if (!run->reaped) {
        close_status(run);
        if (!child_wait(run->child, KILL_WAIT_MS)) {
            kill_helper(run);
            child_wait(run->child, KILL_WAIT_MS);
        }
    }
    close_stream(&run->streams[0]);
    close_stream(&run->streams[1]);
    close_status(run);
    feed_free(&run->feed);
    child_free(&run->child);
    loop_timer_free(&run->timeout);
    loop_timer_free(&run->kill);
    loop_timer_free(&run->drain);
    free(run);
}

void run_free(struct run **place)
{
    struct run *run = *place;
    if (run == NULL)
        return;
    *place = NULL;
    run->freed = true;
    run->ended = true;
    if (run->depth == 0)
        release(run);
}

pid_t run_pid(const struct run *run)
{
    return run->pid;
}

int run_write(struct run *run, const char *bytes, size_t length)
{
    if (run->stream_count > 0 && run->streams[0].kind == RUN_TERMINAL)
        loop_hurry(run->loop, ECHO_MS);
    return run->feed != NULL ? feed_write(run->feed, bytes, length) : -EPIPE;
}

void run_write_end(struct run *run)
{
    if (run->feed != NULL)
        feed_end(run->feed);
}

void run_pause_output(struct run *run, bool pause)
{
    if (pause == run->output_paused)
        return;
    run->output_paused = pause;
    watch_output(run);
    if (pause)
        loop_timer_stop(run->drain);
    else
        arm_drain(run);
}

/* Something changed that the clock stands still for; before it, `running` was its time. */
static void clock_changed(struct run *run, int64_t running)
{
    run->spent_ms = running;
    run->since_ms = loop_now_ms(run->loop);
    loop_timer_stop(run->timeout);
    if (!run->terminating)
        arm_timeout(run);
}

void run_pause_clock(struct run *run, bool pause)
{
    int64_t running = running_ms(run);
    if (pause == run->clock_paused || run->reaped)
        return;
    run->clock_paused = pause;
    clock_changed(run, running);
}

void run_freeze(struct run *run, bool freeze)
{
    int64_t running = running_ms(run);
    if (freeze == run->frozen || run->reaped)
        return;
    run->frozen = freeze;
    clock_changed(run, running);
    if (freeze)
        child_signal(run->child, SIGTSTP);
    else if (!run->stopped)
        child_signal(run->child, SIGCONT);
}

void run_resize(struct run *run, int rows, int columns)
{
    struct stream *terminal = &run->streams[0];
    if (terminal->kind == RUN_TERMINAL && terminal->fd >= 0)
        pty_resize(terminal->fd, rows, columns);
}

/* What the helper passes on goes by way of it, since it knows its own processes from the command's;
 * it takes TSTP for "stop" whatever the command does with that. */
int run_signal(struct run *run, int number)
{
    if (run->reaped)
        return -ESRCH;
    if (number == SIGTSTP || number == SIGSTOP || number == SIGCONT) {
        run->stopped = number != SIGCONT;
        if (run->frozen)
            return 0;
    }
    switch (number) {
    case SIGTERM:
    case SIGINT:
    case SIGHUP:
    case SIGQUIT:
    case SIGTSTP:
    case SIGCONT:
    case SIGUSR1:
    case SIGUSR2:
    case SIGWINCH:
        return child_signal(run->child, number);
    case SIGSTOP:
        return child_signal(run->child, SIGTSTP);
    case SIGKILL:
        kill_now(run);
        return 0;
    default:
        return tree_signal(run->pid, number);
    }
}

void run_cancel(struct run *run)
{
    if (run->reaped)
        return;
    run->result.cancelled = true;
    /* Nobody waits for output any more: a command that blocks on a full pipe must not hang on. */
    run_pause_output(run, false);
    terminate(run);
}
