/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/protect.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/path.h"
#include "sandbox/mounts.h"
#include "sandbox/placeholder.h"

/* Each item is a mount, and a mount takes the kernel longer the more there are. */
enum { EACH_MAX = 2000, MODULES_MAX = 16000, ALL_MAX = 32000 };

/* ---- the list --------------------------------------------------------------------------- */

static char *key_of(const struct protect_item *item)
{
    return xasprintf("%d%s", item->kind, item->path);
}

static void append(struct protect *protect, struct protect_item item)
{
    cleanup_free char *key = key_of(&item);
    if (!strset_add(&protect->known, key, strlen(key)))
        return;
    item.path = xstrdup(item.path);
    protect->items = xreallocarray(protect->items, protect->count + 1, sizeof *protect->items);
    protect->items[protect->count++] = item;
}

void protect_add(struct protect *protect, enum protect_kind kind, const char *path)
{
    append(protect, (struct protect_item){.path = (char *)path, .kind = kind});
}

void protect_forget(struct protect *protect, struct protect_item *item)
{
    cleanup_free char *key = key_of(item);
    strset_remove(&protect->known, key);
    free(item->path);
    item->path = NULL;
}

bool protect_add_lent(struct protect *protect, const char *path)
{
    struct stat status;
    if (lstat(path, &status) < 0 || !placeholder_is(&status))
        return false;
    append(protect, (struct protect_item){.path = (char *)path,
                                          .kind = PROTECT_READONLY,
                                          .missing = S_ISDIR(status.st_mode) ? PLACEHOLDER_DIRECTORY
                                                                             : PLACEHOLDER_SOCKET,
                                          .lent = true});
    return true;
}

bool protect_has(const struct protect *protect, enum protect_kind kind, const char *path,
                 size_t length)
{
    cleanup_free char *key = xasprintf("%d%.*s", kind, (int)length, path);
    return strset_has(&protect->known, key);
}

bool protect_is_kept(const struct protect *protect, const char *path)
{
    for (size_t end = strlen(path); end > 0; end--)
        if (path[end] == '/' || path[end] == '\0') {
            if (protect_has(protect, PROTECT_WRITABLE, path, end))
                return false;
            if (protect_has(protect, PROTECT_READONLY, path, end))
                return true;
        }
    return false;
}

bool protect_add_if_missing(struct protect *protect, enum placeholder_kind missing,
                            const char *path, const char *content)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !placeholder_is(&status))
        return false;
    append(protect, (struct protect_item){.path = (char *)path,
                                          .kind = PROTECT_READONLY,
                                          .missing = missing,
                                          .content = content});
    return true;
}

bool protect_is_crowded(const struct protect *protect, size_t first)
{
    return protect->count > first + EACH_MAX || protect->count > ALL_MAX;
}

bool protect_is_crowded_with_modules(const struct protect *protect, size_t first)
{
    return protect->count > first + MODULES_MAX || protect->count > ALL_MAX;
}

void protect_add_whole(struct protect *protect, const char *path)
{
    protect_add(protect, PROTECT_READONLY, path);
    protect_note_whole(protect, path);
}

void protect_note_whole(struct protect *protect, const char *path)
{
    protect->whole =
        xreallocarray(protect->whole, protect->whole_count + 1, sizeof *protect->whole);
    protect->whole[protect->whole_count++] = xstrdup(path);
}

bool protect_know_repository(struct protect *protect, const char *path)
{
    if (!strset_add(&protect->known_repositories, path, strlen(path)))
        return false;
    protect->repositories = xreallocarray(protect->repositories, protect->repository_count + 1,
                                          sizeof *protect->repositories);
    protect->repositories[protect->repository_count++] = xstrdup(path);
    return true;
}

void protect_know_pointer(struct protect *protect, const char *path)
{
    protect->pointers =
        xreallocarray(protect->pointers, protect->pointer_count + 1, sizeof *protect->pointers);
    protect->pointers[protect->pointer_count++] = xstrdup(path);
}

bool protect_is_root(const struct protect *protect, const char *directory)
{
    return strv_has((const char *const *)protect->roots, directory);
}

const char *protect_root_of(const struct protect *protect, const char *path)
{
    const char *found = NULL;
    for (char **root = protect->roots; *root; root++)
        if (path_is_beneath(path, *root) && (!found || strlen(*root) > strlen(found)))
            found = *root;
    return found;
}

void protect_add_writable(struct protect *protect, const char *path)
{
    cleanup_free char *physical = realpath(path, NULL);
    if (physical && strcmp(physical, path) == 0 && protect_root_of(protect, path))
        protect_add(protect, PROTECT_WRITABLE, path);
}

/* Of somebody else's directory a command can not change the mode either, but where it may search
 * that it needs no list: it can know the names. */
