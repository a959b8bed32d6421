/* SPDX-License-Identifier: MIT */
/*
 * The proxy beside tinyproxy (where it is installed) in one run, over loopback: how fast a large
 * download is, how much a request takes longer than without a proxy, a thousand connections at a
 * time, and what is left in memory and descriptors after many.
 *
 *   bench_proxy [-c COUNT] [-r ROUNDS]   COUNT connections for the last (default 10000)
 *
 * All ways are measured in turn in each round, and what counts is the median of the rounds
 * (default 7): what else the machine does is fair to all. Fails when connections leak, when
 * downloads are slower than 0.9 times tinyproxy's, or when a request takes more than 1 ms longer.
 */
#include "config.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "network/proxy.h"

enum { PIECE = 256 * 1024, CROWD = 1000, REQUESTS = 300, ROUNDS_MAX = 99 };
#define DOWNLOAD ((size_t)512 << 20)

extern char **environ;

static void die(const char *what)
{
    fprintf(stderr, "bench_proxy: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int listen_anywhere(unsigned *port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof in;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&in, size) != 0 || listen(fd, 4096) != 0 ||
        getsockname(fd, (struct sockaddr *)&in, &size) != 0)
        die("listening");
    *port = ntohs(in.sin_port);
    return fd;
}

static int dial(unsigned port)
{
    struct sockaddr_in in = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&in, sizeof in) != 0)
        die("connecting");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* ---- the server: 'p' is answered with 'p', 'd' with the download ------------------------------
 */

static void send_download(int fd)
{
    static char piece[PIECE];
    memset(piece, 'x', sizeof piece);
    fd_set_nonblock(fd, false);
    for (size_t sent = 0; sent < DOWNLOAD;) {
        ssize_t count = send(fd, piece, sizeof piece, MSG_NOSIGNAL);
        if (count <= 0)
            break;
        sent += (size_t)count;
    }
    close(fd);
}

static void serve_one(int fd)
{
    char byte;
    ssize_t count = recv(fd, &byte, 1, 0);
    if (count == 1 && byte == 'd')
        send_download(fd);
    else if (count == 1 && send(fd, "p", 1, MSG_NOSIGNAL) == 1)
        return;
    else
        close(fd);
}

static void serve(int listener)
{
    int loop = epoll_create1(EPOLL_CLOEXEC), on = 1;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        if (epoll_wait(loop, &event, 1, -1) != 1)
            continue;
        if (event.data.fd != listener) {
            serve_one(event.data.fd);
            continue;
        }
        event = (struct epoll_event){.events = EPOLLIN, .data.fd = accept(listener, NULL, NULL)};
        setsockopt(event.data.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        epoll_ctl(loop, EPOLL_CTL_ADD, event.data.fd, &event);
    }
}

/* ---- the proxies ------------------------------------------------------------------------------
 */

static enum proxy_verdict on_ask(void *argument, struct passage *connection,
                                 const struct proxy_question *question, char **message)
{
    (void)argument, (void)connection, (void)question, (void)message;
    return PROXY_ALLOW;
}

static void on_withdrawn(void *argument, struct passage *connection)
{
    (void)argument, (void)connection;
}

static void run_ours(int listener)
{
    static const struct proxy_events events = {on_ask, on_withdrawn, NULL};
    struct loop *loop = loop_new(NULL);
    fd_set_nonblock(listener, true);
    const struct proxy_setup setup = {.loop = loop,
                                      .resolver = resolver_new(loop, NULL),
                                      .listener = listener,
                                      .events = &events};
    proxy_new(&setup);
    loop_run(loop);
}

static pid_t fork_child(void (*run)(int), int listener)
{
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run(listener);
        _exit(0);
    }
    close(listener);
    return pid;
}

