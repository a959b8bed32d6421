/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/pair.h"

#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* The descriptor's number in the caller, or -errno. */
static int hand_over(int announced, const struct seccomp_notif *call, int fd)
{
    struct seccomp_notif_addfd addition = {
        .id = call->id,
        .srcfd = (uint32_t)fd,
        .newfd_flags = (uint32_t)call->data.args[1] & SOCK_CLOEXEC,
    };
    int number = ioctl(announced, SECCOMP_IOCTL_NOTIF_ADDFD, &addition);
    return number < 0 ? -errno : number;
}

/* As socketpair(2) stores them. */
static int store(int announced, const struct seccomp_notif *call, const int numbers[2])
{
    struct iovec local = {.iov_base = (void *)numbers, .iov_len = 2 * sizeof numbers[0]};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)call->data.args[3],
                           .iov_len = local.iov_len};
    if (ioctl(announced, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->id) < 0)
        return -EINTR; /* the number may be another process's by now */
    ssize_t put = process_vm_writev((pid_t)call->pid, &local, 1, &remote, 1, 0);
    return put == (ssize_t)local.iov_len ? 0 : -EFAULT;
}

int pair_make(int announced, const struct seccomp_notif *call)
{
    int ends[2], numbers[2];
    int type = (int)call->data.args[1], protocol = (int)call->data.args[2];
    if (protocol != 0 && protocol != AF_UNIX)
        return -EPROTONOSUPPORT;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | (type & SOCK_NONBLOCK), 0, ends) < 0)
        return -errno;
    int result = 0;
    for (int i = 0; i < 2 && result >= 0; i++)
        result = numbers[i] = hand_over(announced, call, ends[i]);
    close(ends[0]);
    close(ends[1]);
    return result < 0 ? result : store(announced, call, numbers);
}
