/* SPDX-License-Identifier: MIT */
/* A command asks to leave the sandbox, and the operator lets it run inside. */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "orchestrator_world.h"

#define NO_RULE "No rule: it asked to go beyond the sandbox; for this session at most."

static struct command_spec *leaving(const struct world *world, const char *name)
{
    struct command_spec *spec = SPEC(world, "touch", name);
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    return spec;
}

static void set_context(struct world *world, const char *policy, enum sandbox_mode mode,
                        enum sandbox_preference preference)
{
    struct turn_context *made = context_of(world, policy, mode);
    struct turn_context *context =
        turn_context_new(&made->approval, made->sandbox, preference, made->root);
    orchestrator_set_context(world->orchestrator, world->agent, context);
    turn_context_unref(&context);
    turn_context_unref(&made);
}

static void assert_not_offered(struct world *world, const struct call *call)
{
    struct error error = ERROR_INIT;
    assert_int_equal(call->state, CALL_ASKING);
    assert_false(call->prompt->may_sandbox);
    assert_int_equal(orchestrator_decide(world->orchestrator, call->prompt->id,
                                         call->prompt->revision, REVIEW_APPROVED_SANDBOXED, NULL,
                                         &error),
                     -1);
    assert_non_null(strstr(error.message, "not offered"));
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    decide(world, call, REVIEW_DENIED);
}

static struct call *inside(struct world *world, struct command_spec *spec)
{
    struct call *call = submit(world, spec);
    assert_int_equal(call->state, CALL_ASKING);
    assert_int_equal(call->prompt->sandbox, ATTEMPT_UNSANDBOXED);
    assert_true(call->prompt->may_sandbox);
    assert_null(call->prompt->ladder);
    assert_string_equal(call->prompt->no_rule, NO_RULE);
    decide(world, call, REVIEW_APPROVED_SANDBOXED);
    return call;
}

static void it_runs_in_the_turns_sandbox(void **state)
{
    struct world *world = *state;
    struct call *ordinary = submit(world, SPEC(world, "touch", "x"));
    cleanup_free char *policy = xstrdup(ordinary->run->policy);
    exit_with(world, ordinary, 0);
    forget_events(world);

    struct call *call = inside(world, leaving(world, "x"));
    assert_int_equal(call->run->type, SANDBOX_TYPE_LINUX);
    assert_string_equal(call->run->policy, policy);
    assert_false(call->decision.unsandboxed);
    exit_with(world, call, 0);
    assert_events(world, "received 2\nasked 2\ndecided 2 approved_sandboxed user prompt\n"
                         "started 2.1 turn_default\nended 2.1\nfinished 2 0\n");
}

static void nothing_is_remembered(void **state)
{
    struct world *world = *state;
    exit_with(world, inside(world, leaving(world, "x")), 0);
    assert_int_equal(grants_count(world->agent->grants), 0);
    exit_with(world, inside(world, leaving(world, "x")), 0);

    /* What waits meanwhile is not let go either. */
    struct call *one = submit(world, leaving(world, "x")), *other;
    other = submit(world, leaving(world, "x"));
    decide(world, one, REVIEW_APPROVED_SANDBOXED);
    exit_with(world, one, 0);
    assert_int_equal(other->state, CALL_ASKING);
}

/* The sandbox stops it: it leaves that only with a yes of its own, also where a first approval
 * covers the second run. */
static void it_leaves_by_another_answer_alone(void **state)
{
    static const enum review_kind answers[] = {REVIEW_DENIED, REVIEW_APPROVED};
    struct world *world = *state;
    for (size_t i = 0; i < 2; i++) {
        struct turn_context *context =
            context_of(world, i == 0 ? "on-failure" : "on-request", SANDBOX_WORKSPACE_WRITE);
        context->approval.first_covers_retry = true;
        orchestrator_set_context(world->orchestrator, world->agent, context);
        turn_context_unref(&context);

        struct call *call = inside(world, leaving(world, i == 0 ? "x" : "y"));
        unsigned starts = fake_starts;
        exit_denied(world, call);
        assert_int_equal(call->state, CALL_ASKING);
        assert_true(call->prompt->retry);
        assert_false(call->prompt->may_sandbox);
        assert_null(call->prompt->ladder); /* what was no rule's then is none's now */
        assert_string_equal(call->prompt->no_rule, NO_RULE);
        assert_int_equal(call->prompt->sandbox, ATTEMPT_UNSANDBOXED);
        assert_int_equal(fake_starts, starts);
        decide(world, call, answers[i]);
        assert_int_equal(fake_starts, starts + i);
        if (i == 1) {
            assert_int_equal(call->run->type, SANDBOX_TYPE_NONE);
            exit_with(world, call, 0);
        }
        assert_int_equal(call_exit_status(call), i == 1 ? 0 : 77);
    }
}

