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

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_REQUEST(a_process_keeps_its_session),
        ON_REQUEST(a_number_is_no_process),
    };
    return cmocka_run_group_tests_name("server_process", tests, NULL, NULL);
}
