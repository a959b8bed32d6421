/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/wording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

static const char *to_german(const char *text)
{
    static const char *const words[][2] = {
        {"it writes %s and %s", "%s und %s schreibt es"},
        {"; 5% of it", "; 5% davon"},
        {"one %s", "keines"},
        {"two", "%s zu viele %s"},
        {"", "who made this catalogue"},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(text, words[i][0]) == 0)
            return words[i][1];
    return text;
}

static void check(const struct wording *wording, const char *english, const char *german)
{
    cleanup_free char *translated = wording_translate(wording, to_german);
    assert_string_equal(wording_english(wording), english);
    assert_string_equal(translated, german);
}

static void test_pieces(void **state)
{
    (void)state;
    cleanup_wording struct wording *wording = wording_new();
    check(wording, "", "");
    wording_add(wording, "it writes %s and %s", "two", "%s");
    check(wording, "it writes two and %s", "two und %s schreibt es");
    wording_add_words(wording, "; 5% of it");
    check(wording, "it writes two and %s; 5% of it", "two und %s schreibt es; 5% davon");
    cleanup_wording struct wording *copy = wording_copy(wording);
    wording_free(&wording);
    assert_null(wording);
    check(copy, "it writes two and %s; 5% of it", "two und %s schreibt es; 5% davon");
}

/* Quoted words are nobody's to translate, and a bad catalogue breaks nothing. */
static void test_what_is_not_ours(void **state)
{
    (void)state;
    cleanup_wording struct wording *quoted = wording_new();
    wording_add(quoted, "%s", "two");
    check(quoted, "two", "two");
    cleanup_wording struct wording *fewer = wording_new();
    wording_add(fewer, "one %s", "x");
    check(fewer, "one x", "keines");
    cleanup_wording struct wording *more = wording_new();
    wording_add(more, "two");
    check(more, "two", " zu viele ");
    cleanup_wording struct wording *empty = wording_from("");
    check(empty, "", "");
    wording_append(empty, fewer);
    check(empty, "one x", "keines");
}

static void test_nothing(void **state)
{
    (void)state;
    assert_null(wording_english(NULL));
    assert_null(wording_translate(NULL, to_german));
    assert_null(wording_copy(NULL));
    struct wording *none = NULL;
    wording_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_what_is_not_ours),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
