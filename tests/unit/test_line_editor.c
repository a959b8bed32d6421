/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/line_editor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/input.h"

static void type(struct line_editor *editor, const char *text)
{
    assert_true(line_editor_insert(editor, text, strlen(text)));
}

static void press(struct line_editor *editor, uint32_t key, unsigned modifiers)
{
    assert_true(line_editor_key(editor, key, modifiers));
}

static void view_is(struct line_editor *editor, int columns, const char *text, int cursor)
{
    struct strbuf out = STRBUF_INIT;

    assert_int_equal(line_editor_view(editor, columns, &out), cursor);
    assert_string_equal(strbuf_str(&out), text);
    strbuf_free(&out);
}

static void edits(void **state)
{
    struct line_editor *editor = line_editor_new();

    (void)state;
    press(editor, 'a', 0);
    press(editor, 0xe4, 0);
    type(editor, " cd");
    assert_string_equal(line_editor_text(editor), "a\xc3\xa4 cd");
    press(editor, INPUT_KEY_LEFT, 0);
    press(editor, INPUT_KEY_BACKSPACE, 0);
    assert_string_equal(line_editor_text(editor), "a\xc3\xa4 d");
    press(editor, INPUT_KEY_HOME, 0);
    press(editor, INPUT_KEY_DELETE, 0);
    assert_string_equal(line_editor_text(editor), "\xc3\xa4 d");
    press(editor, 'e', INPUT_CTRL);
    press(editor, 'w', INPUT_CTRL);
    assert_string_equal(line_editor_text(editor), "\xc3\xa4 ");
    press(editor, 'u', INPUT_CTRL);
    assert_string_equal(line_editor_text(editor), "");
    press(editor, INPUT_KEY_BACKSPACE, 0);
    press(editor, INPUT_KEY_LEFT, 0);
    press(editor, INPUT_KEY_RIGHT, 0);
    assert_false(line_editor_key(editor, INPUT_KEY_F1, 0));
    assert_false(line_editor_key(editor, 'a', INPUT_ALT));
    line_editor_free(&editor);
}

static void words_and_ends(void **state)
{
    struct line_editor *editor = line_editor_new();

    (void)state;
    type(editor, "make  all now");
    press(editor, 'b', INPUT_ALT);
    press(editor, 'k', INPUT_CTRL);
    assert_string_equal(line_editor_text(editor), "make  all ");
    press(editor, 'a', INPUT_CTRL);
    press(editor, 'f', INPUT_ALT);
    press(editor, 'k', INPUT_CTRL);
    assert_string_equal(line_editor_text(editor), "make");
    line_editor_free(&editor);
}

static void combining_marks_go_with_their_base(void **state)
{
    struct line_editor *editor = line_editor_new();

    (void)state;
    type(editor, "xe\xcc\x81");
    press(editor, INPUT_KEY_BACKSPACE, 0);
    assert_string_equal(line_editor_text(editor), "x");
    line_editor_free(&editor);
}

static void pasted_controls_are_shown_as_marks(void **state)
{
    struct line_editor *editor = line_editor_new();

    (void)state;
    type(editor, "a\x1b[2Jb\xff");
    view_is(editor, 40, "a<ESC>[2Jb\xef\xbf\xbd", 11);
    line_editor_free(&editor);
}

/* Terminals end pasted lines as the Enter key does. */
static void pasted_lines_stay_lines(void **state)
{
    struct line_editor *editor = line_editor_new();
    (void)state;
    type(editor, "echo one\recho two\r\necho three\n");
    assert_string_equal(line_editor_text(editor), "echo one\necho two\necho three\n");
    line_editor_free(&editor);
}

static void a_long_line_scrolls(void **state)
{
    struct line_editor *editor = line_editor_new();

    (void)state;
    type(editor, "0123456789abcdef");
    view_is(editor, 8, "9abcdef", 7);
    press(editor, INPUT_KEY_HOME, 0);
    view_is(editor, 8, "0123456", 0);
    line_editor_free(&editor);
}

static void too_much_is_not_taken(void **state)
{
    struct line_editor *editor = line_editor_new();
    char *block = xmalloc(LINE_EDITOR_MAX);

    (void)state;
    memset(block, 'x', LINE_EDITOR_MAX);
    assert_true(line_editor_insert(editor, block, LINE_EDITOR_MAX));
    assert_false(line_editor_insert(editor, "y", 1));
    assert_int_equal(strlen(line_editor_text(editor)), LINE_EDITOR_MAX);
    free(block);
    line_editor_free(&editor);
}

static void history(void **state)
{
    struct line_editor *editor = line_editor_new();

    (void)state;
    line_editor_history(editor, -1);
    assert_string_equal(line_editor_text(editor), "");
    type(editor, "one");
    line_editor_clear(editor, true);
    type(editor, "two");
    line_editor_clear(editor, true);
    type(editor, "two");
    line_editor_clear(editor, true); /* the same again is not remembered twice */
    type(editor, "half");
    line_editor_history(editor, -1);
    assert_string_equal(line_editor_text(editor), "two");
    line_editor_history(editor, -1);
    assert_string_equal(line_editor_text(editor), "one");
    line_editor_history(editor, -1);
    assert_string_equal(line_editor_text(editor), "one");
    line_editor_history(editor, 1);
    line_editor_history(editor, 1);
    assert_string_equal(line_editor_text(editor), "half");
    line_editor_history(editor, 1);
    assert_string_equal(line_editor_text(editor), "half");
    for (int i = 0; i < 2 * LINE_EDITOR_HISTORY; i++) {
        char line[2] = {(char)('a' + i % 26), '\0'};

        line_editor_set(editor, line);
        line_editor_clear(editor, true);
    }
    line_editor_free(&editor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits),
        cmocka_unit_test(words_and_ends),
        cmocka_unit_test(combining_marks_go_with_their_base),
        cmocka_unit_test(pasted_controls_are_shown_as_marks),
        cmocka_unit_test(pasted_lines_stay_lines),
        cmocka_unit_test(a_long_line_scrolls),
        cmocka_unit_test(too_much_is_not_taken),
        cmocka_unit_test(history),
    };

    return cmocka_run_group_tests_name("line_editor", tests, NULL, NULL);
}
