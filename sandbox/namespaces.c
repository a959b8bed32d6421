/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"

pid_t namespaces_fork(unsigned set)
{
    unsigned long flags = SIGCHLD;
    if (set & NAMESPACES_MOUNT)
        flags |= CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC;
    if (set & NAMESPACES_PID)
        flags |= CLONE_NEWPID;
    if (set & NAMESPACES_NETWORK)
        flags |= CLONE_NEWNET;
    long pid = syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    return pid < 0 ? (pid_t)-errno : (pid_t)pid;
}

static int write_file(const char *path, const char *text, struct error *error)
{
    cleanup_fd int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        return error_set(error, errno, "%s", path);
    return 0;
}

int namespaces_map_user(uid_t user, gid_t group, struct error *error)
{
    char map[64];
    snprintf(map, sizeof map, "%u %u 1\n", user, user);
    if (write_file("/proc/self/uid_map", map, error) < 0)
        return -1;
    snprintf(map, sizeof map, "%u %u 1\n", group, group);
    if (write_file("/proc/self/setgroups", "deny", error) < 0)
        return -1;
    return write_file("/proc/self/gid_map", map, error);
}

int namespaces_raise_loopback(struct error *error)
{
    cleanup_fd int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) < 0)
        return error_set(error, errno, "loopback interface");
    return 0;
}
