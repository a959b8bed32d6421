/* SPDX-License-Identifier: MIT */
/* cache_mount: the part of cache.h that needs mounts. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "sandbox/cache.h"
#include "sandbox/mounts.h"

/* What the tool obeys or executes: the operator's, or nothing, and never the command's. */
static const struct {
    const char *name;
    const char *lower;
    const char *older; /* what the tool prefers to `lower` where it is there; NULL: nothing */
    bool directory;
} FIXED[] = {
    {"cargo/bin", ".cargo/bin", NULL, true},
    {"cargo/config.toml", ".cargo/config.toml", ".cargo/config", false},
    {"gradle/init.d", ".gradle/init.d", NULL, true},
    {"gradle/init.gradle", ".gradle/init.gradle", NULL, false},
    {"gradle/gradle.properties", ".gradle/gradle.properties", NULL, false},
};
/* An older name, which must not be the command's either: a file there would hide the other. Of a
 * link that reads exactly like this cargo does not complain. */
#define OLDER_NAME CACHE_PLACE "/cargo/config"
#define OLDER_TARGET OLDER_NAME ".toml"

/* Makes CACHE_PLACE/PREFIX/NAME with its parents and stores the path. */
static int make_directory(const char *prefix, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s%s/%s", CACHE_PLACE, prefix, name);
    for (char *slash = path + strlen(CACHE_PLACE); (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (mkdir(path, 0700) < 0 && errno != EEXIST)
            return -errno;
        *slash = '/';
    }
    return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

/* These separate the parts of the mount options. */
static bool can_be_option(const char *path)
{
    return path[strcspn(path, ",:\\\"")] == '\0';
}

/* The mark of a volatile overlay, which stays when it is unmounted and forbids the next. */
static void forget_volatile(const char *work)
{
    static const char *const MARKS[] = {"work/incompat/volatile/dirty", "work/incompat/volatile",
                                        "work/incompat"};
    char path[PATH_MAX];
    for (size_t i = 0; i < COUNT(MARKS); i++)
        if (snprintf(path, sizeof path, "%s/%s", work, MARKS[i]) < (int)sizeof path)
            remove(path);
}

/* Without it the cache is empty (tools make their own), and private all the same. */
static void overlay(const char *lower, const char *name)
{
    char target[PATH_MAX], upper[PATH_MAX], work[PATH_MAX], options[3 * PATH_MAX + 64];
    struct stat status;
    if (stat(lower, &status) < 0 || !S_ISDIR(status.st_mode) || !can_be_option(lower) ||
        make_directory("", name, target) < 0 || make_directory("/.upper", name, upper) < 0 ||
        make_directory("/.work", name, work) < 0)
        return;
    forget_volatile(work);
    /* Nothing in a cache has to outlive a crash, and without "volatile" (Linux 5.10) each unmount
     * writes the whole file system back. */
    snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s,userxattr,volatile",
             lower, upper, work);
    if (mount("overlay", target, "overlay", MS_NOSUID | MS_NODEV, options) < 0) {
        options[strlen(options) - strlen(",volatile")] = '\0';
        if (mount("overlay", target, "overlay", MS_NOSUID | MS_NODEV, options) < 0)
            return;
    }
}

/* Whether the operator has it, of this type; stores its path. */
static bool is_there(const char *home, const char *name, bool directory, char path[PATH_MAX])
{
    struct stat status;
    return home && name && snprintf(path, PATH_MAX, "%s/%s", home, name) < PATH_MAX &&
           stat(path, &status) == 0 && S_ISDIR(status.st_mode) == directory;
}

static int fix_older_name(void)
{
    char found[PATH_MAX];
    ssize_t length = readlink(OLDER_NAME, found, sizeof found);
    if (length != strlen(OLDER_TARGET) || memcmp(found, OLDER_TARGET, strlen(OLDER_TARGET)) != 0) {
        unlink(OLDER_NAME);
        if (symlink(OLDER_TARGET, OLDER_NAME) < 0)
            return -errno;
    }
    return mounts_pin_link(OLDER_NAME);
}

static int fix(size_t index, const char *home)
{
    char target[PATH_MAX], lower[PATH_MAX];
    bool directory = FIXED[index].directory;
    snprintf(target, sizeof target, "%s/%s", CACHE_PLACE, FIXED[index].name);
    int made = directory ? mkdir(target, 0500) : mknod(target, S_IFREG | 0400, 0);
    if (made < 0 && errno != EEXIST)
        return -errno;
    if (!is_there(home, FIXED[index].older, directory, lower) &&
        !is_there(home, FIXED[index].lower, directory, lower))
        return mounts_cover_readonly(target);
    int source = mounts_clone(lower); /* read-only as everything in the home directory */
    return source < 0 ? source : mounts_attach(source, target);
}

/* Mounts the session's directory if nobody else uses it. The lock ends with this process. */
static int take_source(int source)
{
    int lock = source < 0 ? -1 : openat(source, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        return mounts_attach(source, CACHE_PLACE);
    if (lock >= 0)
        close(lock);
    if (source >= 0)
        close(source);
    return 0;
}

static int fill(const char *home)
{
    char path[PATH_MAX];
    int result = 0;
    for (size_t i = 0; result == 0 && home && i < CACHE_OVERLAY_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", home, CACHE_OVERLAYS[i].lower);
        overlay(path, CACHE_OVERLAYS[i].name);
    }
    static const char *const WITH_FIXED[] = {"cargo", "gradle"};
    for (size_t i = 0; result == 0 && i < COUNT(WITH_FIXED); i++)
        result = make_directory("", WITH_FIXED[i], path);
    for (size_t i = 0; result == 0 && i < COUNT(FIXED); i++)
        result = fix(i, home);
    return result < 0 ? result : fix_older_name();
}

/* What a command has left in the session's caches, a symlink where there has to be a directory,
 * keeps no other from starting. */
int cache_mount(int source, const char *home, struct error *error)
{
    if (mkdir(CACHE_PLACE, 0700) < 0)
        return error_set(error, errno, "tool caches");
    int result = take_source(source);
    if (result == 0)
        result = fill(home);
    if (result < 0 && source >= 0 && umount2(CACHE_PLACE, MNT_DETACH) == 0)
        result = fill(home);
    return result < 0 ? error_set(error, -result, "tool caches") : 0;
}
