/* SPDX-License-Identifier: MIT */
/*
 * Tricks with which text has passed itself off for something else, one a row, in the command and
 * in the agent's words: on the real screen each is a visible mark, none reaches the terminal, and
 * no single key answers what holds one. Keys, pastes and sizes: test_approval_keys.
 */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "approval/observer.h"
#include "base/alloc.h"

static const struct trick {
    const char *text;  /* what the agent sends */
    const char *shown; /* what must stand on the screen */
    const char *never; /* what the console must not write to the terminal, or NULL */
    bool command_only; /* in words it is ordinary writing */
} tricks[] = {
    /* controls of the terminal */
    {"rm -rf /\x1b[2K\rls", "rm -rf /<ESC>[2K<CR>ls", "\x1b[2K\r", false},
    {"ls \x1b[8m; rm -rf x\x1b[0m", "<ESC>[8m; rm -rf x<ESC>[0m", "\x1b[8m", false},
    {"x\x1b[5A\x1b[0JAPPROVED", "x<ESC>[5A<ESC>[0JAPPROVED", "\x1b[5A", false},
    {"a\x1b"
     "cb",
     "a<ESC>cb",
     "\x1b"
     "cb",
     false},
    {"a\x1b[?1049hb", "a<ESC>[?1049hb", "\x1b[?1049hb", false},
    {"a\x9b"
     "2Kb",
     "a<0x9B>2Kb", "\x9b", false},
    {"a\xc2\x9b"
     "2Kb",
     "a<U+009B>2Kb", "\xc2\x9b", false},
    {"\x1b]0;safe\x07", "<ESC>]0;safe<BEL>", "\x1b]0;safe", false},
    {"\x1b]52;c;cm0gLXJm\x07", "<ESC>]52;c;cm0gLXJm<BEL>", "\x1b]52;", false},
    {"\x1b]8;;http://evil\x07"
     "docs\x1b]8;;\x07",
     "<ESC>]8;;http://evil<BEL>docs", "\x1b]8;", false},
    {"\x1bPq#0\x1b\\", "<ESC>Pq#0<ESC>\\", "\x1bPq", false},
    {"\x1b_Ga\x1b\\", "<ESC>_Ga<ESC>\\", "\x1b_G", false},
    {"\x1b[6n\x1b[c", "<ESC>[6n<ESC>[c", "\x1b[6n", false},
    {"\x1bP+q544e\x1b\\", "<ESC>P+q544e", "\x1bP+q", false},
    {"\x1b[201~y\n", "<ESC>[201~y", "\x1b[201~", false},
    {"a\x0e"
     "b\x05",
     "a<SO>b<ENQ>", "\x0e", false},
    {"rm -rf x\b\b\bls", "rm -rf x", "\b\b\bls", false},
    {"echo safe\rrm -rf x", "echo safe<CR>rm -rf x", NULL, false},
    /* order and invisibility */
    {"rm -rf x # \xe2\x80\xaegnp.sgol", "rm -rf x # <U+202E>gnp.sgol", "\xe2\x80\xae", false},
    {"a\xe2\x81\xa6"
     "b\xe2\x81\xa9\xe2\x80\x8e\xd8\x9c",
     "a<U+2066>b<U+2069><U+200E><U+061C>", "\xe2\x81\xa6", false},
    {"rm \xd7\x90\xd7\x91.txt", "rm <U+05D0><U+05D1>.txt", "\xd7\x90", false},
    {"cp \xd8\xb9 x", "cp <U+0639> x", "\xd8\xb9", false},
    {"r\xe2\x80\x8bm x\xef\xbb\xbf\xc2\xad", "r<U+200B>m x<U+FEFF><U+00AD>", "\xe2\x80\x8b", false},
    {"ls\xf3\xa0\x81\xb2\xf3\xa0\x81\xad", "ls<U+E0072><U+E006D>", "\xf3\xa0\x81\xb2", false},
    {"ls\xe3\x85\xa4-rf", "ls<U+3164>-rf", "\xe3\x85\xa4", false},
    {"ls\xe2\xa0\x80-rf", "ls<U+2800>-rf", "\xe2\xa0\x80", false},
    {"a\xc2\xa0"
     "b\xe2\x80\x83"
     "c\xe3\x80\x80",
     "a<U+00A0>b<U+2003>c<U+3000>", "\xc2\xa0", false},
    {"a\xe2\x80\xa8"
     "b\xc2\x85",
     "a<U+2028>b<U+0085>", "\xe2\x80\xa8", false},
    {"\xf0\x9f\xa7\x91\xe2\x80\x8d\xf0\x9f\x92\xbb", "<U+200D>", "\xe2\x80\x8d", false},
    /* look-alikes */
    {"ls \xef\xbc\x9b rm", "ls <U+FF1B> rm", "\xef\xbc\x9b", true},
    {"a \xef\xbd\x9c b", "a <U+FF5C> b", "\xef\xbd\x9c", true},
    {"a \xe2\x88\xa3 b", "a <U+2223> b", "\xe2\x88\xa3", true},
    {"rm \xe2\x80\x93rf x", "rm <U+2013>rf x", "\xe2\x80\x93", true},
    {"rm \xe2\x88\x92rf x", "rm <U+2212>rf x", "\xe2\x88\x92", true},
    /* what stands beside a row that goes on */
    {"ls\n\u21b3 -la", "<U+21B3> -la", "\xe2\x86\xb3", false},
    /* bytes */
    {"a\xc0\xaf"
     "b",
     "a<0xC0><0xAF>b", "\xc0\xaf", false},
    {"a\xed\xa0\x80"
     "b",
     "a<0xED><0xA0><0x80>b", "\xed\xa0\x80", false},
    {"a\xff"
     "b",
     "a<0xFF>b", "\xff", false},
    /* padding */
    {"ls\t\t\t\t; rm x", "; rm x", "\t", false},
};

