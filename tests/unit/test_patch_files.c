/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/patch_files.h"

#include <errno.h>
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

#define BEGIN "*** Begin Patch\n"
#define END "*** End Patch\n"

/* What happens while a patch is on its way: the linker hands fsync() and renameat2() to us. */
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags);
int __wrap_renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags);

static char *meanwhile;   /* a shell command to run while a file is staged */
static int failing_fsync; /* the N-th from now fails: disk full */
static int failing_rename;

int __wrap_fsync(int fd)
{
    if (meanwhile != NULL) {
        assert_int_equal(system(meanwhile), 0);
        free(steal_pointer(&meanwhile));
    }
    if (failing_fsync > 0 && --failing_fsync == 0)
        return errno = ENOSPC, -1;
    return __real_fsync(fd);
}

int __wrap_renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    if (failing_rename > 0 && --failing_rename == 0)
        return errno = EIO, -1;
    return __real_renameat2(from_fd, from, to_fd, to, flags);
}

/* A directory with files a ("1\n2\n"), b ("b\n", executable) and a link to a. */
struct place {
    char *root;
};

static void shell(const struct place *place, const char *script)
{
    cleanup_free char *command = xasprintf("cd '%s' && %s", place->root, script);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    char directory[] = "/tmp/patch.XXXXXX";
    place->root = realpath(mkdtemp(directory), NULL);
    shell(place, "printf '1\\n2\\n' >a && echo b >b && chmod 750 b && ln -s a link && mkdir d && "
                 "ln -s d dlink && mkfifo pipe");
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    cleanup_free char *command = xasprintf("rm -rf '%s'", place->root);
    failing_fsync = failing_rename = 0;
    free(place->root);
    free(place);
    return system(command);
}

static int apply(const struct place *place, const char *changes, struct error *error)
{
    struct patch patch;
    cleanup_free char *text = xasprintf(BEGIN "%s" END, changes);
    if (patch_parse(text, strlen(text), &patch, error) != 0)
        fail_msg("%s", error->message);
    int result = patch_files_apply(&patch, place->root, error);
    patch_clear(&patch);
    return result;
}

/* The tree as it is after set_up(), with nothing beside it. */
static void assert_untouched(const struct place *place)
{
    shell(place, "test \"$(ls -A | tr '\\n' ' ')\" = 'a b d dlink link pipe '");
    shell(place, "test \"$(cat a b)\" = \"$(printf '1\\n2\\nb')\" && test -z \"$(ls -A d)\" && "
                 "test -x b");
}

static void applies(const struct place *place, const char *changes)
{
    struct error error = ERROR_INIT;
    if (apply(place, changes, &error) != 0)
        fail_msg("%s", error.message);
}

static void refuses(const struct place *place, const char *changes, const char *message)
{
    struct error error = ERROR_INIT;
    assert_int_equal(apply(place, changes, &error), -1);
    if (strstr(error.message, message) == NULL)
        fail_msg("%s", error.message);
    assert_untouched(place);
}

#define CHANGE_A "*** Update File: a\n@@\n-1\n+one\n"

static void test_all_kinds(void **state)
{
    const struct place *place = *state;
    applies(place, CHANGE_A "*** Add File: new/deep/c\n+c\n"
                            "*** Update File: b\n*** Move to: d/b2\n@@\n-b\n+B\n");
    shell(place, "test \"$(cat a)\" = \"$(printf 'one\\n2')\" && test \"$(cat new/deep/c)\" = c");
    shell(place, "test ! -e b && test \"$(cat d/b2)\" = B && test -x d/b2");
    shell(place, "test -z \"$(find . -name '.assent*')\"");
    applies(place, "*** Delete File: a\n");
    shell(place, "test ! -e a");
}

static void test_modes_stay(void **state)
{
    const struct place *place = *state;
    applies(place, "*** Update File: b\n@@\n-b\n+B\n");
    shell(place, "test \"$(stat -c %a b)\" = 750");
}

static void test_what_does_not_fit_changes_nothing(void **state)
{
    const struct place *place = *state;
    refuses(place, CHANGE_A "*** Update File: b\n@@\n-nothing\n+x\n", "nothing");
    refuses(place, CHANGE_A "*** Add File: b\n+x\n", "/b: it is there already");
    refuses(place, CHANGE_A "*** Delete File: gone\n", "gone");
    refuses(place, "*** Add File: new/x\n+x\n*** Delete File: gone\n", "gone");
    refuses(place, "*** Update File: a\n*** Move to: b\n@@\n-1\n+x\n", "/b: it is there already");
}

static void test_links_are_not_followed(void **state)
{
    const struct place *place = *state;
    refuses(place, "*** Update File: link\n@@\n-1\n+x\n", "/link: it is a link");
    refuses(place, "*** Add File: dlink/x\n+x\n", "a link or no directory");
    refuses(place, "*** Add File: link\n+x\n", "there already");
    refuses(place, "*** Add File: a/x\n+x\n", "a link or no directory");
    refuses(place, "*** Update File: pipe\n@@\n-1\n+x\n", "not a regular file");
    refuses(place, "*** Delete File: d\n", "not a regular file");
}

static void test_a_full_disk_changes_nothing(void **state)
{
    const struct place *place = *state;
    for (int i = 1; i <= 2; i++) {
        failing_fsync = i;
        refuses(place, CHANGE_A "*** Add File: new/x\n+x\n", "No space left on device");
    }
}

static void test_a_failing_rename_takes_all_back(void **state)
{
    const struct place *place = *state;
    for (int i = 1; i <= 4; i++) {
        failing_rename = i;
        refuses(place,
                CHANGE_A "*** Add File: new/x\n+x\n*** Update File: b\n*** Move to: d/b\n@@\n"
                         "-b\n+B\n",
                "cannot put it in place");
    }
}

static void test_a_file_that_changes_meanwhile(void **state)
{
    const struct place *place = *state;
    static const char *const changes[] = {CHANGE_A "*** Add File: new\n+x\n",
                                          "*** Add File: new\n+x\n*** Delete File: a\n",
                                          "*** Update File: a\n*** Move to: c\n@@\n-1\n+x\n"};
    static const char *const scripts[] = {"echo 3 >>a", "printf '1\\n2\\n3\\n' >t && mv t a"};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++) {
            struct error error = ERROR_INIT;
            shell(place, "printf '1\\n2\\n' >a");
            meanwhile = xasprintf("cd '%s' && %s", place->root, scripts[j]);
            assert_int_equal(apply(place, changes[i], &error), -1);
            assert_non_null(strstr(error.message, "changed meanwhile"));
            shell(place, "test \"$(cat a)\" = \"$(printf '1\\n2\\n3')\"");
            shell(place, "test ! -e new && test ! -e c && test -z \"$(find . -name '.assent*')\"");
        }
}

static void test_a_file_that_comes_meanwhile(void **state)
{
    const struct place *place = *state;
    struct error error = ERROR_INIT;
    meanwhile = xasprintf("echo mine >'%s/new'", place->root);
    assert_int_equal(apply(place, CHANGE_A "*** Add File: new\n+x\n", &error), -1);
    shell(place, "test \"$(cat new)\" = mine && test \"$(head -n 1 a)\" = 1");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_all_kinds),
        CASE(test_modes_stay),
        CASE(test_what_does_not_fit_changes_nothing),
        CASE(test_links_are_not_followed),
        CASE(test_a_full_disk_changes_nothing),
        CASE(test_a_failing_rename_takes_all_back),
        CASE(test_a_file_that_changes_meanwhile),
        CASE(test_a_file_that_comes_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