void protect_note_barred(struct protect *protect, const char *directory)
{
    struct stat status;
    if (!protect->barred && stat(directory, &status) == 0 &&
        (status.st_uid == geteuid() || access(directory, X_OK) == 0))
        protect->barred = xstrdup(directory);
}

/* How much of `path` is pinned already, beneath `root`; what is pinned is so from there on. */
static size_t pinned_length(const struct protect *protect, const char *path, size_t root)
{
    size_t length = strlen(path);
    while (length > root && !protect_has(protect, PROTECT_PIN, path, length))
        while (--length > root && path[length] != '/') {
        }
    return length;
}

bool protect_pin_to(struct protect *protect, const char *path)
{
    const char *root = protect_root_of(protect, path);
    char part[PATH_MAX];
    if (!root)
        return false;
    for (size_t at = pinned_length(protect, path, strlen(root)); path[at];) {
        cleanup_free char *above = xstrndup(path, at);
        at += 1 + strcspn(path + at + 1, "/");
        snprintf(part, sizeof part, "%.*s", (int)at, path);
        struct stat status;
        if (lstat(part, &status) == 0)
            protect_add(protect, S_ISLNK(status.st_mode) ? PROTECT_LINK : PROTECT_PIN, part);
        else if (errno == EACCES) /* another command has just changed a mode */
            protect_note_barred(protect, above);
    }
    return true;
}

/* ---- holding and mounting ---------------------------------------------------------------- */

/* Without a placeholder there is nothing to mount over. */
static void forget(struct protect *protect, size_t index)
{
    protect_forget(protect, &protect->items[index]);
    memmove(&protect->items[index], &protect->items[index + 1],
            (--protect->count - index) * sizeof *protect->items);
}

/* Nor could a command make something there. The owner of a directory has only to change its mode,
 * and what can not be reached now may be so in a moment. */
static bool is_beyond_the_user(const char *path, int number)
{
    struct stat status;
    cleanup_free char *directory = xstrndup(path, (size_t)(strrchr(path, '/') - path));
    if (number != EACCES)
        return number == EROFS || number == EPERM;
    return stat(directory, &status) == 0 && status.st_uid != geteuid();
}

static int hold(struct protect *protect, struct placeholders *placeholders, struct error *error)
{
    for (size_t i = 0; i < protect->count; i++) {
        struct protect_item *item = &protect->items[i];
        if (item->missing == PLACEHOLDER_NONE || item->lent)
            continue;
        int result = placeholders_make(placeholders, item->missing, item->path, item->content);
        if (is_beyond_the_user(item->path, -result))
            forget(protect, i--);
        else if (result < 0)
            return error_set(error, -result, "holding the place of %s", item->path);
        else if (result > 0)
            item->missing = PLACEHOLDER_NONE; /* made by somebody in the meantime */
    }
    return 0;
}

int protect_hold(struct protect *protect, struct placeholders *placeholders, struct error *error)
{
    if (protect->barred)
        return error_set(
            error, 0,
            "%s can not be looked into: it needs the rights to list and to search it (chmod u+rx)",
            protect->barred);
    mode_t mask = umask(0);
    int result = hold(protect, placeholders, error);
    umask(mask);
    return result;
}

void protect_free(struct protect *protect)
{
    for (size_t i = 0; i < protect->count; i++)
        free(protect->items[i].path);
    free(protect->items);
    for (size_t i = 0; i < protect->repository_count; i++)
        free(protect->repositories[i]);
    free(protect->repositories);
    for (size_t i = 0; i < protect->pointer_count; i++)
        free(protect->pointers[i]);
    free(protect->pointers);
    for (size_t i = 0; i < protect->whole_count; i++)
        free(protect->whole[i]);
    free(protect->whole);
    for (size_t i = 0; i < protect->closed_count; i++)
        free(protect->closed[i]);
    free(protect->closed);
    free(protect->barred);
    nested_free(&protect->nested);
    strset_clear(&protect->known);
    strset_clear(&protect->known_repositories);
    strv_free(&protect->roots);
    *protect = (struct protect){0};
}

/* ---- mounting --------------------------------------------------------------------------- */

int protect_apply_item(const struct protect_item *item)
{
    switch (item->kind) {
    case PROTECT_PIN:
        return mounts_pin(item->path);
    case PROTECT_READONLY:
        return mounts_cover_readonly(item->path);
    case PROTECT_WRITABLE:
        return mounts_cover_writable(item->path);
    case PROTECT_LINK:
        break;
    }
    return mounts_pin_link(item->path);
}

int protect_apply(const struct protect *protect, struct error *error)
{
    for (size_t i = 0; i < protect->count; i++) {
        int result = protect_apply_item(&protect->items[i]);
        bool is_gone = result == -ENOENT && protect->items[i].lent;
        if (result < 0 && !is_gone)
            return error_set(error, -result, "protecting %s", protect->items[i].path);
    }
    return 0;
}
