/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

/* Passes after which a tree that still grows is killed as far as it is known. */
#define FREEZE_PASSES 16

#ifdef __linux__

struct process {
    pid_t pid;
    pid_t parent;
    unsigned long long started; /* tells a process from a later one with the same pid */
    char state;
    bool member; /* of the tree */
};

struct process_list {
    struct process *items;
    size_t count;
    size_t room;
};

/* Reads /proc/PID/stat (proc(5): fields 3 state, 4 ppid, 22 starttime; the name in field 2 may
 * hold anything, so that the last ')' is what counts). */
static bool read_process(pid_t pid, struct process *process)
{
    char path[32];
    char text[1024];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (length <= 0)
        return false;
    text[length] = '\0';
    const char *place = strrchr(text, ')');
    int parent;
    if (place == NULL ||
        sscanf(place + 1,
               " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
               &process->state, &parent, &process->started) != 3)
        return false;
    process->pid = pid;
    process->parent = parent;
    process->member = false;
    return true;
}

static void add_process(struct process_list *list, const struct process *process)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 256 : list->room * 2;
        list->items = xreallocarray(list->items, list->room, sizeof(*list->items));
    }
    list->items[list->count++] = *process;
}

static void read_all(struct process_list *list)
{
    list->count = 0;
    DIR *directory = opendir("/proc");
    if (directory == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct process process;
        if (isdigit((unsigned char)entry->d_name[0]) &&
            read_process((pid_t)strtol(entry->d_name, NULL, 10), &process))
            add_process(list, &process);
    }
    closedir(directory);
}

static int by_pid(const void *a, const void *b)
{
    pid_t first = ((const struct process *)a)->pid;
    pid_t second = ((const struct process *)b)->pid;
    return (first > second) - (first < second);
}

/* Marks the descendants of `root`. Parents may come after their children (pids wrap around), so
 * that the list is walked until nothing changes. */
static void mark_members(struct process_list *list, pid_t root)
{
    if (list->count > 0)
        qsort(list->items, list->count, sizeof(*list->items), by_pid);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < list->count; i++) {
            struct process *process = &list->items[i];
            if (process->member)
                continue;
            struct process key = {.pid = process->parent};
            struct process *parent =
                bsearch(&key, list->items, list->count, sizeof(*list->items), by_pid);
            process->member = process->parent == root || (parent != NULL && parent->member);
            changed |= process->member;
        }
    }
}

/* By descriptor, so that a pid that was given to another process meanwhile is not hit. */
static int send_to(const struct process *process, int number)
{
    cleanup_fd int fd = (int)syscall(SYS_pidfd_open, process->pid, 0);
    if (fd < 0 && errno == ENOSYS) /* Linux before 5.3 */
        return kill(process->pid, number) < 0 ? -errno : 0;
    struct process now;
    if (fd < 0 || !read_process(process->pid, &now) || now.started != process->started)
        return -ESRCH;
    return syscall(SYS_pidfd_send_signal, fd, number, NULL, 0) < 0 ? -errno : 0;
}

static bool is_alive(const struct process *process)
{
    return process->state != 'Z' && process->state != 'X';
}

int tree_signal(pid_t root, int number)
{
    struct process_list list = {0};
    int result = -ESRCH;
    read_all(&list);
    mark_members(&list, root);
    for (size_t i = 0; i < list.count; i++) {
        if (!list.items[i].member || !is_alive(&list.items[i]))
            continue;
        int sent = send_to(&list.items[i], number);
        if (result < 0)
            result = sent;
    }
    free(list.items);
    return result;
}

/* Stops what is not stopped yet; returns how many that were. */
static size_t freeze_members(const struct process_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct process *process = &list->items[i];
        if (process->member && is_alive(process) && process->state != 'T' &&
            send_to(process, SIGSTOP) == 0)
            count++;
    }
    return count;
}

size_t tree_kill(pid_t root)
{
    struct process_list list = {0};
    for (int pass = 0; pass < FREEZE_PASSES; pass++) {
        read_all(&list);
        mark_members(&list, root);
        if (freeze_members(&list) == 0)
            break;
    }
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct process *process = &list.items[i];
        if (!process->member || !is_alive(process))
            continue;
        send_to(process, SIGKILL);
        count++;
    }
    free(list.items);
    return count;
}

#else

int tree_signal(pid_t root, int number)
{
    return kill(-root, number) < 0 ? -errno : 0;
}

size_t tree_kill(pid_t root)
{
    return kill(-root, SIGKILL) == 0 ? 1 : 0;
}

#endif
