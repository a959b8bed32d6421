/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/strbuf.h"

/* A wait that only a failing test ever reaches the end of. */
#define DEADLINE_MS 20000

struct fixture {
    struct clock_fake fake;
    struct loop *loop;
    struct strbuf story; /* what happened, a character each */
};

static int set_up(void **state)
{
    struct fixture *fixture = XNEW(struct fixture);
    clock_fake_init(&fixture->fake, 1000);
    fixture->loop = loop_new(&fixture->fake.clock);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    loop_free(&fixture->loop);
    strbuf_free(&fixture->story);
    free(fixture);
    return 0;
}

static void assert_story(struct fixture *fixture, const char *expected)
{
    assert_string_equal(strbuf_str(&fixture->story), expected);
    strbuf_reset(&fixture->story);
}

/* ---- timers -------------------------------------------------------------------------------- */

struct alarm {
    struct fixture *fixture;
    struct loop_timer *timer;
    char name;
    int64_t again_ms;    /* restarts itself with this, unless negative */
    struct alarm *stops; /* stops this one */
    struct alarm *frees; /* frees this one, maybe itself */
};

static void alarm_rings(void *argument)
{
    struct alarm *alarm = argument;
    strbuf_addch(&alarm->fixture->story, alarm->name);
    if (alarm->again_ms >= 0)
        loop_timer_start(alarm->timer, alarm->again_ms);
    if (alarm->stops)
        loop_timer_stop(alarm->stops->timer);
    if (alarm->frees)
        loop_timer_free(&alarm->frees->timer);
}

static struct alarm new_alarm(struct fixture *fixture, struct alarm *alarm, char name)
{
    return (struct alarm){.fixture = fixture,
                          .timer = loop_timer_new(fixture->loop, alarm_rings, alarm),
                          .name = name,
                          .again_ms = -1};
}

static void timers_fire_by_time_then_by_start(void **state)
{
    struct fixture *fixture = *state;
    struct alarm a, b, c, d;
    a = new_alarm(fixture, &a, 'a');
    b = new_alarm(fixture, &b, 'b');
    c = new_alarm(fixture, &c, 'c');
    d = new_alarm(fixture, &d, 'd');
    loop_timer_start(a.timer, 30);
    loop_timer_start(b.timer, 10);
    loop_timer_start(c.timer, 20);
    loop_timer_start(d.timer, 10);
    loop_step(fixture->loop, 0);
    assert_story(fixture, "");
    fixture->fake.now_ms += 9;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "");
    fixture->fake.now_ms += 1;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "bd");
    assert_false(loop_timer_running(b.timer));
    assert_true(loop_timer_running(c.timer));
    fixture->fake.now_ms += 1000;
    loop_step(fixture->loop, -1); /* what is due does not wait */
    assert_story(fixture, "ca");
    loop_step(fixture->loop, 0);
    assert_story(fixture, ""); /* once */
    loop_timer_free(&a.timer);
    loop_timer_free(&b.timer);
    loop_timer_free(&c.timer);
    loop_timer_free(&d.timer);
    assert_null(a.timer);
}

static void equal_times_keep_the_order_of_starting(void **state)
{
    struct fixture *fixture = *state;
    struct alarm alarms[26];
    for (size_t i = 0; i < 26; i++) {
        alarms[i] = new_alarm(fixture, &alarms[i], (char)('a' + i));
        loop_timer_start(alarms[i].timer, 10);
    }
    loop_timer_start(alarms[0].timer, 10); /* again: now the last */
    fixture->fake.now_ms += 10;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "bcdefghijklmnopqrstuvwxyza");
    for (size_t i = 0; i < 26; i++)
        loop_timer_free(&alarms[i].timer);
}

