/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/foreground.h"

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

/* A program on a terminal of its own, which reads a line or does something else. */
static pid_t start_on(int slave, bool reads)
{
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        setsid();
        if (ioctl(slave, TIOCSCTTY, 0) != 0 || tcsetpgrp(slave, getpid()) != 0)
            _exit(1);
        while (reads && read(slave, &byte, 1) > 0)
            ;
        pause();
        _exit(0);
    }
    assert_true(pid > 0);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* How it stands once it stands so, or after many looks. */
static enum foreground stands(int master, enum foreground wanted)
{
    enum foreground found = foreground_look(master);
    for (int i = 0; i < 2000 && found != wanted; i++) {
        usleep(1000);
        found = foreground_look(master);
    }
    return found;
}

static void who_reads_the_terminal_waits_for_input(void **state)
{
    (void)state;
    int master, slave;
    assert_int_equal(pty_open(24, 80, &master, &slave, NULL), 0);
    pid_t pid = start_on(slave, true);
    enum foreground found = stands(master, FOREGROUND_READS);
    if (found == FOREGROUND_UNKNOWN) { /* a kernel that does not tell */
        end(pid);
        skip();
    }
    assert_int_equal(found, FOREGROUND_READS);
    end(pid);
    close(master);
    close(slave);
    assert_int_equal(pty_open(24, 80, &master, &slave, NULL), 0);
    pid = start_on(slave, false);
    /* Not before it has the terminal: nobody works there then. */
    for (int i = 0; i < 2000 && tcgetpgrp(master) != pid; i++)
        usleep(1000);
    assert_int_equal(stands(master, FOREGROUND_WORKS), FOREGROUND_WORKS);
    end(pid);
    close(master);
    close(slave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_reads_the_terminal_waits_for_input),
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_end_character),
        cmocka_unit_test(test_impossible_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