/* Where the policy does not ask again, that is all: the agent gets what came of it. */
static void a_denial_is_its_result_where_nobody_asks_again(void **state)
{
    struct world *world = *state;
    struct turn_context *context = context_of(world, "on-request", SANDBOX_WORKSPACE_WRITE);
    context->approval.escalate_on_request = false;
    orchestrator_set_context(world->orchestrator, world->agent, context);
    turn_context_unref(&context);
    struct call *call = inside(world, leaving(world, "/opt/x"));
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call->attempt_count, 1);
    assert_int_equal(call->decision.kind, REVIEW_APPROVED_SANDBOXED);
    assert_int_equal(call_exit_status(call), 1);
}

/* A request that does not ask to leave a sandbox, or that none would hold. */
static void it_is_offered_where_a_sandbox_holds(void **state)
{
    struct world *world = *state;
    assert_not_offered(world, submit(world, SPEC(world, "rm", "-rf", "x")));

    struct command_spec *more = SPEC(world, "touch", "y");
    more->permissions = SANDBOX_PERMISSIONS_WITH_ADDITIONAL;
    more->additional = XNEW(struct additional_permissions);
    more->additional->network = true;
    assert_not_offered(world, submit(world, more));

    struct call_options own = {.agent_tool = "Bash"};
    struct call *theirs = orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                                              SPEC(world, "touch", "z"), &own, NULL);
    assert_non_null(theirs);
    settle(world);
    assert_not_offered(world, theirs);

    set_context(world, "untrusted", SANDBOX_DANGER_FULL_ACCESS, SANDBOX_AUTO);
    assert_not_offered(world, submit(world, leaving(world, "a")));
    set_context(world, "untrusted", SANDBOX_DANGER_FULL_ACCESS, SANDBOX_REQUIRE);
    assert_not_offered(world, submit(world, leaving(world, "b")));
    set_context(world, "untrusted", SANDBOX_EXTERNAL, SANDBOX_AUTO);
    assert_not_offered(world, submit(world, leaving(world, "c")));
    set_context(world, "on-request", SANDBOX_WORKSPACE_WRITE, SANDBOX_FORBID);
    assert_not_offered(world, submit(world, leaving(world, "d")));
    set_context(world, "on-request", SANDBOX_READ_ONLY, SANDBOX_AUTO);
    exit_with(world, inside(world, leaving(world, "e")), 0);
}

static void what_was_edited_stays_inside_too(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, leaving(world, "x"));
    assert_int_equal(orchestrator_edit(world->orchestrator, call->prompt->id,
                                       call->prompt->revision, "touch y", NULL),
                     0);
    settle(world);
    assert_true(call->prompt->may_sandbox);
    decide(world, call, REVIEW_APPROVED_SANDBOXED);
    assert_string_equal(strbuf_str(&call->run->program), "touch y");
    assert_int_equal(call->run->type, SANDBOX_TYPE_LINUX);
    exit_with(world, call, 0);
}

/* The files that it runs code from have changed: that they may run in the sandbox is no word about
 * what is allowed to leave it. */
static void changes_stay_unknown_to_what_leaves(void **state)
{
    static const enum review_kind answers[] = {REVIEW_APPROVED, REVIEW_APPROVED_SANDBOXED,
                                               REVIEW_APPROVED};
    static const bool told[] = {false, true, true};
    struct world *world = *state;
    cleanup_free char *path = xasprintf("%s/Makefile", world->root);
    assert_int_equal(fd_replace_file(path, "a:\n", 3, 0644), 0);
    for (size_t i = 0; i < 3; i++) {
        struct command_spec *spec = SPEC(world, "make", "a");
        spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
        struct call *call = submit(world, spec);
        assert_int_equal(call->prompt->changed != NULL, told[i]);
        decide(world, call, answers[i]);
        exit_with(world, call, 0);
        if (i == 0)
            assert_int_equal(fd_replace_file(path, "a:\n\ttrue\n", 9, 0644), 0);
    }
}

int main(void)
{
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_WORLD(it_runs_in_the_turns_sandbox),
        IN_WORLD(nothing_is_remembered),
        IN_WORLD(it_leaves_by_another_answer_alone),
        IN_WORLD(a_denial_is_its_result_where_nobody_asks_again),
        IN_WORLD(it_is_offered_where_a_sandbox_holds),
        IN_WORLD(what_was_edited_stays_inside_too),
        IN_WORLD(changes_stay_unknown_to_what_leaves),
    };
    return cmocka_run_group_tests_name("inside", tests, NULL, NULL);
}