static void a_timer_of_zero_waits_for_the_next_turn(void **state)
{
    struct fixture *fixture = *state;
    struct alarm a, b;
    a = new_alarm(fixture, &a, 'a');
    b = new_alarm(fixture, &b, 'b');
    a.again_ms = 0;
    loop_timer_start(a.timer, 0);
    loop_timer_start(b.timer, 0);
    assert_story(fixture, "");
    loop_step(fixture->loop, -1);
    assert_story(fixture, "ab");
    loop_step(fixture->loop, -1);
    assert_story(fixture, "a");
    loop_timer_free(&a.timer);
    loop_timer_free(&b.timer);
}

static void restarting_replaces_and_stopping_forgets(void **state)
{
    struct fixture *fixture = *state;
    struct alarm a, b;
    a = new_alarm(fixture, &a, 'a');
    b = new_alarm(fixture, &b, 'b');
    loop_timer_start(a.timer, 10);
    loop_timer_start(a.timer, 50);
    loop_timer_start(b.timer, 10);
    loop_timer_stop(b.timer);
    loop_timer_stop(b.timer);
    fixture->fake.now_ms += 10;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "");
    fixture->fake.now_ms += 40;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "a");
    loop_timer_free(&a.timer);
    loop_timer_free(&b.timer);
}

static void a_timer_may_stop_or_free_another_that_is_due(void **state)
{
    struct fixture *fixture = *state;
    struct alarm a, b, c;
    a = new_alarm(fixture, &a, 'a');
    b = new_alarm(fixture, &b, 'b');
    c = new_alarm(fixture, &c, 'c');
    a.stops = &b;
    a.frees = &c;
    loop_timer_start(a.timer, 5);
    loop_timer_start(b.timer, 5);
    loop_timer_start(c.timer, 5);
    fixture->fake.now_ms += 5;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "a");
    assert_null(c.timer);
    loop_timer_free(&a.timer);
    loop_timer_free(&b.timer);
    loop_timer_free(&b.timer); /* of nothing: nothing */
}

static void a_timer_may_free_itself(void **state)
{
    struct fixture *fixture = *state;
    struct alarm a;
    a = new_alarm(fixture, &a, 'a');
    a.frees = &a;
    loop_timer_start(a.timer, 0);
    loop_step(fixture->loop, 0);
    assert_story(fixture, "a");
    assert_null(a.timer);
}

static void far_times_do_not_overflow(void **state)
{
    struct fixture *fixture = *state;
    struct alarm a;
    a = new_alarm(fixture, &a, 'a');
    loop_timer_start(a.timer, INT64_MAX);
    fixture->fake.now_ms += INT64_MAX / 2;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "");
    loop_timer_start(a.timer, -5);
    loop_step(fixture->loop, 0);
    assert_story(fixture, "a");
    loop_timer_free(&a.timer);
}

struct many {
    struct fixture *fixture;
    struct loop_timer *timers[200];
    int64_t due[200]; /* -1: not running */
    int64_t last;
    size_t fired;
};
struct one {
    struct many *many;
    size_t index;
};

static void one_of_many(void *argument)
{
    const struct one *one = argument;
    struct many *many = one->many;
    int64_t due = many->due[one->index];
    assert_true(due >= 0 && due <= many->fixture->fake.now_ms); /* running, and not early */
    assert_true(due >= many->last);                             /* in order */
    many->last = due;
    many->due[one->index] = -1;
    many->fired++;
}

