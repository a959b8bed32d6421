/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sandbox/git_sequence.h"

static void test_strategies(void **state)
{
    (void)state;
    assert_true(git_sequence_strategy_is_harmless("ort\n"));
    assert_true(git_sequence_strategy_is_harmless("recursive"));
    assert_true(git_sequence_strategy_is_harmless(""));
    assert_false(git_sequence_strategy_is_harmless("x/../evil\n"));
    assert_false(git_sequence_strategy_is_harmless("ort2"));
    assert_false(git_sequence_strategy_is_harmless("ort\nx"));
}

static void test_options_that_git_writes(void **state)
{
    (void)state;
    assert_true(git_sequence_options_are_harmless(""));
    assert_true(git_sequence_options_are_harmless("[options]\n\tsignoff = true\n"
                                                  "\tstrategy = ort\n\tmainline = 1\n"
                                                  "\tstrategy-option = theirs\n"));
    assert_true(git_sequence_options_are_harmless("[options]\n\tgpg-sign = 0123ABCD"));
}

static void test_options_that_run_a_program(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "[options]\nstrategy = x/../evil\n", "[options]\n\tStrategy=evil",
        "[options] strategy = evil\n",       "[options]\nstrategy = \"evil\"\n",
        "[options]\nstrat\\\negy = evil\n",  "[include]\npath = /x\n",
        "[options]\nstrategy = ort ; evil",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(git_sequence_options_are_harmless(BAD[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strategies),
        cmocka_unit_test(test_options_that_git_writes),
        cmocka_unit_test(test_options_that_run_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
