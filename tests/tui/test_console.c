/* SPDX-License-Identifier: MIT */
/* The console around the requests: prompt line and panes. */
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

static const struct outer_cell *cell_of(const struct tui *tui, const char *text,
                                        struct outer_cell *cell)
{
    int row, column;

    assert_true(tui_find(tui, text, &row, &column));
    outer_cell(tui->outer, row, column, cell);
    return cell;
}

/* ---- prompt line --------------------------------------------------------------------------- */

static void a_line_asks_for_a_command(void **state)
{
    struct tui *tui = *state;
    const struct call *call;

    tui_keys(tui, "make -j2 && echo \xc3\xa4\r");
    assert_int_equal(orchestrator_call_count(tui->core), 1);
    call = orchestrator_call_at(tui->core, 0);
    assert_ptr_equal(call->session, tui->own);
    assert_string_equal(call->spec->argv[2], "make -j2 && echo \xc3\xa4");
    assert_string_equal(call->spec->cwd, "/home/ann/shop");
    assert_true(call->spec->tty);
    assert_true(tui_shows(tui, "make -j2 && echo \xc3\xa4"));
    tui_keys(tui, "\x1b[A"); /* and is remembered */
    assert_true(tui_shows(tui, "> make -j2 && echo \xc3\xa4"));
}

static void a_paste_is_not_run(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, "\x1b[200~rm -rf x\r\n\x1b[201~");
    assert_int_equal(orchestrator_call_count(tui->core), 0);
    assert_true(tui_shows(tui, "rm -rf x<LF>"));
}

static void commands_change_what_comes_next(void **state)
{
    struct tui *tui = *state;
    struct call *before = fake_core_call(tui->core, tui->agent, "make");

    tui_lines(tui, ":policy never\r");
    tui_lines(tui, ":sandbox read-only\r");
    tui_lines(tui, ":network on\r");
    assert_true(tui_shows(tui, "never \xc2\xb7 read-only \xc2\xb7 network on"));
    assert_int_equal(tui->agent->context->approval.kind, APPROVAL_NEVER);
    assert_int_equal(tui->own->context->sandbox->mode, SANDBOX_READ_ONLY);
    assert_true(tui->agent->context->sandbox->network);
    /* A call that is there keeps what was in force when it came. */
    assert_int_equal(before->context->approval.kind, APPROVAL_ON_REQUEST);
    assert_int_equal(before->context->sandbox->mode, SANDBOX_WORKSPACE_WRITE);
}

static void commands_that_are_wrong_change_nothing(void **state)
{
    static const char *const wrong[] = {":policy sometimes\r", ":sandbox\r",   ":network maybe\r",
                                        ":nonsense\r",         ":revoke c7\r", ":stop c99\r",
                                        ":theme pink\r"};
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        tui_keys(tui, wrong[i]);
        tui_keys(tui, "\x15"); /* the line stays, to be mended */
    }
    assert_int_equal(orchestrator_call_count(tui->core), 0);
    assert_true(tui_shows(tui, "on-request \xc2\xb7 workspace-write \xc2\xb7 network off"));
    tui_lines(tui, "\x15:policy sometimes\r");
    assert_true(tui_shows(tui, "on-failure"));
    tui_lines(tui, "\x15:forget\r"); /* which? */
    assert_true(tui_shows(tui, ":forget CALL|all: let agents ask again"));
    tui_lines(tui, "\x15:forget c7\r");
    assert_true(tui_shows(tui, "there is no such call"));
    tui_lines(tui, "\x15:undo c7\r");
    assert_true(
        tui_shows(tui, ":undo takes no word: take back your newest answer that still holds"));
}

/* What more was said than a command takes was meant for less than it would do. */
static void a_command_that_takes_no_word_is_not_done_with_one(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":freeze\r");
    tui_lines(tui, ":thaw c1\r");
    assert_true(tui_shows(tui, ":thaw takes no word: let what is frozen go on"));
    assert_true(orchestrator_is_frozen(tui->core));
    tui_lines(tui, "\x15:inbox c1\r");
    assert_true(tui_shows(tui, ":inbox takes no word: list all requests that wait"));
    tui_lines(tui, "\x15:quit now\r");
    assert_true(tui_shows(tui, ":quit takes no word: end the console"));
    assert_int_equal(tui->quit_status, -1);
}

