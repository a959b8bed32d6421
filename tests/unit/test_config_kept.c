/* SPDX-License-Identifier: MIT */
/* What the operator is told to run is one command, whatever a branch is called. */
#include "config.h"

#include "approval/config_kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

static void only_a_plain_name_is_put_into_the_command(void **state)
{
    static const struct {
        const char *upstream, *command;
    } rows[] = {
        {"origin/topic/a_b-1.2", "git branch -u origin/topic/a_b-1.2 in"},
        {"origin/x&&reboot", "git branch -u REMOTE/BRANCH in"},
        {"origin/x|sh", "git branch -u REMOTE/BRANCH in"},
        {"origin/`id`", "git branch -u REMOTE/BRANCH in"},
        {"origin/x>y", "git branch -u REMOTE/BRANCH in"},
        {"origin/$HOME", "git branch -u REMOTE/BRANCH in"},
        {"-x/y", "git branch -u REMOTE/BRANCH in"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct call call = {
            .pushes = {.upstream = xstrdup(rows[i].upstream), .unknown = "others come first"}};
        cleanup_free char *words = config_kept_words(&call);
        if (strstr(words, rows[i].command) == NULL)
            fail_msg("%s: %s", rows[i].upstream, words);
        push_commits_clear(&call.pushes);
    }
}

static char *words_of(const char *line)
{
    const char *argv[] = {"bash", "-lc", line, NULL};
    struct command_spec spec = {.argv = (char **)argv};
    struct call call = {.spec = &spec};
    return config_kept_words(&call);
}

static void that_a_deleted_branch_keeps_its_settings_is_told(void **state)
{
    static const struct {
        const char *line;
        bool deletion;
    } rows[] = {
        {"git branch -D topic", true},
        {"git branch -q -d topic", true},
        {"git branch --delete topic 2>&1 | tail -3", true},
        {"git switch -q main; git branch -D topic", true},
        {"git checkout main && git merge topic && git branch -d topic", true},
        {"git switch topic && git branch -D old", false},
        {"git switch -c new main && git branch -D old", false},
        {"git branch -D topic && git config user.name x", false},
        {"git branch -D topic; git commit -m x", true},
        {"git branch -D topic; git pull", false},
        {"git branch topic", false},
        {"git branch -m old new", false},
        {"git config user.name x", false},
        {"echo git branch -D topic", false},
        {"git branch -D \"$x\"", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *words = words_of(rows[i].line);
        if ((strstr(words, "no harm") != NULL) != rows[i].deletion)
            fail_msg("%s: %s", rows[i].line, words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_plain_name_is_put_into_the_command),
        cmocka_unit_test(that_a_deleted_branch_keeps_its_settings_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
