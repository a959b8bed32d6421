/* SPDX-License-Identifier: MIT */
/* names: a name that a directory has is never denied, and hardly any other is allowed. */
#include "config.h"

#include "sandbox/names.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { FEW = 60, MANY = 500 };

struct place {
    char path[64];
    int fd;
};

static void name_of(int number, char name[32])
{
    snprintf(name, 32, ".name-%d", number);
}

static int make(void **state)
{
    static struct place place;
    snprintf(place.path, sizeof place.path, "%s", "/tmp/test-names-XXXXXX");
    assert_non_null(mkdtemp(place.path));
    place.fd = open(place.path, O_RDONLY | O_DIRECTORY);
    *state = &place;
    return 0;
}

static void add(const struct place *place, int from, int to)
{
    char name[32];
    for (int i = from; i < to; i++) {
        name_of(i, name);
        close(openat(place->fd, name, O_WRONLY | O_CREAT, 0600));
    }
}

static int unmake(void **state)
{
    const struct place *place = *state;
    char name[32];
    for (int i = 0; i < MANY; i++) {
        name_of(i, name);
        unlinkat(place->fd, name, 0);
    }
    close(place->fd);
    return rmdir(place->path);
}

static int count(const struct names *names, int from, int to)
{
    char name[32];
    int found = 0;
    for (int i = from; i < to; i++) {
        name_of(i, name);
        found += names_may_have(names, name);
    }
    return found;
}

static void what_is_there_is_not_denied(void **state)
{
    struct names names;
    const struct place *place = *state;
    names_read(&names, place->path);
    assert_int_equal(count(&names, 0, FEW), 0);
    add(place, 0, FEW);
    names_read(&names, place->path);
    assert_int_equal(count(&names, 0, FEW), FEW);
    assert_true(count(&names, FEW, 2 * FEW) < FEW / 4);
}

static void what_is_not_known_is_allowed(void **state)
{
    struct names names;
    char path[96];
    const struct place *place = *state;
    add(place, 0, MANY);
    names_read(&names, place->path); /* too many */
    assert_int_equal(count(&names, MANY, 2 * MANY), MANY);
    snprintf(path, sizeof path, "%s/.name-1", place->path);
    names_read(&names, path); /* no directory */
    assert_int_equal(count(&names, 0, FEW), FEW);
    unlink(path);
    assert_int_equal(symlink("/", path), 0);
    names_read(&names, path); /* whose directory it is may change */
    assert_int_equal(count(&names, 0, FEW), FEW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_there_is_not_denied, make, unmake),
        cmocka_unit_test_setup_teardown(what_is_not_known_is_allowed, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
