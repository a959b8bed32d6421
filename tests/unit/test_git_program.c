/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sandbox/git_program.h"

static void test_variables(void **state)
{
    (void)state;
    assert_true(git_program_is_named("filter", "clean", "x"));
    assert_true(git_program_is_named("Core", "sshCommand", "x"));
    assert_true(git_program_is_named("core", "fsmonitor", "x"));
    assert_true(git_program_is_named("pager", "log", "x"));
    assert_true(git_program_is_named("submodule", "update", "!x"));
    assert_false(git_program_is_named("submodule", "update", "rebase"));
    assert_false(git_program_is_named("clean", "requireForce", "x"));
    assert_false(git_program_is_named("alias", "x", "!x"));
}

/* Each word behind what it is: "*" what is run, "-" another; before what is known of its end. */
static void check(const char *command, const char *expected)
{
    struct git_program_words words = {.at = command};
    char word[PATH_MAX], all[2 * PATH_MAX] = "";
    bool program;
    while (git_program_next_word(&words, word, &program)) {
        strcat(strcat(all, program ? " *" : " -"), word);
        if (words.rest)
            strcat(strcat(all, "="), words.rest);
        assert_true(strlen(all) < PATH_MAX);
    }
    assert_string_equal(all, expected);
}

static void test_words(void **state)
{
    (void)state;
    check("", "");
    check("  ./clean.sh %f ", " *./clean.sh -%f");
    check("python3 \"my tools/clean.py\" --all", " *python3 -my tools/clean.py ---all");
    check("sed -f 'x y' --file=strip.sed", " *sed --f -x y -strip.sed");
    check("X=./y ./z", " -./y *./z");
    check("cat <in >out | tools/x&&./y;z", " *cat -in -out *tools/x *./y *z");
    check("!f() { ./x \"$@\"; }; f", " *f *./x -$@ *f");
    check("my\\ tool 'unclosed", " *my tool -unclosed");
    check("$PWD/x \"$HOME/y\" --f=$Z/z $A", " *$PWD/x=/x -$HOME/y=/y -$Z/z=/z -$A");
    check("\"$(git top)/x y\" `pwd`/x ${A}/x", " *$(git top)/x y=/x y *pwd */x=/x -$ -A -/x=/x");
    assert_true(git_program_is_command("tools/x %f"));
    assert_false(git_program_is_command("tools/x"));
}

/* What is longer than a path names no file. */
static void test_long_word(void **state)
{
    (void)state;
    char command[2 * PATH_MAX];
    memset(command, 'x', sizeof command - 1);
    command[sizeof command - 1] = '\0';
    struct git_program_words words = {.at = command};
    char word[PATH_MAX];
    bool program;
    assert_true(git_program_next_word(&words, word, &program));
    assert_int_equal(strlen(word), PATH_MAX - 1);
    assert_false(git_program_next_word(&words, word, &program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_long_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
