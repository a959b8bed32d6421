/* SPDX-License-Identifier: MIT */
/* Reading what a pane has shown: search, selection, clipboard. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "ui/console_int.h"

#define F11 "\x1b[23~"
#define LINES 200

static struct call *pane_with_lines(struct tui *tui)
{
    struct call *call = tui_running(tui, "make", true);
    struct strbuf text = STRBUF_INIT;

    for (int i = 1; i <= LINES; i++)
        strbuf_addf(&text, "line %03d of the build%s\r\n", i,
                    i % 50 == 0 ? ": Error \xc3\xa4" : "");
    fake_core_output(tui->core, call, strbuf_str(&text));
    strbuf_free(&text);
    tui_settle(tui);
    return call;
}

/* What was handed to the terminal's clipboard last; "" for nothing. */
static char *clipboard(const struct tui *tui)
{
    const char *at = strstr(strbuf_str(&tui->raw), "\x1b]52;c;");
    struct strbuf text = STRBUF_INIT;

    if (at == NULL)
        return xstrdup("");
    at += strlen("\x1b]52;c;");
    assert_int_equal(base64_decode(&text, at, strcspn(at, "\x1b")), 0);
    return strbuf_steal(&text);
}

/* Who has read a pane sees the newest call again, if that was so before. */
static void the_list_follows_again(void **state)
{
    struct tui *tui = *state;
    struct call *read = pane_with_lines(tui);

    tui_keys(tui, F11);
    tui_running(tui, "ls", false);
    tui_running(tui, "wc", false);
    assert_true(tui_shows(tui, " 3, Esc: newest "));
    assert_int_equal(tui->console->selected, read->id);
    tui_keys(tui, "q");
    tui_settle(tui);
    assert_int_equal(tui->console->selected, read->id + 2);
    assert_false(tui->console->selected_by_hand);
    assert_false(tui_shows(tui, "newest"));
}

/* What was found far back does not keep the pane there once nobody reads it. */
static void the_pane_follows_again(void **state)
{
    struct tui *tui = *state;
    struct call *read = pane_with_lines(tui);
    const struct pane *pane = console_selected_pane(tui->console);

    tui_keys(tui, F11);
    tui_keys(tui, "g");
    assert_true(tui_shows(tui, "line 001"));
    tui_keys(tui, "q");
    assert_int_equal(pane_lines_behind(pane), 0);
    assert_true(tui_shows(tui, "line 200"));
    fake_core_output(tui->core, read, "and more\r\n");
    tui_settle(tui);
    assert_true(tui_shows(tui, "and more"));
}

/* A refusal that nobody was asked about leaves a line, wherever the list stands. */
static void a_refusal_leaves_a_line(void **state)
{
    struct tui *tui = *state;
    struct call *call;

    pane_with_lines(tui);
    call = fake_core_call(tui->core, tui->agent, "rm -rf x");
    fake_core_refuse(tui->core, call, DECIDED_BY_CONFIG);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 codex, denied, by the policy: rm -rf x"));
}

static void refuse(struct tui *tui, struct session *session, const char *command)
{
    struct call *call = fake_core_call(tui->core, session, command);

    fake_core_refuse(tui->core, call, DECIDED_BY_CONFIG);
    tui_settle(tui);
}

/* Who keeps asking for the same pushes nothing else out: it is one line, with a count. */
static void refusals_of_the_same_are_one_line(void **state)
{
    struct tui *tui = *state;

    refuse(tui, tui->agent, "rm -rf x");
    refuse(tui, tui->agent, "rm -rf y");
    for (int i = 0; i < 6; i++)
        refuse(tui, tui->agent, "rm -rf x");
    assert_true(tui_shows(tui, "c2 codex, denied, by the policy: rm -rf y"));
    assert_true(tui_shows(tui, "c8 codex, denied, by the policy, 7 times: rm -rf x"));
    assert_false(tui_shows(tui, "6 times"));
    refuse(tui, tui->own, "rm -rf x"); /* another asker */
    assert_true(tui_shows(tui, "c9 denied, by the policy: rm -rf x"));
    tui_keys(tui, ":trail\r");
    assert_true(tui_shows(tui, "7 times: rm -rf x"));
    assert_false(tui_shows(tui, "c1 codex"));
}

/* What a key does is there whole, or not at all. */
static void no_key_is_cut(void **state)
{
    struct tui *tui = *state;

    pane_with_lines(tui);
    tui_keys(tui, F11);
    tui_request_inside(tui, "ls", RISK_LOW); /* waits until this is closed */
    tui_settle(tui);
    tui_presses(tui, "/build\r");
    assert_true(tui_shows(tui, "200 of 200  n match before  / searches"));
    tui_keys(tui, "N");
    assert_true(tui_shows(tui, "1 of 200, round the end  n match before"));
    assert_false(tui_shows(tui, "\xe2\x80\xa6"));
}

