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

static char *remote_of(const char *const *argv, const char *cwd, const struct place *place)
{
    struct push_target target;
    push_target_find(argv, cwd, place->environment, &target);
    char *remote = steal_pointer(&target.remote);
    push_target_clear(&target);
    return remote;
}

static const char *or_nothing(const char *text)
{
    return text != NULL ? text : "nothing";
}

static char *told(const struct place *place, const char *line)
{
    const char *const argv[] = {"bash", "-lc", line, NULL};
    return remote_of(argv, place->root, place);
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
    cleanup_free char *target = remote_of(bare, place->root, place);
    assert_string_equal(target, ORIGIN);
    assert_told(place, "git push origin main", ORIGIN);
    assert_told(place, "git push", ORIGIN);
    assert_told(place, "git push -u --force-with-lease origin HEAD", ORIGIN);
    assert_told(place, "git -C . push origin main", ORIGIN);
    assert_told(place, "git -C .. push origin main", NULL);
    assert_told(place, "git -C no-such push origin main", NULL);
    assert_told(place, "git -C . -c remote.origin.url=x push origin", NULL);
    tree_write(place->base, "work/sub/g", "", 0644);
    cleanup_free char *below = xasprintf("%s/sub", place->root);
    cleanup_free char *from_below = remote_of(bare, below, place);
    assert_string_equal(from_below, ORIGIN);
    /* what is looked for is looked for there */
    struct push_target there;
    const char *const elsewhere[] = {"git", "-C", "sub", "push", "-f", "origin", "main", NULL};
    assert_told(place, "git -C sub push origin main", ORIGIN);
    assert_true(push_target_find(elsewhere, place->root, place->environment, &there));
    assert_string_equal(there.commits.directory, below);
    assert_string_equal(there.commits.sent, "refs/remotes/origin/main..main");
    push_target_clear(&there);
}

/* Where the shell is, which is not where this is. */
static void what_leads_each_process_elsewhere_is_not_followed(void **state)
{
    static const char *const lines[] = {
        "cd /proc/self/cwd && git push origin main", "git -C /proc/self/cwd push origin main",
        "cd ./link && git push origin main", "git -C link push origin main",
        "git -C /proc/thread-self/cwd push origin main"};
    const struct place *place = *state;
    cleanup_free char *before = getcwd(NULL, 0);
    tree_write(place->base, "elsewhere/g", "", 0644);
    cleanup_free char *elsewhere = xasprintf("%s/elsewhere", place->base);
    assert_int_equal(shell(place, "ln -s /proc/self/cwd ../elsewhere/link"), 0);
    assert_int_equal(chdir(place->root), 0);
    for (size_t i = 0; i < COUNT(lines); i++) {
        const char *const argv[] = {"bash", "-lc", lines[i], NULL};
        cleanup_free char *target = remote_of(argv, elsewhere, place);
        if (target != NULL)
            fail_msg("%s: %s", lines[i], target);
    }
    assert_int_equal(chdir(before), 0);
}

/* As the sandbox holds the name in a part of a repository. */
static void git_goes_on_upwards_from_an_empty_directory(void **state)
{
    const struct place *place = *state;
    const char *const argv[] = {"git", "push", NULL};
    cleanup_free char *below = xasprintf("%s/sub", place->root);
    assert_int_equal(shell(place, "mkdir -p sub/.git && cd sub && git remote get-url origin"), 0);
    cleanup_free char *target = remote_of(argv, below, place);
    assert_string_equal(target != NULL ? target : "(nothing)", ORIGIN);
    assert_int_equal(shell(place, "echo 'ref: refs/heads/x' >sub/.git/HEAD"), 0);
    cleanup_free char *other = remote_of(argv, below, place);
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
        "git -C .. push origin",
        "git -c remote.origin.url=x push origin",
        "git push --repo=x",
        "git push -o x origin",
        "GIT_DIR=/x git push",
        "git remote set-url origin x && git push origin",
        "git push \"$1\"",
        "git pushx origin",
        "git",
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_told(place, lines[i], NULL);
}

