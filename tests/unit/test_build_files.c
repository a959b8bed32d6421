/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/build_files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "command/code_file.h"

struct place {
    char *root;
    struct build_files *files;
};

static char *path_of(const struct place *place, const char *name)
{
    return xasprintf("%s/%s", place->root, name);
}

static void write_file(const struct place *place, const char *name, const char *text)
{
    cleanup_free char *path = path_of(place, name);
    cleanup_free char *directory = xstrdup(path);
    *strrchr(directory, '/') = '\0';
    assert_int_equal(fd_make_directories(directory, 0755), 0);
    assert_int_equal(fd_replace_file(path, text, strlen(text), 0644), 0);
}

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    char directory[] = "/tmp/build-files.XXXXXX";
    assert_non_null(mkdtemp(directory));
    place->root = realpath(directory, NULL);
    place->files = build_files_new();
    write_file(place, "Makefile", "all:\n");
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    cleanup_free char *command = xasprintf("rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
    build_files_free(&place->files);
    free(place->root);
    free(place);
    return 0;
}

/* Looks after call 7; the paths that changed since the first look, each with its call. */
static const char *changes(const struct place *place)
{
    static char text[512];
    struct build_change list[4];
    build_files_look(place->files, place->root, 7);
    size_t count = build_files_changes(place->files, place->root, 1, list, COUNT(list));
    text[0] = '\0';
    for (size_t i = 0; i < count && i < COUNT(list); i++) {
        size_t used = strlen(text);
        const char *name = list[i].path + strlen(place->root);
        snprintf(text + used, sizeof(text) - used, "%s%s c%u", used > 0 ? " " : "",
                 *name == '/' ? name + 1 : ".", (unsigned)list[i].call);
    }
    return text;
}

