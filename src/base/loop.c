/* SPDX-License-Identifier: MIT */
/*
 * loop: one turn is: wait for descriptors and signals (libevent), fire the timers that are due
 * (a heap of our own, so that they follow a clock that a test moves), call the turn functions.
 */
#include "config.h"

#include "base/loop.h"

#include <assert.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/due_heap.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/wait_limit.h"

struct loop {
    const struct clock *clock;
    struct event_base *base;
    struct wait_limit limit;
    struct event *limit_event;
    struct event *wake_event;
    int wake_fds[2];
    atomic_bool wake_pending;     /* a byte is in the pipe, or about to be */
    struct due_heap timers;       /* that run */
    uint64_t sequence;            /* counts timer starts and turn registrations */
    struct loop_turn *turns;      /* in order of registration */
    struct loop_io *always_ready; /* descriptors that the system cannot watch */
    int64_t hurry_until_ms;
    size_t watchers; /* that were handed out and not freed */
    bool stopped, in_turn;
    bool gave_way; /* in this turn */
};

struct loop_io {
    struct loop *loop;
    struct event *event;
    void (*callback)(int fd, unsigned events, void *argument);
    void *argument;
    int fd;
    unsigned events;
    struct loop_io *next, **place; /* in always_ready; place is NULL when not in it */
};

struct loop_timer {
    struct due due; /* first: a struct due * is a struct loop_timer * */
    struct loop *loop;
    void (*callback)(void *argument);
    void *argument;
};

struct loop_signal {
    struct loop *loop;
    struct event *event;
    void (*callback)(int number, void *argument);
    void *argument;
};

struct loop_turn {
    struct loop *loop;
    void (*callback)(void *argument); /* NULL once freed while the list is walked */
    void *argument;
    uint64_t sequence;
    struct loop_turn *next;
};

/* ---- the loop ------------------------------------------------------------------------------ */

/* libevent's own messages would go to standard error, which is the console's screen. */
static void libevent_message(int severity, const char *message)
{
    if (severity >= EVENT_LOG_WARN)
        log_warning("loop", "libevent: %s", message);
    else
        log_debug("loop", "libevent: %s", message);
}

static void libevent_fatal(int number)
{
    fprintf(stderr, "assent: the event library gave up (error %d)\n", number);
    abort();
}

static void wake_received(evutil_socket_t fd, short what, void *argument)
{
    struct loop *loop = argument;
    char bytes[16];
    (void)what;
    while (read(fd, bytes, sizeof bytes) > 0)
        continue;
    /* After the read: a wake that comes in between needs no byte, the turn functions still run.
     * The other way round its byte could be eaten with the flag left set: deaf for ever. */
    atomic_store(&loop->wake_pending, false);
}

static void limit_reached(evutil_socket_t fd, short what, void *argument)
{
    (void)fd, (void)what;
    wait_limit_reached(argument);
}

static struct event_base *new_base(void)
{
    struct event_config *config = event_config_new();
    if (!config)
        return NULL;
    /* IGNORE_ENV: the environment must not choose the backend. */
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_IGNORE_ENV);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

static void cannot_start(const char *what)
{
    fprintf(stderr, "assent: cannot make an event loop: %s: %s\n", what, strerror(errno));
    exit(125);
}

static struct event *new_event(struct loop *loop, int fd, short what, event_callback_fn callback,
                               void *argument)
{
    struct event *event = event_new(loop->base, fd, what, callback, argument);
    if (!event)
        cannot_start("event_new");
    return event;
}

struct loop *loop_new(const struct clock *clock)
{
    event_set_log_callback(libevent_message);
    event_set_fatal_callback(libevent_fatal);
    struct loop *loop = XNEW(struct loop);
    loop->clock = clock;
    loop->base = new_base();
    if (!loop->base)
        cannot_start("event_base_new");
    if (pipe(loop->wake_fds) < 0)
        cannot_start("pipe");
    for (int i = 0; i < 2; i++) {
        fd_set_cloexec(loop->wake_fds[i], true);
        fd_set_nonblock(loop->wake_fds[i], true);
    }
    if (wait_limit_open(&loop->limit) < 0)
        cannot_start("a timer");
    loop->limit_event =
        new_event(loop, loop->limit.fd, EV_READ | EV_PERSIST, limit_reached, &loop->limit);
    if (event_add(loop->limit_event, NULL) < 0)
        cannot_start("watching a timer");
    loop->wake_event =
        new_event(loop, loop->wake_fds[0], EV_READ | EV_PERSIST, wake_received, loop);
    if (event_add(loop->wake_event, NULL) < 0)
        cannot_start("event_add");
    return loop;
}

void loop_free(struct loop **place)
{
    struct loop *loop = *place;
    if (!loop)
        return;
    assert(loop->watchers == 0 && !loop->in_turn);
    event_free(loop->limit_event);
    wait_limit_close(&loop->limit);
    event_free(loop->wake_event);
    event_base_free(loop->base);
    fd_close(&loop->wake_fds[0]);
    fd_close(&loop->wake_fds[1]);
    due_heap_clear(&loop->timers);
    free(loop);
    *place = NULL;
}

