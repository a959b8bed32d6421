/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/log.h"
#include "run/child.h"
#include "run/feed.h"
#include "run/limit.h"
#include "run/pty.h"
#include "run/spawn.h"
#include "run/stream.h"
#include "run/told.h"
#include "sandbox/helper.h"
#include "sandbox/tree.h"

/* How long after something was written to a run on a terminal (most likely a key) somebody waits
 * for its echo. */
#define ECHO_MS 20

/* How long output is waited for after the helper has ended: its tree is gone, so that only somebody
 * outside it, who was handed the descriptor, can still hold the other end. */
#define DRAIN_MS 250
/* As much as the tree can have left in a pipe (pipe(7): /proc/sys/fs/pipe-max-size); it is waited
 * for as long as it takes, on a busy machine, to read it. */
#define LEFT_BYTES_MAX ((size_t)1024 * 1024)

/* How long the helper may take to kill its tree before it is itself killed with it. */
#define KILL_WAIT_MS 5000

struct run {
    struct loop *loop;
    const struct run_events *events;
    void *argument;

    pid_t pid; /* the helper */
    struct child *child;
    struct feed *feed;
    bool tty;
    struct stream *streams[2]; /* NULL: there is none, or it has ended; the second is RUN_STDERR */
    struct told *told;         /* NULL once nobody listens to the helper */