/* What was done stays on the screen; what only answers a mistake goes with the next key. */
static void a_remark_goes_with_the_next_key(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":policy never\r");
    tui_lines(tui, ":policy sometimes\r");
    assert_true(tui_shows(tui, "on-failure"));
    tui_advance(tui, 3600 * 1000);
    assert_true(tui_shows(tui, "on-failure"));
    tui_keys(tui, "l");
    assert_false(tui_shows(tui, "on-failure"));
    tui_keys(tui, "\x15:trail\r");
    assert_true(tui_shows(tui, "approval policy never"));
    assert_false(tui_shows(tui, "on-failure"));
}

static void an_approval_is_taken_back_by_the_call_it_was_given_to(void **state)
{
    static const char *const keys[] = {"one", NULL}, *const others[] = {"two", NULL};
    struct tui *tui = *state;
    struct grants *grants = tui_request(tui, "make", RISK_LOW)->session->grants;

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_wait_guard(tui);
    grants_add(grants, keys, "make", 4, NULL);
    grants_add(grants, others, "make it", 5, NULL);
    tui_lines(tui, ":revoke c5\r");
    assert_true(tui_shows(tui, "your answer to c5 is taken back"));
    assert_int_equal(grants_count(grants), 1);
    assert_int_equal(grants_at(grants, 0)->call, 4);
}

static void views_open_and_close(void **state)
{
    static const struct {
        const char *keys, *text;
    } table[] = {
        {"?", "At the prompt line"},         {":help\r", "At the prompt line"},
        {":grants\r", "What holds without"}, {":trail\r", "What was decided so far"},
        {":show c1\r", "Word by word"},      {"\x1bOR", "Word by word"},
    };
    struct tui *tui = *state;

    fake_core_call(tui->core, tui->agent, "make");
    tui_settle(tui);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        tui_keys(tui, table[i].keys);
        if (!tui_shows(tui, table[i].text))
            fail_msg("no \"%s\"", table[i].text);
        tui_keys(tui, "q");
        assert_false(tui_shows(tui, table[i].text));
    }
}

/* Also one that was never asked about, and is over. */
static void a_patch_can_be_read_afterwards(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "apply_patch README.md");

    call->tool = CALL_APPLY_PATCH;
    call->patch = xstrdup("*** Begin Patch\n*** Delete File: README.md\n*** Update File: x\n"
                          "@@\n-old\x1b[2J\n+new\n*** End Patch\n");
    fake_core_start(tui->core, call, "workspace-write");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    tui_keys(tui, "\x1bOR"); /* F3 */
    tui_keys(tui, "\x1b[F"); /* End */
    assert_true(tui_shows(tui, "*** Delete File: README.md"));
    assert_true(tui_shows(tui, "-old<ESC>[2J"));
    assert_true(tui_shows(tui, "+new"));
}

static struct call *run_patch(struct tui *tui, const char *patch)
{
    struct call *call = fake_core_call(tui->core, tui->agent, "apply_patch README.md");

    call->tool = CALL_APPLY_PATCH;
    call->patch = xstrdup(patch);
    fake_core_start(tui->core, call, "workspace-write");
    return call;
}

/* What was changed stands in the pane of the call, above what its program says. */
static void a_patch_is_shown_in_its_pane(void **state)
{
    static const char patch[] = "*** Begin Patch\n*** Update File: x\n@@\n-old\x1b[2J\n+new\n"
                                "*** End Patch\n";
    struct tui *tui = *state;
    struct call *call = run_patch(tui, patch);
    int row, column, below;

    fake_core_output(tui->core, call, "Success.\nM x\n");
    tui_settle(tui);
    assert_false(tui_shows(tui, "+new")); /* nothing is changed yet */
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_find(tui, "-old<ESC>[2J", &row, &column));
    assert_true(tui_find(tui, "+new", &below, &column));
    assert_int_equal(below, row + 1);
    assert_true(tui_find(tui, "Success.", &row, &column));
    assert_int_equal(row, below + 2);

    call = run_patch(tui, "*** Begin Patch\n*** Add File: y\n+never\n*** End Patch\n");
    fake_core_output(tui->core, call, "apply_patch: y is there\n");
    fake_core_finish(tui->core, call, 1);
    tui_settle(tui);
    assert_true(tui_shows(tui, "apply_patch: y is there"));
    assert_false(tui_shows(tui, "+never"));
}