/* Also where there is no repository, but not where that is of a kind that is not read here. */
static void an_address_among_the_words_is_told(void **state)
{
    static const struct {
        const char *script, *line, *told;
    } rows[] = {
        {":", "git push -f https://h3.example/x.git main:dev", "https://h3.example/x.git"},
        {":", "git push ssh://other.example/x", "ssh://other.example/x"},
        {":", "git push me@host.example:x/y.git main", "me@host.example:x/y.git"},
        {":", "git push https://me:geheim@host.example/x main", "https://<masked>@host.example/x"},
        {":", "git push host:x main", "host:x"},
        {"git config remote.host:x.url evil:x", "git push host:x main", "host:x (evil:x)"},
        {"git config --unset remote.host:x.url && mkdir -p .git/remotes && echo 'URL: evil:x' "
         ">.git/remotes/host:x",
         "git push host:x main", NULL},
        {":", "git push host:x/y main", "host:x/y"},
        {"git config url.https://evil.example/.insteadOf https://", "git push https://a/b main",
         NULL},
        {"rm -rf .git", "git push -f https://h3.example/x.git main:dev",
         "https://h3.example/x.git"},
        {":", "git push -f /srv/x.git main:dev", "/srv/x.git"},
        {":", "git push -f origin main:dev", NULL},
        {":", "git push", NULL},
        {"git config --global url.https://evil.example/.insteadOf https://",
         "git push https://a/b main", NULL},
        {"git config --global --unset url.https://evil.example/.insteadOf && mkdir ../books && "
         "echo 'gitdir: ../books' >.git",
         "git push https://a/b main", NULL},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(shell(place, rows[i].script), 0);
        assert_told(place, rows[i].line, rows[i].told);
    }
}

