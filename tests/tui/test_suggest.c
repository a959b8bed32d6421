/* SPDX-License-Identifier: MIT */
/* Rules that could be made of what was approved: what a key adds was on the screen, and what is
 * wide takes two. */
#include "config.h"

#include "fake_lab.h"
#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/console_int.h"

#define BAR "\xe2\x94\x83 "

static struct rule_evidence test_evidence[] = {{"npm test", "medium", 4, 0},
                                               {"npm test --all", "medium", 1, 0}};
static struct rule_evidence push_evidence[] = {{"git push", "high", 2, 0},
                                               {"git push --force", "high", 1, 1}};

static char long_words[600];

static struct rule_suggestion suggestions[] = {
    {.rule = "prefix_rule(pattern=[\"npm\", \"test\"])",
     .words = "npm test",
     .approved = 5,
     .evidence = test_evidence,
     .count = 2},
    {.rule = "prefix_rule(pattern=[\"git\", \"push\"])",
     .words = "git push",
     .approved = 3,
     .denied = 1,
     .high = true,
     .evidence = push_evidence,
     .count = 2},
    {.rule = "prefix_rule(pattern=[\"long\"])", .words = long_words, .exact = true, .approved = 3},
    {.rule = "prefix_rule(pattern=[\"evil\"])",
     .words = "evil \x1b[2J\xe2\x80\xae words",
     .exact = true,
     .approved = 3},
};

static void open_list(struct tui *tui, struct fake_lab *lab)
{
    memset(long_words, 'x', sizeof(long_words) - 1);
    *lab = (struct fake_lab){.suggestions = suggestions, .suggestion_count = 4};
    fake_lab_give(&tui->console->setup.hooks, lab);
    tui_keys(tui, ":suggest\r");
    tui_settle(tui);
    tui_wait_guard(tui);
}

static void a_key_adds_a_narrow_one(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    open_list(tui, &lab);
    assert_true(tui_shows(tui, "saves 5 questions"));
    tui_keys(tui, "p");
    assert_string_equal(fake_core_rule(tui->core), suggestions[0].rule);
    assert_true(tui_shows(tui, "added: in force from the next call on"));
    tui_keys(tui, "p");
    assert_true(tui_shows(tui, "in force already"));
    tui_keys(tui, "q");
    assert_int_equal(lab.open, 0);
}

static void a_wide_one_takes_a_second_key(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    open_list(tui, &lab);
    tui_keys(tui, "jp"); /* in one piece: no answer */
    assert_false(tui_shows(tui, "Enter adds it all the same"));
    tui_keys(tui, "p");
    assert_null(fake_core_rule(tui->core));
    assert_true(tui_shows(tui, "and any further words; some were of HIGH RISK"));
    assert_true(tui_shows(tui, "saves 3 questions; ALSO ALLOWS 1 that you denied"));
    assert_true(tui_shows(tui, "Enter adds it all the same"));
    /* Any other key does not, and neither does the same. */
    tui_keys(tui, "p");
    assert_null(fake_core_rule(tui->core));
    tui_keys(tui, "p");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 200);
    assert_null(fake_core_rule(tui->core));
    assert_non_null(tui->console->overlay);
    /* Nor a marked one that was not meant. */
    tui_keys(tui, "p");
    tui_presses(tui, "k\r");
    assert_null(fake_core_rule(tui->core));
    assert_true(tui_shows(tui, "A rule that would save you questions"));
    tui_keys(tui, "qj");
    tui_keys(tui, "p");
    tui_keys(tui, "\r");
    assert_string_equal(fake_core_rule(tui->core), suggestions[1].rule);
}

static void what_is_denied_is_listed(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    open_list(tui, &lab);
    tui_keys(tui, "jv");
    assert_true(tui_shows(tui, "It would ALSO have allowed what you denied"));
    assert_true(tui_shows(tui, "1  git push --force  [high risk]"));
    assert_true(tui_shows(tui, "2  git push  [high risk]"));
}

static void what_is_too_long_is_read_first(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    open_list(tui, &lab);
    tui_keys(tui, "jj");
    tui_keys(tui, "p");
    assert_null(fake_core_rule(tui->core));
    assert_true(tui_shows(tui, "read it in full first"));
    tui_keys(tui, "v");
    tui_keys(tui, "q");
    tui_keys(tui, "p");
    assert_string_equal(fake_core_rule(tui->core), suggestions[2].rule);
}

static void hostile_words_stay_words(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    open_list(tui, &lab);
    assert_true(tui_shows(tui, BAR "evil <ESC>[2J<U+202E> words"));
    tui_keys(tui, "jjjv");
    assert_true(tui_shows(tui, BAR "evil <ESC>[2J<U+202E> words"));
}

/* Whoever types while the record is read meant something else. */
static void a_key_before_the_list_is_there_adds_nothing(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    lab = (struct fake_lab){.steps = 1000000, .suggestions = suggestions, .suggestion_count = 1};
    fake_lab_give(&tui->console->setup.hooks, &lab);
    tui_keys(tui, ":suggest\r");
    assert_true(tui_shows(tui, "reading the record"));
    tui_keys(tui, "p");
    lab.steps = 0;
    tui_settle(tui);
    assert_true(tui_shows(tui, "npm test"));
    tui_keys(tui, "p");
    assert_null(fake_core_rule(tui->core));
    tui_wait_guard(tui);
    tui_keys(tui, "p");
    assert_non_null(fake_core_rule(tui->core));
}

static void nothing_is_said_to_be_nothing(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    fake_lab_give(&tui->console->setup.hooks, &lab);
    tui_keys(tui, ":suggest\r");
    tui_settle(tui);
    assert_true(tui_shows(tui, "Nothing that a rule could answer was approved three times here."));
    tui_keys(tui, "pv\r");
    assert_null(fake_core_rule(tui->core));
}

static void lists_look_right(void **state)
{
    static const int sizes[][2] = {{24, 80}, {50, 200}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct tui tui;
        static struct fake_lab lab;
        char name[40];

        tui_start(&tui, sizes[i][0], sizes[i][1], NULL);
        open_list(&tui, &lab);
        tui_keys(&tui, "j");
        tui_keys(&tui, "p");
        snprintf(name, sizeof(name), "suggest-%dx%d", sizes[i][1], sizes[i][0]);
        tui_golden(&tui, name);
        tui_stop(&tui);
    }
}

static void a_key_of_the_prompts_says_so(void **state)
{
    struct tui *tui = *state;
    static struct fake_lab lab;

    open_list(tui, &lab);
    tui_keys(tui, "\x1b[17~"); /* F6 */
    assert_true(tui_shows(tui, "Esc closes: that key is for the prompt"));
    tui_keys(tui, "\x1b[B");
    assert_false(tui_shows(tui, "that key is for the prompt"));
    tui_presses(tui, ":undo");
    assert_int_equal(lab.open, 0);
    assert_string_equal(line_editor_text(tui->console->prompt), ":undo");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_key_of_the_prompts_says_so),
        TEST(a_key_adds_a_narrow_one),
        TEST(a_wide_one_takes_a_second_key),
        TEST(what_is_denied_is_listed),
        TEST(what_is_too_long_is_read_first),
        TEST(hostile_words_stay_words),
        TEST(a_key_before_the_list_is_there_adds_nothing),
        TEST(nothing_is_said_to_be_nothing),
        cmocka_unit_test(lists_look_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
