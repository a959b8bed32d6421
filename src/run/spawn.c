/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "run/pty.h"
#include "sandbox/helper.h"

/* Descriptors that the helper gets: 0 to this one less. */
#define TARGET_COUNT (HELPER_STATUS_FD + 1)

/* The helper's ends, by the number that they will have there. */
struct ends {
    int fd[TARGET_COUNT];
};

static void close_ends(struct ends *ends)
{
    for (int i = 0; i < TARGET_COUNT; i++)
        fd_close(&ends->fd[i]);
}

static void close_ours(struct spawn *spawn)
{
    fd_close(&spawn->input);
    fd_close(&spawn->output);
    fd_close(&spawn->errors);
    fd_close(&spawn->status);
}

/* Takes `fd` as the helper's descriptor `target`, above all targets: dup2() to one of them then
 * never overwrites another's source. */
static int take_end(struct ends *ends, int target, int fd)
{
    ends->fd[target] = fd;
    if (fd >= TARGET_COUNT)
        return 0;
    int above = fcntl(fd, F_DUPFD_CLOEXEC, TARGET_COUNT);
    if (above < 0)
        return -errno;
    close(fd);
    ends->fd[target] = above;
    return 0;
}

static int share_end(struct ends *ends, int target, int source)
{
    ends->fd[target] = fcntl(ends->fd[source], F_DUPFD_CLOEXEC, TARGET_COUNT);
    return ends->fd[target] < 0 ? -errno : 0;
}

/* A pipe of which the helper gets one end (`target` 0: the reading one). */
static int add_pipe(struct ends *ends, int target, int *ours)
{
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0)
        return -errno;
    int theirs = target == STDIN_FILENO ? 0 : 1;
    *ours = pair[1 - theirs];
    int result = take_end(ends, target, pair[theirs]);
    return result < 0 ? result : fd_set_nonblock(*ours, true);
}

static int add_null(struct ends *ends)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : take_end(ends, STDIN_FILENO, fd);
}

static int open_pipes(const struct run_options *options, struct ends *ends, struct spawn *spawn)
{
    int result = options->stdin_open ? add_pipe(ends, STDIN_FILENO, &spawn->input) : add_null(ends);
    if (result == 0)
        result = add_pipe(ends, STDOUT_FILENO, &spawn->output);
    if (result == 0)
        result = options->split_streams ? add_pipe(ends, STDERR_FILENO, &spawn->errors)
                                        : share_end(ends, STDERR_FILENO, STDOUT_FILENO);
    return result;
}

static int open_terminal(const struct run_options *options, struct ends *ends, struct spawn *spawn,
                         struct error *error)
{
    int slave;
    if (pty_open(options->rows, options->columns, &spawn->output, &slave, error) < 0)
        return -1;
    int result = take_end(ends, STDIN_FILENO, slave);
    if (result == 0)
        result = share_end(ends, STDOUT_FILENO, STDIN_FILENO);
    if (result == 0)
        result = share_end(ends, STDERR_FILENO, STDIN_FILENO);
    /* A descriptor of its own for writing, so that each direction has one owner. */
    spawn->input = fcntl(spawn->output, F_DUPFD_CLOEXEC, 0);
    if (result == 0 && spawn->input < 0)
        result = -errno;
    return result < 0 ? error_errno(error, -result, "cannot set up a terminal") : 0;
}

static int open_streams(const struct run_options *options, struct ends *ends, struct spawn *spawn,
                        struct error *error)
{
    if (options->tty)
        return open_terminal(options, ends, spawn, error);
    int result = open_pipes(options, ends, spawn);
    return result < 0 ? error_errno(error, -result, "cannot make pipes for a command") : 0;
}

static int open_request(const struct exec_request *request, struct ends *ends, struct error *error)
{
    if (request->request == NULL)
        return 0;
    int fd = memfd_create("request", MFD_CLOEXEC);
    int result = fd < 0 ? -errno : take_end(ends, HELPER_REQUEST_FD, fd);
    fd = ends->fd[HELPER_REQUEST_FD];
    if (result == 0)
        result = fd_write_all(fd, request->request, request->request_size);
    if (result == 0 && lseek(fd, 0, SEEK_SET) < 0)
        result = -errno;
    return result < 0 ? error_errno(error, -result, "cannot hand the helper its request") : 0;
}

static int open_status(struct ends *ends, struct spawn *spawn, struct error *error)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return error_errno(error, errno, "cannot make a socket to the helper");
    spawn->status = pair[0];
    int result = take_end(ends, HELPER_STATUS_FD, pair[1]);
    if (result == 0)
        result = fd_set_nonblock(spawn->status, true);
    return result < 0 ? error_errno(error, -result, "cannot make a socket to the helper") : 0;
}

static int start(const struct exec_request *request, const struct ends *ends, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < TARGET_COUNT; i++)
        if (ends->fd[i] >= 0)
            posix_spawn_file_actions_adddup2(&actions, ends->fd[i], i);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    char *empty[] = {NULL};
    int result = posix_spawn(pid, request->program, &actions, &attributes, request->argv,
                             request->program_env != NULL ? request->program_env : empty);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return result;
}

int spawn_helper(const struct exec_request *request, const struct run_options *options,
                 struct spawn *spawn, struct error *error)
{
    struct ends ends = {{-1, -1, -1, -1, -1}};
    *spawn = (struct spawn){.input = -1, .output = -1, .errors = -1, .status = -1};
    int result = open_streams(options, &ends, spawn, error);
    if (result == 0)
        result = open_request(request, &ends, error);
    if (result == 0)
        result = open_status(&ends, spawn, error);
    if (result == 0) {
        int number = start(request, &ends, &spawn->pid);
        if (number != 0)
            result = error_errno(error, number, "cannot start %s", request->program);
    }
    close_ends(&ends);
    if (result < 0)
        close_ours(spawn);
    return result;
}
