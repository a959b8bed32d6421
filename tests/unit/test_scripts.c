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
#include "base/array.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "tree_fixture.h"

static const char *const files[] = {"run", "out", "lib.sh", "sub/run", "sub/low/run", "sh"};

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
        {"./run out", {"/run"}},
        {"./sh run", {"/sh", "/run"}},
        {"timeout 9 ./sh -c 'sub/run'", {"/sh", "sub/run"}},
        {"eval 'sh run'", {"/run"}},
        {"flock out -c ./run", {"/run"}},
        {"python3 run out", {"run"}},
        {"sh -o run out", {"/out"}},
        {"bash -euo run +O out lib.sh run", {"/lib.sh"}},
        {"python3 -W run out lib.sh", {"/run", "/out"}},
        {"node --require ./lib.sh run out", {"/lib.sh", "/run"}},
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
            const char *shown = rows[i].shown[count];
            if (shown == NULL || strstr(text.path, shown) == NULL)
                fail_msg("%s: %s", rows[i].script, text.path);
            assert_int_equal(text.length, 5);
            assert_memory_equal(text.bytes, "true\n", 5);
        }
        if (rows[i].shown[count] != NULL)
            fail_msg("%s: not %s", rows[i].script, rows[i].shown[count]);
        scripts_free(&scripts);
    }
}

/* Where it is not certain which file is run, none is shown in its place: that may be a decoy. */
static void decoys_are_not_shown(void **state)
{
    static const char *const scripts[] = {
        "cd sub && cd low && sh run",
        "cd sub; sh run",
        "true && pushd sub && ./run",
        "bash -c 'cd sub && sh run'",
        "eval cd sub; sh run",
        "command cd sub; sh run",
        "$(echo cd) sub; sh run",
        "env -C sub sh run",
        "env --chd=sub ./run",
        "sudo -D sub sh run",
        "sudo --chdir sub ./run",
        "sudo -i ./run",
        "su - op -c ./run",
        "nice env -C sub timeout 9 sh run",
        "chroot sub ./run",
        "cd sub; python3 <run",
        "sh [r]un",
        "sh ru*",
        "sh \"$PWD\"/run",
        "sh ~/run",
        "./r[u]n",
        "sh <$PWD/run",
        "python3 $X",
        "PATH=.:$PATH; . run",
        "export PATH=$PWD/sub:$PATH; . run",
        "CDPATH=sub; sh run",
        "find . -execdir sh run {} +",
        "find . -execdir ./run ';'",
        "fd -x sh -c ./run",
        "git -C sub bisect run ./run",
        "git submodule foreach 'sh run'",
        "trap 'sh run' EXIT; cd sub",
        "tmux new -c sub ./run",
        "sh -c \"sh -c 'find . -exec ./run'\"",
    };
    const char *base = *state;
    tree_write(base, "[r]un", "true\n", 0644);
    tree_write(base, "ru*", "true\n", 0644);
    tree_write(base, "r[u]n", "true\n", 0755);
    tree_write(base, "~/run", "true\n", 0644);
    tree_write(base, "$PWD/run", "true\n", 0644);
    tree_write(base, "$X", "true\n", 0644);
    for (size_t i = 0; i < COUNT(scripts); i++) {
        struct scripts *noted = note_script(base, scripts[i]);
        struct script_text text;
        size_t at = 0;
        if (scripts_next(noted, &at, &text))
            fail_msg("%s: %s", scripts[i], text.path);
        if (!scripts_unknown(noted))
            fail_msg("%s", scripts[i]);
        scripts_free(&noted);
    }
}

static void what_is_known_is_not_called_unknown(void **state)
{
    static const char *const scripts[] = {"sh run",
                                          "./run; sub/run",
                                          "python3 -c 'print(1)' $X",
                                          "cat ./r*",
                                          "sudo -n sh run",
                                          "env -i A=$B ./run",
                                          "cd sub && ls",
                                          "nice -n 5 sh run",
                                          "ls ~ | sort",
                                          "cd sub && node -e '1'"};
    const char *base = *state;
    for (size_t i = 0; i < COUNT(scripts); i++) {
        struct scripts *noted = note_script(base, scripts[i]);
        if (scripts_unknown(noted))
            fail_msg("%s", scripts[i]);
        scripts_free(&noted);
    }
}

/* Behind a first `cd` only the file there is run. */
/* Words that name what does not matter, so many that a script behind them has no place. */
static void what_is_left_out_is_unknown(void **state)
{
    for (size_t words = 100; words <= 1000; words += 900) {
        cleanup_strbuf struct strbuf script = STRBUF_INIT;
        strbuf_addstr(&script, ":");
        for (size_t i = 0; i < words; i++)
            strbuf_addf(&script, " %zu", i);
        strbuf_addstr(&script, "; sh run");
        struct scripts *scripts = note_script(*state, strbuf_str(&script));
        assert_int_equal(scripts_unknown(scripts), words == 1000);
        scripts_free(&scripts);
    }
}

static void one_directory_is_followed(void **state)
{
    const char *base = *state;
    cleanup_free char *sub = xasprintf("%s/sub", base);
    const char *const roots[] = {base, NULL};
    const char *const argv[] = {"bash", "-c", "cd sub && sh run", NULL};
    const char *const further[] = {"bash", "-c", "cd sub && cd low && sh run", NULL};
    struct scripts *scripts = scripts_note(argv, base, sub, roots);
    struct script_text text;
    size_t at = 0;
    assert_true(scripts_next(scripts, &at, &text));
    assert_non_null(strstr(text.path, "/sub/run"));
    assert_false(scripts_next(scripts, &at, &text));
    assert_false(scripts_unknown(scripts));
    scripts_free(&scripts);

    scripts = scripts_note(further, base, sub, roots);
    at = 0;
    assert_false(scripts_next(scripts, &at, &text));
    assert_true(scripts_unknown(scripts));
    scripts_free(&scripts);
}

/* What no lease holds is compared all the same, whatever its times say. */
static void another_content_is_refused(void **state)
{
    static const char *const commands[] = {"python3", "sh"};
    const char *base = *state;
    for (size_t i = 0; i < COUNT(commands); i++) {
        const char *const argv[] = {commands[i], "run", NULL};
        struct error error = ERROR_INIT;
        struct scripts *scripts = note(base, argv);
        assert_int_equal(scripts_hold(scripts, &error), 0);
        scripts_release(scripts);
        tree_write(base, "run", "fals\n", 0755);
        assert_int_equal(scripts_hold(scripts, &error), -1);
        assert_non_null(strstr(error.message, "/run"));
        scripts_free(&scripts);
        tree_write(base, "run", "true\n", 0755);
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
        cmocka_unit_test_setup_teardown(decoys_are_not_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_known_is_not_called_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_left_out_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_directory_is_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_content_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_run_is_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_open_for_writing_is_not_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_file_in_its_place_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("scripts", tests, NULL, NULL);
}
