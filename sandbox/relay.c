/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

#ifndef PIPEFS_MAGIC
#define PIPEFS_MAGIC 0x50495045
#endif

/* ---- deciding --------------------------------------------------------------------------- */

static bool is_anonymous_pipe(int fd)
{
    struct statfs status;
    return fstatfs(fd, &status) == 0 && status.f_type == PIPEFS_MAGIC;
}

/* One end of a connection on this machine, which can not be led elsewhere. A datagram socket could
 * send to anybody, and one of the network belongs to the host's. */
static bool is_local_connection(int fd)
{
    struct sockaddr_storage peer;
    int type = 0;
    socklen_t size = sizeof peer, type_size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) == 0 && type != SOCK_DGRAM &&
           getpeername(fd, (struct sockaddr *)&peer, &size) == 0 && peer.ss_family == AF_UNIX;
}

/* May the descriptor itself go in? */
static bool passes(int fd, const struct stat *status)
{
    if (S_ISSOCK(status->st_mode))
        return is_local_connection(fd);
    if (S_ISFIFO(status->st_mode))
        return is_anonymous_pipe(fd);
    return S_ISCHR(status->st_mode) && isatty(fd);
}

/* The same file by its name, if the view leads to it with the access that the caller had, and
 * `writable` (NULL: no matter) lets it be written. */
static int reopen(int fd, const struct stat *status, const struct sandbox_policy *writable)
{
    char link[32], path[PATH_MAX];
    struct stat found;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    int flags = fcntl(fd, F_GETFL);
    if (length <= 0 || path[0] != '/' || flags < 0)
        return -1;
    path[length] = '\0';
    if (writable && sandbox_policy_access_at(writable, path) != POLICY_ACCESS_WRITE)
        return -1;
    flags &= O_ACCMODE | O_APPEND | O_NONBLOCK | O_DIRECTORY | O_PATH;
    int inside = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
    if (inside < 0)
        return -1;
    if (fstat(inside, &found) < 0 || found.st_dev != status->st_dev ||
        found.st_ino != status->st_ino || found.st_rdev != status->st_rdev) {
        close(inside);
        return -1;
    }
    if (S_ISREG(status->st_mode))
        lseek(inside, lseek(fd, 0, SEEK_CUR), SEEK_SET);
    return inside;
}

/* /dev/null and its kin: the command has its own of the same number. */
static int reopen_device(int fd, const struct stat *status)
{
    static const struct {
        unsigned minor;
        const char *path;
    } OWN[] = {{3, "/dev/null"},
               {5, "/dev/zero"},
               {7, "/dev/full"},
               {8, "/dev/random"},
               {9, "/dev/urandom"}};
    for (size_t i = 0; S_ISCHR(status->st_mode) && i < sizeof OWN / sizeof *OWN; i++)
        if (status->st_rdev == makedev(1, OWN[i].minor))
            return open(OWN[i].path, (fcntl(fd, F_GETFL) & O_ACCMODE) | O_CLOEXEC | O_NOCTTY);
    return -1;
}

static int open_pipe(struct relay_stream *stream, bool input, size_t at_once, struct error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return error_set(error, errno, "pipe for a standard stream");
    stream->inside = ends[input ? 0 : 1];
    stream->pipe = ends[input ? 1 : 0];
    stream->buffer = xmalloc(RELAY_BUFFER);
    stream->at_once = at_once;
    int result = fd_set_nonblock(stream->pipe, true);
    return result < 0 ? error_set(error, -result, "pipe for a standard stream") : 0;
}

/* The terminal by the name that it has in the view, where its mode and owner can not be changed;
 * -1 if it has none there. */
static int reopen_terminal(int fd, const struct stat *status)
{
    struct stat found;
    int flags = fcntl(fd, F_GETFL);
    if (!S_ISCHR(status->st_mode) || flags < 0 || stat("/dev/console", &found) < 0 ||
        found.st_rdev != status->st_rdev)
        return -1;
    return open("/dev/console", (flags & (O_ACCMODE | O_NONBLOCK)) | O_CLOEXEC | O_NOCTTY);
}

static int decide(struct relay_stream *stream, int fd, const struct sandbox_policy *writable,
                  struct error *error)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return error_set(error, errno, "descriptor %d", fd);
    int terminal = writable ? -1 : reopen_terminal(fd, &status);
    if (terminal >= 0) {
        stream->reopened = stream->inside = terminal;
        return 0;
    }
    if (passes(fd, &status))
        return 0;
    stream->original = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (stream->original < 0)
        return error_set(error, errno, "descriptor %d", fd);
    int device = reopen_device(fd, &status);
    stream->reopened = device >= 0 ? device : reopen(fd, &status, writable);
    if (stream->reopened < 0 && S_ISDIR(status.st_mode))
        stream->reopened = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (stream->reopened < 0)
        return open_pipe(stream, fd == STDIN_FILENO,
                         S_ISREG(status.st_mode) ? RELAY_BUFFER : PIPE_BUF, error);
    stream->inside = stream->reopened;
    return 0;
}

/* "2>&1" keeps one position and one order for both. */
static bool same_description(int left, int right)
{
    pid_t self = getpid();
    return syscall(SYS_kcmp, self, self, KCMP_FILE, left, right) == 0;
}