/* What a command printed while its place was smaller fills it when it has ended. */
static void an_ended_pane_has_no_blank_rows_below(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);
    int row, column, prompt;

    tui_settle(tui);
    for (int i = 0; i < 60; i++) {
        char line[20];

        snprintf(line, sizeof(line), "line %d\n", i);
        fake_core_output(tui->core, call, line);
    }
    tui_settle(tui);
    fake_core_finish(tui->core, call, 0);
    tui_resize(tui, 30, 80);
    tui_settle(tui);
    assert_true(tui_find(tui, "line 59", &row, &column));
    assert_true(tui_find(tui, " > a command", &prompt, &column));
    assert_int_equal(prompt - row, 3); /* between them two of what was decided */
    assert_true(tui_find(tui, "line 40", &row, &column));
    tui_keys(tui, "\x1b[5~"); /* PgUp */
    assert_true(tui_shows(tui, "lines back"));
    tui_keys(tui, "\x1b[6~");
    assert_false(tui_shows(tui, "lines back"));
    assert_true(tui_shows(tui, "line 59"));
}

/* As much of it as is kept of the patch itself. */
static void a_long_patch_is_cut_in_its_pane(void **state)
{
    struct tui *tui = *state;
    cleanup_strbuf struct strbuf patch = STRBUF_INIT;
    struct call *call;

    strbuf_addstr(&patch, "*** Begin Patch\n*** Add File: x\n");
    for (int i = 0; i < 10000; i++)
        strbuf_addf(&patch, "+line %d\n", i);
    strbuf_addstr(&patch, "*** End Patch\n");
    call = run_patch(tui, strbuf_str(&patch));
    fake_core_output(tui->core, call, "Success.\n");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_shows(tui, "The patch is cut here: "));
    assert_true(tui_shows(tui, "Success."));
    assert_false(tui_shows(tui, "+line 9999"));
}

/* Of one that is over only so much is kept: where it is cut, the reader says so. */
static void a_patch_that_is_not_kept_whole_says_so(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "apply_patch README.md");

    call->tool = CALL_APPLY_PATCH;
    call->patch = xstrdup("*** Begin Patch\n*** Add File: README.md\n+first\n");
    call->patch_left_out = 70000;
    fake_core_start(tui->core, call, "workspace-write");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    tui_keys(tui, "\x1bOR"); /* F3 */
    tui_keys(tui, "\x1b[F"); /* End */
    assert_true(tui_shows(tui, "+first"));
    assert_true(tui_shows(tui, "The patch is cut here: 70000 more bytes are not kept."));
    tui_keys(tui, "q");
    *call->patch = '\0';
    tui_keys(tui, "\x1bOR\x1b[F");
    assert_false(tui_shows(tui, "+first"));
    assert_true(tui_shows(tui, "The patch is no longer kept (70000 bytes)."));
}

/* What stops the agent is not confirmed by the key that stops a call, nor the other way round. */
static void the_brakes_confirm_only_themselves(void **state)
{
    struct tui *tui = *state;
    struct session *agent = tui->agent;

    tui_running(tui, "make", false);
    tui_presses(tui, "\x1bOS\x1b[19~"); /* F4 F8 */
    assert_true(tui_shows(tui, "F8 once more stops all requests of codex"));
    tui_keys(tui, "\x1bOS");
    assert_true(tui_shows(tui, "F4 once more ends c1"));
    assert_int_equal(fake_core_cancels(tui->core), 0);
    assert_false(agent->stopped);
}

static void a_command_without_output_says_so(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "false", false);

    assert_false(tui_shows(tui, "no output"));
    fake_core_finish(tui->core, call, 1);
    tui_settle(tui);
    assert_true(tui_shows(tui, "no output, exit status 1"));
    call = tui_running(tui, "make", false);
    fake_core_output(tui->core, call, "\n");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_false(tui_shows(tui, "exit status 0"));
}

static void a_call_can_be_stopped(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);

    tui_keys(tui, "\x1bOS"); /* F4 */
    assert_true(tui_shows(tui, "F4 once more ends c1: make"));
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Nothing is stopped: the command goes on"));
    tui_keys(tui, "\x7f\x1bOS");
    tui_advance(tui, 16000); /* much later it is a first one again */
    tui_keys(tui, "\x1bOS");
    assert_int_equal(fake_core_cancels(tui->core), 0);
    tui_keys(tui, "\x1bOS");
    assert_int_equal(fake_core_cancels(tui->core), 1);
    tui_lines(tui, ":stop c1\r");
    assert_int_equal(fake_core_cancels(tui->core), 2);
    tui_lines(tui, ":kill c1\r"); /* what other programs call it */
    assert_int_equal(fake_core_cancels(tui->core), 3);
    tui_keys(tui, "\x1bOP/kill\r"); /* F1 */
    assert_true(tui_shows(tui, "also :kill"));
    tui_keys(tui, "q");
    fake_core_finish(tui->core, call, 0);
    tui_keys(tui, "\x1bOS");
    assert_int_equal(fake_core_cancels(tui->core), 3);
    assert_true(tui_shows(tui, "c1 has finished already"));
}

