/* SPDX-License-Identifier: MIT */
/* :undo takes back the operator's newest answer that holds, whichever kind it is. */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "orchestrator_world.h"

static struct call *asks(struct world *world, const char *file)
{
    struct call *call = submit(world, SPEC(world, "touch", file));
    assert_int_equal(call->state, CALL_ASKING);
    return call;
}

static struct call *allowed(struct world *world, const char *file, enum review_kind kind)
{
    struct call *call = asks(world, file);
    decide(world, call, kind);
    exit_with(world, call, 0);
    return call;
}

static void allowed_for_a_time(struct world *world, const char *file, int64_t ms)
{
    const struct lease lease = {.kind = LEASE_TIME, .duration_ms = ms};
    struct call *call = asks(world, file);
    assert_int_equal(orchestrator_decide_lease(world->orchestrator, call->prompt->id,
                                               call->prompt->revision, &lease, NULL),
                     0);
    settle(world);
    exit_with(world, call, 0);
}

static void the_newest_goes_first(void **state)
{
    struct world *world = *state;
    struct undo undo;
    set_policy(world, world->agent, "untrusted");
    allowed(world, "a", REVIEW_APPROVED_FOR_SESSION);
    struct call *denied = asks(world, "b");
    decide(world, denied, REVIEW_DENIED);
    allowed_for_a_time(world, "c", 60000);
    forget_events(world);
    assert_int_equal(orchestrator_undo(world->orchestrator, &undo, NULL), 0);
    assert_int_equal(undo.kind, UNDO_APPROVAL);
    assert_string_equal(undo.what, "touch c");
    assert_int_equal(undo.lease.kind, LEASE_TIME);
    assert_int_equal(undo.call, denied->id + 1);
    undo_clear(&undo);
    assert_non_null(strstr(strbuf_str(&world->events), "revoked"));
    asks(world, "c");
    assert_int_equal(submit(world, SPEC(world, "touch", "b"))->state, CALL_FINISHED);
    assert_undone(world, UNDO_DENIAL, "touch b");
    asks(world, "b");
    assert_undone(world, UNDO_APPROVAL, "touch a");
    asks(world, "a");
    assert_undone(world, UNDO_NOTHING, NULL);
}

/* As what goes on from a console before gives them back. */
static void give_back(void *argument, const struct session *session)
{
    const char *const first[] = {"[\"first\"]", NULL};
    const char *const second[] = {"[\"second\"]", "[\"too\"]", NULL};
    const char *const host[] = {
        "{\"host\":\"example.org\",\"port\":443,\"protocol\":\"https\",\"tool\":\"network\"}",
        NULL};
    bool later = strcmp(session->name, "later") == 0;
    (void)argument;
    grants_add(session->grants, later ? second : first, later ? "touch second" : "touch first",
               later ? 7 : 9, NULL);
    if (later)
        grants_add(session->grants, host, "network-access https://example.org", 12, NULL);
}

/* They are there before any call is, in the order in which they were given. */
static void what_was_given_before_is_undone(void **state)
{
    static const struct observer observer = {.name = "giver", .session_started = give_back};
    struct world *world = *state;
    orchestrator_add_observer(world->orchestrator, &observer, world);
    open_session(world, SESSION_OPERATOR, "sooner", "untrusted");
    open_session(world, SESSION_DEFAULT, "later", "untrusted");
    assert_undone(world, UNDO_APPROVAL, "connect to https://example.org");
    assert_undone(world, UNDO_APPROVAL, "touch first");
    assert_undone(world, UNDO_APPROVAL, "touch second");
    assert_undone(world, UNDO_NOTHING, NULL);
    orchestrator_remove_observer(world->orchestrator, world);
}

/* Whatever ended it: its time, :revoke, :forget. */
static void what_holds_no_more_is_passed_over(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    allowed(world, "a", REVIEW_APPROVED_FOR_SESSION);
    const struct call *revoked = allowed(world, "b", REVIEW_APPROVED_FOR_SESSION);
    struct call *denied = asks(world, "c");
    decide(world, denied, REVIEW_DENIED);
    allowed_for_a_time(world, "d", 60000);
    orchestrator_revoke(world->orchestrator, world->agent, revoked->decision.grant_id);
    orchestrator_forget_denial(world->orchestrator, denied);
    assert_true(denied->decision.taken_back);
    world->clock.now_ms += 60000;
    assert_undone(world, UNDO_APPROVAL, "touch a");
    assert_undone(world, UNDO_NOTHING, NULL);
}

static void decide_two(struct world *world, const char *one, const char *other,
                       enum review_kind kind, enum review_kind others)
{
    struct call *first = asks(world, one), *second = asks(world, other);
    orchestrator_decide_together(world->orchestrator, true);
    orchestrator_decide(world->orchestrator, first->prompt->id, first->prompt->revision, kind, NULL,
                        NULL);
    orchestrator_decide(world->orchestrator, second->prompt->id, second->prompt->revision, others,
                        NULL, NULL);
    orchestrator_decide_together(world->orchestrator, false);
    settle(world);
}

