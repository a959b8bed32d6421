/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pty.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <cmocka.h>

#include "base/array.h"
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

#ifdef __linux__

/* ---- how much is looked at ------------------------------------------------------------------- */

#define THREADS 12
#define PROCESSES 1000

static void *rest(void *argument)
{
    (void)argument;
    while (pause() < 0) /* it never returns anything else */
        ;
    return NULL;
}

static void *read_keys(void *argument)
{
    char byte;
    while (read(*(const int *)argument, &byte, 1) > 0)
        ;
    return rest(NULL);
}

/* A program whose last thread, of so many, reads the terminal. */
static pid_t start_threads(int slave, unsigned threads)
{
    pid_t pid = fork();
    if (pid == 0) {
        pthread_t thread;
        setsid();
        if (ioctl(slave, TIOCSCTTY, 0) != 0 || tcsetpgrp(slave, getpid()) != 0)
            _exit(1);
        for (unsigned i = 1; i < threads; i++)
            if (pthread_create(&thread, NULL, i + 1 < threads ? rest : read_keys, &slave) != 0)
                _exit(1);
        rest(NULL);
    }
    assert_true(pid > 0);
    return pid;
}

/* Is a thread of it, or it, stopped in reading? What foreground_look() finds out, without bounds.
 */
static bool reads(pid_t pid)
{
    char path[64], text[64];
    bool found = false;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    for (const struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        char name[512];
        snprintf(name, sizeof(name), "%s/%s/syscall", path, entry->d_name);
        FILE *file = fopen(name, "re");
        if (file != NULL && fgets(text, sizeof(text), file) != NULL)
            found = found || (*text >= '0' && *text <= '9' && strtol(text, NULL, 10) == SYS_read);
        if (file != NULL)
            fclose(file);
    }
    if (threads != NULL)
        closedir(threads);
    return found;
}

static bool comes_to_read(pid_t pid)
{
    for (int i = 0; i < 20000 && !reads(pid); i++)
        usleep(1000);
    return reads(pid);
}

/* A program may have any number of threads: keys wait while they are looked at. */
static void of_a_process_few_threads_are_looked_at(void **state)
{
    static const struct {
        unsigned threads;
        enum foreground found;
    } rows[] = {{3, FOREGROUND_READS}, {THREADS, FOREGROUND_WORKS}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int master, slave;
        assert_int_equal(pty_open(24, 80, &master, &slave, NULL), 0);
        pid_t pid = start_threads(slave, rows[i].threads);
        bool told = comes_to_read(pid);
        enum foreground found = foreground_look(master);
        end(pid);
        close(master);
        close(slave);
        if (!told) /* a kernel that does not tell */
            skip();
        assert_int_equal(found, rows[i].found);
    }
}

/* The leader has the terminal and does not read; behind `count` others of its group one does, whose
 * number it writes to `out`. What it starts ends with it. */
static pid_t start_crowd(int slave, int out, unsigned count)
{
    pid_t pid = fork(), last = 0;
    if (pid != 0)
        return pid;
    setsid();
    if (ioctl(slave, TIOCSCTTY, 0) != 0 || tcsetpgrp(slave, getpid()) != 0)
        _exit(1);
    for (unsigned i = 0; i <= count && last >= 0; i++) {
        last = fork();
        if (last == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            (i < count ? rest : read_keys)(&slave);
        }
    }
    if (write(out, &last, sizeof(last)) != sizeof(last))
        _exit(1);
    rest(NULL);
    _exit(0);
}

/* How many processes stand in front of it where they are listed? */
static unsigned listed_before(pid_t pid)
{
    unsigned count = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (const struct dirent *entry; (entry = readdir(processes)) != NULL;)
        count += atoi(entry->d_name) > 0 && atoi(entry->d_name) < pid;
    closedir(processes);
    return count;
}

/* What it finds where `count` others stand before the one that reads; FOREGROUND_UNKNOWN where that
 * cannot be tried. */
static enum foreground look_behind(unsigned count, unsigned *before)
{
    int master, slave, pipes[2];
    pid_t last = -1;
    assert_int_equal(pty_open(24, 80, &master, &slave, NULL), 0);
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = start_crowd(slave, pipes[1], count);
    assert_true(pid > 0);
    assert_int_equal(read(pipes[0], &last, sizeof(last)), sizeof(last));
    bool told = last > 0 && comes_to_read(last);
    *before = last > 0 ? listed_before(last) : 0;
    enum foreground found = told ? foreground_look(master) : FOREGROUND_UNKNOWN;
    kill(-pid, SIGKILL);
    end(pid);
    close(pipes[0]);
    close(pipes[1]);
    close(master);
    close(slave);
    return found;
}

/* A command may have started any number of processes. */
static void of_many_processes_some_are_looked_at(void **state)
{
    unsigned before;
    (void)state;
    enum foreground few = look_behind(3, &before);
    if (few == FOREGROUND_UNKNOWN || before >= PROCESSES - 200)
        skip(); /* a kernel that does not tell, or one with many others */
    assert_int_equal(few, FOREGROUND_READS);
    enum foreground many = look_behind(PROCESSES, &before);
    if (many == FOREGROUND_UNKNOWN || before < PROCESSES)
        skip(); /* so many are not to be had, or their numbers began anew */
    assert_int_equal(many, FOREGROUND_WORKS);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_reads_the_terminal_waits_for_input),
#ifdef __linux__
        cmocka_unit_test(of_a_process_few_threads_are_looked_at),
        cmocka_unit_test(of_many_processes_some_are_looked_at),
#endif
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_end_character),
        cmocka_unit_test(test_impossible_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
