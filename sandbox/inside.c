/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "sandbox/tree.h"

enum { DEPTH_MAX = 4096 }; /* generations; ends a walk that races with a fork bomb */

/* Everybody whose process directory /proc shows, which is the namespace's own. */
static bool visit_namespace(bool (*visit)(pid_t process, void *argument), void *argument)
{
    DIR *processes = opendir("/proc");
    bool stop = false;
    if (!processes)
        return false;
    for (struct dirent *entry; !stop && (entry = readdir(processes));) {
        pid_t process = (pid_t)strtol(entry->d_name, NULL, 10); /* 0 for what is no number */
        if (process > 0 && process != getpid())
            stop = visit(process, argument);
    }
    closedir(processes);
    return stop;
}

/* The kernel lists the children of each thread. Only first threads are asked: the command's other
 * threads hand theirs over to the first one's list when they end, and are killed with it. */
static bool visit_descendants(pid_t process, bool (*visit)(pid_t process, void *argument),
                              void *argument, int depth)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (got <= 0 || depth == 0)
        return false;
    text[got] = '\0';
    for (char *at = text, *end; *at; at = end) {
        pid_t child = (pid_t)strtol(at, &end, 10);
        if (end == at)
            break;
        if (visit_descendants(child, visit, argument, depth - 1) || visit(child, argument))
            return true;
        end += strspn(end, " ");
    }
    return false;
}

bool inside_visit(bool own_namespace, bool (*visit)(pid_t process, void *argument), void *argument)
{
    return own_namespace ? visit_namespace(visit, argument)
                         : visit_descendants(getpid(), visit, argument, DEPTH_MAX);
}

void inside_signal(bool own_namespace, int number)
{
    if (own_namespace)
        kill(-1, number);
    else
        tree_signal(getpid(), number);
}

/* "12 (name) T …": the name may have brackets of its own. A thread that is gone does nothing. */
static bool thread_acts(pid_t process, const char *thread)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", process, thread);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    text[got > 0 ? got : 0] = '\0';
    const char *state = strrchr(text, ')');
    return state && state[1] == ' ' && !strchr("TtZX", state[2]);
}

static bool process_acts(pid_t process, void *argument)
{
    (void)argument;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    bool acts = false;
    if (!threads)
        return false;
    for (struct dirent *entry; !acts && (entry = readdir(threads));)
        acts = entry->d_name[0] != '.' && thread_acts(process, entry->d_name);
    closedir(threads);
    return acts;
}

void inside_wait_still(void)
{
    enum { TRIES = 50 };
    for (int i = 0; i < TRIES && inside_visit(true, process_acts, NULL); i++) {
        poll(NULL, 0, 1);
        inside_signal(true, SIGSTOP); /* one may have continued another */
    }
}

/* Between two looks at processes that are being killed. */
enum { KILL_AGAIN_MS = 5 };

void inside_end(bool own_namespace)
{
    if (own_namespace)
        kill(-1, SIGKILL);
    while (waitpid(-1, NULL, own_namespace ? 0 : WNOHANG) >= 0 || errno == EINTR)
        if (!own_namespace && tree_kill(getpid()) > 0)
            poll(NULL, 0, KILL_AGAIN_MS);
}
