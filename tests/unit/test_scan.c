/* SPDX-License-Identifier: MIT */
/* What tests/fuzz/fuzz_scan and tests/term can't say: limits, whole strings, memory. */
#include "config.h"

#include "ui/term/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"

#define LIMIT (1024 * 1024)

struct heard {
    struct strbuf text;
    struct strbuf string; /* the last one */
    enum scan_string kind;
    int strings, controls;
    struct scan_sequence sequence; /* the last one */
    int escapes, csis;
};

static void on_text(const char *bytes, size_t length, void *argument)
{
    strbuf_add(&((struct heard *)argument)->text, bytes, length);
}

static void on_control(char control, void *argument)
{
    (void)control;
    ((struct heard *)argument)->controls++;
}

static void on_escape(const struct scan_sequence *sequence, void *argument)
{
    ((struct heard *)argument)->sequence = *sequence;
    ((struct heard *)argument)->escapes++;
}

static void on_csi(const struct scan_sequence *sequence, void *argument)
{
    ((struct heard *)argument)->sequence = *sequence;
    ((struct heard *)argument)->csis++;
}

static void on_string(enum scan_string kind, const char *bytes, size_t length, void *argument)
{
    struct heard *heard = argument;
    heard->kind = kind;
    heard->strings++;
    strbuf_reset(&heard->string);
    strbuf_add(&heard->string, bytes, length);
}

static const struct scan_events events = {on_text, on_control, on_escape, on_csi, on_string};

struct fixture {
    struct scan scan;
    struct heard heard;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    scan_init(&fixture->scan, LIMIT, &events, &fixture->heard);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    scan_release(&fixture->scan);
    strbuf_free(&fixture->heard.text);
    strbuf_free(&fixture->heard.string);
    free(fixture);
    return 0;
}

static void write_string(struct fixture *fixture, const char *string)
{
    scan_write(&fixture->scan, string, strlen(string));
}

/* An OSC 52 with `size` bytes of payload, in writes of `piece` bytes. */
static void write_clipboard(struct fixture *fixture, size_t size, size_t piece)
{
    struct strbuf bytes = STRBUF_INIT;
    strbuf_addstr(&bytes, "\033]52;c;");
    for (size_t i = 0; i < size; i++)
        strbuf_addch(&bytes, (char)('a' + i % 26));
    strbuf_addstr(&bytes, "\033\\");
    for (size_t at = 0; at < bytes.length; at += piece)
        scan_write(&fixture->scan, bytes.data + at,
                   bytes.length - at < piece ? bytes.length - at : piece);
    strbuf_free(&bytes);
}

static void a_long_string_comes_whole(void **state)
{
    struct fixture *fixture = *state;
    write_clipboard(fixture, 100 * 1024, 4096);
    assert_int_equal(fixture->heard.strings, 1);
    assert_int_equal(fixture->heard.kind, SCAN_OSC);
    assert_int_equal(fixture->heard.string.length, 5 + 100 * 1024);
    assert_memory_equal(fixture->heard.string.data, "52;c;abc", 8);
    assert_int_equal(fixture->heard.text.length, 0);
}

static void a_string_of_the_limit_comes_and_one_more_byte_is_too_many(void **state)
{
    struct fixture *fixture = *state;
    write_clipboard(fixture, LIMIT - 5, 4095);
    assert_int_equal(fixture->heard.strings, 1);
    assert_int_equal(fixture->heard.string.length, LIMIT);
    write_clipboard(fixture, LIMIT - 4, 4095);
    assert_int_equal(fixture->heard.strings, 1);
    write_clipboard(fixture, 3 * LIMIT, 100 * 1000 * 1000);
    assert_int_equal(fixture->heard.strings, 1);
    assert_int_equal(fixture->heard.text.length, 0);
    write_clipboard(fixture, 3, 1);
    assert_int_equal(fixture->heard.strings, 2);
    assert_string_equal(strbuf_str(&fixture->heard.string), "52;c;abc");
}

static void memory_of_a_long_string_is_given_back(void **state)
{
    struct fixture *fixture = *state;
    write_clipboard(fixture, LIMIT / 2, 4096);
    assert_true(fixture->scan.string.capacity <= 4096);
    write_clipboard(fixture, 2 * LIMIT, 4096);
    assert_true(fixture->scan.string.capacity <= 4096);
    /* and is bounded while the end has not come */
    write_string(fixture, "\033P");
    for (int i = 0; i < 3000; i++)
        scan_write(&fixture->scan,
                   "0123456789abcdef0123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef0123456789abcdef",
                   384);
    assert_true(fixture->scan.string.capacity <= 2 * LIMIT);
}

