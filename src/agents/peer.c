/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agents/lineage.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/install.h"
#include "base/process.h"

/* Linux 6.5, include/uapi/asm-generic/socket.h; older headers do not have it. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/* A descriptor that stands for the process that connected, so that its number cannot come to mean
 * another one while we look. -ESRCH, or -EINVAL before Linux 6.15, when it has been waited for. */
static int peer_pidfd(int socket, pid_t pid)
{
    int fd = -1;
    socklen_t size = sizeof(fd);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &fd, &size) == 0)
        return fd;
    if (errno != ENOPROTOOPT)
        return -errno;
    fd = (int)syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : fd;
}

/* The parent's pid (0: none), or -1 when the process is gone. */
static pid_t parent_of(pid_t pid)
{
    struct process process;
    return process_read(pid, &process) ? process.parent : -1;
}

char *peer_executable(pid_t pid)
{
    char path[64], target[PATH_MAX];
    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    ssize_t length = readlink(path, target, sizeof(target));
    return length > 0 ? xstrndup(target, (size_t)length) : NULL;
}

static bool is_shell(const char *exe)
{
    static const char *const names[] = {"sh",  "dash",    "bash", "zsh",
                                        "ash", "busybox", "fish", "ksh"};
    const char *slash = strrchr(exe, '/');
    for (size_t i = 0; i < COUNT(names); i++)
        if (slash != NULL && strcmp(slash + 1, names[i]) == 0)
            return true;
    return false;
}

/* A shell with job control gives what it starts a group of its own; that of a script does not, and
 * what it starts is part of the script. */
static bool is_job_of(const struct process *child, const struct process *shell)
{
    cleanup_free char *exe = peer_executable(shell->pid);
    return child->group != shell->group && exe != NULL && is_shell(exe);
}

/* The index in the chain of the program that stands behind its first process; `top` is the index
 * of the tree's root. -1 when a process has gone. */
static int find_job(const pid_t *chain, int top)
{
    struct process at, below;
    for (int i = top; i >= 0; i--) {
        if (!process_read(chain[i], &at))
            return -1;
        if (at.session != chain[i] || at.terminal == 0)
            continue;
        if (i < 2)
            return i;
        if (!process_read(chain[i - 1], &below))
            return -1;
        return is_job_of(&below, &at) ? i - 1 : i;
    }
    return top;
}

/* The child of ours that the chain goes through, or 0. */
static pid_t find_branch(const pid_t *chain)
{
    for (; chain[0] > 1; chain++)
        if (chain[1] == getpid())
            return chain[0];
    return 0;
}

static int compare_namespaces(struct peer_identity *peer, struct error *error)
{
    static const char *const kinds[] = {"user", "mnt", "pid", "net"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        char theirs[64], ours[64];
        struct stat their_status, our_status;
        snprintf(theirs, sizeof(theirs), "/proc/%d/ns/%s", (int)peer->pid, kinds[i]);
        snprintf(ours, sizeof(ours), "/proc/self/ns/%s", kinds[i]);
        if (stat(theirs, &their_status) < 0 && errno == ENOENT)
            return error_set(error, ESRCH, "the client has gone already");
        if (stat(theirs, &their_status) < 0 || stat(ours, &our_status) < 0)
            return error_errno(error, errno, "cannot look at the client's %s namespace", kinds[i]);
        if (their_status.st_dev != our_status.st_dev || their_status.st_ino != our_status.st_ino) {
            peer->apart = kinds[i];
            return 0;
        }
    }
    return 0;
}

static bool is_program(const char *exe, const char *name)
{
    struct error error = ERROR_INIT;
    cleanup_free char *path = install_find_program(name, &error);
    return path != NULL && strcmp(exe, path) == 0;
}

static bool is_bridge(const char *exe)
{
    return is_program(exe, "assent-mcp") || is_program(exe, "assent-hook");
}

/* The index in the chain up to where a client's own goes: its tree's first process, or an orphan.
 * What is above has started other agents, or adopted them, too. */
static int find_last(const pid_t *chain, int top, pid_t tree)
{
    int last = 0;
    while (last < top && chain[last] != tree && lineage_orphan_of(chain, last) == 0)
        last++;
    return last;
}

/* From a bridge of ours up to the program that it works for, or to the script that is the last of
 * its own. */
