/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[32], path[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/assent-secret-XXXXXX");
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof(path), "%s/key", directory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory); /* no temporary file is left */
}

static void first_one_stays(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct secret one, two;
    struct stat status;
    assert_int_equal(secret_read(path, &one, &error), -1);
    assert_int_equal(error.number, ENOENT);
    assert_int_equal(secret_create(path, &error), 0);
    assert_int_equal(secret_read(path, &one, &error), 0);
    assert_int_equal(secret_create(path, &error), 0);
    assert_int_equal(secret_read(path, &two, &error), 0);
    assert_memory_equal(&one, &two, sizeof(one));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    memset(&one, 7, sizeof(one));
    assert_int_equal(secret_write(path, &one, &error), 0);
    assert_int_equal(secret_read(path, &two, &error), 0);
    assert_memory_equal(&one, &two, sizeof(one));
}

static void others_must_not_read_it(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct secret secret;
    assert_int_equal(secret_create(path, &error), 0);
    chmod(path, 0640);
    assert_int_equal(secret_read(path, &secret, &error), -1);
    assert_non_null(strstr(error.message, "others could have read"));
    chmod(path, 0600);
    assert_int_equal(truncate(path, 30), 0);
    assert_int_equal(secret_read(path, &secret, &error), -1);
    assert_non_null(strstr(error.message, "damaged"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(first_one_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(others_must_not_read_it, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
