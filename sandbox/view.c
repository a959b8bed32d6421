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
#include "base/array.h"
#include "base/fd.h"
#include "sandbox/cache.h"
#include "sandbox/gateway.h"
#include "sandbox/mounts.h"
#include "sandbox/placeholder.h"
#include "sandbox/surroundings.h"

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

enum { TEMPORARY_PLACES = 2 }; /* of SURROUNDINGS_TEMPORARY */

/* The session's directories, taken while they can still be had writable; -1: memory. */
struct taken {
    int tmp[TEMPORARY_PLACES];
    int caches;
};

static void add_piece(struct pieces *pieces, const char *path, int mount)
{
    pieces->list = xreallocarray(pieces->list, pieces->count + 1, sizeof *pieces->list);
    pieces->list[pieces->count++] = (struct piece){xstrdup(path), mount};
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

/* The host's temporary places, writable as they are. */
static int take_host_tmp(struct pieces *pieces, struct error *error)
{
    for (size_t i = 0; SURROUNDINGS_TEMPORARY[i]; i++) {
        int mount = mounts_clone(SURROUNDINGS_TEMPORARY[i]);
        if (mount < 0 && i == 0)
            return error_set(error, -mount, "%s", SURROUNDINGS_TEMPORARY[i]);
        if (mount >= 0)
            add_piece(pieces, SURROUNDINGS_TEMPORARY[i], mount);
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
    int mount = mounts_clone_single_readonly(path);
    if (mount >= 0)
        add_piece(pieces, place, mount);
    return mount < 0 ? mount : 0;
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

/* Public keys, unlike what lies beside them. Where there are none ssh trusts no server. */
static void take_known_hosts(struct pieces *pieces, const char *home)
{
    char path[PATH_MAX];
    struct stat status;
    if (home && snprintf(path, sizeof path, "%s/.ssh/known_hosts", home) < (int)sizeof path &&
        stat(path, &status) == 0 && S_ISREG(status.st_mode))
        take_device(pieces, path, GATEWAY_KNOWN_HOSTS);
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
        if (mknod(piece->path, S_IFREG | 0600, 0) < 0 && errno != EEXIST)
            return error_set(error, errno, "device %s", piece->path);
        int result = mounts_attach(piece->mount, piece->path);
        piece->mount = -1;
        if (result < 0)
            return error_set(error, -result, "device %s", piece->path);
    }
    for (size_t i = 0; i < COUNT(LINKS); i++)
        if (symlink(LINKS[i][0], LINKS[i][1]) < 0)
            return error_set(error, errno, "%s", LINKS[i][1]);
    if (mkdir("/dev/pts", 0755) < 0 || mkdir("/dev/shm", 01777) < 0 ||
        chmod("/dev/shm", 01777) < 0 || mkdir(MOUNTS_CLOSED_DIRECTORY, 0) < 0 ||
        mknod(MOUNTS_CLOSED_FILE, S_IFREG, 0) < 0)
        return error_set(error, errno, "own /dev");
    if (mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
              "newinstance,ptmxmode=0666,mode=0620") < 0)
        return error_set(error, errno, "own terminals");
    /* POSIX message queues are files of this file system, also for Landlock. */
    if (mkdir("/dev/mqueue", 01777) < 0 ||
        (mount("mqueue", "/dev/mqueue", "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 &&
         errno != ENODEV))
        return error_set(error, errno, "own message queues");
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

static int own_tmp(struct taken *taken, struct surroundings *surroundings, struct error *error)
{
    const char *failed;
    for (size_t i = 0; SURROUNDINGS_TEMPORARY[i]; i++) {
        int result = taken->tmp[i] >= 0 ? mounts_attach(taken->tmp[i], SURROUNDINGS_TEMPORARY[i])
                                        : mounts_new_tmpfs(SURROUNDINGS_TEMPORARY[i], "mode=1777");
        taken->tmp[i] = -1;
        if (result < 0 && !(result == -ENOENT && i > 0))
            return error_set(error, -result, "own %s", SURROUNDINGS_TEMPORARY[i]);
    }
    int result = surroundings_place(surroundings, &failed);
    return result < 0 ? error_set(error, -result, "%s in the own /tmp", failed) : 0;
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

static int make_directory(const char *path)
{
    return mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
}

/* The command's own /dev/shm is empty: there is nothing yet to put a piece upon. */
static int make_place(const struct piece *piece)
{
    static const char own[] = "/dev/shm/";
    struct stat status;
    if (strncmp(piece->path, own, strlen(own)) != 0)
        return 0;
    cleanup_free char *path = xstrdup(piece->path);
    int result = 0;
    for (char *at = path + strlen(own); result == 0 && (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        result = make_directory(path);
    }
    if (result < 0 || fstat(piece->mount, &status) < 0 || S_ISDIR(status.st_mode))
        return result < 0 ? result : make_directory(path);
    return mknod(path, S_IFREG | 0600, 0) < 0 && errno != EEXIST ? -errno : 0;
}

static int put_back(struct pieces *pieces, struct error *error)
{
    for (size_t i = 0; i < pieces->count; i++) {
        struct piece *piece = &pieces->list[i];
        int result = make_place(piece);
        if (result == 0)
            result = mounts_attach(piece->mount, piece->path);
        piece->mount = -1;
        if (result < 0)
            return error_set(error, -result, "putting %s back", piece->path);
    }
    return 0;
}

static int close_all(const struct shut *shut, struct error *error)
{
    for (size_t i = 0; i < shut->count; i++) {
        int result = shut->paths[i].type ? mounts_close_path(shut->paths[i].path) : 0;
        if (result < 0)
            return error_set(error, -result, "closing %s", shut->paths[i].path);
    }
    return 0;
}

/* Who is given the host's /dev/shm could hold the locks that others wait for. */
static int close_locks(const struct sandbox_policy *policy, struct error *error)
{
    char path[64];
    snprintf(path, sizeof path, PLACEHOLDER_LOCKS, geteuid());
    if (sandbox_policy_access_at(policy, "/dev/shm") == POLICY_ACCESS_WRITE)
        mkdir(path, 0700); /* before the command can */
    int result = mounts_close_path(path);
    return result < 0 && result != -ENOENT ? error_set(error, -result, "closing %s", path) : 0;
}

static void free_pieces(struct pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++) {
        fd_close(&pieces->list[i].mount);
        free(pieces->list[i].path);
    }
    free(pieces->list);
}

static int take_source(const char *path, int *mount, struct error *error)
{
    *mount = mounts_clone(path);
    return *mount < 0 ? error_set(error, -*mount, "%s", path) : 0;
}

/* What lies in a temporary place of the host is put into the command's own. That is then made anew
 * for each command: in a session's there could be a link by now where it has to be put. */
static int take_session(const struct sandbox_policy *policy,
                        const struct surroundings *surroundings, struct taken *taken,
                        struct error *error)
{
    bool tmp = view_has_own_tmp(policy) && policy->tmp_source && surroundings->count == 0;
    for (size_t i = 0; tmp && i < TEMPORARY_PLACES; i++)
        if (take_source(policy->tmp_source, &taken->tmp[i], error) < 0)
            return -1;
    return cache_is_private(policy) && policy->cache_source
               ? take_source(policy->cache_source, &taken->caches, error)
               : 0;
}

/* Everything of the command's own, in a tree that is read-only by now. */
static int make_own(const struct view_setup *setup, struct pieces *devices,
                    struct surroundings *surroundings, struct taken *taken, struct error *error)
{
    bool tmp = view_has_own_tmp(setup->policy);
    if (own_devices(devices, error) < 0 ||
        (setup->own_processes && own_processes_view(error) < 0) ||
        (tmp && own_tmp(taken, surroundings, error) < 0) || own_runtime_directory(error) < 0)
        return -1;
    return tmp && cache_is_private(setup->policy) ? cache_mount(taken->caches, setup->home, error)
                                                  : 0;
}

static int build(const struct view_setup *setup, struct pieces *roots, struct pieces *devices,
                 struct surroundings *surroundings, struct error *error)
{
    struct taken taken = {.tmp = {-1, -1}, .caches = -1};
    if (take_entries(setup->policy, roots, error) < 0 || take_devices(devices, error) < 0 ||
        take_terminal(devices, error) < 0)
        return -1;
    if (setup->policy->network_asks)
        take_known_hosts(devices, setup->home);
    if (view_has_own_tmp(setup->policy))
        surroundings_take(surroundings, setup->policy, setup->visible);
    if (take_session(setup->policy, surroundings, &taken, error) < 0)
        return -1;
    int result = mounts_close_all();
    if (result < 0)
        return error_set(error, -result, "making everything read-only");
    if (make_own(setup, devices, surroundings, &taken, error) < 0 || put_back(roots, error) < 0)
        return -1;
    return 0;
}

void view_add_tmp(const struct sandbox_policy *policy, struct view *view)
{
    size_t count = 0;
    while (view->own[count])
        count++;
    for (size_t i = 0; policy->tmp != POLICY_TMP_NONE && SURROUNDINGS_TEMPORARY[i]; i++)
        view->own[count++] = SURROUNDINGS_TEMPORARY[i];
}

int view_build(const struct view_setup *setup, struct view *view, struct error *error)
{
    struct pieces roots = {0}, devices = {0};
    struct surroundings surroundings = {0};
    int result = build(setup, &roots, &devices, &surroundings, error);
    free_pieces(&roots);
    free_pieces(&devices);
    surroundings_free(&surroundings);
    *view = (struct view){.own = {"/dev/shm", "/dev/mqueue", "/run/user"}};
    view_add_tmp(setup->policy, view);
    if (result < 0)
        return -1;
    shut_find(setup->policy, view->own, &view->shut);
    return close_all(&view->shut, error) < 0 ? -1 : close_locks(setup->policy, error);
}
