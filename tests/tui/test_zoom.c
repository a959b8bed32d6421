/* SPDX-License-Identifier: MIT */
/* A pane that has the whole screen: what of it is seen, and how large its program is told it is. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "fake_lab.h"
#include "ui/console_int.h"

#define F3 "\x1bOR"
#define F5 "\x1b[15~"
#define F12 "\x1b[24~"
#define SHIFT_TAB "\x1b[Z"
#define TAB "\t"
#define LEAVE "\x1c"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"

static void zoom_gives_all_but_one_row(void **state)
{
    struct tui *tui = *state;
    int rows, columns;

    tui_running(tui, "top", true);
    tui_keys(tui, F5 F12);
    fake_core_size(tui->core, &rows, &columns);
    assert_int_equal(rows, 23);
    assert_int_equal(columns, 80);
    assert_true(tui_shows(tui, "kov keys"));
    assert_false(tui_shows(tui, "Calls"));
    tui_keys(tui, LEAVE F5);
    fake_core_size(tui->core, &rows, &columns);
    assert_true(rows < 20);
    assert_true(tui_shows(tui, "Calls"));
}

/* The program's rows from `first` to `last`, and no other, stand below one another from `row` on.
 */
static void shows_rows(const struct tui *tui, int first, int last, int row)
{
    for (int i = 1; i <= 23; i++) {
        char text[16];
        bool found;
        int at, column;

        snprintf(text, sizeof(text), "row %02d", i);
        found = tui_find(tui, text, &at, &column);
        assert_int_equal(found, i >= first && i <= last);
        assert_true(!found || at == row + i - first);
    }
}

static void print_rows(struct tui *tui, struct call *call, int rows)
{
    for (int i = 1; i <= rows; i++) {
        char text[32];

        snprintf(text, sizeof(text), "\x1b[%d;1Hrow %02d", i, i);
        fake_core_output(tui->core, call, text);
    }
}

/* A pane is zoomed to be watched: nothing of it lies under the title or the prompt. */
static void a_zoomed_pane_is_seen_whole(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "top", true);
    int rows, columns;

    tui_keys(tui, F5);
    fake_core_size(tui->core, &rows, &columns);
    assert_int_equal(rows, 20);
    print_rows(tui, call, rows);
    tui_settle(tui);
    shows_rows(tui, 1, 20, 1);
    assert_true(tui_shows(tui, "c1  top"));
    tui_keys(tui, F12);
    fake_core_size(tui->core, &rows, &columns);
    assert_int_equal(rows, 23);
    shows_rows(tui, 1, 20, 0);
}

/* Of a program that has been given more rows than there are beside the prompt, those are shown in
 * which it writes. The rest can be scrolled to, and is back once the program has the keyboard. */
static void a_zoomed_pane_keeps_its_cursor_in_view(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "vi", true);

    tui_keys(tui, F5 F12);
    print_rows(tui, call, 23);
    tui_keys(tui, LEAVE);
    shows_rows(tui, 4, 23, 1);
    tui_keys(tui, PAGE_UP);
    shows_rows(tui, 1, 20, 1);
    tui_keys(tui, PAGE_DOWN);
    fake_core_output(tui->core, call, "\x1b[2;1H");
    tui_settle(tui);
    shows_rows(tui, 2, 21, 1);
    fake_core_output(tui->core, call, "\x1b[12;1H");
    tui_settle(tui);
    shows_rows(tui, 4, 23, 1);
    tui_keys(tui, F12);
    shows_rows(tui, 1, 23, 0);
    fake_core_output(tui->core, call, "\x1b[6;1H\x1b[J");
    tui_keys(tui, LEAVE);
    shows_rows(tui, 1, 5, 1);
}