/* The key that ends the console is armed for as long as its warning stands. */
static void another_key_takes_the_quit_back(void **state)
{
    static const char *const others[] = {"\x1b[18~\x1b[18~" /* F7 */, "l\x7f", "\x1b[Z"};
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        tui_keys(tui, "\x1b[21~"); /* F10 */
        assert_true(tui_shows(tui, "F10 once more ends the console"));
        tui_keys(tui, others[i]);
        assert_false(tui_shows(tui, "F10 once more ends the console"));
    }
    tui_keys(tui, "\x1b[21~");
    assert_int_equal(tui->quit_status, -1);
    assert_true(tui_shows(tui, "F10 once more ends the console"));
    tui_keys(tui, "\x1b[21~");
    assert_int_equal(tui->quit_status, 0);
}

static void quitting_asks_when_calls_are_open(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "make", false);
    tui_lines(tui, ":quit\r");
    assert_int_equal(tui->quit_status, -1);
    assert_true(
        tui_shows(tui, "F10 once more ends the console: 1 call that has not finished ends"));
    tui_lines(tui, ":network off\r"); /* something else in between: asks again */
    tui_lines(tui, ":quit\r");
    assert_int_equal(tui->quit_status, -1);
    tui_lines(tui, ":quit\r");
    assert_int_equal(tui->quit_status, 0);
}

/* A key may be a slip, whatever is open; a line was meant. */
static void a_key_quits_only_the_second_time(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);

    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    tui_keys(tui, "\x1b[21~"); /* F10 */
    assert_int_equal(tui->quit_status, -1);
    assert_true(tui_shows(tui, "F10 once more ends the console: nothing is open"));
    tui_running(tui, "make again", false);
    tui_keys(tui, "\x1b[21~");
    assert_int_equal(tui->quit_status, -1);
    assert_true(tui_shows(tui, "1 call that has not finished ends"));
    tui_keys(tui, "\x1b[21~");
    assert_int_equal(tui->quit_status, 0);
}

static void a_line_quits_at_once_when_all_is_done(void **state)
{
    struct tui *tui = *state;

    tui_lines(tui, ":quit\r");
    assert_int_equal(tui->quit_status, 0);
}

/* ---- panes --------------------------------------------------------------------------------- */

static void a_pane_shows_what_the_command_prints(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "make", false);
    struct outer_cell cell;

    fake_core_output(tui->core, call, "one\ntwo \x1b[1;31mred\x1b[0m \xe6\xbc\xa2\xe5\xad\x97.\n");
    tui_settle(tui);
    assert_true(tui_shows(tui, "two red \xe6\xbc\xa2\xe5\xad\x97."));
    cell_of(tui, "red", &cell);
    assert_int_equal(cell.foreground, 1);
    assert_true((cell.attributes & OUTER_BOLD) != 0);
    assert_int_equal(cell_of(tui, "\xe6\xbc\xa2", &cell)->width, 2);
    fake_core_finish(tui->core, call, 3);
    tui_settle(tui);
    assert_true(tui_shows(tui, "exit 3 \xc2\xb7 1.2 s"));
    assert_true(tui_shows(tui, "two red"));
}

static void keys_reach_the_pane_and_come_back(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "vi", true);
    tui_keys(tui, "\x1b[24~");
    assert_true(tui_shows(tui, "kov keys: pane c1"));
    tui_keys(tui, "i\x03\x1b[A\xc3\xa4\r?:");
    assert_string_equal(fake_core_typed(tui->core), "i\x03\x1b[A\xc3\xa4\r?:");
    tui_keys(tui, "\x1c");
    assert_true(tui_shows(tui, "kov keys: prompt"));
    tui_keys(tui, "ls");
    assert_string_equal(fake_core_typed(tui->core), "i\x03\x1b[A\xc3\xa4\r?:");
}

