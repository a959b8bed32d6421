/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/mediate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/i18n.h"
#include "sandbox/pair.h"

/* Newer than some C libraries' headers. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
enum { SYNCHRONOUS_WAKE_UP = 1, PIDFD_OF_THREAD = O_EXCL };

struct call {
    struct seccomp_notif notification;
    union {
        struct sockaddr any;
        struct sockaddr_un path;
        struct sockaddr_in inet;
        struct sockaddr_in6 inet6;
        char bytes[sizeof(struct sockaddr_storage)];
    } address;
    socklen_t length;
    int socket; /* the caller's, a duplicate */
};

void mediate_open(struct mediate *mediate)
{
    /* Faster where the kernel knows it (6.6); the same without. */
    ioctl(mediate->announced, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNCHRONOUS_WAKE_UP);
    mediate->listener.diagnosis = -1;
}

/* ---- what was asked --------------------------------------------------------------------- */

static bool still_waiting(const struct mediate *mediate, const struct call *call)
{
    return ioctl(mediate->announced, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->notification.id) == 0;
}

static int copy_address(struct call *call)
{
    uint64_t length = call->notification.data.args[2];
    if ((int)length < 0 || (uint32_t)length > sizeof call->address)
        return -EINVAL;
    call->length = (socklen_t)length;
    struct iovec local = {.iov_base = call->address.bytes, .iov_len = call->length};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)call->notification.data.args[1],
                           .iov_len = call->length};
    if (call->length == 0)
        return -EINVAL;
    ssize_t got = process_vm_readv((pid_t)call->notification.pid, &local, 1, &remote, 1, 0);
    return got == (ssize_t)call->length ? 0 : -EFAULT;
}

/* The process of a thread, for kernels whose pidfd_open() takes no threads. */
static pid_t process_of(pid_t thread)
{
    char path[64], text[2048];
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    text[got > 0 ? got : 0] = '\0';
    const char *line = strstr(text, "\nTgid:");
    return line ? atoi(line + strlen("\nTgid:")) : thread;
}

static int open_process(pid_t process, unsigned flags)
{
    return (int)syscall(SYS_pidfd_open, process, flags);
}

static int duplicate_socket(const struct call *call)
{
    pid_t thread = (pid_t)call->notification.pid;
    cleanup_fd int process = open_process(thread, PIDFD_OF_THREAD);
    if (process < 0)
        process = open_process(process_of(thread), 0);
    if (process < 0)
        return -errno;
    int fd = (int)syscall(SYS_pidfd_getfd, process, call->notification.data.args[0], 0);
    return fd < 0 ? -errno : fd;
}

/* ---- where it leads --------------------------------------------------------------------- */

/* /proc/self is the caller's, not ours. Returns a path to open relative to the caller. */
static void name_for_us(const struct call *call, char *path, size_t size)
{
    static const char *const SELF[] = {"/proc/self/", "/proc/thread-self/"};
    size_t length = call->length - offsetof(struct sockaddr_un, sun_path);
    char given[sizeof call->address];
    memcpy(given, call->address.path.sun_path, length);
    given[length] = '\0';
    for (size_t i = 0; i < 2; i++)
        if (strncmp(given, SELF[i], strlen(SELF[i])) == 0) {
            snprintf(path, size, "/proc/%u/%s", call->notification.pid, given + strlen(SELF[i]));
            return;
        }
    snprintf(path, size, "%s", given);
}

