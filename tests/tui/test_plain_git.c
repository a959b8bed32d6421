/* SPDX-License-Identifier: MIT */
/* What git says, in plain lines. */
#include "config.h"

#include "plain_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "risk/git_losses.h"

/* Behind the request, which is not asked anew. */
static void what_git_says_of_a_push_is_a_line(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "git push -f", RISK_HIGH);
    struct push_seen seen = {.look = GIT_LOOKING};

    call->pushes.there = xstrdup("refs/remotes/origin/main");
    call->pushes.lost = xstrdup("main..refs/remotes/origin/main");
    strbuf_reset(&world->said);
    fake_core_see_push(world->core, call, &seen);
    settle(world);
    assert_false(said(world, "git is being asked"));
    seen = (struct push_seen){
        .look = GIT_SEEN, .sent = xstrdup(""), .lost = xstrdup("1a2b3c4 Their\x1b[2J\n")};
    fake_core_see_push(world->core, call, &seen);
    settle(world);
    assert_true(said(world, "c1, Lost there: 1 commit as last fetched: 1a2b3c4 Their"));
    assert_false(said(world, "\x1b[2J"));
    assert_false(said(world, "May it run?"));
    strbuf_reset(&world->said);
    fake_core_opinion(world->core, call, &(struct opinion){.status = OPINION_ASKING});
    settle(world);
    assert_false(said(world, "Lost there"));
}

/* … nor of what would be lost. */
static void what_git_says_of_a_loss_is_a_line(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "git clean -f", RISK_HIGH);
    struct git_losses told = {.look = GIT_SEEN};

    git_losses_find((const char *const *)call->spec->argv, call->spec->cwd, &call->losses);
    told.list[0].seen = xstrdup("notes.txt\n");
    strbuf_reset(&world->said);
    fake_core_see_losses(world->core, call, &told);
    settle(world);
    assert_true(said(world, "c1, Would take: 1 file or directory: notes.txt"));
}

/* Of a push that has been seen, without the lines about it. */
static struct call *seen_push(struct world *world)
{
    struct call *call = request(world, "git push", RISK_MEDIUM);
    struct push_seen seen = {.look = GIT_SEEN, .sent = xstrdup("1a2b3c4 Ours\n")};

    call->pushes.there = xstrdup("refs/remotes/origin/main");
    call->pushes.sent = xstrdup("refs/remotes/origin/main..main");
    fake_core_see_push(world->core, call, &seen);
    settle(world);
    wait_guard(world);
    return call;
}

static void a_yes_waits_for_what_git_says_now(void **state)
{
    struct world *world = *state;

    seen_push(world);
    type(world, "i 1\n");
    assert_true(said(world, "git is being asked"));
    settle(world);
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_SANDBOXED);
}

/* The attack: what is sent changes just before the yes. */
static void a_yes_to_what_git_no_longer_says_is_none(void **state)
{
    struct world *world = *state;
    struct call *call = seen_push(world);
    struct push_seen seen = {.look = GIT_SEEN, .sent = xstrdup("9a8b7c6 More\n1a2b3c4 Ours\n")};

    fake_core_slow_git(world->core);
    type(world, "i 1\n");
    assert_true(said(world, "git is being asked"));
    call->prompt->revision++;
    fake_core_see_push(world->core, call, &seen);
    call->looks = ++call->looks_begun;
    settle(world);
    assert_true(said(world, "c1 has changed: look again."));
    assert_true(said(world, "9a8b7c6 More"));
    wait_guard(world);
    world->clock.now_ms += 3000;
    settle(world);
    assert_int_equal(fake_core_decisions(world->core), 0);
}

/* The attack: another request comes meanwhile, which that answer would allow, too. */
static void what_comes_while_git_is_asked_is_not_allowed_unseen(void **state)
{
    struct world *world = *state;
    struct call *call = seen_push(world);
    static const uint64_t other = 9;

    fake_core_slow_git(world->core);
    type(world, "a 1\n");
    if (!said(world, "git is being asked")) {
        wait_guard(world);
        type(world, "yes\n");
    }
    assert_true(said(world, "git is being asked"));
    fake_core_release(world->core, &other, 1);
    call->looks = ++call->looks_begun;
    settle(world);
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "The other requests that this would allow have just changed"));
}

/* That can be an agent's doing. */
static void where_git_takes_long_the_yes_is_given_again(void **state)
{
    struct world *world = *state;

    seen_push(world);
    fake_core_slow_git(world->core);
    type(world, "i 1\n");
    world->clock.now_ms += 999;
    settle(world);
    assert_false(said(world, "git takes long"));
    world->clock.now_ms += 1;
    settle(world);
    assert_true(said(world, "The same answer again allows."));
    assert_int_equal(fake_core_decisions(world->core), 0);
    world->clock.now_ms += 11000; /* what it said is older still */
    settle(world);
    type(world, "i 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    world->clock.now_ms += 1000;
    settle(world);
    wait_guard(world);
    type(world, "i 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_SANDBOXED);
}

static void another_line_takes_the_waiting_yes_back(void **state)
{
    struct world *world = *state;
    struct call *call = seen_push(world);

    fake_core_slow_git(world->core);
    type(world, "y 1\n");
    wait_guard(world);
    type(world, "yes\n");
    assert_true(said(world, "git is being asked"));
    wait_guard(world);
    type(world, "v\n");
    call->looks = ++call->looks_begun;
    settle(world);
    world->clock.now_ms += 3000;
    settle(world);
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "d\n");
    assert_int_equal(decision(world)->kind, REVIEW_DENIED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, plain_world_set_up, plain_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_git_says_of_a_push_is_a_line),
        TEST(what_git_says_of_a_loss_is_a_line),
        TEST(a_yes_waits_for_what_git_says_now),
        TEST(a_yes_to_what_git_no_longer_says_is_none),
        TEST(what_comes_while_git_is_asked_is_not_allowed_unseen),
        TEST(where_git_takes_long_the_yes_is_given_again),
        TEST(another_line_takes_the_waiting_yes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