/* tinyproxy on a port that was free a moment ago; 0 when it is not installed. */
static pid_t start_tinyproxy(unsigned *port)
{
    char path[] = "/tmp/bench_proxy.XXXXXX";
    const char *argv[] = {"tinyproxy", "-d", "-c", path, NULL};
    pid_t pid = 0;
    close(listen_anywhere(port));
    int fd = mkstemp(path);
    dprintf(fd,
            "Port %u\nListen 127.0.0.1\nAllow 127.0.0.1\nMaxClients 2000\nTimeout 600\n"
            "LogLevel Critical\n",
            *port);
    close(fd);
    if (posix_spawnp(&pid, argv[0], NULL, NULL, (char **)argv, environ) != 0)
        pid = 0;
    for (int i = 0; pid > 0 && i < 200; i++) {
        struct sockaddr_in in = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)*port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        bool up = connect(probe, (struct sockaddr *)&in, sizeof in) == 0;
        close(probe);
        if (up)
            break;
        poll(NULL, 0, 25);
    }
    unlink(path);
    return pid;
}

/* ---- measuring --------------------------------------------------------------------------------
 */

/* A tunnel to the server, or the server itself when there is no proxy. */
static int open_way(unsigned proxy, unsigned server)
{
    char text[512] = "";
    size_t length = 0;
    int fd = dial(proxy != 0 ? proxy : server);
    if (proxy == 0)
        return fd;
    dprintf(fd, "CONNECT 127.0.0.1:%u HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", server, server);
    while (strstr(text, "\r\n\r\n") == NULL) {
        ssize_t count = recv(fd, text + length, 1, 0);
        if (count != 1 || ++length == sizeof text - 1)
            die("the proxy's answer");
    }
    if (strstr(text, " 200 ") == NULL)
        die(text);
    return fd;
}

static void ping(int fd)
{
    char byte;
    if (send(fd, "p", 1, MSG_NOSIGNAL) != 1 || recv(fd, &byte, 1, 0) != 1)
        die("a request");
}

static double download_mib(unsigned proxy, unsigned server)
{
    static char piece[PIECE];
    int fd = open_way(proxy, server);
    size_t got = 0;
    double start = now_ms();
    if (send(fd, "d", 1, MSG_NOSIGNAL) != 1)
        die("asking for the download");
    for (ssize_t count; (count = recv(fd, piece, sizeof piece, 0)) > 0;)
        got += (size_t)count;
    double speed = (double)(got >> 20) / (now_ms() - start) * 1e3;
    close(fd);
    if (got < DOWNLOAD)
        die("the download broke off");
    return speed;
}

static double request_ms(unsigned proxy, unsigned server)
{
    double start = now_ms();
    for (int i = 0; i < REQUESTS; i++) {
        int fd = open_way(proxy, server);
        ping(fd);
        close(fd);
    }
    return (now_ms() - start) / REQUESTS;
}

static double crowd_ms(unsigned proxy, unsigned server)
{
    static int fds[CROWD];
    double start = now_ms();
    for (int i = 0; i < CROWD; i++)
        fds[i] = open_way(proxy, server);
    for (int i = 0; i < CROWD; i++)
        ping(fds[i]);
    for (int i = 0; i < CROWD; i++)
        close(fds[i]);
    return now_ms() - start;
}

static size_t descriptors(pid_t pid)
{
    char path[64];
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *directory = opendir(path);
    while (directory != NULL && readdir(directory) != NULL)
        count++;
    if (directory != NULL)
        closedir(directory);
    return count;
}

static long resident_kib(pid_t pid)
{
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kib;
}

/* After the first tenth memory has its size: what comes on top is lost. */
static bool leaks(pid_t pid, unsigned proxy, unsigned server, long count)
{
    long kib = 0;
    size_t open = 0;
    for (long i = 0; i < count; i++) {
        if (i == count / 10) {
            kib = resident_kib(pid);
            open = descriptors(pid);
        }
        int fd = open_way(proxy, server);
        if (i % 3 != 0)
            ping(fd);
        close(fd);
    }
    for (int i = 0; i < 200 && descriptors(pid) > open; i++)
        poll(NULL, 0, 50); /* until the last ones are closed */
    long grown = resident_kib(pid) - kib;
    printf("%ld connections: %ld KiB more, %ld descriptors more\n", count, grown,
           (long)descriptors(pid) - (long)open);
    return grown > 1024 || descriptors(pid) > open;
}