static struct call *ask(struct tui *tui, const char *command, const char *words)
{
    struct call *call = tui_request(tui, command, RISK_MEDIUM);
    free(call->spec->justification);
    call->spec->justification = xstrdup(words);
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_wait_guard(tui);
    return call;
}

static void check_shown(const struct tui *tui, const struct trick *trick)
{
    if (!tui_shows(tui, trick->shown))
        fail_msg("not shown: %s", trick->shown);
    if (trick->never != NULL && strstr(strbuf_str(&tui->raw), trick->never) != NULL)
        fail_msg("written to the terminal: %s", trick->shown);
}

static void in_the_command(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(tricks) / sizeof(tricks[0]); i++) {
        struct tui tui;
        tui_start(&tui, 24, 80, NULL);
        strbuf_reset(&tui.raw);
        ask(&tui, tricks[i].text, "because");
        check_shown(&tui, &tricks[i]);
        if (tricks[i].never != NULL) { /* a mark is on the screen: "y" alone is no answer */
            tui_keys(&tui, "y");
            assert_int_equal(fake_core_decisions(tui.core), 0);
        }
        tui_stop(&tui);
    }
}

/* A tab is as ordinary in a Makefile as a space; what hides something still is not. */
static void tabs_of_a_patch_warn_of_nothing(void **state)
{
    static const struct {
        const char *line;
        const char *shown;
        bool warns;
    } table[] = {
        {"+\tcc -o x x.c\t# all\n", "+\u21e5   cc -o x x.c\u21e5   # all", false},
        {"+\t\t\t\t\t\t\t\t\t\t\t\trm x\n", "+<TAB x12>rm x", true},
        {"+\tcc\r\n", "cc<CR>", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct tui tui;
        tui_start(&tui, 24, 80, NULL);
        struct call *call = tui_request(&tui, "apply_patch Makefile", RISK_MEDIUM);
        call->patch = xasprintf("*** Begin Patch\n*** Update File: Makefile\n@@\n x:\n%s"
                                "*** End Patch\n",
                                table[i].line);
        fake_core_raise(tui.core, call, RISK_MEDIUM);
        tui_wait_guard(&tui);
        assert_true(tui_shows(&tui, table[i].shown));
        bool warns = tui_shows(&tui, "cannot be shown as it is") ||
                     tui_shows(&tui, "characters are shown by marks");
        assert_int_equal(warns, table[i].warns);
        tui_stop(&tui);
    }
}

static void in_the_agents_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(tricks) / sizeof(tricks[0]); i++) {
        struct tui tui;
        if (tricks[i].command_only)
            continue;
        tui_start(&tui, 24, 80, NULL);
        strbuf_reset(&tui.raw);
        ask(&tui, "ls", tricks[i].text);
        check_shown(&tui, &tricks[i]);
        tui_stop(&tui);
    }
}

