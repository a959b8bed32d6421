/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/retry_path.h"

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
#include "base/fd.h"

struct place {
    char *base, *work, *home;
    struct sandbox_policy *policy;
};

static char *beneath(const struct place *place, const char *name)
{
    return xasprintf("%s/%s", place->base, name);
}

static void make_directory(const struct place *place, const char *name)
{
    cleanup_free char *path = beneath(place, name);
    assert_int_equal(fd_make_directories(path, 0755), 0);
}

static void make_file(const struct place *place, const char *name)
{
    cleanup_free char *path = beneath(place, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    char template[] = "./retry-path.XXXXXX"; /* not beneath /tmp, which every policy writes */
    struct place *place = XNEW(struct place);
    assert_non_null(mkdtemp(template));
    place->base = realpath(template, NULL);
    place->work = beneath(place, "work");
    place->home = beneath(place, "home/me");
    make_directory(place, "work/below");
    make_directory(place, "home/me/cache/deep");
    make_directory(place, "home/me/.git/hooks");
    make_directory(place, "home/me/.claude");
    make_directory(place, "home/me/shut");
    make_file(place, "home/me/cache/file");
    make_file(place, "home/me/.bashrc");
    make_file(place, "home/me/rc");
    place->policy = sandbox_policy_new_workspace_write(place->work);
    cleanup_free char *shut = beneath(place, "home/me/shut");
    assert_int_equal(sandbox_policy_add_entry(place->policy, POLICY_ACCESS_NONE, shut, NULL), 0);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    cleanup_free char *command = xasprintf("rm -rf '%s'", place->base);
    int status = system(command);
    sandbox_policy_free(&place->policy);
    free(place->base);
    free(place->work);
    free(place->home);
    free(place);
    return status;
}

static const char *why; /* as the last look said */

static char *find(const struct place *place, const char *cause, const char *path)
{
    struct sandbox_denial denial = {.denied = true};
    snprintf(denial.cause, sizeof denial.cause, "%s", cause);
    snprintf(denial.path, sizeof denial.path, "%s", path);
    return retry_path_find(&denial, place->policy, place->work, place->work, place->home, &why);
}

static void assert_found(const struct place *place, const char *denied, const char *expected)
{
    cleanup_free char *path = beneath(place, denied);
    cleanup_free char *wanted = expected != NULL ? beneath(place, expected) : NULL;
    cleanup_free char *found = find(place, "write", path);
    if (wanted == NULL)
        assert_null(found);
    else if (found == NULL)
        fail_msg("nothing for %s", denied);
    else
        assert_string_equal(found, wanted);
}

static void the_file_or_the_directory_that_it_would_be_in(void **state)
{
    const struct place *place = *state;
    assert_found(place, "home/me/cache/file", "home/me/cache/file");
    assert_found(place, "home/me/cache/new", "home/me/cache");
    assert_found(place, "home/me/cache/deep", "home/me/cache/deep");
    assert_found(place, "home/me/rc", "home/me/rc");
    /* What git runs is covered in a repository, wherever that is. */
    assert_found(place, "home/me/.git/index.lock", "home/me/.git");
    /* Its directory is not there either: what would have to be given is unknown. */
    assert_found(place, "home/me/cache/no/such", NULL);
}

static void of_what_is_removed_the_directory_that_it_is_in(void **state)
{
    static const struct {
        const char *path, *directory;
    } rows[] = {
        {"home/me/cache/file", "home/me/cache"},
        {"home/me/cache/deep", "home/me/cache"},
        {"home/me/cache/deep//", "home/me/cache"},
        {"home/me/cache/gone", "home/me/cache"},
        {"home/me/cache", NULL}, /* all of the home directory */
        {"home/me/rc", NULL},
        {"home/me/cache/..", NULL},
        {"home/me/.claude/x", NULL},
        {"home/me/cache/.vscode", NULL},
        {"home/me/cache/.vscode//", NULL},
        {"home/me/shut/x", NULL},
        {"work/below/x", NULL},
    };
    const struct place *place = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sandbox_denial denial = {.denied = true, .removes = true, .cause = "write"};
        cleanup_free char *path = beneath(place, rows[i].path);
        cleanup_free char *wanted =
            rows[i].directory != NULL ? beneath(place, rows[i].directory) : NULL;
        snprintf(denial.path, sizeof denial.path, "%s", path);
        cleanup_free char *found =
            retry_path_find(&denial, place->policy, place->work, place->work, place->home, &why);
        if ((found == NULL) != (wanted == NULL) || (found != NULL && strcmp(found, wanted) != 0))
            fail_msg("%s: %s", rows[i].path, found != NULL ? found : why);
    }
}

