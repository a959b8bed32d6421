/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/touched.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/fd.h"

struct place {
    char *root;
    char **before;
    int64_t since;
};

static char *path_of(const struct place *place, const char *name)
{
    return xasprintf("%s/%s", place->root, name);
}

static void write_file(const struct place *place, const char *name)
{
    cleanup_free char *path = path_of(place, name);
    cleanup_free char *directory = xstrdup(path);
    *strrchr(directory, '/') = '\0';
    assert_int_equal(fd_make_directories(directory, 0755), 0);
    assert_int_equal(fd_replace_file(path, "x\n", 2, 0644), 0);
}

/* A file's times are those of the kernel's last tick. */
static void let_time_pass(void)
{
    usleep(30 * 1000);
}

static int set_up(void **state)
{
    static const char *const files[] = {"a.c",
                                        "docs/one.md",
                                        "docs/two.md",
                                        ".git/HEAD",
                                        ".git/refs/heads/main",
                                        ".git/logs/HEAD",
                                        "node_modules/p/i.js",
                                        "empty/deep/x.c"};
    struct place *place = XNEW(struct place);
    char directory[] = "/tmp/touched.XXXXXX";
    assert_non_null(mkdtemp(directory));
    place->root = realpath(directory, NULL);
    for (size_t i = 0; i < COUNT(files); i++)
        write_file(place, files[i]);
    let_time_pass();
    place->before = touched_before(place->root);
    place->since = touched_now();
    let_time_pass();
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    cleanup_free char *command = xasprintf("rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
    strv_free(&place->before);
    free(place->root);
    free(place);
    return 0;
}

static void assert_touched(const struct place *place, const char *expected)
{
    const char *const places[] = {place->root, NULL};
    bool some;
    cleanup_wording struct wording *words =
        touched_words(places, place->before, place->since, &some);
    assert_string_equal(wording_english(words), expected);
    assert_int_equal(some, strncmp(expected, "changed", 7) == 0);
}

static void remove_at(const struct place *place, const char *name)
{
    cleanup_free char *path = path_of(place, name);
    assert_int_equal(unlink(path), 0);
}

static void that_nothing_was_found_is_said(void **state)
{
    assert_touched(*state, "no change was found");
}

/* What cannot be looked at is not what has not changed. */
static void that_it_could_not_be_looked_at_is_said(void **state)
{
    const struct place *place = *state;
    const char *const places[] = {place->root, NULL};
    struct rlimit before, none;
    bool some;
    write_file(place, "new.c");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    cleanup_wording struct wording *words =
        touched_words(places, place->before, place->since, &some);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_string_equal(wording_english(words),
                        "no change was found (not all of the workspace was looked at)");
    assert_true(some);
}

static void what_is_nearest_comes_first(void **state)
{
    struct place *place = *state;
    write_file(place, "node_modules/p/i.js");
    write_file(place, ".git/refs/heads/main");
    write_file(place, "docs/new.md");
    write_file(place, "a.c");
    assert_touched(place, "changed meanwhile: branch main, a.c, docs/new.md, node_modules/p/i.js");
}

/* A name that is gone shows only in its directory. */
static void what_is_gone_is_named_by_its_directory(void **state)
{
    struct place *place = *state;
    remove_at(place, "docs/one.md");
    remove_at(place, ".git/refs/heads/main");
    assert_touched(place, "changed meanwhile: branches, docs/");
    write_file(place, "docs/two.md"); /* … unless something else there has changed */
    assert_touched(place, "changed meanwhile: branches, docs/two.md");
}

/* … but of those at the top, which were noted. */
static void what_is_gone_at_the_top_is_named(void **state)
{
    struct place *place = *state;
    const char *const places[] = {place->root, NULL};
    remove_at(place, "a.c");
    assert_touched(place, "changed meanwhile: a.c (gone)");
    write_file(place, "docs/two.md");
    assert_touched(place, "changed meanwhile: a.c (gone), docs/two.md");
    assert_null(touched_before("/nonexistent"));
    bool some;
    cleanup_wording struct wording *words = touched_words(places, NULL, place->since, &some);
    assert_string_equal(wording_english(words),
                        "changed meanwhile: docs/two.md (not all of the workspace was looked at)");
}

static void move(const struct place *place, const char *from, const char *to)
{
    cleanup_free char *old = path_of(place, from), *new = path_of(place, to);
    assert_int_equal(rename(old, new), 0);
}

/* Nothing in it has changed, only the directory itself. */
static void what_is_moved_is_named(void **state)
{
    struct place *place = *state;
    move(place, "empty/deep", "empty/other");
    assert_touched(place, "changed meanwhile: empty/other/");
}

static void what_is_closed_is_named(void **state)
{
    struct place *place = *state;
    cleanup_free char *docs = path_of(place, "docs");
    assert_int_equal(chmod(docs, 0700), 0);
    assert_touched(place, "changed meanwhile: docs/");
}

/* Placeholders beside its .git come and go, and are no change of its. */
static void what_is_moved_is_named_as_a_repository_too(void **state)
{
    struct place *place = *state;
    cleanup_free char *git = path_of(place, "empty/deep/.git");
    cleanup_free char *held = path_of(place, "empty/deep/.mcp.json");
    assert_int_equal(mkdir(git, 0755), 0);
    let_time_pass();
    place->since = touched_now();
    let_time_pass();
    move(place, "empty/deep", "empty/other");
    assert_touched(place, "changed meanwhile: empty/other/");
    move(place, "empty/other", "empty/deep");
    let_time_pass();
    place->since = touched_now();
    let_time_pass();
    write_file(place, "empty/deep/.mcp.json");
    assert_int_equal(unlink(held), 0);
    assert_touched(place, "no change was found");
}

/* Of many the first are named, and the number of the others. */
static void of_many_the_number_is_told(void **state)
{
    struct place *place = *state;
    for (int i = 0; i < TOUCHED_NAMES + 3; i++) {
        cleanup_free char *name = xasprintf("docs/%d", i);
        write_file(place, name);
    }
    const char *const places[] = {place->root, NULL};
    bool some;
    write_file(place, ".git/refs/heads/main");
    cleanup_wording struct wording *words = touched_words(places, NULL, place->since, &some);
    assert_non_null(strstr(wording_english(words), "changed meanwhile: branch main, docs/"));
    assert_non_null(strstr(wording_english(words), " and 4 more"));
}

static void what_git_keeps_has_its_name(void **state)
{
    struct place *place = *state;
    static const char *const files[] = {".git/HEAD", ".git/index", ".git/refs/tags/v1",
                                        ".git/refs/heads/a/b"};
    static const char *const names[] = {"which branch is checked out", "git's index", "tag v1",
                                        "branch a/b"};
    for (size_t i = 0; i < COUNT(files); i++)
        write_file(place, files[i]);
    const char *const places[] = {place->root, NULL};
    bool some;
    cleanup_wording struct wording *words = touched_words(places, NULL, place->since, &some);
    for (size_t i = 0; i < COUNT(names); i++)
        assert_non_null(strstr(wording_english(words), names[i]));
    assert_null(strstr(wording_english(words), ".git"));
}

static void an_empty_directory_is_named(void **state)
{
    struct place *place = *state;
    cleanup_free char *path = path_of(place, "docs/new");
    assert_int_equal(mkdir(path, 0755), 0);
    assert_touched(place, "changed meanwhile: docs/new/");
}

/* The times that a command can set are not those that are compared. */
static void a_time_that_was_set_back_hides_nothing(void **state)
{
    struct place *place = *state;
    cleanup_free char *path = path_of(place, "a.c");
    const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    cleanup_free char *docs = path_of(place, "docs");
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    assert_touched(place, "changed meanwhile: a.c");
    remove_at(place, "docs/one.md");
    assert_int_equal(utimensat(AT_FDCWD, docs, old, 0), 0);
    assert_touched(place, "changed meanwhile: a.c, docs/");
}

/* What is written at once bears the time of a tick that was before. */
static void what_changed_at_once_is_not_missed(void **state)
{
    struct place *place = *state;
    for (int i = 0; i < 20; i++) {
        let_time_pass();
        place->since = touched_now();
        write_file(place, "a.c");
        assert_touched(place, "changed meanwhile: a.c");
    }
}

static void a_mark_of_the_sandbox_hides_nothing(void **state)
{
    struct place *place = *state;
    cleanup_free char *path = path_of(place, "a.c"), *pipe = path_of(place, "docs/pipe");
    assert_int_equal(fd_replace_file(path, "rm -r /", 7, 0644), 0);
    assert_int_equal(chmod(path, 01444), 0);
    assert_int_equal(mkfifo(pipe, 0644), 0);
    assert_touched(place, "changed meanwhile: a.c, docs/pipe");
}

/* Nor is it long: names can be. */
static void no_name_looks_like_words_of_ours(void **state)
{
    struct place *place = *state;
    char name[256] = "docs/";
    memset(name + 5, 'x', 200);
    write_file(place, "b (gone), c");
    write_file(place, "docs/\x1b[2J\n");
    assert_touched(place, "changed meanwhile: 'b (gone), c', docs/<ESC>[2J<LF>");
    remove_at(place, "b (gone), c");
    remove_at(place, "docs/\x1b[2J\n");
    write_file(place, name);
    const char *const places[] = {place->root, NULL};
    bool some;
    cleanup_wording struct wording *words =
        touched_words(places, place->before, place->since, &some);
    assert_true(strlen(wording_english(words)) < 80);
}

/* In the places themselves and in .git the sandbox makes and removes names of its own. */
static void traces_of_the_sandbox_and_of_git_are_left_out(void **state)
{
    struct place *place = *state;
    static const char *const left_out[] = {".git/logs/HEAD", ".git/COMMIT_EDITMSG",
                                           ".git/objects/ab/cd"};
    cleanup_free char *held = path_of(place, ".git/commondir");
    cleanup_free char *top = path_of(place, "b.c");
    for (size_t i = 0; i < COUNT(left_out); i++)
        write_file(place, left_out[i]);
    write_file(place, ".git/commondir");
    assert_int_equal(chmod(held, 01444), 0);
    write_file(place, "b.c");
    assert_int_equal(unlink(top), 0);
    assert_touched(place, "no change was found");
}

static void links_are_not_followed(void **state)
{
    struct place *place = *state;
    cleanup_free char *outside = xasprintf("%s.outside", place->root);
    cleanup_free char *link = path_of(place, "docs/link");
    cleanup_free char *file = xasprintf("%s/file", outside);
    assert_int_equal(mkdir(outside, 0755), 0);
    assert_int_equal(fd_replace_file(file, "x", 1, 0644), 0);
    assert_int_equal(symlink(outside, link), 0);
    assert_touched(place, "changed meanwhile: docs/link");
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(outside), 0);
}

