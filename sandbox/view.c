/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/cache.h"
#include "sandbox/mounts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Where nothing can be read: made in the command's /dev, put over closed paths. */
#define CLOSED_DIRECTORY "/dev/.closed"
#define CLOSED_FILE "/dev/.closed-file"

static const char *const DEVICES[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                      "/dev/random", "/dev/urandom", "/dev/tty"};

/* A clone that waits for its place. */
struct piece {
    char *path;
    int mount; /* -1 once it is in place */
};

struct pieces {
    struct piece *list;
    size_t count;
};

static void add_piece(struct pieces *pieces, const char *path, int mount)
{
    pieces->list = xreallocarray(pieces->list, pieces->count + 1, sizeof *pieces->list);
    pieces->list[pieces->count++] = (struct piece){xstrdup(path), mount};
}

static bool beneath(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* ---- what is taken before everything becomes read-only ----------------------------------- */

static int check_pin(const struct policy_entry *entry, int mount, struct error *error)
{
    struct stat status;
    if (entry->inode == 0)
        return 0;
    if (fstat(mount, &status) < 0)
        return error_set(error, errno, "%s", entry->path);
    if (status.st_dev != entry->device || status.st_ino != entry->inode)
        return error_set(error, 0, "%s is not what it was when it was granted", entry->path);
    return 0;
}

/* Is the entry needed: does its access differ from what surrounds it? */
static bool entry_matters(const struct sandbox_policy *policy, const struct policy_entry *entry)
{
    const char *slash = strrchr(entry->path, '/');
    char parent[PATH_MAX];
    if (sandbox_policy_access_at(policy, entry->path) != entry->access)
        return false; /* a later entry for the same path decides */
    if (strcmp(entry->path, "/") == 0)
        return entry->access == POLICY_ACCESS_WRITE;
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - entry->path), entry->path);
    enum policy_access around = sandbox_policy_access_at(policy, parent[0] ? parent : "/");
    return (entry->access == POLICY_ACCESS_WRITE) != (around == POLICY_ACCESS_WRITE);
}

static int take_entry(struct pieces *pieces, const struct policy_entry *entry, struct error *error)
{
    if (strcmp(entry->path, "/") == 0)
        return error_set(error, 0, "/ can not be a writable root: use danger-full-access");
    int mount = mounts_clone(entry->path);
    if (mount < 0) {
        if (entry->access == POLICY_ACCESS_READ && (mount == -ENOENT || mount == -ENOTDIR))
            return 0;
        return error_set(error, -mount, "%s root %s", policy_access_name(entry->access),
                         entry->path);
    }
    add_piece(pieces, entry->path, mount);
    if (check_pin(entry, mount, error) < 0)
        return -1;
    int result = entry->access == POLICY_ACCESS_READ ? mounts_set_readonly(mount) : 0;
    return result < 0 ? error_set(error, -result, "%s read-only", entry->path) : 0;
}

static const char *const TEMPORARY[] = {"/tmp", "/var/tmp"};

/* The host's temporary places, writable as they are. */
static int take_host_tmp(struct pieces *pieces, struct error *error)
{
    for (size_t i = 0; i < COUNT(TEMPORARY); i++) {
        int mount = mounts_clone(TEMPORARY[i]);
        if (mount < 0 && i == 0)
            return error_set(error, -mount, "%s", TEMPORARY[i]);
        if (mount >= 0)
            add_piece(pieces, TEMPORARY[i], mount);
    }
    return 0;
}

static int compare_pieces(const void *left, const void *right)
{
    return strcmp(((const struct piece *)left)->path, ((const struct piece *)right)->path);
}

/* A path before those beneath it. */
static int take_entries(const struct sandbox_policy *policy, struct pieces *pieces,
                        struct error *error)
{
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        if (entry->access != POLICY_ACCESS_NONE && entry_matters(policy, entry) &&
            take_entry(pieces, entry, error) < 0)
            return -1;
    }
    if (policy->tmp == POLICY_TMP_HOST && take_host_tmp(pieces, error) < 0)
        return -1;
    if (pieces->count > 1)
        qsort(pieces->list, pieces->count, sizeof *pieces->list, compare_pieces);
    return 0;
}

/* Read-only, which for a device means that its mode and owner stay as they are. */
static int take_device(struct pieces *pieces, const char *path, const char *place)
{
    int mount = mounts_clone_single(path);
    if (mount < 0)
        return mount;
    add_piece(pieces, place, mount);
    return mounts_set_readonly(mount);
}

static int take_devices(struct pieces *pieces, struct error *error)
{
    for (size_t i = 0; i < COUNT(DEVICES); i++) {
        int result = take_device(pieces, DEVICES[i], DEVICES[i]);
        if (result < 0)
            return error_set(error, -result, "%s", DEVICES[i]);
    }
    return 0;
}

/* The command's own terminal, which is not in its own devpts, under the name that a terminal
 * outside it has by custom: ttyname(3) finds it there. */
