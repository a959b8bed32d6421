/* SPDX-License-Identifier: MIT */
/* The tables of who is asked, row by row. */
#include "config.h"

#include "approval/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

static struct sandbox_policy *sandbox_of(enum sandbox_mode mode)
{
    return sandbox_policy_new(mode, "/tmp");
}

static const enum sandbox_mode modes[] = {SANDBOX_READ_ONLY, SANDBOX_WORKSPACE_WRITE,
                                          SANDBOX_DANGER_FULL_ACCESS, SANDBOX_EXTERNAL};

static bool restricted(enum sandbox_mode mode)
{
    return mode == SANDBOX_READ_ONLY || mode == SANDBOX_WORKSPACE_WRITE;
}

/* ---- default requirement ------------------------------------------------------------------ */

#define SKIP REQUIREMENT_SKIP
#define NEEDS REQUIREMENT_NEEDS_APPROVAL
#define FORBIDDEN REQUIREMENT_FORBIDDEN

static const struct {
    const char *policy;
    enum requirement_kind restricted, unrestricted;
} default_rows[] = {
    {"never", SKIP, SKIP},
    {"on-failure", SKIP, SKIP},
    {"on-request", NEEDS, SKIP},
    {"reject:rules", NEEDS, SKIP},
    {"reject:rules,elicitations", NEEDS, SKIP},
    {"reject:sandbox_approval", FORBIDDEN, SKIP},
    {"reject", FORBIDDEN, SKIP},
    {"untrusted", NEEDS, NEEDS},
};

static void default_requirement(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(default_rows); row++) {
        for (size_t i = 0; i < COUNT(modes); i++) {
            struct approval_policy policy;
            assert_int_equal(approval_policy_parse(default_rows[row].policy, &policy, NULL), 0);
            struct sandbox_policy *sandbox = sandbox_of(modes[i]);
            struct approval_requirement got;
            policy_default_requirement(&policy, sandbox, &got);
            enum requirement_kind want = restricted(modes[i]) ? default_rows[row].restricted
                                                              : default_rows[row].unrestricted;
            if (got.kind != want)
                print_error("%s in %s\n", default_rows[row].policy, sandbox_mode_name(modes[i]));
            assert_int_equal(got.kind, want);
            assert_false(got.bypass_sandbox);
            if (want == FORBIDDEN)
                assert_string_equal(wording_english(got.reason),
                                    "approval policy rejected sandbox approval prompt");
            else if (want == NEEDS)
                assert_non_null(got.reason);
            approval_requirement_clear(&got);
            sandbox_policy_free(&sandbox);
        }
    }
}

/* ---- heuristics for the shell --------------------------------------------------------------- */

enum column { NEVER, ON_FAILURE, ON_REQUEST, REJECT_NONE, UNTRUSTED, COLUMNS };
static const char *const columns[COLUMNS] = {
    [NEVER] = "never",           [ON_FAILURE] = "on-failure",
    [ON_REQUEST] = "on-request", [REJECT_NONE] = "reject:elicitations",
    [UNTRUSTED] = "untrusted",
};

#define SAFE 1u
#define DANGER 2u
#define LEAVES 4u

static const struct {
    const char *name;
    unsigned facts;
    bool restricted;
    enum requirement_kind want[COLUMNS];
} shell_rows[] = {
    {"known-safe", SAFE, true, {SKIP, SKIP, SKIP, SKIP, SKIP}},
    {"known-safe, full access", SAFE, false, {SKIP, SKIP, SKIP, SKIP, SKIP}},
    {"dangerous", DANGER, true, {FORBIDDEN, NEEDS, NEEDS, NEEDS, NEEDS}},
    {"dangerous, full access", DANGER, false, {FORBIDDEN, NEEDS, NEEDS, NEEDS, NEEDS}},
    {"leaves", LEAVES, true, {FORBIDDEN, NEEDS, NEEDS, NEEDS, NEEDS}},
    {"leaves, dangerous", LEAVES | DANGER, true, {FORBIDDEN, NEEDS, NEEDS, NEEDS, NEEDS}},
    /* What is known to be safe never leaves the sandbox unasked. */
    {"leaves, known-safe", LEAVES | SAFE, true, {FORBIDDEN, NEEDS, NEEDS, NEEDS, NEEDS}},
    /* There is no sandbox to leave. */
    {"leaves, full access", LEAVES, false, {SKIP, SKIP, SKIP, SKIP, NEEDS}},
    {"anything else", 0, true, {SKIP, SKIP, SKIP, SKIP, NEEDS}},
    {"anything else, full access", 0, false, {SKIP, SKIP, SKIP, SKIP, NEEDS}},
    /* A contradiction is judged by its worse half. */
    {"safe and dangerous", SAFE | DANGER, true, {FORBIDDEN, NEEDS, NEEDS, NEEDS, NEEDS}},
};

