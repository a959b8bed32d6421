/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/grants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const one[] = {"{\"a\":1}", NULL};
static const char *const two[] = {"{\"a\":1}", "{\"b\":2}", NULL};
static const char *const other[] = {"{\"b\":2}", NULL};
static const char *const none[] = {NULL};

static void all_keys_must_be_granted(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    assert_int_equal(grants_cover(grants, one, false), 0);
    assert_int_equal(grants_add(grants, one, "one", 5, NULL), 1);
    assert_int_equal(grants_cover(grants, one, false), 1);
    assert_int_equal(grants_cover(grants, two, false), 0);
    assert_int_equal(grants_cover(grants, other, false), 0);
    assert_int_equal(grants_add(grants, other, "other", 5, NULL), 2);
    assert_int_equal(grants_cover(grants, two, false), 2);
    grants_free(&grants);
    assert_null(grants);
}

static void several_keys_are_granted_at_once(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    assert_int_equal(grants_add(grants, two, "both", 5, NULL), 1);
    assert_int_equal(grants_count(grants), 2);
    assert_int_equal(grants_cover(grants, other, false), 2);
    assert_int_equal(grants_cover(grants, two, false), 2);
    grants_free(&grants);
}

/* Only what runs here, and only where no sandbox holds it. */
static void a_grant_tells_that_it_leaves_the_sandbox(void **state)
{
    static const char *const keys[] = {
        "{\"argv\":[\"ls\"],\"sandbox\":\"unsandboxed\",\"tool\":\"shell\"}",
        "{\"argv\":[\"ls\"],\"sandbox\":\"turn_default\",\"tool\":\"shell\"}",
        "{\"agent_tool\":\"Bash\",\"sandbox\":\"unsandboxed\",\"tool\":\"shell\"}",
        "{\"argv\":[\"\\\"sandbox\\\":\\\"unsandboxed\\\"\"],\"tool\":\"shell\"}",
        "{\"host\":\"example.org\",\"tool\":\"network\"}",
        "{\"tool\":",
        NULL};
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    grants_add(grants, keys, "ls", 5, NULL);
    assert_int_equal(grants_count(grants), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(grants_at(grants, i)->unsandboxed, i == 0);
    grants_free(&grants);
}

static void no_keys_are_never_covered(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    assert_int_equal(grants_add(grants, none, "nothing", 5, NULL), 0);
    assert_int_equal(grants_add(grants, NULL, "nothing", 5, NULL), 0);
    assert_int_equal(grants_count(grants), 0);
    grants_add(grants, one, "one", 5, NULL);
    assert_int_equal(grants_cover(grants, none, false), 0);
    assert_int_equal(grants_cover(grants, NULL, false), 0);
    grants_free(&grants);
}

static void uses_are_counted_when_it_is_one(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    grants_add(grants, one, "label", 5, NULL);
    grants_cover(grants, one, false);
    assert_int_equal(grants_at(grants, 0)->uses, 0);
    grants_cover(grants, one, true);
    grants_cover(grants, one, true);
    assert_int_equal(grants_at(grants, 0)->uses, 2);
    assert_string_equal(grants_at(grants, 0)->label, "label");
    assert_int_equal(grants_at(grants, 0)->granted_ms, 77);
    assert_int_equal(grants_at(grants, 0)->call, 5);
    assert_ptr_equal(grants_find_id(grants, 1), grants_at(grants, 0));
    assert_null(grants_find_id(grants, 2));
    assert_null(grants_at(grants, 1));
    grants_free(&grants);
}

static void granting_again_keeps_the_first(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    uint64_t id = grants_add(grants, one, "first", 5, NULL);
    assert_int_equal(grants_add(grants, one, "second", 5, NULL), id);
    assert_int_equal(grants_count(grants), 1);
    assert_string_equal(grants_at(grants, 0)->label, "first");
    grants_free(&grants);
}

static void a_revoked_grant_covers_no_more(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    grants_add(grants, two, "both", 5, NULL);
    assert_true(grants_revoke(grants, 1));
    assert_false(grants_revoke(grants, 1));
    assert_int_equal(grants_cover(grants, one, false), 0);
    assert_int_equal(grants_cover(grants, two, false), 0);
    assert_int_equal(grants_cover(grants, other, false), 2);
    assert_int_equal(grants_add(grants, one, "again", 5, NULL), 3); /* ids are not used twice */
    grants_free(&grants);
}

struct heard {
    unsigned count;
    uint64_t id;
    enum grant_end end;
};

static void hear(void *argument, const struct grant *grant, enum grant_end end)
{
    struct heard *heard = argument;
    heard->count++;
    heard->id = grant->id;
    heard->end = end;
}

/* None yet; what ends is heard. */
static struct grants *heard_grants(struct clock_fake *clock, struct heard *heard)
{
    clock_fake_init(clock, 77);
    struct grants *grants = grants_new(&clock->clock);
    grants_on_end(grants, hear, heard);
    return grants;
}

static void a_lease_of_time_ends_by_either_clock(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 1000);
    struct grants *grants = grants_new(&clock.clock);
    struct heard heard = {0};
    grants_on_end(grants, hear, &heard);
    assert_int_equal(grants_expire(grants), -1);
    grants_add(grants, one, "one", 5, &(struct lease){.kind = LEASE_TIME, .duration_ms = 500});
    assert_int_equal(grants_left_ms(grants, grants_at(grants, 0)), 500);
    assert_int_equal(grants_expire(grants), 500);
    clock.now_ms += 499;
    assert_int_equal(grants_cover(grants, one, true), 1);
    clock.now_ms += 1;
    assert_int_equal(grants_cover(grants, one, true), 0); /* over, also before it is cleared away */
    assert_int_equal(grants_count(grants), 1);
    assert_int_equal(grants_expire(grants), -1);
    assert_int_equal(grants_count(grants), 0);
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.end, GRANT_TIME_OVER);
    grants_free(&grants);
}