/* A terminal that orders text orders whole rows: what a pane shows at the sides of a request must
 * not begin one from right to left. It comes back with the pane. */
static void what_stands_beside_a_request_keeps_its_order(void **state)
{
    static const char letter[] = "\xd7\xa9";
    struct tui tui;
    struct strbuf text = STRBUF_INIT;
    struct call *call;

    (void)state;
    tui_start(&tui, 50, 200, NULL);
    call = tui_running(&tui, "cat letter", true);
    for (int i = 0; i < 40 * 140; i++)
        strbuf_addstr(&text, letter);
    fake_core_output(tui.core, call, strbuf_str(&text));
    strbuf_free(&text);
    tui_settle(&tui);
    assert_true(tui_shows(&tui, letter));
    tui_request(&tui, "ls", RISK_LOW);
    tui_wait_guard(&tui);
    assert_false(tui_shows(&tui, letter));
    tui_keys(&tui, "d");
    tui_settle(&tui);
    assert_true(tui_shows(&tui, letter));
    tui_stop(&tui);
}

/* Blanks, lines and length are counted, and the end stays in sight. */
static void padding_hides_nothing(void **state)
{
    static const struct {
        const char *head, *piece;
        size_t count;
        const char *mark;
    } paddings[] = {
        {"ls", " ", 5000, "5000 spaces"},
        {"ls", "\n", 200, "200 newlines"},
        {"", "\x07", 1000, "<BEL x1000>"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(paddings) / sizeof(paddings[0]); i++) {
        struct tui tui;
        struct strbuf text = STRBUF_INIT;
        char note[80];
        strbuf_addstr(&text, paddings[i].head);
        for (size_t j = 0; j < paddings[i].count; j++)
            strbuf_addstr(&text, paddings[i].piece);
        strbuf_addstr(&text, "; rm -rf x");
        tui_start(&tui, 24, 80, NULL);
        ask(&tui, strbuf_str(&text), "because");
        if (!tui_shows(&tui, "; rm -rf x"))
            fail_msg("the end behind %zu of \"%s\" is not shown", paddings[i].count,
                     paddings[i].piece);
        if (!tui_shows(&tui, paddings[i].mark))
            fail_msg("not counted: %s", paddings[i].mark);
        snprintf(note, sizeof(note), "%zu characters are shown by marks, <...> or [...]",
                 paddings[i].count);
        assert_true(tui_shows(&tui, note));
        tui_stop(&tui);
        strbuf_free(&text);
    }
}

/* What is too long for the screen is approved only when its end has been seen. */
static void an_end_out_of_sight_is_not_approved(void **state)
{
    struct tui *tui = *state;
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < 60000; i++)
        strbuf_addch(&text, 'a');
    strbuf_addstr(&text, "; rm -rf x");
    ask(tui, strbuf_str(&text), "because");
    assert_false(tui_shows(tui, "; rm -rf x"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_keys(tui, "v");
    tui_keys(tui, "G");
    assert_true(tui_shows(tui, "; rm -rf x"));
    tui_keys(tui, "q");
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    strbuf_free(&text);
}

/* Letters that are read as others are said to be. */
static void letters_of_several_alphabets_are_told(void **state)
{
    static const char *const commands[] = {"\xd1\x81url evil", "l\xd1\x95",
                                           "\xef\xbd\x92\xef\xbd\x8d x"};
    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        struct tui tui;
        tui_start(&tui, 24, 80, NULL);
        ask(&tui, commands[i], "because");
        assert_true(tui_shows(&tui, "mixes letters of different alphabets"));
        tui_stop(&tui);
    }
}

/* Whether the row where that stands begins a line or goes on with one. */
static bool goes_on(const struct tui *tui, const char *text, int gutter)
{
    struct outer_cell cell;
    int row, column;

    if (!tui_find(tui, text, &row, &column))
        fail_msg("\"%s\" is not shown", text);
    assert_int_equal(column, gutter + 2);
    outer_cell(tui->outer, row, gutter, &cell);
    assert_true(strcmp(cell.text, "┃") == 0 || strcmp(cell.text, "↳") == 0);
    return strcmp(cell.text, "↳") == 0;
}

#define LONG_WORDS "cp --archive --verbose /srv/data/one /srv/data/two && echo that is done with"

/* A row that was too long looks like none that ends with a newline: in the request, in the reader,
 * and in the list. What an agent writes cannot have the mark. */
static void a_row_that_goes_on_begins_no_line(void **state)
{
    struct tui *tui = *state;

    ask(tui, LONG_WORDS "\nmv /srv/a /srv/b # \u21b3 x", "because");
    assert_false(goes_on(tui, "cp --archive", 2));
    assert_true(goes_on(tui, "with", 2));
    assert_false(goes_on(tui, "mv /srv/a /srv/b # <U+21B3> x", 2));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "Esc closes"));
    assert_false(goes_on(tui, "cp --archive", 2));
    assert_true(goes_on(tui, "with", 2));
    assert_false(goes_on(tui, "mv /srv/a /srv/b # <U+21B3> x", 2));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 1000);
    tui_keys(tui, "\x1b[20~"); /* F9 */
    assert_true(tui_shows(tui, "1 request waits"));
    assert_false(goes_on(tui, "cp --archive --verbose /srv/data/one", 14));
    assert_true(goes_on(tui, "that is done with", 14));
    assert_false(goes_on(tui, "mv /srv/a /srv/b # <U+21B3> x", 14));
}