static void no_place_that_holds_too_much(void **state)
{
    const struct place *place = *state;
    assert_found(place, "home/me/new", NULL);
    assert_found(place, "home/me", NULL);
    assert_found(place, "home", NULL);
    assert_found(place, "home/new", NULL);
    assert_found(place, "new", NULL);
    static const char *const places[] = {"/",           "/x",        "/etc",
                                         "/etc/x",      "/usr",      "/proc/self/comm",
                                         "/sys/kernel", "/dev/null", "/dev/shm/x"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        cleanup_free char *found = find(place, "write", places[i]);
        assert_null(found);
    }
}

static void nothing_that_is_protected_or_closed(void **state)
{
    const struct place *place = *state;
    assert_found(place, "home/me/.bashrc", NULL);
    assert_found(place, "home/me/.claude/x", NULL);
    make_file(place, "home/me/.gdbinit");
    make_directory(place, "home/me/.config/kitty");
    assert_found(place, "home/me/.gdbinit", NULL);
    assert_found(place, "home/me/.config/kitty/kitty.conf", NULL);
    assert_found(place, "home/me/shut/x", NULL);
    /* It may write there as it is: something else stopped it. */
    assert_found(place, "work/.claude", NULL);
    assert_found(place, "work/below/x", NULL);
}

/* As a root of its own it would have nothing that is covered. */
static void nothing_within_a_git_directory(void **state)
{
    const struct place *place = *state;
    static const char *const directories[] = {
        "home/me/.git/info",
        "home/me/.git/objects/ab",
        "home/me/.git/refs",
        "home/me/bare/hooks",
        "home/me/bare/objects",
        "home/me/bare/refs",
        "home/me/tree",
        "home/me/.git/worktrees/x",
        "home/me/.git/modules/m/hooks",
        "home/me/cache/.GIT/hooks",
    };
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        make_directory(place, directories[i]);
    make_file(place, "home/me/.git/config");
    make_file(place, "home/me/bare/HEAD");
    make_file(place, "home/me/bare/config");
    make_file(place, "home/me/tree/.git");
    static const char *const denied[] = {"home/me/.git/hooks/pre-commit",
                                         "home/me/.git/hooks",
                                         "home/me/.git/config",
                                         "home/me/.git/info/attributes",
                                         "home/me/.git/objects/ab/x",
                                         "home/me/bare/hooks/update",
                                         "home/me/bare/config",
                                         "home/me/.git/worktrees/x/y",
                                         "home/me/tree/.git",
                                         "home/me/.git/modules/m/hooks/x",
                                         "home/me/cache/.GIT/hooks/x"};
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++)
        assert_found(place, denied[i], NULL);
    assert_found(place, "home/me/bare/index.lock", "home/me/bare");
    assert_found(place, "home/me/tree/x", "home/me/tree");
}

/* Git's lock of a branch: more than its directory is written, and what git runs is covered. */
static void the_repository_of_a_branch(void **state)
{
    const struct place *place = *state;
    cleanup_free char *link = beneath(place, "home/me/link.git");
    make_directory(place, "home/me/bare.git/objects");
    make_directory(place, "home/me/bare.git/refs/heads");
    make_file(place, "home/me/bare.git/HEAD");
    make_directory(place, "home/me/.git/modules/m/objects");
    make_directory(place, "home/me/.git/modules/m/refs/heads");
    make_file(place, "home/me/.git/modules/m/HEAD");
    make_directory(place, "home/me/cache/refs/heads");
    assert_int_equal(symlink("bare.git", link), 0);
    assert_found(place, "home/me/bare.git/refs/heads/topic.lock", "home/me/bare.git");
    assert_found(place, "home/me/bare.git/refs/heads/not/there/topic.lock", "home/me/bare.git");
    assert_found(place, "home/me/link.git/refs/heads/refs/x.lock", "home/me/bare.git");
    assert_found(place, "home/me/bare.git/refs/heads/topic", NULL);
    assert_found(place, "home/me/bare.git/objects/x.lock", NULL);
    assert_found(place, "home/me/.git/modules/m/refs/heads/x.lock", NULL);
    assert_found(place, "home/me/cache/refs/heads/x.lock", "home/me/cache/refs/heads");
}

