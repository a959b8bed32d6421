/* SPDX-License-Identifier: MIT */
/*
 * What a repository makes git run while it only reads. Each row is tried on the real git first: a
 * configuration that runs something must be one with which git is not known to be safe.
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
#include "command/safety.h"
#include "tree_fixture.h"

#define SEARCH_PATH "/usr/local/bin:/usr/bin:/bin"

/* Another time than ever before, so that git looks again and writes down what it saw. */
#define TOUCH "touch -d \"@$(date +%s%N | cut -c6-14)\""

/* A repository with a changed file and an attribute for it. */
struct place {
    char *base, *root;
};

/* In the repository, with no configuration but its own. */
static int shell(const struct place *place, const char *script)
{
    cleanup_free char *command =
        xasprintf("cd '%s' && HOME='%s/home' XDG_CONFIG_HOME='%s/home' GIT_CONFIG_NOSYSTEM=1 && "
                  "export HOME XDG_CONFIG_HOME GIT_CONFIG_NOSYSTEM && {\n%s\n} >'%s/out' 2>&1",
                  place->root, place->base, place->base, script, place->base);
    return system(command);
}

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    *state = place;
    place->base = tree_new();
    place->root = xasprintf("%s/work", place->base);
    tree_write(place->base, "home/.keep", "", 0644);
    tree_write(place->base, "work/.gitattributes", "f diff=d filter=f\n", 0644);
    tree_write(place->base, "work/f", "one\n", 0644);
    tree_write(place->base, "work/g", "same\n", 0644);
    /* Its path is what the settings name: it says that it ran, and passes on what it gets. */
    tree_write(place->base, "tool",
               "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n"
               "test -f \"$1\" && exec cat \"$1\"\nexec cat\n",
               0755);
    return shell(place, "git init -q . && git config user.name a && git config user.email a && "
                        "git add . && git commit -qm one && echo two >>f && "
                        "cp .git/config ../config");
}

static int tear_down(void **state)
{
    struct place *place = *state;
    int result = tree_remove(place->base);
    free(place->root);
    free(place);
    return result;
}

static bool reading_is_safe(const struct place *place, const char *const *argv)
{
    const char *const roots[] = {place->root, NULL};
    const struct safety_context context = {.cwd = place->root,
                                           .root = place->root,
                                           .writable_roots = roots,
                                           .program = "/usr/bin/git",
                                           .search_path = SEARCH_PATH};
    return safety_known_safe(argv, &context);
}

static bool tool_ran(const struct place *place)
{
    cleanup_free char *mark = xasprintf("%s/ran", place->base);
    return unlink(mark) == 0;
}

static void restore(const struct place *place)
{
    assert_int_equal(shell(place, "cp ../config .git/config && rm -rf .git/hooks .git/commondir "
                                  ".git/config.worktree .git/modules included && " TOUCH " g"),
                     0);
}

/* $T is the tool; `hook DIR` makes one that runs it. */
static void attack(const struct place *place, const char *setup)
{
    cleanup_free char *script =
        xasprintf("T='%s/tool'\nhook() {\nmkdir -p \"$1\"\n"
                  "printf '#!/bin/sh\\n%%s\\n' $T >\"$1/post-index-change\"\n"
                  "chmod +x \"$1/post-index-change\"\n}\n%s",
                  place->base, setup);
    assert_int_equal(shell(place, script), 0);
}

