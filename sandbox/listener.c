/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/listener.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/fd.h"

enum { STATE_LISTEN = 10, FIRST_PROCESS = 2 };

/* What is looked for: a socket file, or an abstract name. */
struct wanted {
    const struct stat *target;
    const char *name;
    size_t name_length;
};

static int open_diagnosis(void)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    struct timeval second = {.tv_sec = 1};
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    return fd;
}

static bool ask_for_listeners(int fd)
{
    struct {
        struct nlmsghdr header;
        struct unix_diag_req request;
    } message = {
        .header = {.nlmsg_len = sizeof message,
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .request = {.sdiag_family = AF_UNIX,
                    .udiag_states = 1u << STATE_LISTEN,
                    .udiag_show = UDIAG_SHOW_VFS | UDIAG_SHOW_NAME},
    };
    return send(fd, &message, sizeof message, 0) == (ssize_t)sizeof message;
}

/* The kernel's form of a device number. */
static unsigned kernel_device(dev_t device)
{
    return (major(device) << 20) | minor(device);
}

static bool attribute_matches(const struct nlattr *attribute, const struct wanted *wanted)
{
    const char *data = (const char *)attribute + NLA_HDRLEN;
    size_t size = attribute->nla_len - (size_t)NLA_HDRLEN;
    if (wanted->name)
        return attribute->nla_type == UNIX_DIAG_NAME && size == wanted->name_length &&
               memcmp(data, wanted->name, size) == 0;
    const struct unix_diag_vfs *vfs = (const void *)data;
    return attribute->nla_type == UNIX_DIAG_VFS && size >= sizeof *vfs &&
           vfs->udiag_vfs_ino == (unsigned)wanted->target->st_ino &&
           vfs->udiag_vfs_dev == kernel_device(wanted->target->st_dev);
}

static bool message_matches(const struct nlmsghdr *header, const struct wanted *wanted,
                            unsigned *inode)
{
    const struct unix_diag_msg *message = NLMSG_DATA(header);
    size_t at = NLMSG_LENGTH(sizeof *message);
    *inode = message->udiag_ino;
    while (at + NLA_HDRLEN <= header->nlmsg_len) {
        const struct nlattr *attribute = (const void *)((const char *)header + at);
        if (attribute->nla_len < NLA_HDRLEN || at + attribute->nla_len > header->nlmsg_len)
            break;
        if (attribute_matches(attribute, wanted))
            return true;
        at += NLA_ALIGN(attribute->nla_len);
    }
    return false;
}

/* Reads the whole answer. True with the socket's own inode number when one listens. */
static bool find_listener(int *diagnosis, const struct wanted *wanted, unsigned *inode)
{
    static const size_t SIZE = 32768;
    bool found = false;
    if (*diagnosis < 0)
        *diagnosis = open_diagnosis();
    if (*diagnosis < 0 || !ask_for_listeners(*diagnosis))
        return false;
    char *answer = malloc(SIZE);
    for (bool more = answer != NULL; more;) {
        ssize_t got = recv(*diagnosis, answer, SIZE, 0);
        more = got > 0;
        unsigned left = got > 0 ? (unsigned)got : 0;
        for (struct nlmsghdr *header = (void *)answer; NLMSG_OK(header, left);
             header = NLMSG_NEXT(header, left)) {
            if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR) {
                more = false;
                break;
            }
            unsigned candidate;
            if (!found && message_matches(header, wanted, &candidate)) {
                *inode = candidate;
                found = true;
            }
        }
    }
    free(answer);
    return found;
}

/* ---- which process has it --------------------------------------------------------------- */

static bool process_holds(const char *process, const char *link)
{
    char path[64], target[64];
    snprintf(path, sizeof path, "/proc/%.16s/fd", process);
    DIR *directory = opendir(path);
    bool holds = false;
    if (!directory)
        return false;
    for (struct dirent *entry; !holds && (entry = readdir(directory));) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            holds = strcmp(target, link) == 0;
        }
    }
    closedir(directory);
    return holds;
}

/* /proc is the namespace's own: who is listed is inside. The monitor itself does not count. */
static bool held_inside(unsigned inode)
{
    char link[64];
    DIR *processes = opendir("/proc");
    bool held = false;
    if (!processes)
        return false;
    snprintf(link, sizeof link, "socket:[%u]", inode);
    for (struct dirent *entry; !held && (entry = readdir(processes));)
        if (isdigit((unsigned char)entry->d_name[0]) && atoi(entry->d_name) >= FIRST_PROCESS)
            held = process_holds(entry->d_name, link);
    closedir(processes);
    return held;
}

bool listener_inside_at(int *diagnosis, const struct stat *target, bool own_network)
{
    unsigned inode;
    struct wanted wanted = {.target = target};
    return find_listener(diagnosis, &wanted, &inode) && (own_network || held_inside(inode));
}

bool listener_inside_named(int *diagnosis, const char *name, size_t length)
{
    unsigned inode;
    struct wanted wanted = {.name = name, .name_length = length};
    return find_listener(diagnosis, &wanted, &inode) && held_inside(inode);
}
