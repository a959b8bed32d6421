/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sandbox/nearby.h"

/* What the kernel and the C library say of each path beneath `base`. */
static void test_as_realpath(void **state)
{
    static const char *const PATHS[] = {
        "",        "/",       "/d",       "/d/",        "/d/.",  "/d//e/../e", "/f",
        "/f/",     "/f/.",    "/f/..",    "/f/x",       "/none", "/none/..",   "/l",
        "/l/..",   "/l/e",    "/up",      "/absolute",  "/loop", "/dangling",  "/dangling/x",
        "/file/x", "/file/.", "/l/./e//", "/slash/e/.", "/file",
    };
    const char *base = *state;
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        cleanup_free char *path = xasprintf("%s%s", base, PATHS[i]);
        cleanup_free char *expected = realpath(path, NULL);
        int number = errno;
        cleanup_free char *found = nearby_resolve(path);
        if (expected && found)
            assert_string_equal(found, expected);
        else if (expected || found || errno != number)
            fail_msg("%s: %s, not %s (%d, not %d)", path, found, expected, errno, number);
    }
    cleanup_free char *root = nearby_resolve("/../..");
    assert_string_equal(root, "/");
}

static void test_far(void **state)
{
    char path[PATH_MAX];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", (const char *)*state);
    for (int i = 0; i < 100; i++)
        length += (size_t)snprintf(path + length, sizeof path - length, "/d/..");
    cleanup_free char *near = nearby_resolve(path);
    assert_string_equal(near, *state);
    for (int i = 0; i < 400; i++)
        length += (size_t)snprintf(path + length, sizeof path - length, "/d/..");
    assert_null(nearby_resolve(path));
    assert_int_equal(errno, ELOOP);
}

static int set_up(void **state)
{
    static char base[] = "/tmp/nearby.XXXXXX";
    *state = mkdtemp(base);
    return !*state || chdir(base) < 0 || mkdir("d", 0700) < 0 || mkdir("d/e", 0700) < 0 ||
           mknod("f", S_IFREG | 0600, 0) < 0 || symlink("d", "l") < 0 ||
           symlink("..", "d/up") < 0 || symlink("d/up/d/e", "up") < 0 ||
           symlink(base, "absolute") < 0 || symlink("loop", "loop") < 0 ||
           symlink("none", "dangling") < 0 || symlink("f", "file") < 0 ||
           symlink("d/", "slash") < 0;
}

static int tear_down(void **state)
{
    cleanup_free char *command = xasprintf("rm -rf '%s'", (const char *)*state);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_realpath),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
