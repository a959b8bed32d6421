/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/routes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

enum { FILE_MAX = 16384 };

static bool read_file(const char *path, char text[FILE_MAX])
{
    size_t size = 0;
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t got; fd >= 0 && (got = read(fd, text + size, FILE_MAX - 1 - size)) > 0;)
        size += (size_t)got;
    text[size] = '\0';
    return size > 0;
}

/* snmp has two lines a protocol: names, then values in the same order. */
static unsigned long column(const char *text, const char *name)
{
    const char *names = strstr(text, "Ip: "), *end = names ? strchr(names, '\n') : NULL;
    const char *found = end ? strstr(names, name) : NULL;
    const char *value = end && strncmp(end + 1, "Ip: ", 4) == 0 ? end + 1 : NULL;
    if (!value || !found || found > end)
        return 0;
    for (const char *at = names; value && at < found && (at = strchr(at, ' ')); at++)
        value = strchr(value + 1, ' ');
    return value ? strtoul(value, NULL, 10) : 0;
}

/* snmp6 has a line for each: name, blanks, value. */
static unsigned long line(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    return found ? strtoul(found + strlen(name), NULL, 10) : 0;
}

unsigned long routes_missed(void)
{
    char text[FILE_MAX];
    unsigned long missed = read_file("/proc/self/net/snmp", text) ? column(text, "OutNoRoutes") : 0;
    return missed + (read_file("/proc/self/net/snmp6", text) ? line(text, "Ip6OutNoRoutes") : 0);
}