/* The mouse belongs to a program while it has the keyboard, and its places are the pane's. */
static void cursor_and_mouse_are_the_programs(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "vi notes.txt", true);
    int row, column;

    fake_core_output(tui->core, call, "\x1b[?1002h\x1b[?1006h\x1b[6 q\x1b[2Jmark");
    tui_settle(tui);
    assert_int_equal(outer_mouse(tui->outer), 0);
    tui_keys(tui, "\x1b[24~"); /* F12 */
    assert_int_equal(outer_mouse(tui->outer), 2);
    assert_int_equal(outer_cursor_shape(tui->outer), 3);
    assert_true(tui_find(tui, "mark", &row, &column));
    cleanup_free char *press = xasprintf("\x1b[<0;%d;%dM", column + 3, row + 2);
    tui_keys(tui, press);
    assert_string_equal(fake_core_typed(tui->core), "\x1b[<0;3;2M");
    tui_keys(tui, "\x1b[<0;1;1M"); /* not in the pane */
    assert_string_equal(fake_core_typed(tui->core), "\x1b[<0;3;2M");
    tui_keys(tui, "\x1c"); /* Ctrl-\ */
    assert_int_equal(outer_mouse(tui->outer), 0);
    assert_int_equal(outer_cursor_shape(tui->outer), 1);
    tui_keys(tui, press);
    assert_string_equal(fake_core_typed(tui->core), "\x1b[<0;3;2M");
}

/* The list stays with what was selected by hand, says so, and how to leave that. */
static void escape_selects_the_newest_again(void **state)
{
    struct tui *tui = *state;

    tui_running(tui, "cat", true);
    tui_running(tui, "top", true);
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, " 2, Esc: newest "));
    tui_running(tui, "vi", true);
    assert_true(tui_shows(tui, " 3, Esc: newest "));
    tui_keys(tui, "x\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "Esc: newest")); /* that was for the line */
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_false(tui_shows(tui, "Esc: newest"));
    tui_running(tui, "less", true);
    assert_false(tui_shows(tui, "Esc: newest"));
}

#define MANY_CALLS 9 /* more than the list has rows for */

/* What is counted is what the list has no row for. */
static void calls_out_of_view_are_counted(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < MANY_CALLS; i++)
        tui_running(tui, "true", false);
    for (int i = 0; i < tui->console->layout.list.rows - 2; i++)
        tui_keys(tui, "\t"); /* to the first row */
    assert_false(tui_shows(tui, "newer below"));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, " 1 newer below, Esc: newest "));
    tui_keys(tui, "\x1b[Z"); /* Shift-Tab */
    assert_true(tui_shows(tui, " 1 newer below, Esc: newest "));
}

static uint64_t after_tab(struct tui *tui)
{
    tui_keys(tui, "\t");
    return tui->console->selected;
}

/* What is looked for is mostly not far back: Tab begins with the newest, and Shift-Tab goes the
 * other way. */
static void tab_goes_back_from_the_newest(void **state)
{
    struct tui *tui = *state;

    for (int i = 0; i < MANY_CALLS; i++)
        fake_core_finish(tui->core, tui_running(tui, "true", false), 0);
    tui_settle(tui);
    assert_int_equal(tui->console->selected, MANY_CALLS);
    assert_int_equal(after_tab(tui), MANY_CALLS - 1);
    assert_int_equal(after_tab(tui), MANY_CALLS - 2);
    tui_keys(tui, "\x1b[Z"); /* Shift-Tab */
    tui_keys(tui, "\x1b[Z");
    assert_int_equal(tui->console->selected, MANY_CALLS);
    tui_keys(tui, "\x1b[Z");
    assert_int_equal(tui->console->selected, 1);
    assert_int_equal(after_tab(tui), MANY_CALLS);
    tui->console->selected = 0; /* none */
    assert_int_equal(after_tab(tui), MANY_CALLS);
}

/* What is said of one call is old once another has come and gone; not while it was there before. */
static void why_a_call_failed_is_news_until_the_next_has_ended(void **state)
{
    struct tui *tui = *state;
    struct call *beside = tui_running(tui, "sleep 9", false);
    struct call *failed = tui_running(tui, "nothing", false);
    struct call *next;

    failed->failure = xstrdup("nothing was not found");
    fake_core_finish(tui->core, failed, 127);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2: nothing was not found"));
    fake_core_finish(tui->core, beside, 0);
    next = tui_running(tui, "true", false);
    assert_true(tui_shows(tui, "c2: nothing was not found"));
    fake_core_finish(tui->core, next, 0);
    tui_settle(tui);
    assert_false(tui_shows(tui, "was not found"));
}

