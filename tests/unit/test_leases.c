/* SPDX-License-Identifier: MIT */
/* Grants that end before their session, and how they are taken back. */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "orchestrator_world.h"

static int decide_lease(struct world *world, const struct call *call, const struct lease *lease)
{
    struct error error = ERROR_INIT;
    int result = orchestrator_decide_lease(world->orchestrator, call->prompt->id,
                                           call->prompt->revision, lease, &error);
    settle(world);
    return result;
}

/* "touch x" was approved for that long, and ran. */
static struct call *granted(struct world *world, const struct lease *lease)
{
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(decide_lease(world, call, lease), 0);
    assert_int_equal(call->decision.kind, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(call->decision.lease.kind, lease->kind);
    exit_with(world, call, 0);
    forget_events(world);
    return call;
}

static bool runs_unasked(struct world *world)
{
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    bool unasked = call->state == CALL_RUNNING;
    if (unasked) {
        assert_int_equal(call->decision.source, DECIDED_BY_CACHE);
        exit_with(world, call, 0);
    } else {
        assert_int_equal(call->state, CALL_ASKING);
    }
    return unasked;
}

static void time_ends_and_the_operator_hears_of_it(void **state)
{
    struct world *world = *state;
    granted(world, &(struct lease){.kind = LEASE_TIME, .duration_ms = 60000});
    world->clock.now_ms += 59999;
    settle(world);
    assert_true(runs_unasked(world));
    forget_events(world);
    world->clock.now_ms += 1;
    settle(world);
    assert_events(world, "grant ended 1 time\n");
    assert_false(runs_unasked(world));
}

static void runs_are_spent(void **state)
{
    struct world *world = *state;
    granted(world, &(struct lease){.kind = LEASE_RUNS, .runs = 2});
    assert_true(runs_unasked(world));
    assert_true(runs_unasked(world));
    assert_false(runs_unasked(world));
}

/* A question that waits when the lease is given spends a run as well. */
static void what_waits_spends_runs(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *calls[3];
    for (size_t i = 0; i < 3; i++)
        calls[i] = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(decide_lease(world, calls[0], &(struct lease){.kind = LEASE_RUNS, .runs = 1}),
                     0);
    assert_int_equal(calls[1]->state, CALL_RUNNING);
    assert_int_equal(calls[2]->state, CALL_ASKING);
}

static void it_lasts_until_the_pane_ends(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    struct call_options options = {.operator_started = true};
    struct session *operator_session = open_session(world, SESSION_OPERATOR, "you", "on-request");
    struct call *pane = orchestrator_submit(world->orchestrator, operator_session, CALL_SHELL,
                                            SPEC(world, "cat"), &options, &error);
    settle(world);
    assert_int_equal(pane->state, CALL_RUNNING);
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(call->prompt->lease_call, pane->id);
    /* Only to the call that is offered. */
    assert_int_equal(decide_lease(world, call, &(struct lease){.kind = LEASE_CALL, .call = 99}),
                     -1);
    assert_int_equal(call->state, CALL_ASKING);
    assert_int_equal(
        decide_lease(world, call, &(struct lease){.kind = LEASE_CALL, .call = pane->id}), 0);
    exit_with(world, call, 0);
    assert_true(runs_unasked(world));
    exit_with(world, pane, 0);
    assert_false(runs_unasked(world));
}

/* The pane ends in the very turn in which the operator answers. */
static void a_pane_that_has_ended_holds_nothing(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    struct call_options options = {.operator_started = true};
    struct session *operator_session = open_session(world, SESSION_OPERATOR, "you", "on-request");
    struct call *pane = orchestrator_submit(world->orchestrator, operator_session, CALL_SHELL,
                                            SPEC(world, "cat"), &options, &error);
    settle(world);
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    fake_exit(pane->run, 0);
    assert_int_equal(
        decide_lease(world, call, &(struct lease){.kind = LEASE_CALL, .call = pane->id}), 0);
    assert_int_equal(call->state, CALL_RUNNING);
    exit_with(world, call, 0);
    assert_false(runs_unasked(world));
}

static void nonsense_is_no_lease(void **state)
{
    struct world *world = *state;
    static const struct lease wrong[] = {{.kind = LEASE_TIME},
                                         {.kind = LEASE_TIME, .duration_ms = -1},
                                         {.kind = LEASE_RUNS},
                                         {.kind = LEASE_CALL}};
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        assert_int_equal(decide_lease(world, call, &wrong[i]), -1);
    assert_int_equal(call->state, CALL_ASKING);
}

/* Approved by a grant and not yet on the disk: taking the grant back stops it. */
static void revoking_stops_what_is_queued(void **state)
{
    struct world *world = *state;
    granted(world, &(struct lease){.kind = LEASE_SESSION});
    world->withhold_commits = true;
    struct call *queued = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(queued->state, CALL_RECORDING);
    unsigned starts = fake_starts;
    assert_true(orchestrator_revoke(world->orchestrator, world->agent, 1));
    assert_false(orchestrator_revoke(world->orchestrator, world->agent, 1));
    let_commit(world, 0);
    settle(world);
    assert_int_equal(queued->state, CALL_FINISHED);
    assert_int_equal(queued->decision.kind, REVIEW_DENIED);
    assert_int_equal(call_exit_status(queued), 77);
    assert_int_equal(fake_starts, starts);
}

/* What the operator approved itself is not what was revoked. */
static void revoking_stops_nothing_else(void **state)
{
    struct world *world = *state;
    granted(world, &(struct lease){.kind = LEASE_SESSION});
    struct call *other = submit(world, SPEC(world, "touch", "y"));
    world->withhold_commits = true;
    decide(world, other, REVIEW_APPROVED);
    assert_true(orchestrator_revoke(world->orchestrator, world->agent, 1));
    let_commit(world, 0);
    settle(world);
    assert_int_equal(other->state, CALL_RUNNING);
    exit_with(world, other, 0);
}

static void a_rule_of_the_session_is_taken_back(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    struct rule_choice choice = {.step = call->prompt->ladder->first, .scope = LADDER_SESSION};
    assert_int_equal(orchestrator_decide_rule(world->orchestrator, call->prompt->id,
                                              call->prompt->revision, &choice, NULL),
                     0);
    settle(world);
    exit_with(world, call, 0);
    world->withhold_commits = true;
    struct call *queued = submit(world, SPEC(world, "touch", "x"));
    assert_int_equal(queued->state, CALL_RECORDING);
    assert_int_equal(queued->decision.source, DECIDED_BY_RULE);
    assert_false(orchestrator_revoke_rule(world->orchestrator, world->agent, 1));
    assert_true(orchestrator_revoke_rule(world->orchestrator, world->agent, 0));
    let_commit(world, 0);
    settle(world);
    assert_int_equal(queued->decision.kind, REVIEW_DENIED);
    world->withhold_commits = false;
    assert_false(runs_unasked(world));
    /* And undo does not find it again. */
    assert_undone(world, UNDO_NOTHING, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(time_ends_and_the_operator_hears_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_are_spent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_waits_spends_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_lasts_until_the_pane_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pane_that_has_ended_holds_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nonsense_is_no_lease, set_up, tear_down),
        cmocka_unit_test_setup_teardown(revoking_stops_what_is_queued, set_up, tear_down),
        cmocka_unit_test_setup_teardown(revoking_stops_nothing_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rule_of_the_session_is_taken_back, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("leases", tests, NULL, NULL);
}
