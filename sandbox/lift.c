/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/lift.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

/* Neither of the first two means anything for an owner's directory on Linux. */
#define LIFTED (S_ISUID | S_ISVTX | S_IWUSR)

/* Others may take the permission back, a command that wants nothing to start too. Where it was
 * there all the time something else refuses (a security module, a list of rights); but two others
 * who take turns look the same. */
enum { TRIES = 100, UNEXPLAINED = 5 };

bool lift_is_on(const struct stat *status)
{
    return S_ISDIR(status->st_mode) && (status->st_mode & LIFTED) == LIFTED;
}

/* The mode that it has when nobody lifts it. */
static mode_t mode_at_rest(const struct stat *status)
{
    return status->st_mode & (lift_is_on(status) ? 07777u & ~LIFTED : 07777u);
}

/* From what is not a member's, a change of the mode takes away S_ISGID. */
static bool is_member(gid_t group)
{
    int count = getgroups(0, NULL);
    cleanup_free gid_t *groups = xcalloc(count > 0 ? (size_t)count : 1, sizeof *groups);
    bool found = group == getegid();
    count = getgroups(count, groups);
    for (int i = 0; !found && i < count; i++)
        found = groups[i] == group;
    return found;
}

/* A mark that was a part of its mode before could not be told from ours. */
static bool is_marked(const struct stat *status)
{
    return !lift_is_on(status) && (status->st_mode & (S_ISUID | S_ISVTX));
}

static bool may_change(const struct stat *status)
{
    return status->st_uid == geteuid() && !is_marked(status) &&
           (!(status->st_mode & S_ISGID) || is_member(status->st_gid));
}

/* What has been looked at is what is changed, whatever has its name by now. */
static int open_directory(const char *path, struct stat *status)
{
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                           .resolve = RESOLVE_NO_SYMLINKS};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (fd >= 0 && (fstat(fd, status) < 0 || !may_change(status)))
        fd_close(&fd);
    return fd;
}

/* fchmod() takes no descriptor that was opened without the right to read. */
static bool change(int fd, mode_t mode)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return chmod(link, mode) == 0;
}

static bool is_taken_back(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && !lift_is_on(&status);
}

int lift_for(const char *directory, int (*act)(void *argument), void *argument)
{
    int result = act(argument);
    for (int i = 0, unexplained = 0; result == -EACCES && i < TRIES && unexplained < UNEXPLAINED;
         i++) {
        struct stat status;
        cleanup_fd int fd = open_directory(directory, &status);
        if (fd < 0 || !change(fd, mode_at_rest(&status) | LIFTED | S_IXUSR))
            break;
        result = act(argument);
        unexplained += !is_taken_back(fd);
        change(fd, mode_at_rest(&status));
    }
    return result;
}

void lift_undo(const char *directory)
{
    struct stat status;
    cleanup_fd int fd = open_directory(directory, &status);
    if (fd >= 0 && lift_is_on(&status))
        change(fd, mode_at_rest(&status));
}