/* A request comes and goes, and the prompt with it: the program learns nothing of that. */
static void a_request_gives_a_zoomed_pane_back(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "vi", true);
    int rows, columns;

    tui_keys(tui, F5 F12);
    print_rows(tui, call, 23);
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    shows_rows(tui, 1, 23, 0);
    tui_keys(tui, LEAVE);
    assert_true(tui_shows(tui, "May it run"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    shows_rows(tui, 4, 23, 1);
    tui_keys(tui, F12);
    shows_rows(tui, 1, 23, 0);
    fake_core_size(tui->core, &rows, &columns);
    assert_int_equal(rows, 23);
}

/* Whoever types has to see it, also while one pane has the screen. */
static void a_zoomed_pane_makes_room_for_the_prompt(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "top", true);
    int rows, columns;

    tui_keys(tui, F5 F12);
    fake_core_output(tui->core, call, "\x1b[1;1Hthe top\x1b[23;1Hrow 23");
    tui_settle(tui);
    assert_true(tui_shows(tui, "row 23"));
    assert_false(tui_shows(tui, "c1  top"));
    tui_keys(tui, LEAVE);
    assert_true(tui_shows(tui, "row 23"));
    assert_false(tui_shows(tui, "the top"));
    assert_true(tui_shows(tui, "c1  top")); /* which pane it is */
    tui_lines(tui, ":quit\r");
    assert_true(
        tui_shows(tui, "F10 once more ends the console: 1 call that has not finished ends"));
    fake_core_output(tui->core, call, "\x1b[23;1Hrow 23 again");
    tui_keys(tui, "abc");
    assert_true(tui_shows(tui, "> abc"));
    fake_core_size(tui->core, &rows, &columns);
    assert_int_equal(rows, 23); /* the program is not bothered */
    tui_keys(tui, F12);
    assert_true(tui_shows(tui, "row 23 again"));
    assert_true(tui_shows(tui, "the top"));
}

/* What a command has printed is all there, below the title and above the prompt. */
static void zoom_hides_nothing_of_what_was_printed(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "printf ...", false);
    int row, column;

    fake_core_output(tui->core, call, "first\nsecond\n");
    tui_keys(tui, F5);
    assert_true(tui_find(tui, "first", &row, &column));
    assert_int_equal(row, 1);
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_find(tui, "first", &row, &column));
    assert_int_equal(row, 1);
    assert_true(tui_shows(tui, "c1  printf"));
}

static void the_last_line_is_above_the_prompt(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "seq 100", false);
    int row, column;

    for (int i = 1; i <= 100; i++) {
        char line[16];

        snprintf(line, sizeof(line), "line %d\n", i);
        fake_core_output(tui->core, call, line);
    }
    fake_core_finish(tui->core, call, 0);
    tui_keys(tui, F5);
    tui_settle(tui);
    assert_true(tui_find(tui, "line 100", &row, &column));
    assert_true(row < 22);
}

/* A request that cannot be read as a whole is not allowed. */
static void a_small_zoomed_pane_allows_no_request(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "top", true);

    tui_keys(tui, F5);
    tui_resize(tui, 10, 40);
    fake_core_output(tui->core, call, "of top");
    tui_settle(tui);
    assert_true(tui_shows(tui, "of top"));
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "To allow it: 80x24 at least"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_keys(tui, F12); /* the pane alone has room */
    assert_true(tui_shows(tui, "of top"));
    tui_keys(tui, LEAVE);
    tui_resize(tui, 24, 80);
    assert_true(tui_shows(tui, "May it run"));
}

/* There is no list beside a zoomed pane that would say whose it is. */
static void its_title_says_who_asked_for_what(void **state)
{
    static const char command[] =
        "npm run build --workspace=packages/shop --if-present -- --out /srv/www";
    struct tui *tui = *state;
    cleanup_free char *title = NULL;
    struct call *call = tui_running(tui, command, false);

    /* The parts are the same where it stands beside others. */
    assert_true(tui_shows(tui, "codex \xc2\xb7 running \xc2\xb7 workspace-write"));
    tui_keys(tui, F5);
    title = outer_row(tui->outer, 0);
    assert_string_equal(title, " c1  npm run build --workspace…-out /srv/www  codex \xc2\xb7 "
                               "running \xc2\xb7 workspace-write");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_shows(tui, "codex \xc2\xb7 done"));
}