/* Random starts, stops and steps against a plain array of what should be running. */
static void many_timers_keep_their_order(void **state)
{
    struct fixture *fixture = *state;
    struct many many = {.fixture = fixture};
    struct one ones[200];
    unsigned seed = 12345;
    for (size_t i = 0; i < 200; i++) {
        ones[i] = (struct one){&many, i};
        many.due[i] = -1;
        many.timers[i] = loop_timer_new(fixture->loop, one_of_many, &ones[i]);
    }
    for (int round = 0; round < 20000; round++) {
        size_t i = (size_t)rand_r(&seed) % 200;
        int what = rand_r(&seed) % 10;
        if (what < 6) {
            int64_t ms = rand_r(&seed) % 100;
            loop_timer_start(many.timers[i], ms);
            many.due[i] = fixture->fake.now_ms + ms;
        } else if (what < 8) {
            loop_timer_stop(many.timers[i]);
            many.due[i] = -1;
        } else {
            fixture->fake.now_ms += rand_r(&seed) % 20;
            many.last = 0;
            loop_step(fixture->loop, 0);
            for (size_t j = 0; j < 200; j++)
                assert_true(many.due[j] < 0 || many.due[j] > fixture->fake.now_ms);
        }
        assert_int_equal(loop_timer_running(many.timers[i]), many.due[i] >= 0);
    }
    assert_true(many.fired > 1000);
    for (size_t i = 0; i < 200; i++)
        loop_timer_free(&many.timers[i]);
}

static void set_flag(void *argument)
{
    *(bool *)argument = true;
}

static void the_systems_clock_ends_a_wait(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    bool fired = false;
    struct loop_timer *timer = loop_timer_new(loop, set_flag, &fired);
    int turns = 0;
    for (int round = 0; round < 20; round++) {
        int64_t before = loop_now_ms(loop);
        loop_timer_start(timer, 5);
        for (fired = false; !fired && turns < 1000; turns++)
            loop_step(loop, -1);
        assert_true(fired);
        assert_true(loop_now_ms(loop) - before >= 5); /* never early */
    }
    assert_true(turns <= 60); /* and without spinning */
    loop_timer_free(&timer);
    loop_free(&loop);
}

/* The system is not told of a wait that ends later than the one before was to: it ends then, too,
 * and once. */
static void a_timer_put_off_fires_late_enough(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    bool fired = false;
    struct loop_timer *timer = loop_timer_new(loop, set_flag, &fired);
    int64_t before = loop_now_ms(loop);
    loop_timer_start(timer, 20);
    loop_wake(loop);
    loop_step(loop, -1);
    loop_timer_start(timer, 60);
    int turns = 0;
    for (; !fired && turns < 1000; turns++)
        loop_step(loop, -1);
    assert_true(fired);
    assert_true(loop_now_ms(loop) - before >= 60);
    assert_true(turns <= 4);
    loop_timer_start(timer, 20);
    loop_wake(loop);
    loop_step(loop, -1);
    loop_timer_stop(timer);
    for (turns = 0; loop_now_ms(loop) - before < 160; turns++)
        loop_step(loop, 100);
    assert_true(turns <= 3);
    loop_timer_free(&timer);
    loop_free(&loop);
}

/* ---- descriptors --------------------------------------------------------------------------- */

struct watch {
    struct fixture *fixture;
    struct loop_io *io;
    int fds[2];
    char name;
    unsigned events;     /* of the last call */
    bool drain;          /* reads what there is */
    struct watch *frees; /* frees this one, maybe itself */
    struct watch *pauses;
};

static void watch_called(int fd, unsigned events, void *argument)
{
    struct watch *watch = argument;
    char bytes[64];
    assert_int_equal(fd, watch->fds[0]);
    strbuf_addch(&watch->fixture->story, watch->name);
    watch->events = events;
    if (watch->drain)
        (void)!read(fd, bytes, sizeof bytes);
    if (watch->pauses)
        loop_io_set(watch->pauses->io, 0);
    if (watch->frees)
        loop_io_free(&watch->frees->io);
}

static void watch_init(struct watch *watch, struct fixture *fixture, char name)
{
    *watch = (struct watch){.fixture = fixture, .name = name};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, watch->fds), 0);
    watch->io = loop_io_new(fixture->loop, watch->fds[0], watch_called, watch);
}

static void watch_free(struct watch *watch)
{
    loop_io_free(&watch->io);
    fd_close(&watch->fds[0]);
    fd_close(&watch->fds[1]);
}

