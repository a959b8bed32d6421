/* SPDX-License-Identifier: MIT */
/* plain_world: the console in plain lines on a terminal that a test holds in its hands; the clock
 * is the test's. */
#ifndef ASSENT_TESTS_TUI_PLAIN_WORLD_H
#define ASSENT_TESTS_TUI_PLAIN_WORLD_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "fake_core.h"
#include "fake_lab.h"
#include "ui/plain.h"

#define GUARD_MS 400

struct world {
    struct clock_fake clock;
    struct loop *loop;
    struct orchestrator *core;
    struct session *own, *agent;
    struct plain *plain;
    struct plain_setup setup; /* it was made with */
    int master, slave, out[2];
    struct strbuf said;       /* since the test last emptied this */
    struct fake_lab lab;      /* what its record says of rules */
    struct fake_record calls; /* and which calls it holds */
    int quit_status;
};

/* For cmocka: *state is a struct world. */
int plain_world_set_up(void **state);
int plain_world_tear_down(void **state);

void settle(struct world *world);
/* Types, and lets the console see nothing of it yet. */
void type_only(struct world *world, const char *text);
/* A line, and all that it brings about. */
void type(struct world *world, const char *line);
void wait_guard(struct world *world);
bool said(const struct world *world, const char *text);
/* A request by the agent. */
struct call *request(struct world *world, const char *line, enum risk_level risk);
/* The only one that was handed in. */
const struct fake_decision *decision(const struct world *world);

#endif