static void a_finished_command_gives_the_keyboard_back(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "cat", true);

    tui_keys(tui, "\x1b[24~");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    assert_true(tui_shows(tui, "kov keys: prompt"));
    tui_keys(tui, "\x1b[24~");
    assert_true(tui_shows(tui, "c1 has ended; Tab selects another call"));
    assert_true(tui_shows(tui, "keys: prompt"));
    fake_core_forget(tui->core, call);
    tui_settle(tui);
    assert_true(tui_shows(tui, "Nothing has been asked yet"));
}

static void questions_of_a_program_are_answered_here(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "vi", true);

    strbuf_reset(&tui->raw);
    fake_core_output(tui->core, call, "\x1b[6n\x1b]52;c;aGk=\x07\x1b]0;kov keys: request\x07");
    tui_settle(tui);
    assert_string_equal(fake_core_replied(tui->core), "\x1b[1;1R");
    /* None of it reaches the operator's terminal. */
    assert_null(strstr(strbuf_str(&tui->raw), "[6n"));
    assert_null(strstr(strbuf_str(&tui->raw), "]52"));
    assert_null(strstr(strbuf_str(&tui->raw), "]0;"));
}

/* Three alike happen once in 65 million times. */
static void each_start_has_a_mark_of_its_own(void **state)
{
    static const struct tui_options options = {.own_mark = true};
    char marks[3][16];

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tui tui;
        cleanup_free char *status = NULL;

        tui_start(&tui, 24, 80, &options);
        status = outer_row(tui.outer, 23);
        assert_int_equal(sscanf(status, " %15s keys: prompt", marks[i]), 1);
        assert_string_equal(marks[i], tui.console->mark);
        tui_stop(&tui);
    }
    assert_true(strcmp(marks[0], marks[1]) != 0 || strcmp(marks[0], marks[2]) != 0);
}

/* A program paints a request of its own, wherever it is told to. */
static void a_pane_cannot_leave_its_place(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "evil", true);
    cleanup_free char *list = outer_row(tui->outer, 1);
    cleanup_free char *status = outer_row(tui->outer, 23);
    cleanup_free char *list_after = NULL;
    cleanup_free char *status_after = NULL;

    for (int row = 0; row < 60; row++) {
        char line[128];

        snprintf(line, sizeof(line), "\x1b[%d;1H\x1b[7m kov keys: request c9  May it run? %*d", row,
                 60, row);
        fake_core_output(tui->core, call, line);
    }
    tui_settle(tui);
    assert_true(tui_shows(tui, "May it run"));
    list_after = outer_row(tui->outer, 1);
    status_after = outer_row(tui->outer, 23);
    assert_string_equal(list, list_after);
    assert_string_equal(status, status_after);
    assert_non_null(strstr(status_after, "kov keys: prompt"));
}

static void scrollback_can_be_read(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_running(tui, "seq", false);
    char line[32];

    for (int i = 1; i <= 200; i++) {
        snprintf(line, sizeof(line), "line %d.\n", i);
        fake_core_output(tui->core, call, line);
    }
    tui_settle(tui);
    assert_true(tui_shows(tui, "line 200."));
    tui_keys(tui, "\x1b[5~\x1b[5~");
    assert_false(tui_shows(tui, "line 200."));
    assert_true(tui_shows(tui, "lines back"));
    fake_core_output(tui->core, call, "line 201.\n"); /* what is being read stands still */
    tui_settle(tui);
    assert_false(tui_shows(tui, "line 201."));
    tui_keys(tui, "\x1b[6~\x1b[6~\x1b[6~");
    assert_true(tui_shows(tui, "line 201."));
}

static const struct grid *finished_flood(struct tui *tui, const char *command, uint64_t *id)
{
    struct call *call = tui_running(tui, command, false);

    *id = call->id;
    for (int i = 0; i < 500; i++)
        fake_core_output(tui->core, call, "a line of a command that prints a great many of them\n");
    fake_core_output(tui->core, call, "the end\n");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
    return vt_grid(pane_set_find(&tui->console->panes, *id)->vt);
}

static bool has_scrollback(const struct grid *grid)
{
    return grid_first_line(grid) < grid_top_line(grid);
}