static void descriptors_report_what_was_asked_for(void **state)
{
    struct fixture *fixture = *state;
    struct watch watch;
    watch_init(&watch, fixture, 'w');
    assert_int_equal(write(watch.fds[1], "x", 1), 1);
    loop_step(fixture->loop, 0);
    assert_story(fixture, ""); /* nothing at first */
    loop_io_set(watch.io, LOOP_READ);
    loop_step(fixture->loop, DEADLINE_MS);
    assert_int_equal(watch.events, LOOP_READ);
    loop_io_set(watch.io, LOOP_WRITE);
    loop_step(fixture->loop, DEADLINE_MS);
    assert_int_equal(watch.events, LOOP_WRITE);
    loop_io_set(watch.io, LOOP_READ | LOOP_WRITE);
    loop_step(fixture->loop, DEADLINE_MS);
    assert_int_equal(watch.events, LOOP_READ | LOOP_WRITE);
    assert_story(fixture, "www");
    loop_io_set(watch.io, 0);
    loop_step(fixture->loop, 0);
    assert_story(fixture, "");
    watch_free(&watch);
}

static void a_hang_up_is_readable(void **state)
{
    struct fixture *fixture = *state;
    struct watch watch;
    watch_init(&watch, fixture, 'w');
    loop_io_set(watch.io, LOOP_READ);
    fd_close(&watch.fds[1]);
    loop_step(fixture->loop, DEADLINE_MS);
    assert_story(fixture, "w");
    assert_int_equal(watch.events, LOOP_READ);
    watch_free(&watch);
}

static void a_watcher_may_free_itself(void **state)
{
    struct fixture *fixture = *state;
    struct watch watch;
    watch_init(&watch, fixture, 'w');
    watch.frees = &watch;
    loop_io_set(watch.io, LOOP_READ | LOOP_WRITE);
    assert_int_equal(write(watch.fds[1], "x", 1), 1);
    loop_step(fixture->loop, DEADLINE_MS);
    loop_step(fixture->loop, 0);
    assert_story(fixture, "w");
    watch_free(&watch);
}

/* Both are ready in one turn; whichever is called first frees (or pauses) the other, which must
 * then not be called although its event is pending. */
static void a_freed_or_paused_watcher_is_silent_though_pending(void **state)
{
    struct fixture *fixture = *state;
    for (int pause = 0; pause < 2; pause++) {
        struct watch a, b;
        watch_init(&a, fixture, 'a');
        watch_init(&b, fixture, 'b');
        (pause ? (a.pauses = &b, b.pauses = &a) : (a.frees = &b, b.frees = &a));
        loop_io_set(a.io, LOOP_READ);
        loop_io_set(b.io, LOOP_READ);
        assert_int_equal(write(a.fds[1], "x", 1), 1);
        assert_int_equal(write(b.fds[1], "x", 1), 1);
        loop_step(fixture->loop, DEADLINE_MS);
        assert_int_equal(fixture->story.length, 1);
        assert_int_equal(a.events + b.events, LOOP_READ);
        strbuf_reset(&fixture->story);
        watch_free(&a);
        watch_free(&b);
    }
}

static void a_number_that_is_used_again_is_another_watcher(void **state)
{
    struct fixture *fixture = *state;
    struct watch a, b;
    watch_init(&a, fixture, 'a');
    loop_io_set(a.io, LOOP_READ);
    int number = a.fds[0];
    watch_free(&a);
    watch_init(&b, fixture, 'b');
    assert_int_equal(b.fds[0], number);
    loop_io_set(b.io, LOOP_READ);
    assert_int_equal(write(b.fds[1], "x", 1), 1);
    loop_step(fixture->loop, DEADLINE_MS);
    assert_story(fixture, "b");
    watch_free(&b);
}

