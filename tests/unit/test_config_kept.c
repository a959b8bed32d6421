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
#include "base/text.h"

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
        const char *argv[] = {"git", "push", "-u", "origin", rows[i].upstream, NULL};
        struct command_spec spec = {.argv = (char **)argv};
        struct call call = {
            .spec = &spec,
            .pushes = {.upstream = xstrdup(rows[i].upstream), .unknown = "others come first"}};
        cleanup_free char *words = config_kept_words(&call);
        if (strstr(words, rows[i].command) == NULL)
            fail_msg("%s: %s", rows[i].upstream, words);
        push_commits_clear(&call.pushes);
    }
}

static char *words_of(const char *line, const char *unknown)
{
    const char *argv[] = {"bash", "-lc", line, NULL};
    struct command_spec spec = {.argv = (char **)argv};
    struct call call = {.spec = &spec, .pushes = {.unknown = unknown}};
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
        cleanup_free char *words = words_of(rows[i].line, NULL);
        if ((strstr(words, "no harm") != NULL) != rows[i].deletion)
            fail_msg("%s: %s", rows[i].line, words);
    }
}

/* Of those that push: one that sets no upstream has no part in it. */
static void what_a_push_does_not_set_is_not_told_of_it(void **state)
{
    static const char tracking[] = "tracking is not set", branch[] = "no harm",
                      any[] = "what git wanted to change";
    static const struct {
        const char *line, *told;
    } rows[] = {
        {"git branch -d fix && git push origin --delete fix", branch},
        {"git push -d origin fix; git branch -D fix", branch},
        {"git branch -d fix && git push origin :fix", branch},
        {"git branch -d fix && git push -u origin :fix", branch},
        {"git branch -d fix && git push origin main", branch},
        {"git checkout main && git merge fix && git branch -d fix && git push -f origin main",
         branch},
        {"git branch -d fix && git push --tags", branch},
        {"git push -u origin main", tracking},
        {"git push --set-upstream origin main", tracking},
        {"git push -qu origin main 2>&1 | tail -3", tracking},
        {"git branch -d x && git push -u origin main", tracking},
        {"git push -u origin main && git branch -d x", tracking},
        {"git push origin --delete x; git push -u origin main", tracking},
        {"git push -u origin \"$(git branch --show-current)\"", tracking},
        /* push.autoSetupRemote, perhaps */
        {"git push", tracking},
        {"git push origin", tracking},
        {"git branch -d x && git push", any},
        {"git branch -d x && git push --set-up origin main", any},
        /* no push has set that */
        {"git push origin main", any},
        {"git config user.name x && git push origin main", any},
        {"git branch -d fix && git config user.name x && git push origin --delete fix", any},
        {"for b in x y; do git branch -d $b; git push origin --delete $b; done", any},
        {"for b in x y; do git push -u origin $b; done", tracking},
        /* nobody knows which */
        {"git -C x push -u origin main", tracking},
        {"sudo git push", tracking},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *words = words_of(rows[i].line, "others come first");
        if (strstr(words, rows[i].told) == NULL)
            fail_msg("%s: %s", rows[i].line, words);
    }
}

/* … and before it runs. */
static void what_will_not_be_set_is_known(void **state)
{
    static const struct {
        const char *line, *upstream; /* NULL: none */
        bool tracked;
        const char *known; /* by what git says where it is pushed from */
    } rows[] = {
        {"git push -u origin topic", "origin/topic", false, "origin/topic"},
        {"git push -u origin topic", NULL, true, "origin/topic"},
        {"git push origin topic", NULL, false, "origin/topic"},
        {"git push", NULL, false, NULL},
        {"git branch -d fix && git push --delete origin fix", NULL, false, NULL},
        /* where others come first, the words say it alone */
        {"git checkout -b topic && git push -u origin topic", "origin/topic", false, NULL},
        {"./x.sh; git push -u origin fix:topic | tail -1", "origin/topic", false, NULL},
        {"./x.sh; git push -u origin HEAD", "REMOTE/BRANCH", false, NULL},
        {"./x.sh; git push -u", "REMOTE/BRANCH", false, NULL},
        {"./x.sh; git push -u origin a b", "REMOTE/BRANCH", false, NULL},
        {"git push -u origin a; git push -u origin b", "REMOTE/BRANCH", false, NULL},
        {"git push -u origin a; git push -u", "REMOTE/BRANCH", false, NULL},
        {"for b in x y; do git push -u origin $b; done", "REMOTE/BRANCH", false, NULL},
        {"./x.sh; git push -u origin 'a b'", "REMOTE/BRANCH", false, NULL},
        {"./x.sh; git push -u origin 'a;reboot'", "REMOTE/BRANCH", false, NULL},
        {"./x.sh; git push -u \"$(cat r)\" topic", "REMOTE/BRANCH", false, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char shell[] = "bash", option[] = "-c";
        char *argv[] = {shell, option, (char *)rows[i].line, NULL};
        struct command_spec spec = {.argv = argv};
        struct call call = {
            .spec = &spec,
            .pushes = {.upstream = (char *)rows[i].known, .tracked = rows[i].tracked}};
        cleanup_free char *upstream = config_kept_upstream(&call);
        if (!text_same(upstream, rows[i].upstream))
            fail_msg("%s: %s", rows[i].line, upstream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_will_not_be_set_is_known),
        cmocka_unit_test(only_a_plain_name_is_put_into_the_command),
        cmocka_unit_test(that_a_deleted_branch_keeps_its_settings_is_told),
        cmocka_unit_test(what_a_push_does_not_set_is_not_told_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
