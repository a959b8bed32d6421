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
#include "base/text.h"
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

/* However many digits a number has, what it is about stands below the rest, in 80 columns. */
static void columns_are_straight(void **state)
{
    static const int approved[] = {1, 204};
    cleanup_json json_t *result =
        json_pack("{s:i, s:i, s:f, s:{s:n}, s:[], s:[]}", "commands", 400, "questions", 210,
                  "per_100", 52.5, "waited_ms", "median", "causes", "asked");
    char what[200] = "touch ", *text = NULL;
    size_t size;
    (void)state;
    memset(what + strlen(what), 'x', 150);
    for (size_t i = 0; i < 2; i++) {
        json_t *row =
            json_pack("{s:s, s:s, s:f, s:i, s:i, s:i}", "what", what, "cause", "danger", "per_100",
                      1.0, "questions", approved[i], "approved", approved[i], "denied", 0);
        json_array_append(json_object_get(result, "causes"), row);
        json_array_append_new(json_object_get(result, "asked"), row);
    }
    FILE *out = open_memstream(&text, &size);
    log_stats_text(result, out);
    fclose(out);
    assert_non_null(strstr(text, "       1 (1, 0)    dangerous\n"));
    assert_non_null(strstr(text, "     204 (204, 0)  dangerous\n"));
    assert_non_null(strstr(text, "       1 (1, 0)     touch xxx"));
    assert_non_null(strstr(text, "     204 (204, 0)   touch xxx"));
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_true(text_width(line, strcspn(line, "\n")) < 80);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_denied_is_nothing_to_allow),
        cmocka_unit_test(columns_are_straight),
    };
    return cmocka_run_group_tests_name("log_stats_text", tests, NULL, NULL);
}