static void names_of_what_runs_later(void **state)
{
    static const char *const names[] = {
        "/Makefile",       "/GNUmakefile",        "/rules.mk",        "/CMakeLists.txt",
        "/package.json",   "/setup.py",           "/a/conftest.py",   "/build.rs",
        "/Cargo.toml",     "/build.gradle.kts",   "/pom.xml",         "/justfile",
        "/Taskfile.yaml",  "/Rakefile",           "/meson.build",     "/.github/workflows/x.yml",
        "/Dockerfile",     "/docker-compose.yml", "/compose.yaml",    "/tox.ini",
        "/noxfile.py",     "/configure",          "/run.sh",          "/webpack.config.js",
        "/vite.config.ts", "/vitest.config.mts",  "/jest.config.cjs", "/eslint.config.mjs",
        "/pyproject.toml", "/.eslintrc.js",       "/gradlew",         "/pytest.ini",
        "/.exrc",          "/.opencode/x.js",     "/.zed/tasks.json", "/a/.dir-locals.el",
    };
    static const char *const others[] = {"/main.c",        "/README.md", "/test_a.py", "/x.json",
                                         "/Makefile.text", "/config.js", "/src/app.ts"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        if (!code_file_named(names[i]))
            fail_msg("not watched: %s", names[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        if (code_file_named(others[i]))
            fail_msg("watched: %s", others[i]);
}

static void the_first_look_is_no_change(void **state)
{
    const struct place *place = *state;
    assert_int_equal(build_files_newest(place->files, place->root), 0);
    assert_string_equal(changes(place), "");
    assert_int_equal(build_files_newest(place->files, place->root), 1);
    assert_string_equal(changes(place), "");
}

static void what_is_edited_made_and_removed_has_changed(void **state)
{
    const struct place *place = *state;
    cleanup_free char *makefile = path_of(place, "Makefile");
    changes(place);
    write_file(place, "Makefile", "all:;\n"); /* by rename */
    assert_string_equal(changes(place), "Makefile c7");
    assert_string_equal(changes(place), "Makefile c7"); /* not again */
    assert_int_equal(build_files_newest(place->files, place->root), 2);
    write_file(place, "a/b/conftest.py", "import os\n");
    assert_string_equal(changes(place), "a/b/conftest.py c7 Makefile c7");
    assert_int_equal(unlink(makefile), 0);
    assert_string_equal(changes(place), "Makefile c7 a/b/conftest.py c7");
    assert_int_equal(build_files_newest(place->files, place->root), 4);
}

/* In place, with the same size and the times put back. */
static void times_do_not_hide_a_change(void **state)
{
    const struct place *place = *state;
    cleanup_free char *makefile = path_of(place, "Makefile");
    struct stat before;
    changes(place);
    assert_int_equal(stat(makefile, &before), 0);
    FILE *file = fopen(makefile, "w");
    assert_non_null(file);
    fputs("evi:\n", file);
    fclose(file);
    const struct timespec times[] = {before.st_atim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, makefile, times, 0), 0);
    assert_string_equal(changes(place), "Makefile c7");
}

static void the_same_content_is_no_change(void **state)
{
    const struct place *place = *state;
    cleanup_free char *makefile = path_of(place, "Makefile");
    changes(place);
    write_file(place, "Makefile", "all:\n");
    assert_int_equal(utimensat(AT_FDCWD, makefile, NULL, 0), 0);
    assert_string_equal(changes(place), "");
    assert_int_equal(chmod(makefile, 0755), 0);
    assert_string_equal(changes(place), "Makefile c7");
}

static rlim_t limit_descriptors(rlim_t count)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = count;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

/* What is not read may hold anything. */
static void a_directory_that_cannot_be_read_is_not_empty(void **state)
{
    const struct place *place = *state;
    struct sha256 sum;
    sha256_init(&sum);
    changes(place);
    write_file(place, "sub/Makefile", "all:\n");
    rlim_t before = limit_descriptors(0);
    const char *seen = changes(place);
    bool known = build_files_sum(place->files, place->root, &sum);
    limit_descriptors(before);
    assert_string_equal(seen, ". c7 Makefile c7"); /* which may have changed, too */
    assert_false(known);
}

/* … and is run by its name where the directory may be entered. */
static void a_directory_that_may_only_be_entered_is_not_empty(void **state)
{
    const struct place *place = *state;
    if (geteuid() == 0)
        skip(); /* reads it all the same */
    cleanup_free char *directory = path_of(place, "sub");
    changes(place);
    write_file(place, "sub/Makefile", "all:\n");
    assert_int_equal(chmod(directory, 0311), 0);
    assert_string_equal(changes(place), ". c7");
    assert_int_equal(chmod(directory, 0), 0);
    changes(place);
    struct sha256 sum;
    sha256_init(&sum);
    assert_true(build_files_sum(place->files, place->root, &sum)); /* nothing in it can be run */
    assert_int_equal(chmod(directory, 0755), 0);
}

/* What a link leads to is what runs. */
static void a_change_behind_a_link_is_seen(void **state)
{
    const struct place *place = *state;
    cleanup_free char *link = path_of(place, "GNUmakefile");
    write_file(place, "plain.txt", "all:\n");
    assert_int_equal(symlink("plain.txt", link), 0);
    changes(place);
    write_file(place, "plain.txt", "evil:\n");
    assert_string_equal(changes(place), "GNUmakefile c7");
    assert_int_equal(unlink(link), 0);
    assert_int_equal(mkfifo(link, 0600), 0); /* nobody waits for it */
    assert_string_equal(changes(place), "GNUmakefile c7");
}

static void packages_and_depths_are_left_out(void **state)
{
    const struct place *place = *state;
    changes(place);
    write_file(place, "node_modules/x/package.json", "{}");
    write_file(place, ".venv/setup.py", "");
    write_file(place, "a/b/c/d/Makefile", "");
    assert_string_equal(changes(place), "");
    write_file(place, "a/b/c/Makefile", "");
    assert_string_equal(changes(place), "a/b/c/Makefile c7");
}

/* Much junk hides nothing that was known, and is a change itself, once. */
static void more_than_is_looked_at_is_a_change(void **state)
{
    const struct place *place = *state;
    changes(place);
    for (int i = 0; i < BUILD_FILES_MAX + 8; i++) {
        cleanup_free char *path = xasprintf("%s/%d.mk", place->root, i);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
    }
    changes(place);
    uint64_t newest = build_files_newest(place->files, place->root);
    struct build_change last;
    assert_true(build_files_changes(place->files, place->root, newest - 1, &last, 1) == 1);
    assert_string_equal(last.path, place->root);
    changes(place);
    assert_int_equal(build_files_newest(place->files, place->root), newest);
    write_file(place, "Makefile", "all:;\n");
    assert_memory_equal(changes(place), "Makefile c7", 11);
}

/* Another place that holds the first one has a first look of its own. */
static void a_wider_place_swallows_no_change(void **state)
{
    struct place *place = *state;
    write_file(place, "sub/Makefile", "all:\n");
    cleanup_free char *sub = path_of(place, "sub");
    build_files_look(place->files, sub, 0);
    write_file(place, "sub/Makefile", "evil:\n");
    assert_string_equal(changes(place), "sub/Makefile c7");
}

/* A thousand that ask at once are told what one look has found; the next turn looks again. */
static void one_look_serves_a_moment(void **state)
{
    struct place *place = *state;
    build_files_look_at(place->files, place->root, 1);
    write_file(place, "Makefile", "evil:\n");
    build_files_look_at(place->files, place->root, 1);
    assert_int_equal(build_files_newest(place->files, place->root), 1);
    build_files_look_at(place->files, place->root, 2);
    assert_int_equal(build_files_newest(place->files, place->root), 2);
    cleanup_free char *sub = path_of(place, "sub");
    build_files_look_at(place->files, sub, 2); /* another place */
    assert_int_equal(build_files_newest(place->files, sub), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_what_runs_later),
        TEST(the_first_look_is_no_change),
        TEST(what_is_edited_made_and_removed_has_changed),
        TEST(times_do_not_hide_a_change),
        TEST(the_same_content_is_no_change),
        TEST(a_change_behind_a_link_is_seen),
        TEST(a_directory_that_cannot_be_read_is_not_empty),
        TEST(a_directory_that_may_only_be_entered_is_not_empty),
        TEST(packages_and_depths_are_left_out),
        TEST(more_than_is_looked_at_is_a_change),
        TEST(a_wider_place_swallows_no_change),
        TEST(one_look_serves_a_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
