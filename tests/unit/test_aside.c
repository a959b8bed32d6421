/* SPDX-License-Identifier: MIT */
/* aside: nothing keeps its name, and nothing is lost, whatever names are taken. */
#include "config.h"

#include "sandbox/aside.h"

#include <dirent.h>
#include <fcntl.h>
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
#include "tests/unit/tree_fixture.h"

static int make(void **state)
{
    *state = tree_new();
    return 0;
}

static int unmake(void **state)
{
    return tree_remove(*state);
}

static bool is_there(const char *base, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", base, name);
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool put(const char *base, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", base, name);
    return aside_put(path);
}

static size_t count_entries(const char *base)
{
    size_t count = 0;
    DIR *list = opendir(base);
    assert_non_null(list);
    while (readdir(list))
        count++;
    closedir(list);
    return count - 2;
}

static void each_gets_a_name_of_its_own(void **state)
{
    for (int i = 0; i < 3; i++) {
        tree_write(*state, "hook", "x", 0644);
        assert_true(put(*state, "hook"));
        assert_false(is_there(*state, "hook"));
    }
    assert_true(is_there(*state, "hook.set-aside"));
    assert_true(is_there(*state, "hook.set-aside-2"));
    assert_true(is_there(*state, "hook.set-aside-3"));
}

static void a_directory_goes_with_what_is_in_it(void **state)
{
    tree_write(*state, "settings/evil", "x", 0644);
    assert_true(put(*state, "settings"));
    assert_true(is_there(*state, "settings.set-aside/evil"));
}

/* The names are taken by directories, which a file can not be renamed over and which are not empty.
 */
static void names_that_can_be_guessed_are_taken(void **state)
{
    tree_write(*state, "settings.set-aside/x", "", 0644);
    for (int i = 2; i < 300; i++) {
        cleanup_free char *name = xasprintf("settings.set-aside-%d/x", i);
        tree_write(*state, name, "", 0644);
    }
    tree_write(*state, "settings/evil", "x", 0644);
    size_t before = count_entries(*state);
    assert_true(put(*state, "settings"));
    assert_false(is_there(*state, "settings"));
    assert_int_equal(count_entries(*state), before);
}

static void a_long_name_is_cut(void **state)
{
    char name[NAME_MAX + 1] = "";
    memset(name, 'x', NAME_MAX);
    tree_write(*state, name, "", 0644);
    assert_true(put(*state, name));
    assert_false(is_there(*state, name));
    assert_int_equal(count_entries(*state), 1);
}

static void what_is_not_there_can_not_be_put(void **state)
{
    assert_false(put(*state, "nothing"));
    assert_int_equal(count_entries(*state), 0);
}

static void a_move_keeps_the_name_where_it_is_free(void **state)
{
    tree_write(*state, "from/a", "1", 0644);
    tree_write(*state, "from/b", "2", 0644);
    tree_write(*state, "to/b", "3", 0644);
    cleanup_free char *from_path = xasprintf("%s/from", (char *)*state);
    cleanup_free char *to_path = xasprintf("%s/to", (char *)*state);
    int from = open(from_path, O_PATH | O_DIRECTORY), to = open(to_path, O_PATH | O_DIRECTORY);
    assert_true(aside_move(from, "a", to, "a"));
    assert_true(aside_move(from, "b", to, "b"));
    assert_false(aside_move(from, "c", to, "c"));
    close(from);
    close(to);
    assert_true(is_there(*state, "to/a"));
    assert_true(is_there(*state, "to/b"));
    assert_true(is_there(*state, "to/b.set-aside"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_gets_a_name_of_its_own, make, unmake),
        cmocka_unit_test_setup_teardown(a_directory_goes_with_what_is_in_it, make, unmake),
        cmocka_unit_test_setup_teardown(names_that_can_be_guessed_are_taken, make, unmake),
        cmocka_unit_test_setup_teardown(a_long_name_is_cut, make, unmake),
        cmocka_unit_test_setup_teardown(what_is_not_there_can_not_be_put, make, unmake),
        cmocka_unit_test_setup_teardown(a_move_keeps_the_name_where_it_is_free, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
