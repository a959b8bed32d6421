/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/path.h"

#include <string.h>

bool path_is_beneath(const char *path, const char *root)
{
    size_t length = strlen(root);
    if (length == 1 && *root == '/')
        return *path == '/';
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}
