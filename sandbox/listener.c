/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/listener.h"

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
#include "sandbox/inside.h"

enum { STATE_LISTEN = 10 };

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
static bool find_listener(struct listener *listener, const struct wanted *wanted, unsigned *inode)
{
    static const size_t SIZE = 32768;
    bool found = false;
    if (listener->diagnosis < 0)
        listener->diagnosis = open_diagnosis();
    if (listener->diagnosis < 0 || !ask_for_listeners(listener->diagnosis))
        return false;
    char *answer = malloc(SIZE);
    for (bool more = answer != NULL; more;) {
        ssize_t got = recv(listener->diagnosis, answer, SIZE, 0);
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

/* Does it have the socket whose link in /proc reads like `argument`? */
static bool process_holds(pid_t process, void *argument)
{
    char path[64], target[64];
    snprintf(path, sizeof path, "/proc/%d/fd", process);
    DIR *directory = opendir(path);
    bool holds = false;
    if (!directory)
        return false;
    for (struct dirent *entry; !holds && (entry = readdir(directory));) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            holds = strcmp(target, argument) == 0;
        }
    }
    closedir(directory);
    return holds;
}

static bool held_inside(bool own_processes, unsigned inode)
{
    char link[64];
    snprintf(link, sizeof link, "socket:[%u]", inode);
    return inside_visit(own_processes, process_holds, link);
}

bool listener_inside_at(struct listener *listener, const struct stat *target)
{
    unsigned inode;
    struct wanted wanted = {.target = target};
    return find_listener(listener, &wanted, &inode) &&
           (listener->own_network || held_inside(listener->own_processes, inode));
}

bool listener_inside_named(struct listener *listener, const char *name, size_t length)
{
    unsigned inode;
    struct wanted wanted = {.name = name, .name_length = length};
    return find_listener(listener, &wanted, &inode) &&
           (listener->own_network || held_inside(listener->own_processes, inode));
}
