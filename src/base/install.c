/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/install.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "base/alloc.h"

/* Directory of the running program, symlinks resolved; NULL when the system does not tell. */
static char *own_directory(void)
{
    char path[PATH_MAX];
#ifdef __APPLE__
    char given[PATH_MAX];
    uint32_t size = sizeof(given);
    if (_NSGetExecutablePath(given, &size) != 0 || !realpath(given, path))
        return NULL;
#else
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
#endif
    char *slash = strrchr(path, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    return xstrdup(path);
}

/* Bytes that two paths share, up to and including a slash. */
static size_t shared_prefix(const char *a, const char *b)
{
    size_t shared = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            shared = i + 1;
    return shared;
}

char *install_relocate(const char *directory, const char *from, const char *to)
{
    size_t shared = shared_prefix(from, to);
    const char *tail = from + shared;
    size_t length = strlen(directory);
    size_t tail_length = strlen(tail);
    if (tail_length == 0 || length <= tail_length || directory[length - tail_length - 1] != '/' ||
        strcmp(directory + length - tail_length, tail) != 0)
        return NULL;
    return xasprintf("%.*s%s", (int)(length - tail_length), directory, to + shared);
}

/* DIRECTORY/NAME when it is there and `mode` (access(2)) is granted; frees neither. */
static char *try_place(const char *directory, const char *name, int mode)
{
    if (!directory)
        return NULL;
    char *path = xasprintf("%s/%s", directory, name);
    if (access(path, mode) == 0)
        return path;
    free(path);
    return NULL;
}

static char *try_relocated(const char *own, const char *to, const char *name, int mode)
{
    cleanup_free char *from_bin = install_relocate(own, ASSENT_BINDIR, to);
    char *path = try_place(from_bin, name, mode);
    if (path)
        return path;
    cleanup_free char *from_libexec = install_relocate(own, ASSENT_LIBEXECDIR, to);
    return try_place(from_libexec, name, mode);
}

char *install_find_program(const char *name, struct error *error)
{
    cleanup_free char *own = own_directory();
    char *path = NULL;
    if (own) {
        path = try_place(own, name, X_OK);
        if (!path)
            path = try_relocated(own, ASSENT_LIBEXECDIR, name, X_OK);
        if (!path)
            path = try_relocated(own, ASSENT_BINDIR, name, X_OK);
    }
    if (!path)
        path = try_place(ASSENT_LIBEXECDIR, name, X_OK);
    if (!path)
        path = try_place(ASSENT_BINDIR, name, X_OK);
    if (!path)
        error_set(error, ENOENT, "the program %s is missing in %s: install Assent again", name,
                  ASSENT_LIBEXECDIR);
    return path;
}

char *install_find_data(const char *name, struct error *error)
{
    cleanup_free char *own = own_directory();
    char *path = NULL;
    if (own) {
        /* A build tree is known by its config.status; elsewhere "data" beside a program means
         * nothing to us. */
        cleanup_free char *build_mark = try_place(own, "config.status", R_OK);
        if (build_mark) {
            cleanup_free char *built = xasprintf("%s/data", own);
            path = try_place(built, name, R_OK);
            if (!path)
                path = try_place(ASSENT_SOURCE_DATADIR, name, R_OK);
        }
        if (!path)
            path = try_relocated(own, ASSENT_DATADIR, name, R_OK);
    }
    if (!path)
        path = try_place(ASSENT_DATADIR, name, R_OK);
    if (!path)
        error_set(error, ENOENT, "the file %s is missing in %s: install Assent again", name,
                  ASSENT_DATADIR);
    return path;
}

char *install_find_locale(void)
{
    cleanup_free char *own = own_directory();
    cleanup_free char *moved = own ? try_relocated(own, LOCALEDIR, ".", R_OK) : NULL;
    return moved ? steal_pointer(&moved) : xstrdup(LOCALEDIR);
}