static void what_would_run_is_not_safe(void **state)
{
    static const struct {
        const char *setup;
        const char *argv[6];
    } rows[] = {
        {"git config core.fsmonitor $T", {"git", "status"}},
        {"git config core.fsmonitor $T", {"git", "diff"}},
        {"git config diff.external $T", {"git", "diff"}},
        {"hook ../elsewhere/hooks && cp g ../elsewhere && " TOUCH " ../elsewhere/g && "
         "git config core.hooksPath hooks && git config core.worktree ../../elsewhere",
         {"git", "status"}},
        {"git config diff.d.command $T", {"git", "diff"}},
        {"git config diff.d.textconv $T", {"git", "diff"}},
        {"git config diff.d.textconv $T", {"git", "log", "-p"}},
        {"git config diff.d.textconv $T", {"git", "show"}},
        {"git config diff.d.textconv $T", {"git", "blame", "f"}},
        {"git config filter.f.clean $T", {"git", "diff"}},
        {"hook .git/hooks", {"git", "status"}},
        {"hook hooks && git config core.hooksPath hooks", {"git", "status"}},
        {"hook hooks && printf '[core]\\nhooksPath = hooks ;x\\n' >>.git/config",
         {"git", "status"}},
        {"hook hooks && printf '[core]\\nhooksPath = hooks#x\\n' >>.git/config", {"git", "status"}},
        {"hook hooks && printf '[core]\\nhooksPath = \"ho\"oks\\n' >>.git/config",
         {"git", "status"}},
        {"hook 'h  s' && printf '[core]\\nhooksPath = h\\t s\\n' >>.git/config && hook \"$(printf "
         "'h\\t s')\"",
         {"git", "status"}},
        {"printf '[core]\\nfsmonitor = %s\\n' $T >included && git config include.path ../included",
         {"git", "status"}},
        {"printf '[core]\\nfsmonitor = %s\\n' $T >included && "
         "git config includeIf.gitdir:/.path ../included",
         {"git", "status"}},
        {"git config extensions.worktreeConfig true && git config --worktree core.fsmonitor $T",
         {"git", "status"}},
        {"printf '[core] fsmonitor = %s\\n' $T >>.git/config", {"git", "status"}},
        {"printf '[CORE]\\n\\tFsMonitor=%s\\n' $T >>.git/config", {"git", "status"}},
        {"printf '[core]\\n\\tfsmonitor = \"%s\" ; x\\n' $T >>.git/config", {"git", "status"}},
        {"printf '[core]\\n\\tfsmonitor = \\\\\\n%s\\n' $T >>.git/config", {"git", "status"}},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *command = xstrdup("");
        for (size_t j = 0; rows[i].argv[j] != NULL; j++) {
            char *longer = xasprintf("%s %s", command, rows[i].argv[j]);
            free(command);
            command = longer;
        }
        restore(place);
        assert_true(reading_is_safe(place, rows[i].argv));
        attack(place, rows[i].setup);
        shell(place, command);
        bool ran = tool_ran(place), safe = reading_is_safe(place, rows[i].argv);
        if (!ran || safe)
            print_error("%s: %s: ran %d, safe %d\n", rows[i].setup, command, ran, safe);
        assert_true(ran);
        assert_false(safe);
    }
}

/* A repository that is recorded in another without being a submodule of it. */
#define EMBED EMBED_WITH("sha1")
#define EMBED_SHA256 EMBED_WITH("sha256")
#define EMBED_WITH(format)                                                                         \
    "git init -q --object-format=" format " sub && echo 1 >sub/g && git -C sub add g && "          \
    "git -C sub -c user.name=a -c user.email=a commit -qm one && git add sub"

/* Where git looks into more than one repository. */
static void other_books_are_read_too(void **state)
{
    static const char *const setups[] = {
        "git -c protocol.file.allow=always submodule --quiet add \"$PWD/.git\" sub && "
        "git -C sub config core.fsmonitor $T",
        "git -c protocol.file.allow=always submodule --quiet add \"$PWD/.git\" a/sub && "
        "hook .git/modules/a/sub/hooks",
        EMBED " && git -C sub config core.fsmonitor $T",
        EMBED " && git -C sub config core.fsmonitor $T && git update-index --index-version 4",
        EMBED " && git -C sub config core.fsmonitor $T && git update-index --split-index && "
              "git add f",
        "git update-index --split-index && " EMBED " && git -C sub config core.fsmonitor $T",
        "echo 1 >sub && git add sub && git update-index --split-index && rm sub && " EMBED
        " && git -C sub config core.fsmonitor $T",
        /* one in another */
        EMBED " && mv sub a && " EMBED " && mv a sub/a && git -C sub add a && "
              "git -C sub/a config core.fsmonitor $T",
    };
    const struct place *place = *state;
    const char *const argv[] = {"git", "status", NULL};
    for (size_t i = 0; i < COUNT(setups); i++) {
        restore(place);
        shell(place, "git update-index --no-split-index; git rm -qrf --cached sub a; "
                     "rm -rf sub a .gitmodules; git reset -q");
        assert_true(reading_is_safe(place, argv));
        attack(place, setups[i]);
        assert_false(reading_is_safe(place, argv));
        shell(place, TOUCH " sub/g a/sub/g sub/a/g; git status");
        assert_true(tool_ran(place));
    }
    restore(place);
    shell(place, "git update-index --no-split-index; git rm -qrf --cached sub a; "
                 "rm -rf sub a .gitmodules; git reset -q");
}