/* What other commands stand around it. */
static void a_push_among_other_commands_is_told(void **state)
{
    static const struct {
        const char *line, *remote;
        bool settled; /* the commits are those of now */
    } rows[] = {
        {"git commit -m x && git push -f origin main", ORIGIN, false},
        {"git add -A && git commit -m 'a b' && git push", ORIGIN, false},
        {"git fetch origin; git rebase origin/main && git push -f", ORIGIN, false},
        {"git fetch -q; git rebase -q origin/main && git push --force-with-lease origin main",
         ORIGIN, false},
        {"git fetch; git rebase --autostash --quiet origin/main; git push", ORIGIN, false},
        {"git pull --rebase; git push origin main", ORIGIN, false},
        {"make test && git push origin main 2>&1 | tail -5", ORIGIN, false},
        {"git push origin >/dev/null", ORIGIN, true},
        {"git switch -c x && git commit -m x && git push -u origin x", ORIGIN, false},
        {"git checkout main; git push origin main:x", ORIGIN, false},
        {"git branch -d x && git push origin --delete x", ORIGIN, false},
        {"git branch -d x && git push", NULL, false},
        {"git branch -m x y && git push origin y", NULL, false},
        {"git branch -d -u fork x && git push origin y", NULL, false},
        {"git push origin main && gh pr create; cd x", ORIGIN, true},
        {"cd ./sub && git push", ORIGIN, true},
        {"git push 2>&1 | tail -3; git commit -m x", ORIGIN, true},
        {"git add -A; git status && git push origin main", ORIGIN, true},
        {"git fetch && git push origin main", ORIGIN, false},
        {"git push | make", ORIGIN, false},
        {"cd ./sub && git status && git push origin main", ORIGIN, true},
        /* elsewhere, or who knows */
        {"cd ../other && git push", NULL, false},
        {"cd sub && git push", NULL, false}, /* CDPATH */
        {"cd sub; cd .. && git push", NULL, false},
        {"pushd sub && git push", NULL, false},
        {"git remote set-url origin x && git push origin", NULL, false},
        {"git config remote.origin.url x && git push", NULL, false},
        {"git checkout -b x && git push", NULL, false},
        {"git switch x; git push", NULL, false},
        {"git switch x; git push origin", NULL, false},
        {"git switch x; git push origin HEAD", NULL, false},
        {"git switch x; git push origin @:x", NULL, false},
        {"git switch x; git push origin -f", NULL, false},
        {"git checkout x --output=.git/config; git push origin x", NULL, false},
        {"git fetch --set-up fork && git push", NULL, false},
        {"git log -1 --format=%b --output=.git/config && git push", NULL, false},
        {"git show --output .git/config x; git push", NULL, false},
        {"git pull --upload-pa='git config remote.origin.url x; :' . ; git push", NULL, false},
        {"git mv -f x .git/config; git push", NULL, false},
        {"git log --oneline -3 && git push", ORIGIN, true},
        {"git -C sub commit -m x && git push", NULL, false},
        {"export GIT_DIR=/x && git push", NULL, false},
        {"GIT_DIR=/x git push && ls", NULL, false},
        {"HOME=/x; git push", NULL, false},
        {"printf %n HOME; git push", NULL, false},
        {"printf %d HOME=5; git push", NULL, false},
        {"./x && git push", NULL, false},
        {"sh x && git push", NULL, false},
        {". ./x && git push", NULL, false},
        {"echo x >.git/config && git push", NULL, false},
        {"git push | sh", NULL, false},
        {"git commit -m x && git push \"$1\"", NULL, false},
        {"git rebase origin/main topic && git push -f", NULL, false},
        {"git rebase -q origin/main topic && git push -f", NULL, false},
        {"git rebase -q && git push -f", NULL, false},
        {"git rebase -q --exec 'git config remote.origin.url x' origin/main; git push", NULL,
         false},
        {"git rebase -x ./x origin/main; git push", NULL, false},
        {"git -c rebase.x=y rebase origin/main; git push", NULL, false},
        {"git fetch -q --upload-pack=./x origin; git push origin main", NULL, false},
        {"git -c remote.origin.url=x fetch; git push origin main", NULL, false},
        {"git commit -m x && (git push)", NULL, false},
        {"git push origin main && git push fork main", NULL, false},
    };
    const struct place *place = *state;
    assert_int_equal(shell(place, "mkdir sub && git init -q ../other"), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const argv[] = {"bash", "-lc", rows[i].line, NULL};
        struct push_target target;
        push_target_find(argv, place->root, place->environment, &target);
        if (rows[i].remote == NULL
                ? target.remote != NULL
                : target.remote == NULL || strcmp(target.remote, rows[i].remote) != 0)
            fail_msg("%s: %s", rows[i].line, target.remote);
        if ((target.commits.sent != NULL) != rows[i].settled)
            fail_msg("%s: %s", rows[i].line, or_nothing(target.commits.sent));
        push_target_clear(&target);
    }
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

/* ---- branches -------------------------------------------------------------------------------- */

static void assert_refs(const struct place *place, const char *line, const char *expected)
{
    const char *const argv[] = {"bash", "-lc", line, NULL};
    struct push_target target;
    push_target_find(argv, place->root, place->environment, &target);
    if (expected == NULL ? target.refs != NULL
                         : target.refs == NULL || strcmp(target.refs, expected) != 0)
        fail_msg("%s: %s", line, target.refs != NULL ? target.refs : "(nothing)");
    push_target_clear(&target);
}

static void a_push_names_its_branches(void **state)
{
    static const struct {
        const char *line, *refs;
    } rows[] = {
        {"git push", "main"},
        {"git push --force", "main"},
        {"git push -f origin", "main"},
        {"git push origin main", "main"},
        {"git push origin HEAD", "main"},
        {"git push origin @", "main"},
        {"git push -f origin main topic", "main, topic"},
        {"git push -fuv origin main", "main"},
        {"git push -fd origin old", "old"},
        {"git push --force origin HEAD~1:main", "HEAD~1 -> main"},
        {"git push origin +main:main", "main"},
        {"git push origin main:refs/heads/x +topic", "main -> refs/heads/x, topic"},
        {"git push origin :old", "old"},
        {"git push origin :old :older", "old, older"},
        {"git push -f origin main :old", "main, :old"},
        {"git push origin --delete old older", "old, older"},
        {"git push -d origin old", "old"},
        {"git push origin tag v1", "tag v1"},
        {"git push origin main tag v1", "main, tag v1"},
        {"git push --all origin", "all branches -> branches"},
        {"git push --mirror", "all branches, tags and other names -> those"},
        {"git push --tags", "all tags -> tags"},
        {"git push --tags origin main", "main, all tags -> tags"},
        {"git push origin 'refs/heads/*:refs/heads/x/*'", "refs/heads/* -> refs/heads/x/*"},
        {"git push origin 'a, b:main of x (y)'", "'a, b' -> 'main of x (y)'"},
        {"git push origin 'a -> b'", "'a -> b'"},
        {"git push origin ghp_0123456789abcdefghijklmnopqrstuvwxyzAB:x", "<masked> -> x"},
        /* it cannot be said */
        {"git push -fo origin main", NULL},
        {"git push - origin main", NULL},
        {"git push origin :", NULL},
        {"git push -f origin +:", NULL},
        {"git push origin tag", NULL},
        {"git push origin tag a:b", NULL},
        {"git push origin 'refs/heads/*' '^refs/heads/x'", NULL},
        {"git push --prune origin main", NULL},
        {"git push --all origin main", NULL},
        {"git push --delete origin", NULL},
        {"git push --delete origin a:b", NULL},
        {"git push origin main:", NULL},
        {"git push origin main^", NULL},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_refs(place, rows[i].line, rows[i].refs);
}

static bool is_same(const char *text, const char *expected)
{
    return strcmp(or_nothing(text), or_nothing(expected)) == 0;
}

/* As a word of git log; what is taken away there only where the words of the push do. */
static void how_its_commits_are_seen_is_told(void **state)
{
    static const struct {
        const char *line, *sent, *lost;
    } rows[] = {
        {"git push", "refs/remotes/origin/main..refs/heads/main", NULL},
        {"git push origin HEAD", "refs/remotes/origin/main..HEAD", NULL},
        {"git push -fu origin main", "refs/remotes/origin/main..main",
         "main..refs/remotes/origin/main"},
        {"git push --force-with-lease", "refs/remotes/origin/main..refs/heads/main",
         "refs/heads/main..refs/remotes/origin/main"},
        {"git push origin +HEAD~1:refs/heads/x", "refs/remotes/origin/x..HEAD~1",
         "HEAD~1..refs/remotes/origin/x"},
        {"git push origin \"it's:main\"", "refs/remotes/origin/main..it's", NULL},
        /* they are not those of one branch, or cannot be said */
        {"git push -f origin main topic", NULL, NULL},
        {"git push origin :old", NULL, "refs/remotes/origin/old"},
        {"git push -d origin old", NULL, "refs/remotes/origin/old"},
        {"git push -d origin refs/tags/v1", NULL, NULL},
        {"git push -d origin old older", NULL, NULL},
        {"git push --all", NULL, NULL},
        {"git push origin 'refs/heads/*:refs/heads/x/*'", NULL, NULL},
        {"git push origin main:refs/tags/v1", NULL, NULL},
        {"git push origin a..b:main", NULL, NULL},
        {"git push /srv/x.git main", NULL, NULL},
        {"git push origin ghp_0123456789abcdefghijklmnopqrstuvwxyzAB:x", NULL, NULL},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct push_target target;
        const char *const argv[] = {"bash", "-lc", rows[i].line, NULL};
        push_target_find(argv, place->root, place->environment, &target);
        if (!is_same(target.commits.sent, rows[i].sent) ||
            !is_same(target.commits.lost, rows[i].lost))
            fail_msg("%s: %s, %s", rows[i].line, or_nothing(target.commits.sent),
                     or_nothing(target.commits.lost));
        push_target_clear(&target);
    }
}

/* A clone that has but the last of them does not have what is lost. */
static void of_a_part_of_the_history_no_commits_are_told(void **state)
{
    const struct place *place = *state;
    struct push_target target;
    const char *const argv[] = {"git", "push", "-f", NULL};
    assert_int_equal(shell(place, "touch .git/shallow"), 0);
    push_target_find(argv, place->root, place->environment, &target);
    assert_non_null(target.refs);
    assert_null(target.commits.sent);
    push_target_clear(&target);
}

/* Under the remote's name there stands something else, or what was there long ago. */
static void where_others_are_fetched_to_no_commits_are_told(void **state)
{
    static const struct {
        const char *fetch;
        bool told;
    } rows[] = {
        {"+refs/heads/main:refs/remotes/origin/main", true},
        {"+refs/heads/*:refs/remotes/there/*", false},
        {"+refs/heads/*:refs/remotes/origin/x/*", false},
        {"+refs/heads/topic:refs/remotes/origin/main", false},
        {"refs/pull/*:refs/remotes/origin/*", false},
    };
    const struct place *place = *state;
    const char *const argv[] = {"git", "push", "-f", NULL};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct push_target target;
        cleanup_free char *command =
            xasprintf("git config remote.origin.fetch '%s'", rows[i].fetch);
        assert_int_equal(shell(place, command), 0);
        push_target_find(argv, place->root, place->environment, &target);
        assert_non_null(target.refs);
        if ((target.commits.sent != NULL) != rows[i].told)
            fail_msg("%s", rows[i].fetch);
        push_target_clear(&target);
    }
    /* and that is not where it goes */
    struct push_target target;
    assert_int_equal(shell(place, "git config remote.origin.fetch "
                                  "'+refs/heads/*:refs/remotes/origin/*' && "
                                  "git config remote.origin.pushurl https://elsewhere.example/x"),
                     0);
    push_target_find(argv, place->root, place->environment, &target);
    assert_non_null(target.refs);
    assert_null(target.commits.there);
    push_target_clear(&target);
}

/* To a repository where there is none of them, git lists what it would write. */
static void branches_are_those_that_git_writes(void **state)
{
    static const struct {
        const char *script, *line, *refs;
    } rows[] = {
        {":", "git push -f origin main topic", "main, topic"},
        {":", "git push", "main"},
        {"git checkout -q topic", "git push", "topic"},
        {"git checkout -q topic", "git push origin HEAD", "topic"},
        {"git config push.default current", "git push", "main"},
        {"git config --global push.default current", "git push", "main"},
        {"git config --global alias.x '!echo \"a\\b\"'", "git push", "main"},
        {"git checkout -q --detach", "git push -f origin HEAD:refs/heads/main",
         "HEAD -> refs/heads/main"},
        {"git config push.default matching", "git push", NULL},
        {"git config push.default upstream", "git push origin main", NULL},
        {"git config --global push.default upstream", "git push origin main", NULL},
        {"git config --global push.default upstream", "git push origin topic:main",
         "topic -> main"},
        {"git config remote.origin.push topic:main", "git push", NULL},
        {"git config remote.origin.push topic:refs/heads/x", "git push origin topic", NULL},
        {"git config remote.origin.push topic:x", "git push origin topic:main", "topic -> main"},
        {"git config remote.origin.mirror true", "git push", NULL},
        {"git symbolic-ref refs/heads/alias refs/heads/main", "git push origin alias", NULL},
        {"git symbolic-ref refs/remotes/other/HEAD refs/heads/main", "git push origin other", NULL},
        {"echo 'ref: refs/heads/main' >.git/topic", "git push origin topic", NULL},
        {"mkdir -p .git/refs/topic", "git push origin topic", NULL},
    };
    struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tear_down(state);
        assert_int_equal(set_up(state), 0);
        place = *state;
        cleanup_free char *script =
            xasprintf("git branch topic && git init -q --bare ../there && "
                      "git remote set-url origin \"$PWD/../there\" && "
                      "for branch in main topic; do git config branch.$branch.remote origin && "
                      "git config branch.$branch.merge refs/heads/$branch; done && %s",
                      rows[i].script);
        assert_int_equal(shell(place, script), 0);
        assert_refs(place, rows[i].line, rows[i].refs);
        if (rows[i].refs == NULL || strstr(rows[i].refs, ">") != NULL)
            continue;
        cleanup_free char *check =
            xasprintf("%s && test \"$(git -C ../there for-each-ref --format='%%(refname:short)' | "
                      "paste -sd, | sed 's/,/, /g')\" = '%s'",
                      rows[i].line, rows[i].refs);
        if (shell(place, check) != 0)
            fail_msg("%s: %s: git writes something else", rows[i].script, rows[i].line);
    }
}

