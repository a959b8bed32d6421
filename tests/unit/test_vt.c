/* SPDX-License-Identifier: MIT */
/* What tests/term can't say: sizes, floods, chance. */
#include "config.h"

#include "ui/term/vt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "tests/term/term_check.h"

struct heard {
    struct strbuf replies;
    size_t request_length;
    int requests, titles;
    char title_start[32];
    size_t title_length;
};

static void on_reply(const char *bytes, size_t length, void *argument)
{
    strbuf_add(&((struct heard *)argument)->replies, bytes, length);
}

static void on_request(enum vt_request request, const char *bytes, size_t length, void *argument)
{
    struct heard *heard = argument;
    assert_int_equal(request, VT_REQUEST_CLIPBOARD);
    assert_non_null(bytes);
    heard->requests++;
    heard->request_length = length;
}

static void on_title(const char *title, void *argument)
{
    struct heard *heard = argument;
    heard->titles++;
    heard->title_length = strlen(title);
    strncpy(heard->title_start, title, sizeof heard->title_start - 1);
}

static const struct vt_events events = {
    .reply = on_reply, .request = on_request, .title = on_title};

struct fixture {
    struct heard heard;
    struct vt *vt;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->vt = vt_new(24, 80, 2000, &events, &fixture->heard);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    vt_free(&fixture->vt);
    assert_null(fixture->vt);
    strbuf_free(&fixture->heard.replies);
    free(fixture);
    return 0;
}

static void assert_row(const struct vt *vt, int row, const char *wanted)
{
    struct strbuf out = STRBUF_INIT;
    int64_t line = grid_top_line(vt_grid(vt)) + row;
    grid_text(vt_grid(vt), line, 0, line, VT_COLUMNS_MAX, &out);
    assert_string_equal(strbuf_str(&out), wanted);
    strbuf_free(&out);
}

/* `before`, `count` times `byte`, `after`, in writes of 4,096 bytes. */
static void write_long(struct vt *vt, const char *before, char byte, size_t count,
                       const char *after)
{
    struct strbuf bytes = STRBUF_INIT;
    strbuf_addstr(&bytes, before);
    for (size_t i = 0; i < count; i++)
        strbuf_addch(&bytes, byte);
    strbuf_addstr(&bytes, after);
    for (size_t at = 0; at < bytes.length; at += 4096)
        vt_write(vt, bytes.data + at, bytes.length - at < 4096 ? bytes.length - at : 4096);
    strbuf_free(&bytes);
}

static void a_clipboard_of_100_kilobytes_comes_whole(void **state)
{
    struct fixture *fixture = *state;
    write_long(fixture->vt, "\033]52;c;", 'A', 100 * 1024, "\aafter");
    assert_int_equal(fixture->heard.requests, 1);
    assert_int_equal(fixture->heard.request_length, 2 + 100 * 1024);
    assert_row(fixture->vt, 0, "after");
}

static void an_oversize_string_leaves_nothing(void **state)
{
    struct fixture *fixture = *state;
    write_long(fixture->vt, "\033]52;c;", 'A', VT_STRING_MAX, "\a1");
    write_long(fixture->vt, "\033]2;", 'A', 3 * VT_STRING_MAX, "\a2");
    write_long(fixture->vt, "\033P$q", 'm', 3 * VT_STRING_MAX, "\033\\3");
    assert_int_equal(fixture->heard.requests, 0);
    assert_int_equal(fixture->heard.titles, 0);
    assert_int_equal(fixture->heard.replies.length, 0);
    assert_row(fixture->vt, 0, "123");
}

static void four_megabytes_in_one_write(void **state)
{
    struct fixture *fixture = *state;
    enum { SIZE = 4 * 1024 * 1024 };
    char *bytes = malloc(SIZE);
    memset(bytes, 'x', SIZE);
    vt_write(fixture->vt, bytes, SIZE);
    term_check(fixture->vt);
    /* it is all one line */
    assert_in_range(grid_top_line(vt_grid(fixture->vt)) - grid_first_line(vt_grid(fixture->vt)),
                    2000, 16 * 2000);
    assert_true(grid_memory(vt_grid(fixture->vt)) < 5 * 1000 * 1000);
    free(bytes);
}

static void replies_to_a_flood_of_questions_are_bounded_and_whole(void **state)
{
    struct fixture *fixture = *state;
    struct strbuf questions = STRBUF_INIT;
    for (int i = 0; i < 5000; i++)
        strbuf_addstr(&questions, "\033[6n");
    vt_write(fixture->vt, questions.data, questions.length);
    size_t length = fixture->heard.replies.length;
    assert_in_range(length, VT_REPLY_MAX - 6, VT_REPLY_MAX);
    assert_int_equal(length % 6, 0); /* ESC [ 1 ; 1 R */
    vt_write(fixture->vt, "\033[6n", 4);
    assert_int_equal(fixture->heard.replies.length, length + 6);
    strbuf_free(&questions);
}