static int64_t stands_still(void *argument)
{
    (void)argument;
    return 1000;
}

static void sleep_of_the_machine_counts(void **state)
{
    (void)state;
    struct clock_fake wall;
    clock_fake_init(&wall, 1000);
    struct clock clock = wall.clock;
    clock.monotonic_ms = stands_still; /* as it does while a machine is suspended */
    struct grants *grants = grants_new(&clock);
    grants_add(grants, one, "one", 5, &(struct lease){.kind = LEASE_TIME, .duration_ms = 500});
    wall.now_ms += 500;
    assert_int_equal(grants_cover(grants, one, false), 0);
    grants_free(&grants);
}

static void a_lease_of_runs_is_spent(void **state)
{
    (void)state;
    struct clock_fake clock;
    struct heard heard = {0};
    struct grants *grants = heard_grants(&clock, &heard);
    grants_add(grants, one, "one", 5, &(struct lease){.kind = LEASE_RUNS, .runs = 2});
    assert_int_equal(grants_cover(grants, one, false), 1); /* looking costs nothing */
    assert_int_equal(grants_cover(grants, one, true), 1);
    assert_int_equal(grants_expire(grants), -1);
    assert_int_equal(heard.count, 0);
    assert_int_equal(grants_cover(grants, one, true), 1);
    assert_int_equal(grants_cover(grants, one, true), 0);
    assert_int_equal(grants_expire(grants), -1);
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.end, GRANT_RUNS_USED);
    grants_free(&grants);
}

static void a_lease_ends_with_its_call(void **state)
{
    (void)state;
    struct clock_fake clock;
    struct heard heard = {0};
    struct grants *grants = heard_grants(&clock, &heard);
    grants_add(grants, two, "both", 5, &(struct lease){.kind = LEASE_CALL, .call = 9});
    grants_end_with_call(grants, 8);
    assert_int_equal(grants_cover(grants, two, false), 2);
    grants_end_with_call(grants, 9);
    assert_int_equal(grants_cover(grants, one, false), 0);
    assert_int_equal(heard.count, 2);
    assert_int_equal(heard.end, GRANT_CALL_ENDED);
    grants_free(&grants);
}

/* What was granted longer is neither shortened nor spent. */
static void what_lasts_longer_is_used_first(void **state)
{
    (void)state;
    struct clock_fake clock;
    clock_fake_init(&clock, 77);
    struct grants *grants = grants_new(&clock.clock);
    grants_add(grants, one, "runs", 5, &(struct lease){.kind = LEASE_RUNS, .runs = 1});
    grants_add(grants, one, "time", 6, &(struct lease){.kind = LEASE_TIME, .duration_ms = 10});
    assert_int_equal(grants_count(grants), 2);
    assert_int_equal(grants_cover(grants, one, true), 2);
    clock.now_ms += 10;
    assert_int_equal(grants_cover(grants, one, true), 1);
    assert_int_equal(grants_cover(grants, one, true), 0);
    uint64_t id = grants_add(grants, one, "session", 7, NULL);
    assert_int_equal(
        grants_add(grants, one, "less", 8, &(struct lease){.kind = LEASE_RUNS, .runs = 1}), id);
    assert_int_equal(grants_cover(grants, one, true), id);
    assert_int_equal(grants_cover(grants, one, true), id);
    grants_free(&grants);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keys_must_be_granted),
        cmocka_unit_test(several_keys_are_granted_at_once),
        cmocka_unit_test(a_grant_tells_that_it_leaves_the_sandbox),
        cmocka_unit_test(no_keys_are_never_covered),
        cmocka_unit_test(uses_are_counted_when_it_is_one),
        cmocka_unit_test(granting_again_keeps_the_first),
        cmocka_unit_test(a_revoked_grant_covers_no_more),
        cmocka_unit_test(a_lease_of_time_ends_by_either_clock),
        cmocka_unit_test(sleep_of_the_machine_counts),
        cmocka_unit_test(a_lease_of_runs_is_spent),
        cmocka_unit_test(a_lease_ends_with_its_call),
        cmocka_unit_test(what_lasts_longer_is_used_first),
    };
    return cmocka_run_group_tests_name("grants", tests, NULL, NULL);
}