/* A key of the prompt line's is not for what is read: that is said, and nothing else happens. */
static void a_key_that_waits_says_so(void **state)
{
    struct tui *tui = *state;

    pane_with_lines(tui);
    tui_keys(tui, "\x1b[23~"); /* F11 */
    tui_keys(tui, "\x1b[15~"); /* F5 */
    assert_true(tui_shows(tui, "That key is for the prompt."));
    assert_false(tui->console->zoomed);
    tui_keys(tui, "k");
    assert_false(tui_shows(tui, "That key is for"));
    tui_keys(tui, "q");
    tui_keys(tui, "\x1bOR"); /* F3 */
    tui_keys(tui, "\x1b[15~");
    assert_true(tui_shows(tui, "Esc closes: that key is for the prompt"));
    tui_keys(tui, "\x1b[B");
    assert_false(tui_shows(tui, "that key is for"));
    tui_keys(tui, "\x11"); /* Ctrl-Q */
    assert_true(tui_shows(tui, "Esc closes: that key is for the prompt"));
}

/* Also from the lists that are only looked at. */
static void lists_say_so_as_well(void **state)
{
    static const char *const lists[] = {"\x1b[17~", ":grants\r"}; /* F6 */
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        tui_keys(tui, lists[i]);
        tui_keys(tui, "\x1b[17~");
        assert_true(tui_shows(tui, "Esc closes: that key is for the prompt"));
        tui_keys(tui, "\x1b[B");
        assert_false(tui_shows(tui, "that key is for"));
        tui_keys(tui, "\x1b");
        tui_advance(tui, 50);
        assert_null(tui->console->overlay);
    }
}

/* A command may be typed over what is read, which closes for it, however fast that comes. */
static void a_colon_begins_a_command(void **state)
{
    static const char *const opens[] = {F11, "\x1bOR", "\x1b[17~", ":trail\r"};
    struct tui *tui = *state;
    const struct call *read = pane_with_lines(tui);

    for (size_t i = 0; i < sizeof(opens) / sizeof(opens[0]); i++) {
        tui_keys(tui, opens[i]);
        assert_non_null(tui->console->overlay);
        tui_presses(tui, ":undo");
        assert_null(tui->console->overlay);
        assert_string_equal(line_editor_text(tui->console->prompt), ":undo");
        tui_keys(tui, "\x1b");
        tui_advance(tui, 50);
        tui_keys(tui, opens[i]);
        tui_keys(tui, ":show c1\r"); /* in one piece */
        assert_true(tui_shows(tui, " Call c1 "));
        tui_keys(tui, "q");
        tui_advance(tui, 2000);
    }
    assert_true(pane_set_find(&tui->console->panes, read->id)->following);
    tui_keys(tui, F11);
    tui_keys(tui, "/"); /* what is looked for may have one */
    tui_presses(tui, ": error\r");
    assert_true(tui_shows(tui, "keys: reading c1"));
}

