/* SPDX-License-Identifier: MIT */
/* How long a command may run, by a clock that can stand still. */
#include "config.h"

#include "run/limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"

static struct clock_fake fake;
static struct loop *loop;
static struct limit *limit, *none;
static int over;

static void on_over(void *argument)
{
    (void)argument;
    over++;
}

static void pass(int64_t ms)
{
    fake.now_ms += ms;
    loop_step(loop, 0);
}

static int begin(void **state)
{
    (void)state;
    clock_fake_init(&fake, 1000);
    loop = loop_new(&fake.clock);
    over = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    limit_free(&limit);
    limit_free(&none);
    loop_free(&loop);
    return 0;
}

static void test_is_over_once(void **state)
{
    (void)state;
    limit = limit_new(loop, 100, on_over, NULL);
    pass(99);
    assert_int_equal(over, 0);
    pass(1);
    assert_int_equal(over, 1);
    limit_stand(limit, true);
    limit_stand(limit, false);
    pass(1000);
    assert_int_equal(over, 1);
}

static void test_time_that_stands_does_not_count(void **state)
{
    (void)state;
    limit = limit_new(loop, 100, on_over, NULL);
    pass(60);
    limit_stand(limit, true);
    limit_stand(limit, true);
    pass(1000);
    assert_int_equal(over, 0);
    assert_int_equal(limit_spent_ms(limit), 60);
    limit_stand(limit, false);
    pass(39);
    assert_int_equal(over, 0);
    pass(1);
    assert_int_equal(over, 1);
    assert_int_equal(limit_spent_ms(limit), 100);
}

static void test_lifted_or_none_is_never_over(void **state)
{
    (void)state;
    none = limit_new(loop, 0, on_over, NULL);
    limit = limit_new(loop, 100, on_over, NULL);
    limit_lift(limit);
    limit_stand(limit, true);
    limit_stand(limit, false);
    limit_stand(none, true);
    limit_stand(none, false);
    pass(1000);
    assert_int_equal(over, 0);
    assert_int_equal(limit_spent_ms(limit), 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_is_over_once, begin, end),
        cmocka_unit_test_setup_teardown(test_time_that_stands_does_not_count, begin, end),
        cmocka_unit_test_setup_teardown(test_lifted_or_none_is_never_over, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
