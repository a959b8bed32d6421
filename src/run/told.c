/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/fd.h"

struct told {
    int fd;
    struct loop_io *io;
    void (*ready)(void *argument);
    void *argument;
};

static void on_readable(int fd, unsigned events, void *argument)
{
    (void)fd;
    (void)events;
    const struct told *told = argument;
    told->ready(told->argument);
}

struct told *told_new(struct loop *loop, int fd, void (*ready)(void *argument), void *argument)
{
    struct told *told = XNEW(struct told);
    *told = (struct told){.fd = fd, .ready = ready, .argument = argument};
    told->io = loop_io_new(loop, fd, on_readable, told);
    loop_io_set(told->io, LOOP_READ);
    return told;
}

void told_free(struct told **place)
{
    struct told *told = steal_pointer(place);
    if (told == NULL)
        return;
    loop_io_free(&told->io);
    fd_close(&told->fd);
    free(told);
}

/* One packet, as recv(2), and the descriptor that came with it, or -1. */
static ssize_t receive(int fd, char packet[STATUS_MESSAGE_MAX], int *descriptor)
{
    struct iovec part = {packet, STATUS_MESSAGE_MAX};
    union {
        struct cmsghdr head; /* for its alignment */
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    *descriptor = -1;
    ssize_t length = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const struct cmsghdr *rights = length > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (rights != NULL && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS &&
        rights->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(rights), sizeof *descriptor);
    return length;
}

enum told_what told_read(struct told *told, struct status_message *message, int *descriptor)
{
    char packet[STATUS_MESSAGE_MAX];
    ssize_t length;
    do
        length = receive(told->fd, packet, descriptor);
    while (length < 0 && errno == EINTR);
    if (length < 0 && errno == EAGAIN)
        return TOLD_NOTHING;
    if (length <= 0)
        return TOLD_END;
    return status_parse(packet, (size_t)length, message) < 0 ? TOLD_UNKNOWN : TOLD_MESSAGE;
}
