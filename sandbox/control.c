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
    ssize_t got;
    memset(message, 0, sizeof *message);
    do { /* ECONNRESET, said once: it has closed and not read all of ours; what it sent is there */
        got = recv(end, message, sizeof *message - 1, MSG_DONTWAIT);
    } while (got < 0 && errno == ECONNRESET);
    if (got < 0)
        return -errno;
    return got > 0;
}
