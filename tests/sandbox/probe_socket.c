/* SPDX-License-Identifier: MIT */
/* probe_socket: sockets. */
#include "config.h"

#include "probe.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static socklen_t unix_address(struct sockaddr_un *address, const char *path)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t length = strlen(path);
    memcpy(address->sun_path, path, length < sizeof address->sun_path ? length : 0);
    if (path[0] == '@') /* abstract */
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] != '@'));
}

static int type_of(const char *name)
{
    return strcmp(name, "dgram") == 0       ? SOCK_DGRAM
           : strcmp(name, "seqpacket") == 0 ? SOCK_SEQPACKET
                                            : SOCK_STREAM;
}

/* Bytes of a peer count: a connection alone could be a trap. */
static int greeted(int fd)
{
    char byte;
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    return poll(&poller, 1, 5000) == 1 && read(fd, &byte, 1) == 1 ? 0 : -1;
}

static int do_connect_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int type = type_of(a[1] ?: "stream");
    int fd = socket(AF_UNIX, type, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, length) < 0)
        return -1;
    return type == SOCK_DGRAM ? (int)send(fd, "x", 1, 0) : greeted(fd);
}

static int do_send_unix(char **a) /* without a connection */
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    return fd < 0 ? -1 : (int)sendto(fd, "x", 1, 0, (struct sockaddr *)&address, length);
}

static int do_sendmsg_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int pair[2];
    char byte = 'x';
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
        return -1;
    return (int)sendmsg(pair[0], &message, 0);
}

/* Listens, says so by making the file a[1], greets whoever comes, notes it in a[2]. */
static int serve(int fd, char **a)
{
    close(open(a[1], O_CREAT | O_WRONLY, 0666));
    for (;;) {
        char byte;
        int peer = accept(fd, NULL, NULL);
        if (peer < 0 && recv(fd, &byte, 1, 0) < 0) /* a datagram socket */
            return -1;
        close(open(a[2], O_CREAT | O_WRONLY, 0666)); /* before the peer can know and end */
        if (peer >= 0) {
            send(peer, "hello", 5, MSG_NOSIGNAL);
            close(peer);
        }
    }
}

static int do_serve_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, type_of(a[3] ?: "stream"), 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) < 0)
        return -1;
    if (a[0][0] != '@')
        chmod(a[0], 0777);
    listen(fd, 16);
    return serve(fd, a);
}

static int do_serve_tcp(char **a)
{
    int one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)probe_number(a[0])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 16) < 0)
        return -1;
    return serve(fd, a);
}

static int do_serve_udp(char **a)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)probe_number(a[0])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
        return -1;
    return serve(fd, a);
}

static struct sockaddr_in inet_address(char **a)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)probe_number(a[1]))};
    inet_pton(AF_INET, a[0], &address.sin_addr);
    return address;
}

static int do_connect_tcp(char **a)
{
    struct sockaddr_in address = inet_address(a);
    int fd = socket(AF_INET, SOCK_STREAM, probe_number(a[2] ?: "0"));
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
        return -1;
    return greeted(fd);
}

static int do_fastopen(char **a)
{
    struct sockaddr_in address = inet_address(a);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address) < 0)
        return -1;
    return greeted(fd);
}

static int do_send_udp(char **a)
{
    struct sockaddr_in address = inet_address(a);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return fd < 0 ? -1 : (int)sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
}

static int do_socket(char **a)
{
    return socket(probe_number(a[0]), probe_number(a[1]), probe_number(a[2]));
}

static int do_socket_high(char **a) /* the kernel looks at 32 bits of the family */
{
    return (int)syscall(SYS_socket, (1UL << 32) | (unsigned long)probe_number(a[0]),
                        (unsigned long)probe_number(a[1]), 0UL);
}

static int do_socketpair(char **a)
{
    int pair[2];
    return socketpair(AF_UNIX, type_of(a[0]), 0, pair);
}

static int do_own_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int server = socket(AF_UNIX, type_of(a[1] ?: "stream"), 0);
    int client = socket(AF_UNIX, type_of(a[1] ?: "stream"), 0);
    if (bind(server, (struct sockaddr *)&address, length) < 0 || listen(server, 1) < 0 ||
        connect(client, (struct sockaddr *)&address, length) < 0)
        return -1;
    int peer = accept(server, NULL, NULL);
    return peer < 0 || send(peer, "x", 1, 0) < 0 ? -1 : greeted(client);
}

static int do_own_tcp(char **a)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    (void)a;
    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&address, length) < 0 ||
        listen(server, 1) < 0 || getsockname(server, (struct sockaddr *)&address, &length) < 0 ||
        connect(client, (struct sockaddr *)&address, length) < 0)
        return -1;
    int peer = accept(server, NULL, NULL);
    return peer < 0 || send(peer, "x", 1, 0) < 0 ? -1 : greeted(client);
}

/* Two threads of one process: a connect() whose address changes under the one who checks it. */
static int do_race_connect(char **a)
{
    static struct sockaddr_un harmless, wanted;
    static struct sockaddr_un *volatile shared;
    struct sockaddr_un *place =
        mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    socklen_t length = unix_address(&wanted, a[1]);
    unix_address(&harmless, a[0]);
    shared = place;
    pid_t changer = fork();
    if (changer == 0)
        for (;;) {
            *shared = harmless;
            *shared = wanted;
        }
    int result = -1;
    time_t end = time(NULL) + 2;
    while (result < 0 && time(NULL) < end) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        char text[6] = "";
        if (connect(fd, (struct sockaddr *)place, length) == 0 &&
            recv(fd, text, 5, MSG_WAITALL) == 5)
            result = 0;
        close(fd);
    }
    kill(changer, SIGKILL);
    return result;
}

const struct operation PROBE_SOCKET[] = {
    {"connect-unix", do_connect_unix, 1}, {"send-unix", do_send_unix, 1},
    {"sendmsg-unix", do_sendmsg_unix, 1}, {"serve-unix", do_serve_unix, 3},
    {"serve-tcp", do_serve_tcp, 3},       {"serve-udp", do_serve_udp, 3},
    {"connect-tcp", do_connect_tcp, 2},   {"fastopen", do_fastopen, 2},
    {"send-udp", do_send_udp, 2},         {"socket", do_socket, 3},
    {"socket-high", do_socket_high, 2},   {"socketpair", do_socketpair, 1},
    {"own-unix", do_own_unix, 1},         {"own-tcp", do_own_tcp, 0},
    {"race-connect", do_race_connect, 2}, {NULL, NULL, 0},
};
