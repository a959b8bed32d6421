/* SPDX-License-Identifier: MIT */
/* The list of calls: which rows it has, and which of them are in view. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/text.h"
#include "inbox_steps.h"
#include "tui.h"
#include "ui/console_int.h"
#include "ui/view.h"

#define TIMES "\xc3\x97"

/* The program has waited for that host, and gives up. */
static void give_up(struct tui *tui, const char *host)
{
    struct call *call = inbox_request_host(tui, host);

    fake_core_withdraw(tui->core, call);
    free(call->failure);
    call->failure = xstrdup("the program stopped waiting");
    console_dirty(tui->console, DIRTY_LAYOUT);
    tui_settle(tui);
}

/* Programs give up after some seconds and ask anew: one row, however often. */
static void a_host_that_is_asked_for_again_has_one_row(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "sleep 300", false);
    for (int i = 0; i < 5; i++)
        give_up(tui, "pypi.example");
    assert_true(tui_shows(tui, "c6   "));
    assert_true(tui_shows(tui, TIMES "5 https://pypi.example:443"));
    assert_true(tui_shows(tui, "sleep 300"));
    assert_false(tui_shows(tui, "c5   "));
    assert_true(tui_shows(tui, " 2 "));
    give_up(tui, "other.example");
    inbox_request_host(tui, "pypi.example");
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b"); /* later */
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, TIMES "6 https://pypi.example:443"));
    assert_true(tui_shows(tui, " https://other.example:443"));
}

/* Tab goes from row to row; a click means what is there. */
static void a_row_of_several_is_selected_as_one(void **state)
{
    struct tui *tui = *state;
    int row, column;

    tui_running(tui, "sleep 300", false);
    give_up(tui, "pypi.example");
    give_up(tui, "pypi.example");
    tui_keys(tui, "\t");
    assert_int_equal(tui->console->selected, 1);
    tui_keys(tui, "\t");
    assert_int_equal(tui->console->selected, 3);
    give_up(tui, "pypi.example");
    assert_int_equal(tui->console->selected, 4);
    assert_true(tui_find(tui, TIMES "3 https://", &row, &column));
    assert_int_equal(view_calls_at(tui->console, row, column), 4);
}

/* Has the list a row with that? The titles of panes are below it. */
static bool lists(const struct tui *tui, const char *text)
{
    int row, column;

    return tui_find(tui, text, &row, &column) && row < tui->console->layout.list.rows;
}

/* What has ended does not push out what has not. */
static void what_runs_stays_in_view(void **state)
{
    struct tui *tui = *state;
    struct call *first = tui_running(tui, "sleep 300", false);

    for (int i = 0; i < 9; i++)
        fake_core_finish(tui->core, tui_running(tui, "true", false), 0);
    tui_settle(tui);
    assert_true(lists(tui, "sleep 300"));
    assert_true(lists(tui, "c10 "));
    tui_keys(tui, "\t\t\t\t\t\t"); /* to where the operator looks for something */
    assert_false(lists(tui, "sleep 300"));
    assert_true(lists(tui, "c4 "));
    assert_true(tui_shows(tui, "newer below"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(lists(tui, "sleep 300"));
    fake_core_finish(tui->core, first, 0);
    tui_settle(tui);
    assert_false(lists(tui, "sleep 300"));
}

/* Away from the newest, what waits may be out of view: the way back to it is told then, too, but
 * not where the key would put a request aside. */
static void the_way_back_to_what_waits_is_told(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < 9; i++)
        fake_core_finish(tui->core, tui_running(tui, "true", false), 0);
    tui_request_inside(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "Esc: newest"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 2000);
    assert_false(tui_shows(tui, "Esc: newest"));
    tui_keys(tui, "\t\t\t\t\t\t\t");
    assert_false(lists(tui, "make"));
    assert_true(tui_shows(tui, "newer below, 1 request waits  Esc: newest "));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "c10 asks. May it run?"));
    assert_false(tui_shows(tui, "Esc: newest"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 2000);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 2000);
    assert_true(lists(tui, "make"));
    assert_false(tui_shows(tui, "Esc: newest"));
}

/* A row is found by its columns; what is cut of a command is not its end, where files are named. */
static void names_and_states_are_in_columns(void **state)
{
    struct tui *tui = *state;
    struct session *session = fake_core_session(tui->core, SESSION_CLIENT, "implementer-of-all");
    const char *command = "sed -i s/separated-by-spaces/separated-by-tabulators-and-blanks/ README";
    int row, first, second;

    fake_core_start(tui->core, fake_core_call(tui->core, session, command), "workspace-write");
    tui_running(tui, "make", false);
    tui_resize(tui, 24, 80);
    assert_true(lists(tui, "sed -i s/"));
    assert_true(lists(tui, " README imple"));
    assert_true(tui_find(tui, " implem", &row, &first));
    assert_true(tui_find(tui, " codex  ", &row, &second));
    assert_int_equal(first, second);
}

/* A long name has what the commands leave. */
static void a_long_name_has_the_room_that_there_is(void **state)
{
    struct tui *tui = *state;
    struct session *session = fake_core_session(tui->core, SESSION_CLIENT, "assent-bridge 21647");

    fake_core_start(tui->core, fake_core_call(tui->core, session, "make"), "workspace-write");
    tui_resize(tui, 24, 80);
    assert_true(lists(tui, "\"assent-bridge 21647\" running"));
}

