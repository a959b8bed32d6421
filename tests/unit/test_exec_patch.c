/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/exec_patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"

#define PATCH "*** Begin Patch\n*** Add File: a\n+it's $HOME\n*** End Patch\n"
#define SIMPLE "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\n"

static int find(const char *const *argv, char **patch)
{
    struct error error = ERROR_INIT;
    int result = exec_patch_find((char *const *)argv, -1, patch, &error);
    assert_int_equal(result < 0, *error.message != '\0');
    return result;
}

static void assert_patch(const char *const *argv, const char *expected)
{
    cleanup_free char *patch = NULL;
    assert_int_equal(find(argv, &patch), 1);
    assert_string_equal(patch, expected);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void a_word_or_a_here_document_is_a_patch(void **state)
{
    (void)state;
    assert_patch(WORDS("apply_patch", PATCH), PATCH);
    assert_patch(WORDS("bash", "-lc", "apply_patch <<'EOF'\n" PATCH "EOF"), PATCH);
    assert_patch(WORDS("bash", "-lc", " apply_patch <<\"PATCH_1\"\n" PATCH "PATCH_1\n \n"), PATCH);
    assert_patch(WORDS("sh", "-c", "apply_patch <<EOF\n" SIMPLE "EOF\n"), SIMPLE);
    assert_patch(WORDS("bash", "-c", "apply_patch '" SIMPLE "'"), SIMPLE);
}

static void what_is_more_than_a_patch_is_not_sent(void **state)
{
    static const char *const scripts[] = {
        "apply_patch <<'EOF'\n" PATCH "EOF\nrm -rf x",
        "apply_patch <<'EOF'; rm x\n" PATCH "EOF\n",
        "apply_patch <<'EOF' | sh\n" PATCH "EOF\n",
        "apply_patch <<'EOF'\n" PATCH,
        "apply_patch <<'EOF'\n" PATCH " EOF\n",
        "apply_patch <<'EOF\n" PATCH "EOF\n",
        "apply_patch <<-'EOF'\n" PATCH "EOF\n",
        "apply_patch <<<'" SIMPLE "'",
        "apply_patch <<EOF\n" PATCH "EOF\n", /* a shell would put the variable in */
        "apply_patch <<EOF\n+`id`\nEOF\n",
        "apply_patch <<EOF\n+a\\\nEOF\nEOF\n",
        "apply_patch \"$(cat x)\"",
        "apply_patch x y",
        "apply_patch",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(scripts); i++) {
        cleanup_free char *patch = NULL;
        if (find(WORDS("bash", "-lc", scripts[i]), &patch) != -1)
            fail_msg("%s", scripts[i]);
    }
    cleanup_free char *patch = NULL;
    assert_int_equal(find(WORDS("apply_patch", "a", "b"), &patch), -1);
    assert_int_equal(find(WORDS("apply_patch", "\xff"), &patch), -1);
}

static void other_commands_are_left_alone(void **state)
{
    cleanup_free char *patch = NULL;
    (void)state;
    assert_int_equal(find(WORDS("make", "apply_patch"), &patch), 0);
    assert_int_equal(find(WORDS("./apply_patch", "x"), &patch), 0);
    assert_int_equal(find(WORDS("bash", "-lc", "echo apply_patch"), &patch), 0);
    assert_int_equal(find(WORDS("bash", "-lc", "apply_patcher <<'EOF'\nEOF"), &patch), 0);
    assert_int_equal(find(WORDS("bash", "apply_patch"), &patch), 0);
    assert_null(patch);
}

static void without_a_word_it_comes_from_standard_input(void **state)
{
    static const char *const argv[] = {"apply_patch", NULL};
    struct error error = ERROR_INIT;
    cleanup_free char *patch = NULL;
    int ends[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], PATCH, i == 0 ? 0 : strlen(PATCH)),
                         i == 0 ? 0 : strlen(PATCH));
        close(ends[1]);
        assert_int_equal(exec_patch_find((char *const *)argv, ends[0], &patch, &error),
                         i == 0 ? -1 : 1);
        close(ends[0]);
    }
    assert_string_equal(patch, PATCH);
}

static void nothing_is_lost_behind_a_nul(void **state)
{
    static const char *const argv[] = {"apply_patch", NULL};
    static const char bytes[] = SIMPLE "\0" SIMPLE;
    struct error error = ERROR_INIT;
    cleanup_free char *patch = NULL;
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, sizeof bytes - 1), sizeof bytes - 1);
    close(ends[1]);
    assert_int_equal(exec_patch_find((char *const *)argv, ends[0], &patch, &error), -1);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_or_a_here_document_is_a_patch),
        cmocka_unit_test(what_is_more_than_a_patch_is_not_sent),
        cmocka_unit_test(other_commands_are_left_alone),
        cmocka_unit_test(without_a_word_it_comes_from_standard_input),
        cmocka_unit_test(nothing_is_lost_behind_a_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
