/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/process.h"

/* Passes after which a tree that still grows is killed as far as it is known. */
#define FREEZE_PASSES 16

#ifdef __linux__

struct process_list {
    struct process *items;
    size_t count;
    size_t room;
};

static void add_process(struct process_list *list, const struct process *process)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 256 : list->room * 2;
        list->items = xreallocarray(list->items, list->room, sizeof(*list->items));
    }
    list->items[list->count++] = *process;
}

/* ---- by the lists of children ---------------------------------------------------------------- */

/* /proc/PID/task/TID/children is there when the kernel was built with it (proc(5)); every
 * distribution's is. */
static bool has_children_lists(void)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    return access(path, R_OK) == 0;
}

static void add_children_of_task(struct process_list *list, pid_t pid, const char *task)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", (int)pid, task);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    int child;
    struct process process;
    while (fscanf(file, "%d", &child) == 1)
        if (process_read(child, &process))
            add_process(list, &process);
    fclose(file);
}

static void add_children(struct process_list *list, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    if (tasks == NULL)
        return;
    for (struct dirent *task; (task = readdir(tasks)) != NULL;)
        if (isdigit((unsigned char)task->d_name[0]))
            add_children_of_task(list, pid, task->d_name);
    closedir(tasks);
}

/* ---- by everybody's parent ------------------------------------------------------------------- */

static void add_everybody(struct process_list *list)
{
    DIR *directory = opendir("/proc");
    if (directory == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct process process;
        if (isdigit((unsigned char)entry->d_name[0]) &&
            process_read((pid_t)strtol(entry->d_name, NULL, 10), &process))
            add_process(list, &process);
    }
    closedir(directory);
}

static bool is_member(const struct process_list *members, pid_t root, pid_t parent)
{
    if (parent == root)
        return true;
    for (size_t i = 0; i < members->count; i++)
        if (members->items[i].pid == parent)
            return true;
    return false;
}

/* Moves descendants over until no more are found: parents may come after their children, since
 * pids wrap around. */
static void take_members(struct process_list *all, struct process_list *members, pid_t root)
{
    for (size_t before = SIZE_MAX; before != all->count;) {
        before = all->count;
        for (size_t i = 0; i < all->count;) {
            if (!is_member(members, root, all->items[i].parent)) {
                i++;
                continue;
            }
            add_process(members, &all->items[i]);
            all->items[i] = all->items[--all->count];
        }
    }
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* The descendants of `root` as they are now. The quick way matters: what forks and ends again and
 * again is only caught by who is quicker. */
static void list_tree(struct process_list *list, pid_t root)
{
    list->count = 0;
    if (has_children_lists()) {
        add_children(list, root);
        for (size_t i = 0; i < list->count; i++)
            add_children(list, list->items[i].pid);
        return;
    }
    struct process_list all = {0};
    add_everybody(&all);
    take_members(&all, list, root);
    free(all.items);
}

/* By descriptor, so that a pid that was given to another process meanwhile is not hit. */
static int send_to(const struct process *process, int number)
{
    cleanup_fd int fd = (int)syscall(SYS_pidfd_open, process->pid, 0);
    if (fd < 0 && errno == ENOSYS) /* Linux before 5.3 */
        return kill(process->pid, number) < 0 ? -errno : 0;
    struct process now;
    if (fd < 0 || !process_read(process->pid, &now) || now.started != process->started)
        return -ESRCH;
    return syscall(SYS_pidfd_send_signal, fd, number, NULL, 0) < 0 ? -errno : 0;
}

static bool is_alive(const struct process *process)
{
    return process->state != 'Z' && process->state != 'X';
}

/* Stops what is not stopped yet; returns how many that were. */
static size_t freeze_members(const struct process_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct process *process = &list->items[i];
        if (is_alive(process) && process->state != 'T' && send_to(process, SIGSTOP) == 0)
            count++;
    }
    return count;
}

/* What forks while it is being stopped is found by the next look. */
static void stop_tree(pid_t root, struct process_list *list)
{
    for (int pass = 0; pass < FREEZE_PASSES; pass++) {
        list_tree(list, root);
        if (freeze_members(list) == 0)
            break;
    }
}

int tree_signal(pid_t root, int number)
{
    struct process_list list = {0};
    int result = -ESRCH;
    if (number == SIGSTOP)
        stop_tree(root, &list);
    else
        list_tree(&list, root);
    for (size_t i = 0; i < list.count; i++) {
        if (!is_alive(&list.items[i]))
            continue;
        int sent = send_to(&list.items[i], number);
        if (result < 0)
            result = sent;
    }
    free(list.items);
    return result;
}

size_t tree_kill(pid_t root)
{
    struct process_list list = {0};
    stop_tree(root, &list);
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct process *process = &list.items[i];
        if (!is_alive(process))
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
