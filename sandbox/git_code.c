/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_code.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/random.h"
#include "sandbox/aside.h"
#include "sandbox/git_harmless.h"
#include "sandbox/listing.h"
#include "sandbox/nested.h"

#define FILE_MAX ((size_t)1024 * 1024)

static void visit_configuration(const struct protect *protect, const char *directory,
                                const char *name, git_code_found *found, void *argument)
{
    char path[PATH_MAX];
    size_t size;
    bool all = false;
    if (!path_join(path, directory, name) || !fd_file_type(path))
        return;
    cleanup_free char *text = fd_read_file(path, FILE_MAX, true, &size);
    const struct git_harmless_place place = {directory, protect_root_of(protect, directory)};
    cleanup_free char *harmless = text ? git_harmless_copy(&place, text, size, &all) : NULL;
    if (!all)
        found(path, harmless, argument);
}

static bool is_run(const char *hook)
{
    size_t length = strlen(hook), sample = strlen(".sample");
    bool is_sample = length > sample && strcmp(hook + length - sample, ".sample") == 0;
    return !is_sample && hook[0] != '.' /* .gitkeep of a template is not */ &&
           !strstr(hook, ASIDE_SUFFIX);
}

static void visit_list(const char *hooks, git_code_found *found, void *argument)
{
    char path[PATH_MAX];
    struct listing *listing = xmalloc(sizeof *listing); /* large */
    cleanup_fd int fd = open(hooks, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    listing_start(listing);
    for (const struct dirent64 *entry; fd >= 0 && (entry = listing_next(listing, fd));)
        if (is_run(entry->d_name) && !listing_is_directory(fd, entry) &&
            path_join(path, hooks, entry->d_name))
            found(path, NULL, argument);
    free(listing);
}

static void visit_hooks(const char *directory, git_code_found *found, void *argument)
{
    char hooks[PATH_MAX];
    mode_t type = path_join(hooks, directory, "hooks") ? fd_file_type(hooks) : 0;
    if (S_ISDIR(type) && !nested_is_barred(hooks))
        visit_list(hooks, found, argument);
    else if (type)
        found(hooks, NULL, argument);
}

void git_code_visit(const struct protect *protect, const char *directory, git_code_found *found,
                    void *argument)
{
    visit_configuration(protect, directory, "config", found, argument);
    visit_configuration(protect, directory, "config.worktree", found, argument);
    visit_hooks(directory, found, argument);
}

static bool write_new(int directory, const char *name, const char *text)
{
    cleanup_fd int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    return fd >= 0 && fd_write_all(fd, text, strlen(text)) == 0;
}

/* A git of the command's that runs just now never finds none there, and what it has put there since
 * the other was read is not lost. */
static bool replace(const struct protect *protect, const char *path, int directory,
                    const char *found, const char *harmless)
{
    const char *name = strrchr(path, '/') + 1;
    char old[64], at[PATH_MAX];
    unsigned number;
    size_t size;
    bool all;
    random_fill(&number, sizeof number);
    snprintf(old, sizeof old, ".%.32s.%u", name, number);
    if (!write_new(directory, old, harmless) || !aside_exchange(directory, old, name)) {
        unlinkat(directory, old, 0);
        return aside_put(found) && fd_replace_cache(found, harmless, strlen(harmless), 0644) == 0;
    }
    cleanup_free char *parent = xstrndup(path, (size_t)(name - 1 - path));
    const struct git_harmless_place place = {parent, protect_root_of(protect, parent)};
    snprintf(at, sizeof at, "/proc/self/fd/%d/%s", directory, old);
    cleanup_free char *text = fd_read_file(at, FILE_MAX, true, &size);
    cleanup_free char *since = text ? git_harmless_copy(&place, text, size, &all) : NULL;
    if (since && strcmp(since, harmless) != 0)
        fd_replace_cache(found, since, strlen(since), 0644);
    return aside_move(directory, old, directory, name) || unlinkat(directory, old, 0) == 0;
}

bool git_code_set_aside(const struct protect *protect, const char *path, const char *harmless)
{
    const char *name = strrchr(path, '/') + 1;
    char found[PATH_MAX];
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                           .resolve = RESOLVE_NO_SYMLINKS};
    cleanup_free char *parent = xstrndup(path, (size_t)(name - path));
    cleanup_fd int directory = (int)syscall(SYS_openat2, AT_FDCWD, parent, &how, sizeof how);
    if (directory < 0 ||
        snprintf(found, sizeof found, "/proc/self/fd/%d/%s", directory, name) >= (int)sizeof found)
        return false;
    return harmless ? replace(protect, path, directory, found, harmless) : aside_put(found);
}
