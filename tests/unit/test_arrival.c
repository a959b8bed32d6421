/* SPDX-License-Identifier: MIT */
/* A directory that a script goes to is swapped, between judgement and grant, or before the start.
 */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "orchestrator_world.h"

#define GOES "cd ./sub && touch x"

static char *in_root(const struct world *world, const char *name)
{
    return xasprintf("%s/%s", world->root, name);
}

static void make_directory(const struct world *world, const char *name)
{
    cleanup_free char *path = in_root(world, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

/* `sub` is a link to another directory from now on. */
static void swap(const struct world *world)
{
    cleanup_free char *path = in_root(world, "sub");
    cleanup_free char *aside = in_root(world, "aside");
    rename(path, aside); /* it may not be there */
    assert_int_equal(symlink("other", path), 0);
}

static void begin(struct world *world, bool there)
{
    set_policy(world, world->agent, "untrusted");
    make_directory(world, "other");
    if (there)
        make_directory(world, "sub");
}

static void a_grant_is_for_where_it_led(void **state)
{
    struct world *world = *state;
    begin(world, true);
    struct call *call = submit(world, SCRIPT(world, GOES));
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    struct call *again = submit(world, SCRIPT(world, GOES));
    assert_int_equal(again->state, CALL_RUNNING);
    exit_with(world, again, 0);
    swap(world);
    assert_int_equal(submit(world, SCRIPT(world, GOES))->state, CALL_ASKING);
}

static void assert_not_started(const struct call *call)
{
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(fake_starts, 0);
    if (strstr(call->failure, "the directory that the script goes to was replaced") == NULL)
        fail_msg("%s", call->failure);
}

static void swapped_while_the_operator_looks(void **state)
{
    struct world *world = *state;
    begin(world, true);
    struct call *call = submit(world, SCRIPT(world, GOES));
    swap(world);
    decide(world, call, REVIEW_APPROVED);
    assert_not_started(call);
}

static void swapped_while_it_is_recorded(void **state)
{
    struct world *world = *state;
    begin(world, true);
    world->withhold_commits = true;
    struct call *call = submit(world, SCRIPT(world, GOES));
    decide(world, call, REVIEW_APPROVED);
    swap(world);
    let_commit(world, 0);
    settle(world);
    assert_not_started(call);
}

/* The same path, another directory. */
static void replaced_by_another_directory(void **state)
{
    struct world *world = *state;
    begin(world, true);
    struct call *call = submit(world, SCRIPT(world, GOES));
    cleanup_free char *path = in_root(world, "sub");
    cleanup_free char *aside = in_root(world, "aside");
    assert_int_equal(rename(path, aside), 0); /* its inode is not given to the next one */
    make_directory(world, "sub");
    decide(world, call, REVIEW_APPROVED);
    assert_not_started(call);
}

/* A rule that is made meanwhile judges the call again: what was shown still counts. */
static void judged_again_after_the_swap(void **state)
{
    struct world *world = *state;
    begin(world, true);
    struct call *call = submit(world, SCRIPT(world, GOES));
    struct call *other = submit(world, SPEC(world, "rmdir", "y"));
    swap(world);
    decide(world, other, REVIEW_APPROVED_AMENDMENT);
    exit_with(world, other, 0);
    assert_int_equal(call->state, CALL_ASKING);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(fake_starts, 1); /* the other one's */
}

static void what_was_not_there_may_come(void **state)
{
    struct world *world = *state;
    begin(world, false);
    struct call *call = submit(world, SCRIPT(world, GOES));
    make_directory(world, "sub");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_RUNNING);
    exit_with(world, call, 0);
}

static void what_was_not_there_may_not_lead_elsewhere(void **state)
{
    struct world *world = *state;
    begin(world, false);
    struct call *call = submit(world, SCRIPT(world, GOES));
    swap(world);
    decide(world, call, REVIEW_APPROVED);
    assert_not_started(call);
}

int main(void)
{
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_WORLD(a_grant_is_for_where_it_led),
        IN_WORLD(swapped_while_the_operator_looks),
        IN_WORLD(swapped_while_it_is_recorded),
        IN_WORLD(replaced_by_another_directory),
        IN_WORLD(judged_again_after_the_swap),
        IN_WORLD(what_was_not_there_may_come),
        IN_WORLD(what_was_not_there_may_not_lead_elsewhere),
    };
    return cmocka_run_group_tests_name("arrival", tests, NULL, NULL);
}