/* A pane has room for some 40 kB here: two at most keep what has scrolled off. */
static void finished_panes_keep_so_much_together(void **state)
{
    struct tui *tui = *state;
    const struct grid *grids[3];
    uint64_t calls[3];
    int row, column;

    tui->console->panes.kept_bytes = 100 * 1024;
    for (int i = 0; i < 3; i++)
        grids[i] = finished_flood(tui, "seq", &calls[i]);
    assert_false(has_scrollback(grids[0])); /* the first that has ended */
    assert_true(has_scrollback(grids[1]));
    assert_true(has_scrollback(grids[2]));
    tui->console->panes.kept_bytes = 1;
    pane_set_trim(&tui->console->panes, calls[1]); /* is being read */
    assert_true(has_scrollback(grids[1]));
    assert_false(has_scrollback(grids[2]));
    assert_true(tui_find(tui, "the end", &row, &column)); /* screens stay */
}

/* A screen takes some 9 kB here, and 20 kB where it is the only one. */
static void finished_panes_show_so_much_together(void **state)
{
    struct tui *tui = *state;
    uint64_t calls[3];

    tui->console->panes.screens_bytes = 20 * 1024;
    for (int i = 0; i < 3; i++)
        finished_flood(tui, "seq", &calls[i]);
    assert_null(pane_set_find(&tui->console->panes, calls[0])); /* the first that has ended */
    assert_non_null(pane_set_find(&tui->console->panes, calls[1]));
    assert_non_null(pane_set_find(&tui->console->panes, calls[2]));
    tui->console->panes.screens_bytes = 1;
    pane_set_trim(&tui->console->panes, calls[1]); /* is being read */
    assert_non_null(pane_set_find(&tui->console->panes, calls[1]));
    assert_null(pane_set_find(&tui->console->panes, calls[2]));
    tui_running(tui, "sleep", true);
    tui_resize(tui, 24, 80);
    assert_true(tui_shows(tui, "sleep"));
}

static void several_panes_stand_side_by_side(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 50, 200);
    for (int i = 0; i < 5; i++) {
        char line[32];
        struct call *call;

        snprintf(line, sizeof(line), "job %d", i);
        call = tui_running(tui, line, false);
        snprintf(line, sizeof(line), "output %d\n", i);
        fake_core_output(tui->core, call, line);
    }
    tui_settle(tui);
    for (int i = 0; i < 5; i++) {
        char line[32];

        snprintf(line, sizeof(line), "output %d", i);
        assert_true(tui_shows(tui, line));
    }
}

/* ---- a command from the command line ------------------------------------------------------- */

static void a_command_gets_pane_keyboard_and_exit(void **state)
{
    struct tui_options options = {
        .command = "vi notes.txt", .keyboard = true, .zoom = true, .exit_when_done = true};
    struct tui tui;
    struct call *call;
    int rows, columns;

    (void)state;
    tui_start(&tui, 25, 80, &options);
    call = orchestrator_call_at(tui.core, 0);
    call->spec->tty = true;
    fake_core_start(tui.core, call, "workspace-write");
    fake_core_output(tui.core, call, "\x1b[24;1Hlast row");
    tui_settle(&tui);
    /* Its terminal had some size before anybody knew the screen's. */
    fake_core_size(tui.core, &rows, &columns);
    assert_int_equal(rows, 24);
    assert_int_equal(columns, 80);
    assert_true(tui_shows(&tui, "kov keys: pane c1"));
    assert_false(tui_shows(&tui, "Calls"));
    tui_keys(&tui, ":q");
    assert_string_equal(fake_core_typed(tui.core), ":q");
    fake_core_finish(tui.core, call, 7);
    tui_settle(&tui);
    assert_int_equal(tui.quit_status, 7);
    tui_stop(&tui);
}

/* ---- record -------------------------------------------------------------------------------- */

