/* SPDX-License-Identifier: MIT */
/*
 * Where a push goes. Each row is tried on the real git first: what is told of a repository is what
 * git would use, or nothing.
 */
#include "config.h"

#include "risk/push_target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "tree_fixture.h"

struct place {
    char *base, *root;
    char *home;
    const char *environment[4];
};

static int shell(const struct place *place, const char *script)
{
    cleanup_free char *command =
        xasprintf("cd '%s' && HOME='%s/home' && unset XDG_CONFIG_HOME && export HOME && {\n%s\n} "
                  ">'%s/out' 2>&1",
                  place->root, place->base, script, place->base);
    return system(command);
}

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    *state = place;
    place->base = tree_new();
    place->root = xasprintf("%s/work", place->base);
    place->home = xasprintf("HOME=%s/home", place->base);
    place->environment[0] = place->home;
    tree_write(place->base, "home/.keep", "", 0644);
    tree_write(place->base, "work/f", "one\n", 0644);
    return shell(place, "git init -q -b main . && git config user.name a && "
                        "git config user.email a && git add . && git commit -qm one && "
                        "git remote add origin git@host.example:me/x.git");
}

static int tear_down(void **state)
{
    struct place *place = *state;
    tree_remove(place->base);
    free(place->root);
    free(place->home);
    free(place);
    return 0;
}

static char *told(const struct place *place, const char *line)
{
    const char *const argv[] = {"bash", "-lc", line, NULL};
    return push_target(argv, place->root, place->environment);
}

static void assert_told(const struct place *place, const char *line, const char *expected)
{
    cleanup_free char *target = told(place, line);
    if (expected == NULL)
        assert_null(target);
    else
        assert_string_equal(target != NULL ? target : "(nothing)", expected);
}

#define ORIGIN "origin (git@host.example:me/x.git)"

static void a_push_names_the_address(void **state)
{
    const struct place *place = *state;
    const char *const bare[] = {"/usr/bin/git", "push", "origin", NULL};
    cleanup_free char *target = push_target(bare, place->root, place->environment);
    assert_string_equal(target, ORIGIN);
    assert_told(place, "git push origin main", ORIGIN);
    assert_told(place, "git push", ORIGIN);
    assert_told(place, "git push -u --force-with-lease origin HEAD", ORIGIN);
    tree_write(place->base, "work/sub/g", "", 0644);
    cleanup_free char *below = xasprintf("%s/sub", place->root);
    cleanup_free char *from_below = push_target(bare, below, place->environment);
    assert_string_equal(from_below, ORIGIN);
}

/* As the sandbox holds the name in a part of a repository. */
static void git_goes_on_upwards_from_an_empty_directory(void **state)
{
    const struct place *place = *state;
    const char *const argv[] = {"git", "push", NULL};
    cleanup_free char *below = xasprintf("%s/sub", place->root);
    assert_int_equal(shell(place, "mkdir -p sub/.git && cd sub && git remote get-url origin"), 0);
    cleanup_free char *target = push_target(argv, below, place->environment);
    assert_string_equal(target != NULL ? target : "(nothing)", ORIGIN);
    assert_int_equal(shell(place, "echo 'ref: refs/heads/x' >sub/.git/HEAD"), 0);
    cleanup_free char *other = push_target(argv, below, place->environment);
    assert_null(other);
}

/* None of them passes for what stands around it. */
static void names_and_addresses_of_several_words_are_quoted(void **state)
{
    static const struct {
        const char *remote, *address, *told;
    } rows[] = {
        {"good (host.example) or", "evil:x", "'good (host.example) or' (evil:x)"},
        {"fork", "x (git@host.example:me/y.git", "fork ('x (git@host.example:me/y.git')"},
        {"fork", "it'\\''s", "fork ('it'\\''s')"},
        {"a,b", "https://host.example/x?a=1", "a,b (https://host.example/x?a=1)"},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *script =
            xasprintf("git config 'remote.%s.url' '%s' && git config remote.pushDefault '%s'",
                      rows[i].remote, rows[i].address, rows[i].remote);
        assert_int_equal(shell(place, script), 0);
        assert_told(place, "git push", rows[i].told);
    }
}

