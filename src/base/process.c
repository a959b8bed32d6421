/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"

#ifndef CLOCK_BOOTTIME /* Linux only */
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#endif

/* Fields 3 state, 4 ppid, 5 pgrp, 6 session, 7 tty_nr, 22 starttime; the name in field 2 may hold
 * anything, so that the last ')' is what counts. */
bool process_read(pid_t pid, struct process *process)
{
    char path[32];
    char text[1024];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (length <= 0)
        return false;
    text[length] = '\0';
    const char *place = strrchr(text, ')');
    process->pid = pid;
    return place != NULL &&
           sscanf(place + 1,
                  " %c %d %d %d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                  &process->state, &process->parent, &process->group, &process->session,
                  &process->terminal, &process->started) == 6;
}

/* The owner of /proc/PID is root's for who may not be looked at: the line tells. */
bool process_uid(pid_t pid, uid_t *uid)
{
    char path[32], text[1024];
    unsigned number;
    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (length <= 0)
        return false;
    text[length] = '\0';
    /* The name above it is escaped: a line of its own it cannot make. */
    const char *line = strstr(text, "\nUid:");
    if (line == NULL || sscanf(line, "\nUid: %u", &number) != 1)
        return false;
    *uid = number;
    return true;
}

char *process_program(pid_t pid)
{
    char path[32], target[4096];
    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    ssize_t length = readlink(path, target, sizeof(target) - 1);
    if (length <= 0)
        return NULL;
    target[length] = '\0';
    char *gone = strstr(target, " (deleted)"); /* as after an upgrade */
    if (gone != NULL)
        *gone = '\0';
    const char *slash = strrchr(target, '/');
    return xstrdup(slash != NULL ? slash + 1 : target);
}

int64_t process_started_ms(pid_t pid)
{
    struct process process;
    struct timespec now;
    long ticks = sysconf(_SC_CLK_TCK);
    if (ticks <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) < 0 || !process_read(pid, &process))
        return -1;
    int64_t since_boot_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return clock_wall_ms(NULL) - since_boot_ms + (int64_t)(process.started * 1000) / ticks;
}
