/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

static void policies_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum approval_policy_kind kind;
        bool sandbox_approval, rules, elicitations;
    } rows[] = {
        {"untrusted", APPROVAL_UNTRUSTED, false, false, false},
        {"on-failure", APPROVAL_ON_FAILURE, false, false, false},
        {"on-request", APPROVAL_ON_REQUEST, false, false, false},
        {"never", APPROVAL_NEVER, false, false, false},
        {"reject", APPROVAL_REJECT, true, true, true},
        {"reject:sandbox_approval", APPROVAL_REJECT, true, false, false},
        {"reject:rules", APPROVAL_REJECT, false, true, false},
        {"reject:elicitations,rules", APPROVAL_REJECT, false, true, true},
        {"reject:sandbox_approval,rules,elicitations", APPROVAL_REJECT, true, true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct approval_policy policy;
        assert_int_equal(approval_policy_parse(rows[i].text, &policy, NULL), 0);
        assert_int_equal(policy.kind, rows[i].kind);
        assert_int_equal(policy.reject_sandbox_approval, rows[i].sandbox_approval);
        assert_int_equal(policy.reject_rules, rows[i].rules);
        assert_int_equal(policy.reject_elicitations, rows[i].elicitations);
        assert_true(policy.escalate_on_request);
        assert_false(policy.first_covers_retry);
        assert_memory_equal(approval_policy_name(policy.kind), rows[i].text,
                            strcspn(rows[i].text, ":"));
    }
}

static void other_names_are_refused_with_the_list(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",           "Never",
                                        "on_request", "reject:",
                                        "reject:x",   "reject:rules,",
                                        "rejected",   "reject rules",
                                        "untrusted ", "reject:rules,,rules"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct approval_policy policy = {.kind = APPROVAL_NEVER};
        struct error error = ERROR_INIT;
        assert_int_equal(approval_policy_parse(wrong[i], &policy, &error), -1);
        assert_non_null(strstr(error.message, "on-failure"));
        assert_int_equal(policy.kind, APPROVAL_NEVER); /* left alone */
    }
}

static void a_context_is_a_copy(void **state)
{
    (void)state;
    struct approval_policy approval = {.kind = APPROVAL_UNTRUSTED};
    struct sandbox_policy *sandbox = sandbox_policy_new_workspace_write("/tmp/w");
    struct turn_context *context = turn_context_new(&approval, sandbox, SANDBOX_REQUIRE, "/tmp/w");
    cleanup_free char *before = sandbox_policy_canonical(context->sandbox);
    approval.kind = APPROVAL_NEVER;
    sandbox_policy_add_entry(sandbox, POLICY_ACCESS_WRITE, "/opt", NULL);
    sandbox->network = true;
    cleanup_free char *after = sandbox_policy_canonical(context->sandbox);
    assert_string_equal(before, after);
    assert_int_equal(context->approval.kind, APPROVAL_UNTRUSTED);
    assert_int_equal(context->preference, SANDBOX_REQUIRE);
    sandbox_policy_free(&sandbox);

    struct turn_context *second = turn_context_ref(context);
    turn_context_unref(&context);
    assert_null(context);
    assert_string_equal(second->root, "/tmp/w");
    turn_context_unref(&second);
    turn_context_unref(&second); /* NULL is fine */
}

static void writable_roots_are_root_and_entries(void **state)
{
    (void)state;
    struct approval_policy approval = {.kind = APPROVAL_UNTRUSTED};
    struct sandbox_policy *sandbox = sandbox_policy_new_workspace_write("/tmp/w");
    sandbox_policy_add_entry(sandbox, POLICY_ACCESS_WRITE, "/opt/x", NULL);
    sandbox_policy_add_entry(sandbox, POLICY_ACCESS_READ, "/opt/y", NULL);
    struct turn_context *context = turn_context_new(&approval, sandbox, SANDBOX_AUTO, "/tmp/w");
    cleanup_strv char **roots = turn_context_writable_roots(context);
    bool root = false, write = false;
    for (size_t i = 0; roots[i] != NULL; i++) {
        root = root || strcmp(roots[i], "/tmp/w") == 0;
        write = write || strcmp(roots[i], "/opt/x") == 0;
        assert_string_not_equal(roots[i], "/opt/y");
    }
    assert_true(root && write);
    turn_context_unref(&context);
    sandbox_policy_free(&sandbox);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_have_names),
        cmocka_unit_test(other_names_are_refused_with_the_list),
        cmocka_unit_test(a_context_is_a_copy),
        cmocka_unit_test(writable_roots_are_root_and_entries),
    };
    return cmocka_run_group_tests_name("context", tests, NULL, NULL);
}