static void what_is_more_than_a_push_is_not_told_of(void **state)
{
    static const char *const lines[] = {
        "git pull origin",
        "git push elsewhere",
        "git push ./origin",
        "git push ssh://other.example/x",
        "git -C .. push origin",
        "git -c remote.origin.url=x push origin",
        "git push --repo=x",
        "git push -o x origin",
        "GIT_DIR=/x git push",
        "git remote set-url origin x && git push origin",
        "git push origin >/dev/null",
        "git push \"$1\"",
        "git pushx origin",
        "git",
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_told(place, lines[i], NULL);
}

/* What the script does to the repository, and what is told of a push without words. */
static void what_is_told_is_what_git_uses(void **state)
{
    static const struct {
        const char *script, *told;
    } rows[] = {
        {":", ORIGIN},
        {"git config remote.origin.pushurl https://push.example/x",
         "origin (https://push.example/x)"},
        {"git remote add fork https://fork.example/x && git config remote.pushDefault fork",
         "fork (https://fork.example/x)"},
        {"git remote add fork https://fork.example/x && git config branch.main.remote fork",
         "fork (https://fork.example/x)"},
        {"git remote add fork https://fork.example/x && git config branch.main.pushRemote fork && "
         "git config remote.pushDefault origin",
         "fork (https://fork.example/x)"},
        {"git config branch.other.pushRemote fork", ORIGIN},
        {"git config --global alias.x '!echo \"a\\\\b\"'", ORIGIN},
        {"git config --global push.autoSetupRemote true", ORIGIN},
        /* rewritten, or more than one */
        {"git config url.https://evil.example/.insteadOf git@host.example:", NULL},
        {"git config url.https://evil.example/.pushInsteadOf git@host.example:", NULL},
        {"git config --global url.https://evil.example/.pushInsteadOf git@host.example:", NULL},
        {"git config --add remote.origin.url https://second.example/x", NULL},
        {"git config --add remote.origin.pushurl a && git config --add remote.origin.pushurl b",
         NULL},
        {"git config --global remote.origin.pushurl https://evil.example/x", NULL},
        {"git config --global remote.pushDefault fork", NULL},
        {"printf '[remote \"origin\"]\\npushurl = https://evil.example/x\\n' >more && "
         "git config include.path ../more",
         NULL},
        {"printf '[remote \"origin\"]\\npushurl = https://evil.example/x\\n' >more && "
         "git config includeIf.onbranch:main.path ../more",
         NULL},
        {"git config extensions.worktreeConfig true && "
         "git config --worktree remote.origin.pushurl https://evil.example/x",
         NULL},
        {"printf '[remote \"origin\"] pushurl = https://evil.example/x\\n' >>.git/config", NULL},
        {"git config remote.origin.vcs ext", NULL},
        {"git config extensions.refStorage reftable", NULL}, /* HEAD is none of its files */
        {"git config push.recurseSubmodules on-demand", NULL},
        {"git config --global push.recurseSubmodules on-demand", NULL},
        {"git config submodule.recurse true", NULL},
        {"git config --global submodule.recurse true", NULL},
        /* elsewhere */
        {"mv .git ../books && ln -s ../books .git", NULL},
        {"mv .git ../books && echo 'gitdir: ../books' >.git", NULL},
        {"mv .git/config ../config && ln -s ../../config .git/config", NULL},
        {"rm -r .git/objects", NULL},
        {"echo x >.git/commondir", NULL},
        {"echo .. >.git/commondir", NULL},
        {"echo . >.git/commondir", ORIGIN}, /* as the sandbox holds the name */
        {"echo x >HEAD", ORIGIN},           /* its .git comes first */
        {"git checkout -q --detach", NULL},
        {"printf 'ref: refs/heads/main\\n\\n' >.git/HEAD", ORIGIN},
        {"git pack-refs --all", ORIGIN},
        {"printf 'ref: refs/heads/main \\n' >.git/HEAD", NULL}, /* which git cuts off */
        {"printf 'ref: refs/heads/main\\nx\\n' >.git/HEAD", NULL},
        {"git branch other && echo 'ref: refs/heads/other' >.git/refs/heads/main", NULL},
        {"git branch other && ln -sf refs/heads/other .git/refs/heads/main", NULL},
        {"printf 'ref: refs/heads/ma..in\\n' >.git/HEAD", NULL},
        {"printf 'ref: refs/heads/main.lock\\n' >.git/HEAD", NULL},
        {"git checkout -q -b topic/x.y && git pack-refs --all", ORIGIN},
        {"git checkout -q --orphan topic/unborn", ORIGIN},
        {"git branch other && ln -sf other .git/refs/heads/main", NULL},
        {"git remote remove origin", NULL},
    };
    struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tear_down(state);
        assert_int_equal(set_up(state), 0);
        place = *state;
        assert_int_equal(shell(place, rows[i].script), 0);
        cleanup_free char *target = told(place, "git push");
        if (target != NULL && (rows[i].told == NULL || strcmp(target, rows[i].told) != 0))
            fail_msg("%s: %s", rows[i].script, target);
        if (target == NULL && rows[i].told != NULL)
            fail_msg("%s: nothing is told", rows[i].script);
        if (target == NULL)
            continue;
        /* "origin (ADDRESS)" as git has it */
        *strchr(target, ' ') = '\0';
        char *address = target + strlen(target) + 2;
        address[strlen(address) - 1] = '\0';
        cleanup_free char *check =
            xasprintf("test \"$(git remote get-url --push --all %s)\" = '%s'", target, address);
        assert_int_equal(shell(place, check), 0);
    }
}

