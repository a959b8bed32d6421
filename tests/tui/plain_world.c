/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plain_world.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

#define ARRIVAL_MS 10000

static void quit_asked(void *argument, int status)
{
    ((struct world *)argument)->quit_status = status;
}

static struct sandbox_policy *policy_of_mode(void *argument, enum sandbox_mode mode,
                                             const char *root, struct error *error)
{
    (void)argument;
    (void)error;
    return sandbox_policy_new(mode, root);
}

int plain_world_set_up(void **state)
{
    struct world *world = XNEW(struct world);
    struct plain_setup setup = {.guard_ms = GUARD_MS, .directory = "/home/ann/shop"};
    struct error error = ERROR_INIT;

    assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
    world->quit_status = -1;
    clock_fake_init(&world->clock, 1000000);
    world->loop = loop_new(&world->clock.clock);
    assert_int_equal(openpty(&world->master, &world->slave, NULL, NULL, NULL), 0);
    assert_int_equal(pipe2(world->out, O_CLOEXEC | O_NONBLOCK), 0);
    world->core = fake_core_new(world->loop);
    world->own = fake_core_session(world->core, SESSION_OPERATOR, "shop");
    world->agent = fake_core_session(world->core, SESSION_CLIENT, "codex");
    setup.loop = world->loop;
    setup.orchestrator = world->core;
    setup.session = world->own;
    setup.input = world->slave;
    setup.output = world->out[1];
    fake_lab_give(&setup.hooks, &world->lab);
    fake_record_give(&setup.hooks, &world->calls);
    setup.hooks.policy_of_mode = policy_of_mode;
    setup.quit = quit_asked;
    setup.argument = world;
    world->setup = setup;
    world->plain = plain_new(&setup, &error);
    assert_non_null(world->plain);
    orchestrator_add_observer(world->core, plain_observer(), world->plain);
    *state = world;
    return 0;
}

int plain_world_tear_down(void **state)
{
    struct world *world = *state;

    orchestrator_remove_observer(world->core, world->plain);
    plain_free(&world->plain);
    fake_core_free(&world->core);
    loop_free(&world->loop);
    strbuf_free(&world->said);
    fd_close(&world->master);
    fd_close(&world->slave);
    fd_close(&world->out[0]);
    fd_close(&world->out[1]);
    free(world);
    return 0;
}

void settle(struct world *world)
{
    char bytes[4096];
    ssize_t length;

    for (int i = 0; i < 6; i++) {
        loop_step(world->loop, 0);
        while ((length = read(world->out[0], bytes, sizeof(bytes))) > 0)
            strbuf_add(&world->said, bytes, (size_t)length);
    }
}

void type_only(struct world *world, const char *text)
{
    assert_int_equal(fd_write_all(world->master, text, strlen(text)), 0);
}

void type(struct world *world, const char *line)
{
    struct pollfd poller = {.fd = world->slave, .events = POLLIN};

    type_only(world, line);
    assert_int_equal(poll(&poller, 1, ARRIVAL_MS), 1);
    settle(world);
}

void wait_guard(struct world *world)
{
    world->clock.now_ms += GUARD_MS + 10;
    settle(world);
}

bool said(const struct world *world, const char *text)
{
    return strstr(strbuf_str(&world->said), text) != NULL;
}

struct call *request(struct world *world, const char *line, enum risk_level risk)
{
    struct call *call = fake_core_request(world->core, world->agent, line, risk, true);

    settle(world);
    return call;
}

const struct fake_decision *decision(const struct world *world)
{
    assert_int_equal(fake_core_decisions(world->core), 1);
    return fake_core_decision(world->core, 0);
}