static void assert_tag(const struct place *place, const char *line, bool tag)
{
    const char *const argv[] = {"bash", "-lc", line, NULL};
    struct push_target target;
    push_target_find(argv, place->root, place->environment, &target);
    if (target.commits.tag != tag)
        fail_msg("%s", line);
    push_target_clear(&target);
}

/* One that has the name of a branch, too, git does not push. */
static void a_tag_is_called_one(void **state)
{
    const struct place *place = *state;
    assert_int_equal(shell(place, "git tag v1 && git branch topic && git tag topic"), 0);
    assert_refs(place, "git push origin v1", "tag v1");
    assert_refs(place, "git push origin main v1", "main, tag v1");
    assert_refs(place, "git push origin topic", "topic");
    assert_refs(place, "git tag -d v1 && git checkout -b v1 && git push origin v1", "v1");
    assert_refs(place, "git commit -m x && git push origin tag v1", "tag v1");
    assert_tag(place, "git push origin v1", true);
    assert_tag(place, "git push origin topic", false);
    assert_tag(place, "git push origin v1:main", false);
}

static void assert_unknown(const struct place *place, const char *line, const char *why)
{
    const char *const argv[] = {"bash", "-lc", line, NULL};
    struct push_target target;
    push_target_find(argv, place->root, place->environment, &target);
    assert_null(target.commits.there);
    if (!is_same(target.commits.unknown, why))
        fail_msg("%s: %s", line, or_nothing(target.commits.unknown));
    push_target_clear(&target);
}

