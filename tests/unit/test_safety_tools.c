/* SPDX-License-Identifier: MIT */
/*
 * Programs of the known-safe list, led astray by their words or by files of the project. Each row
 * is tried on the real tool first: what writes, runs or tells a secret there must not be safe. A
 * row whose tool is missing is only judged.
 */
#include "config.h"

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
#include "base/fd.h"
#include "command/safety.h"
#include "command/shell.h"
#include "tree_fixture.h"

/* A workspace `work` that is a repository, and beside it `outside` with a secret. */
struct place {
    char *base, *root, *search_path;
};

static int shell(const struct place *place, const char *script)
{
    cleanup_free char *command =
        xasprintf("cd '%s' && HOME='%s/home' XDG_CONFIG_HOME='%s/home' GIT_CONFIG_NOSYSTEM=1 && "
                  "export HOME XDG_CONFIG_HOME GIT_CONFIG_NOSYSTEM && PATH='%s' && {\n%s\n} "
                  ">'%s/out' 2>&1 </dev/null",
                  place->root, place->base, place->base, place->search_path, script, place->base);
    return system(command);
}

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    *state = place;
    place->base = tree_new();
    place->root = xasprintf("%s/work", place->base);
    place->search_path = xasprintf("%s/bin:/usr/local/bin:/usr/bin:/bin", place->base);
    tree_write(place->base, "home/.keep", "", 0644);
    tree_write(place->base, "work/in", "one\n", 0644);
    tree_write(place->base, "work/two/x", "one\n", 0644);
    tree_write(place->base, "outside/secret", "SECRET\n", 0600);
    /* What checks signatures says that it ran. */
    tree_write(place->base, "bin/gpg", "#!/bin/sh\ntouch \"${0%/*}/../written\"\n", 0755);
    return shell(place, "git init -q . && git config user.name a && git config user.email a && "
                        "mkdir one && ln -s ../../outside/secret one/x && "
                        "printf '../outside/secret\\n' >args && git add in && git commit -qm one");
}

static int tear_down(void **state)
{
    struct place *place = *state;
    int result = tree_remove(place->base);
    free(place->root);
    free(place->search_path);
    free(place);
    return result;
}

/* `script` as a shell of that name would be given it. */
static bool is_safe(const struct place *place, const char *name, const char *script)
{
    const char *const roots[] = {place->root, NULL};
    const char *const argv[] = {name, "-c", script, NULL};
    const struct safety_context context = {.cwd = place->root,
                                           .root = place->root,
                                           .writable_roots = roots,
                                           .program = name,
                                           .search_path = place->search_path};
    return safety_known_safe(argv, &context);
}

/* Is there a new file `written` or "-p", a second name that only an attack makes, or does the
 * output hold the secret, as it is or as xxd writes it? */
static bool harm_is_done(const struct place *place)
{
    return shell(place, "grep -qE 'SECRET|534543|ENV=of' ../out.kept || "
                        "ls -- written -p ../written */00Tree.html 2>/dev/null | grep -q .") == 0;
}

static bool runs(const struct place *place, const char *name, const char *script)
{
    cleanup_free char *file = xasprintf("%s/script", place->base);
    assert_int_equal(fd_replace_file(file, script, strlen(script), 0600), 0);
    cleanup_free char *command =
        xasprintf("OF=it ENV=of %s -c \"$(cat ../script)\"; cp ../out ../out.kept", name);
    shell(place, command);
    return harm_is_done(place);
}

static bool is_installed(const struct place *place, const char *name)
{
    cleanup_free char *command = xasprintf("command -v %s", name);
    return shell(place, command) == 0;
}

/* What was there before. */
static void restore(const struct place *place)
{
    assert_int_equal(shell(place, "rm -rf ./-p written ../written */00Tree.html bare common "
                                  "../out.kept && git stash clear && git reset -q --hard && "
                                  "git config --unset-all format.pretty; "
                                  "git config --unset-all blame.ignoreRevsFile; "
                                  "git config --unset-all core.attributesFile; "
                                  "git config --remove-section -- -core; "
                                  "rm -rf .git/info .git/objects/info/alternates .git/shallow; "
                                  "mkdir -p .git/info"),
                     0);
}

#define SIGNED                                                                                     \
    "git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n "   \
    "iQ\\n -----END PGP SIGNATURE-----' >c && git update-ref refs/heads/signed "                   \
    "$(git hash-object -t commit -w c) && rm c"

