/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/loop.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/fd.h"

#define CROWD 24

struct crowd {
    struct clock_fake fake;
    struct loop *loop;
    unsigned seed;
    size_t calls;
    struct member {
        struct crowd *crowd;
        struct loop_io *io;
        struct loop_timer *timer;
        struct loop_turn *turn;
        int fds[2];
    } members[CROWD];
};

static void member_io(int fd, unsigned events, void *argument);
static void member_called(void *argument);

/* Frees or makes some watcher of some member, from wherever it is called. */
static void mischief(struct crowd *crowd)
{
    struct member *member = &crowd->members[(size_t)rand_r(&crowd->seed) % CROWD];
    struct loop *loop = crowd->loop;
    crowd->calls++;
    switch (rand_r(&crowd->seed) % 6) {
    case 0:
        loop_io_free(&member->io);
        break;
    case 1:
        loop_timer_free(&member->timer);
        break;
    case 2:
        loop_turn_free(&member->turn);
        break;
    case 3:
        if (!member->io)
            member->io = loop_io_new(loop, member->fds[0], member_io, member);
        loop_io_set(member->io, (unsigned)rand_r(&crowd->seed) & 3);
        break;
    case 4:
        if (!member->timer)
            member->timer = loop_timer_new(loop, member_called, member);
        loop_timer_start(member->timer, rand_r(&crowd->seed) % 3);
        break;
    default:
        if (!member->turn)
            member->turn = loop_on_turn(loop, member_called, member);
    }
}

static void member_called(void *argument)
{
    mischief(((struct member *)argument)->crowd);
}

static void member_io(int fd, unsigned events, void *argument)
{
    struct member *member = argument;
    assert_true(member->io != NULL); /* never after it was freed */
    assert_int_equal(fd, member->fds[0]);
    assert_true(events != 0);
    mischief(member->crowd);
}

/* Callbacks that free and make watchers of every kind, at random; the sanitizers and the checks in
 * the callbacks watch. */
static void nothing_is_called_after_it_was_freed(void **state)
{
    (void)state;
    struct crowd crowd = {.seed = 4711};
    clock_fake_init(&crowd.fake, 1000);
    crowd.loop = loop_new(&crowd.fake.clock);
    for (size_t i = 0; i < CROWD; i++) {
        struct member *member = &crowd.members[i];
        member->crowd = &crowd;
        if (i % 4 == 0) {
            member->fds[0] = open("/dev/null", O_RDWR | O_CLOEXEC);
            member->fds[1] = -1;
        } else {
            assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, member->fds), 0);
            assert_int_equal(write(member->fds[1], "x", 1), 1);
        }
    }
    for (int round = 0; round < 5000; round++) {
        mischief(&crowd);
        crowd.fake.now_ms += 1;
        loop_step(crowd.loop, 0);
    }
    assert_true(crowd.calls > 10000);
    for (size_t i = 0; i < CROWD; i++) {
        loop_io_free(&crowd.members[i].io);
        loop_timer_free(&crowd.members[i].timer);
        loop_turn_free(&crowd.members[i].turn);
        fd_close(&crowd.members[i].fds[0]);
        fd_close(&crowd.members[i].fds[1]);
    }
    loop_free(&crowd.loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_called_after_it_was_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