/* Wherever the home directory is. */
static void nothing_that_runs_of_itself(void **state)
{
    const struct place *place = *state;
    static const char *const directories[] = {
        "home/me/.local/bin",
        "home/me/.config/systemd/user",
        "home/me/.config/autostart",
        "home/me/.config/fish",
        "home/me/.config/tool",
        "home/me/bin",
        "home/me/.local/share/tool",
        "home/me/.local/share/applications",
        "home/me/.cargo/bin",
        "home/me/.cargo/registry",
        "home/me/.local/lib/python3.11/site-packages",
        "home/me/.vim/plugin",
        "home/me/.config/sway",
    };
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        make_directory(place, directories[i]);
    make_file(place, "home/me/.tmux.conf");
    static const char *const denied[] = {"home/me/.local/bin/x",
                                         "home/me/.config/systemd/user/x.service",
                                         "home/me/.config/systemd",
                                         "home/me/.config/autostart/x.desktop",
                                         "home/me/.config/fish/x",
                                         "home/me/.config/new",
                                         "home/me/.local/new",
                                         "home/me/.local/share/new",
                                         "home/me/bin/x",
                                         "home/me/.tmux.conf",
                                         "home/me/.local/share/applications/x",
                                         "home/me/.cargo/bin/x",
                                         "home/me/.local/lib/python3.11/site-packages/x.pth",
                                         "home/me/.vim/plugin/x",
                                         "home/me/.config/sway/config"};
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++)
        assert_found(place, denied[i], NULL);
    assert_found(place, "home/me/.config/tool/x", "home/me/.config/tool");
    assert_found(place, "home/me/.local/share/tool/x", "home/me/.local/share/tool");
    assert_found(place, "home/me/.cargo/registry/x", "home/me/.cargo/registry");
    if (geteuid() == 0) /* nothing else holds root back from these */
        for (const char *const *path = (const char *const[]){"/usr/lib/x", "/var/lib/x", NULL};
             *path != NULL; path++)
            assert_null(find(place, "write", *path));
}

/* A program that is put there runs when the operator types its name. */
static void nothing_of_the_search_path(void **state)
{
    const struct place *place = *state;
    cleanup_free char *before = xstrdup(getenv("PATH"));
    cleanup_free char *tools = beneath(place, "home/me/link/tools");
    cleanup_free char *path = xasprintf("%s:relative::%s", before, tools);
    cleanup_free char *link = beneath(place, "home/me/link");
    make_directory(place, "home/me/real/tools/deep");
    make_directory(place, "home/me/real/beside");
    assert_int_equal(symlink("real", link), 0);
    assert_found(place, "home/me/real/tools/x", "home/me/real/tools");
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_found(place, "home/me/real/tools/x", NULL);
    assert_found(place, "home/me/real/tools/deep/x", NULL);
    assert_found(place, "home/me/real/x", NULL);
    assert_found(place, "home/me/real/beside/x", "home/me/real/beside");
    assert_int_equal(setenv("PATH", before, 1), 0);
}

static void nothing_that_holds_what_is_closed(void **state)
{
    const struct place *place = *state;
    make_directory(place, "home/me/.app/keys");
    assert_found(place, "home/me/.app/new", "home/me/.app");
    cleanup_free char *keys = beneath(place, "home/me/.app/keys");
    assert_int_equal(sandbox_policy_add_entry(place->policy, POLICY_ACCESS_NONE, keys, NULL), 0);
    assert_found(place, "home/me/.app/new", NULL);
}

