/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/alloc.h"

/* For everything else that the monitor opens. */
enum { RESERVED = 128 };

static int open_signal(void)
{
    sigset_t changes;
    sigemptyset(&changes);
    sigaddset(&changes, SIGIO);
    return signalfd(-1, &changes, SFD_CLOEXEC | SFD_NONBLOCK);
}

static size_t descriptors_left(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur <= RESERVED)
        return 0;
    return (size_t)limit.rlim_cur - RESERVED;
}

void notice_open(struct notice *notice, size_t expected)
{
    *notice = (struct notice){.fd = -1, .left = descriptors_left()};
    notice->many = expected > notice->left;
    if (notice->many)
        notice->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (notice->fd < 0) { /* those of them that can be watched, then */
        notice->many = false;
        notice->fd = open_signal();
    }
}

static int watch_many(const struct notice *notice, const char *directory)
{
    return inotify_add_watch(notice->fd, directory[0] ? directory : "/",
                             IN_CREATE | IN_DELETE | IN_MOVE | IN_ONLYDIR);
}

static int watch_few(struct notice *notice, const char *directory)
{
    if (notice->left == 0)
        return -1;
    int fd = open(directory[0] ? directory : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    notice->left--;
    return fcntl(fd, F_NOTIFY, DN_CREATE | DN_DELETE | DN_RENAME | DN_MULTISHOT);
}

void notice_add(struct notice *notice, const char *directory)
{
    cleanup_free char *path = xstrdup(directory);
    while (notice->fd >= 0 && strset_add(&notice->known, path, strlen(path))) {
        errno = 0;
        int result = notice->many ? watch_many(notice, path) : watch_few(notice, path);
        char *slash = strrchr(path, '/');
        if (result >= 0 || errno != ENOENT || !slash || slash == path)
            return;
        *slash = '\0';
    }
}

void notice_take(const struct notice *notice)
{
    char events[4096] __attribute__((aligned(__alignof__(struct signalfd_siginfo))));
    while (read(notice->fd, events, sizeof events) > 0)
        continue;
}