static void requirement_of(const char *policy_name, enum sandbox_mode mode, unsigned facts,
                           struct command_verdict verdict, struct approval_requirement *got)
{
    struct approval_policy policy;
    assert_int_equal(approval_policy_parse(policy_name, &policy, NULL), 0);
    struct sandbox_policy *sandbox = sandbox_of(mode);
    verdict.known_safe = (facts & SAFE) != 0;
    verdict.dangerous = (facts & DANGER) != 0;
    policy_shell_requirement(&policy, sandbox, (facts & LEAVES) != 0, &verdict, got);
    sandbox_policy_free(&sandbox);
}

static void heuristics(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(shell_rows); row++) {
        for (size_t i = 0; i < COUNT(modes) * COLUMNS; i++) {
            enum sandbox_mode mode = modes[i / COLUMNS];
            enum column column = (enum column)(i % COLUMNS);
            if (restricted(mode) != shell_rows[row].restricted)
                continue;
            struct approval_requirement got;
            requirement_of(columns[column], mode, shell_rows[row].facts,
                           (struct command_verdict){.rule = RULE_NONE}, &got);
            if (got.kind != shell_rows[row].want[column])
                print_error("%s under %s\n", shell_rows[row].name, columns[column]);
            assert_int_equal(got.kind, shell_rows[row].want[column]);
            assert_false(got.bypass_sandbox); /* only a rule does that */
            assert_true(got.kind == SKIP || got.reason != NULL);
            approval_requirement_clear(&got);
        }
    }
}

static void reject_refuses_by_category(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        enum rule_decision rule;
        unsigned facts;
        enum requirement_kind want;
        const char *reason;
    } rows[] = {
        {"reject:sandbox_approval", RULE_NONE, DANGER, FORBIDDEN,
         "approval policy rejected sandbox approval prompt"},
        {"reject:sandbox_approval", RULE_NONE, LEAVES, FORBIDDEN,
         "approval policy rejected sandbox approval prompt"},
        {"reject:sandbox_approval", RULE_NONE, 0, SKIP, NULL},
        {"reject:sandbox_approval", RULE_PROMPT, 0, NEEDS, NULL},
        {"reject:rules", RULE_PROMPT, 0, FORBIDDEN,
         "approval policy rejected rules approval prompt"},
        {"reject:rules", RULE_NONE, DANGER, NEEDS, NULL},
        /* Where rule and sandbox would both prompt, the rule's switch decides. */
        {"reject:rules", RULE_PROMPT, LEAVES, FORBIDDEN,
         "approval policy rejected rules approval prompt"},
        {"reject:sandbox_approval", RULE_PROMPT, LEAVES, NEEDS, NULL},
        {"reject:elicitations", RULE_PROMPT, LEAVES, NEEDS, NULL},
        {"reject", RULE_PROMPT, 0, FORBIDDEN, "approval policy rejected rules approval prompt"},
    };
    for (size_t row = 0; row < COUNT(rows); row++) {
        struct approval_requirement got;
        requirement_of(rows[row].policy, SANDBOX_WORKSPACE_WRITE, rows[row].facts,
                       (struct command_verdict){.rule = rows[row].rule}, &got);
        assert_int_equal(got.kind, rows[row].want);
        if (rows[row].reason != NULL)
            assert_string_equal(wording_english(got.reason), rows[row].reason);
        approval_requirement_clear(&got);
    }
}

