/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "sandbox/capability.h"
#include "sandbox/filter.h"
#include "sandbox/landlock.h"
#include "sandbox/readable.h"

/* What programs need to start: libraries, their configuration, the time zone, terminals. */
static const char *const PLATFORM[] = {
    "/bin",
    "/sbin",
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system/sw",
    "/proc",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
    "/sys/fs/cgroup",
    "/var/lib/dpkg/alternatives",
};

static const char *const DEVICES[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
};
/* Where /dev is the command's own there is nothing else in it, and its terminals are too. On the
 * host they are everybody's. */
static const char *const OWN_DEVICES[] = {"/dev"};

/* A root that is not what the operator chose is not granted. */
static int check_pin(const struct policy_entry *entry, int fd, struct error *error)
{
    struct stat status;
    if (entry->inode == 0)
        return 0;
    if (fstat(fd, &status) < 0)
        return error_set(error, errno, "%s", entry->path);
    if (status.st_dev != entry->device || status.st_ino != entry->inode)
        return error_set(error, 0, "%s is not the directory any more that was granted",
                         entry->path);
    return 0;
}

/* The host's devices, other people's terminals among them, are not part of "everything". */
static int allow_readable(struct landlock *landlock, const struct confinement *confinement,
                          const char *path)
{
    cleanup_free char *physical = realpath(path, NULL);
    bool devices = confinement->own_devices || strcmp(path, "/") != 0;
    return physical ? readable_allow(landlock, confinement->shut, physical, devices) : -errno;
}

static int allow_entry(struct landlock *landlock, const struct confinement *confinement,
                       const struct policy_entry *entry, struct error *error)
{
    if (entry->access == POLICY_ACCESS_NONE)
        return 0;
    cleanup_fd int fd = open(entry->path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        /* Something readable that is not there grants nothing; a root to write in must be. */
        if (entry->access == POLICY_ACCESS_READ && (errno == ENOENT || errno == ENOTDIR))
            return 0;
        return error_set(error, errno, "%s root %s", policy_access_name(entry->access),
                         entry->path);
    }
    if (check_pin(entry, fd, error) < 0)
        return -1;
    int result = entry->access == POLICY_ACCESS_READ
                     ? allow_readable(landlock, confinement, entry->path)
                     : landlock_allow(landlock, fd, LANDLOCK_GRANT_READ | LANDLOCK_GRANT_WRITE);
    return result < 0 ? error_set(error, -result, "Landlock rule for %s", entry->path) : 0;
}

static int allow_list(struct landlock *landlock, const char *const *paths, size_t count,
                      unsigned grants, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        int result = landlock_allow_path(landlock, paths[i], grants, true);
        if (result < 0)
            return error_set(error, -result, "Landlock rule for %s", paths[i]);
    }
    return 0;
}

static int allow_policy(struct landlock *landlock, const struct confinement *confinement,
                        struct error *error)
{
    const struct sandbox_policy *policy = confinement->policy;
    for (size_t i = 0; i < policy->entry_count; i++) {
        if (allow_entry(landlock, confinement, &policy->entries[i], error) < 0)
            return -1;
    }
    if (policy->platform_defaults &&
        allow_list(landlock, PLATFORM, COUNT(PLATFORM), LANDLOCK_GRANT_READ, error) < 0)
        return -1;
    if (confinement->own_devices)
        return allow_list(landlock, OWN_DEVICES, COUNT(OWN_DEVICES), LANDLOCK_GRANT_DEVICE, error);
    return allow_list(landlock, DEVICES, COUNT(DEVICES), LANDLOCK_GRANT_DEVICE, error);
}

static int allow_own(struct landlock *landlock, const char *const *own, struct error *error)
{
    size_t count = strv_length(own);
    return allow_list(landlock, own, count, LANDLOCK_GRANT_READ | LANDLOCK_GRANT_WRITE, error);
}

/* The command's own terminal, wherever it is: it was handed over, so it may be used. */
static int allow_terminal(struct landlock *landlock, struct error *error)
{
    for (int fd = 0; fd <= 2; fd++) {
        int result = isatty(fd) ? landlock_allow(landlock, fd, LANDLOCK_GRANT_DEVICE) : 0;
        if (result < 0)
            return error_set(error, -result, "Landlock rule for the terminal");
    }
    return 0;
}

static int enforce_rules(const struct confinement *confinement, struct error *error)
{
    struct landlock landlock;
    int result = landlock_begin(&landlock, confinement->landlock_abi, confinement->tcp);
    if (result < 0)
        return error_set(error, -result, "Landlock rule set");
    if (allow_policy(&landlock, confinement, error) < 0 ||
        allow_own(&landlock, confinement->own, error) < 0 || allow_terminal(&landlock, error) < 0)
        return -1;
    result = landlock_enforce(&landlock);
    return result < 0 ? error_set(error, -result, "Landlock") : 0;
}

int confine_self(const struct confinement *confinement, struct error *error)
{
    if (confinement->policy->process_limit > 0) {
        rlim_t limit = (rlim_t)confinement->policy->process_limit;
        if (setrlimit(RLIMIT_NPROC, &(struct rlimit){limit, limit}) < 0)
            return error_set(error, errno, "process limit");
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return error_set(error, errno, "no_new_privs");
    if (enforce_rules(confinement, error) < 0)
        return -1;
    int result = capability_drop_all();
    if (result < 0)
        return error_set(error, -result, "dropping capabilities");
    if (!confinement->own_group && !landlock_abi_scopes(confinement->landlock_abi))
        result = filter_install_group();
    if (result == 0)
        result = filter_install(confinement->filter);
    return result < 0 ? error_set(error, -result, "seccomp filter") : result;
}
