/* SPDX-License-Identifier: MIT */
/*
 * faults: a preloaded library that lets the disk below a console's record fail.
 *
 * FAULT=KIND:NUMBER; at the NUMBERth operation on a session log or its anchor: "before", "kill" and
 * "after" kill the process before it, in the middle of it and after it; "short" lets it do half of
 * its work and say so; "nospace" and "io" let it and all that follow fail. FAULT_MARK names a file
 * that is made when that operation was reached.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t write(int fd, const void *bytes, size_t length);

static int operations;

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), part = strlen(end);
    return length >= part && strcmp(text + length - part, end) == 0;
}

static bool is_record(int fd)
{
    char place[32], path[4096];
    snprintf(place, sizeof(place), "/proc/self/fd/%d", fd);
    ssize_t length = readlink(place, path, sizeof(path) - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return ends_in(path, ".jsonl") || ends_in(path, ".head");
}

static void leave_mark(void)
{
    const char *mark = getenv("FAULT_MARK");
    int fd = mark != NULL ? open(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
    if (fd >= 0)
        close(fd);
}

/* The first letter of the kind when this operation fails, else 0. */
static char fault_of(int fd)
{
    const char *fault = getenv("FAULT");
    const char *number = fault != NULL ? strchr(fault, ':') : NULL;
    if (number == NULL || !is_record(fd))
        return 0;
    int operation = __atomic_add_fetch(&operations, 1, __ATOMIC_SEQ_CST);
    int first = atoi(number + 1);
    bool lasts = fault[0] == 'n' || fault[0] == 'i';
    if (operation == first)
        leave_mark();
    if (operation == first && fault[0] == 'b')
        kill(getpid(), SIGKILL);
    return operation == first || (lasts && operation > first) ? fault[0] : 0;
}

static ssize_t spoiled(int fd, const void *bytes, size_t length, off_t offset, bool positioned)
{
    char fault = fault_of(fd);
    size_t part = fault == 'k' || fault == 's' ? length / 2 : length;
    if (fault == 'n' || fault == 'i') {
        errno = fault == 'n' ? ENOSPC : EIO;
        return -1;
    }
    ssize_t result = positioned ? syscall(SYS_pwrite64, fd, bytes, part, offset)
                                : syscall(SYS_write, fd, bytes, part);
    if (fault == 'k' || fault == 'a')
        kill(getpid(), SIGKILL);
    return result;
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    return spoiled(fd, bytes, length, 0, false);
}

#ifdef __GLIBC__ /* elsewhere it is a name for pwrite() */
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset)
{
    return spoiled(fd, bytes, length, offset, true);
}
#endif

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    return spoiled(fd, bytes, length, offset, true);
}

int fdatasync(int fd)
{
    char fault = fault_of(fd);
    if (fault == 'k' || fault == 'a')
        kill(getpid(), SIGKILL);
    if (fault == 'i') {
        errno = EIO;
        return -1;
    }
    /* Processes are killed here, not machines: what was written stays, and disks are slow. */
    return 0;
}

int fsync(int fd)
{
    (void)fd;
    return 0;
}