/* Nor does it wait for what the text lies over, where a command can be begun. */
static void a_colon_begins_a_command_over_a_request(void **state)
{
    static const char *const opens[] = {"v", "?", "v?"};
    struct tui *tui = *state;

    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    for (size_t i = 0; i < sizeof(opens) / sizeof(opens[0]); i++) {
        tui_wait_guard(tui);
        tui_presses(tui, opens[i]);
        assert_false(tui_shows(tui, "May it run"));
        tui_presses(tui, ":undo");
        assert_null(tui->console->overlay);
        assert_string_equal(line_editor_text(tui->console->prompt), ":undo");
        tui_presses(tui, "\r");
        tui_advance(tui, 6000);
        assert_true(tui_shows(tui, "c1 asks. May it run"));
    }
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* Not in a text that is being changed, nor behind a line that was begun. */
static void a_colon_that_waits_says_so(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "make \x1bOR");
    pane_with_lines(tui);
    tui_keys(tui, "\x1bOR"); /* F3 */
    tui_presses(tui, ":undo\r");
    assert_true(tui_shows(tui, "Esc closes: that key is for the prompt"));
    tui_presses(tui, "q");
    assert_string_equal(line_editor_text(tui->console->prompt), "make ");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "e");
    tui_presses(tui, ":");
    assert_true(tui_shows(tui, "make install:"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* A request that waits behind the text goes on waiting until the line is sent. */
static void a_colon_holds_a_request(void **state)
{
    struct tui *tui = *state;

    pane_with_lines(tui);
    tui_keys(tui, F11);
    tui_request_inside(tui, "ls", RISK_LOW);
    tui_settle(tui);
    tui_presses(tui, ":undo");
    assert_false(tui_shows(tui, "c2 asks. May it run"));
    assert_string_equal(line_editor_text(tui->console->prompt), ":undo");
    tui_keys(tui, "\r");
    tui_advance(tui, 6000);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

static void search_goes_back_and_forth(void **state)
{
    struct tui *tui = *state;

    pane_with_lines(tui);
    tui_keys(tui, F11);
    assert_true(tui_shows(tui, "keys: reading c1"));
    tui_keys(tui, "/");
    tui_keys(tui, "error \xc3\xa4\r"); /* small letters find capitals */
    assert_true(tui_shows(tui, "line 200 of the build: Error"));
    assert_true(tui_shows(tui, "4 of 4  n match before  / searches"));
    tui_golden(tui, "reader-match");
    tui_keys(tui, "n");
    assert_true(tui_shows(tui, "3 of 4  "));
    assert_true(tui_shows(tui, "line 150 of the build: Error"));
    tui_keys(tui, "nn");
    assert_true(tui_shows(tui, "line 050 of the build: Error"));
    tui_keys(tui, "n");
    assert_true(tui_shows(tui, "4 of 4, round the end  "));
    assert_true(tui_shows(tui, "line 200 of the build: Error"));
    tui_keys(tui, "N");
    assert_true(tui_shows(tui, "line 050 of the build: Error"));
    tui_keys(tui, "/nothing like it\r");
    assert_true(tui_shows(tui, "it is nowhere"));
    tui_keys(tui, "/ERROR\r"); /* a capital finds itself only */
    assert_true(tui_shows(tui, "it is nowhere"));
    tui_keys(tui, "q");
    assert_null(tui->console->overlay);
}

/* Long text is searched by the same keys, from the first row that is shown on. */
static void a_long_text_is_searched_as_well(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "?");
    assert_true(tui_shows(tui, " / searches  lines 1 to 21 of "));
    tui_keys(tui, "/");
    tui_keys(tui, "rules of this session");
    assert_true(tui_shows(tui, "/rules of this session"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "Esc closes")); /* it has left the search alone */
    tui_keys(tui, "n");
    assert_true(tui_shows(tui, "nothing is looked for yet: /"));
    tui_keys(tui, "/");
    tui_keys(tui, "reading\r"); /* small letters find capitals, in headings too */
    tui_keys(tui, "n");         /* behind the row of the index */
    assert_true(tui_shows(tui, "Reading long text"));
    tui_golden(tui, "help-match");
    tui_keys(tui, "n");
    assert_true(tui_shows(tui, "Reading a pane"));
    assert_true(tui_shows(tui, " 3 of 3 "));
    tui_keys(tui, "/");
    tui_keys(tui, "who is speaking\r");
    assert_true(tui_shows(tui, "Who is speaking"));
    assert_false(tui_shows(tui, "round the end"));
    tui_keys(tui, "n");
    assert_true(tui_shows(tui, " 1 of 2, round the end "));
    tui_keys(tui, "/");
    tui_keys(tui, "nothing like it\r");
    assert_true(tui_shows(tui, "it is nowhere in this text"));
    tui_keys(tui, "q");
    assert_null(tui->console->overlay);
}

/* A command that the edge has broken is found where it begins. */
static void a_match_over_the_edge_of_a_text_is_found(void **state)
{
    struct tui *tui = *state;
    struct strbuf script = STRBUF_INIT;

    for (int i = 1; i <= 60; i++)
        strbuf_addf(&script, "echo step %d\n", i);
    strbuf_addf(&script, "echo %072d needle over the edge", 0);
    tui_request_inside(tui, strbuf_str(&script), RISK_LOW);
    strbuf_free(&script);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "v");
    tui_keys(tui, "/");
    tui_keys(tui, "needle over\r");
    assert_true(tui_shows(tui, "echo 00000000"));
    assert_false(tui_shows(tui, "echo step 12"));
    assert_false(tui_shows(tui, "nowhere"));
}

/* Keys may come before the text was drawn. */
static void a_search_need_not_wait_for_the_screen(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "?/reading a pane\r");
    assert_true(tui_shows(tui, "Reading a pane"));
}

