/* SPDX-License-Identifier: MIT */
/*
 * assent-connect HOST PORT: in the sandbox, the way of a program that knows no proxy but can start
 * another one to connect for it (ssh's ProxyCommand). Asks the console's proxy for the connection
 * by SOCKS5 and passes standard input and output through it.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/i18n.h"
#include "sandbox/gateway.h"

enum { NAME_MAX_BYTES = 255, PIECE = 65536, REPLY = 10 };

/* One direction; what was read is written before more is read. */
struct flow {
    int from, to;
    bool ended;
};

static int dial(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(GATEWAY_PORT),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        fd_close(&fd);
    return fd;
}

static bool read_all(int fd, unsigned char *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = read(fd, bytes + done, length - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

/* The reply's code (RFC 1928, 6), or -1. The name is not looked up here: that is decided first. */
static int ask(int fd, const char *host, unsigned port)
{
    static const unsigned char greeting[] = {5, 1, 0};
    unsigned char request[7 + NAME_MAX_BYTES] = {5, 1, 0, 3};
    unsigned char reply[REPLY];
    size_t length = strlen(host);
    request[4] = (unsigned char)length;
    memcpy(request + 5, host, length);
    request[5 + length] = (unsigned char)(port >> 8);
    request[6 + length] = (unsigned char)port;
    if (fd_write_all(fd, greeting, sizeof greeting) != 0 || !read_all(fd, reply, 2) ||
        reply[0] != 5 || reply[1] != 0 || fd_write_all(fd, request, 7 + length) != 0 ||
        !read_all(fd, reply, REPLY))
        return -1;
    return reply[1];
}

static void move(struct flow *flow)
{
    static char bytes[PIECE];
    ssize_t count = read(flow->from, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    flow->ended = count <= 0 || fd_write_all(flow->to, bytes, (size_t)count) != 0;
}

/* Until the other side has ended: who has nothing more to say still waits for the answer. */
static void pass(int fd)
{
    struct flow up = {STDIN_FILENO, fd, false}, down = {fd, STDOUT_FILENO, false};
    while (!down.ended) {
        struct pollfd ready[] = {{.fd = fd, .events = POLLIN},
                                 {.fd = up.ended ? -1 : STDIN_FILENO, .events = POLLIN}};
        if (poll(ready, 2, -1) < 0 && errno != EINTR)
            return;
        if (ready[0].revents != 0)
            move(&down);
        if (ready[1].revents == 0)
            continue;
        move(&up);
        if (up.ended)
            shutdown(fd, SHUT_WR);
    }
}

int main(int argc, char **argv)
{
    i18n_init();
    char *end = NULL;
    unsigned long port = argc == 3 ? strtoul(argv[2], &end, 10) : 0;
    if (port == 0 || port > UINT16_MAX || *end != '\0' || *argv[1] == '\0' ||
        strlen(argv[1]) > NAME_MAX_BYTES) {
        fputs(_("usage: assent-connect HOST PORT\n"), stderr);
        return EXIT_FAILURE;
    }
    signal(SIGPIPE, SIG_IGN);
    cleanup_fd int fd = dial();
    if (fd < 0) {
        fputs(_("assent: there is no proxy here: the network of this sandbox is off\n"), stderr);
        return EXIT_FAILURE;
    }
    int reply = ask(fd, argv[1], (unsigned)port);
    if (reply != 0) {
        fprintf(stderr,
                reply == 2 ? _("assent: %s:%lu was not granted\n")
                           : _("assent: %s:%lu cannot be reached\n"),
                argv[1], port);
        return EXIT_FAILURE;
    }
    pass(fd);
    return EXIT_SUCCESS;
}
