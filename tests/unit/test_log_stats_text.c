/* SPDX-License-Identifier: MIT */
/* What `assent log stats` prints of what was asked. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/alloc.h"
#include "base/json.h"
#include "log_stats_text.h"

/* Caller frees. */
static char *printed(int approved, int denied, bool rule)
{
    cleanup_json json_t *result =
        json_pack("{s:i, s:i, s:f, s:{s:n}, s:[], s:[{s:s, s:i, s:i, s:i, s:b}]}", "commands", 9,
                  "questions", approved + denied, "per_100", 50.0, "waited_ms", "median", "causes",
                  "asked", "what", "touch", "questions", approved + denied, "approved", approved,
                  "denied", denied, "rule", rule);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(result);
    log_stats_text(result, out);
    fclose(out);
    return text;
}

static void assert_marked(int approved, int denied, bool rule, bool marked)
{
    cleanup_free char *text = printed(approved, denied, rule);
    assert_non_null(strstr(text, marked ? ") * touch" : ")   touch"));
    assert_int_equal(strstr(text, "rules suggest") != NULL, marked);
}

static void what_was_denied_is_nothing_to_allow(void **state)
{
    (void)state;
    assert_marked(3, 0, true, true);
    assert_marked(3, 0, false, false);
    assert_marked(0, 5, true, false);
    assert_marked(4, 1, true, false);
    assert_marked(2, 0, true, false); /* no rule is proposed of so few */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_denied_is_nothing_to_allow),
    };
    return cmocka_run_group_tests_name("log_stats_text", tests, NULL, NULL);
}
