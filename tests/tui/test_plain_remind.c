/* SPDX-License-Identifier: MIT */
/* The console in plain lines: what is asked comes back when other lines have pushed it away. */
#include "config.h"

#include "plain_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

static void an_empty_line_asks_again(void **state)
{
    struct world *world = *state;

    request(world, "make install", RISK_LOW);
    wait_guard(world);
    strbuf_reset(&world->said);
    type(world, "\n");
    assert_string_equal(strbuf_str(&world->said),
                        "c1 codex asks. May it run WITHOUT the sandbox?\n    | make install\n"
                        "Answer for c1: y 1, i 1, a 1, d, n, x, e, v, s, ?\n");
    wait_guard(world);
    strbuf_reset(&world->said);
    type(world, "?\n"); /* with what each of them does */
    assert_true(said(world, "  y 1: allow once, WITHOUT the sandbox\n"));
    assert_true(said(world, "  d: deny just this, for this session (:undo lets it ask again)\n"));
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

/* What allows is not named before the command has been read. */
static void an_unread_command_names_no_allowing_answer(void **state)
{
    struct world *world = *state;
    cleanup_free char *line = xcalloc(1, 9001);

    memset(line, 'x', 9000);
    request(world, line, RISK_LOW);
    wait_guard(world);
    strbuf_reset(&world->said);
    type(world, "\n");
    assert_true(said(world, "Answer for c1: d, n, x, e, v, s, ?\n"));
    assert_true(world->said.length < 500);
}

static void other_lines(struct world *world, struct call *call, int count)
{
    for (int i = 0; i < count; i++)
        fake_core_output(world->core, call, "chatter\n");
    settle(world);
}

static void pass(struct world *world, int64_t ms)
{
    world->clock.now_ms += ms;
    settle(world);
}

/* It looks whether lines still come, and once more. */
static void grow_quiet(struct world *world)
{
    pass(world, 2000);
    pass(world, 2000);
}

static size_t times_said(const struct world *world, const char *text)
{
    size_t count = 0;

    for (const char *at = strbuf_str(&world->said); (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

static struct call *own_command(struct world *world)
{
    struct call *call = fake_core_call(world->core, world->own, "make");

    fake_core_start(world->core, call, "workspace-write");
    return call;
}

/* By itself, once it is quiet; what has been typed of the answer stays. */
static void a_burst_of_other_lines_brings_the_question_back(void **state)
{
    struct world *world = *state;
    struct call *own = own_command(world);

    request(world, "make install", RISK_LOW);
    wait_guard(world);
    strbuf_reset(&world->said);
    other_lines(world, own, 3);
    pass(world, 5000);
    assert_false(said(world, "Answer for c2:"));
    other_lines(world, own, 10);
    assert_false(said(world, "Answer for c2:"));
    type_only(world, "y");
    settle(world);
    grow_quiet(world);
    assert_int_equal(times_said(world, "Answer for c2: y 2, "), 1);
    pass(world, 60000);
    assert_int_equal(times_said(world, "Answer for c2:"), 1);
    type(world, " 2\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

static void a_flood_is_interrupted_now_and_then(void **state)
{
    struct world *world = *state;
    struct call *own = own_command(world);

    request(world, "make install", RISK_LOW);
    wait_guard(world);
    strbuf_reset(&world->said);
    for (int i = 0; i < 60; i++) { /* seconds */
        other_lines(world, own, 20);
        pass(world, 1000);
    }
    assert_in_range(times_said(world, "Answer for c2:"), 1, 4);
}

/* The second step comes back as such, and the word still counts. */
static void a_burst_does_not_disturb_the_word(void **state)
{
    struct world *world = *state;
    struct call *own = own_command(world);

    request(world, "rm -rf /", RISK_HIGH);
    wait_guard(world);
    type(world, "y 2\n");
    wait_guard(world);
    strbuf_reset(&world->said);
    other_lines(world, own, 10);
    grow_quiet(world);
    assert_true(said(world, "    | rm -rf /\nc2 is of high risk"));
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

static void who_comes_to_wait_is_said(void **state)
{
    struct world *world = *state;

    request(world, "rm -rf /", RISK_HIGH);
    wait_guard(world);
    type(world, "y 1\n");
    wait_guard(world);
    type_only(world, "ye");
    request(world, "make", RISK_LOW);
    pass(world, 10);
    assert_true(said(world, "c2 codex asks as well: 1 more waits.\n"));
    for (int i = 0; i < 50; i++)
        request(world, "make", RISK_LOW);
    pass(world, 2000);
    assert_true(said(world, "c52 codex asks as well: 51 more wait.\n"));
    assert_int_equal(times_said(world, "asks as well"), 2);
    type(world, "s\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, plain_world_set_up, plain_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_empty_line_asks_again),
        TEST(an_unread_command_names_no_allowing_answer),
        TEST(a_burst_of_other_lines_brings_the_question_back),
        TEST(a_flood_is_interrupted_now_and_then),
        TEST(a_burst_does_not_disturb_the_word),
        TEST(who_comes_to_wait_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