static void why_its_commits_are_unknown_is_told(void **state)
{
    const struct place *place = *state;
    assert_unknown(place, "git push -f --all", "it writes more than one branch");
    assert_unknown(place, "git push -f origin a b", "it writes more than one branch");
    assert_unknown(place, "git commit --amend && git push -f",
                   "other commands of the line can change that before");
    assert_unknown(place, "git push -f https://host.example/x main",
                   "nothing is kept of an address that is no remote here");
    assert_unknown(place, "git push -f origin main:refs/tags/v1", NULL);
}

/* It is what the branch would track. */
static void where_a_push_among_others_goes_is_known(void **state)
{
    const struct place *place = *state;
    const char *const argv[] = {"bash", "-lc", "git commit -m x && git push -u origin main:topic",
                                NULL};
    struct push_target target;
    assert_true(push_target_find(argv, place->root, place->environment, &target));
    assert_string_equal(target.commits.upstream, "origin/topic");
    assert_null(target.commits.there);
    push_target_clear(&target);
}

static bool tracks(const struct place *place, const char *line)
{
    const char *const argv[] = {"bash", "-lc", line, NULL};
    struct push_target target;
    assert_true(push_target_find(argv, place->root, place->environment, &target));
    bool tracked = target.commits.tracked;
    push_target_clear(&target);
    return tracked;
}

