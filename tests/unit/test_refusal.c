/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/refusal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

static void only_what_was_kept_inside_is_told(void **state)
{
    static const struct {
        const char *result;
        bool told;
    } table[] = {
        {"{}", false},
        {"{\"decision\":null}", false},
        {"{\"decision\":{\"kind\":7}}", false},
        {"{\"decision\":{\"kind\":\"approved\"}}", false},
        {"{\"decision\":{\"kind\":\"approved_sandboxed\"}}", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleanup_json json_t *result = json_loads(table[i].result, 0, NULL);
        assert_non_null(result);
        assert_int_equal(refusal_to_leave(result) != NULL, table[i].told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_was_kept_inside_is_told)};
    return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