const struct clock *loop_clock(const struct loop *loop)
{
    return loop->clock;
}

int64_t loop_now_ms(const struct loop *loop)
{
    return clock_monotonic_ms(loop->clock);
}

void loop_wake(struct loop *loop)
{
    int saved = errno;
    /* A full pipe cannot be: the flag keeps it at one byte. */
    if (!atomic_exchange(&loop->wake_pending, true))
        while (write(loop->wake_fds[1], "", 1) < 0 && errno == EINTR)
            continue;
    errno = saved;
}

void loop_hurry(struct loop *loop, int ms)
{
    loop->hurry_until_ms = loop_now_ms(loop) + ms;
}

bool loop_hurries(const struct loop *loop)
{
    return loop_now_ms(loop) < loop->hurry_until_ms;
}

void loop_give_way(struct loop *loop)
{
    if (!loop->gave_way)
        sched_yield();
    loop->gave_way = true;
}

/* ---- descriptors --------------------------------------------------------------------------- */

static void io_happened(evutil_socket_t fd, short what, void *argument)
{
    struct loop_io *io = argument;
    unsigned events = (what & EV_READ ? LOOP_READ : 0) | (what & EV_WRITE ? LOOP_WRITE : 0);
    /* Nothing may be touched after this: the callback may free the watcher. */
    io->callback((int)fd, events, io->argument);
}

static short libevent_events(unsigned events)
{
    return (short)((events & LOOP_READ ? EV_READ : 0) | (events & LOOP_WRITE ? EV_WRITE : 0));
}

struct loop_io *loop_io_new(struct loop *loop, int fd,
                            void (*callback)(int fd, unsigned events, void *argument),
                            void *argument)
{
    struct loop_io *io = XNEW(struct loop_io);
    io->loop = loop;
    io->fd = fd;
    io->callback = callback;
    io->argument = argument;
    io->event = new_event(loop, fd, EV_PERSIST, io_happened, io);
    loop->watchers++;
    return io;
}

static void always_ready_add(struct loop_io *io)
{
    struct loop *loop = io->loop;
    io->next = loop->always_ready;
    io->place = &loop->always_ready;
    if (io->next)
        io->next->place = &io->next;
    loop->always_ready = io;
}

static void always_ready_remove(struct loop_io *io)
{
    if (!io->place)
        return;
    *io->place = io->next;
    if (io->next)
        io->next->place = io->place;
    io->place = NULL;
}

void loop_io_set(struct loop_io *io, unsigned events)
{
    if (events == io->events)
        return;
    io->events = events;
    event_del(io->event); /* also takes back what is pending in this turn */
    always_ready_remove(io);
    if (!events)
        return;
    event_assign(io->event, io->loop->base, io->fd, libevent_events(events) | EV_PERSIST,
                 io_happened, io);
    errno = 0;
    if (event_add(io->event, NULL) == 0)
        return;
    /* Regular files and /dev/null cannot be watched (EPERM): they never block, so they are ready in
     * every turn. Any other error becomes visible in the same way, at the read or write. */
    if (errno != EPERM)
        log_warning("loop", "cannot watch descriptor %d: %s", io->fd, strerror(errno));
    always_ready_add(io);
}

void loop_io_free(struct loop_io **place)
{
    struct loop_io *io = *place;
    if (!io)
        return;
    event_free(io->event);
    always_ready_remove(io);
    io->loop->watchers--;
    free(io);
    *place = NULL;
}

/* ---- timers -------------------------------------------------------------------------------- */

struct loop_timer *loop_timer_new(struct loop *loop, void (*callback)(void *argument),
                                  void *argument)
{
    struct loop_timer *timer = XNEW(struct loop_timer);
    timer->loop = loop;
    timer->callback = callback;
    timer->argument = argument;
    timer->due.index = DUE_NOWHERE;
    loop->watchers++;
    return timer;
}

void loop_timer_start(struct loop_timer *timer, int64_t ms)
{
    struct loop *loop = timer->loop;
    loop_timer_stop(timer);
    if (__builtin_add_overflow(loop_now_ms(loop), ms > 0 ? ms : 0, &timer->due.at_ms))
        timer->due.at_ms = INT64_MAX;
    timer->due.sequence = loop->sequence++;
    due_heap_add(&loop->timers, &timer->due);
}

void loop_timer_stop(struct loop_timer *timer)
{
    due_heap_remove(&timer->loop->timers, &timer->due);
}

bool loop_timer_running(const struct loop_timer *timer)
{
    return timer->due.index != DUE_NOWHERE;
}

void loop_timer_free(struct loop_timer **place)
{
    struct loop_timer *timer = *place;
    if (!timer)
        return;
    loop_timer_stop(timer);
    timer->loop->watchers--;
    free(timer);
    *place = NULL;
}

/* Fires what is due, except timers started since the turn began (`started` counts on): a timer that
 * restarts itself with 0 must not keep the loop here. Those are due no earlier than the others
 * (time does not run backwards), so that the first of them ends the walk. */