static void titles_are_cut_between_characters(void **state)
{
    struct fixture *fixture = *state;
    struct strbuf bytes = STRBUF_INIT;
    strbuf_addstr(&bytes, "\033]2;x");
    for (int i = 0; i < 1000; i++)
        strbuf_addstr(&bytes, "\xe4\xb8\xad");
    strbuf_addstr(&bytes, "\a");
    vt_write(fixture->vt, bytes.data, bytes.length);
    assert_in_range(fixture->heard.title_length, VT_TITLE_MAX - 3, VT_TITLE_MAX);
    assert_int_equal((fixture->heard.title_length - 1) % 3, 0);
    strbuf_free(&bytes);
}

/* Marks are longer than what they stand for. */
static void a_title_of_controls_stays_short(void **state)
{
    struct fixture *fixture = *state;
    struct strbuf bytes = STRBUF_INIT;
    strbuf_addstr(&bytes, "\033]2;");
    for (int i = 0; i < 120; i++)
        strbuf_addstr(&bytes, i % 2 ? "\xe2\x80\xae" : "\xe2\x80\x8b");
    strbuf_addstr(&bytes, "\a");
    vt_write(fixture->vt, bytes.data, bytes.length);
    assert_int_equal(fixture->heard.titles, 1);
    assert_in_range(fixture->heard.title_length, 1, VT_TITLE_MAX);
    strbuf_free(&bytes);
}

static void nobody_needs_to_listen(void **state)
{
    (void)state;
    static const struct vt_events nothing;
    struct vt *vt = vt_new(5, 20, 10, &nothing, NULL);
    const char *bytes = "\a\033]2;t\a\033]52;c;?\a\033[c\033[6n\033P$qm\033\\x";
    vt_write(vt, bytes, strlen(bytes));
    assert_row(vt, 0, "x");
    vt_free(&vt);
    vt_free(&vt);
}

static void a_pane_with_a_full_scrollback_is_small(void **state)
{
    struct fixture *fixture = *state;
    for (int line = 0; line < 3000; line++)
        write_long(fixture->vt, "\033[1;32m$\033[m ", 'x', 70, "\r\n");
    assert_int_equal(grid_top_line(vt_grid(fixture->vt)) - grid_first_line(vt_grid(fixture->vt)),
                     2000);
    assert_true(grid_memory(vt_grid(fixture->vt)) < 400 * 1000);
}

static uint32_t random_state;

static uint32_t chance(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

/* One thing that a program might write, sensible or not. */
static void add_anything(struct strbuf *out)
{
    static const char finals[] = "@ABCDEFGHIJKLMPSTXZ`abcdefghjklmnpqrstux";
    static const char *const modes[] = {"4",   "20",  "?1",    "?5",    "?6",    "?7",
                                        "?47", "?69", "?1047", "?1048", "?1049", "?2026"};
    switch (chance(9)) {
    case 0:
        for (uint32_t left = chance(40); left > 0; left--)
            strbuf_addch(out, (char)(' ' + chance(95)));
        break;
    case 1:
        strbuf_addch(out, (char)chance(32));
        break;
    case 2:
        strbuf_addf(out, "\033[%u;%u%c", chance(30), chance(90), finals[chance(sizeof finals - 1)]);
        break;
    case 3:
        strbuf_addf(out, "\033[%s%c", modes[chance(12)], chance(2) ? 'h' : 'l');
        break;
    case 4:
        strbuf_addf(out, "\033%c", (char)('0' + chance(79)));
        break;
    case 5:
        strbuf_addf(out, "\033[%u;%u;%um", chance(110), chance(60), chance(50));
        break;
    case 6:
        strbuf_addstr(out, chance(2) ? "\xe4\xb8\xad\xe6\x96\x87" : "e\xcc\x81\xf0\x9f\x98\x80");
        break;
    case 7:
        strbuf_addf(out, "\033[%u;%ur", chance(30), chance(30));
        break;
    default:
        strbuf_addch(out, (char)chance(256));
        break;
    }
}

static void sensible_and_senseless_output_never_breaks_it(void **state)
{
    struct fixture *fixture = *state;
    for (random_state = 1; random_state <= 40; random_state++) {
        uint32_t seed = random_state;
        for (int round = 0; round < 20; round++) {
            struct strbuf bytes = STRBUF_INIT;
            for (int i = 0; i < 200; i++)
                add_anything(&bytes);
            vt_write(fixture->vt, strbuf_str(&bytes), bytes.length);
            strbuf_free(&bytes);
            term_check(fixture->vt);
            vt_resize(fixture->vt, (int)chance(40), (int)chance(120));
            term_check(fixture->vt);
        }
        random_state = seed;
    }
}

static void random_bytes_never_break_it(void **state)
{
    struct fixture *fixture = *state;
    random_state = 7;
    for (int round = 0; round < 100; round++) {
        char bytes[4096];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)chance(256);
        vt_write(fixture->vt, bytes, sizeof bytes);
        term_check(fixture->vt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_clipboard_of_100_kilobytes_comes_whole, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_oversize_string_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(four_megabytes_in_one_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replies_to_a_flood_of_questions_are_bounded_and_whole,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(titles_are_cut_between_characters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_title_of_controls_stays_short, set_up, tear_down),
        cmocka_unit_test(nobody_needs_to_listen),
        cmocka_unit_test_setup_teardown(a_pane_with_a_full_scrollback_is_small, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sensible_and_senseless_output_never_breaks_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(random_bytes_never_break_it, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
