/* SPDX-License-Identifier: MIT */
/* server_linger: the calls of a bridge that its agent ended wait for the agent's next bridge, and
 * for nobody else. */
#include "config.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "server_fixture.h"

#define RESUMES ",\"own_session\":true,\"resumes\":true"
#define SCRIPT "sleep 0; echo once"

/* Until it is killed, or a test that failed ends. */
static pid_t start_agent(void)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    return pid;
}

static void end_agent(pid_t pid)
{
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The connection of that agent; of the test itself when it has just come. */
static struct connection *connection_of(struct fixture *fixture, pid_t agent)
{
    struct connection *connection;
    TAILQ_FOREACH(connection, &fixture->server->connections, entry)
    {
        if (connection->identity.agent == agent && connection->linger == NULL)
            break;
    }
    return connection;
}

/* A connection as a bridge that the agent has started would have it. */
static struct peer *bridge(struct fixture *fixture, pid_t agent, const char *more)
{
    struct peer *peer = peer_new(fixture);
    int64_t end = now_ms() + DEADLINE_MS;
    struct connection *connection;
    while ((connection = connection_of(fixture, getpid())) == NULL) {
        assert_true(now_ms() < end);
        loop_step(fixture->loop, 10);
    }
    connection->identity.agent = agent;
    cleanup_free char *line = xasprintf(INITIALIZE, more);
    say(peer, line);
    expect(peer, "\"id\":\"i\"");
    return peer;
}

/* The agent ends its bridge; the console has noticed. */
static void leave(struct fixture *fixture, struct peer **peer, pid_t agent)
{
    int64_t end = now_ms() + DEADLINE_MS;
    peer_free(peer);
    while (connection_of(fixture, agent) != NULL) {
        assert_true(now_ms() < end);
        loop_step(fixture->loop, 10);
    }
}

/* A question of a bridge that has been ended meanwhile; the call's id. */
static uint64_t left_behind(struct fixture *fixture, pid_t agent, const char *more)
{
    struct peer *peer = bridge(fixture, agent, more);
    uint64_t call = started(peer, SCRIPT, "");
    wait_until(fixture, &fixture->asked, 1);
    leave(fixture, &peer, agent);
    return call;
}

static void what_is_asked_again_is_asked_once(void **state)
{
    struct fixture *fixture = *state;
    pid_t agent = start_agent();
    uint64_t call = left_behind(fixture, agent, RESUMES);
    struct peer *next = bridge(fixture, agent, RESUMES);
    assert_int_equal(started(next, SCRIPT, ""), call);
    decide(fixture, REVIEW_APPROVED, NULL);
    cleanup_free char *line = hear(next, "call/finished");
    assert_non_null(strstr(line, "once\\n"));
    assert_int_equal(fixture->asked, 1);
    assert_int_equal(fixture->sessions, 1);
    peer_free(&next);
    end_agent(agent);
}

static void what_differs_is_asked_for_itself(void **state)
{
    struct fixture *fixture = *state;
    pid_t agent = start_agent();
    uint64_t call = left_behind(fixture, agent, RESUMES);
    struct peer *next = bridge(fixture, agent, RESUMES);
    assert_int_not_equal(started(next, SCRIPT " more", ""), call);
    wait_until(fixture, &fixture->asked, 2);
    peer_free(&next);
    end_agent(agent);
}

static void another_agent_gets_nothing_of_it(void **state)
{
    struct fixture *fixture = *state;
    pid_t agent = start_agent(), other = start_agent();
    uint64_t call = left_behind(fixture, agent, RESUMES);
    struct peer *next = bridge(fixture, other, RESUMES);
    assert_int_not_equal(started(next, SCRIPT, ""), call);
    wait_until(fixture, &fixture->asked, 2);
    assert_int_equal(fixture->sessions, 2);
    peer_free(&next);
    end_agent(agent);
    end_agent(other);
}

/* Long before the time is over. */
static void it_goes_with_its_agent(void **state)
{
    struct fixture *fixture = *state;
    pid_t agent = start_agent();
    int64_t begin = now_ms();
    left_behind(fixture, agent, RESUMES);
    assert_int_equal(fixture->finished, 0);
    end_agent(agent);
    wait_until(fixture, &fixture->finished, 1);
    assert_true(now_ms() - begin < 15000);
}

static void who_does_not_repeat_takes_it_along(void **state)
{
    struct fixture *fixture = *state;
    pid_t agent = start_agent();
    left_behind(fixture, agent, ",\"own_session\":true");
    assert_true(TAILQ_EMPTY(&fixture->server->connections));
    wait_until(fixture, &fixture->finished, 1);
    struct peer *next = bridge(fixture, agent, RESUMES);
    started(next, SCRIPT, "");
    wait_until(fixture, &fixture->asked, 2);
    peer_free(&next);
    end_agent(agent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNTRUSTED(what_is_asked_again_is_asked_once),  UNTRUSTED(what_differs_is_asked_for_itself),
        UNTRUSTED(another_agent_gets_nothing_of_it),   UNTRUSTED(it_goes_with_its_agent),
        UNTRUSTED(who_does_not_repeat_takes_it_along),
    };
    return cmocka_run_group_tests_name("server_linger", tests, NULL, NULL);
}