struct way {
    const char *name;
    unsigned proxy; /* its port; 0: none */
    pid_t pid;
    double speed[ROUNDS_MAX], each[ROUNDS_MAX], crowd[ROUNDS_MAX], cpu[ROUNDS_MAX];
};

/* Time of the processor that a process has used. */
static double cpu_ms(pid_t pid)
{
    clockid_t clock;
    struct timespec time = {0};
    if (pid > 0 && clock_getcpuclockid(pid, &clock) == 0)
        clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, int count)
{
    double sorted[ROUNDS_MAX];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* The median of what one way is, round by round, beside another. */
static double ratio(const double *values, const double *others, int count)
{
    double each[ROUNDS_MAX];
    for (int i = 0; i < count; i++)
        each[i] = values[i] / others[i];
    return median(each, count);
}

static void measure(struct way *ways, size_t count, unsigned server, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++) {
            struct way *way = &ways[i];
            double before = cpu_ms(way->pid);
            way->speed[round] = download_mib(way->proxy, server);
            way->cpu[round] = cpu_ms(way->pid) - before;
            way->each[round] = request_ms(way->proxy, server);
            way->crowd[round] = crowd_ms(way->proxy, server);
        }
    for (size_t i = 0; i < count; i++) {
        const struct way *way = &ways[i];
        double each = median(way->each, rounds);
        printf("%-10s %6.0f MiB/s (%4.0f ms of CPU a GiB), %.3f ms a request (%+.3f ms), "
               "%d at a time in %.0f ms\n",
               way->name, median(way->speed, rounds),
               median(way->cpu, rounds) * (double)(1 << 30) / DOWNLOAD, each,
               each - median(ways[0].each, rounds), CROWD, median(way->crowd, rounds));
    }
}

static bool is_slow(const struct way *ways, size_t count, int rounds)
{
    double added = median(ways[1].each, rounds) - median(ways[0].each, rounds);
    double speed = count > 2 ? ratio(ways[1].speed, ways[2].speed, rounds) : 1;
    if (count > 2)
        printf("downloads: %.2f times tinyproxy's (median of %d rounds)\n", speed, rounds);
    return speed < 0.9 || added > 1;
}

/* The number behind an option, or what it is without. */
static long number_of(int argc, char **argv, const char *option, long without)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], option) == 0)
            return atol(argv[i + 1]);
    return without;
}

int main(int argc, char **argv)
{
    long count = number_of(argc, argv, "-c", 10000), rounds = number_of(argc, argv, "-r", 7);
    struct rlimit limit;
    unsigned server, ours, other;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    setvbuf(stdout, NULL, _IOLBF, 0);
    int listener = listen_anywhere(&server), front = listen_anywhere(&ours);
    pid_t server_pid = fork_child(serve, listener), pid = fork_child(run_ours, front);
    pid_t tiny = start_tinyproxy(&other);
    static struct way ways[] = {{.name = "direct"}, {.name = "assent"}, {.name = "tinyproxy"}};
    size_t known = tiny > 0 ? 3 : 2;
    ways[1].proxy = ours;
    ways[1].pid = pid;
    ways[2].proxy = other;
    ways[2].pid = tiny;
    measure(ways, known, server, (int)rounds);
    bool slow = is_slow(ways, known, (int)rounds);
    bool leaked = leaks(pid, ours, server, count);
    kill(server_pid, SIGKILL);
    kill(pid, SIGKILL);
    if (tiny > 0)
        kill(tiny, SIGTERM);
    while (wait(NULL) > 0)
        continue;
    return leaked || slow;
}
