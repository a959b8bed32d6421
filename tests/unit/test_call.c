/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "approval/keys.h"
#include "base/alloc.h"
#include "base/array.h"

/* ---- states ---------------------------------------------------------------------------------- */

static void states_follow_the_picture(void **state)
{
    (void)state;
    static const struct {
        enum call_state from;
        const char *to; /* first letters: r(eceived) a(sking) R(ecording) u(running) f(inished) */
    } rows[] = {
        {CALL_RECEIVED, "aRf"}, {CALL_ASKING, "Rf"}, {CALL_RECORDING, "uf"},
        {CALL_RUNNING, "aRf"},  {CALL_FINISHED, ""},
    };
    static const char letters[] = "raRuf";
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t to = 0; to < 5; to++)
            assert_int_equal(call_transition_allowed(rows[i].from, (enum call_state)to),
                             strchr(rows[i].to, letters[to]) != NULL);
    assert_false(call_transition_allowed((enum call_state)17, CALL_ASKING));
    assert_false(call_transition_allowed(CALL_ASKING, (enum call_state)17));
}

static void exit_status_as_a_shell_gives_it(void **state)
{
    (void)state;
    static const struct {
        enum review_kind decision;
        unsigned attempts;
        struct run_result result;
        int want;
    } rows[] = {
        {REVIEW_APPROVED, 1, {.outcome = RUN_EXITED, .code = 0}, 0},
        {REVIEW_APPROVED, 1, {.outcome = RUN_EXITED, .code = 42}, 42},
        {REVIEW_APPROVED, 1, {.outcome = RUN_SIGNALED, .signal = 15}, 143},
        {REVIEW_APPROVED, 2, {.outcome = RUN_EXITED, .code = 3}, 3},
        {REVIEW_APPROVED, 1, {.outcome = RUN_FAILED, .code = 127}, 127},
        {REVIEW_APPROVED, 1, {.outcome = RUN_FAILED, .code = 126}, 126},
        {REVIEW_APPROVED, 1, {.outcome = RUN_SIGNALED, .signal = 15, .timed_out = true}, 124},
        {REVIEW_APPROVED, 1, {.outcome = RUN_EXITED, .code = 0, .timed_out = true}, 124},
        {REVIEW_APPROVED_FOR_SESSION, 1, {.outcome = RUN_EXITED, .code = 7}, 7},
        {REVIEW_DENIED, 0, {.outcome = RUN_EXITED}, 77},
        {REVIEW_DENIED, 1, {.outcome = RUN_EXITED, .code = 1}, 77},
        {REVIEW_ABORT, 0, {.outcome = RUN_EXITED}, 77},
        {REVIEW_TIMED_OUT, 0, {.outcome = RUN_EXITED}, 77},
        {REVIEW_APPROVED, 0, {.outcome = RUN_EXITED}, 125},
        {REVIEW_NONE, 0, {.outcome = RUN_EXITED}, 125},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct call call = {.decision = {.kind = rows[i].decision},
                            .attempt_count = rows[i].attempts};
        if (rows[i].attempts > 0)
            call.attempts[rows[i].attempts - 1].result = rows[i].result;
        assert_int_equal(call_exit_status(&call), rows[i].want);
    }
}

static void everything_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(call_state_name(CALL_RECORDING), "recording");
    assert_string_equal(call_tool_name(CALL_APPLY_PATCH), "apply_patch");
    assert_string_equal(review_kind_name(REVIEW_APPROVED_FOR_SESSION), "approved_for_session");
    assert_string_equal(review_kind_name(REVIEW_TIMED_OUT), "timed_out");
    assert_string_equal(review_kind_name(REVIEW_APPROVED_SANDBOXED), "approved_sandboxed");
    assert_string_equal(decision_source_name(DECIDED_BY_CACHE), "cache");
    assert_string_equal(attempt_sandbox_name(ATTEMPT_TURN_DEFAULT), "turn_default");
    assert_string_equal(call_state_name((enum call_state)99), "unknown");
    assert_string_equal(review_kind_name((enum review_kind)99), "unknown");
}

/* ---- keys ------------------------------------------------------------------------------------ */

#define SEARCH_PATH "/usr/bin:/bin"

static struct command_spec *spec_of(const char *const *argv)
{
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup("/tmp");
    return spec;
}

#define SPEC(...) spec_of((const char *const[]){__VA_ARGS__, NULL})

struct variation {
    struct command_spec *spec;
    enum attempt_sandbox sandbox;
    bool retry;
    const char *policy;
    enum stdin_kind input;
    struct program *program;
};

/* `ls -l` in the sandbox "p", with one thing changed. */
static struct variation base(void)
{
    return (struct variation){.spec = SPEC("ls", "-l"), .policy = "p"};
}

static struct variation with_spec(struct command_spec *spec)
{
    return (struct variation){.spec = spec, .policy = "p"};
}

static struct variation with_program(struct program *program)
{
    struct variation variation = base();
    variation.program = program;
    return variation;
}

/* Frees the spec. */
static char *key_of(struct variation variation)
{
    struct program program;
    program_find(variation.spec->argv[0], variation.spec->cwd, SEARCH_PATH, &program);
    struct shell_key key = {
        .spec = variation.spec,
        .program = variation.program != NULL ? variation.program : &program,
        .search_path = SEARCH_PATH,
        .standard_input = variation.input,
        .sandbox = variation.sandbox,
        .retry = variation.retry,
        .policy = variation.policy,
    };
    char *text = keys_of_shell(&key);
    program_clear(&program);
    command_spec_free(&variation.spec);
    return text;
}