/* epoll refuses these (EPERM); a console whose standard input is a file must not hang or die. */
static void files_are_ready_in_every_turn(void **state)
{
    struct fixture *fixture = *state;
    static const char *const paths[] = {"/dev/null", "/proc/self/exe"};
    for (size_t i = 0; i < 2; i++) {
        struct watch a = {.fixture = fixture, .name = 'a'}, b = {.fixture = fixture, .name = 'b'};
        a.fds[0] = open(paths[i], O_RDONLY | O_CLOEXEC);
        b.fds[0] = open(paths[i], O_RDONLY | O_CLOEXEC);
        a.fds[1] = b.fds[1] = -1;
        a.io = loop_io_new(fixture->loop, a.fds[0], watch_called, &a);
        b.io = loop_io_new(fixture->loop, b.fds[0], watch_called, &b);
        loop_io_set(a.io, LOOP_READ);
        loop_step(fixture->loop, -1);
        loop_step(fixture->loop, -1);
        assert_story(fixture, "aa");
        assert_int_equal(a.events, LOOP_READ);
        loop_io_set(a.io, 0);
        loop_step(fixture->loop, 0);
        assert_story(fixture, "");
        loop_io_set(a.io, LOOP_READ);
        loop_io_set(b.io, LOOP_READ);
        a.frees = &b;
        b.frees = &a;
        loop_step(fixture->loop, -1); /* one of them frees the other */
        assert_int_equal(fixture->story.length, 1);
        strbuf_reset(&fixture->story);
        watch_free(&a);
        watch_free(&b);
    }
}

/* ---- turns, waking, stopping --------------------------------------------------------------- */

struct hook {
    struct fixture *fixture;
    struct loop_turn *turn;
    char name;
    struct hook *frees;
    struct hook *registers;
    bool stops;
};

static void hook_called(void *argument)
{
    struct hook *hook = argument;
    strbuf_addch(&hook->fixture->story, hook->name);
    if (hook->frees)
        loop_turn_free(&hook->frees->turn);
    if (hook->registers && !hook->registers->turn)
        hook->registers->turn = loop_on_turn(hook->fixture->loop, hook_called, hook->registers);
    if (hook->stops)
        loop_stop(hook->fixture->loop);
}

static void hook_init(struct hook *hook, struct fixture *fixture, char name)
{
    *hook = (struct hook){.fixture = fixture, .name = name};
    hook->turn = loop_on_turn(fixture->loop, hook_called, hook);
}

static void turns_follow_callbacks_in_order(void **state)
{
    struct fixture *fixture = *state;
    struct hook one, two;
    struct watch watch;
    struct alarm alarm;
    hook_init(&one, fixture, '1');
    hook_init(&two, fixture, '2');
    watch_init(&watch, fixture, 'w');
    alarm = new_alarm(fixture, &alarm, 'a');
    loop_timer_start(alarm.timer, 0);
    watch.drain = true;
    loop_io_set(watch.io, LOOP_READ);
    assert_int_equal(write(watch.fds[1], "x", 1), 1);
    loop_step(fixture->loop, -1);
    assert_story(fixture, "wa12");
    loop_step(fixture->loop, 0);
    assert_story(fixture, "12");
    watch_free(&watch);
    loop_timer_free(&alarm.timer);
    loop_turn_free(&one.turn);
    loop_turn_free(&two.turn);
}

static void turns_may_free_and_register_turns(void **state)
{
    struct fixture *fixture = *state;
    struct hook one, two, three, late = {.fixture = fixture, .name = 'l'};
    hook_init(&one, fixture, '1');
    hook_init(&two, fixture, '2');
    hook_init(&three, fixture, '3');
    one.frees = &two;
    one.registers = &late;
    three.frees = &three;
    loop_step(fixture->loop, 0);
    assert_story(fixture, "13");
    loop_step(fixture->loop, 0);
    assert_story(fixture, "1l");
    assert_null(two.turn);
    assert_null(three.turn);
    loop_turn_free(&one.turn);
    loop_turn_free(&late.turn);
    loop_turn_free(&late.turn);
}

static void *wake_from_thread(void *argument)
{
    loop_wake(argument);
    return NULL;
}