static int take_terminal(struct pieces *pieces, struct error *error)
{
    char name[64];
    struct stat terminal, named;
    for (int fd = 0; fd <= 2; fd++) {
        if (!isatty(fd) || ttyname_r(fd, name, sizeof name) != 0 || fstat(fd, &terminal) < 0 ||
            stat(name, &named) < 0 || named.st_rdev != terminal.st_rdev)
            continue;
        int result = take_device(pieces, name, "/dev/console");
        return result < 0 ? error_set(error, -result, "terminal %s", name) : 0;
    }
    return 0;
}

/* ---- the command's own places ----------------------------------------------------------- */

static int own_devices(struct pieces *devices, struct error *error)
{
    static const char *const LINKS[][2] = {{"/proc/self/fd", "/dev/fd"},
                                           {"/proc/self/fd/0", "/dev/stdin"},
                                           {"/proc/self/fd/1", "/dev/stdout"},
                                           {"/proc/self/fd/2", "/dev/stderr"},
                                           {"pts/ptmx", "/dev/ptmx"}};
    if (mount("tmpfs", "/dev", "tmpfs", MS_NOSUID, "mode=0755") < 0)
        return error_set(error, errno, "own /dev");
    for (size_t i = 0; i < devices->count; i++) {
        struct piece *piece = &devices->list[i];
        int fd = open(piece->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0)
            close(fd);
        int result = mounts_attach(piece->mount, piece->path);
        piece->mount = -1;
        if (result < 0)
            return error_set(error, -result, "device %s", piece->path);
    }
    for (size_t i = 0; i < COUNT(LINKS); i++)
        if (symlink(LINKS[i][0], LINKS[i][1]) < 0)
            return error_set(error, errno, "%s", LINKS[i][1]);
    if (mkdir("/dev/pts", 0755) < 0 || mkdir("/dev/shm", 01777) < 0 ||
        chmod("/dev/shm", 01777) < 0 || mkdir(CLOSED_DIRECTORY, 0) < 0 ||
        mknod(CLOSED_FILE, S_IFREG, 0) < 0)
        return error_set(error, errno, "own /dev");
    if (mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
              "newinstance,ptmxmode=0666,mode=0620") < 0)
        return error_set(error, errno, "own terminals");
    return 0;
}

/* Read-only as a whole: what the kernel would let root change through it is not the command's. */
static int own_processes_view(struct error *error)
{
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL) < 0)
        return error_set(error, errno, "own /proc");
    return 0;
}

bool view_has_own_tmp(const struct sandbox_policy *policy)
{
    return policy->tmp == POLICY_TMP_PRIVATE &&
           sandbox_policy_access_at(policy, "/tmp") != POLICY_ACCESS_WRITE;
}

/* The entry of /tmp that a path lies in: "/tmp/a" of "/tmp/a/b/c". */
static void top_of_tmp(const char *path, char *top, size_t size)
{
    const char *name = path + strlen("/tmp/");
    snprintf(top, size, "%.*s", (int)(strlen("/tmp/") + strcspn(name, "/")), path);
}

/* What lies beside a granted path in /tmp stays visible, read-only as everywhere: a workspace in a
 * temporary directory is next to what belongs to it. */
static void take_surroundings(struct pieces *surroundings, const char *path)
{
    char top[PATH_MAX];
    if (!beneath(path, "/tmp") || path[strlen("/tmp")] == '\0')
        return;
    top_of_tmp(path, top, sizeof top);
    for (size_t i = 0; i < surroundings->count; i++)
        if (strcmp(surroundings->list[i].path, top) == 0)
            return;
    int mount = mounts_clone(top);
    if (mount < 0)
        return;
    if (mounts_set_readonly(mount) < 0)
        close(mount);
    else
        add_piece(surroundings, top, mount);
}

/* Makes the directory or file that a clone can be put over. */
static int make_mount_point(const char *path, int mount)
{
    struct stat status;
    if (fstat(mount, &status) < 0)
        return -errno;
    if (S_ISDIR(status.st_mode))
        return mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -errno;
    close(fd);
    return 0;
}

static int own_tmp(const struct sandbox_policy *policy, struct pieces *surroundings,
                   struct error *error)
{
    for (size_t i = 0; i < COUNT(TEMPORARY); i++) {
        int result;
        if (policy->tmp_source) {
            int source = mounts_clone(policy->tmp_source);
            result = source < 0 ? source : mounts_attach(source, TEMPORARY[i]);
        } else {
            result = mounts_new_tmpfs(TEMPORARY[i], "mode=1777");
        }
        if (result < 0 && !(result == -ENOENT && i > 0))
            return error_set(error, -result, "own %s", TEMPORARY[i]);
    }
    for (size_t i = 0; i < surroundings->count; i++) {
        struct piece *piece = &surroundings->list[i];
        int result = make_mount_point(piece->path, piece->mount);
        if (result == 0) {
            result = mounts_attach(piece->mount, piece->path);
            piece->mount = -1;
        }
        if (result < 0)
            return error_set(error, -result, "%s in the own /tmp", piece->path);
    }
    return 0;
}

