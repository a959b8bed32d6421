/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/scripts.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "tree_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const files[] = {"run", "out", "lib.sh", "sub/run"};

static int set_up(void **state)
{
    signal(SIGIO, SIG_IGN);
    char *base = tree_new();
    for (size_t i = 0; i < COUNT(files); i++)
        tree_write(base, files[i], "true\n", 0755);
    *state = base;
    return 0;
}

static int tear_down(void **state)
{
    return tree_remove(*state);
}

static struct scripts *note(const char *base, const char *const *argv)
{
    const char *const roots[] = {base, NULL};
    return scripts_note(argv, base, NULL, roots);
}

static struct scripts *note_script(const char *base, const char *script)
{
    const char *const argv[] = {"bash", "-lc", script, NULL};
    return note(base, argv);
}

/* To write it would take until the hold ends. */
static bool is_held(const char *base, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", base, name);
    cleanup_fd int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 && errno == EWOULDBLOCK;
}

/* Of each program the operator sees what it says. */
static void what_is_run_is_shown(void **state)
{
    static const struct {
        const char *script;
        const char *shown[3];
    } rows[] = {
        {"./run out", {"run"}},
        {"python3 run out", {"run"}},
        {"sh run && . ./lib.sh", {"run", "lib.sh"}},
        {"perl -w sub/run; sub/run", {"sub/run"}},
        {"cat run", {NULL}},
        {"git add run", {NULL}},
        {"run", {NULL}},
        {"python3 -c 'print(1)'", {NULL}},
    };
    const char *base = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct scripts *scripts = note_script(base, rows[i].script);
        struct script_text text;
        size_t at = 0, count = 0;
        for (; scripts_next(scripts, &at, &text); count++) {
            assert_non_null(rows[i].shown[count]);
            assert_non_null(strstr(text.path, rows[i].shown[count]));
            assert_int_equal(text.length, 5);
            assert_memory_equal(text.bytes, "true\n", 5);
        }
        assert_null(rows[i].shown[count]);
        scripts_free(&scripts);
    }
}

/* What a command runs is held, and nothing that it may want to write. */
static void what_is_run_is_held(void **state)
{
    static const struct {
        const char *script, *held;
    } rows[] = {
        {"./run", "run"},
        {"./run out", "run"},
        {"sh run out", "run"},
        {"bash -x ./run >out", "run"},
        {"sh <run", "run"},
        {". ./lib.sh", "lib.sh"},
        {"source lib.sh out", "lib.sh"},
        {"env A=1 ./run out", "run"},
        {"timeout 9 bash run", "run"},
        {"sudo -n sh sub/run", "sub/run"},
        {"npm ci && ./run", "run"},
        {"if true; then sh run; fi", "run"},
        {"sudo bash -c 'true && sh -ec \"./run out\"'", "run"},
        {"ssh host ./run", NULL},
        {"(true; sub/run) | cat", "sub/run"},
        {"cat run", NULL},
        {"cp lib.sh out", NULL},
        {"tail -f <out", NULL},
        {"python3 run", NULL},
        {"./missing run", NULL},
    };
    const char *base = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = ERROR_INIT;
        struct scripts *scripts = note_script(base, rows[i].script);
        assert_int_equal(scripts_can_hold(scripts), rows[i].held != NULL);
        assert_int_equal(scripts_hold(scripts, &error), 0);
        assert_null(scripts_wanted(scripts));
        for (size_t j = 0; j < COUNT(files); j++)
            if (is_held(base, files[j]) != (rows[i].held && strcmp(files[j], rows[i].held) == 0))
                fail_msg("%s: %s", rows[i].script, files[j]);
        assert_int_equal(scripts_wanted(scripts) != NULL, rows[i].held != NULL);
        assert_null(scripts_release(scripts));
        assert_false(rows[i].held != NULL && is_held(base, rows[i].held));
        scripts_free(&scripts);
    }
}

static void what_is_open_for_writing_is_not_held(void **state)
{
    const char *base = *state;
    const char *const argv[] = {"sh", "run", NULL};
    struct error error = ERROR_INIT;
    struct scripts *scripts = note(base, argv);
    cleanup_free char *path = xasprintf("%s/run", base);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(scripts_hold(scripts, &error), -1);
    assert_non_null(strstr(error.message, "/run"));
    close(fd);
    assert_int_equal(scripts_hold(scripts, &error), 0);
    scripts_free(&scripts);
    assert_false(is_held(base, "run"));
}

static void another_file_in_its_place_is_told(void **state)
{
    const char *base = *state;
    const char *const argv[] = {"./run", NULL};
    struct error error = ERROR_INIT;
    struct scripts *scripts = note(base, argv);
    cleanup_free char *path = xasprintf("%s/run", base);
    cleanup_free char *other = xasprintf("%s/other", base);
    tree_write(base, "other", "false\n", 0755);
    assert_int_equal(scripts_hold(scripts, &error), 0);
    assert_int_equal(rename(other, path), 0);
    assert_null(scripts_wanted(scripts));
    assert_non_null(scripts_release(scripts));
    scripts_free(&scripts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_run_is_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_run_is_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_open_for_writing_is_not_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_file_in_its_place_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("scripts", tests, NULL, NULL);
}