/* It begins where there is something to copy, not below it. */
static void it_begins_at_the_last_text(void **state)
{
    struct tui *tui = *state;
    cleanup_free char *copied = NULL;

    pane_with_lines(tui);
    tui_keys(tui, F11);
    strbuf_reset(&tui->raw);
    tui_keys(tui, "v");
    tui_keys(tui, "\x1b[B");
    tui_keys(tui, "\x1b[A");
    tui_keys(tui, "$");
    tui_keys(tui, "\r");
    copied = clipboard(tui);
    assert_string_equal(copied, "line 200 of the build: Error \xc3\xa4");
    assert_false(tui_shows(tui, "there is no text there"));
}

/* What has been shown and is not kept may have it. */
static void what_is_not_kept_is_not_said_to_be_nowhere(void **state)
{
    struct tui *tui = *state;
    struct strbuf text = STRBUF_INIT;

    tui->console->panes.scrollback = 50;
    strbuf_addstr(&text, "the needle\r\n");
    for (int i = 1; i < LINES; i++)
        strbuf_addf(&text, "line %03d\r\n", i);
    fake_core_output(tui->core, tui_running(tui, "make", true), strbuf_str(&text));
    strbuf_free(&text);
    tui_settle(tui);
    tui_keys(tui, ":find needle\r");
    assert_false(tui_shows(tui, "it is nowhere"));
    assert_true(tui_shows(tui, "not in the last "));
    assert_true(tui_shows(tui, " lines, which are all that is kept"));
}

static void a_selection_is_copied(void **state)
{
    struct tui *tui = *state;
    cleanup_free char *copied = NULL;

    pane_with_lines(tui);
    tui_keys(tui, ":find Error\r");
    tui_keys(tui, "v");
    tui_keys(tui, "\x1b[B");
    tui_keys(tui, "0");
    strbuf_reset(&tui->raw);
    tui_keys(tui, "\x1b[A");
    tui_keys(tui, "$");
    tui_keys(tui, "\r");
    copied = clipboard(tui);
    assert_string_equal(copied, "Error \xc3\xa4");
    assert_true(tui_shows(tui, "Esc closes  8 bytes were handed to the terminal's clipboard"));
    tui_keys(tui, "j"); /* as in any program for reading, it goes on */
    assert_true(tui_shows(tui, "keys: reading c1"));
    assert_string_equal(line_editor_text(tui->console->prompt), "");
    assert_false(tui_shows(tui, "8 bytes were handed"));
    tui_keys(tui, "q");
    assert_null(tui->console->overlay);
    assert_int_equal(pane_lines_behind(console_selected_pane(tui->console)), 0);
}

/* A burst that begins with a key that closes the reader ends there. */
static void what_comes_with_the_key_that_closes_is_dropped(void **state)
{
    struct tui *tui = *state;

    pane_with_lines(tui);
    tui_keys(tui, F11);
    tui_keys(tui, "qmake\r");
    assert_null(tui->console->overlay);
    assert_null(orchestrator_find_call(tui->core, 2));
    assert_string_equal(line_editor_text(tui->console->prompt), "");
    tui_keys(tui, "l");
    assert_string_equal(line_editor_text(tui->console->prompt), "l");
}

static void without_a_selection_the_whole_line_is_copied(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", true);
    char line[201] = "";
    cleanup_free char *copied = NULL;

    for (size_t i = 0; i < 200; i++)
        line[i] = (char)('a' + i % 26);
    fake_core_output(tui->core, call, line); /* three rows of the screen */
    tui_settle(tui);
    tui_keys(tui, F11);
    strbuf_reset(&tui->raw);
    tui_keys(tui, "k\r");
    copied = clipboard(tui);
    assert_string_equal(copied, line);
}

/* A match that an edge has broken is one. */
static void a_broken_match_is_found(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", true);
    char line[101];

    memset(line, '.', 100);
    memcpy(line + 76, "needle", 6);
    line[100] = '\0';
    fake_core_output(tui->core, call, line);
    tui_settle(tui);
    tui_keys(tui, ":find needle\r");
    assert_false(tui_shows(tui, "it is nowhere"));
    assert_true(tui_shows(tui, "keys: reading c1"));
}