static void keys_are_answered_while_the_record_is_read(void **state)
{
    struct tui *tui = *state;
    struct fake_record record = {0};
    int steps;

    fake_record_give(&tui->console->setup.hooks, &record);
    tui_keys(tui, ":log make\r");
    assert_string_equal(record.asked, "make");
    assert_int_equal(record.columns, 74); /* within the frame, beside the bar */
    assert_true(tui_shows(tui, "reading the record"));
    steps = record.steps;
    tui_settle(tui);
    assert_true(record.steps > steps);
    assert_int_equal(record.open, 1);
    /* A key comes between the steps: the view closes, and so ends the reading. */
    tui_keys(tui, "q");
    assert_false(tui_shows(tui, "reading the record"));
    assert_int_equal(record.open, 0);
    steps = record.steps;
    tui_settle(tui);
    assert_int_equal(record.steps, steps);

    tui_keys(tui, ":log\r");
    record.rows = "09:08:07  c7  codex  low  approved (user)  exit 0  make all the "
                  "things that long words are made of\n09:08:08  c8 denied\n";
    tui_settle(tui);
    assert_true(tui_shows(tui, "c8 denied"));
    assert_true(tui_shows(tui, "exit 0  make all the things "));
    assert_true(
        tui_shows(tui, "\xe2\x94\x83           that long words are made of")); /* below the row */
    assert_false(tui_shows(tui, "reading the record"));
    assert_int_equal(record.open, 0);
    tui_keys(tui, "q");
    tui_keys(tui, ":log denied\r");
    tui_settle(tui);
    assert_true(tui_shows(tui, " Record: denials of yours that still hold "));
}

/* An agent calls itself what it wants: only what is plainly a name stands without quotes. */
static void a_name_that_could_mislead_is_quoted(void **state)
{
    static const struct {
        const char *name, *shown, *never;
    } table[] = {
        {"you", "\"you\"", NULL},
        {"YOU", "\"YOU\"", NULL},
        {"x|no", "\"x|no\"", NULL},
        {"dev 12369", "\"dev 12369\"", NULL},
        {"dev 12369 ", "\"dev 12369 \"", NULL}, /* as what tells two of one name apart */
        {"dev ", "\"dev \"", NULL},
        {" low", "\" low\"", NULL},
        {"a  b", "\"a  b\"", NULL},
        {"gemini-cli", "gemini-cli", "\"gemini-cli\""},
    };
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct session *session = fake_core_session(tui->core, SESSION_CLIENT, table[i].name);

        fake_core_call(tui->core, session, "make");
        tui_settle(tui);
        if (!tui_shows(tui, table[i].shown))
            fail_msg("%s: not shown as %s", table[i].name, table[i].shown);
        if (table[i].never != NULL && tui_shows(tui, table[i].never))
            fail_msg("%s: shown as %s", table[i].name, table[i].never);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_line_asks_for_a_command),
        TEST(a_paste_is_not_run),
        TEST(commands_change_what_comes_next),
        TEST(commands_that_are_wrong_change_nothing),
        TEST(a_command_that_takes_no_word_is_not_done_with_one),
        TEST(a_remark_goes_with_the_next_key),
        TEST(an_approval_is_taken_back_by_the_call_it_was_given_to),
        TEST(views_open_and_close),
        TEST(a_call_can_be_stopped),
        TEST(the_brakes_confirm_only_themselves),
        TEST(a_patch_can_be_read_afterwards),
        TEST(a_patch_that_is_not_kept_whole_says_so),
        TEST(a_patch_is_shown_in_its_pane),
        TEST(an_ended_pane_has_no_blank_rows_below),
        TEST(a_long_patch_is_cut_in_its_pane),
        TEST(a_command_without_output_says_so),
        TEST(another_key_takes_the_quit_back),
        TEST(quitting_asks_when_calls_are_open),
        TEST(a_key_quits_only_the_second_time),
        TEST(a_line_quits_at_once_when_all_is_done),
        TEST(a_pane_shows_what_the_command_prints),
        TEST(keys_reach_the_pane_and_come_back),
        TEST(cursor_and_mouse_are_the_programs),
        TEST(why_a_call_failed_is_news_until_the_next_has_ended),
        TEST(a_finished_command_gives_the_keyboard_back),
        TEST(escape_selects_the_newest_again),
        TEST(calls_out_of_view_are_counted),
        TEST(tab_goes_back_from_the_newest),
        TEST(questions_of_a_program_are_answered_here),
        cmocka_unit_test(each_start_has_a_mark_of_its_own),
        TEST(a_pane_cannot_leave_its_place),
        TEST(scrollback_can_be_read),
        TEST(finished_panes_keep_so_much_together),
        TEST(finished_panes_show_so_much_together),
        TEST(several_panes_stand_side_by_side),
        TEST(keys_are_answered_while_the_record_is_read),
        TEST(a_name_that_could_mislead_is_quoted),
        cmocka_unit_test(a_command_gets_pane_keyboard_and_exit),
    };

    return cmocka_run_group_tests_name("console", tests, NULL, NULL);
}
