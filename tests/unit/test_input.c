/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "base/strbuf.h"

/* Which of the keys came alone, as one that a finger presses does: "+-". */
static void note_alone(void *argument, const struct input_event *event)
{
    strbuf_addch(argument, event->alone ? '+' : '-');
}

static void a_key_is_alone_or_not(void **state)
{
    static const struct {
        const char *pieces[3], *alone;
    } table[] = {
        {{"y"}, "+"},
        {{"y", "\r"}, "++"},
        {{"y\r"}, "--"},
        {{"\x1b[A"}, "+"},
        {{"\x1b", "[A"}, "+"},
        {{"\x1b[", "Ay"}, "--"},
        {{"y\x1b", "[A"}, "--"},
        {{"\xc3\xa4"}, "+"},
        {{"\x1b"}, "+"},
        {{"y\x1b"}, "--"},
        {{"\xc3", "\xa4"}, "+"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        cleanup_strbuf struct strbuf alone = STRBUF_INIT;
        struct input *input = input_new(note_alone, &alone);

        for (size_t k = 0; k < 3 && table[i].pieces[k] != NULL; k++)
            input_feed(input, table[i].pieces[k], strlen(table[i].pieces[k]));
        input_timeout(input);
        assert_string_equal(strbuf_str(&alone), table[i].alone);
        input_free(&input);
    }
}

/* Events as text, so that a table can hold them: "key 61 mods 4 [bytes]". */
struct log {
    struct strbuf text;
};

static void note(void *argument, const struct input_event *event)
{
    struct log *log = argument;

    switch (event->kind) {
    case INPUT_KEY:
        strbuf_addf(&log->text, "%x", event->key);
        if (event->modifiers != 0)
            strbuf_addf(&log->text, "+%u", event->modifiers);
        strbuf_addch(&log->text, ' ');
        break;
    case INPUT_PASTE:
        strbuf_addf(&log->text, "paste(%s) ", event->bytes != NULL ? event->bytes : "-");
        break;
    case INPUT_MOUSE:
        strbuf_addf(&log->text, "mouse(%d %d at %d,%d)+%u ", event->mouse.kind, event->mouse.button,
                    event->mouse.row, event->mouse.column, event->modifiers);
        break;
    case INPUT_SYNC_KNOWN:
        strbuf_addstr(&log->text, "sync ");
        break;
    case INPUT_BACKGROUND:
        strbuf_addf(&log->text, "background(%06x) ", event->key);
        break;
    case INPUT_UNKNOWN:
        strbuf_addstr(&log->text, "unknown ");
        break;
    }
}

/* The events of the bytes, fed `piece` at a time, with a time-out at the end. */
static char *events_of(const char *bytes, size_t length, size_t piece)
{
    struct log log = {STRBUF_INIT};
    struct input *input = input_new(note, &log);

    for (size_t at = 0; at < length; at += piece)
        input_feed(input, bytes + at, length - at < piece ? length - at : piece);
    if (input_pending(input))
        input_timeout(input);
    assert_false(input_pending(input));
    input_free(&input);
    if (log.text.length > 0)
        log.text.data[--log.text.length] = '\0';
    return strbuf_steal(&log.text);
}

static void check(const char *bytes, const char *expected)
{
    size_t length = strlen(bytes);

    /* However the bytes are cut, the events are the same. */
    for (size_t piece = 1; piece <= length; piece++) {
        char *events = events_of(bytes, length, piece);

        assert_string_equal(events, expected);
        free(events);
    }
}

static void characters(void **state)
{
    (void)state;
    check("aZ~", "61 5a 7e");
    check("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "e4 20ac 1f600");
    check("\x01\x1a\x1c\x7f\t\r", "61+4 7a+4 5c+4 110003 110002 110001");
}

static void bytes_that_are_no_characters(void **state)
{
    char expected[32];

    (void)state;
    snprintf(expected, sizeof(expected), "%x 61", INPUT_KEY_INVALID);
    check("\xff"
          "a",
          expected);
    check("\xc3"
          "a",
          expected);
    check("\x80"
          "a",
          expected);
    snprintf(expected, sizeof(expected), "%x 61", INPUT_KEY_INVALID);
    check("\xed\xa0\x80"
          "a",
          expected); /* a surrogate */
    snprintf(expected, sizeof(expected), "%x", INPUT_KEY_INVALID);
    check("\xe2\x82", expected); /* never finished */
}

static void keys_with_names(void **state)
{
    (void)state;
    check("\x1b[A\x1bOB\x1b[H\x1bOF", "110004 110005 110008 110009");
    check("\x1b[5~\x1b[6~\x1b[3~", "11000c 11000d 11000b");
    check("\x1bOP\x1b[15~\x1b[24~", "11000e 110012 110019");
    check("\x1b[Z", "110002+1");
    check("\x1b[1;5C\x1b[1;2A\x1b[3;3~", "110006+4 110004+1 11000b+2");
    check("\x1b[97;5u\x1b[13u", "61+4 110001");
}

static void escape_and_alt(void **state)
{
    (void)state;
    check("\x1b", "110000");
    check("\x1by", "79+2");
    check("\x1b\xc3\xa4", "e4+2");
    check("\x1b[", "5b+2");
    check("\x1b\x1b", "110000 110000");
    check("\x1b\x1b\x1b", "110000 110000 110000");
    check("\x1b\x1b[A", "110000 110004");
    check("\x1b\x1by", "110000 79+2");
}

/* Escape, a pause, then a key: two keys. */
static void a_pause_parts_escape_from_the_next_key(void **state)
{
    struct log log = {STRBUF_INIT};
    struct input *input = input_new(note, &log);

    (void)state;
    input_feed(input, "\x1b", 1);
    assert_true(input_pending(input));
    input_timeout(input);
    input_feed(input, "y", 1);
    assert_string_equal(strbuf_str(&log.text), "110000 79 ");
    input_free(&input);
    strbuf_free(&log.text);
}

static void pastes(void **state)
{
    (void)state;
    check("\x1b[200~y\r\x1b[201~x", "paste(y\r) 78");
    check("\x1b[200~\x1b[201~", "paste()");
    check("\x1b[200~a\x1b[20b\x1b\x1b[201~", "paste(a\x1b[20b\x1b)");
}

static void a_paste_beyond_the_limit_is_dropped_whole(void **state)
{
    struct log log = {STRBUF_INIT};
    struct input *input = input_new(note, &log);
    static char block[65536];

    (void)state;
    memset(block, 'y', sizeof(block));
    input_feed(input, "\x1b[200~", 6);
    for (size_t i = 0; i <= INPUT_PASTE_MAX / sizeof(block); i++)
        input_feed(input, block, sizeof(block));
    input_feed(input, "\x1b[201~z", 7);
    assert_string_equal(strbuf_str(&log.text), "paste(-) 7a ");
    input_free(&input);
    strbuf_free(&log.text);
}

static void answers_of_the_terminal(void **state)
{
    (void)state;
    check("\x1b[?2026;2$y", "sync");
    check("\x1b[?2026;0$y", "unknown");
    check("\x1b]11;rgb:ffff/8080/0000\x1b\\a", "background(ff8000) 61");
    check("\x1b]11;rgb:f/f/f\a", "background(ffffff)");
    check("\x1b]11;rgb:zz\a", "unknown");
    check("\x1b[?62;c", "unknown");
}

static void mouse_events(void **state)
{
    (void)state;
    check("\x1b[<0;1;1M", "mouse(0 1 at 0,0)+0");
    check("\x1b[<2;80;24m", "mouse(1 3 at 23,79)+0");
    check("\x1b[<65;3;4M", "mouse(0 5 at 3,2)+0");
    check("\x1b[<35;3;4M", "mouse(2 0 at 3,2)+0");
    check("\x1b[<52;3;4M", "mouse(2 1 at 3,2)+5");
    check("\x1b[<0;0;1M", "unknown");
    check("\x1b[<0;1M", "unknown");
    check("\x1b[<0;1;1u", "unknown");
}

static void nonsense_ends(void **state)
{
    char longest[600];
    char *events;

    (void)state;
    check("\x1b[\x01", "unknown");
    check("\x1bOq", "unknown");
    memset(longest, '1', sizeof(longest));
    longest[0] = '\x1b';
    longest[1] = '[';
    events = events_of(longest, sizeof(longest), 7);
    assert_memory_equal(events, "unknown 31", 10);
    free(events);
}

/* A network tears keys apart; what stands between puts them together. */
static void escape_waits_longer_over_ssh(void **state)
{
    static const char *const names[] = {"SSH_CONNECTION", "SSH_TTY", "TMUX", "STY"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
    assert_int_equal(input_escape_ms(0), INPUT_ESCAPE_MS);
    assert_int_equal(input_escape_ms(70), 70);
    setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22", 1);
    assert_int_equal(input_escape_ms(0), INPUT_ESCAPE_REMOTE_MS);
    assert_int_equal(input_escape_ms(70), 70);
    setenv("TMUX", "/tmp/tmux-0/default,1,0", 1);
    assert_int_equal(input_escape_ms(0), INPUT_ESCAPE_MS);
    unsetenv("TMUX");
    unsetenv("SSH_CONNECTION");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escape_waits_longer_over_ssh),
        cmocka_unit_test(a_key_is_alone_or_not),
        cmocka_unit_test(characters),
        cmocka_unit_test(bytes_that_are_no_characters),
        cmocka_unit_test(keys_with_names),
        cmocka_unit_test(escape_and_alt),
        cmocka_unit_test(a_pause_parts_escape_from_the_next_key),
        cmocka_unit_test(pastes),
        cmocka_unit_test(a_paste_beyond_the_limit_is_dropped_whole),
        cmocka_unit_test(answers_of_the_terminal),
        cmocka_unit_test(mouse_events),
        cmocka_unit_test(nonsense_ends),
    };

    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
