/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/proxy.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/log.h"
#include "network/passage.h"

/* Accepted in one turn, so that a flood of connections delays nobody. */
#define ACCEPTED_MAX 32
/* When there are no descriptors left, another try after so long. */
#define PAUSE_MS 100

struct proxy {
    struct passage_owner owner; /* first: a struct passage_owner * is a struct proxy * */
    int listener;
    struct loop_io *io;
    struct loop_timer *pause;
    struct loop_turn *turn;
    struct passage *open, *over;
    size_t count;
};

static void watch(struct proxy *proxy)
{
    bool room = proxy->count < PROXY_CONNECTIONS_MAX && !loop_timer_running(proxy->pause);
    loop_io_set(proxy->io, room ? LOOP_READ : 0);
}

static void on_pause_over(void *argument)
{
    watch(argument);
}

/* One that is over is freed at the end of the turn: its own callback may still be running. */
static void take_off(struct passage_owner *owner, struct passage *connection)
{
    struct proxy *proxy = (struct proxy *)owner;
    struct passage *before = NULL;
    struct passage *at = proxy->open;
    while (at != connection) {
        before = at;
        at = passage_next(at);
    }
    if (before != NULL)
        passage_set_next(before, passage_next(connection));
    else
        proxy->open = passage_next(connection);
    passage_set_next(connection, proxy->over);
    proxy->over = connection;
    proxy->count--;
    loop_wake(owner->loop);
}

static void free_list(struct passage **list)
{
    while (*list != NULL) {
        struct passage *first = *list;
        *list = passage_next(first);
        passage_free(&first);
    }
}

static void turn(void *argument)
{
    struct proxy *proxy = argument;
    if (proxy->over == NULL)
        return;
    free_list(&proxy->over);
    watch(proxy);
}

static void on_listener(int fd, unsigned events, void *argument)
{
    (void)events;
    struct proxy *proxy = argument;
    for (int i = 0; i < ACCEPTED_MAX && proxy->count < PROXY_CONNECTIONS_MAX; i++) {
        int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client < 0) {
            if (fd_none_left(errno)) {
                log_warning("network", "a connection has to wait: %s", strerror(errno));
                loop_timer_start(proxy->pause, PAUSE_MS);
            }
            break;
        }
        struct passage *connection = passage_new(&proxy->owner, client);
        passage_set_next(connection, proxy->open);
        proxy->open = connection;
        proxy->count++;
    }
    watch(proxy);
}

struct proxy *proxy_new(const struct proxy_setup *setup)
{
    struct proxy *proxy = XNEW(struct proxy);
    proxy->owner = (struct passage_owner){.loop = setup->loop,
                                          .resolver = setup->resolver,
                                          .hop = setup->hop,
                                          .events = setup->events,
                                          .argument = setup->argument,
                                          .over = take_off};
    proxy->listener = setup->listener;
    proxy->pause = loop_timer_new(setup->loop, on_pause_over, proxy);
    proxy->turn = loop_on_turn(setup->loop, turn, proxy);
    proxy->io = loop_io_new(setup->loop, proxy->listener, on_listener, proxy);
    watch(proxy);
    return proxy;
}

void proxy_free(struct proxy **place)
{
    struct proxy *proxy = steal_pointer(place);
    if (proxy == NULL)
        return;
    free_list(&proxy->open);
    free_list(&proxy->over);
    loop_io_free(&proxy->io);
    loop_timer_free(&proxy->pause);
    loop_turn_free(&proxy->turn);
    fd_close(&proxy->listener);
    free(proxy);
}

const char *proxy_outcome_name(enum proxy_outcome outcome)
{
    static const char *const names[] = {
        [PROXY_PASSED] = "passed",       [PROXY_DENIED] = "denied",
        [PROXY_FAILED] = "failed",       [PROXY_OTHER_NAME] = "other_name",
        [PROXY_WITHDRAWN] = "withdrawn",
    };
    return names[outcome];
}