/* What is its upstream already need not be set. */
static void what_is_tracked_is_known(void **state)
{
    const struct place *place = *state;
    cleanup_free char *command = xasprintf("cd '%s' && git config branch.main.remote origin && "
                                           "git config branch.main.merge refs/heads/topic",
                                           place->root);
    assert_false(tracks(place, "git push -u origin main:topic"));
    assert_int_equal(system(command), 0);
    assert_true(tracks(place, "git push -u origin main:topic"));
    assert_true(tracks(place, "git push -u origin HEAD:topic"));
    assert_false(tracks(place, "git push -u origin main"));
    assert_false(tracks(place, "git push -u origin side:topic"));
    assert_false(tracks(place, "git push origin --delete topic"));
}

static void what_the_words_say_needs_no_repository(void **state)
{
    struct place *place = *state;
    place->environment[1] = "GIT_DIR=/x";
    assert_refs(place, "git push -f origin HEAD~1:main", "HEAD~1 -> main");
    assert_refs(place, "git push origin --delete old", "old");
    assert_refs(place, "git push --mirror x", "all branches, tags and other names -> those");
    assert_refs(place, "git push -f", NULL);
    assert_refs(place, "git push -f origin main", NULL);
    assert_refs(place, "git push -f origin HEAD", NULL);
    place->environment[1] = NULL;
}

