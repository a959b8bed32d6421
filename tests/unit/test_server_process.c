/* SPDX-License-Identifier: MIT */
/* server: sessions that hang on a process, whose number may be another's a moment later. */
#include "config.h"

#include <errno.h>
#include <linux/sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "agents/server-int.h"
#include "server_fixture.h"

/* Until it is killed, or a test that failed ends. */
static void wait_as_agent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        pause();
}

static pid_t start_agent(void)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        wait_as_agent();
    return pid;
}

/* With that number, where the system lets us choose; 0 where it does not. */
static pid_t start_agent_as(pid_t number)
{
    pid_t numbers[] = {number};
    struct clone_args arguments = {
        .exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)numbers, .set_tid_size = 1};
    pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));
    if (pid == 0)
        wait_as_agent();
    return pid > 0 ? pid : 0;
}

static void end_agent(pid_t pid)
{
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static struct session *session_for(struct fixture *fixture, pid_t agent)
{
    const struct peer_identity peer = {.pid = getpid(), .agent = agent};
    return server_process_session(fixture->server, "agent", &peer, &fixture->error);
}

static void a_process_keeps_its_session(void **state)
{
    struct fixture *fixture = *state;
    pid_t one = start_agent(), other = start_agent();
    struct session *session = session_for(fixture, one);
    assert_non_null(session);
    assert_ptr_equal(session_for(fixture, one), session);
    assert_ptr_not_equal(session_for(fixture, other), session);
    end_agent(one);
    end_agent(other);
}

/* What was granted to the first is not the second's, although the loop has not yet heard of its
 * end. */
static void a_number_is_no_process(void **state)
{
    struct fixture *fixture = *state;
    pid_t agent = start_agent();
    struct session *session = session_for(fixture, agent);
    assert_non_null(session);
    end_agent(agent);
    pid_t heir = start_agent_as(agent);
    struct session *next = session_for(fixture, agent);
    if (heir == 0) {
        assert_null(next);
        assert_string_equal(fixture->error.message, "the agent has gone already");
        return;
    }
    assert_int_equal(heir, agent);
    assert_non_null(next);
    assert_int_equal(fixture->sessions, 2);
    assert_ptr_equal(session_for(fixture, agent), next);
    assert_int_equal(fixture->sessions, 2);
    end_agent(heir);
}

/* ---- no descriptors left --------------------------------------------------------------------- */

/* So many more, and none behind them; returns what was before. */
static struct rlimit leave_descriptors(unsigned count)
{
    struct rlimit before, now;
    int next = dup(STDIN_FILENO);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    now = (struct rlimit){.rlim_cur = (rlim_t)next + count, .rlim_max = before.rlim_max};
    close(next);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
    return before;
}

static void count_turn(void *argument)
{
    ++*(unsigned *)argument;
}

/* Who waits is let in later; meanwhile the console rests. */
static void who_finds_no_descriptor_waits(void **state)
{
    struct fixture *fixture = *state;
    unsigned turns = 0;
    int64_t until = now_ms() + 500;
    int client = connect_to(server_path(fixture->server));
    struct rlimit before = leave_descriptors(0);
    struct loop_turn *counter = loop_on_turn(fixture->loop, count_turn, &turns);
    while (now_ms() < until)
        loop_step(fixture->loop, 50);
    loop_turn_free(&counter);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_in_range(turns, 1, 50);
    assert_int_equal(server_connection_count(fixture->server), 0);
    while (server_connection_count(fixture->server) == 0 && now_ms() < until + DEADLINE_MS)
        loop_step(fixture->loop, 50);
    assert_int_equal(server_connection_count(fixture->server), 1);
    close(client);
}

/* That it cannot be watched is not its end, by which what it asks would be everybody's. */
static void who_cannot_be_watched_has_not_gone(void **state)
{
    struct fixture *fixture = *state;
    pid_t program = start_agent();
    const struct peer_identity peer = {.pid = getpid(), .agent = program, .job = program};
    fixture->server->session_per_program = true;
    struct rlimit before = leave_descriptors(0);
    struct error plain = ERROR_INIT, agent = ERROR_INIT;
    const struct session *shared = server_plain_session(fixture->server, &peer, &plain);
    const struct session *own = server_process_session(fixture->server, "agent", &peer, &agent);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_null(shared);
    assert_null(own);
    assert_non_null(strstr(plain.message, "Too many open files"));
    assert_non_null(strstr(agent.message, "Too many open files"));
    assert_non_null(server_plain_session(fixture->server, &peer, &plain));
    end_agent(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_REQUEST(a_process_keeps_its_session),
        ON_REQUEST(a_number_is_no_process),
        ON_REQUEST(who_finds_no_descriptor_waits),
        ON_REQUEST(who_cannot_be_watched_has_not_gone),
    };
    return cmocka_run_group_tests_name("server_process", tests, NULL, NULL);
}
