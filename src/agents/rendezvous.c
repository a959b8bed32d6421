/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/rendezvous.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

#define SUFFIX ".sock"
/* Connections that may wait to be accepted; the kernel caps it at net.core.somaxconn. */
#define BACKLOG 256
/* A socket this young may belong to a console that has bound it and does not listen yet. */
#define YOUNG_SECONDS 10

/* ---- the directory ------------------------------------------------------------------------- */

int rendezvous_open(const char *path, bool create, struct error *error)
{
    if (create) {
        int result = fd_make_directories(path, 0700);
        if (result < 0)
            return error_errno(error, -result, "cannot make the directory %s", path);
    }
    cleanup_fd int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return error_errno(error, errno, "cannot open the socket directory %s", path);
    if (status.st_uid != geteuid())
        return error_set(error, EPERM, "the socket directory %s belongs to somebody else", path);
    if ((status.st_mode & 077) != 0)
        return error_set(error, EPERM,
                         "others can reach the socket directory %s: chmod 700 it, or use another",
                         path);
    int result = fd;
    fd = -1;
    return result;
}

static bool is_socket_name(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, SUFFIX) == 0;
}

char **rendezvous_list(int directory)
{
    size_t count = 0;
    char **names = xcalloc(1, sizeof(char *));
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;
    if (stream == NULL) {
        fd_close(&copy);
        return names;
    }
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (!is_socket_name(entry->d_name))
            continue;
        names = xreallocarray(names, count + 2, sizeof(char *));
        names[count++] = xstrdup(entry->d_name);
        names[count] = NULL;
    }
    closedir(stream);
    return names;
}

/* ---- sockets ------------------------------------------------------------------------------- */

static int make_address(int directory, const char *name, struct sockaddr_un *address)
{
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    int length = snprintf(address->sun_path, sizeof(address->sun_path), "/proc/self/fd/%d/%s",
                          directory, name);
    return length > 0 && (size_t)length < sizeof(address->sun_path) ? 0 : -ENAMETOOLONG;
}

static int new_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return fd < 0 ? -errno : fd;
}

int rendezvous_connect(int directory, const char *name)
{
    struct sockaddr_un address;
    int result = make_address(directory, name, &address);
    if (result < 0)
        return result;
    cleanup_fd int fd = new_socket();
    if (fd < 0)
        return fd;
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
        return -errno;
    struct ucred credentials;
    socklen_t size = sizeof(credentials);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
        return -errno;
    if (credentials.uid != geteuid())
        return -EPERM;
    result = fd;
    fd = -1;
    return result;
}

static bool is_deserted(int directory, const char *name)
{
    int fd = rendezvous_connect(directory, name);
    bool deserted = fd == -ECONNREFUSED;
    fd_close(&fd);
    return deserted;
}

/* Nobody listens on it, and it is not that its console is still starting. */
static bool is_stale(int directory, const char *name)
{
    struct stat status;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISSOCK(status.st_mode))
        return false;
    pid_t pid = (pid_t)strtol(name, NULL, 10);
    bool gone = pid > 0 && kill(pid, 0) < 0 && errno == ESRCH;
    bool young = time(NULL) - status.st_mtime < YOUNG_SECONDS;
    return (gone || !young) && is_deserted(directory, name);
}

unsigned rendezvous_reclaim(int directory)
{
    unsigned removed = 0;
    cleanup_strv char **names = rendezvous_list(directory);
    for (size_t i = 0; names[i] != NULL; i++)
        if (is_stale(directory, names[i]) && unlinkat(directory, names[i], 0) == 0)
            removed++;
    return removed;
}

static int bind_address(int fd, int directory, const char *name, const struct sockaddr_un *address,
                        struct error *error)
{
    if (bind(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
        return 0;
    if (errno != EADDRINUSE)
        return error_errno(error, errno, "cannot make the control socket %s", name);
    if (!is_deserted(directory, name))
        return error_set(error, EADDRINUSE, "another console uses the control socket %s", name);
    if (unlinkat(directory, name, 0) < 0 ||
        bind(fd, (const struct sockaddr *)address, sizeof(*address)) < 0)
        return error_errno(error, errno, "cannot replace the control socket %s", name);
    return 0;
}

int rendezvous_listen(int directory, const char *name, struct error *error)
{
    struct sockaddr_un address;
    int result = make_address(directory, name, &address);
    if (result < 0)
        return error_errno(error, -result, "cannot make the control socket %s", name);
    cleanup_fd int fd = new_socket();
    if (fd < 0)
        return error_errno(error, -fd, "cannot make a socket");
    if (bind_address(fd, directory, name, &address, error) < 0)
        return -1;
    /* Before listen(): nobody can connect while the mode is still the umask's. */
    if (fchmodat(directory, name, 0600, 0) < 0 || listen(fd, BACKLOG) < 0) {
        error_errno(error, errno, "cannot listen on the control socket %s", name);
        unlinkat(directory, name, 0);
        return -1;
    }
    result = fd;
    fd = -1;
    return result;
}

void rendezvous_remove(int directory, const char *name, int socket)
{
    /* The inode of the socket file is not that of the descriptor: whether the name still leads to
     * us is found out by who would answer. */
    struct stat status;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISSOCK(status.st_mode))
        return;
    shutdown(socket, SHUT_RDWR);
    if (is_deserted(directory, name))
        unlinkat(directory, name, 0);
}