/* Each is looked for in files: whoever waits for the console does not wait for thousands. */
static void of_too_many_branches_nothing_is_told(void **state)
{
    const char *argv[1024] = {"git", "push", "origin"};
    const struct place *place = *state;
    struct push_target target;
    for (size_t i = 3; i < COUNT(argv) - 1; i++)
        argv[i] = "main";
    assert_true(push_target_find(argv, place->root, place->environment, &target));
    assert_null(target.refs);
    assert_string_equal(target.remote, ORIGIN);
    push_target_clear(&target);
}

/* ---- directories ----------------------------------------------------------------------------- */

static void a_directory_needs_no_host(void **state)
{
    static const struct {
        const char *address, *line, *directory;
    } rows[] = {
        {"/srv/x.git", "git push", "/srv/x.git"},
        {"file:///srv/x.git", "git push", "/srv/x.git"},
        {"x", "git push /srv/y.git HEAD:main", "/srv/y.git"},
        {"/srv/a:b", "git push", "/srv/a:b"},
        {"file:///srv/%78", "git push", NULL},
        {"file://host/srv/x", "git push", NULL},
        {"FILE:///srv/x", "git push", NULL},
        {"host:/srv/x", "git push", NULL},
        {"ext::sh -c x", "git push", NULL},
        {"ssh:///srv/x", "git push", NULL},
        {"x/../../y", "git push", NULL},
        {"..:x", "git push", NULL},
        {"~/x", "git push", NULL},
        {"//host/x", "git push", "//host/x"},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const argv[] = {"bash", "-lc", rows[i].line, NULL};
        cleanup_free char *script = xasprintf("git remote set-url origin '%s'", rows[i].address);
        assert_int_equal(shell(place, script), 0);
        struct push_target target;
        assert_true(push_target_find(argv, place->root, place->environment, &target));
        if (rows[i].directory == NULL
                ? target.directory != NULL
                : target.directory == NULL || strcmp(target.directory, rows[i].directory) != 0)
            fail_msg("%s: %s", rows[i].address, target.directory);
        push_target_clear(&target);
    }
}

