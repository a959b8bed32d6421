/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/path.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

bool path_is_beneath(const char *path, const char *root)
{
    size_t length = strlen(root);
    if (length == 1 && *root == '/')
        return *path == '/';
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool path_join(char path[PATH_MAX], const char *directory, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX;
}

bool path_is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

bool path_is_system_program(const char *path)
{
    static const char *const directories[] = {"/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"};
    for (size_t i = 0; i < COUNT(directories); i++) {
        size_t length = strlen(directories[i]);
        if (strncmp(path, directories[i], length) == 0 && strchr(path + length, '/') == NULL)
            return true;
    }
    return false;
}
