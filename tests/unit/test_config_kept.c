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
        const char *there, *command;
    } rows[] = {
        {"refs/remotes/origin/topic/a_b-1.2", "git branch -u origin/topic/a_b-1.2 in"},
        {"refs/remotes/origin/x&&reboot", "git branch -u REMOTE/BRANCH in"},
        {"refs/remotes/origin/x|sh", "git branch -u REMOTE/BRANCH in"},
        {"refs/remotes/origin/`id`", "git branch -u REMOTE/BRANCH in"},
        {"refs/remotes/origin/x>y", "git branch -u REMOTE/BRANCH in"},
        {"refs/remotes/origin/$HOME", "git branch -u REMOTE/BRANCH in"},
        {"refs/remotes/-x/y", "git branch -u REMOTE/BRANCH in"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct call call = {.pushes = {.there = xstrdup(rows[i].there)}};
        cleanup_free char *words = config_kept_words(&call);
        if (strstr(words, rows[i].command) == NULL)
            fail_msg("%s: %s", rows[i].there, words);
        push_commits_clear(&call.pushes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_plain_name_is_put_into_the_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