void relay_open_none(struct relay *relay)
{
    for (int fd = 0; fd < 3; fd++)
        relay->streams[fd] =
            (struct relay_stream){.original = -1, .reopened = -1, .pipe = -1, .inside = fd};
}

int relay_open(struct relay *relay, const struct sandbox_policy *policy, bool view,
               struct error *error)
{
    bool joined = same_description(STDOUT_FILENO, STDERR_FILENO);
    relay_open_none(relay);
    for (int fd = 0; fd < 3; fd++) {
        struct relay_stream *stream = &relay->streams[fd];
        if (fd == STDERR_FILENO && joined)
            *stream = (struct relay_stream){
                .original = -1, .reopened = -1, .pipe = -1, .inside = relay->streams[1].inside};
        else if (decide(stream, fd, view ? NULL : policy, error) < 0)
            return -1;
    }
    return 0;
}

void relay_release_inside(struct relay *relay)
{
    for (int fd = 0; fd < 3; fd++) {
        struct relay_stream *stream = &relay->streams[fd];
        /* That of the input is kept to see how much of it was taken. */
        if (stream->pipe >= 0 && fd != STDIN_FILENO)
            close(stream->inside);
    }
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    fd_close(&null);
}

/* ---- pumping ---------------------------------------------------------------------------- */

static void stop(struct relay_stream *stream)
{
    fd_close(&stream->pipe);
}

/* From the caller's file into the command. */
static void pump_in(struct relay_stream *stream)
{
    if (stream->start == stream->end) {
        if (!fd_is_ready(stream->original, POLLIN))
            return;
        ssize_t got = read(stream->original, stream->buffer, RELAY_BUFFER);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            stop(stream);
            return;
        }
        stream->start = 0;
        stream->end = (size_t)got;
    }
    ssize_t put = write(stream->pipe, stream->buffer + stream->start, stream->end - stream->start);
    if (put > 0)
        stream->start += (size_t)put;
    else if (errno != EAGAIN && errno != EINTR)
        stop(stream);
}

/* As write(2), but never waits, though the caller's descriptor may: whoever reads there could stand
 * still, and the command then have nobody who watches it. */
static ssize_t put(const struct relay_stream *stream)
{
    const char *bytes = stream->buffer + stream->start;
    size_t length = stream->end - stream->start;
    ssize_t count = send(stream->original, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0 || errno != ENOTSOCK)
        return count;
    if (!fd_is_ready(stream->original, POLLOUT)) {
        errno = EAGAIN;
        return -1;
    }
    return write(stream->original, bytes, length < stream->at_once ? length : stream->at_once);
}

/* From the command to the caller's file; false when nothing more can be done now. */
static bool pump_out(struct relay_stream *stream)
{
    if (stream->start == stream->end) {
        ssize_t got = read(stream->pipe, stream->buffer, RELAY_BUFFER);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return false;
        stream->start = 0;
        stream->end = got > 0 ? (size_t)got : 0;
    }
    ssize_t count = stream->end > 0 ? put(stream) : 0;
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (count <= 0) /* a full disk: the command gets SIGPIPE */
        stop(stream);
    else
        stream->start += (size_t)count;
    return stream->pipe >= 0;
}

int relay_watch(const struct relay *relay, struct pollfd *watched)
{
    int count = 0;
    const struct relay_stream *input = &relay->streams[0];
    if (input->pipe >= 0 && input->start == input->end)
        watched[count++] = (struct pollfd){.fd = input->original, .events = POLLIN};
    else if (input->pipe >= 0)
        watched[count++] = (struct pollfd){.fd = input->pipe, .events = POLLOUT};
    for (int fd = 1; fd < 3; fd++) {
        const struct relay_stream *output = &relay->streams[fd];
        if (output->pipe >= 0 && output->start == output->end)
            watched[count++] = (struct pollfd){.fd = output->pipe, .events = POLLIN};
        else if (output->pipe >= 0)
            watched[count++] = (struct pollfd){.fd = output->original, .events = POLLOUT};
    }
    return count;
}

void relay_pump(struct relay *relay)
{
    if (relay->streams[0].pipe >= 0)
        pump_in(&relay->streams[0]);
    for (int fd = 1; fd < 3; fd++)
        if (relay->streams[fd].pipe >= 0)
            pump_out(&relay->streams[fd]);
}

/* What was read ahead for the command and not taken by it is the caller's again. */
static void give_back(const struct relay_stream *input)
{
    int unread = 0;
    if (!input->buffer || ioctl(input->inside, FIONREAD, &unread) < 0)
        return;
    unread += (int)(input->end - input->start);
    lseek(input->original, -(off_t)unread, SEEK_CUR);
}

bool relay_drain(struct relay *relay)
{
    bool more = false;
    stop(&relay->streams[0]);
    for (int fd = 1; fd < 3; fd++) {
        struct relay_stream *stream = &relay->streams[fd];
        while (stream->pipe >= 0 && pump_out(stream))
            continue;
        more = more || stream->pipe >= 0;
    }
    return more;
}

void relay_finish(struct relay *relay)
{
    give_back(&relay->streams[0]);
    for (int fd = 0; fd < 3; fd++) {
        struct relay_stream *stream = &relay->streams[fd];
        off_t position = stream->reopened >= 0 ? lseek(stream->reopened, 0, SEEK_CUR) : -1;
        if (position >= 0)
            lseek(stream->original, position, SEEK_SET);
    }
}