static void the_home_directory_by_a_link(void **state)
{
    struct place *place = *state;
    cleanup_free char *link = beneath(place, "link");
    assert_int_equal(symlink("home/me", link), 0);
    char *home = place->home;
    place->home = link;
    make_directory(place, "home/me/.local/bin");
    assert_found(place, "link/new", NULL);
    assert_found(place, "home/me/new", NULL);
    assert_found(place, "home/me/.local/bin/x", NULL);
    place->home = home;
}

/* The command has a /tmp of its own: it cannot have been stopped there. */
static void nothing_of_a_tmp_that_it_does_not_see(void **state)
{
    const struct place *place = *state;
    char template[] = "/tmp/retry-path.XXXXXX";
    assert_non_null(mkdtemp(template));
    cleanup_free char *inner = xasprintf("%s/x", template);
    cleanup_free char *hidden = find(place, "write", inner);
    place->policy->tmp = POLICY_TMP_NONE;
    cleanup_free char *seen = find(place, "write", inner);
    assert_int_equal(rmdir(template), 0);
    assert_null(hidden);
    assert_non_null(seen);
    assert_string_equal(seen, template);
}

static void a_link_is_followed_before_it_is_judged(void **state)
{
    const struct place *place = *state;
    cleanup_free char *link = beneath(place, "home/me/cache/link");
    cleanup_free char *wide = beneath(place, "home/me/cache/wide");
    cleanup_free char *target = beneath(place, "home/me/cache/deep");
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(symlink(place->home, wide), 0);
    assert_found(place, "home/me/cache/link/x", "home/me/cache/deep");
    assert_found(place, "home/me/cache/wide/x", NULL);
    assert_found(place, "home/me/cache/wide", NULL);
}

/* The attack: a link is there by the time that it is pinned. */
static void what_is_pinned_is_what_was_found(void **state)
{
    const struct place *place = *state;
    cleanup_free char *given = beneath(place, "home/me/cache/deep/given");
    cleanup_free char *above = beneath(place, "home/me/cache/deep");
    cleanup_free char *moved = beneath(place, "home/me/cache/moved");
    cleanup_free char *target = beneath(place, "home/me/shut");
    struct stat status;
    make_directory(place, "home/me/cache/deep/given");
    make_directory(place, "home/me/shut/given");
    struct sandbox_policy *policy = place->policy;
    assert_false(retry_path_pin(policy, given));
    assert_int_equal(sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, given, NULL), 0);
    const struct policy_entry *entry = &policy->entries[policy->entry_count - 1];
    assert_true(retry_path_pin(policy, given));
    assert_int_equal(stat(given, &status), 0);
    assert_true(entry->device == status.st_dev && entry->inode == status.st_ino);
    assert_int_equal(rename(above, moved), 0);
    assert_int_equal(symlink(target, above), 0);
    assert_false(retry_path_pin(policy, given));
    assert_int_equal(unlink(above), 0);
    assert_int_equal(mkdir(above, 0755), 0);
    assert_int_equal(symlink(target, given), 0);
    assert_false(retry_path_pin(policy, given));
}

/* Who looks for the answer is told why it is missing. */
static void what_is_not_given_says_why(void **state)
{
    static const struct {
        const char *denied, *says;
    } rows[] = {{"home/me/new", "it is not there yet; make it yourself first"},
                {"home/me", "it would give all of your home"},
                {"work", "the workspace"},
                {"home/me/.bashrc", "protected"},
                {"home/me/.local/bin/x", "start-up files"},
                {"home/me/cache/.claude/x", "protected"},
                {"work/.vscode", "protected"}, /* missing: nothing is said of what it lies in */
                {"home/me/.git/hooks/pre-commit", "git directory"},
                {"home/me/shut/x", "closed to every command"},
                {"home/me/cache/no/such", "its directory is not there"},
                {"home/me/cache/named", "other names"},
                {"home/me/cache/pipe", "neither a file nor a directory"},
                {"home/me/cache/\x1b[1m/x", "cannot be shown"},
                {"work/below/x", "something else stopped it"}};
    const struct place *place = *state;
    cleanup_free char *file = beneath(place, "home/me/cache/file");
    cleanup_free char *named = beneath(place, "home/me/cache/named");
    cleanup_free char *fifo = beneath(place, "home/me/cache/pipe");
    make_directory(place, "home/me/cache/\x1b[1m");
    make_directory(place, "home/me/cache/.claude");
    make_directory(place, "home/me/.local/bin");
    assert_int_equal(link(file, named), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_found(place, rows[i].denied, NULL);
        if (why == NULL || strstr(why, rows[i].says) == NULL)
            fail_msg("%s: %s", rows[i].denied, why != NULL ? why : "nothing");
    }
    assert_null(find(place, "write", ""));
    assert_non_null(strstr(why, "not known which path"));
    assert_null(find(place, "write", "/dev/null"));
    assert_non_null(strstr(why, "the kernel answers there"));
    assert_null(find(place, "network", "example.org"));
    assert_null(why); /* nobody looks for it */
    assert_found(place, "home/me/cache/new", "home/me/cache");
    assert_null(why);
}

