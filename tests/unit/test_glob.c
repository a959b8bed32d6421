/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "risk/glob.h"
#include "risk/place.h"

static void a_word_meets_what_it_can_name(void **state)
{
    static const struct {
        const char *pattern, *word;
        bool meets;
    } cases[] = {
        {"~/.bashrc", "~/.bashrc", true},
        {"~/.bashrc", "~/.bashr?", true},
        {"~/.bashrc", "~/.bashr*", true},
        {"~/.bashrc", "~/.[b]ashrc", true},
        {"~/.bashrc", "~/.b*rc", true},
        {"~/.bashrc", "~/.*", true},
        {"~/.bashrc", "~/.bashrc*", true},
        {"~/.bashrc", "~/.bashrc?", false},
        {"~/.bashrc", "~/.zsh*", false},
        {"~/.bashrc", "~/*", false}, /* a dot is written */
        {"~/.bashrc", "~/?bashrc", false},
        {"~/.bashrc", "~/[.]bashrc", false},
        {"~/.bashrc", "~/*/x", false},
        {"~/.zsh*", "~/.z*", true},
        {"~/bin/*", "~/b?n/tool", true},
        {"~/bin/*", "~/b*/a/b", true},
        {"~/bin/*", "~/b*", false}, /* the directory, and nothing in it */
        {"~/.*_history", "~/.cache/*", false},
        {"~/.*_history", "~/.bash_h*", true},
        {"*/.git/hooks/*", "./x/.gi?/hooks/pre*", true},
        {"*/.git/hooks/*", "./.*/hooks/x", true},
        {"*/.envrc", "./*", false},
        {"*/.envrc", "./.env.*", false},
        {"*/.envrc", "./.env*", true},
        {"/etc/*", "/e?c/passwd", true},
        {"/etc/*", "/*/passwd", true},
        {"/etc/*", "/mnt/*", false},
        {"/etc/*", "/e[", false}, /* no bracket closes */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (glob_meets(cases[i].pattern, cases[i].word) != cases[i].meets)
            fail_msg("%s and %s", cases[i].pattern, cases[i].word);
}

/* Many stars cost no more than their number, and what is too long is no name. */
static void any_length_is_survived(void **state)
{
    char word[600];
    (void)state;
    memset(word, '*', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_false(glob_meets("*/.git/hooks/*", word));
    word[500] = '\0';
    memcpy(word, "~/.", 3);
    assert_true(glob_meets("~/.bash*rc", word));
    memset(word + 3, '[', 400);
    assert_false(glob_meets("~/.bash*rc", word));
}

static enum place place(const char *path)
{
    return place_of(path, "/home/op/project", NULL);
}

static void a_pattern_is_where_it_may_reach(void **state)
{
    (void)state;
    assert_int_equal(place("~/.bashr*"), PLACE_STARTUP);
    assert_int_equal(place("/home/op/.p?ofile"), PLACE_STARTUP);
    assert_int_equal(place("~/.ss*/authorized_keys"), PLACE_LOGIN);
    assert_int_equal(place(".gi?/hooks/pre-commit"), PLACE_CODE);
    assert_int_equal(place(".cl*/settings.json"), PLACE_APPROVER);
    assert_int_equal(place("/e*/hosts"), PLACE_SYSTEM);
    assert_int_equal(place("~/.bash{rc,_x}"), PLACE_STARTUP);
    assert_int_equal(place("~/.{a,{b,zsh}rc}"), PLACE_STARTUP);
    assert_int_equal(place("~/.{config/{x,nvim},cache}/a"), PLACE_OBEYED);
    assert_int_equal(place("src/{a,b}.c"), PLACE_WORKSPACE);
    assert_int_equal(place("~/.config/{x,y}/z"), PLACE_OUTSIDE);
    assert_int_equal(place("{}"), PLACE_WORKSPACE);
    assert_int_equal(place("~/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"), PLACE_SYSTEM); /* too many */
    assert_int_equal(place("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}.c"), PLACE_WORKSPACE);
    assert_int_equal(place("*.o"), PLACE_WORKSPACE);
    assert_int_equal(place("build/*"), PLACE_WORKSPACE);
    assert_int_equal(place(".cache/*"), PLACE_WORKSPACE);
    assert_int_equal(place("/tmp/*"), PLACE_TEMPORARY);
    assert_int_equal(place("~/Downloads/*.pdf"), PLACE_OUTSIDE);
    assert_int_equal(place("~/.cache/pip/*"), PLACE_OUTSIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_meets_what_it_can_name),
        cmocka_unit_test(any_length_is_survived),
        cmocka_unit_test(a_pattern_is_where_it_may_reach),
    };
    return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
