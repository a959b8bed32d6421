/* SPDX-License-Identifier: MIT */
/* control: what the monitor tells the helper arrives, whatever the helper still has to say. */
#include "config.h"

#include "sandbox/control.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static void messages_arrive_whole(void **state)
{
    int ends[2];
    struct control_message message;
    (void)state;
    assert_int_equal(control_open(ends), 0);
    assert_int_equal(control_receive(ends[0], &message), -EAGAIN);
    control_send(ends[1], CONTROL_ALARM, 3, "what");
    assert_int_equal(control_receive(ends[0], &message), 1);
    assert_int_equal(message.kind, CONTROL_ALARM);
    assert_int_equal(message.number, 3);
    assert_string_equal(message.text, "what");
    close(ends[1]);
    assert_int_equal(control_receive(ends[0], &message), 0);
    close(ends[0]);
}

/* A signal crosses the command's end: whoever has ended does not read it any more. */
static void an_end_is_told_although_something_is_unread(void **state)
{
    int ends[2];
    struct control_message message;
    (void)state;
    assert_int_equal(control_open(ends), 0);
    control_send(ends[0], CONTROL_SIGNAL, 15, "");
    control_send(ends[1], CONTROL_ENDED, 15, "");
    close(ends[1]);
    assert_int_equal(control_receive(ends[0], &message), 1);
    assert_int_equal(message.kind, CONTROL_ENDED);
    assert_int_equal(control_receive(ends[0], &message), 0);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive_whole),
        cmocka_unit_test(an_end_is_told_although_something_is_unread),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
