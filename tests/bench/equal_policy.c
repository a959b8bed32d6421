/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "equal_policy.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/path.h"

struct words {
    char **list;
    size_t count;
};

static void add(struct words *words, const char *word)
{
    words->list = xreallocarray(words->list, words->count + 2, sizeof(*words->list));
    words->list[words->count++] = xstrdup(word);
    words->list[words->count] = NULL;
}

static void add_all(struct words *words, const char *const *list)
{
    for (; *list != NULL; list++)
        add(words, *list);
}

/* Of each line of mountinfo (proc(5)) "rw" or "ro" and the mount point. */
static struct words mount_points(const char *command)
{
    struct words points = {NULL, 0};
    char line[8192], point[4096], mode[3];
    FILE *pipe = popen(command, "r");
    while (pipe != NULL && fgets(line, sizeof(line), pipe) != NULL)
        if (sscanf(line, "%*s %*s %*s %*s %4095s %2s", point, mode) == 2) {
            cleanup_free char *word = xasprintf("%s%s", mode, point);
            add(&points, word);
        }
    if (pipe == NULL || pclose(pipe) != 0 || points.count == 0) {
        fprintf(stderr, "failed: %s\n", command);
        exit(2);
    }
    return points;
}

static bool holds(const struct words *points, const char *point)
{
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(points->list[i] + 2, point) == 0)
            return true;
    return false;
}

/* Inside the workspace it is what cannot be changed or moved away, outside what cannot be seen.
 * What is missing in a repository is left open, because git would take what bwrap makes there for
 * its own. */
static void cover(struct words *words, const char *point, bool writable, const char *cwd)
{
    struct stat status;
    bool there = stat(point, &status) == 0, directory = there && S_ISDIR(status.st_mode);
    bool inside = path_is_beneath(point, cwd);
    if (directory && !inside) {
        add_all(words, (const char *const[]){"--tmpfs", point, NULL});
        return;
    }
    if (!there && strstr(point, "/.git/") != NULL)
        return;
    const char *source = there && inside ? point : "/dev/null";
    add_all(words, (const char *const[]){writable ? "--bind" : "--ro-bind", source, point, NULL});
}

/* Those of our mounts that the host has not, either of the workspace or of what is around it. */
static void cover_all(struct words *words, const struct words *ours, const struct words *host,
                      const char *cwd, bool inside)
{
    for (size_t i = 0; i < ours->count; i++) {
        const char *point = ours->list[i] + 2;
        bool writable = strncmp(ours->list[i], "rw", 2) == 0;
        if (!holds(host, point) && strcmp(point, cwd) != 0 &&
            path_is_beneath(point, cwd) == inside && !path_is_beneath(point, "/dev") &&
            !path_is_beneath(point, "/proc"))
            cover(words, point, writable, cwd);
    }
}

char **equal_policy_bwrap(const char *program)
{
    cleanup_free char *cwd = getcwd(NULL, 0);
    cleanup_free char *command = xasprintf("%s sandbox -- cat /proc/self/mountinfo", program);
    struct words host = mount_points("cat /proc/self/mountinfo"), ours = mount_points(command);
    struct words words = {NULL, 0};
    add_all(&words, (const char *const[]){"bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc",
                                          "/proc", NULL});
    cover_all(&words, &ours, &host, cwd, false);
    /* Behind what may hide it: the workspace can be beneath /tmp. */
    add_all(&words, (const char *const[]){"--bind", cwd, cwd, NULL});
    cover_all(&words, &ours, &host, cwd, true);
    add_all(&words, (const char *const[]){"--chdir", cwd, "--unshare-user", "--unshare-pid",
                                          "--unshare-ipc", "--unshare-net", "--die-with-parent",
                                          "--", NULL});
    return words.list;
}
