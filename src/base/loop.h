/* SPDX-License-Identifier: MIT */
/*
 * loop: one event loop for the whole console, a handful of functions over libevent.
 *
 * Nothing else includes event.h. Callbacks only take in what has happened and set flags; the
 * functions registered with loop_on_turn() act on the flags, in the order of registration, once
 * at the end of each turn. A callback is never called after its watcher was freed, also when the
 * event was already pending; a callback may free its own watcher.
 *
 * Timers run on the clock given to loop_new(), so that a test moves time by hand (clock_fake)
 * and calls loop_step().
 */
#ifndef ASSENT_BASE_LOOP_H
#define ASSENT_BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct loop;
struct loop_io;
struct loop_timer;
struct loop_signal;
struct loop_turn;

enum loop_events { LOOP_READ = 1, LOOP_WRITE = 2 };

/* `clock` may be NULL (the system's); it must outlive the loop. Ends the program when the system
 * gives no event base. */
struct loop *loop_new(const struct clock *clock);
void loop_free(struct loop **loop); /* every watcher must have been freed before */
const struct clock *loop_clock(const struct loop *loop);
int64_t loop_now_ms(const struct loop *loop); /* monotonic, of the loop's clock */

/* Watches a descriptor for the events set with loop_io_set() (none at first). A hang-up or error
 * is reported as those of the events that were asked for: the read or write tells more. Regular
 * files and /dev/null, which the system cannot watch, are ready in every turn. Does not own the
 * descriptor: free the watcher before closing it. */
struct loop_io *loop_io_new(struct loop *loop, int fd,
                            void (*callback)(int fd, unsigned events, void *argument),
                            void *argument);
void loop_io_set(struct loop_io *io, unsigned events);
void loop_io_free(struct loop_io **io);

/* A timer that is not running; loop_timer_start() (re)starts it to fire once after `ms` (0: in
 * the next turn, never from inside the call). */
struct loop_timer *loop_timer_new(struct loop *loop, void (*callback)(void *argument),
                                  void *argument);
void loop_timer_start(struct loop_timer *timer, int64_t ms);
void loop_timer_stop(struct loop_timer *timer);
bool loop_timer_running(const struct loop_timer *timer);
void loop_timer_free(struct loop_timer **timer);

/* One watcher a signal number, and one loop of the process that watches signals at a time. */
struct loop_signal *loop_signal_new(struct loop *loop, int number,
                                    void (*callback)(int number, void *argument), void *argument);
void loop_signal_free(struct loop_signal **signal);

/* Somebody waits for an answer (a key was passed on): for `ms` milliseconds turns are to be short.
 * Who reads much asks loop_hurries() and reads less at a time. */
void loop_hurry(struct loop *loop, int ms);
bool loop_hurries(const struct loop *loop);

/* For places where there can always be more to do, as in a flood of output. Who runs without a
 * pause keeps its processor until its slice is used up, which takes milliseconds; the kernel's
 * workers that bring keys from and to terminals would wait for that. Here they may run; once in a
 * turn, however many ask. */
void loop_give_way(struct loop *loop);

/* Called at the end of every turn, in order of registration; one registered by a turn function is
 * called from the next turn on. */
struct loop_turn *loop_on_turn(struct loop *loop, void (*callback)(void *argument), void *argument);
void loop_turn_free(struct loop_turn **turn);
/* Makes the loop take another turn without waiting; also from a signal-safe place of a thread
 * that is not the loop's (it writes one byte to a pipe). */
void loop_wake(struct loop *loop);

/* Runs until loop_stop(), also one called before; may then be run again. Never from a callback. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);
/* In how many milliseconds the next timer is due, 0 for one that is overdue; -1: none runs. */
int64_t loop_next_timer_ms(const struct loop *loop);
/* One turn: waits at most `wait_ms` (-1: until something happens, or for a timer that was put off
 * since; with a fake clock that is real time), runs what is due, then the turn functions. Returns
 * false once the loop was stopped. */
bool loop_step(struct loop *loop, int wait_ms);

#endif