static void a_directory_beside_is_found_from_the_top(void **state)
{
    const struct place *place = *state;
    const char *const argv[] = {"git", "push", NULL};
    struct push_target target;
    assert_int_equal(shell(place, "git remote set-url origin ../x.git && mkdir sub"), 0);
    cleanup_free char *below = xasprintf("%s/sub", place->root);
    cleanup_free char *expected = xasprintf("%s/x.git", place->base);
    assert_true(push_target_find(argv, below, place->environment, &target));
    assert_string_equal(target.directory, expected);
    push_target_clear(&target);
}

/* Git reads it from the working tree's top, which settings move. */
static void a_directory_beside_another_tree_is_not_told(void **state)
{
    static const char *const moves[] = {
        "git remote set-url origin ../x.git && git config core.worktree ../..",
        "git config --unset core.worktree && git config core.bare true"};
    const struct place *place = *state;
    const char *const argv[] = {"git", "push", "origin", NULL};
    for (size_t i = 0; i < COUNT(moves); i++) {
        struct push_target target;
        assert_int_equal(shell(place, moves[i]), 0);
        assert_true(push_target_find(argv, place->root, place->environment, &target));
        assert_null(target.directory);
        push_target_clear(&target);
    }
}

/* A program takes the place of the other end: it may be anywhere. */
static void a_directory_that_a_program_stands_for_is_none(void **state)
{
    const struct place *place = *state;
    const char *const argv[] = {"git", "push", NULL};
    struct push_target target;
    assert_int_equal(shell(place, "git remote set-url origin /srv/x.git && git config "
                                  "remote.origin.receivepack 'ssh host git-receive-pack'"),
                     0);
    assert_true(push_target_find(argv, place->root, place->environment, &target));
    assert_null(target.directory);
    push_target_clear(&target);
}

int main(void)
{
#define WITH_REPOSITORY(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_REPOSITORY(a_push_names_the_address),
        WITH_REPOSITORY(what_leads_each_process_elsewhere_is_not_followed),
        WITH_REPOSITORY(git_goes_on_upwards_from_an_empty_directory),
        WITH_REPOSITORY(names_and_addresses_of_several_words_are_quoted),
        WITH_REPOSITORY(what_is_more_than_a_push_is_not_told_of),
        WITH_REPOSITORY(an_address_among_the_words_is_told),
        WITH_REPOSITORY(a_push_among_other_commands_is_told),
        WITH_REPOSITORY(what_is_told_is_what_git_uses),
        WITH_REPOSITORY(a_repository_that_git_passes_over_is_not_told_of),
        WITH_REPOSITORY(no_secret_of_an_address_is_told),
        WITH_REPOSITORY(variables_can_lead_elsewhere),
        WITH_REPOSITORY(a_push_names_its_branches),
        WITH_REPOSITORY(how_its_commits_are_seen_is_told),
        WITH_REPOSITORY(where_others_are_fetched_to_no_commits_are_told),
        WITH_REPOSITORY(of_a_part_of_the_history_no_commits_are_told),
        WITH_REPOSITORY(branches_are_those_that_git_writes),
        WITH_REPOSITORY(a_tag_is_called_one),
        WITH_REPOSITORY(why_its_commits_are_unknown_is_told),
        WITH_REPOSITORY(where_a_push_among_others_goes_is_known),
        WITH_REPOSITORY(what_is_tracked_is_known),
        WITH_REPOSITORY(what_the_words_say_needs_no_repository),
        WITH_REPOSITORY(of_too_many_branches_nothing_is_told),
        WITH_REPOSITORY(a_directory_needs_no_host),
        WITH_REPOSITORY(a_directory_beside_is_found_from_the_top),
        WITH_REPOSITORY(a_directory_beside_another_tree_is_not_told),
        WITH_REPOSITORY(a_directory_that_a_program_stands_for_is_none),
    };
    if (access("/usr/bin/git", X_OK) != 0)
        return 77;
    return cmocka_run_group_tests_name("push_target", tests, NULL, NULL);
}