static void kinds_of_strings(void **state)
{
    static const struct {
        const char *bytes;
        enum scan_string kind;
    } cases[] = {{"\033]x\033\\", SCAN_OSC},
                 {"\033Px\033\\", SCAN_DCS},
                 {"\033_x\033\\", SCAN_APC},
                 {"\033^x\033\\", SCAN_PM},
                 {"\033Xx\033\\", SCAN_SOS}};
    struct fixture *fixture = *state;
    for (int i = 0; i < 5; i++) {
        write_string(fixture, cases[i].bytes);
        assert_int_equal(fixture->heard.strings, i + 1);
        assert_int_equal(fixture->heard.kind, cases[i].kind);
        assert_string_equal(strbuf_str(&fixture->heard.string), "x");
    }
}

static void the_end_of_a_string_may_be_cut_in_two(void **state)
{
    struct fixture *fixture = *state;
    write_string(fixture, "\033]2;title\033");
    assert_int_equal(fixture->heard.strings, 0);
    write_string(fixture, "\\after");
    assert_int_equal(fixture->heard.strings, 1);
    assert_string_equal(strbuf_str(&fixture->heard.text), "after");
}

static void parameters(void **state)
{
    struct fixture *fixture = *state;
    const struct scan_sequence *sequence = &fixture->heard.sequence;
    write_string(fixture, "\033[?1;;20:3 q");
    assert_int_equal(sequence->leader, '?');
    assert_int_equal(sequence->intermediate, ' ');
    assert_int_equal(sequence->final, 'q');
    assert_int_equal(sequence->count, 4);
    assert_int_equal(sequence->values[0], 1);
    assert_int_equal(sequence->values[1], SCAN_ABSENT);
    assert_int_equal(sequence->values[2], 20);
    assert_int_equal(sequence->values[3], 3);
    assert_int_equal(sequence->colons, 1u << 2);
    write_string(fixture, "\033[m");
    assert_int_equal(sequence->count, 1);
    assert_int_equal(sequence->values[0], SCAN_ABSENT);
    assert_int_equal(sequence->leader, 0);
    assert_int_equal(sequence->colons, 0);
}

static void parameters_are_bounded_in_size_and_number(void **state)
{
    struct fixture *fixture = *state;
    const struct scan_sequence *sequence = &fixture->heard.sequence;
    write_string(fixture, "\033[");
    for (int i = 0; i < 100000; i++)
        write_string(fixture, "99999999999999999999:");
    write_string(fixture, "5H");
    assert_int_equal(fixture->heard.csis, 1);
    assert_int_equal(sequence->count, SCAN_VALUES_MAX);
    for (int i = 0; i < SCAN_VALUES_MAX; i++)
        assert_int_equal(sequence->values[i], SCAN_VALUE_LARGEST);
    write_string(fixture, "\033[");
    for (int i = 0; i < 100000; i++)
        write_string(fixture, "7");
    write_string(fixture, "A");
    assert_int_equal(sequence->values[0], SCAN_VALUE_LARGEST);
}

static void a_character_is_never_cut(void **state)
{
    struct fixture *fixture = *state;
    scan_write(&fixture->scan, "\xf0", 1);
    scan_write(&fixture->scan, "\x9f\x98", 2);
    assert_int_equal(fixture->heard.text.length, 0);
    scan_write(&fixture->scan, "\x80!", 2);
    assert_string_equal(strbuf_str(&fixture->heard.text), "\xf0\x9f\x98\x80!");
}

static void nothing_at_all_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    scan_write(&fixture->scan, "\xe2\x82", 2);
    scan_write(&fixture->scan, "", 0);
    scan_write(&fixture->scan, NULL, 0);
    scan_write(&fixture->scan, "\xac", 1);
    assert_string_equal(strbuf_str(&fixture->heard.text), "\xe2\x82\xac");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_long_string_comes_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_string_of_the_limit_comes_and_one_more_byte_is_too_many,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_of_a_long_string_is_given_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kinds_of_strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_end_of_a_string_may_be_cut_in_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parameters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parameters_are_bounded_in_size_and_number, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_character_is_never_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_at_all_changes_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
