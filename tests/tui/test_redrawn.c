/* SPDX-License-Identifier: MIT */
/* The bottom row in all that it can say, on terminals that are drawn to in different ways: whatever
 * changes, what was drawn piece by piece is what is drawn anew (each step compares that). */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "ui/console_int.h"

#define F1 "\x1bOP"
#define F2 "\x1bOQ"
#define F7 "\x1b[18~"
#define F9 "\x1b[20~"

/* The last cell is written by letting go of wrapping in one, by inserting before it in another. */
static const char *const terminals[] = {"xterm-256color", "tmux-256color", "linux"};

/* Where there is room for all of it. */
static void expect_said(const struct tui *tui, const char *words)
{
    cleanup_free char *row = outer_row(tui->outer, outer_rows(tui->outer) - 1);

    if (outer_columns(tui->outer) >= 200 && strstr(row, words) == NULL)
        fail_msg("no \"%s\" in: %s", words, row);
}

/* Whatever the row can say, one after the other, and back. */
static void go_through_all(struct tui *tui)
{
    tui_running(tui, "vi", true);
    tui_settle(tui);
    tui_keys(tui, "\x1c");
    expect_said(tui, " Ctrl-\\ leaves the pane ");
    tui_keys(tui, "\x1c");
    tui_keys(tui, F7);
    tui_lines(tui, ":stop codex\r:stop codex\r");
    console_record_fails(tui->console, true);
    tui_settle(tui);
    expect_said(tui, " FROZEN: F7 goes on  1 agent stopped, :resume  no record ");
    tui_advance(tui, 6000); /* what was said last is read */
    tui_request(tui, "make", RISK_HIGH);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    tui_advance(tui, 2 * 60 * 1000);
    expect_said(tui, " 1 request waits for 2 min: F2 answers ");
    tui_keys(tui, F9);
    tui_advance(tui, 600);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    console_record_fails(tui->console, false);
    tui_lines(tui, ":resume codex\r");
    tui_keys(tui, F7);
    tui_lines(tui, ":sandbox danger-full-access\r:sandbox danger-full-access\r:policy never\r");
    expect_said(tui, " network on");
    tui_lines(tui, ":freeze\r:thaw\r:sandbox workspace-write\r:policy on-request\r");
    tui_keys(tui, F1);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    tui_keys(tui, F2);
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_advance(tui, 100);
}

static void the_bottom_row_is_drawn_whole(void **state)
{
    static const char *const themes[] = {"dark", "mono", "high-contrast"};
    static const int sizes[][2] = {{24, 80}, {50, 200}};

    (void)state;
    for (size_t i = 0; i < COUNT(terminals); i++)
        for (size_t j = 0; j < COUNT(themes) * COUNT(sizes); j++) {
            const struct tui_options options = {.terminal = terminals[i],
                                                .theme = themes[j / COUNT(sizes)],
                                                .escalate_ms = 60 * 1000};
            const int *size = sizes[j % COUNT(sizes)];
            struct tui tui;

            tui_start(&tui, size[0], size[1], &options);
            go_through_all(&tui);
            tui_stop(&tui);
        }
}

/* To its last cell, which is inserted: many terminals insert nothing outside of the margins. */
static void expect_filled(const struct tui *tui)
{
    int row = outer_rows(tui->outer) - 1, last = outer_columns(tui->outer) - 1;
    struct outer_cell before, cell;

    outer_cell(tui->outer, row, last - 1, &before);
    outer_cell(tui->outer, row, last, &cell);
    assert_memory_equal(&cell, &before, sizeof(cell));
    assert_int_not_equal(cell.background, -1);
}

/* Curses opens its margins again to the size that it knows, when the terminal may already have
 * another. */
static void a_frame_that_met_another_size_spoils_nothing(void **state)
{
    static const char margins[] = "\x1b[18;23r\x1b[1;24r";

    (void)state;
    for (size_t i = 0; i < COUNT(terminals); i++) {
        const struct tui_options options = {.terminal = terminals[i]};
        struct tui tui;

        tui_start(&tui, 24, 80, &options);
        expect_filled(&tui);
        tui_resize(&tui, 50, 200);
        outer_write(tui.outer, margins, strlen(margins));
        assert_int_equal(raise(SIGWINCH), 0);
        tui_settle(&tui);
        expect_filled(&tui);
        tui_keys(&tui, "\x1b[18~"); /* the whole row gets another colour */
        expect_filled(&tui);
        tui_stop(&tui);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bottom_row_is_drawn_whole),
        cmocka_unit_test(a_frame_that_met_another_size_spoils_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