/* What reads a line without showing it waits for whoever sits here. */
static void a_pane_that_waits_for_a_password_is_marked(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "sudo true", true);

    assert_false(tui_shows(tui, "waits for a password"));
    fake_core_hide_input(true);
    fake_core_output(tui->core, call, "Password: ");
    tui_settle(tui);
    assert_true(tui_shows(tui, "waits for a password"));
    fake_core_hide_input(false);
    fake_core_output(tui->core, call, "\r\n");
    tui_settle(tui);
    assert_false(tui_shows(tui, "waits for a password"));
}

/* An echo does not wait for that look: the mark comes after it. */
static void a_password_that_is_asked_for_at_once_is_marked_a_little_later(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "ssh host", true);

    fake_core_hide_input(true);
    loop_hurry(tui->loop, 20); /* as a key does that is passed on */
    fake_core_output(tui->core, call, "Password: ");
    tui_settle(tui);
    assert_true(tui_shows(tui, "Password:"));
    assert_false(tui_shows(tui, "waits for a password"));
    tui_sleep(tui, 250);
    assert_true(tui_shows(tui, "waits for a password"));
    fake_core_hide_input(false);
    loop_hurry(tui->loop, 20);
    fake_core_output(tui->core, call, "\r\n");
    tui_settle(tui);
    assert_true(tui_shows(tui, "waits for a password"));
    tui->clock.now_ms += 60000; /* as after a stop of the console */
    tui_settle(tui);
    assert_false(tui_shows(tui, "waits for a password"));
}

/* A call that came by itself takes the mark in the list, and not the keys: they are for what waits
 * for some. What the operator has selected keeps them. */
static void the_key_leads_to_what_waits(void **state)
{
    struct tui *tui = *state;
    struct call *asks = tui_running(tui, "setup", true), *works;

    fake_core_foreground(FOREGROUND_READS);
    fake_core_output(tui->core, asks, "Overwrite config? [y/N] ");
    tui_settle(tui);
    works = tui_running(tui, "make", true);
    tui_sleep(tui, 1500);
    assert_int_equal(tui->console->selected, works->id);
    assert_true(tui_shows(tui, "waits: F12"));
    tui_keys(tui, F12);
    assert_true(tui_shows(tui, "keys: pane c1"));
    tui_keys(tui, F12);
    tui_keys(tui, SHIFT_TAB);
    assert_int_equal(tui->console->selected, works->id);
    assert_true(tui_shows(tui, "waits: Tab"));
    tui_keys(tui, F12);
    assert_true(tui_shows(tui, "keys: pane c2"));
    tui_keys(tui, LEAVE);
    fake_core_foreground(FOREGROUND_WORKS);
}

/* What nobody selected but by that key is left again once it has ended; what the operator was at
 * before, or picks meanwhile, is not taken away. */
static void what_the_key_led_to_is_left_once_it_has_ended(void **state)
{
    struct tui *tui = *state;
    struct call *asks, *works;

    for (int picks = 0; picks < 2; picks++) {
        asks = tui_running(tui, "setup", true);
        fake_core_foreground(FOREGROUND_READS);
        fake_core_output(tui->core, asks, "Overwrite config? [y/N] ");
        tui_settle(tui);
        works = tui_running(tui, "make", true);
        tui_sleep(tui, 1500);
        tui_keys(tui, F12);
        assert_int_equal(tui->console->selected, asks->id);
        if (picks) {
            tui_keys(tui, LEAVE);
            tui_keys(tui, SHIFT_TAB);
            tui_keys(tui, TAB);
            assert_int_equal(tui->console->selected, asks->id);
        }
        fake_core_finish(tui->core, asks, 0);
        tui_settle(tui);
        assert_int_equal(tui->console->selected, picks ? asks->id : works->id);
        fake_core_finish(tui->core, works, 0);
        fake_core_foreground(FOREGROUND_WORKS);
        tui_settle(tui);
    }
}

