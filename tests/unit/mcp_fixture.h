/* SPDX-License-Identifier: MIT */
/*
 * mcp_fixture: an MCP server between an agent and consoles, both of which are the test.
 */
#ifndef ASSENT_TESTS_UNIT_MCP_FIXTURE_H
#define ASSENT_TESTS_UNIT_MCP_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "agents/jsonrpc.h"
#include "agents/mcp.h"
#include "agents/proof.h"
#include "base/clock.h"
#include "base/loop.h"
#include "base/strbuf.h"

#define CONSOLES 3
/* A console that does what the test says. */
struct console {
    struct fixture *fixture;
    char name[32], root[256];
    int listener;
    bool impostor; /* it does not know the secret */
    struct loop_io *accepting;
    struct jsonrpc *peer; /* the last connection */
    char *challenge;      /* of console/info */
    char *initialized;    /* params of initialize */
    unsigned connections, started, cancelled;
    char *start_params, *fed, *decided;
};

struct fixture {
    struct clock_fake clock;
    struct loop *loop;
    char directory[64];
    int sockets;
    struct secret key;
    struct console consoles[CONSOLES];
    struct mcp *mcp;
    int fd; /* the agent's end */
    struct strbuf received;
    bool ended;
};

/* cmocka set-up: the server runs in /w/ab, and there is no console. */
int set_up(void **state);
int tear_down(void **state);
void start_server(struct fixture *fixture, const char *cwd);

/* A console that listens; `root` is its workspace. */
struct console *start_console(struct fixture *fixture, int index, const char *root);
void stop_console(struct console *console);
/* What it tells of a call. */
void tell_state(struct console *console, int call, const char *state, int waiting);
void finish(struct console *console, int call, const char *outcome, int code, const char *output);
void tell_answer(struct console *console, int call, const char *outcome, const char *kind,
                 const char *message);

/* Lets everything happen that can, or first some time pass. */
void work(struct fixture *fixture);
void pass(struct fixture *fixture, int64_t ms);
/* What the server has said since the last time. */
const char *hear(struct fixture *fixture);
/* A line of the agent's; what the server says to it. */
const char *say(struct fixture *fixture, const char *line);
void assert_says(const char *text, const char *part);

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#define REQUEST(id, method, params)                                                                \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\",\"params\":" params "}"
#define INITIALIZE(version)                                                                        \
    REQUEST("0", "initialize",                                                                     \
            "{\"protocolVersion\":" version ",\"capabilities\":{},\"clientInfo\":{\"name\":"       \
            "\"codex\",\"title\":\"Codex\",\"version\":\"1\"}}")
#define CALL(id, arguments, meta)                                                                  \
    REQUEST(id, "tools/call", "{\"name\":\"shell\",\"arguments\":" arguments meta "}")
#define TOKEN(token) ",\"_meta\":{\"progressToken\":" token "}"
#define CANCEL(id, reason)                                                                         \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" id    \
    ",\"reason\":\"" reason "\"}}"

#endif
