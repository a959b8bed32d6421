/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/edited.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/json.h"

static void reads_what_the_operator_made_of_it(void **state)
{
    (void)state;
    static const struct {
        const char *result, *command;
    } table[] = {
        {"{}", NULL},
        {"{\"edited\":null}", NULL},
        {"{\"edited\":{\"argv\":[]}}", NULL},
        {"{\"edited\":{\"argv\":[\"ls\",1]}}", NULL},
        {"{\"edited\":{\"argv\":\"ls\"}}", NULL},
        {"{\"edited\":{\"argv\":[\"touch\",\"a b\"]}}", "touch 'a b'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleanup_json json_t *result = json_loads(table[i].result, 0, NULL);
        assert_non_null(result);
        cleanup_free char *command = edited_command(result);
        if (table[i].command == NULL)
            assert_null(command);
        else
            assert_string_equal(command, table[i].command);
    }
}

/* What is no part of a second try was done by the first. */
static void says_that_it_ran_before(void **state)
{
    (void)state;
    cleanup_json json_t *first =
        json_pack("{s:{s:[s],s:b}}", "edited", "argv", "ls", "second_try", 0);
    cleanup_json json_t *second =
        json_pack("{s:{s:[s],s:b}}", "edited", "argv", "ls", "second_try", 1);
    assert_string_equal(edited_words(first), "the operator changed the command to");
    assert_non_null(strstr(edited_words(second), "it ran as you asked for it until"));
    assert_null(edited_first(second));
}

/* Nor was it done as it was asked for, when that had been changed as well. */
static void says_what_ran_before(void **state)
{
    (void)state;
    cleanup_json json_t *twice = json_pack("{s:{s:[s],s:b,s:s}}", "edited", "argv", "ls",
                                           "second_try", 1, "first_try", "touch b; ls");
    assert_string_equal(edited_first(twice), "touch b; ls");
    assert_null(strstr(edited_words(twice), "as you asked"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_what_the_operator_made_of_it),
                                       cmocka_unit_test(says_that_it_ran_before),
                                       cmocka_unit_test(says_what_ran_before)};
    return cmocka_run_group_tests_name("edited", tests, NULL, NULL);
}