#define PUSH                                                                                       \
    "git push origin HEAD:refs/heads/topic/a-name-that-takes-more-than-there-is-and-more-fix"
#define COMMAND_COLUMNS 22 /* at least */

/* In each state, of two agents. */
static void many_states(struct tui *tui)
{
    struct session *other = fake_core_session(tui->core, SESSION_CLIENT, "gemini");
    struct call *call = tui_running(tui, PUSH, false);

    call->attempts[0].sandbox = ATTEMPT_UNSANDBOXED;
    fake_core_finish(tui->core, call, 1);
    call = tui_running(tui, PUSH, false);
    fake_core_finish(tui->core, call, 0);
    tui_request(tui, PUSH, RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    fake_core_start(tui->core, fake_core_call(tui->core, other, PUSH), "workspace-write");
    fake_core_request(tui->core, other, PUSH, RISK_LOW, true);
    tui_advance(tui, 1000);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
}

/* So many columns of the row have both ends of the command; 0: not both. */
static size_t command_columns(const struct tui *tui, const char *row)
{
    const char *start = strstr(row, "git push or"),
               *mark = theme_glyph(tui->console->theme, GLYPH_ELLIPSIS);
    const char *end = start != NULL ? strstr(start, "fix ") : NULL;

    if (end == NULL || strstr(start, mark) == NULL)
        return 0;
    return text_width(start, (size_t)(end + strlen("fix") - start));
}

/* Wherever the list stands, and whatever the language, commands are told apart. */
static void commands_have_room_in_each_row(void **state)
{
    static const int widths[] = {80, 100, 120, 121, 160, 200, 300};
    static const char *const locales[] = {NULL, "C"};

    (void)state;
    for (size_t i = 0; i < COUNT(widths) * COUNT(locales); i++) {
        struct tui_options options = {.locale = locales[i % COUNT(locales)]};
        struct tui tui;

        tui_start(&tui, 40, widths[i / COUNT(locales)], &options);
        many_states(&tui);
        for (int row = 1; row <= 5; row++) {
            cleanup_free char *text = outer_row(tui.outer, row);

            assert_in_range(command_columns(&tui, text), COMMAND_COLUMNS, 80);
        }
        tui_stop(&tui);
    }
}

/* Which of several agents asks is told where there is no room to tell it of all calls. */
static void a_request_names_its_agent_in_a_narrow_list(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 40, 160);
    many_states(tui);
    assert_true(lists(tui, "fix gemini \xc2\xb7 put aside"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    tui_advance(tui, 100);
    assert_false(lists(tui, "fix gemini"));
    assert_true(lists(tui, "fix denied"));
}

/* Of one agent alone they say nothing. */
static void the_only_agent_is_not_named_in_a_narrow_list(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 40, 120);
    tui_request(tui, PUSH, RISK_LOW);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    assert_true(lists(tui, "fix put aside"));
    assert_false(lists(tui, "codex"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)

/* A newline in a row is a sign that no command can bring along, and a mark in plain ASCII. */
static void the_lines_of_a_command_in_one_row(void **state)
{
    static const struct {
        const char *locale, *shown;
    } table[] = {{NULL, "set -e¶ls <U+00B6> <LF>¶¶df"}, {"C", "set -e<LF>ls ? <LF><LF x2>df"}};

    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct tui_options options = {.locale = table[i].locale};
        cleanup_free char *in_inbox = xasprintf("no sandbox: %s", table[i].shown);
        struct tui tui;
        int row, column;

        tui_start(&tui, 24, 100, &options);
        tui_request(&tui, "set -e\nls ¶ <LF>\n\ndf", RISK_LOW);
        tui_wait_guard(&tui);
        tui_keys(&tui, "\x1b"); /* put aside */
        tui_advance(&tui, 100);
        assert_true(tui_find(&tui, table[i].shown, &row, &column));
        assert_int_equal(row, 1);
        tui_keys(&tui, "\x1b[20~"); /* F9 */
        tui_wait_guard(&tui);
        assert_true(tui_shows(&tui, in_inbox));
        tui_stop(&tui);
    }
}

/* So it is in the trail. */
static void the_lines_of_a_command_in_the_trail(void **state)
{
    static const struct {
        const char *locale, *shown;
    } table[] = {{NULL, "for this session: cd a¶ls <U+00B6> <LF>"},
                 {"C", "for this session: cd a<LF>ls ? <LF>"}};

    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct tui_options options = {.locale = table[i].locale};
        struct tui tui;

        tui_start(&tui, 24, 80, &options);
        tui_request(&tui, "cd a\nls ¶ <LF>", RISK_LOW);
        tui_wait_guard(&tui);
        tui_keys(&tui, "d");
        tui_advance(&tui, 100);
        assert_true(tui_says(&tui, table[i].shown));
        tui_stop(&tui);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_host_that_is_asked_for_again_has_one_row),
        TEST(a_row_of_several_is_selected_as_one),
        TEST(what_runs_stays_in_view),
        TEST(the_way_back_to_what_waits_is_told),
        TEST(names_and_states_are_in_columns),
        TEST(a_long_name_has_the_room_that_there_is),
        TEST(a_request_names_its_agent_in_a_narrow_list),
        TEST(the_only_agent_is_not_named_in_a_narrow_list),
        cmocka_unit_test(commands_have_room_in_each_row),
        cmocka_unit_test(the_lines_of_a_command_in_one_row),
        cmocka_unit_test(the_lines_of_a_command_in_the_trail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