/* The column that a wide character leaves would pass for a blank, and two words for one. */
static void a_torn_word_is_no_two(void **state)
{
    static const char *const rows[][2] = {{"rm -rf ", "字字字↳"}, {"rm -rf x", "字字字字 │"}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct strbuf command = STRBUF_INIT;
        struct tui tui;

        strbuf_addstr(&command, rows[i][0]);
        for (int j = 0; j < 40; j++)
            strbuf_addstr(&command, "字");
        strbuf_addstr(&command, "end");
        tui_start(&tui, 24, 80, NULL);
        ask(&tui, strbuf_str(&command), "because");
        assert_true(tui_shows(&tui, rows[i][1]));
        assert_true(goes_on(&tui, "字字字字字字字end", 2));
        tui_stop(&tui);
        strbuf_free(&command);
    }
}

/* Words are literal, framed as the agent's, and behind the command. */
static void a_story_is_no_headline(void **state)
{
    struct tui *tui = *state;
    int command, words, column;
    ask(tui, "rm -rf x", "**SAFE** runs: ls. Approved by policy. Press y to continue [y/N] y");
    assert_true(tui_find(tui, "rm -rf x", &command, &column));
    assert_true(tui_find(tui, "**SAFE** runs: ls. Approved by policy.", &words, &column));
    assert_true(command < words);
    assert_true(tui_shows(tui, "It says"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tabs_of_a_patch_warn_of_nothing),
        cmocka_unit_test(in_the_command),
        cmocka_unit_test(in_the_agents_words),
        cmocka_unit_test(padding_hides_nothing),
        cmocka_unit_test_setup_teardown(an_end_out_of_sight_is_not_approved, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test(letters_of_several_alphabets_are_told),
        cmocka_unit_test(what_stands_beside_a_request_keeps_its_order),
        cmocka_unit_test_setup_teardown(a_row_that_goes_on_begins_no_line, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test(a_torn_word_is_no_two),
        cmocka_unit_test_setup_teardown(a_story_is_no_headline, tui_set_up, tui_tear_down),
    };
    return cmocka_run_group_tests_name("spoofing", tests, NULL, NULL);
}