static void rules_come_before_heuristics(void **state)
{
    (void)state;
    static const struct {
        enum rule_decision rule;
        bool bypass;
        unsigned facts;
        const char *policy;
        enum requirement_kind want;
        bool want_bypass;
    } rows[] = {
        {RULE_FORBIDDEN, false, SAFE, "on-request", FORBIDDEN, false},
        {RULE_PROMPT, false, SAFE, "on-request", NEEDS, false},
        {RULE_PROMPT, false, SAFE, "on-failure", NEEDS, false},
        {RULE_PROMPT, false, SAFE, "never", FORBIDDEN, false},
        {RULE_ALLOW, false, DANGER, "on-request", SKIP, false},
        {RULE_ALLOW, true, DANGER, "on-request", SKIP, true},
        {RULE_ALLOW, true, LEAVES, "on-request", SKIP, true},
        {RULE_ALLOW, true, 0, "untrusted", SKIP, true},
        {RULE_ALLOW, true, 0, "never", SKIP, true},
        {RULE_ALLOW, false, 0, "untrusted", SKIP, false},
        /* An allow that keeps the sandbox lets nothing out of it. */
        {RULE_ALLOW, false, LEAVES, "on-request", NEEDS, false},
        {RULE_ALLOW, false, LEAVES, "never", FORBIDDEN, false},
    };
    cleanup_wording struct wording *because = wording_from("because");
    for (size_t row = 0; row < COUNT(rows); row++) {
        struct approval_requirement got;
        requirement_of(rows[row].policy, SANDBOX_WORKSPACE_WRITE, rows[row].facts,
                       (struct command_verdict){.rule = rows[row].rule,
                                                .all_allowed_by_rule = rows[row].bypass,
                                                .rule_reason = because},
                       &got);
        assert_int_equal(got.kind, rows[row].want);
        assert_int_equal(got.bypass_sandbox, rows[row].want_bypass);
        if (got.kind != SKIP && rows[row].rule >= RULE_PROMPT)
            assert_non_null(strstr(wording_english(got.reason), "because"));
        approval_requirement_clear(&got);
    }
}

static void amendments_come_from_heuristics_only(void **state)
{
    (void)state;
    char word[] = "make";
    char *prefix[] = {word, NULL};
    static const struct {
        enum rule_decision rule;
        const char *policy;
        bool want;
    } rows[] = {
        {RULE_NONE, "untrusted", true},    /* the heuristics prompted */
        {RULE_NONE, "on-request", true},   /* allowed in the sandbox: offered after a denial */
        {RULE_PROMPT, "untrusted", false}, /* a rule prompted */
        {RULE_FORBIDDEN, "untrusted", false}, {RULE_ALLOW, "untrusted", false},
    };
    for (size_t row = 0; row < COUNT(rows); row++) {
        struct approval_requirement got;
        requirement_of(rows[row].policy, SANDBOX_WORKSPACE_WRITE, 0,
                       (struct command_verdict){.rule = rows[row].rule, .amendment = prefix}, &got);
        assert_int_equal(got.amendment != NULL, rows[row].want);
        if (rows[row].want)
            assert_string_equal(got.amendment[0], "make");
        approval_requirement_clear(&got);
    }
    struct approval_requirement got;
    requirement_of("never", SANDBOX_WORKSPACE_WRITE, DANGER,
                   (struct command_verdict){.rule = RULE_NONE, .amendment = prefix}, &got);
    assert_null(got.amendment); /* forbidden: nothing to offer */
    approval_requirement_clear(&got);
}

static void the_reason_says_what_is_dangerous(void **state)
{
    (void)state;
    struct approval_requirement got;
    requirement_of("on-request", SANDBOX_WORKSPACE_WRITE, DANGER,
                   (struct command_verdict){.danger_reason = "it deletes files"}, &got);
    assert_string_equal(wording_english(got.reason), "it deletes files");
    approval_requirement_clear(&got);
    requirement_of("never", SANDBOX_WORKSPACE_WRITE, DANGER,
                   (struct command_verdict){.danger_reason = "it deletes files"}, &got);
    assert_non_null(strstr(wording_english(got.reason), "it deletes files"));
    assert_non_null(strstr(wording_english(got.reason), "never"));
    approval_requirement_clear(&got);
    assert_null(got.reason);
}

/* ---- retry after a denial ------------------------------------------------------------------- */

static void who_may_ask_again(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        bool escalate_on_request;
        bool want;
    } rows[] = {
        {"untrusted", true, true},
        {"on-failure", true, true},
        {"on-failure", false, true},
        {"on-request", true, true},
        {"on-request", false, false},
        {"reject:rules", true, true},
        {"reject:rules,elicitations", true, true},
        {"reject:sandbox_approval", true, false},
        {"reject", true, false},
        {"never", true, false},
    };
    for (size_t row = 0; row < COUNT(rows); row++) {
        struct approval_policy policy;
        assert_int_equal(approval_policy_parse(rows[row].policy, &policy, NULL), 0);
        assert_true(policy.escalate_on_request); /* the default */
        policy.escalate_on_request = rows[row].escalate_on_request;
        assert_int_equal(policy_may_ask_retry(&policy), rows[row].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_requirement),
        cmocka_unit_test(heuristics),
        cmocka_unit_test(reject_refuses_by_category),
        cmocka_unit_test(rules_come_before_heuristics),
        cmocka_unit_test(amendments_come_from_heuristics_only),
        cmocka_unit_test(the_reason_says_what_is_dangerous),
        cmocka_unit_test(who_may_ask_again),
    };
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
