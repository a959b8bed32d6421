/* SPDX-License-Identifier: MIT */
/* What is chosen before an answer: which rule it makes, where that is kept, and how long it
 * lasts. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

#define LEFT "\x1b[D"
#define RIGHT "\x1b[C"

#define SIXTY "packages/shop/basket/src/components/and/more/of/them/of-60"

/* From exactly this, which is long, to any further words; the last is refused. */
static struct ladder *long_ladder(const char *const *words)
{
    static const char *const prefix[] = {"npm", "run", "lint", NULL};
    static const char *const runner[] = {"npm", "run", NULL}, *const program[] = {"npm", NULL};
    static const char *const tasks[] = {"lint", "test", NULL};
    struct ladder *ladder = XNEW(struct ladder);

    *ladder = (struct ladder){
        .steps =
            {{.width = LADDER_HERE, .words = strv_copy(words), .exact = true, .here = true},
             {.width = LADDER_ANYWHERE, .words = strv_copy(words), .exact = true, .redirect = true},
             {.width = LADDER_SUBCOMMAND, .words = strv_copy(prefix), .covers = 3},
             {.width = LADDER_TASKS,
              .words = strv_copy(runner),
              .alternatives = strv_copy(tasks),
              .covers = 5},
             {.width = LADDER_PROGRAM,
              .words = strv_copy(program),
              .refused = "nobody knows that it runs nothing else"}},
        .count = 5,
        .first = 2,
        .past = 7,
    };
    return ladder;
}

static struct call *ask(struct tui *tui, const char *line, const char *const *words)
{
    struct prompt prompt = {
        .covers_retry = true,
        .may_approve_for_session = true,
        .ladder = long_ladder(words),
    };
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    call->assessment.level = RISK_MEDIUM;
    call->spec->justification = xstrdup("The linter has to pass before I can commit.");
    fake_core_ask_for(tui->core, call, prompt,
                      "Not known to be harmless, and the policy is to ask.",
                      "workspace-write (network off)");
    tui_wait_guard(tui);
    return call;
}

static const char *const short_words[] = {"npm", "run", "lint", NULL};
static const char *const long_words[] = {"npm", "run", "lint", "--", SIXTY, SIXTY, SIXTY, NULL};

/* ---- answers keep their places ------------------------------------------------------------- */

/* The row that "deny, agent goes on" is in. */
static int answer_row(const struct tui *tui)
{
    int row, column;

    assert_true(tui_find(tui, "d  deny", &row, &column));
    return row;
}

/* Whatever is chosen, each answer is where it was: a finger or the mouse finds it again. */
static void answers_stay(const char *line, const char *const *words)
{
    static const struct {
        int rows, columns;
    } sizes[] = {{24, 80}, {30, 100}, {50, 200}};
    static const char *const keys[] = {LEFT,  "\t", LEFT, "\t", RIGHT, "\t", RIGHT, "\t",
                                       RIGHT, "l",  "\t", "+",  "-",   "l",  "+",   "l"};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct tui tui;
        int row;

        tui_start(&tui, sizes[i].rows, sizes[i].columns, &(struct tui_options){0});
        ask(&tui, line, words);
        row = answer_row(&tui);
        for (size_t j = 0; j < COUNT(keys); j++) {
            tui_keys(&tui, keys[j]);
            if (answer_row(&tui) != row)
                fail_msg("%dx%d, key %zu: row %d, not %d", sizes[i].columns, sizes[i].rows, j,
                         answer_row(&tui), row);
        }
        tui_stop(&tui);
    }
}

static void answers_stay_beside_a_short_rule(void **state)
{
    (void)state;
    answers_stay("npm run lint", short_words);
}

static void answers_stay_beside_a_long_rule(void **state)
{
    (void)state;
    answers_stay("npm run lint -- " SIXTY " " SIXTY " " SIXTY, long_words);
}

/* What has no room for all of the command shows more of it where the rule needs less. */
static void answers_stay_below_a_long_command(void **state)
{
    cleanup_free char *line = xcalloc(5000, 1);

    (void)state;
    strcpy(line, "npm run lint --");
    for (int i = 0; i < 60; i++)
        strcat(line, " " SIXTY);
    answers_stay(line, long_words);
}

/* What else a rule would allow has a row, also where a narrower one allows nothing else. */
static void answers_stay_where_others_are_allowed(void **state)
{
    struct tui *tui = *state;
    int row;

    ask(tui, "npm run lint", short_words);
    tui_request_inside(tui, "npm run test", RISK_LOW);
    fake_core_release_by_rule(tui->core, 3, 2);
    tui_wait_guard(tui);
    row = answer_row(tui);
    assert_false(tui_shows(tui, "p also allows c2"));
    tui_keys(tui, RIGHT);
    assert_true(tui_shows(tui, "p also allows c2"));
    assert_int_equal(answer_row(tui), row);
    tui_keys(tui, LEFT);
    assert_false(tui_shows(tui, "also allows"));
    assert_int_equal(answer_row(tui), row);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_stay_beside_a_short_rule),
        cmocka_unit_test(answers_stay_beside_a_long_rule),
        cmocka_unit_test(answers_stay_below_a_long_command),
        TEST(answers_stay_where_others_are_allowed),
    };

    return cmocka_run_group_tests_name("choices", tests, NULL, NULL);
}
