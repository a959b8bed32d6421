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
    struct grants *grants = grants_new();
    assert_int_equal(grants_cover(grants, one, false), 0);
    assert_int_equal(grants_add(grants, one, "one", 5, 10), 1);
    assert_int_equal(grants_cover(grants, one, false), 1);
    assert_int_equal(grants_cover(grants, two, false), 0);
    assert_int_equal(grants_cover(grants, other, false), 0);
    assert_int_equal(grants_add(grants, other, "other", 5, 20), 2);
    assert_int_equal(grants_cover(grants, two, false), 1);
    grants_free(&grants);
    assert_null(grants);
}

static void several_keys_are_granted_at_once(void **state)
{
    (void)state;
    struct grants *grants = grants_new();
    assert_int_equal(grants_add(grants, two, "both", 5, 10), 1);
    assert_int_equal(grants_count(grants), 2);
    assert_int_equal(grants_cover(grants, other, false), 2);
    assert_int_equal(grants_cover(grants, two, false), 1);
    grants_free(&grants);
}

static void no_keys_are_never_covered(void **state)
{
    (void)state;
    struct grants *grants = grants_new();
    assert_int_equal(grants_add(grants, none, "nothing", 5, 10), 0);
    assert_int_equal(grants_add(grants, NULL, "nothing", 5, 10), 0);
    assert_int_equal(grants_count(grants), 0);
    grants_add(grants, one, "one", 5, 10);
    assert_int_equal(grants_cover(grants, none, false), 0);
    assert_int_equal(grants_cover(grants, NULL, false), 0);
    grants_free(&grants);
}

static void uses_are_counted_when_it_is_one(void **state)
{
    (void)state;
    struct grants *grants = grants_new();
    grants_add(grants, one, "label", 5, 77);
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
    struct grants *grants = grants_new();
    uint64_t id = grants_add(grants, one, "first", 5, 10);
    assert_int_equal(grants_add(grants, one, "second", 5, 20), id);
    assert_int_equal(grants_count(grants), 1);
    assert_string_equal(grants_at(grants, 0)->label, "first");
    grants_free(&grants);
}

static void a_revoked_grant_covers_no_more(void **state)
{
    (void)state;
    struct grants *grants = grants_new();
    grants_add(grants, two, "both", 5, 10);
    assert_true(grants_revoke(grants, 1));
    assert_false(grants_revoke(grants, 1));
    assert_int_equal(grants_cover(grants, one, false), 0);
    assert_int_equal(grants_cover(grants, two, false), 0);
    assert_int_equal(grants_cover(grants, other, false), 2);
    assert_int_equal(grants_add(grants, one, "again", 5, 30), 3); /* ids are not used twice */
    grants_free(&grants);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keys_must_be_granted),
        cmocka_unit_test(several_keys_are_granted_at_once),
        cmocka_unit_test(no_keys_are_never_covered),
        cmocka_unit_test(uses_are_counted_when_it_is_one),
        cmocka_unit_test(granting_again_keeps_the_first),
        cmocka_unit_test(a_revoked_grant_covers_no_more),
    };
    return cmocka_run_group_tests_name("grants", tests, NULL, NULL);
}
