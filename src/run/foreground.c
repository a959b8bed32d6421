/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/foreground.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"
#include "base/process.h"

#ifdef __linux__

#define THREADS_MAX 8      /* of a process, that are looked at */
#define PROCESSES_MAX 1000 /* a command may have started any number: keys wait meanwhile */
#define PTS_MAJOR 136      /* and the seven after it: 256 terminals each */

struct terminal {
    pid_t group; /* that has it */
    dev_t device;
    bool raw; /* keys are read as they come: by what draws its own line */
};

static bool look_at(int master, struct terminal *terminal)
{
    unsigned number;
    struct termios modes;
    terminal->group = tcgetpgrp(master);
    if (terminal->group <= 0 || ioctl(master, TIOCGPTN, &number) != 0 ||
        tcgetattr(master, &modes) != 0)
        return false;
    terminal->device = makedev(PTS_MAJOR + number / 256, number % 256);
    terminal->raw = (modes.c_lflag & ICANON) == 0;
    return true;
}

static bool read_text(const char *path, char *text, size_t size)
{
    cleanup_fd int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file >= 0 ? read(file, text, size - 1) : -1;
    text[count > 0 ? count : 0] = '\0';
    return count > 0;
}

static bool waits_for_several(long number)
{
    static const long calls[] = {
#ifdef SYS_select
        SYS_select,
#endif
#ifdef SYS_poll
        SYS_poll,
#endif
#ifdef SYS_epoll_wait
        SYS_epoll_wait,
#endif
        SYS_pselect6,   SYS_ppoll, SYS_epoll_pwait,
    };
    for (size_t i = 0; i < COUNT(calls); i++)
        if (calls[i] == number)
            return true;
    return false;
}

/* What is open is looked at when it is a device by its name: to look at a file would wait for its
 * file system, and one that does not answer would stop the console as it has stopped the program.
 */
static bool is_terminal(const struct terminal *terminal, const char *pid, long fd)
{
    char path[64], name[sizeof "/dev/"];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%.20s/fd/%ld", pid, fd);
    ssize_t length = readlink(path, name, sizeof name - 1);
    return length == sizeof name - 1 && memcmp(name, "/dev/", sizeof name - 1) == 0 &&
           stat(path, &status) == 0 && S_ISCHR(status.st_mode) &&
           status.st_rdev == terminal->device;
}

/* "0 0x3 …": the call that it is stopped in, and the first argument; "running". */
static enum foreground look_at_thread(const struct terminal *terminal, const char *pid,
                                      const char *thread)
{
    char path[128], text[256], *rest;
    snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/syscall", pid, thread);
    if (!read_text(path, text, sizeof text))
        return FOREGROUND_UNKNOWN;
    if (!isdigit((unsigned char)text[0]))
        return FOREGROUND_WORKS;
    long number = strtol(text, &rest, 10);
    if (number != SYS_read && number != SYS_readv)
        return terminal->raw && waits_for_several(number) ? FOREGROUND_UNKNOWN : FOREGROUND_WORKS;
    return is_terminal(terminal, pid, strtol(rest, NULL, 16)) ? FOREGROUND_READS : FOREGROUND_WORKS;
}

static enum foreground look_at_process(const struct terminal *terminal, const char *pid)
{
    char path[64];
    enum foreground found = FOREGROUND_WORKS;
    snprintf(path, sizeof path, "/proc/%.20s/task", pid);
    DIR *threads = opendir(path);
    size_t count = 0;
    for (const struct dirent *entry; threads != NULL && found != FOREGROUND_READS &&
                                     count < THREADS_MAX && (entry = readdir(threads)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        enum foreground thread = look_at_thread(terminal, pid, entry->d_name);
        found = thread > found ? thread : found;
        count++;
    }
    if (threads != NULL)
        closedir(threads);
    return found;
}

enum foreground foreground_look(int master)
{
    struct terminal terminal;
    char leader[24];
    if (!look_at(master, &terminal))
        return FOREGROUND_UNKNOWN;
    snprintf(leader, sizeof leader, "%ld", (long)terminal.group);
    enum foreground found = look_at_process(&terminal, leader);
    DIR *processes = found != FOREGROUND_READS ? opendir("/proc") : NULL;
    struct process other;
    size_t count = 0;
    for (const struct dirent *entry; processes != NULL && found != FOREGROUND_READS &&
                                     count++ < PROCESSES_MAX &&
                                     (entry = readdir(processes)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0]) || strcmp(entry->d_name, leader) == 0 ||
            !process_read(atoi(entry->d_name), &other) || other.group != terminal.group)
            continue;
        enum foreground process = look_at_process(&terminal, entry->d_name);
        found = process > found ? process : found;
    }
    if (processes != NULL)
        closedir(processes);
    return found;
}

#else

enum foreground foreground_look(int master)
{
    (void)master;
    return FOREGROUND_UNKNOWN;
}

#endif
