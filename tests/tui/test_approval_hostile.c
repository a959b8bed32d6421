/* SPDX-License-Identifier: MIT */
/*
 * Requests made of everything that has ever fooled a reader: whatever an agent puts into command,
 * directory, name, words and variables, our labels stay ours and the frame stays whole.
 */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text.h"

#define ROUNDS 300
#define LABEL_COLUMNS 12 /* where values begin, counted from the inner edge */

static const char *const pieces[] = {
    "rm -rf /",
    " ",
    "\n",
    "\r",
    "\t",
    "\x1b[2J",
    "\x1b[1;1H",
    "\x1b]0;x\x07",
    ("\x9b"
     "31m"),
    "Risk        \xe2\x97\x8b low",
    "Command",
    "Reason",
    "Directory",
    "Runs under  workspace-write",
    "\xe2\x94\x82",
    "\xe2\x95\xad\xe2\x94\x80",
    "\xe2\x94\x83",
    "\xe2\x96\x88",
    "\xe2\x80\xae",
    "\xe2\x81\xa6",
    "\xe2\x80\x8b",
    "\xef\xbb\xbf",
    "\xc2\xad",
    "\xcc\x81\xcc\x81\xcc\x81",
    "\xe6\xbc\xa2",
    "\xf0\x9f\x98\x80",
    "\xd0\xb0\xd0\xb5",
    "\xff\xfe",
    "\xed\xa0\x80",
    "\xe3\x80\x80",
    "a",
    "very-long-word-without-any-blank-",
    "'",
    "\"",
    "\\",
    "$(",
    "`",
    "kov: c1 asks. May it run?",
    "y  allow twice",
    "\xef\xbd\x9c",
    "\xd7\xa9\xd7\x9c",
    "\xf3\xa0\x81\xa1",
    "\xe2\x80\xa8",
    "\n\xe2\x86\xb3 ",
};
#define PIECE_COUNT (sizeof(pieces) / sizeof(pieces[0]))

/* The same requests at every run. */
static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245U + 12345U;
    return *seed >> 16 & 0x7fff;
}

static char *hostile_text(unsigned *seed, unsigned most)
{
    struct strbuf text = STRBUF_INIT;
    unsigned count = 1 + next_random(seed) % most;

    while (count-- > 0)
        strbuf_addstr(&text, pieces[next_random(seed) % PIECE_COUNT]);
    return strbuf_steal(&text);
}

static struct call *hostile_request(struct tui *tui, unsigned *seed)
{
    cleanup_free char *line = hostile_text(seed, 60);
    cleanup_free char *name = hostile_text(seed, 6);
    cleanup_free char *variable = hostile_text(seed, 4);
    struct call *call = tui_request(tui, line, RISK_HIGH);

    free(call->spec->justification);
    call->spec->justification = hostile_text(seed, 40);
    free(call->spec->cwd);
    call->spec->cwd = hostile_text(seed, 8);
    call->spec->env = strv_copy((const char *const[]){variable, NULL});
    call->client.name = xstrdup(name);
    call->client.exe = hostile_text(seed, 6);
    cleanup_free char *reason = hostile_text(seed, 12);
    wording_free(&call->prompt->reason);
    call->prompt->reason = wording_from(reason);
    fake_core_raise(tui->core, call, RISK_HIGH);
    return call;
}

/* Text of a row from one column to another. */
static char *row_part(const struct tui *tui, int row, int from, int to)
{
    struct strbuf text = STRBUF_INIT;

    for (int column = from; column < to; column++) {
        struct outer_cell cell;

        outer_cell(tui->outer, row, column, &cell);
        strbuf_addstr(&text, cell.text);
    }
    while (text.length > 0 && text.data[text.length - 1] == ' ')
        text.data[--text.length] = '\0';
    return strbuf_steal(&text);
}

static bool is_label(const char *text)
{
    static const char *const labels[] = {"",        "Directory", "Program",   "Variables",
                                         "Input",   "Asked by",  "Reason",    "It says",
                                         "Summary", "Risk",      "Runs under"};

    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
        if (strcmp(text, labels[i]) == 0)
            return true;
    return false;
}

static void check_edges(const struct tui *tui, int row)
{
    struct outer_cell cell;

    outer_cell(tui->outer, row, 0, &cell);
    assert_string_equal(cell.text, "\xe2\x94\x82");
    outer_cell(tui->outer, row, 79, &cell);
    assert_string_equal(cell.text, "\xe2\x94\x82");
}

/* Between the command and the answers, only labels of ours begin a row, and Risk says what the
 * core said. */
static void check_screen(const struct tui *tui)
{
    int top, bottom, row, column;
    bool in_command = true, risk_seen = false;

    assert_true(tui_find(tui, "\xe2\x95\xad\xe2\x94\x80 kov: c", &top, &column));
    assert_true(tui_find(tui, "\xe2\x86\xb5 allow once", &bottom, &column));
    for (row = top + 1; row < bottom - 1; row++) { /* the row between is for our remarks */
        cleanup_free char *label = row_part(tui, row, 2, 2 + LABEL_COLUMNS);

        check_edges(tui, row);
        if (row == top + 1) {
            assert_string_equal(label, "Command");
            continue;
        }
        if (in_command && (strncmp(label, "\xe2\x94\x83", 3) == 0 ||
                           (strncmp(label, "\xe2\x86\xb3", 3) == 0 && row > top + 2)))
            continue; /* the bar beside the command, or the mark where it goes on */
        in_command = false;
        if (!is_label(label))
            fail_msg("\"%s\" stands where labels stand", label);
        if (strcmp(label, "Risk") == 0) {
            cleanup_free char *value = row_part(tui, row, 2 + LABEL_COLUMNS, 78);

            assert_string_equal(value, "\xe2\x96\xb2 HIGH");
            assert_false(risk_seen);
            risk_seen = true;
        }
    }
    assert_true(risk_seen);
}

static void labels_stay_ours(void **state)
{
    unsigned seed = 1;

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        struct tui tui;

        tui_start(&tui, 24, 80, NULL);
        hostile_request(&tui, &seed);
        tui_settle(&tui);
        tui_wait_guard(&tui);
        check_screen(&tui);
        tui_keys(&tui, "y"); /* high risk: no single key allows it */
        tui_keys(&tui, "v");
        tui_keys(&tui, "G");
        tui_keys(&tui, "q");
        assert_int_equal(fake_core_decisions(tui.core), 0);
        tui_stop(&tui);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_stay_ours),
    };

    return cmocka_run_group_tests_name("hostile requests", tests, NULL, NULL);
}