static void what_comes_does_not_move_what_is_read(void **state)
{
    struct tui *tui = *state;
    struct call *call = pane_with_lines(tui);

    tui_keys(tui, F11);
    tui_keys(tui, "g");
    assert_true(tui_shows(tui, "line 001"));
    fake_core_output(tui->core, call, "more\r\nand more\r\n");
    tui_settle(tui);
    assert_true(tui_shows(tui, "line 001"));
    tui_keys(tui, "G");
    assert_true(tui_shows(tui, "and more"));
    /* A request waits until the operator is done here. */
    tui_request(tui, "rm x", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "1 waiting"));
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* Requests wait until it is closed: it says how. */
static void a_request_that_waits_is_told(void **state)
{
    struct tui *tui = *state;

    pane_with_lines(tui);
    tui_keys(tui, F11);
    tui_request(tui, "make install", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Esc closes: 1 request waits"));
    assert_true(tui_shows(tui, "1 waiting: Esc"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
}

static void another_size_ends_it(void **state)
{
    struct tui *tui = *state;

    pane_with_lines(tui);
    tui_keys(tui, F11);
    tui_resize(tui, 40, 100);
    tui_keys(tui, "k");
    assert_true(tui_shows(tui, "the pane has changed"));
    assert_null(tui->console->overlay);
}

static void a_call_that_is_forgotten_takes_its_pane_along(void **state)
{
    struct tui *tui = *state;
    struct call *call = pane_with_lines(tui);

    tui_keys(tui, F11);
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    fake_core_forget(tui->core, call);
    tui_settle(tui);
    tui_keys(tui, "k");
    assert_null(tui->console->overlay);
}

/* What is typed next is meant for it, and must not be run. */
static void a_call_without_a_pane_is_read_in_words(void **state)
{
    struct tui *tui = *state;

    tui_request_inside(tui, "make install", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 500);
    tui_keys(tui, F11);
    assert_true(tui_shows(tui, " Call c1, which has no pane "));
    tui_lines(tui, "/install\r");
    assert_true(tui_shows(tui, "make install"));
    assert_false(tui_shows(tui, "it is nowhere in this text"));
    tui_lines(tui, "/needle\r");
    assert_true(tui_shows(tui, "it is nowhere in this text"));
    tui_keys(tui, "q");
    tui_advance(tui, 500);
    tui_lines(tui, ":find needle\r");
    assert_true(tui_shows(tui, "it is nowhere in this text"));
    assert_null(orchestrator_find_call(tui->core, 2));
}

/* What let it run in the sandbox is no answer to whether it may leave that, asked or behind others.
 */
static void a_second_try_waits_also_behind_others(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_hold(tui->core, tui->agent, "make install", RISK_LOW);

    call->decision.kind = REVIEW_APPROVED;
    call->attempt_count = 1;
    tui_lines(tui, ":show c1\r");
    assert_true(tui_shows(tui, "behind others"));
    assert_true(tui_shows(tui, "first try: "));
    assert_true(tui_shows(tui, "the second try waits for your answer"));
    call->attempt_count = 0;
}

#define SEARCHES "That is no program. To search: F11, then /. Enter once more runs the line."

static void a_search_on_the_prompt_line_is_asked_about(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, "/needle\r");
    assert_true(tui_shows(tui, SEARCHES));
    assert_string_equal(line_editor_text(tui->console->prompt), "/needle");
    tui_keys(tui, F11);
    tui_lines(tui, "\r");
    assert_true(tui_shows(tui, SEARCHES));
    tui_lines(tui, "s\r");
    assert_true(tui_shows(tui, SEARCHES));
    assert_null(orchestrator_find_call(tui->core, 1));
    tui_lines(tui, "\r");
    assert_non_null(orchestrator_find_call(tui->core, 1));
    tui_keys(tui, "/needle;ls\r\r");
    assert_true(tui_shows(tui, SEARCHES));
    assert_null(orchestrator_find_call(tui->core, 2));
    tui_keys(tui, "\x15");
    tui_lines(tui, "/bin/sh -c true\r");
    assert_non_null(orchestrator_find_call(tui->core, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_key_is_cut, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_key_that_waits_says_so, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(lists_say_so_as_well, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_colon_begins_a_command, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_colon_begins_a_command_over_a_request, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_colon_that_waits_says_so, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_colon_holds_a_request, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(the_list_follows_again, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(the_pane_follows_again, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_refusal_leaves_a_line, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(refusals_of_the_same_are_one_line, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(search_goes_back_and_forth, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_long_text_is_searched_as_well, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_match_over_the_edge_of_a_text_is_found, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_search_need_not_wait_for_the_screen, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(it_begins_at_the_last_text, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_kept_is_not_said_to_be_nowhere, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_selection_is_copied, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_comes_with_the_key_that_closes_is_dropped, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(without_a_selection_the_whole_line_is_copied, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_broken_match_is_found, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(what_comes_does_not_move_what_is_read, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_request_that_waits_is_told, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(another_size_ends_it, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(a_call_without_a_pane_is_read_in_words, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_second_try_waits_also_behind_others, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_search_on_the_prompt_line_is_asked_about, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(a_call_that_is_forgotten_takes_its_pane_along, tui_set_up,
                                        tui_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
