/* SPDX-License-Identifier: MIT */
/* Everything frozen, an agent stopped. */
#include "config.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/array.h"

#include "orchestrator_world.h"

static void what_runs_is_frozen_and_what_comes_waits(void **state)
{
    struct world *world = *state;
    struct orchestrator *orchestrator = world->orchestrator;
    struct call *running = submit(world, SPEC(world, "touch", "x"));
    orchestrator_freeze(orchestrator, true);
    assert_true(orchestrator_is_frozen(orchestrator));
    assert_true(running->run->frozen);
    assert_true(running->frozen);

    unsigned starts = fake_starts;
    struct call *waiting = submit(world, SPEC(world, "touch", "y"));
    settle(world);
    assert_int_equal(waiting->state, CALL_RECORDING);
    assert_true(waiting->frozen);
    assert_int_equal(fake_starts, starts);

    orchestrator_freeze(orchestrator, false);
    settle(world);
    assert_false(running->run->frozen);
    assert_false(running->frozen);
    assert_int_equal(waiting->state, CALL_RUNNING);
    assert_false(waiting->frozen);
    assert_false(waiting->run->frozen);
    exit_with(world, running, 0);
    exit_with(world, waiting, 0);
}

static void what_is_approved_while_frozen_waits(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    orchestrator_freeze(world->orchestrator, true);
    forget_events(world);
    decide(world, call, REVIEW_APPROVED);
    settle(world);
    settle(world);
    assert_events(world, "decided 1 approved user prompt\nfrozen 1\n"); /* said once */
    assert_int_equal(call->state, CALL_RECORDING);
    assert_null(call->run);
    orchestrator_cancel(world->orchestrator, call, CANCELLED_BY_CLIENT, "client gone");
    settle(world);
    assert_int_equal(call->state, CALL_FINISHED); /* and never ran */
    orchestrator_freeze(world->orchestrator, false);
    settle(world);
    assert_int_equal(call->attempt_count, 0);
}

static void a_stopped_agent_is_aborted_and_refused(void **state)
{
    struct world *world = *state;
    struct session *other = open_session(world, SESSION_CLIENT, "other", "on-request");
    struct call *running = submit(world, SPEC(world, "touch", "x"));
    struct call *asking = submit(world, SPEC(world, "rm", "-rf", "x"));
    struct call *ended = submit(world, SPEC(world, "touch", "y"));
    struct call *others = submit_in(world, other, SPEC(world, "touch", "z"));
    settle(world);
    orchestrator_cancel(world->orchestrator, ended, CANCELLED_BY_OPERATOR, "stopped");
    orchestrator_stop_session(world->orchestrator, world->agent, true);
    settle(world);
    assert_true(running->run->cancelled);
    assert_int_equal(asking->state, CALL_FINISHED);
    assert_int_equal(asking->decision.kind, REVIEW_ABORT);
    assert_int_equal(others->state, CALL_RUNNING);
    exit_with(world, running, 0);
    exit_with(world, ended, 0);

    unsigned starts = fake_starts;
    struct call *next = submit(world, SPEC(world, "true"));
    assert_int_equal(next->state, CALL_FINISHED);
    assert_int_equal(next->decision.kind, REVIEW_DENIED);
    assert_int_equal(next->decision.source, DECIDED_BY_STOP);
    assert_true(next->agent_stopped && asking->agent_stopped && running->agent_stopped);
    assert_false(ended->agent_stopped || others->agent_stopped);
    assert_non_null(strstr(next->decision.message, "stopped this agent"));
    assert_int_equal(call_exit_status(next), 77);
    assert_int_equal(fake_starts, starts);

    orchestrator_stop_session(world->orchestrator, world->agent, false);
    next = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(next->state, CALL_RUNNING);
    exit_with(world, next, 0);
    exit_with(world, others, 0);
}

static struct call *submit_as(struct world *world, struct session *session, const char *name,
                              pid_t tree)
{
    const struct call_options options = {.client = {.name = (char *)name, .tree = tree}};
    struct error error = ERROR_INIT;
    struct call *call = orchestrator_submit(world->orchestrator, session, CALL_SHELL,
                                            SPEC(world, "rm", "-rf", "x"), &options, &error);
    assert_non_null(call);
    settle(world);
    return call;
}

static struct call *submit_from(struct world *world, struct session *session, pid_t tree)
{
    return submit_as(world, session, "codex", tree);
}

/* Of those who share a session, by their processes and not by what they call themselves. */
static void stopped_processes_are_aborted_and_refused(void **state)
{
    struct world *world = *state;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    pid_t flood = getpid(), quiet = getppid();
    struct call *asks = submit_from(world, shared, flood);
    struct call *other = submit_from(world, shared, quiet);
    orchestrator_stop_tree(world->orchestrator, shared, flood, NULL, 0);
    settle(world);
    assert_int_equal(asks->state, CALL_FINISHED);
    assert_int_equal(asks->decision.kind, REVIEW_ABORT);
    assert_true(asks->agent_stopped);
    assert_int_equal(other->state, CALL_ASKING);

    struct call *next = submit_from(world, shared, flood);
    assert_int_equal(next->decision.source, DECIDED_BY_STOP);
    assert_int_equal(call_exit_status(next), 77);
    assert_int_equal(submit_from(world, shared, quiet)->state, CALL_ASKING);
    assert_int_equal(submit_from(world, shared, 0)->state, CALL_ASKING); /* of unknown ones */

    orchestrator_resume_tree(world->orchestrator, shared, flood, NULL, 0);
    assert_true(orchestrator_waits(submit_from(world, shared, flood)));
}