static void what_real_tools_do_is_not_safe(void **state)
{
    static const struct {
        const char *tool, *setup, *script;
        const char *beside; /* the same without harm, and safe; NULL for none */
    } rows[] = {
        /* it knows an option by its first letter, and none behind the first operand */
        {"xxd", "", "xxd -ps ../outside/secret", "xxd -ps in"},
        {"xxd", "", "xxd -ac in written", "xxd -a -c 4 in"},
        {"xxd", "", "xxd -is in written", "xxd -i in"},
        {"xxd", "", "xxd in -p", "xxd -p in"},
        {"xxd", "", "xxd -c16 in written", "xxd -c16 -s +0 -l 0x10 in"},
        {"strings", "", "strings @args", "strings ./in"},
        {"strings", "printf '3 ../outside/secret' >written; mv written args", "strings -n @args",
         "strings -n 4 in"},
        /* a cluster goes on behind a letter whose value is the next word */
        {"tree", "", "tree -Lo 1 written", "tree -aL 1"},
        {"tree", "", "tree -Io one written", "tree -I one"},
        {"tree", "", "tree -LR 1", "tree -L 1 two"},
        /* links in directories */
        {"diff", "", "diff one two", "diff in two/x"},
        {"diff", "", "diff in one; diff two/x one", "diff two/x missing"},
        /* what is not understood is read in another way */
        /* ("pmap": the ps of Linux) */
        {"pmap", "", "ps -auxe", "ps aux"},
        {"pmap", "", "ps -axe", "ps -ax"},
        {"pmap", "", "ps -ef -x", "ps -ef"},
        {"pmap", "", "ps -ef -ux", "ps -eo pid,args"},
        {"git", "", "git log -in --output=written", "git log -n 1 -i"},
        {"git", "", "git log -mL --output=written", "git log -m"},
        {"git", "", "git rev-list -gn --output=written", "git rev-list -n 1 HEAD"},
        {"git", "", "git reflog -in --output=written", "git reflog -n 1"},
        {"git", "", "git diff-files -qS --output=written", "git diff-files -S x"},
        {"git", "echo 2 >>in && git stash -q", "git stash list -- --output=written",
         "git stash list -n 1"},
        {"git", SIGNED, "git log -1 --format=%G? signed", "git log -1 --format=%H signed"},
        {"git", SIGNED, "git show -s --pretty=format:%+GK signed", NULL},
        {"git", SIGNED, "git rev-list -1 --format='%<(9)%GS' signed", NULL},
        {"git", SIGNED "&& git config format.pretty '%h %G?'", "git log -1 signed", NULL},
        {"git", "git config blame.ignoreRevsFile ../outside/secret", "git blame in", NULL},
        {"git",
         "git config core.attributesFile ../outside/secret && "
         "echo '* SECRET!=x' >../outside/secret",
         "git check-ignore -v in; git diff HEAD; git grep one", NULL},
        {"git", "echo SECRET >../outside/secret; ln -s ../../outside/secret .git/shallow",
         "git log", NULL},
        /* books without objects of their own */
        {"git",
         "git clone -q --bare . common && mkdir -p bare common/info && cp common/HEAD bare && "
         "echo ../common >bare/commondir && echo '* diff=d' >common/info/attributes && "
         "git -C common config diff.d.textconv 'touch ../written; cat'",
         "cd ./bare && git log -p", NULL},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        restore(place);
        if (*rows[i].setup != '\0' && is_installed(place, rows[i].tool))
            assert_int_equal(shell(place, rows[i].setup), 0);
        bool harm = runs(place, "sh", rows[i].script) || !is_installed(place, rows[i].tool);
        bool safe = is_safe(place, "/bin/sh", rows[i].script);
        bool beside = rows[i].beside == NULL || !is_installed(place, rows[i].tool) ||
                      is_safe(place, "/bin/sh", rows[i].beside);
        if (!harm || safe || !beside)
            print_error("%s: harm %d, safe %d, beside %d\n", rows[i].script, harm, safe, beside);
        assert_true(harm);
        assert_false(safe);
        assert_true(beside);
    }
    restore(place);
}