#ifdef RENAME_EXCHANGE
static void change_places(const char *one, const char *other)
{
    for (;;)
        renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

/* Another command puts one in the place of a directory that has been found, and back. */
static void links_that_come_meanwhile_are_not_followed(void **state)
{
    struct place *place = *state;
    cleanup_free char *inside = path_of(place, "empty"), *link = path_of(place, "link");
    cleanup_free char *outside = xasprintf("%s.outside", place->root);
    cleanup_free char *secret = xasprintf("%s/deep/secret", outside);
    cleanup_free char *deep = xasprintf("%s/deep", outside);
    const char *const places[] = {place->root, NULL};
    assert_int_equal(fd_make_directories(deep, 0755), 0);
    assert_int_equal(fd_replace_file(secret, "x", 1, 0644), 0);
    assert_int_equal(symlink(outside, link), 0);
    pid_t other = fork();
    if (other == 0)
        change_places(inside, link);
    bool seen = false;
    for (int64_t until = clock_monotonic_ms(NULL) + 300; clock_monotonic_ms(NULL) < until;) {
        bool some;
        cleanup_wording struct wording *words =
            touched_words(places, place->before, place->since, &some);
        seen = seen || strstr(wording_english(words), "secret") != NULL;
    }
    assert_int_equal(kill(other, SIGKILL), 0);
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(unlink(secret), 0);
    assert_int_equal(rmdir(deep), 0);
    assert_int_equal(rmdir(outside), 0);
    assert_false(seen);
}
#else
static void links_that_come_meanwhile_are_not_followed(void **state)
{
    (void)state;
    skip();
}
#endif

/* Not that nothing has changed there. */
static void other_file_systems_are_said_to_be_left_out(void **state)
{
    const char *const places[] = {"/dev", NULL};
    struct stat outer, inner;
    (void)state;
    if (stat("/dev", &outer) != 0 || stat("/dev/pts", &inner) != 0 || outer.st_dev == inner.st_dev)
        skip();
    char **before = touched_before("/dev");
    bool some;
    cleanup_wording struct wording *words =
        touched_words(places, before, touched_now() + (int64_t)3600 * 1000000000, &some);
    strv_free(&before);
    assert_string_equal(wording_english(words),
                        "no change was found (not all of the workspace was looked at)");
}

static void other_places_are_named_in_full_and_once(void **state)
{
    struct place *place = *state;
    cleanup_free char *docs = path_of(place, "docs");
    cleanup_free char *expected = xasprintf("changed meanwhile: one.md, %s/a.c", place->root);
    const char *const places[] = {docs, place->root, docs, "/nonexistent", NULL};
    write_file(place, "docs/one.md");
    write_file(place, "a.c");
    bool some;
    char **before = touched_before(docs);
    cleanup_wording struct wording *words = touched_words(places, before, place->since, &some);
    strv_free(&before);
    assert_string_equal(wording_english(words), expected);
}

static void what_is_too_much_is_said_to_be(void **state)
{
    struct place *place = *state;
    for (int i = 0; i <= TOUCHED_ENTRIES; i++) {
        char name[32];
        snprintf(name, sizeof name, "node_modules/p/%d", i);
        cleanup_free char *path = path_of(place, name);
        assert_int_equal(fd_replace_file(path, "", 0, 0644), 0);
    }
    const char *const places[] = {place->root, NULL};
    bool some;
    cleanup_wording struct wording *words =
        touched_words(places, place->before, touched_now() + (int64_t)3600 * 1000000000, &some);
    assert_string_equal(wording_english(words),
                        "no change was found (not all of the workspace was looked at)");
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_PLACE(that_nothing_was_found_is_said),
        IN_PLACE(that_it_could_not_be_looked_at_is_said),
        IN_PLACE(what_is_nearest_comes_first),
        IN_PLACE(what_is_gone_is_named_by_its_directory),
        IN_PLACE(what_is_gone_at_the_top_is_named),
        IN_PLACE(of_many_the_number_is_told),
        IN_PLACE(what_git_keeps_has_its_name),
        IN_PLACE(what_is_moved_is_named),
        IN_PLACE(what_is_closed_is_named),
        IN_PLACE(what_is_moved_is_named_as_a_repository_too),
        IN_PLACE(an_empty_directory_is_named),
        IN_PLACE(a_time_that_was_set_back_hides_nothing),
        IN_PLACE(what_changed_at_once_is_not_missed),
        IN_PLACE(a_mark_of_the_sandbox_hides_nothing),
        IN_PLACE(no_name_looks_like_words_of_ours),
        IN_PLACE(traces_of_the_sandbox_and_of_git_are_left_out),
        IN_PLACE(links_are_not_followed),
        IN_PLACE(links_that_come_meanwhile_are_not_followed),
        IN_PLACE(other_file_systems_are_said_to_be_left_out),
        IN_PLACE(other_places_are_named_in_full_and_once),
        IN_PLACE(what_is_too_much_is_said_to_be),
    };
    return cmocka_run_group_tests_name("touched", tests, NULL, NULL);
}
