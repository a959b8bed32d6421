/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tree_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

char *tree_new(void)
{
    char template[] = "/var/tmp/assent-tree-XXXXXX";
    assert_non_null(mkdtemp(template));
    return xstrdup(template);
}

void tree_write(const char *base, const char *name, const char *text, unsigned mode)
{
    cleanup_free char *path = xasprintf("%s/%s", base, name);
    cleanup_free char *directory = xstrndup(path, (size_t)(strrchr(path, '/') - path));
    assert_int_equal(fd_make_directories(directory, 0755), 0);
    assert_int_equal(fd_replace_file(path, text, strlen(text), mode), 0);
}

int tree_remove(char *base)
{
    cleanup_free char *command = xasprintf("rm -r '%s'", base);
    free(base);
    return system(command);
}
