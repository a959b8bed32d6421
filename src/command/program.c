/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/program.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"

static bool is_executable_file(const char *path, struct stat *status)
{
    return stat(path, status) == 0 && S_ISREG(status->st_mode) && access(path, X_OK) == 0;
}

static int64_t changed_ns(const struct stat *status)
{
    return (int64_t)status->st_ctim.tv_sec * 1000000000 + status->st_ctim.tv_nsec;
}

/* Takes `path` over: true and stored when it is an executable file, else freed. */
static bool program_take(struct program *program, char *path)
{
    struct stat status;
    cleanup_free char *owned = path;
    if (!is_executable_file(owned, &status))
        return false;
    char *real = realpath(owned, NULL);
    if (real == NULL)
        return false;
    program->path = steal_pointer(&owned);
    program->real = real;
    program->device = (uint64_t)status.st_dev;
    program->inode = (uint64_t)status.st_ino;
    program->changed_ns = changed_ns(&status);
    program->trusted_owner = (status.st_uid == 0 || status.st_uid == geteuid()) &&
                             (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    return true;
}

static void program_search(const char *name, const char *search_path, struct program *program)
{
    for (const char *at = search_path; at != NULL; at = *at == ':' ? at + 1 : NULL) {
        size_t length = strcspn(at, ":");
        if (*at == '/' && program_take(program, xasprintf("%.*s/%s", (int)length, at, name)))
            return;
        at += length;
    }
}

/* A command has such places of its own: it may find another file there than we do. */
static bool is_temporary(const char *path)
{
    return path_is_beneath(path, "/tmp") || path_is_beneath(path, "/var/tmp");
}

void program_find(const char *name, const char *cwd, const char *search_path,
                  struct program *program)
{
    *program = (struct program){.path = NULL};
    if (*name == '\0' || strlen(name) >= PATH_MAX)
        return;
    if (strchr(name, '/') == NULL)
        program_search(name, search_path, program);
    else if (program_take(program, *name == '/' ? xstrdup(name) : xasprintf("%s/%s", cwd, name)) &&
             (is_temporary(program->path) || is_temporary(program->real)))
        program->trusted_owner = false;
}

void program_clear(struct program *program)
{
    free(program->path);
    free(program->real);
    *program = (struct program){.path = NULL};
}

bool program_unchanged(const struct program *program)
{
    struct stat status;
    return program->path != NULL && is_executable_file(program->path, &status) &&
           (uint64_t)status.st_dev == program->device &&
           (uint64_t)status.st_ino == program->inode && changed_ns(&status) == program->changed_ns;
}

bool program_is_installed(const struct program *program, const char *const *writable_roots)
{
    if (program->path == NULL || !program->trusted_owner)
        return false;
    for (size_t i = 0; writable_roots != NULL && writable_roots[i] != NULL; i++)
        if (path_is_beneath(program->real, writable_roots[i]) ||
            path_is_beneath(program->path, writable_roots[i]))
            return false;
    return true;
}

static bool directory_is_closed(const char *directory, const char *const *writable_roots)
{
    cleanup_free char *physical = realpath(directory, NULL);
    for (size_t i = 0; writable_roots != NULL && writable_roots[i] != NULL; i++)
        if (path_is_beneath(physical != NULL ? physical : directory, writable_roots[i]) ||
            path_is_beneath(directory, writable_roots[i]))
            return false;
    return true;
}

bool program_path_is_closed(const char *search_path, const char *const *writable_roots)
{
    for (const char *at = search_path; at != NULL; at = *at == ':' ? at + 1 : NULL) {
        size_t length = strcspn(at, ":");
        cleanup_free char *directory = xstrndup(at, length);
        if (directory[0] != '/' || !directory_is_closed(directory, writable_roots))
            return false;
        at += length;
    }
    return search_path != NULL;
}

bool program_is_manager(const struct program *program)
{
    static const char *const managers[] = {"asdf",  "mise",  "rustup", "rustup-init", "volta-shim",
                                           "pyenv", "rbenv", "proto",  "aqua-proxy"};
    if (program->path == NULL)
        return false;
    const char *name = strrchr(program->real, '/') + 1, *called = strrchr(program->path, '/') + 1;
    for (size_t i = 0; i < COUNT(managers); i++)
        if (strcmp(managers[i], name) == 0 && strcmp(managers[i], called) != 0)
            return true;
    return strstr(program->path, "/shims/") != NULL || strstr(program->real, "/shims/") != NULL;
}

const char *program_environment_get(const char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; environment != NULL && environment[i] != NULL; i++)
        if (strncmp(environment[i], name, length) == 0 && environment[i][length] == '=')
            return environment[i] + length + 1;
    return NULL;
}

bool program_is_machine_code(const char *bytes, size_t length)
{
    static const char magic[][4] = {
        {0x7f, 'E', 'L', 'F'}, {'\xcf', '\xfa', '\xed', '\xfe'}, {'\xca', '\xfe', '\xba', '\xbe'}};
    /* A shell reads what the kernel cannot start, but no text with a NUL in front. */
    if (length < PROGRAM_HEAD || memchr(bytes, '\0', PROGRAM_HEAD) == NULL)
        return false;
    for (size_t i = 0; i < COUNT(magic); i++)
        if (memcmp(bytes, magic[i], sizeof(magic[i])) == 0)
            return true;
    return false;
}