/* An agent with a session of its own that asks in the one that many share: with its processes that
 * session is stopped, and goes on. */
static void own_sessions_are_stopped_with_processes(void **state)
{
    struct world *world = *state;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    struct session *other = open_session(world, SESSION_CLIENT, "codex", "on-request");
    struct session *own = world->agent;
    struct call *by_own = submit(world, SPEC(world, "rm", "-rf", "x"));
    struct call *by_exec = submit_from(world, shared, getpid());
    struct call *others = submit_in(world, other, SPEC(world, "rm", "-rf", "x"));
    orchestrator_stop_tree(world->orchestrator, shared, getpid(), &own, 1);
    settle(world);
    assert_int_equal(by_own->decision.kind, REVIEW_ABORT);
    assert_int_equal(by_exec->decision.kind, REVIEW_ABORT);
    assert_int_equal(others->state, CALL_ASKING);
    assert_true(own->stopped && own->stopped_with_tree);
    assert_int_equal(submit(world, SPEC(world, "true"))->decision.source, DECIDED_BY_STOP);
    orchestrator_resume_tree(world->orchestrator, shared, getpid(), &own, 1);
    assert_false(own->stopped || own->stopped_with_tree);
    assert_true(orchestrator_waits(submit_from(world, shared, getpid())));
}

/* Leaves its session, and opens another that is called so, as one of those processes. */
static struct session *comes_again(struct world *world, struct session *session, const char *name,
                                   pid_t tree)
{
    orchestrator_close_session(world->orchestrator, session);
    settle(world);
    session = open_session(world, SESSION_CLIENT, name, "on-request");
    orchestrator_set_tree(world->orchestrator, session, tree);
    return session;
}

/* Whoever leaves its session and opens another is the same agent; a namesake is none, and what its
 * processes open by another name was not stopped. */
static void who_comes_again_is_stopped_still(void **state)
{
    struct world *world = *state;
    struct orchestrator *orchestrator = world->orchestrator;
    struct session *own = open_session(world, SESSION_CLIENT, "claude", "on-request");
    orchestrator_set_tree(orchestrator, own, getpid());
    assert_false(own->stopped);
    orchestrator_stop_session(orchestrator, own, true);
    own = comes_again(world, own, "Claude", getpid());
    assert_true(own->stopped);
    struct call *refused = submit_in(world, own, SPEC(world, "true"));
    settle(world);
    assert_int_equal(refused->decision.source, DECIDED_BY_STOP);
    assert_false(comes_again(world, own, "claude", getppid())->stopped);
    own = comes_again(world, own, "other", getpid());
    assert_false(own->stopped);
    own = comes_again(world, own, "claude", getpid());
    assert_true(own->stopped);
    orchestrator_stop_session(orchestrator, own, false);
    assert_false(comes_again(world, own, "claude", getpid())->stopped);
}

/* One that was stopped with its processes goes on with them, also when it has no session then. */
static void who_comes_again_goes_on_with_its_processes(void **state)
{
    struct world *world = *state;
    struct orchestrator *orchestrator = world->orchestrator;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    struct session *own = open_session(world, SESSION_CLIENT, "claude", "on-request");
    orchestrator_set_tree(orchestrator, own, getpid());
    orchestrator_stop_tree(orchestrator, shared, getpid(), &own, 1);
    own = comes_again(world, own, "claude", getpid());
    assert_true(own->stopped && own->stopped_with_tree);
    orchestrator_close_session(orchestrator, own);
    settle(world);
    orchestrator_resume_tree(orchestrator, shared, getpid(), NULL, 0);
    own = open_session(world, SESSION_CLIENT, "claude", "on-request");
    orchestrator_set_tree(orchestrator, own, getpid());
    assert_false(own->stopped);
}

/* What a stopped agent does not get in its own session it does not get as a plain client either, by
 * its name; others of its name, and others that its processes are, are not it. */
static void a_stopped_agent_asks_in_no_other_session(void **state)
{
    struct world *world = *state;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    struct session *own = world->agent;
    pid_t its = getpid();
    struct call *before;
    own->tree = its;
    before = submit_as(world, shared, own->name, its);
    orchestrator_stop_session(world->orchestrator, own, true);
    settle(world);
    assert_int_equal(before->decision.kind, REVIEW_ABORT);
    assert_int_equal(submit_as(world, shared, own->name, its)->decision.source, DECIDED_BY_STOP);
    assert_int_equal(submit_as(world, shared, own->name, getppid())->state, CALL_ASKING);
    assert_int_equal(submit_as(world, shared, "other", its)->state, CALL_ASKING);
    orchestrator_stop_session(world->orchestrator, own, false);
    assert_true(orchestrator_waits(submit_as(world, shared, own->name, its)));
}

