/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/alloc.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void copies(void **state)
{
    (void)state;
    cleanup_free char *string = xstrdup("abc");
    assert_string_equal(string, "abc");
    cleanup_free char *part = xstrndup("abcdef", 3);
    assert_string_equal(part, "abc");
    cleanup_free char *whole = xstrndup("ab", 30);
    assert_string_equal(whole, "ab");
    cleanup_free char *unterminated = xstrndup((const char[]){'x', 'y'}, 2);
    assert_string_equal(unterminated, "xy");
    cleanup_free char *formatted = xasprintf("%s-%d", "n", 7);
    assert_string_equal(formatted, "n-7");
    cleanup_free int *zeroed = XNEW(int);
    assert_int_equal(*zeroed, 0);
}

static void string_vectors(void **state)
{
    (void)state;
    const char *const strings[] = {"a", "", "c", NULL};
    cleanup_strv char **copy = strv_copy(strings);
    assert_int_equal(strv_length((const char *const *)copy), 3);
    assert_string_equal(copy[2], "c");
    assert_ptr_not_equal(copy[2], strings[2]);
    strv_free(&copy);
    assert_null(copy);
    strv_free(&copy);
    assert_null(strv_copy(NULL));
    assert_int_equal(strv_length(NULL), 0);
}

static void strings_are_found(void **state)
{
    (void)state;
    const char *const strings[] = {"a", "", "b", "a", "A", NULL}, *const none[] = {NULL};
    assert_int_equal(strv_find_last(strings, "a"), 3);
    assert_int_equal(strv_find_last(strings, ""), 1);
    assert_int_equal(strv_find_last(strings, "ab"), 5);
    assert_true(strv_has(strings, "b") && strv_has(strings, "A") && strv_has(strings, ""));
    assert_false(strv_has(strings, "c"));
    assert_false(strv_has(none, "") || strv_has(NULL, "a"));
    assert_int_equal(strv_find_last(NULL, "a"), 0);
}

static void stealing_clears(void **state)
{
    (void)state;
    cleanup_free char *kept = NULL;
    {
        cleanup_free char *string = xstrdup("survives");
        kept = steal_pointer(&string);
        assert_null(string);
    }
    assert_string_equal(kept, "survives");
}

static void hook(void)
{
    (void)!write(STDOUT_FILENO, "hook ", 5);
}

static void run_empty(void)
{
    xmalloc(0);
}

static void run_overflow(void)
{
    xreallocarray(NULL, SIZE_MAX / 2, 3);
}

static void run_negative(void)
{
    volatile ptrdiff_t size = -1;
    xmalloc((size_t)size);
}

/* Runs `function` in a child; returns how it died and what it wrote. */
static int run(void (*function)(void), char *output, size_t size)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* cmocka's own handler would report a failure */
        dup2(fds[1], STDOUT_FILENO);
        dup2(fds[1], STDERR_FILENO);
        alloc_set_failure_hook(hook);
        function();
        _exit(0);
    }
    close(fds[1]);
    size_t used = 0;
    for (ssize_t count; (count = read(fds[0], output + used, size - used - 1)) > 0;)
        used += (size_t)count;
    output[used] = '\0';
    close(fds[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void impossible_sizes_end_the_program(void **state)
{
    (void)state;
    void (*const functions[])(void) = {run_empty, run_overflow, run_negative};
    for (size_t i = 0; i < 3; i++) {
        char output[4096];
        int status = run(functions[i], output, sizeof output);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_memory_equal(output, "hook assent: out of memory", 26);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies),
        cmocka_unit_test(string_vectors),
        cmocka_unit_test(strings_are_found),
        cmocka_unit_test(stealing_clears),
        cmocka_unit_test(impossible_sizes_end_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
