/* SPDX-License-Identifier: MIT */
/*
 * runner: starts an exec request, passes its output on, ends it.
 *
 * Every command starts through the helper assent-sandbox by posix_spawn (also when nothing
 * confines it), in a session of its own, on a PTY or on pipes. The runner knows nothing of
 * approvals: it runs what it is given, once.
 *
 * A run has ended when its whole process tree is gone (process group and every descendant, also
 * one that left the group by setsid) and its output has been read to the end; a survivor that
 * keeps the terminal open is killed with the rest.
 */
#ifndef ASSENT_RUN_RUNNER_H
#define ASSENT_RUN_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/loop.h"
#include "run/foreground.h"
#include "sandbox/status.h"

struct exec_request; /* sandbox/command.h */
struct run;

enum run_stream { RUN_STDOUT, RUN_STDERR, RUN_TERMINAL };

enum run_outcome {
    RUN_EXITED,   /* `code` is the exit status */
    RUN_SIGNALED, /* `signal` ended it */
    RUN_FAILED,   /* it never ran: `failure` says why, `code` is 126, 127 or 125 */
};

struct run_result {
    enum run_outcome outcome;
    int code;            /* 0..255; 128+signal when a signal ended it */
    int signal;          /* signal number, 0 unless RUN_SIGNALED */
    bool timed_out;      /* the runner ended it because its time was over */
    bool cancelled;      /* the runner ended it because run_cancel() was called */
    int64_t duration_ms; /* wall time while it ran (paused time not counted) */
    int64_t paused_ms;   /* what is not: it was frozen, or waited for an answer */
    char failure[512];   /* safe to log, not escaped for display */
    char layers[256];    /* what the helper says confines it ("landlock,seccomp"), "" for none */
    /* The first names at the top of its workspace that the sandbox held placeholders for, with "/"
     * between, not escaped; and how many there were. */
    char placeholders[STATUS_NAMES_MAX];
    unsigned placeholder_count;
    char blocked[512]; /* operation that the sandbox reports as refused ("write /path"), or "" */
    char alarm[512];   /* first alarm of the helper (sandbox/status.h), or "" */
    unsigned alarms;   /* how many there were */
};

struct run_events {
    /* The command itself (not the helper) runs; `pid` is the helper's, which leads the session. */
    void (*started)(void *argument, pid_t pid);
    /* Output, at most 8 KiB a call; the bytes are valid during the call only. */
    void (*output)(void *argument, enum run_stream stream, const char *bytes, size_t length);
    /* Last call of a run, exactly once, never from inside run_start() or run_cancel(). */
    void (*ended)(void *argument, const struct run_result *result);
    /* Before `started`: the sandbox's way out is there: the command's connections come in on this
     * listening socket, which the callee owns. May be NULL: it is closed then. */
    void (*gateway)(void *argument, int listener);
    /* The helper's first alarm, while the command runs or at its end. May be NULL. */
    void (*alarm)(void *argument, const char *text);
};

struct run_options {
    bool tty;           /* a PTY; else pipes */
    bool split_streams; /* stdout and stderr apart (pipes only); else both are RUN_STDOUT */
    bool stdin_open;    /* pipes: stdin is a pipe that run_write() feeds; else /dev/null */
    int rows, columns;  /* PTY size, at least 1x1 */
    int64_t timeout_ms; /* running time allowed; 0: no limit */
    int64_t grace_ms;   /* between TERM and KILL */
};

/* Starts; the result is owned by the caller, who frees it after `ended`. NULL with a message when
 * not even the helper could be started. `request` is only read during the call. */
struct run *run_start(struct loop *loop, const struct exec_request *request,
                      const struct run_options *options, const struct run_events *events,
                      void *argument, struct error *error);

/* How long it has run so far, and how long it stood still: as in its result, for one that is freed
 * before it has any. */
int64_t run_spent_ms(const struct run *run);
int64_t run_stood_ms(const struct run *run);

/* Kills what still runs (KILL at once) and frees. `ended` is not called any more. */
void run_free(struct run **run);

pid_t run_pid(const struct run *run);

/* Queues input (copied) for the PTY or the stdin pipe; at most 4 MiB may wait. 0, -EAGAIN when the
 * queue is full (nothing taken), -EPIPE when there is no stdin (any more). For a moment after input
 * for a PTY all runs of the loop read little at a time, so that its echo does not wait for them. */
int run_write(struct run *run, const char *bytes, size_t length);
/* No more input: closes the pipe once the queue is written; on a PTY sends its EOF character. */
void run_write_end(struct run *run);

/* Stops or goes on reading output (back-pressure: the command blocks when its pipe is full). */
void run_pause_output(struct run *run, bool pause);
/* The time-out clock stands still while paused (a prompt is open). Nested calls do not count. */
void run_pause_clock(struct run *run, bool pause);
/* Stops the whole tree, and its time with it, until it is taken back; what stops or continues it
 * meanwhile takes effect then. One that is cancelled meanwhile is killed without grace: it does
 * not run again. Repeating it changes nothing. */
void run_freeze(struct run *run, bool freeze);
/* Does it run on a terminal that takes a line without showing it, as for a password? */
bool run_hides_input(const struct run *run);
/* What its program is about, when it runs on a terminal; else it works. */
enum foreground run_foreground(const struct run *run);
void run_resize(struct run *run, int rows, int columns);
/* A signal to every process of the tree (SIGSTOP, SIGCONT, SIGINT …). 0 or -errno. */
int run_signal(struct run *run, int number);
/* TERM to the whole tree, KILL after the grace period. Idempotent. */
void run_cancel(struct run *run);

#endif