static void fire_timers(struct loop *loop, uint64_t started)
{
    int64_t now = loop_now_ms(loop);
    for (struct due *due; (due = due_heap_first(&loop->timers)) != NULL;) {
        struct loop_timer *timer = (struct loop_timer *)due;
        if (due->at_ms > now || due->sequence >= started)
            break;
        loop_timer_stop(timer);
        timer->callback(timer->argument);
    }
}

/* ---- signals ------------------------------------------------------------------------------- */

static void signal_happened(evutil_socket_t number, short what, void *argument)
{
    struct loop_signal *signal = argument;
    (void)what;
    signal->callback((int)number, signal->argument);
}

struct loop_signal *loop_signal_new(struct loop *loop, int number,
                                    void (*callback)(int number, void *argument), void *argument)
{
    struct loop_signal *signal = XNEW(struct loop_signal);
    signal->loop = loop;
    signal->callback = callback;
    signal->argument = argument;
    signal->event = new_event(loop, number, EV_SIGNAL | EV_PERSIST, signal_happened, signal);
    if (event_add(signal->event, NULL) < 0)
        cannot_start("watching a signal");
    loop->watchers++;
    return signal;
}

void loop_signal_free(struct loop_signal **place)
{
    struct loop_signal *signal = *place;
    if (!signal)
        return;
    event_free(signal->event);
    signal->loop->watchers--;
    free(signal);
    *place = NULL;
}

/* ---- turns --------------------------------------------------------------------------------- */

struct loop_turn *loop_on_turn(struct loop *loop, void (*callback)(void *argument), void *argument)
{
    struct loop_turn *turn = XNEW(struct loop_turn);
    turn->loop = loop;
    turn->callback = callback;
    turn->argument = argument;
    turn->sequence = loop->sequence++;
    struct loop_turn **end = &loop->turns;
    while (*end)
        end = &(*end)->next;
    *end = turn;
    loop->watchers++;
    return turn;
}

static void remove_freed_turns(struct loop *loop)
{
    for (struct loop_turn **place = &loop->turns; *place;) {
        struct loop_turn *turn = *place;
        if (turn->callback) {
            place = &turn->next;
            continue;
        }
        *place = turn->next;
        free(turn);
    }
}

void loop_turn_free(struct loop_turn **place)
{
    struct loop_turn *turn = *place;
    if (!turn)
        return;
    struct loop *loop = turn->loop;
    turn->callback = NULL;
    loop->watchers--;
    *place = NULL;
    if (!loop->in_turn)
        remove_freed_turns(loop);
}

/* Calls those that were there when the walk began. */
static void call_turns(struct loop *loop)
{
    uint64_t registered = loop->sequence;
    for (struct loop_turn *turn = loop->turns; turn; turn = turn->next)
        if (turn->callback && turn->sequence < registered)
            turn->callback(turn->argument);
}

int64_t loop_next_timer_ms(const struct loop *loop)
{
    const struct due *due = due_heap_first(&loop->timers);
    if (due == NULL)
        return -1;
    int64_t left = due->at_ms - loop_now_ms(loop);
    return left > 0 ? left : 0;
}

/* When a wait has to end, in the system's time; that of a replaced clock does not pass by waiting.
 */
static int64_t wait_end(const struct loop *loop, int wait_ms)
{
    int64_t end = wait_ms < 0 ? WAIT_LIMIT_NONE : clock_monotonic_ms(NULL) + wait_ms;
    const struct due *due = due_heap_first(&loop->timers);
    return due && !loop->clock && due->at_ms < end ? due->at_ms : end;
}

static void poll_events(struct loop *loop, int wait_ms)
{
    /* Rather no wait than one that nothing ends. */
    bool waits = wait_ms != 0 && loop_next_timer_ms(loop) != 0 &&
                 wait_limit_set(&loop->limit, wait_end(loop, wait_ms)) == 0;
    /* What is active already also keeps libevent from waiting. */
    for (struct loop_io *io = loop->always_ready; io; io = io->next)
        event_active(io->event, libevent_events(io->events), 0);
    /* NONBLOCK alone would go on for as long as anything is ready. */
    event_base_loop(loop->base, EVLOOP_ONCE | (waits ? 0 : EVLOOP_NONBLOCK));
}

bool loop_step(struct loop *loop, int wait_ms)
{
    assert(!loop->in_turn); /* a callback must not run the loop */
    if (loop->stopped)
        return false;
    loop->in_turn = true;
    loop->gave_way = false;
    uint64_t started = loop->sequence;
    poll_events(loop, wait_ms);
    fire_timers(loop, started);
    call_turns(loop);
    loop->in_turn = false;
    remove_freed_turns(loop);
    return !loop->stopped;
}

void loop_run(struct loop *loop)
{
    while (loop_step(loop, -1))
        continue;
    loop->stopped = false;
}

void loop_stop(struct loop *loop)
{
    loop->stopped = true;
}