static void only_what_was_denied_for_writing(void **state)
{
    const struct place *place = *state;
    cleanup_free char *path = beneath(place, "home/me/cache/new");
    static const struct {
        const char *cause;
        bool found;
    } rows[] = {{"write", true},          {"file system", true}, {"read", false},
                {"network", false},       {"connect", false},    {"system call", false},
                {"something else", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_free char *found = find(place, rows[i].cause, path);
        assert_int_equal(found != NULL, rows[i].found);
    }
    cleanup_free char *none = find(place, "write", "");
    assert_null(none);
    cleanup_free char *relative = find(place, "write", "../home/me/cache/new");
    cleanup_free char *cache = beneath(place, "home/me/cache");
    assert_non_null(relative);
    assert_string_equal(relative, cache);
}

/* It is shown as one of the answers. */
static void no_name_that_is_not_shown_as_it_is(void **state)
{
    const struct place *place = *state;
    static const char *const names[] = {"home/me/a\nb", "home/me/a\x1b[31mb",
                                        "home/me/a\xe2\x80\xae", "home/me/a\xff"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        make_directory(place, names[i]);
        assert_found(place, names[i], NULL);
    }
}

/* Whoever is shown one of its names does not see what else is written. */
static void no_file_that_has_another_name(void **state)
{
    const struct place *place = *state;
    cleanup_free char *file = beneath(place, "home/me/cache/file");
    cleanup_free char *other = beneath(place, "home/me/cache/deep/other");
    assert_int_equal(link(file, other), 0);
    assert_found(place, "home/me/cache/file", NULL);
    assert_found(place, "home/me/cache/new", "home/me/cache");
}

static void nothing_else_than_files_and_directories(void **state)
{
    const struct place *place = *state;
    cleanup_free char *pipe = beneath(place, "home/me/cache/pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_found(place, "home/me/cache/pipe", NULL);
}

/* The sandbox is not what keeps the operator themselves from writing there. */
static void nothing_that_the_operator_cannot_write(void **state)
{
    const struct place *place = *state;
    if (geteuid() == 0)
        skip();
    cleanup_free char *path = beneath(place, "home/me/cache/deep");
    assert_int_equal(chmod(path, 0500), 0);
    assert_found(place, "home/me/cache/deep/x", NULL);
    assert_int_equal(chmod(path, 0700), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_file_or_the_directory_that_it_would_be_in),
        CASE(of_what_is_removed_the_directory_that_it_is_in),
        CASE(no_place_that_holds_too_much),
        CASE(nothing_that_is_protected_or_closed),
        CASE(nothing_within_a_git_directory),
        CASE(the_repository_of_a_branch),
        CASE(nothing_that_runs_of_itself),
        CASE(nothing_of_the_search_path),
        CASE(nothing_that_holds_what_is_closed),
        CASE(the_home_directory_by_a_link),
        CASE(nothing_of_a_tmp_that_it_does_not_see),
        CASE(a_link_is_followed_before_it_is_judged),
        CASE(what_is_pinned_is_what_was_found),
        CASE(what_is_not_given_says_why),
        CASE(only_what_was_denied_for_writing),
        CASE(no_name_that_is_not_shown_as_it_is),
        CASE(no_file_that_has_another_name),
        CASE(nothing_else_than_files_and_directories),
        CASE(nothing_that_the_operator_cannot_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