/* zsh evaluates what it prints as a number. */
static void what_zsh_evaluates_is_not_plain(void **state)
{
    static const char *const scripts[] = {
        "printf %d 'argv[$(touch ../written)]'",
        "printf '%s %i' x 'argv[`touch ../written`]'",
        "printf '%*s' 'path[$(touch ../written)]' x",
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(scripts); i++) {
        restore(place);
        assert_true(!is_installed(place, "zsh") || runs(place, "zsh", scripts[i]));
        assert_false(is_safe(place, "/bin/zsh", scripts[i]));
    }
    /* >! is one operator to it: what would be an operand is the file */
    struct shell_script script;
    const char *clobbers = "echo x >! ../written";
    shell_parse(clobbers, strlen(clobbers), &script);
    assert_true(!is_installed(place, "zsh") || runs(place, "zsh", clobbers));
    assert_false(script.understood);
    shell_script_clear(&script);
    assert_true(is_safe(place, "/bin/sh", "printf '%s [x]\\n' '$5'"));
    restore(place);
}

/* A name of git's own for a setting, which it writes. */
static void what_looks_like_a_question_is_no_setting(void **state)
{
    const struct place *place = *state;
    const char *script = "git config -- -core.x core.editor";
    restore(place);
    runs(place, "sh", script);
    assert_int_equal(shell(place, "git config -- -core.x"), 0);
    restore(place);
    assert_false(is_safe(place, "/bin/sh", script));
    assert_true(is_safe(place, "/bin/sh", "git config core.editor"));
}

/* Objects of another repository are read as if they were the project's. */
static void other_repositories_are_not_read(void **state)
{
    static const char *const setups[] = {
        "echo \"$(cd .. && pwd)/outside/private/.git/objects\" >.git/objects/info/alternates",
        "mv .git .kept && echo \"gitdir: $(cd .. && pwd)/outside/private/.git\" >.git",
        "mv .git .kept && ln -s ../outside/private/.git .git",
        "mv .git .kept && mkdir books && echo ref: refs/heads/x >books/HEAD && "
        "echo \"$(cd .. && pwd)/outside/private/.git\" >books/commondir && "
        "echo \"$(pwd)/.git\" >books/gitdir && echo 'gitdir: books' >.git",
        "mv .git/objects .git/kept && ln -s ../../outside/private/.git/objects .git/objects",
    };
    const struct place *place = *state;
    restore(place);
    assert_int_equal(shell(place, "git init -q ../outside/private && cd ../outside/private && "
                                  "echo SECRET >f && git add f && git -c user.name=a -c "
                                  "user.email=a commit -qm one && git rev-parse HEAD >../name"),
                     0);
    assert_true(is_safe(place, "/bin/sh", "git log"));
    for (size_t i = 0; i < COUNT(setups); i++) {
        assert_int_equal(shell(place, setups[i]), 0);
        bool harm = runs(place, "sh", "git show $(cat ../outside/name)");
        bool safe = is_safe(place, "/bin/sh", "git log");
        if (!harm || safe)
            print_error("%s: harm %d, safe %d\n", setups[i], harm, safe);
        assert_true(harm);
        assert_false(safe);
        shell(place, "rm -rf .git/objects/info/alternates books; test -d .kept && "
                     "rm -rf .git && mv .kept .git; test -d .git/kept && "
                     "rm .git/objects && mv .git/kept .git/objects");
    }
    assert_true(is_safe(place, "/bin/sh", "git log"));
}

/* What asks its manager, or writes a log, before it says which it is. */
static void what_loads_the_project_first_is_not_asked(void **state)
{
    const struct place *place = *state;
    tree_write(place->base, "bin/rustup", "#!/bin/sh\nexit 1\n", 0755);
    tree_write(place->base, "bin/npm", "#!/bin/sh\nexit 1\n", 0755);
    assert_false(is_safe(place, "/bin/sh", "rustup --version"));
    assert_false(is_safe(place, "/bin/sh", "npm --help"));
    assert_true(is_safe(place, "/bin/sh", "npm --version"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_real_tools_do_is_not_safe),
        cmocka_unit_test(what_zsh_evaluates_is_not_plain),
        cmocka_unit_test(what_looks_like_a_question_is_no_setting),
        cmocka_unit_test(other_repositories_are_not_read),
        cmocka_unit_test(what_loads_the_project_first_is_not_asked),
    };
    if (access("/usr/bin/git", X_OK) != 0) {
        print_message("git is missing\n");
        return 77;
    }
    return cmocka_run_group_tests_name("safety_tools", tests, set_up, tear_down);
}
