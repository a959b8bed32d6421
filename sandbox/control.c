/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/control.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int control_open(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0 ? -errno : 0;
}

void control_send(int end, enum control_kind kind, int number, const char *text)
{
    struct control_message message = {.kind = kind, .number = number};
    snprintf(message.text, sizeof message.text, "%s", text);
    send(end, &message, offsetof(struct control_message, text) + strlen(message.text) + 1,
         MSG_NOSIGNAL | MSG_DONTWAIT);
}

int control_receive(int end, struct control_message *message)
{
    memset(message, 0, sizeof *message);
    ssize_t got = recv(end, message, sizeof *message - 1, MSG_DONTWAIT);
    if (got < 0)
        return -errno;
    return got > 0;
}