    struct limit *limit;
    struct loop_timer *kill;  /* the end of the grace period, then of the helper's time */
    struct loop_timer *drain; /* output does not end although the tree has */
    size_t late_bytes;        /* that came after the helper had ended */
    int64_t grace_ms;

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

static bool output_open(const struct run *run)
{
    return run->streams[0] != NULL || run->streams[1] != NULL;
}

/* Tells the caller once all is over. Called last in a loop callback: the run may be gone after. */
static void end_if_over(struct run *run)
{
    if (run->ended || !run->reaped || output_open(run))
        return;
    run->ended = true;
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

static bool output_waits(const struct run *run)
{
    for (size_t i = 0; i < 2; i++)
        if (run->streams[i] != NULL && fd_is_ready(stream_fd(run->streams[i]), POLLIN))
            return true;
    return false;
}

static void on_drain(void *argument)
{
    struct run *run = argument;
    if (output_waits(run) && run->late_bytes < LEFT_BYTES_MAX) {
        loop_timer_start(run->drain, DRAIN_MS);
        return;
    }
    log_info("run", "output of %d is held open from outside its tree", (int)run->pid);
    stream_free(&run->streams[0]);
    stream_free(&run->streams[1]);
    end_if_over(run);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void on_output(void *argument, enum run_stream kind, const char *bytes, size_t length,
                      bool end)
{
    struct run *run = argument;
    run->late_bytes += run->reaped ? length : 0;
    if (length > 0) {
        enter(run);
        run->events->output(run->argument, kind, bytes, length);
        if (!leave(run))
            return;
    }
    if (end)
        stream_free(&run->streams[kind == RUN_STDERR]);
    end_if_over(run);
}

static void start_output(struct run *run, const struct spawn *spawn)
{
    size_t count = spawn->errors >= 0 ? 2 : 1;
    enum run_stream kind = run->tty ? RUN_TERMINAL : RUN_STDOUT;
    run->streams[0] = stream_new(run->loop, spawn->output, kind, count, on_output, run);
    if (spawn->errors >= 0)
        run->streams[1] = stream_new(run->loop, spawn->errors, RUN_STDERR, count, on_output, run);
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

static void take_alarm(struct run *run, const char *text)
{
    struct run_result *result = &run->result;
    if (result->alarms++ > 0)
        return;
    snprintf(result->alarm, sizeof(result->alarm), "%s", text);
    if (run->events->alarm != NULL)
        run->events->alarm(run->argument, result->alarm);
}

static void take_placeholders(struct run_result *result, unsigned count, const char *names)
{
    result->placeholder_count = count;
    snprintf(result->placeholders, sizeof(result->placeholders), "%s", names);
}

/* `descriptor` came with the message, or is -1; what is not taken stays with the caller. */
static void take_message(struct run *run, const struct status_message *message, int *descriptor)
{
    struct run_result *result = &run->result;
    switch (message->kind) {
    case STATUS_LAYERS:
        if (strcmp(message->text, "none") != 0)
            snprintf(result->layers, sizeof(result->layers), "%s", message->text);
        take_placeholders(result, 0, ""); /* those of a try before this one are gone */
        break;
    case STATUS_PLACEHOLDERS:
        take_placeholders(result, (unsigned)message->number, message->text);
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
        take_alarm(run, message->text);
        break;
    }
}

/* Reads all that is there. False when the run is gone. */
static bool read_status(struct run *run)
{
    struct status_message message;
    while (run->told != NULL) {
        cleanup_fd int descriptor = -1;
        switch (told_read(run->told, &message, &descriptor)) {
        case TOLD_NOTHING:
            return true;
        case TOLD_END:
            told_free(&run->told);
            return true;
        case TOLD_UNKNOWN:
            log_warning("run", "the helper %d told something unknown", (int)run->pid);
            continue;
        case TOLD_MESSAGE:
            break;
        }
        enter(run);
        take_message(run, &message, &descriptor);
        if (!leave(run))
            return false;
    }
    return true;
}

static void on_told(void *argument)
{
    read_status(argument);
}

static void judge_end(struct run *run, int status)
{
    struct run_result *result = &run->result;
    result->duration_ms = limit_spent_ms(run->limit);
    result->paused_ms = limit_stood_ms(run->limit);
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
    told_free(&run->told);
    run->reaped = true;
    judge_end(run, status);
    limit_lift(run->limit);
    loop_timer_stop(run->kill);
    feed_free(&run->feed);
    arm_drain(run);
    end_if_over(run);
}

/* ---- time, and the end by force -------------------------------------------------------------- */

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
    limit_lift(run->limit);
    told_free(&run->told);
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
    limit_lift(run->limit);
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
    if (run->told == NULL)
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
    run->tty = options->tty;
    start_output(run, &spawn);
    if (spawn.input >= 0)
        run->feed = feed_new(loop, spawn.input, options->tty);
    run->told = told_new(loop, spawn.status, on_told, run);
    run->child = child_new(loop, spawn.pid, on_child_ended, run);
    run->limit = limit_new(loop, options->timeout_ms, on_timeout, run);
    run->kill = loop_timer_new(loop, on_kill, run);
    run->drain = loop_timer_new(loop, on_drain, run);
    return run;
}

static void release(struct run *run)
{
    if (!run->reaped) {
        told_free(&run->told);
        if (!child_wait(run->child, KILL_WAIT_MS)) {
            kill_helper(run);
            child_wait(run->child, KILL_WAIT_MS);
        }
    }
    stream_free(&run->streams[0]);
    stream_free(&run->streams[1]);
    told_free(&run->told);
    feed_free(&run->feed);
    child_free(&run->child);
    limit_free(&run->limit);
    loop_timer_free(&run->kill);
    loop_timer_free(&run->drain);
    free(run);
}

int64_t run_spent_ms(const struct run *run)
{
    return limit_spent_ms(run->limit);
}

int64_t run_stood_ms(const struct run *run)
{
    return limit_stood_ms(run->limit);
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
    if (run->tty)
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
    for (int i = 0; i < 2; i++)
        if (run->streams[i] != NULL)
            stream_pause(run->streams[i], pause);
    if (pause)
        loop_timer_stop(run->drain);
    else
        arm_drain(run);
}

/* The clock stands still as long as anything wants it to. */
static void set_clock(struct run *run)
{
    limit_stand(run->limit, run->clock_paused || run->frozen);
}

void run_pause_clock(struct run *run, bool pause)
{
    if (pause == run->clock_paused || run->reaped)
        return;
    run->clock_paused = pause;
    set_clock(run);
}

void run_freeze(struct run *run, bool freeze)
{
    if (freeze == run->frozen || run->reaped)
        return;
    run->frozen = freeze;
    set_clock(run);
    if (freeze)
        child_signal(run->child, SIGTSTP);
    else if (!run->stopped)
        child_signal(run->child, SIGCONT);
}

bool run_hides_input(const struct run *run)
{
    return run->tty && run->streams[0] != NULL && pty_hides_input(stream_fd(run->streams[0]));
}

enum foreground run_foreground(const struct run *run)
{
    return run->tty && run->streams[0] != NULL ? foreground_look(stream_fd(run->streams[0]))
                                               : FOREGROUND_WORKS;
}

void run_resize(struct run *run, int rows, int columns)
{
    if (run->tty && run->streams[0] != NULL)
        pty_resize(stream_fd(run->streams[0]), rows, columns);
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