/* git goes on upwards from a repository that it may not search, to what is another's. */
static void a_repository_that_git_passes_over_is_not_told_of(void **state)
{
    const struct place *place = *state;
    static const char *const directories[] = {"objects", "refs"};
    if (geteuid() == 0)
        skip(); /* who may search everything */
    for (size_t i = 0; i < COUNT(directories); i++) {
        cleanup_free char *close = xasprintf("chmod 600 .git/%s", directories[i]);
        cleanup_free char *open = xasprintf("chmod 700 .git/%s", directories[i]);
        assert_int_equal(shell(place, close), 0);
        cleanup_free char *target = told(place, "git push");
        assert_int_equal(shell(place, open), 0);
        assert_null(target);
    }
}

static void no_secret_of_an_address_is_told(void **state)
{
    static const struct {
        const char *address, *told;
    } rows[] = {
        {"https://me:geheim@host.example/x.git", "origin (https://<masked>@host.example/x.git)"},
        {"https://0123456789abcdef@host.example/x", "origin (https://<masked>@host.example/x)"},
        {"HTTP://a@b:c@host.example/x", "origin (HTTP://<masked>@host.example/x)"},
        {"hg::https://0123456789abcdef@host.example/x",
         "origin (hg::https://<masked>@host.example/x)"},
        {"ssh://me:geheim@host.example/x", "origin (ssh://me:<masked>@host.example/x)"},
        {"git+ssh://me@host.example/x", "origin (git+ssh://me@host.example/x)"},
        {"https://host.example/ghp_0123456789abcdefghijklmnopqrstuvwxyzAB",
         "origin (https://host.example/<masked>)"},
        {"ssh://git@host.example/x", "origin (ssh://git@host.example/x)"},
        {"https://host.example/a@b", "origin (https://host.example/a@b)"},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *script = xasprintf("git remote set-url origin '%s'", rows[i].address);
        assert_int_equal(shell(place, script), 0);
        assert_told(place, "git push origin", rows[i].told);
    }
}

static void variables_can_lead_elsewhere(void **state)
{
    struct place *place = *state;
    place->environment[1] = "GIT_CONFIG_COUNT=1";
    assert_told(place, "git push", NULL);
    place->environment[1] = "GIT_DIR=/x";
    assert_told(place, "git push", NULL);
    place->environment[1] = "GIT_EDITOR=vi";
    assert_told(place, "git push", ORIGIN);
    place->environment[1] = NULL;
}

int main(void)
{
#define WITH_REPOSITORY(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_REPOSITORY(a_push_names_the_address),
        WITH_REPOSITORY(git_goes_on_upwards_from_an_empty_directory),
        WITH_REPOSITORY(names_and_addresses_of_several_words_are_quoted),
        WITH_REPOSITORY(what_is_more_than_a_push_is_not_told_of),
        WITH_REPOSITORY(what_is_told_is_what_git_uses),
        WITH_REPOSITORY(a_repository_that_git_passes_over_is_not_told_of),
        WITH_REPOSITORY(no_secret_of_an_address_is_told),
        WITH_REPOSITORY(variables_can_lead_elsewhere),
    };
    if (access("/usr/bin/git", X_OK) != 0)
        return 77;
    return cmocka_run_group_tests_name("push_target", tests, NULL, NULL);
}