static void find_agent(struct peer_identity *peer, const pid_t *chain, int top)
{
    int at = 0, last = find_last(chain, top, peer->tree);
    free(peer->exe);
    peer->agent = chain[0];
    peer->exe = peer_executable(chain[0]);
    char *exe = peer->exe != NULL && is_bridge(peer->exe) ? xstrdup(peer->exe) : NULL;
    while (exe != NULL && (is_bridge(exe) || is_shell(exe)) && at < last) {
        free(exe);
        exe = peer_executable(chain[++at]);
    }
    if (exe == NULL)
        return;
    free(peer->exe);
    peer->exe = exe;
    peer->agent = chain[at];
}

static int place_in_tree(struct peer_identity *peer)
{
    cleanup_free pid_t *theirs = lineage_chain(peer->pid);
    cleanup_free pid_t *ours = lineage_chain(getpid());
    struct lineage lineage;
    if (theirs == NULL || ours == NULL || !lineage_find(peer->pid, ours, &lineage))
        return -1;
    peer->branch = find_branch(theirs);
    peer->tree = lineage.root;
    free(peer->lineage);
    peer->lineage = lineage.all;
    int top = lineage_top(theirs, ours);
    int job = find_job(theirs, top);
    if (job < 0)
        return -1;
    peer->job = job > 0 ? theirs[job] : 0;
    free(peer->job_exe);
    peer->job_exe = job > 0 ? peer_executable(peer->job) : NULL;
    find_agent(peer, theirs, top);
    return 0;
}

/* What only carries others: of who asks it says nothing. */
static bool is_carrier(const char *exe)
{
    return is_shell(exe) || is_program(exe, "assent-sandbox");
}

/* The first program behind a client that is no shell and no sandbox of ours; when nothing but those
 * stands behind it in its tree, its parent, which is then a script. 0: nobody, or an orphan. */
static pid_t program_behind(const struct peer_identity *peer)
{
    pid_t parent = parent_of(peer->pid), found = 0;
    bool in_tree = peer->tree == peer->pid;
    for (pid_t pid = parent; pid > 1 && !in_tree; pid = parent_of(pid)) {
        cleanup_free char *exe = peer_executable(pid);
        if (found == 0 && exe != NULL && !is_carrier(exe))
            found = pid;
        in_tree = pid == peer->tree;
    }
    if (!in_tree || peer->tree == peer->pid)
        return 0;
    return found != 0 ? found : parent;
}

/* A client that lives for one question says nothing of who asks. */
static void find_asker(struct peer_identity *peer)
{
    bool plain = peer->exe != NULL && is_program(peer->exe, "assent-exec");
    pid_t behind = plain ? program_behind(peer) : 0;
    char *exe = behind > 0 ? peer_executable(behind) : NULL;
    peer->asker = exe != NULL ? behind : peer->agent;
    free(peer->asker_exe);
    peer->asker_exe = exe != NULL ? exe : peer->exe != NULL ? xstrdup(peer->exe) : NULL;
}

static int look_at(struct peer_identity *peer, struct error *error)
{
    if (compare_namespaces(peer, error) < 0)
        return -1;
    /* Ancestors come and go; one that goes while we read makes another attempt worth it. */
    for (int attempt = 0; attempt < 5; attempt++) {
        if (place_in_tree(peer) == 0) {
            find_asker(peer);
            return 0;
        }
    }
    return error_set(error, EAGAIN, "cannot find out where the client comes from");
}

int peer_identify(int socket, struct peer_identity *peer, struct error *error)
{
    memset(peer, 0, sizeof(*peer));
    struct ucred credentials;
    socklen_t size = sizeof(credentials);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
        return error_errno(error, errno, "cannot find out who the client is");
    if (credentials.uid != geteuid())
        return error_set(error, EPERM, "the client runs as another user");
    if (credentials.pid <= 0)
        return error_set(error, EPERM,
                         "the client lives in another pid namespace: containers cannot ask this "
                         "console");
    peer->pid = credentials.pid;
    cleanup_fd int pidfd = peer_pidfd(socket, credentials.pid);
    if (pidfd < 0 && pidfd != -ESRCH && pidfd != -EINVAL)
        return error_errno(error, -pidfd, "cannot find out who the client is");
    if (pidfd < 0 || fd_is_ready(pidfd, POLLIN))
        return error_set(error, ESRCH, "the client has gone already");
    if (look_at(peer, error) < 0)
        return -1;
    if (fd_is_ready(pidfd, POLLIN)) {
        peer_clear(peer);
        return error_set(error, ESRCH, "the client has gone already");
    }
    return 0;
}

void peer_clear(struct peer_identity *peer)
{
    free(peer->exe);
    free(peer->asker_exe);
    free(peer->job_exe);
    free(peer->lineage);
    memset(peer, 0, sizeof(*peer));
}
