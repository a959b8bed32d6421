/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/loader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "command/shell_tree.h"

#define SEARCH_PATH "/usr/local/bin:/usr/bin:/bin"

/* A workspace with a script, a text and a directory below it. */
struct place {
    char *root;
};

static void write_file(const struct place *place, const char *name, const char *text, mode_t mode)
{
    cleanup_free char *path = xasprintf("%s/%s", place->root, name);
    assert_int_equal(fd_replace_file(path, text, strlen(text), mode), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    char directory[] = "/tmp/loader.XXXXXX";
    assert_non_null(mkdtemp(directory));
    place->root = realpath(directory, NULL);
    write_file(place, "x.sh", "#!/bin/sh\ntrue\n", 0700);
    write_file(place, "s.sh", "#!/bin/sh\ntrue\n", 0600);
    write_file(place, "notes.md", "words\n", 0600);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    cleanup_free char *command = xasprintf("rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
    free(place->root);
    free(place);
    return 0;
}

/* Words separated by spaces; what follows "sh: " is one script for bash -lc. */
static const char *reason_at(const struct place *place, const char *line, const char *cwd)
{
    const char *const roots[] = {place->root, NULL};
    struct loader_context context = {
        .cwd = cwd, .root = place->root, .writable_roots = roots, .search_path = SEARCH_PATH};
    if (strncmp(line, "sh: ", 4) == 0) {
        const char *const argv[] = {"bash", "-lc", line + 4, NULL};
        return loader_reason(argv, &context);
    }
    struct shell_tree *tree = shell_tree_new(line, strlen(line));
    const char **argv = shell_tree_argv(&tree->nodes[0]);
    const char *reason = loader_reason(argv, &context);
    free(argv);
    shell_tree_free(&tree);
    return reason;
}

/* Which of its words is the program is said. */
static void test_the_word_that_is_meant_is_named(void **state)
{
    const struct place *place = *state;
    const char *const roots[] = {place->root, NULL};
    char *named = NULL;
    struct loader_context context = {.cwd = place->root,
                                     .root = place->root,
                                     .writable_roots = roots,
                                     .search_path = SEARCH_PATH,
                                     .named = &named};
    const char *const plain[] = {"/bin/cp", "a", "b", NULL};
    const char *const argv[] = {"bash", "-lc", "mkdir -p c && cp ./x.sh c/", NULL};

    assert_null(loader_reason(plain, &context));
    assert_null(named);
    assert_string_equal(loader_reason(argv, &context), "it names a program that agents can change");
    assert_string_equal(named, "./x.sh");
    free(named);
}

static const char *reason_of(void **state, const char *line)
{
    const struct place *place = *state;
    return reason_at(place, line, place->root);
}

static void test_what_runs_files_of_the_workspace(void **state)
{
    static const char *const lines[] = {
        "make test",
        "/usr/bin/make",
        "bash s.sh",
        "python3 s.py",
        "python3.11 -m pytest",
        "gcc-12 -o x x.c",
        "x86_64-linux-gnu-gcc x.c",
        "x86_64-linux-gnu-gcc-12 x.c",
        "qemu-x86_64 ./x",
        "env X=1 make",
        "timeout 5 make test",
        "nice sh s.sh",
        "prlimit --nofile=64 make",
        "linux64 make",
        "choom -n 1 -- make",
        "perf stat -e cycles make",
        "dart x.dart",
        "pdflatex x.tex",
        "doxygen",
        "xargs make",
        "find sub -exec make {} ;",
        "find sub -exec sort {} +",
        "find sub -type f -exec grep x {} + -exec {} ;",
        "find sub -execdir ./x.sh {} ;",
        "find sub -exec",
        "sh: find sub -exec sh {} ';'",
        "./x.sh",
        "x.sh",
        "cat ./x.sh",
        "cp --target=x.sh notes.md",
        "sort s.sh",
        "no-such-program-anywhere",
        "git -C sub push",
        "git",
        "sh: make",
        "sh: cp notes.md /srv && make install",
        "sh: . ./s.sh",
        "sh: source s.sh",
        "sh: eval true",
        "sh: trap true EXIT",
        "sh: $x",
        "sh: cat $?",
        "sh: x$?.sh",
        "sh: if true; then make; fi",
        "sh: cd sub && cp notes.md /srv",
        "sh: X=1 cp notes.md /srv",
        "sh: cp notes.md /srv; f() { make; }; f",
        "sh: cp $(make) /srv",
        "sh: bash -c true",
        "sh: xargs -a list ./x.sh",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        if (reason_of(state, lines[i]) == NULL)
            fail_msg("may be remembered: %s", lines[i]);
}

static void test_what_runs_itself_only(void **state)
{
    static const char *const lines[] = {
        "cp notes.md /srv/notes.md",
        "/bin/cp notes.md /srv",
        "mv notes.md /srv",
        "touch /srv/x",
        "timeout 5 cp notes.md /srv",
        "git push",
        "sh: cp notes.md /srv",
        "sh: cp notes.md /srv && rm -f notes.md",
        "sh: echo words > /srv/x",
        "sh: echo done; exit 0",
        "find sub -name x.c",
        "find /srv -exec grep -l x {} +",
        "sh: find sub -type f -exec wc -l {} ';'",
        "git config user.name Ann",
        "git config --global user.email ann@x.example",
        "git config alias.st status",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        if (reason_of(state, lines[i]) != NULL)
            fail_msg("%s: %s", lines[i], reason_of(state, lines[i]));
}

/* A find that is something else under that name may run anything. */
static void test_what_is_called_find_is_find(void **state)
{
    char directory[] = "tests/unit/find.XXXXXX"; /* not beneath /tmp: nothing is installed there */
    assert_non_null(mkdtemp(directory));
    cleanup_free char *whole = realpath(directory, NULL);
    cleanup_free char *line = xasprintf("%s/find sub -exec cat {} +", whole);
    cleanup_free char *link = xasprintf("%s/find", directory);
    assert_int_equal(symlink("/usr/bin/env", link), 0);
    assert_non_null(reason_of(state, line));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(directory), 0);
}

/* Of `cat ~/x` it is known what runs. */
static void test_what_is_not_known_is_said(void **state)
{
    static const struct {
        const char *line, *reason;
    } rows[] = {
        {"sh: cat ~/x", "~ is whatever HOME is when it runs"},
        {"sh: cat ~root/x", "what the shell puts in for some of its words is not known"},
        {"sh: cat $HOME/x", "what the shell puts in for some of its words is not known"},
        {"sh: cat {a,b}", "what the shell puts in for some of its words is not known"},
        {"sh: cat \"$(ls)\"", "what the shell puts in for some of its words is not known"},
        {"sh: cat x$?", "what the shell puts in for some of its words is not known"},
        {"sh: X=1 cat notes.md", "its variables can make it run other code"},
        {"sh: cd sub && cat notes.md",
         "it goes to another directory, where its words may name other files"},
        {"sh: if true; then cat notes.md; fi", "what this script runs cannot be known for certain"},
        {"sh: cat notes.md &", "what this script runs cannot be known for certain"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *reason = reason_of(state, rows[i].line);
        if (reason == NULL || strcmp(reason, rows[i].reason) != 0)
            fail_msg("%s: %s", rows[i].line, reason);
    }
}

/* Only the repository of the root is protected. */
static void test_git_of_another_directory(void **state)
{
    const struct place *place = *state;
    cleanup_free char *below = xasprintf("%s/sub", place->root);
    assert_int_equal(mkdir(below, 0700), 0);
    assert_non_null(reason_at(place, "git push", below));
    assert_null(reason_at(place, "git push", place->root));
}

/* Its hooks run, and its settings, when git is sent there. */
static void test_git_sent_to_a_repository_of_the_agents(void **state)
{
    const struct place *place = *state;
    cleanup_free char *inside = xasprintf("git push %s/x.git main", place->root);
    cleanup_free char *around =
        xasprintf("git push ../%s/link main", strrchr(place->root, '/') + 1);
    cleanup_free char *link = xasprintf("%s/link", place->root);
    cleanup_free char *directory = xasprintf("%s/backup", place->root);
    const char *const lines[] = {
        inside,
        around,
        "git push . HEAD:main",
        "git push ./x.git main",
        "git push sub/x.git main",
        "git push -u sub/x.git main",
        "git push -o x sub/x.git main",
        "git push --repo=./x.git",
        "git push --repo sub/x.git",
        "git push link main",
        "git push link/x.git main",
        "git push ~/x.git main",
        "git push backup main",
        "git push file://./x.git main",
        "git fetch --depth 1 sub/x.git",
        "git archive --remote=./x.git --format=foo main",
        "git remote add x sub/x.git",
    };
    static const char *const others[] = {
        "git push ../x.git main",
        "git push /srv/git/x.git main",
        "git push -u origin feature/x",
        "git push --force-with-lease origin feature/x",
        "git pull --rebase origin a/b",
        "git fetch git@host.example:sub/x.git a/b",
        "git fetch https://x.example/a",
        "git push origin HEAD:refs/heads/a/b",
        "git remote add x https://x.example/a",
    };
    assert_int_equal(symlink("/srv", link), 0);
    assert_int_equal(mkdir(directory, 0700), 0);
    for (size_t i = 0; i < COUNT(lines); i++)
        if (reason_of(state, lines[i]) == NULL)
            fail_msg("may be remembered: %s", lines[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        if (reason_of(state, others[i]) != NULL)
            fail_msg("%s: %s", others[i], reason_of(state, others[i]));
}

/* What they run is a word of theirs, or stands in a file that is no script by its mode or its first
 * bytes. */
static void test_what_is_run_by_words(void **state)
{
    static const char *const lines[] = {
        "git bisect run sh notes.md",
        "git rebase -x true HEAD",
        "git submodule foreach ls",
        "git grep -Ocat words",
        "git config core.pager less",
        "git config user.name",
        "git config -e",
        "git config --file x user.name Ann",
        "git config alias.st '!make'",
        "git config core.worktree ..",
        "git config remote.x.url ext::x",
        "git config branch.x.remote ext::x",
        "git config remote.ext::x.fetch y",
        "git config remote.foo://x.fetch y",
        "git config --add core.editor vi",
        "git fetch ext::x",
        "git fetch foo://x",
        "git push --repo=foo://x",
        "git fetch --upload-pack='. ./notes.md' x",
        "git fetch --upload-pack=p x",
        "git fetch --upl p x",
        "git push --receive-pack=p x",
        "git archive --exec='true; x' --remote=x HEAD",
        "sort --compress-program='sh notes.md' x",
        "sort make sh notes.md",
        "sort /bin/sh notes.md",
        "sh: sort --filter='sh notes.md' x",
        "split --filter='. ./notes.md' x",
        "scp -F notes.md x host:",
        "kubectl apply -f notes.md",
        "logrotate -s state notes.md",
        "openssl req -config notes.md",
        "pandoc --lua-filter=notes.md x",
        "bison notes.md",
        "tcl8.6 notes.md",
        "curl -sK notes.md",
        "curl --config notes.md",
        "wget --config=notes.md https://x.example",
        "wget -e use_askpass=./x https://x.example",
    };
    static const char *const others[] = {
        "git push origin main",
        "git commit -m 'make words'",
        "git add .",
        "cp -ar . /srv",
        "cp make.txt /srv",
        "curl -sSfLO https://x.example/a",
        "wget -q https://x.example/a",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        if (reason_of(state, lines[i]) == NULL)
            fail_msg("may be remembered: %s", lines[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        if (reason_of(state, others[i]) != NULL)
            fail_msg("%s: %s", others[i], reason_of(state, others[i]));
}

static void test_many_words(void **state)
{
    const struct place *place = *state;
    cleanup_free char *line = xstrdup("echo");
    for (int i = 0; i < 300; i++) {
        char *more = xasprintf("%s w", line);
        free(line);
        line = more;
    }
    assert_non_null(reason_at(place, line, place->root));
}

/* What an agent calls a program may begin with a dash, or be nothing but dashes and digits. */
static void test_names_that_look_like_versions(void **state)
{
    static const struct {
        const char *name;
        bool loads;
    } rows[] = {{"-5", false},      {"--5", false},         {"-", false},
                {"a-5", false},     {"-5-6.7", false},      {"", false},
                {"-gcc-12", true},  {"cross-gcc-12", true}, {"cross-gcc-12-2", true},
                {"a-5-gcc-4", true}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (loader_names(rows[i].name, false) != rows[i].loads)
            fail_msg("\"%s\" is taken for %s", rows[i].name, rows[i].loads ? "none" : "a loader");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_runs_files_of_the_workspace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_runs_itself_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_called_find_is_find, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_not_known_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_git_of_another_directory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_git_sent_to_a_repository_of_the_agents, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_run_by_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_words, set_up, tear_down),
        cmocka_unit_test(test_names_that_look_like_versions),
        cmocka_unit_test_setup_teardown(test_the_word_that_is_meant_is_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
