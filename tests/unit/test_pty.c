/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

static void test_pair(void **state)
{
    (void)state;
    int master, slave;
    struct error error = ERROR_INIT;
    assert_int_equal(pty_open(50, 200, &master, &slave, &error), 0);
    assert_true(isatty(slave));
    assert_true(fcntl(master, F_GETFD) & FD_CLOEXEC);
    assert_true(fcntl(slave, F_GETFD) & FD_CLOEXEC);
    assert_true(fcntl(master, F_GETFL) & O_NONBLOCK);
    assert_false(fcntl(slave, F_GETFL) & O_NONBLOCK);

    struct winsize size;
    assert_int_equal(ioctl(slave, TIOCGWINSZ, &size), 0);
    assert_int_equal(size.ws_row, 50);
    assert_int_equal(size.ws_col, 200);
    assert_int_equal(pty_resize(master, 24, 80), 0);
    assert_int_equal(ioctl(slave, TIOCGWINSZ, &size), 0);
    assert_int_equal(size.ws_row, 24);
    assert_int_equal(size.ws_col, 80);

    struct termios modes;
    assert_int_equal(tcgetattr(slave, &modes), 0);
    assert_true(modes.c_iflag & IUTF8);
    assert_int_equal(modes.c_cc[VERASE], 0x7F);

    /* It is not ours: the test's own terminal (if any) stays what it was. */
    assert_int_not_equal(tcgetsid(slave), getsid(0));
    close(slave);
    char byte;
    assert_int_equal(read(master, &byte, 1), -1);
    assert_int_equal(errno, EIO);
    close(master);
}

static void test_end_character(void **state)
{
    (void)state;
    int master, slave;
    assert_int_equal(pty_open(24, 80, &master, &slave, NULL), 0);
    assert_int_equal(pty_eof_character(master), 4);
    struct termios modes;
    assert_int_equal(tcgetattr(slave, &modes), 0);
    modes.c_cc[VEOF] = 'q';
    assert_int_equal(tcsetattr(slave, TCSANOW, &modes), 0);
    assert_int_equal(pty_eof_character(master), 'q');
    modes.c_cc[VEOF] = _POSIX_VDISABLE;
    assert_int_equal(tcsetattr(slave, TCSANOW, &modes), 0);
    assert_int_equal(pty_eof_character(master), -1);
    cfmakeraw(&modes);
    modes.c_cc[VEOF] = 4;
    assert_int_equal(tcsetattr(slave, TCSANOW, &modes), 0);
    assert_int_equal(pty_eof_character(master), -1);
    close(slave);
    close(master);
}

static void test_impossible_sizes(void **state)
{
    (void)state;
    static const int sizes[][2] = {{0, 80}, {24, 0}, {-1, 80}, {65536, 80}, {24, 65536}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        int master = -1, slave = -1;
        struct error error = ERROR_INIT;
        assert_int_equal(pty_open(sizes[i][0], sizes[i][1], &master, &slave, &error), -1);
        assert_int_equal(master, -1);
        assert_int_equal(slave, -1);
        assert_non_null(strstr(error.message, "not possible"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_end_character),
        cmocka_unit_test(test_impossible_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
