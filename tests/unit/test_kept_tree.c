/* SPDX-License-Identifier: MIT */
/* kept_tree: what is as it was comes back as new files, and nothing else does. */
#include "config.h"

#include "sandbox/kept_tree.h"

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
#include "base/fd.h"
#include "tests/unit/tree_fixture.h"

/* Settings as they were, then the same in "from", where the test changes something. */
struct world {
    char *base, *from, *to;
    struct kept_tree tree;
};

static void fill(const char *base, const char *directory)
{
    cleanup_free char *settings = xasprintf("%s/settings.json", directory);
    cleanup_free char *command = xasprintf("%s/commands/deep/x.md", directory);
    cleanup_free char *script = xasprintf("%s/run.sh", directory);
    cleanup_free char *link = xasprintf("%s/%s/link", base, directory);
    tree_write(base, settings, "{}", 0644);
    tree_write(base, command, "hello", 0644);
    tree_write(base, script, "#!/bin/sh", 0755);
    assert_int_equal(symlink("settings.json", link), 0);
}

static int make(void **state)
{
    static struct world world;
    struct kept_tree_limit limit = KEPT_TREE_LIMIT;
    world = (struct world){.base = tree_new()};
    fill(world.base, "was");
    fill(world.base, "from");
    cleanup_free char *was = xasprintf("%s/was", world.base);
    world.from = xasprintf("%s/from", world.base);
    world.to = xasprintf("%s/to", world.base);
    assert_int_equal(mkdir(world.to, 0755), 0);
    kept_tree_read(&world.tree, was, &limit);
    assert_true(world.tree.whole);
    *state = &world;
    return 0;
}

static int unmake(void **state)
{
    struct world *world = *state;
    kept_tree_free(&world->tree);
    free(world->from);
    free(world->to);
    return tree_remove(world->base);
}

static bool has(const char *directory, const char *name, const char *text)
{
    size_t length;
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    cleanup_free char *bytes = fd_read_file(path, 100, true, &length);
    return bytes && strcmp(bytes, text) == 0;
}

static mode_t mode_of(const char *directory, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_mode : 0;
}

static ino_t inode_of(const char *directory, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_ino : 0;
}

static void what_is_the_same_is_made_anew(void **state)
{
    const struct world *world = *state;
    ino_t before = inode_of(world->from, "settings.json");
    assert_true(kept_tree_move(&world->tree, world->from, world->to));
    assert_true(has(world->to, "settings.json", "{}"));
    assert_true(has(world->to, "commands/deep/x.md", "hello"));
    assert_true(has(world->to, "run.sh", "#!/bin/sh"));
    assert_int_equal(mode_of(world->to, "run.sh"), S_IFREG | 0755);
    assert_true(S_ISLNK(mode_of(world->to, "link")));
    assert_int_not_equal(inode_of(world->to, "settings.json"), before);
    assert_int_equal(mode_of(world->base, "from"), 0);
}

static void what_is_missing_stays_so(void **state)
{
    const struct world *world = *state;
    cleanup_free char *path = xasprintf("%s/settings.json", world->from);
    unlink(path);
    assert_true(kept_tree_move(&world->tree, world->from, world->to));
    assert_int_equal(mode_of(world->to, "settings.json"), 0);
    assert_true(has(world->to, "commands/deep/x.md", "hello"));
}

static void what_is_new_or_different_is_left(void **state)
{
    const struct world *world = *state;
    tree_write(world->from, "settings.json", "[]", 0644);
    tree_write(world->from, "commands/evil.md", "evil", 0644);
    assert_false(kept_tree_move(&world->tree, world->from, world->to));
    assert_int_equal(mode_of(world->to, "settings.json"), 0);
    assert_int_equal(mode_of(world->to, "commands/evil.md"), 0);
    assert_true(has(world->to, "commands/deep/x.md", "hello"));
    assert_true(has(world->from, "settings.json", "[]"));
    assert_true(has(world->from, "commands/evil.md", "evil"));
}

static void a_link_in_the_place_of_a_directory_is_not_followed(void **state)
{
    const struct world *world = *state;
    cleanup_free char *deep = xasprintf("%s/commands", world->from);
    cleanup_free char *away = xasprintf("%s/away", world->base);
    assert_int_equal(rename(deep, away), 0);
    assert_int_equal(symlink(away, deep), 0);
    assert_false(kept_tree_move(&world->tree, world->from, world->to));
    assert_true(has(away, "deep/x.md", "hello"));
    assert_int_equal(mode_of(world->to, "commands"), 0);
}

static void a_link_to_a_directory_is_none(void **state)
{
    struct world *world = *state;
    cleanup_free char *link = xasprintf("%s/link", world->base);
    assert_int_equal(symlink(world->from, link), 0);
    assert_false(kept_tree_move(&world->tree, link, world->to));
    assert_true(has(world->from, "settings.json", "{}"));
    assert_int_equal(mode_of(world->to, "settings.json"), 0);
}

static void what_is_too_much_is_not_kept(void **state)
{
    const struct world *world = *state;
    struct kept_tree few = {.whole = false}, small = {.whole = false};
    struct kept_tree_limit entries = {.entries = 5, .bytes = 1000};
    struct kept_tree_limit bytes = {.entries = 100, .bytes = 20};
    kept_tree_read(&few, world->from, &entries);
    kept_tree_read(&small, world->from, &bytes);
    assert_false(few.whole);
    assert_false(small.whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_the_same_is_made_anew, make, unmake),
        cmocka_unit_test_setup_teardown(what_is_missing_stays_so, make, unmake),
        cmocka_unit_test_setup_teardown(what_is_new_or_different_is_left, make, unmake),
        cmocka_unit_test_setup_teardown(a_link_in_the_place_of_a_directory_is_not_followed, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_link_to_a_directory_is_none, make, unmake),
        cmocka_unit_test_setup_teardown(what_is_too_much_is_not_kept, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