static void waking_ends_a_wait(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 100; round++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, wake_from_thread, fixture->loop), 0);
        loop_step(fixture->loop, -1); /* for ever, if the wake is lost */
        pthread_join(thread, NULL);
    }
}

static void waking_many_times_costs_one_turn(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 100000; i++) /* more than a pipe holds */
        loop_wake(fixture->loop);
    loop_step(fixture->loop, -1);
    struct hook hook;
    hook_init(&hook, fixture, 'h');
    struct alarm alarm;
    alarm = new_alarm(fixture, &alarm, 'a');
    loop_wake(fixture->loop); /* and is heard again afterwards */
    loop_step(fixture->loop, -1);
    assert_story(fixture, "h");
    loop_timer_free(&alarm.timer);
    loop_turn_free(&hook.turn);
}

static void stopping(void **state)
{
    struct fixture *fixture = *state;
    struct hook hook;
    hook_init(&hook, fixture, 'h');
    hook.stops = true;
    loop_wake(fixture->loop);
    loop_run(fixture->loop);
    assert_story(fixture, "h");
    loop_wake(fixture->loop);
    loop_run(fixture->loop); /* may be run again */
    assert_story(fixture, "h");
    loop_stop(fixture->loop);
    assert_false(loop_step(fixture->loop, -1));
    loop_run(fixture->loop); /* was stopped before: returns at once */
    assert_story(fixture, "");
    hook.stops = false;
    assert_true(loop_step(fixture->loop, 0));
    assert_story(fixture, "h");
    loop_turn_free(&hook.turn);
}

/* ---- signals ------------------------------------------------------------------------------- */

struct catcher {
    struct fixture *fixture;
    struct loop_signal *signal;
    bool free_itself;
};

static void caught(int number, void *argument)
{
    struct catcher *catcher = argument;
    strbuf_addch(&catcher->fixture->story, number == SIGUSR1 ? '1' : '2');
    if (catcher->free_itself)
        loop_signal_free(&catcher->signal);
}

static void signals_are_callbacks(void **state)
{
    struct fixture *fixture = *state;
    struct catcher one = {.fixture = fixture}, two = {.fixture = fixture, .free_itself = true};
    one.signal = loop_signal_new(fixture->loop, SIGUSR1, caught, &one);
    two.signal = loop_signal_new(fixture->loop, SIGUSR2, caught, &two);
    raise(SIGUSR1);
    assert_story(fixture, ""); /* not in the handler */
    loop_step(fixture->loop, DEADLINE_MS);
    assert_story(fixture, "1");
    raise(SIGUSR2);
    loop_step(fixture->loop, DEADLINE_MS);
    assert_story(fixture, "2");
    assert_null(two.signal);
    loop_signal_free(&one.signal);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(timers_fire_by_time_then_by_start),
        TEST(equal_times_keep_the_order_of_starting),
        TEST(a_timer_of_zero_waits_for_the_next_turn),
        TEST(restarting_replaces_and_stopping_forgets),
        TEST(a_timer_may_stop_or_free_another_that_is_due),
        TEST(a_timer_may_free_itself),
        TEST(far_times_do_not_overflow),
        TEST(many_timers_keep_their_order),
        cmocka_unit_test(the_systems_clock_ends_a_wait),
        cmocka_unit_test(a_timer_put_off_fires_late_enough),
        TEST(descriptors_report_what_was_asked_for),
        TEST(a_hang_up_is_readable),
        TEST(a_watcher_may_free_itself),
        TEST(a_freed_or_paused_watcher_is_silent_though_pending),
        TEST(a_number_that_is_used_again_is_another_watcher),
        TEST(files_are_ready_in_every_turn),
        TEST(turns_follow_callbacks_in_order),
        TEST(turns_may_free_and_register_turns),
        TEST(waking_ends_a_wait),
        TEST(waking_many_times_costs_one_turn),
        TEST(stopping),
        TEST(signals_are_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
