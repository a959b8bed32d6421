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
static bool thread_acts(pid_t process, const char *thread, const char *idle)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", process, thread);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    text[got > 0 ? got : 0] = '\0';
    const char *state = strrchr(text, ')');
    return state && state[1] == ' ' && !strchr(idle, state[2]);
}

static bool process_acts(pid_t process, void *argument)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    bool acts = false;
    if (!threads)
        return false;
    for (struct dirent *entry; !acts && (entry = readdir(threads));)
        acts = entry->d_name[0] != '.' && thread_acts(process, entry->d_name, argument);
    closedir(threads);
    return acts;
}

/* Who waits in the kernel may do so for long: for the disk, or for a child that has stopped. Others
 * stop as soon as they get a processor. */
void inside_wait_still(void)
{
    enum { TRIES = 1000, TRIES_FOR_ALL = 50 };
    char all[] = "TtZX", most[] = "TtZXD";
    for (int i = 0; i < TRIES && inside_visit(true, process_acts, i < TRIES_FOR_ALL ? all : most);
         i++) {
        poll(NULL, 0, 1);
        inside_signal(true, SIGSTOP); /* one may have continued another */
    }
}

/* ---- has one of them run? --------------------------------------------------------------- */

/* How often it has left a processor, which is the end of what the kernel tells of it. */
static uint64_t switches_of(const char *status)
{
    static const char *const NAMES[] = {"\nvoluntary_ctxt_switches:",
                                        "\nnonvoluntary_ctxt_switches:"};
    uint64_t sum = 0;
    for (size_t i = 0; i < 2; i++) {
        const char *line = strstr(status, NAMES[i]);
        sum += line ? strtoull(line + strlen(NAMES[i]), NULL, 10) : 0;
    }
    return sum;
}

/* One that waits in the kernel (for the disk, for a child that has stopped) counts as it is: it
 * stops when it comes out of there. One that acts counts as if it had run. */
static uint64_t thread_runs(pid_t process, const char *thread)
{
    enum { SIZE = 16384 }; /* with the list of its groups */
    static char text[SIZE];
    static uint64_t acts;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", process, thread);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    text[got > 0 ? got : 0] = '\0';
    const char *state = strstr(text, "\nState:\t");
    if (!state)
        return 0;
    uint64_t runs = strtoull(thread, NULL, 10) << 40;
    switch (state[strlen("\nState:\t")]) {
    case 'T':
    case 't':
        return runs + switches_of(text);
    case 'D':
    case 'Z':
    case 'X':
        return runs;
    default:
        return runs + ++acts;
    }
}

static bool add_runs(pid_t process, void *argument)
{
    char path[64];
    uint64_t *sum = argument;
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));)
        if (entry->d_name[0] != '.')
            *sum = *sum * 0x100000001b3u + thread_runs(process, entry->d_name);
    if (threads)
        closedir(threads);
    return false;
}

uint64_t inside_runs(void)
{
    uint64_t sum = 0;
    inside_visit(true, add_runs, &sum);
    return sum;
}

/* ---- their end -------------------------------------------------------------------------- */

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