/* What it did for once is not told beside what still holds. */
static void what_one_answer_did_belongs_together(void **state)
{
    struct world *world = *state;
    struct undo undo, next;
    set_policy(world, world->agent, "untrusted");
    decide(world, asks(world, "a"), REVIEW_DENIED);
    decide_two(world, "b", "c", REVIEW_DENIED, REVIEW_DENIED);
    assert_int_equal(orchestrator_undo(world->orchestrator, &undo, NULL), 0);
    orchestrator_next_undo(world->orchestrator, &next);
    assert_int_not_equal(undo.together, 0);
    assert_int_equal(next.together, undo.together);
    undo_clear(&undo);
    undo_clear(&next);
    assert_undone(world, UNDO_DENIAL, "touch b");
    orchestrator_next_undo(world->orchestrator, &next);
    assert_int_equal(next.together, 0);
    undo_clear(&next);
    decide_two(world, "b", "c", REVIEW_DENIED, REVIEW_APPROVED);
    assert_undone(world, UNDO_DENIAL, "touch b");
    assert_undone(world, UNDO_DENIAL, "touch a");
}

/* What was for once is not taken back; but nothing older is in its place, unsaid. */
static void an_answer_for_once_is_said_first(void **state)
{
    struct world *world = *state;
    struct undo undo;
    set_policy(world, world->agent, "untrusted");
    allowed(world, "a", REVIEW_APPROVED_FOR_SESSION);
    allowed(world, "b", REVIEW_APPROVED);
    const struct call *once = allowed(world, "c", REVIEW_APPROVED);
    assert_int_equal(orchestrator_undo(world->orchestrator, &undo, NULL), 0);
    assert_int_equal(undo.kind, UNDO_ONCE);
    assert_int_equal(undo.call, once->id);
    undo_clear(&undo);
    orchestrator_next_undo(world->orchestrator, &undo);
    assert_int_equal(undo.kind, UNDO_APPROVAL);
    assert_string_equal(undo.what, "touch a");
    undo_clear(&undo);
    assert_undone(world, UNDO_APPROVAL, "touch a");
    assert_undone(world, UNDO_NOTHING, NULL);
    allowed(world, "b", REVIEW_APPROVED);
    allowed(world, "c", REVIEW_APPROVED_FOR_SESSION);
    assert_undone(world, UNDO_APPROVAL, "touch c"); /* that is the newest now */
    assert_undone(world, UNDO_NOTHING, NULL);
}

/* A rule that was made between two answers is neither the first nor the last. */
static void rules_have_their_place(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    allowed(world, "a", REVIEW_APPROVED_FOR_SESSION);
    struct call *call = submit(world, SPEC(world, "mkdir", "x"));
    const struct rule_choice choice = {.step = 0, .scope = LADDER_SESSION};
    assert_int_equal(orchestrator_decide_rule(world->orchestrator, call->prompt->id,
                                              call->prompt->revision, &choice, NULL),
                     0);
    settle(world);
    exit_with(world, call, 0);
    allowed(world, "b", REVIEW_APPROVED_FOR_SESSION);
    assert_undone(world, UNDO_APPROVAL, "touch b");
    assert_undone(world, UNDO_RULE, "mkdir");
    assert_undone(world, UNDO_APPROVAL, "touch a");
    assert_undone(world, UNDO_NOTHING, NULL);
}

/* What was allowed for a session ends with it; what was denied to plain clients holds on. */
static void sessions_end(void **state)
{
    struct world *world = *state;
    struct session *plain = open_session(world, SESSION_DEFAULT, "plain", "untrusted");
    set_policy(world, world->agent, "untrusted");
    allowed(world, "a", REVIEW_APPROVED_FOR_SESSION);
    struct call *call = submit_in(world, plain, SPEC(world, "touch", "b"));
    settle(world);
    decide(world, call, REVIEW_DENIED);
    call = submit_in(world, plain, SPEC(world, "touch", "c"));
    settle(world);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    orchestrator_close_session(world->orchestrator, plain);
    settle(world);
    assert_undone(world, UNDO_DENIAL, "touch b");
    assert_undone(world, UNDO_APPROVAL, "touch a");
    assert_undone(world, UNDO_NOTHING, NULL);
}

/* The client's own answer is not the operator's. */
static void what_a_client_answered_is_not_counted(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    allowed(world, "a", REVIEW_APPROVED_FOR_SESSION);
    world->agent->client_decides = true;
    struct call *call = asks(world, "b");
    assert_int_equal(orchestrator_decide_as_client(world->orchestrator, call->prompt->id,
                                                   call->prompt->revision, REVIEW_APPROVED, NULL),
                     0);
    settle(world);
    exit_with(world, call, 0);
    assert_undone(world, UNDO_APPROVAL, "touch a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_newest_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_given_before_is_undone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_holds_no_more_is_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_for_once_is_said_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_one_answer_did_belongs_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rules_have_their_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sessions_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_client_answered_is_not_counted, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