/* So does what the operator has started, and of several the first that waits is gone to. */
static void what_is_started_by_hand_keeps_the_keys(void **state)
{
    struct tui *tui = *state;
    struct call *asks = tui_running(tui, "setup", true);
    struct call *others = tui_running(tui, "configure", true);

    fake_core_foreground(FOREGROUND_READS);
    fake_core_output(tui->core, asks, "Overwrite config? [y/N] ");
    fake_core_output(tui->core, others, "Use colours? [y/N] ");
    tui_settle(tui);
    tui_lines(tui, "make\r");
    fake_core_start(tui->core, orchestrator_find_call(tui->core, 3), "workspace-write");
    tui_sleep(tui, 1500);
    assert_true(tui_shows(tui, "waits: Tab"));
    tui_keys(tui, F12);
    assert_true(tui_shows(tui, "keys: pane c3"));
    tui_keys(tui, LEAVE);
    tui_running(tui, "npm test", true);
    assert_true(tui_shows(tui, "waits: F12"));
    tui_keys(tui, F12);
    assert_true(tui_shows(tui, "keys: pane c1"));
    tui_keys(tui, LEAVE);
    fake_core_foreground(FOREGROUND_WORKS);
}

/* What asks and reads looks like what works: nothing moves in either. */
static void a_pane_that_waits_for_an_answer_is_marked(void **state)
{
    struct tui *tui = *state;
    struct call *asks = tui_running(tui, "setup", true);
    struct call *done;

    fake_core_foreground(FOREGROUND_READS);
    fake_core_output(tui->core, asks, "Overwrite config? [y/N] ");
    tui_settle(tui);
    assert_false(tui_shows(tui, "waits for input?")); /* it may be about to go on */
    tui_sleep(tui, 1500);
    assert_true(tui_shows(tui, "waits for input?"));
    assert_true(tui_shows(tui, "1 pane waits: F12"));
    tui_keys(tui, "y\r");
    assert_true(tui_shows(tui, "is an answer, and was not run: F12 types into the pane"));
    tui_keys(tui, "q\r"); /* as a pager is left */
    assert_true(tui_shows(tui, "no program, and was not run: F12 types into the pane that waits"));
    /* From a call that takes none, the key leads to the one that does. */
    done = tui_running(tui, "true", false);
    fake_core_finish(tui->core, done, 0);
    tui_settle(tui);
    assert_int_equal(tui->console->selected, done->id);
    tui_keys(tui, F12);
    assert_int_equal(tui->console->selected, asks->id);
    assert_true(tui_shows(tui, "keys: pane c1"));
    tui_keys(tui, LEAVE);
    fake_core_foreground(FOREGROUND_WORKS);
    fake_core_output(tui->core, asks, "y\r\nbuilding");
    tui_settle(tui);
    assert_false(tui_shows(tui, "waits for input?"));
    assert_false(tui_shows(tui, "pane waits"));
    fake_core_finish(tui->core, asks, 0);
    tui_settle(tui);
}

static void a_quiet_pane_waits_for_nobody(void **state)
{
    static const struct {
        enum foreground foreground;
        const char *output;
        bool waits;
    } table[] = {
        {FOREGROUND_WORKS, "Continue? [y/n] ", false},  /* a build that says so */
        {FOREGROUND_READS, "line\r\n", false},          /* cat, and what reads a list of names */
        {FOREGROUND_READS, "\x1b[?1049hName: ", false}, /* an editor waits all the time */
        {FOREGROUND_UNKNOWN, "watching src", false},    {FOREGROUND_UNKNOWN, "\r\n>>> ", true},
    };
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct call *call = tui_running(tui, "program", true);

        fake_core_foreground(table[i].foreground);
        fake_core_output(tui->core, call, table[i].output);
        tui_sleep(tui, 1500);
        if (tui_shows(tui, "waits for input?") != table[i].waits)
            fail_msg("%zu", i);
        fake_core_finish(tui->core, call, 0);
        tui_settle(tui);
    }
    fake_core_foreground(FOREGROUND_WORKS);
}

