/* SPDX-License-Identifier: MIT */
/*
 * server_fixture: a console without a screen, and clients of it, for the tests of the server.
 * Everything is real: socket, orchestrator, helper, commands. Clients are connections of the test
 * itself, since a console may talk to itself.
 */
#ifndef ASSENT_TESTS_UNIT_SERVER_FIXTURE_H
#define ASSENT_TESTS_UNIT_SERVER_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "agents/server.h"
#include "approval/orchestrator.h"
#include "base/loop.h"
#include "base/strbuf.h"

/* How long anything may take before the test is called a failure. */
#define DEADLINE_MS 30000

struct fixture {
    char directory[64];
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct turn_context *context;
    struct server *server;
    struct error error;
    unsigned finished, asked, sessions;
    char notice[512];
    unsigned notices;
    uint64_t prompt;
    unsigned revision;
};

/* One connection as its client sees it. */
struct peer {
    struct fixture *fixture;
    int fd;
    struct strbuf received;
    bool closed;
    int id;
};

/* cmocka set-up functions: the approval policy on-request, untrusted, on-request with small
 * limits (4,096 bytes a line, 20 connections, 4 calls run, 6 wait, 4 a connection), or on-request
 * where 4 calls run and 10 run or ask. Of these a tree gets half while it is
 * alone, and 16 connections. */
int set_up(void **state);
int set_up_untrusted(void **state);
int set_up_limited(void **state);
int set_up_crowded(void **state);
int tear_down(void **state);

/* A blocking socket to the path, or -1. */
int connect_to(const char *path);
int64_t now_ms(void);
struct peer *peer_new(struct fixture *fixture);
void peer_free(struct peer **peer);
/* One line to the server, which works meanwhile. */
void say(struct peer *peer, const char *line);
void say_bytes(struct peer *peer, const char *bytes, size_t length);
/* Waits for a line that holds `part`; all lines up to it are taken away. The caller frees. */
char *hear(struct peer *peer, const char *part);
void expect(struct peer *peer, const char *part);
/* Lets the console work until the counter has reached the value. */
void wait_until(struct fixture *fixture, const unsigned *counter, unsigned value);

/* A format: what else `initialize` gets, beginning with a comma. */
#define INITIALIZE                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocol\":1,"      \
    "\"client\":{\"name\":\"test\",\"version\":\"0\"},\"cwd\":\"/\"%s}}"
struct peer *initialized(struct fixture *fixture, const char *more);
/* Asks to run a script (`more`: further parameters, beginning with a comma); the request's id. */
int start(struct peer *peer, const char *script, const char *more);
/* As start(), and waits until it was taken; the call's id. */
uint64_t started(struct peer *peer, const char *script, const char *more);
/* The operator's answer to the last prompt. */
void decide(struct fixture *fixture, enum review_kind kind, const char *message);

#define ON_REQUEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define UNTRUSTED(test) cmocka_unit_test_setup_teardown(test, set_up_untrusted, tear_down)
#define LIMITED(test) cmocka_unit_test_setup_teardown(test, set_up_limited, tear_down)
#define CROWDED(test) cmocka_unit_test_setup_teardown(test, set_up_crowded, tear_down)

#endif
