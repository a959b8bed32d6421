/* SPDX-License-Identifier: MIT */
/* places: made, locked, swept when their console is gone, emptied when they have grown too much. */
#include "config.h"

#include "approval/places.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"

static char state_directory[] = "places-test-XXXXXX";

static bool is_there(const char *directory, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

static void write_file(const char *directory, const char *name, size_t size)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    cleanup_free char *bytes = xcalloc(1, size);
    memset(bytes, 'x', size);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static struct places *open_places(const char *id)
{
    struct error error = ERROR_INIT;
    struct places *places = places_open(state_directory, id, &error);
    if (!places)
        fail_msg("%s", error.message);
    return places;
}

static void made_and_removed(void **state)
{
    (void)state;
    struct stat status;
    struct places *places = open_places("one");
    assert_int_equal(stat(places->tmp, &status), 0);
    assert_int_equal(status.st_mode & 07777, 01777);
    assert_int_equal(stat(places->directory, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    write_file(places->tmp, "kept", 10);
    cleanup_free char *directory = xstrdup(places->directory);
    places_close(&places);
    assert_null(places);
    assert_int_equal(access(directory, F_OK), -1);
    struct error error = ERROR_INIT;
    assert_null(places_open("/nowhere/at/all", "x", &error));
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
}

static void what_is_left_behind_is_swept(void **state)
{
    (void)state;
    pid_t dies = fork();
    if (dies == 0) {
        struct places *places = open_places("left");
        write_file(places->tmp, "behind", 10);
        chmod(places->tmp, 0);
        _exit(0);
    }
    assert_int_equal(waitpid(dies, NULL, 0), dies);
    cleanup_free char *parent = xasprintf("%s/places", state_directory);
    assert_true(is_there(parent, "left"));
    struct places *lives = open_places("lives");
    assert_false(is_there(parent, "left"));
    struct places *next = open_places("next");
    assert_true(is_there(parent, "lives")); /* it is locked */
    places_close(&lives);
    places_close(&next);
}

static void caches_are_bounded(void **state)
{
    (void)state;
    struct places *places = open_places("caches");
    write_file(places->caches, "large", 200000);
    for (int i = 0; i < PLACES_CHECK_USES; i++)
        places_use_caches(places, 1000000);
    assert_true(is_there(places->caches, "large"));
    for (int i = 0; i < PLACES_CHECK_USES - 1; i++)
        places_use_caches(places, 100000);
    assert_true(is_there(places->caches, "large"));
    places_use_caches(places, 100000);
    assert_false(is_there(places->caches, "large"));
    assert_true(is_there(places->directory, "caches"));
    places_close(&places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_and_removed),
        cmocka_unit_test(what_is_left_behind_is_swept),
        cmocka_unit_test(caches_are_bounded),
    };
    if (!mkdtemp(state_directory))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char path[64];
    snprintf(path, sizeof path, "%s/places", state_directory);
    rmdir(path);
    rmdir(state_directory);
    return failed;
}