/* A client that finds no server: nothing else says that the server's localhost is another one. */
static void who_finds_nobody_on_localhost_is_told_why(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "curl http://localhost:8123/", false);

    call->attempts[0].own_network = true;
    tui_keys(tui, F3);
    assert_true(
        tui_shows(tui, "of its own: what it serves on localhost, no other command reaches"));
    tui_keys(tui, "\x1b");
    assert_false(tui_shows(tui, "has a localhost of its own"));
    call->attempts[0].nobody_listened = true;
    fake_core_finish(tui->core, call, 7);
    tui_settle(tui);
    assert_true(tui_shows(tui, "each command in the sandbox has a localhost of its own"));
    tui_keys(tui, F3);
    assert_true(tui_shows(tui, "of its own, and nobody listened on its localhost"));
}

/* A listing shows what nobody has made. */
static void the_details_name_the_placeholders(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "ls -la", false);
    struct run_result *result = &call->attempts[0].result;

    tui_resize(tui, 50, 100);
    tui_keys(tui, F3);
    assert_true(tui_shows(tui, "Attempt 1"));
    assert_false(tui_shows(tui, "Placeholders"));
    tui_keys(tui, "\x1b");
    strcpy(result->placeholders, ".a/.b/.c/.d/.e/.f/.g/.h");
    result->placeholder_count = 40;
    tui_settle(tui);
    tui_keys(tui, F3);
    assert_true(tui_shows(tui, "Placeholders"));
    assert_true(tui_shows(tui, ".a, .b, .c, .d, .e, .f and 34 more: the workspace has none"));
}

/* A list that says "done" is not all that is known. */
static void the_details_tell_of_a_stopped_push(void **state)
{
    struct tui *tui = *state;
    char repository[] = "/srv/x\033.git", path[] = "/home/y\033";
    struct call *call = tui_running(tui, "git push | tail", false);

    call->attempts[0].push_stopped = repository;
    call->attempts[0].write_stopped = path;
    fake_core_finish(tui->core, call, 0);
    tui_keys(tui, F3);
    assert_true(tui_shows(tui, "its output says that it was stopped at /home/y<ESC>"));
    assert_true(tui_shows(tui, "nothing says that it went through, though the command ended"));
    assert_true(tui_shows(tui, "from writing /srv/x<ESC>.git"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tui_set_up, tui_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(zoom_gives_all_but_one_row),
        TEST(a_zoomed_pane_is_seen_whole),
        TEST(a_zoomed_pane_keeps_its_cursor_in_view),
        TEST(a_request_gives_a_zoomed_pane_back),
        TEST(a_zoomed_pane_makes_room_for_the_prompt),
        TEST(zoom_hides_nothing_of_what_was_printed),
        TEST(the_last_line_is_above_the_prompt),
        TEST(a_small_zoomed_pane_allows_no_request),
        TEST(its_title_says_who_asked_for_what),
        TEST(a_pane_that_waits_for_a_password_is_marked),
        TEST(a_password_that_is_asked_for_at_once_is_marked_a_little_later),
        TEST(the_key_leads_to_what_waits),
        TEST(what_the_key_led_to_is_left_once_it_has_ended),
        TEST(what_is_started_by_hand_keeps_the_keys),
        TEST(a_pane_that_waits_for_an_answer_is_marked),
        TEST(a_quiet_pane_waits_for_nobody),
        TEST(who_finds_nobody_on_localhost_is_told_why),
        TEST(the_details_name_the_placeholders),
        TEST(the_details_tell_of_a_stopped_push),
    };

    return cmocka_run_group_tests_name("zoom", tests, NULL, NULL);
}