static void assert_same(struct variation left, struct variation right, bool same)
{
    cleanup_free char *one = key_of(left);
    cleanup_free char *other = key_of(right);
    if ((strcmp(one, other) == 0) != same)
        print_error("%s\n%s\n", one, other);
    assert_int_equal(strcmp(one, other) == 0, same);
}

static void a_key_holds_all_that_matters(void **state)
{
    (void)state;
    assert_same(base(), base(), true);
    struct variation changed = base();
    changed.retry = true;
    assert_same(base(), changed, false);
    changed = base();
    changed.sandbox = ATTEMPT_UNSANDBOXED;
    assert_same(base(), changed, false);
    changed = base();
    changed.policy = "q";
    assert_same(base(), changed, false);
    changed = base();
    changed.policy = NULL;
    assert_same(base(), changed, false);
    changed = base();
    changed.input = STDIN_PIPE;
    assert_same(base(), changed, false);
    assert_same(base(), with_spec(SPEC("ls", "-l", "")), false);
    assert_same(base(), with_spec(SPEC("ls -l")), false);
    assert_same(with_spec(SPEC("ls", "a b")), with_spec(SPEC("ls", "a", "b")), false);

    changed = base();
    free(changed.spec->cwd);
    changed.spec->cwd = xstrdup("/usr");
    assert_same(base(), changed, false);
    changed = base();
    changed.spec->tty = true;
    assert_same(base(), changed, false);
    changed = base();
    changed.spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    assert_same(base(), changed, false);
    changed = base();
    changed.spec->env = strv_copy((const char *const[]){"A=1", NULL});
    assert_same(base(), changed, false);
    changed = base();
    changed.spec->additional = XNEW(struct additional_permissions);
    changed.spec->additional->network = true;
    assert_same(base(), changed, false);

    /* What does not change what runs is no part of it. */
    changed = base();
    changed.spec->justification = xstrdup("please");
    changed.spec->timeout_ms = 12;
    assert_same(base(), changed, true);
}

static void the_program_is_the_file_not_the_name(void **state)
{
    (void)state;
    char path[] = "/usr/bin/ls";
    struct program one = {.path = path, .device = 1, .inode = 2};
    struct program other = {.path = path, .device = 1, .inode = 3};
    assert_same(with_program(&one), with_program(&one), true);
    assert_same(with_program(&one), with_program(&other), false);

    /* Built anew in place: the same in the sandbox, another program outside it. */
    struct program rebuilt = {.path = path, .device = 1, .inode = 2, .changed_ns = 5};
    struct variation before = with_program(&one), after = with_program(&rebuilt);
    assert_same(before, after, true);
    before = with_program(&one), after = with_program(&rebuilt);
    before.sandbox = after.sandbox = ATTEMPT_UNSANDBOXED;
    assert_same(before, after, false);
}

static void the_order_of_variables_says_nothing(void **state)
{
    (void)state;
    struct variation left = base(), right = base();
    left.spec->env = strv_copy((const char *const[]){"A=1", "B=2", NULL});
    right.spec->env = strv_copy((const char *const[]){"B=2", "A=1", NULL});
    assert_same(left, right, true);
}

static void bytes_that_are_no_text_are_kept_apart(void **state)
{
    (void)state;
    assert_same(with_spec(SPEC("ls", "\xff")), with_spec(SPEC("ls", "\xfe")), false);
    assert_same(with_spec(SPEC("ls", "\xff")), with_spec(SPEC("ls", "\xff")), true);
    assert_same(with_spec(SPEC("ls", "\xff")), with_spec(SPEC("ls", "\xef\xbf\xbd")), false);
    assert_same(with_spec(SPEC("ls", "\xff")), with_spec(SPEC("ls", "ff")), false);
    assert_same(with_spec(SPEC("ls", "\xff")), with_spec(SPEC("ls", "{\"hex\":\"ff\"}")), false);
}

static void a_wrapper_of_one_plain_command_is_that_command(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool same; /* as `ls -l` */
    } rows[] = {
        {"ls -l", true},      {"  ls   -l ", true},  {"ls '-l'", true}, {"ls -l; ls -l", false},
        {"ls -l > x", false}, {"A=1 ls -l", false},  {"ls $x", false},  {"ls -l &", false},
        {"./ls -l", false},   {"exec ls -l", false}, {"ls -la", false}, {"", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_same(base(), with_spec(SPEC("bash", "-lc", rows[i].script)), rows[i].same);
        assert_same(base(), with_spec(SPEC("sh", "-c", rows[i].script)), rows[i].same);
    }
    /* Parameters after the script are something else. */
    assert_same(base(), with_spec(SPEC("bash", "-c", "ls -l", "x")), false);
    /* BASH_ENV runs code in the shell that the command alone would not. */
    struct variation direct = base(), wrapped = with_spec(SPEC("bash", "-c", "ls -l"));
    direct.spec->env = strv_copy((const char *const[]){"BASH_ENV=./x", NULL});
    wrapped.spec->env = strv_copy((const char *const[]){"BASH_ENV=./x", NULL});
    assert_same(direct, wrapped, false);
    /* Something that only calls itself bash is not unwrapped. */
    assert_same(base(), with_spec(SPEC("/tmp/bash", "-c", "ls -l")), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_follow_the_picture),
        cmocka_unit_test(exit_status_as_a_shell_gives_it),
        cmocka_unit_test(everything_has_a_name),
        cmocka_unit_test(a_key_holds_all_that_matters),
        cmocka_unit_test(the_program_is_the_file_not_the_name),
        cmocka_unit_test(the_order_of_variables_says_nothing),
        cmocka_unit_test(bytes_that_are_no_text_are_kept_apart),
        cmocka_unit_test(a_wrapper_of_one_plain_command_is_that_command),
    };
    return cmocka_run_group_tests_name("call", tests, NULL, NULL);
}
