/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sandbox/git_harmless.h"

static const struct {
    const char *text;
    const char *copy; /* NULL: all of it, but for comments and empty lines */
} ROWS[] = {
    {"[core]\n\trepositoryformatversion = 0\n\tbare = false\n", NULL},
    {"[remote \"origin\"]\n\turl = https://example.org/a.git\n"
     "\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
     NULL},
    {"[branch \"a b\"]\n\tremote = origin\n\tmerge = refs/heads/a\n", NULL},
    {"[CORE]\n\tBare = true\n", NULL},
    {"[alias]\n\tst = status\n\tlg = log --oneline --graph -5\n\tci = commit -a\n", NULL},
    {"[push]\n\tfollowTags = true\n[color \"diff\"]\n\tmeta = blue\n", NULL},
    /* what runs something */
    {"[alias]\n\tst = -c core.fsmonitor=./x status\n", "[alias]\n"},
    {"[alias]\n\tst = log --output=x\n", "[alias]\n"},
    {"[alias]\n\tst = status x\n", "[alias]\n"},
    {"[alias]\n\tst = status !x\n", "[alias]\n"},
    {"[alias]\n\tst = statusx\n", "[alias]\n"},
    {"[alias]\n\tst = push\n", "[alias]\n"},
    {"[alias \"st\"]\n\tcommand = !x\n", "[alias \"st\"]\n"},
    {"[core]\n\tbare = false\n\tfsmonitor = ./x\n", "[core]\n\tbare = false\n"},
    {"[core]\n\tFSMonitor\n", "[core]\n"},
    {"[core]\n\tworktree = /x\n", "[core]\n"},
    {"[core]\n\tworktree = ../../../sub\n", "[core]\n"},
    {"[alias]\n\tst = !x\n[user]\n\tname = a\n", "[alias]\n[user]\n\tname = a\n"},
    {"[filter \"x\"]\n\tclean = x\n", "[filter \"x\"]\n"},
    {"[include]\n\tpath = x\n", "[include]\n"},
    {"[includeIf \"gitdir:/\"]\n\tpath = x\n", "[includeIf \"gitdir:/\"]\n"},
    {"[remote \"o\"]\n\turl = ext::sh -c x\n", "[remote \"o\"]\n"},
    {"[remote \"o\"]\n\turl = \"ext::sh -c x\"\n", "[remote \"o\"]\n"},
    {"[remote \"o\"]\n\turl = ext\":\":sh -c x\n", "[remote \"o\"]\n"},
    {"[remote \"o\"]\n\turl = \"\" -x\n", "[remote \"o\"]\n"},
    {"[remote \"o\"]\n\turl = \"x\n", "[remote \"o\"]\n"},
    {"[remote \"o\"]\n\turl = -x\n", "[remote \"o\"]\n"},
    {"[remote \"o\"]\n\tuploadpack = x\n", "[remote \"o\"]\n"},
    {"[remote \"o\"]\n\turl = foo://x\n\turl = ssh://x/y\n", "[remote \"o\"]\n\turl = ssh://x/y\n"},
    {"[remote \"ext::x\"]\n\tfetch = +refs/heads/*:refs/x/*\n", "[remote \"ext::x\"]\n"},
    {"[remote \"foo://x\"]\n\tprune = true\n", "[remote \"foo://x\"]\n"},
    {"[branch \"a\"]\n\tremote = ext::x\n\tpushRemote = ext::x\n", "[branch \"a\"]\n"},
    {"[extensions]\n\tpartialClone = ext::x\n", "[extensions]\n"},
    {"[submodule \"s\"]\n\tupdate = !x\n", "[submodule \"s\"]\n"},
    /* nothing that has to be understood */
    {"[core] fsmonitor = x\n", ""},
    {"[user]\n\tname = a\\\n[core]\n\tbare = true\n", "[user]\n"},
    {"[core]\n\tbare = true\n[a.b]\n\tc = d\n", "[core]\n\tbare = true\n"},
    {"bare = true\n", ""},
    {"[core\n\tbare = true\n", ""},
    {"[remote \"a\\\"]\n\turl = x\n", ""},
    {"# a comment that goes on \\\n[core]\n", ""},
};

static void copies_what_is_harmless(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        bool all;
        char *copy = git_harmless_copy(NULL, ROWS[i].text, strlen(ROWS[i].text), &all);
        assert_string_equal(copy, ROWS[i].copy ? ROWS[i].copy : ROWS[i].text);
        assert_int_equal(all, ROWS[i].copy == NULL);
        free(copy);
    }
}

static void takes_no_nul_for_an_end(void **state)
{
    (void)state;
    static const char TEXT[] = "[core]\n\0fsmonitor = x\n";
    bool all;
    char *copy = git_harmless_copy(NULL, TEXT, sizeof TEXT - 1, &all);
    assert_false(all);
    free(copy);
}

static const struct {
    const char *known, *text;
    const char *copy; /* NULL: all of it */
} CHANGES[] = {
    {"[core]\n\tfsmonitor = x\n", "[core]\n\tfsmonitor = x\n\tbare = true\n", NULL},
    {"[core]\n\tfsmonitor = x\n# a\n", "[user]\n\tname = a\n[core]\n\tfsmonitor = x\n# a\n", NULL},
    {"[core]\n\tx = a\\\n", "[core]\n\tx = a\\\n", NULL},
    {"", "[branch \"a\"]\n\tremote = origin\n\n", NULL},
    /* what runs something, and what was not there */
    {"[core]\n\tbare = true\n", "[core]\n\tbare = true\n\tfsmonitor = x\n",
     "[core]\n\tbare = true\n"},
    {"[core]\n\tfsmonitor = x\n", "[core]\n\tfsmonitor = y\n", ""},
    {"[a]\n\tfsmonitor = x\n", "[core]\n\tfsmonitor = x\n", ""},
    {"[core]\n\tbare = true\n", "[core]\n\tbare = true\n#attack\n", "[core]\n\tbare = true\n"},
    {"[core]\n\tbare = true\n", "#attack", ""},
    {"[core]\n\tbare = true\n",
     "[core]\n\tbare = true\n[include]\n\tpath = x\n[user]\n\tname = a\n",
     "[core]\n\tbare = true\n[user]\n\tname = a\n"},
    /* nothing that has to be understood */
    {"[core]\n\tbare = true\n", "[core] fsmonitor = x\n", "[core]\n\tbare = true\n"},
    {"[core]\n\tx = a\\\n", "[core]\n\tx = a\\\n\tbare = true\n", "[core]\n\tx = a\\\n"},
};

static void takes_of_a_change_what_is_harmless(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        bool all;
        const char *text = CHANGES[i].text;
        char *copy = git_harmless_change(CHANGES[i].known, text, strlen(text), &all);
        assert_string_equal(copy, CHANGES[i].copy ? CHANGES[i].copy : text);
        assert_int_equal(all, CHANGES[i].copy == NULL);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_what_is_harmless),
        cmocka_unit_test(takes_no_nul_for_an_end),
        cmocka_unit_test(takes_of_a_change_what_is_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