/* The socket file that a path names for the caller (O_PATH), or -errno. */
static int open_target(const struct call *call, const char *path)
{
    char directory[64];
    snprintf(directory, sizeof directory, "/proc/%u/cwd", call->notification.pid);
    cleanup_fd int base = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (base < 0)
        return -errno;
    int fd = openat(base, path, O_PATH | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static bool is_allowed(const struct mediate *mediate, const struct stat *target)
{
    struct stat status;
    for (const char *const *path = mediate->allowed; path && *path; path++)
        if (stat(*path, &status) == 0 && status.st_dev == target->st_dev &&
            status.st_ino == target->st_ino)
            return true;
    return false;
}

/* Libraries look for these of their own accord and do without: nobody was denied anything. */
static bool is_optional(const char *path)
{
    static const char *const PLACES[] = {"/run/nscd/",
                                         "/run/systemd/userdb/",
                                         "/run/nslcd/",
                                         "/run/systemd/journal/",
                                         "/run/systemd/resolve/",
                                         "/lib/sss/pipes/"};
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        if (strstr(path, PLACES[i]))
            return true;
    return false;
}

static void report_refused(struct mediate *mediate, const char *operation, const char *target)
{
    if (!is_optional(target) && mediate->reported++ < MEDIATE_REPORTS_MAX)
        report_denied(mediate->report, operation, target);
}

/* ---- doing it --------------------------------------------------------------------------- */

static void respond(const struct mediate *mediate, const struct call *call, int result)
{
    struct seccomp_notif_resp response = {.id = call->notification.id,
                                          .error = result < 0 ? result : 0};
    ioctl(mediate->announced, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void be_interrupted(int number)
{
    (void)number;
}

/* A signal ends the caller's call. What went on waiting for each such call would be as many
 * processes as the command likes: so each looks from time to time whether anybody waits. */
static void look_regularly(void)
{
    const struct timeval interval = {.tv_usec = 50000};
    const struct sigaction action = {.sa_handler = be_interrupted};
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    sigprocmask(SIG_UNBLOCK, &alarm, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){interval, interval}, NULL);
}

static int wait_for_room(const struct mediate *mediate, const struct call *call,
                         const struct sockaddr *address, socklen_t length)
{
    int result;
    do
        result = connect(call->socket, address, length) < 0 ? -errno : 0;
    while (result == -EINTR && still_waiting(mediate, call));
    return result;
}

static int wait_for_peer(const struct mediate *mediate, const struct call *call)
{
    struct pollfd socket = {.fd = call->socket, .events = POLLOUT};
    int result = 0;
    socklen_t size = sizeof result;
    while (poll(&socket, 1, -1) < 0 && errno == EINTR && still_waiting(mediate, call))
        continue;
    return getsockopt(call->socket, SOL_SOCKET, SO_ERROR, &result, &size) < 0 ? -errno : -result;
}

/* Waits in a process of its own, so that nobody else waits with it. */
static void respond_later(const struct mediate *mediate, const struct call *call,
                          const struct sockaddr *address, socklen_t length, int flags)
{
    pid_t worker = fork();
    if (worker > 0)
        return;
    if (worker < 0) {
        respond(mediate, call, -errno);
        return;
    }
    look_regularly();
    fcntl(call->socket, F_SETFL, flags);
    int result = address->sa_family == AF_UNIX ? wait_for_room(mediate, call, address, length)
                                               : wait_for_peer(mediate, call);
    respond(mediate, call, result);
    _exit(0);
}

/* Connects without waiting; what would wait is left to a worker. 1 when that will respond. */
static int connect_now(const struct mediate *mediate, const struct call *call,
                       const struct sockaddr *address, socklen_t length)
{
    int flags = fcntl(call->socket, F_GETFL);
    bool blocking = flags >= 0 && !(flags & O_NONBLOCK);
    if (blocking)
        fcntl(call->socket, F_SETFL, flags | O_NONBLOCK);
    int result = connect(call->socket, address, length) < 0 ? -errno : 0;
    if (!blocking)
        return result;
    if (result == -EINPROGRESS || (result == -EAGAIN && address->sa_family == AF_UNIX)) {
        respond_later(mediate, call, address, length, flags);
        return 1;
    }
    fcntl(call->socket, F_SETFL, flags);
    return result;
}

static int connect_path(struct mediate *mediate, const struct call *call)
{
    char path[PATH_MAX];
    struct stat target;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    name_for_us(call, path, sizeof path);
    cleanup_fd int fd = open_target(call, path);
    if (fd < 0)
        return fd;
    if (fstat(fd, &target) < 0)
        return -errno;
    if (!S_ISSOCK(target.st_mode))
        return -ECONNREFUSED;
    if (!is_allowed(mediate, &target) && !listener_inside_at(&mediate->listener, &target)) {
        report_refused(mediate, N_("connect"), path);
        return -EACCES;
    }
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", fd);
    return connect_now(mediate, call, (const struct sockaddr *)&address, sizeof address);
}

/* Names without a file belong to a network namespace; without one of its own, to everybody. */
static int connect_abstract(struct mediate *mediate, const struct call *call)
{
    const char *name = call->address.path.sun_path;
    size_t length = call->length - offsetof(struct sockaddr_un, sun_path);
    if (!listener_inside_named(&mediate->listener, name, length)) {
        report_refused(mediate, N_("connect"), "an abstract socket");
        return -EPERM;
    }
    return connect_now(mediate, call, &call->address.any, call->length);
}

static void report_unreachable(struct mediate *mediate, const struct call *call)
{
    char host[INET6_ADDRSTRLEN] = "", target[INET6_ADDRSTRLEN + 16];
    bool six = call->address.any.sa_family == AF_INET6;
    const void *address = six ? (const void *)&call->address.inet6.sin6_addr
                              : (const void *)&call->address.inet.sin_addr;
    in_port_t port = six ? call->address.inet6.sin6_port : call->address.inet.sin_port;
    inet_ntop(six ? AF_INET6 : AF_INET, address, host, sizeof host);
    snprintf(target, sizeof target, six ? "[%s]:%u" : "%s:%u", host, ntohs(port));
    report_refused(mediate, "network", target);
    mediate->network_reported = true;
}

static int connect_inet(struct mediate *mediate, const struct call *call)
{
    int result = connect_now(mediate, call, &call->address.any, call->length);
    bool inet = call->address.any.sa_family == AF_INET || call->address.any.sa_family == AF_INET6;
    if (mediate->listener.own_network && inet && call->length >= sizeof(struct sockaddr_in) &&
        (result == -ENETUNREACH || result == -EHOSTUNREACH || result == -EADDRNOTAVAIL))
        report_unreachable(mediate, call);
    return result;
}

static int answer(struct mediate *mediate, struct call *call)
{
    int result = copy_address(call);
    if (result < 0)
        return result;
    call->socket = duplicate_socket(call);
    if (call->socket < 0)
        return call->socket;
    if (!still_waiting(mediate, call)) /* else the number may be another process's by now */
        return -EINTR;
    size_t path_at = offsetof(struct sockaddr_un, sun_path);
    if (call->address.any.sa_family != AF_UNIX || call->length <= path_at)
        return connect_inet(mediate, call);
    return call->address.path.sun_path[0] ? connect_path(mediate, call)
                                          : connect_abstract(mediate, call);
}

void mediate_answer(struct mediate *mediate)
{
    struct call call = {.socket = -1};
    if (ioctl(mediate->announced, SECCOMP_IOCTL_NOTIF_RECV, &call.notification) < 0)
        return; /* whoever called is gone */
    int result = call.notification.data.nr == SYS_socketpair
                     ? pair_make(mediate->announced, &call.notification)
                     : answer(mediate, &call);
    if (result <= 0)
        respond(mediate, &call, result);
    fd_close(&call.socket);
}
