/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/closed_link.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sandbox/aside.h"
#include "sandbox/closed.h"

void closed_links_open(struct closed_links *links, const struct shut *shut)
{
    links->links = xcalloc(shut->count + 1, sizeof *links->links);
    for (size_t i = 0; i < shut->count; i++) {
        const char *path = shut->paths[i].path;
        if (shut->paths[i].watched && closed_is_name(strrchr(path, '/') + 1))
            links->links[links->count++] =
                (struct closed_link){.path = path, .target = shut_target(path, true)};
    }
}

/* The operator's own link can not be moved in here; but what it leads through can be changed. */
static void set_aside(const struct closed_links *links, const char *path, const char *target)
{
    bool done = aside_put(path);
    cleanup_free char *told =
        xasprintf("%s (%sit closes %s)", path, done ? "set aside: " : "", target);
    report_alarm(links->report, told);
}

void closed_links_act(const struct closed_links *links)
{
    for (size_t i = 0; i < links->count; i++) {
        struct closed_link *link = &links->links[i];
        cleanup_free char *target = shut_target(link->path, true);
        if (!target || protect_root_of(links->protect, target) ||
            (link->target && strcmp(link->target, target) == 0))
            continue;
        set_aside(links, link->path, target);
    }
}