static void a_linked_tree_shares_what_it_runs(void **state)
{
    struct place *place = *state;
    const char *const argv[] = {"git", "status", NULL};
    restore(place);
    assert_int_equal(shell(place, "git worktree add -q ../linked"), 0);
    struct place linked = {.base = place->base, .root = xasprintf("%s/linked", place->base)};
    assert_true(reading_is_safe(&linked, argv));
    attack(place, "git config core.fsmonitor $T");
    assert_false(reading_is_safe(&linked, argv));
    shell(&linked, "git status");
    assert_true(tool_ran(place));
    restore(place);
    attack(place, "git config extensions.worktreeConfig true && "
                  "git -C ../linked config --worktree core.fsmonitor $T");
    assert_false(reading_is_safe(&linked, argv));
    shell(&linked, "git status");
    assert_true(tool_ran(place));
    restore(place);
    free(linked.root);
}

static void longer_names_of_objects_are_read(void **state)
{
    struct place *place = *state;
    const char *const argv[] = {"git", "status", NULL};
    struct place other = {.base = place->base, .root = xasprintf("%s/sha256", place->base)};
    tree_write(place->base, "sha256/f", "one\n", 0644);
    assert_int_equal(shell(&other, "git init -q --object-format=sha256 . && git add f"), 0);
    assert_true(reading_is_safe(&other, argv));
    attack(&other, EMBED_SHA256 " && git -C sub config core.fsmonitor $T");
    assert_false(reading_is_safe(&other, argv));
    shell(&other, TOUCH " sub/g; git status");
    assert_true(tool_ran(place));
    free(other.root);
}

/* Books that are files like any other, and nobody's protected ones. */
static void a_repository_without_a_tree_is_not_safe(void **state)
{
    const struct place *place = *state;
    const char *const argv[] = {"git", "log", NULL};
    struct place bare = {.base = place->base, .root = xasprintf("%s/bare", place->base)};
    assert_int_equal(shell(place, "git clone -q --bare . ../bare"), 0);
    assert_false(reading_is_safe(&bare, argv));
    free(bare.root);
}

/* What repositories usually say is no reason to ask. */
static void usual_settings_are_harmless(void **state)
{
    static const char *const setups[] = {
        "git remote add origin git@example.org:a/b.git && git config branch.main.remote origin",
        "git config core.fsmonitor true",
        "git config core.hooksPath .husky/_",
        "git config filter.lfs.clean 'git-lfs clean -- %f' && git config filter.lfs.required true",
        "git config pull.rebase true && git config rerere.enabled true && git config gc.auto 0",
        "git config branch.main.vscode-merge-base origin/main && git config user.name 'É B'",
        "git config http.https://example.org/.sslVerify false && git config color.diff.new green",
        "git config extensions.worktreeConfig true && git config --worktree core.bare false",
        "git config core.worktree ..",
        "git config url.git@example.org:.insteadOf https://example.org/",
    };
    const struct place *place = *state;
    const char *const argv[] = {"git", "status", "--short", NULL};
    for (size_t i = 0; i < COUNT(setups); i++) {
        restore(place);
        attack(place, setups[i]);
        if (!reading_is_safe(place, argv))
            print_error("not safe: %s\n", setups[i]);
        assert_true(reading_is_safe(place, argv));
    }
    restore(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_would_run_is_not_safe),
        cmocka_unit_test(other_books_are_read_too),
        cmocka_unit_test(a_linked_tree_shares_what_it_runs),
        cmocka_unit_test(longer_names_of_objects_are_read),
        cmocka_unit_test(a_repository_without_a_tree_is_not_safe),
        cmocka_unit_test(usual_settings_are_harmless),
    };
    if (access("/usr/bin/git", X_OK) != 0) {
        print_message("git is missing\n");
        return 77;
    }
    return cmocka_run_group_tests_name("git_reads", tests, set_up, tear_down);
}