/* Sockets of the session bus, the sound server, agents for keys: none of them is the command's. */
static int own_runtime_directory(struct error *error)
{
    char path[64];
    struct stat status;
    if (stat("/run/user", &status) < 0)
        return 0;
    int result = mounts_new_tmpfs("/run/user", "mode=0755");
    snprintf(path, sizeof path, "/run/user/%u", geteuid());
    if (result < 0 || mkdir(path, 0700) < 0)
        return error_set(error, result < 0 ? -result : errno, "own runtime directory");
    return 0;
}

/* ---- building --------------------------------------------------------------------------- */

static int put_back(struct pieces *pieces, struct error *error)
{
    for (size_t i = 0; i < pieces->count; i++) {
        struct piece *piece = &pieces->list[i];
        int result = mounts_attach(piece->mount, piece->path);
        piece->mount = -1;
        if (result < 0)
            return error_set(error, -result, "putting %s back", piece->path);
    }
    return 0;
}

static int close_path(const char *path, bool directory, struct error *error)
{
    int mount = mounts_clone_single(directory ? CLOSED_DIRECTORY : CLOSED_FILE);
    int result = mount < 0 ? mount : mounts_set_readonly(mount);
    if (result == 0)
        result = mounts_attach(mount, path);
    return result < 0 ? error_set(error, -result, "closing %s", path) : 0;
}

static int close_denied(const struct sandbox_policy *policy, struct error *error)
{
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        struct stat status; /* most of them are not there */
        if (entry->access == POLICY_ACCESS_NONE && stat(entry->path, &status) == 0 &&
            sandbox_policy_access_at(policy, entry->path) == POLICY_ACCESS_NONE &&
            close_path(entry->path, S_ISDIR(status.st_mode), error) < 0)
            return -1;
    }
    return 0;
}

static void free_pieces(struct pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++) {
        fd_close(&pieces->list[i].mount);
        free(pieces->list[i].path);
    }
    free(pieces->list);
}

static void take_all_surroundings(const struct view_setup *setup, struct pieces *roots,
                                  struct pieces *surroundings)
{
    for (size_t i = 0; i < roots->count; i++)
        take_surroundings(surroundings, roots->list[i].path);
    for (const char *const *path = setup->visible; path && *path; path++)
        take_surroundings(surroundings, *path);
}

/* The session's directory for tool caches, while it can still be taken writable; -1: memory. */
static int take_caches(const struct sandbox_policy *policy, int *caches, struct error *error)
{
    *caches = -1;
    if (!cache_is_private(policy) || !policy->cache_source)
        return 0;
    *caches = mounts_clone(policy->cache_source);
    return *caches < 0 ? error_set(error, -*caches, "tool caches %s", policy->cache_source) : 0;
}

/* Everything of the command's own, in a tree that is read-only by now. */
static int make_own(const struct view_setup *setup, struct pieces *devices,
                    struct pieces *surroundings, int caches, struct error *error)
{
    bool tmp = view_has_own_tmp(setup->policy);
    if (own_devices(devices, error) < 0 ||
        (setup->own_processes && own_processes_view(error) < 0) ||
        (tmp && own_tmp(setup->policy, surroundings, error) < 0) ||
        own_runtime_directory(error) < 0)
        return -1;
    return tmp && cache_is_private(setup->policy) ? cache_mount(caches, setup->home, error) : 0;
}

static int build(const struct view_setup *setup, struct pieces *roots, struct pieces *devices,
                 struct pieces *surroundings, struct error *error)
{
    int caches;
    if (take_entries(setup->policy, roots, error) < 0 || take_devices(devices, error) < 0 ||
        take_terminal(devices, error) < 0 || take_caches(setup->policy, &caches, error) < 0)
        return -1;
    if (view_has_own_tmp(setup->policy))
        take_all_surroundings(setup, roots, surroundings);
    int result = mounts_close_all();
    if (result < 0)
        return error_set(error, -result, "making everything read-only");
    if (make_own(setup, devices, surroundings, caches, error) < 0 || put_back(roots, error) < 0)
        return -1;
    return close_denied(setup->policy, error);
}

void view_add_tmp(const struct sandbox_policy *policy, struct view *view)
{
    size_t count = 0;
    while (view->own[count])
        count++;
    for (size_t i = 0; policy->tmp != POLICY_TMP_NONE && i < COUNT(TEMPORARY); i++)
        view->own[count++] = TEMPORARY[i];
}

int view_build(const struct view_setup *setup, struct view *view, struct error *error)
{
    struct pieces roots = {0}, devices = {0}, surroundings = {0};
    int result = build(setup, &roots, &devices, &surroundings, error);
    free_pieces(&roots);
    free_pieces(&devices);
    free_pieces(&surroundings);
    *view = (struct view){{"/dev/shm", "/run/user"}};
    view_add_tmp(setup->policy, view);
    return result;
}