/* What they have started goes on being theirs; a later process of the same number is none of them.
 */
static void a_number_that_is_given_anew_is_not_stopped(void **state)
{
    struct world *world = *state;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    pid_t gone = fork();
    if (gone == 0)
        _exit(0);
    assert_int_equal(waitpid(gone, NULL, 0), gone);
    session_stop_tree(shared, gone, true); /* its session goes on without it */
    assert_true(session_tree_is_stopped(shared, gone));
    session_stop_tree(shared, getpid(), true);
    assert_true(session_tree_is_stopped(shared, getpid()));
    shared->stopped_trees[1].started--; /* as if it had been another */
    assert_false(session_tree_is_stopped(shared, getpid()));
    session_stop_tree(shared, getpid(), true); /* and now this one */
    assert_true(session_tree_is_stopped(shared, getpid()));
    assert_int_equal(shared->stopped_tree_count, 2);
}

/* Who calls itself so, and what comes from the same processes under whatever name; nobody else. */
static void a_stopped_name_is_aborted_and_refused(void **state)
{
    struct world *world = *state;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    pid_t its = getpid(), other = getppid();
    struct call *bob = submit_as(world, shared, "bob", its);
    struct call *beside = submit_as(world, shared, "x", its);
    struct call *alice = submit_as(world, shared, "alice", other);
    orchestrator_stop_name(world->orchestrator, shared, "bob", &its, 1);
    settle(world);
    assert_int_equal(bob->decision.kind, REVIEW_ABORT);
    assert_int_equal(beside->decision.kind, REVIEW_ABORT);
    assert_int_equal(alice->state, CALL_ASKING);
    assert_int_equal(submit_as(world, shared, "BOB", other)->decision.source, DECIDED_BY_STOP);
    assert_int_equal(submit_as(world, shared, "y", its)->decision.source, DECIDED_BY_STOP);
    assert_int_equal(submit_as(world, shared, NULL, other)->state, CALL_ASKING);

    orchestrator_resume_name(world->orchestrator, shared, "Bob");
    assert_true(orchestrator_waits(submit_as(world, shared, "bob", its)));
    assert_int_equal(shared->stopped_tree_count, 0);
}

/* A process in a session of another one, which leads it; both wait until they are killed. Of this
 * test's own session nothing is certain: its leader may live in another pid namespace. */
static pid_t start_session(pid_t *leader)
{
    int report[2];
    pid_t member = 0;
    assert_int_equal(pipe(report), 0);
    *leader = fork();
    if (*leader == 0) {
        setsid();
        member = fork();
        if (member > 0 && write(report[1], &member, sizeof(member)) != sizeof(member))
            _exit(1);
        for (;;)
            pause();
    }
    assert_true(*leader > 0);
    assert_int_equal(read(report[0], &member, sizeof(member)), sizeof(member));
    close(report[0]);
    close(report[1]);
    return member;
}

static struct call *submit_along(struct world *world, struct session *session, pid_t *lineage)
{
    struct call_options options = {.client = {.tree = lineage[0], .lineage = lineage}};
    struct error error = ERROR_INIT;
    struct call *call = orchestrator_submit(world->orchestrator, session, CALL_SHELL,
                                            SPEC(world, "rm", "-rf", "x"), &options, &error);
    settle(world);
    return call;
}

/* What comes from stopped processes in any way is theirs: also where it counts as a tree of its
 * own, and what has lost its parents in the session that they live in. */
static void what_comes_from_stopped_processes_is_refused(void **state)
{
    struct world *world = *state;
    struct session *shared = open_session(world, SESSION_DEFAULT, "default", "on-request");
    pid_t leader, stopped = start_session(&leader), elsewhere = 999999999;
    pid_t below[] = {elsewhere, stopped, 0}, orphan[] = {elsewhere, -leader, 0};
    pid_t beside[] = {elsewhere, leader, 0};
    pid_t *const refused[] = {below, orphan};
    session_stop_tree(shared, stopped, true);
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct call *call = submit_along(world, shared, refused[i]);
        assert_int_equal(call->decision.source, DECIDED_BY_STOP);
        assert_non_null(strstr(call->decision.message, "stopped the processes of "));
    }
    assert_int_equal(submit_along(world, shared, beside)->state, CALL_ASKING);
    kill(-leader, SIGKILL);
    assert_int_equal(waitpid(leader, NULL, 0), leader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_runs_is_frozen_and_what_comes_waits, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_approved_while_frozen_waits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stopped_agent_is_aborted_and_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stopped_processes_are_aborted_and_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(own_sessions_are_stopped_with_processes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_comes_again_is_stopped_still, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_comes_again_goes_on_with_its_processes, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_stopped_agent_asks_in_no_other_session, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_stopped_name_is_aborted_and_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_comes_from_stopped_processes_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_number_that_is_given_anew_is_not_stopped, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
