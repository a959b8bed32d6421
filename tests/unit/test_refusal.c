/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/refusal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
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

static void it_is_told_who_refused(void **state)
{
    static const struct {
        const char *decision, *who;
    } table[] = {
        {"{}", "refused by policy"},
        {"{\"source\":\"config\"}", "refused by policy"},
        {"{\"source\":\"rule\"}", "refused by policy"},
        {"{\"source\":\"user\"}", "refused by the operator"},
        {"{\"source\":\"stopped\"}", "refused by the operator"},
        {"{\"source\":\"client\"}", "refused by the client's user"},
        {"{\"source\":\"ended\"}", "nobody answered"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleanup_json json_t *decision = json_loads(table[i].decision, 0, NULL);
        assert_non_null(decision);
        assert_string_equal(refusal_by(decision), table[i].who);
    }
}

static void names_that_are_not_on_disk_are_told(void **state)
{
    (void)state;
    cleanup_json json_t *none = json_loads("{\"placeholders\":null}", 0, NULL);
    cleanup_json json_t *some = json_loads("{\"placeholders\":[\".a\",\".b\"]}", 0, NULL);
    cleanup_free char *text = refusal_of_names(some);
    assert_null(refusal_of_names(none));
    assert_string_equal(text, ".a, .b");
}

static void a_push_that_failed_within_is_told(void **state)
{
    (void)state;
    cleanup_json json_t *none = json_loads("{\"push_stopped\":null}", 0, NULL);
    cleanup_json json_t *some = json_loads("{\"push_stopped\":\"/b/x.git\"}", 0, NULL);
    assert_null(refusal_to_push(none));
    assert_non_null(strstr(refusal_to_push(some), "nothing says that its push went through"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_was_kept_inside_is_told),
                                       cmocka_unit_test(it_is_told_who_refused),
                                       cmocka_unit_test(names_that_are_not_on_disk_are_told),
                                       cmocka_unit_test(a_push_that_failed_within_is_told)};
    return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
