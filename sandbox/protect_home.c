/* SPDX-License-Identifier: MIT */
/* The settings in the operator's home that make programs run code: protect_add_home() of protect.h.
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/path.h"
#include "sandbox/nearby.h"
#include "sandbox/protect.h"
#include "sandbox/protected.h"

/* Most of the operator's settings lie beside one another. */
struct own {
    char directory[PATH_MAX]; /* the last that was looked at */
    bool leads;               /* into a root, or through one */
};

struct passing {
    const struct protect *protect;
    bool in_root;
};

static bool pass(void *argument, const struct nearby_step *step)
{
    struct passing *passing = argument;
    passing->in_root = protect_root_of(passing->protect, step->part ?: step->at);
    return !passing->in_root && (!step->part || step->status);
}

/* By any part of the way there, if only a link: a command could lead it elsewhere. What is missing
 * outside the roots nobody makes. */
static bool way_is_in_root(const struct protect *protect, const char *directory)
{
    char end[PATH_MAX];
    struct passing passing = {.protect = protect};
    nearby_follow(directory, pass, &passing, end);
    return passing.in_root;
}

static bool leads_into_root(const struct protect *protect, struct own *own, const char *path)
{
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (strcmp(directory, own->directory) != 0) {
        own->leads = way_is_in_root(protect, directory);
        memcpy(own->directory, directory, sizeof directory);
    }
    return own->leads;
}

/* Programs obey it wherever it is: in a root, or behind a link into one, its own or that of a
 * directory above it, as where people keep their settings in a repository. */
static void add_own(struct protect *protect, struct own *own, const char *directory,
                    const char *name)
{
    char path[PATH_MAX];
    if (!path_join(path, directory, name))
        return;
    mode_t type = fd_file_type(path);
    if (S_ISLNK(type) || leads_into_root(protect, own, path))
        protect_add_way(protect, path, PLACEHOLDER_SOCKET);
    cleanup_free char *end = S_ISDIR(type) ? realpath(path, NULL) : NULL;
    if (end)
        protect_add_links(protect, end, PROTECT_LINKS_HOME);
}

static void add_file_of_variable(struct protect *protect, const char *variable)
{
    const char *path = getenv(variable);
    if (path && path[0] == '/')
        protect_add_way(protect, path, PLACEHOLDER_SOCKET);
}

/* Those of zsh can lie elsewhere. */
static void add_shells(struct protect *protect, struct own *own)
{
    static const char *const NAMES[] = {".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout"};
    const char *directory = getenv("ZDOTDIR");
    for (size_t i = 0; directory && directory[0] == '/' && i < COUNT(NAMES); i++)
        add_own(protect, own, directory, NAMES[i]);
}

void protect_add_home(struct protect *protect, const char *home)
{
    static const char SETTINGS[] = ".config/";
    struct own own = {.directory = ""};
    const char *settings = getenv("XDG_CONFIG_HOME");
    bool elsewhere = settings && settings[0] == '/';
    add_file_of_variable(protect, "GIT_CONFIG_GLOBAL");
    add_shells(protect, &own);
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++)
        add_own(protect, &own, home, PROTECTED_NAMES[i].name);
    for (const char *const *name = PROTECTED_BENEATH_HOME; *name; name++)
        add_own(protect, &own, home, *name);
    for (const char *const *name = PROTECTED_BENEATH_HOME; elsewhere && *name; name++)
        if (strncmp(*name, SETTINGS, strlen(SETTINGS)) == 0)
            add_own(protect, &own, settings, *name + strlen(SETTINGS));
}
