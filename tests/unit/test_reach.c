/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sandbox/policy.h"

/* Nothing here frees or changes them. */
static char example[] = "example.org", one[] = "10.0.0.1", two[] = "10.0.0.2";
static char alabel[] = "xn--mnchen-3ya.example", readable[] = "m\xc3\xbcnchen.example";

/* Of the last requirement: what rules that only report would have made of it. */
static char shadow_rule[40];
static enum requirement_kind shadow_kind;

static struct reach public_host(void)
{
    return (struct reach){.host = example, .protocol = "https", .port = 443};
}

static enum requirement_kind require(const struct reach *reach, enum approval_policy_kind kind,
                                     const char *rule)
{
    const struct rules_source source = {.path = "f", .layer = RULES_USER};
    struct approval_policy policy = {.kind = kind, .reject_sandbox_approval = true};
    struct sandbox_policy *sandbox = sandbox_policy_new_read_only();
    struct turn_context *context = turn_context_new(&policy, sandbox, SANDBOX_AUTO, "/");
    struct approval_requirement requirement = {.kind = REQUIREMENT_SKIP};
    struct rules *rules = rules_new();
    const struct rules *all[] = {rules, NULL};
    struct error error = ERROR_INIT;
    if (rules_add_text(rules, rule, strlen(rule), &source, &error) != 0)
        fail_msg("%s", error.message);
    reach_require(reach, context, all, &requirement);
    enum requirement_kind result = requirement.kind;
    assert_true(result == REQUIREMENT_SKIP || requirement.reason != NULL);
    shadow_kind = requirement.shadow.kind;
    snprintf(shadow_rule, sizeof(shadow_rule), "%s",
             requirement.shadow.rule != NULL ? requirement.shadow.rule : "");
    approval_requirement_clear(&requirement);
    rules_free(&rules);
    turn_context_unref(&context);
    sandbox_policy_free(&sandbox);
    return result;
}

#define RULE(host, protocol, decision)                                                             \
    "network_rule(host=\"" host "\", protocol=\"" protocol "\", decision=\"" decision "\")\n"

static void policies_ask_or_do_not(void **state)
{
    (void)state;
    struct reach reach = public_host();
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST, ""), REQUIREMENT_NEEDS_APPROVAL);
    assert_int_equal(require(&reach, APPROVAL_UNTRUSTED, ""), REQUIREMENT_NEEDS_APPROVAL);
    assert_int_equal(require(&reach, APPROVAL_ON_FAILURE, ""), REQUIREMENT_NEEDS_APPROVAL);
    assert_int_equal(require(&reach, APPROVAL_NEVER, ""), REQUIREMENT_FORBIDDEN);
    assert_int_equal(require(&reach, APPROVAL_REJECT, ""), REQUIREMENT_FORBIDDEN);
}

static void the_strictest_rule_decides(void **state)
{
    (void)state;
    struct reach reach = public_host();
    assert_int_equal(require(&reach, APPROVAL_NEVER, RULE("example.org", "https", "allow")),
                     REQUIREMENT_SKIP);
    assert_int_equal(require(&reach, APPROVAL_NEVER, RULE("example.org", "http", "allow")),
                     REQUIREMENT_FORBIDDEN);
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST, RULE("org", "https", "allow")),
                     REQUIREMENT_NEEDS_APPROVAL);
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST,
                             RULE("example.org", "https", "allow")
                                 RULE("example.org", "https", "forbidden")),
                     REQUIREMENT_FORBIDDEN);
    assert_int_equal(require(&reach, APPROVAL_NEVER, RULE("example.org", "https", "prompt")),
                     REQUIREMENT_FORBIDDEN);
}

static void a_rule_for_a_name_does_not_cover_what_it_leads_to(void **state)
{
    (void)state;
    static const char rule[] = RULE("example.org", "https", "allow");
    struct reach reach = public_host();
    reach.special = "private";
    reach.addresses = one;
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST, rule), REQUIREMENT_NEEDS_APPROVAL);
    assert_int_equal(require(&reach, APPROVAL_NEVER, rule), REQUIREMENT_FORBIDDEN);
    reach.own_name = true; /* what was written is what it leads to */
    assert_int_equal(require(&reach, APPROVAL_NEVER, rule), REQUIREMENT_SKIP);
}

#define SHADOW(host, decision)                                                                     \
    "network_rule(host=\"" host "\", protocol=\"https\", decision=\"" decision "\", "              \
    "shadow=True)\n"

static void rules_that_only_report_decide_nothing(void **state)
{
    (void)state;
    struct reach reach = public_host();
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST, SHADOW("example.org", "allow")),
                     REQUIREMENT_NEEDS_APPROVAL);
    assert_string_equal(shadow_rule, "f:1");
    assert_int_equal(shadow_kind, REQUIREMENT_SKIP);
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST,
                             RULE("example.org", "https", "allow")
                                 SHADOW("example.org", "forbidden")),
                     REQUIREMENT_SKIP);
    assert_string_equal(shadow_rule, "f:2");
    assert_int_equal(shadow_kind, REQUIREMENT_FORBIDDEN);
    /* The strictest decides with it, too. */
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST,
                             RULE("example.org", "https", "forbidden")
                                 SHADOW("example.org", "allow")),
                     REQUIREMENT_FORBIDDEN);
    assert_int_equal(shadow_kind, REQUIREMENT_FORBIDDEN);
    assert_int_equal(require(&reach, APPROVAL_NEVER, SHADOW("example.org", "prompt")),
                     REQUIREMENT_FORBIDDEN);
    assert_int_equal(shadow_kind, REQUIREMENT_FORBIDDEN);
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST, SHADOW("other.org", "allow")),
                     REQUIREMENT_NEEDS_APPROVAL);
    assert_string_equal(shadow_rule, "");
    reach.special = "private";
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST, SHADOW("example.org", "allow")),
                     REQUIREMENT_NEEDS_APPROVAL);
    assert_int_equal(shadow_kind, REQUIREMENT_NEEDS_APPROVAL);
}

static void a_forbidden_name_is_so_in_both_forms(void **state)
{
    (void)state;
    struct reach reach = {
        .host = alabel, .readable = readable, .protocol = "socks5-tcp", .port = 22};
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST,
                             RULE("m\xc3\xbcnchen.example", "socks5_tcp", "forbidden")),
                     REQUIREMENT_FORBIDDEN);
    assert_int_equal(require(&reach, APPROVAL_ON_REQUEST,
                             RULE("xn--mnchen-3ya.example", "socks5_tcp", "forbidden")),
                     REQUIREMENT_FORBIDDEN);
}

static void keys_differ_in_what_is_granted(void **state)
{
    (void)state;
    struct reach reach = public_host(), other = public_host();
    cleanup_free char *key = reach_key(&reach);
    assert_string_equal(key, "{\"host\":\"example.org\",\"port\":443,\"protocol\":\"https\","
                             "\"tool\":\"network\"}");
    other.port = 444;
    cleanup_free char *port = reach_key(&other);
    assert_string_not_equal(key, port);
    other = public_host();
    other.special = "private";
    other.addresses = one;
    cleanup_free char *address = reach_key(&other);
    other.addresses = two;
    cleanup_free char *rebound = reach_key(&other);
    assert_string_not_equal(key, address);
    assert_string_not_equal(address, rebound);
}

static void what_leads_astray_is_high(void **state)
{
    (void)state;
    struct reach reach = public_host();
    struct assessment assessment;
    reach_assess(&reach, &assessment);
    assert_int_equal(assessment.level, RISK_MEDIUM);
    assert_non_null(assessment.clauses[0].phrase); /* what is shown in the operator's language */
    reach.look_alike = true;
    reach_assess(&reach, &assessment);
    assert_int_equal(assessment.level, RISK_HIGH);
    reach = public_host();
    reach.sends = true;
    reach_assess(&reach, &assessment);
    assert_int_equal(assessment.level, RISK_HIGH);
    assert_true((assessment.categories & RISK_DATA_EXFILTRATION) != 0);
    reach = public_host();
    reach.special = "metadata";
    reach_assess(&reach, &assessment);
    assert_int_equal(assessment.level, RISK_HIGH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_ask_or_do_not),
        cmocka_unit_test(the_strictest_rule_decides),
        cmocka_unit_test(a_rule_for_a_name_does_not_cover_what_it_leads_to),
        cmocka_unit_test(rules_that_only_report_decide_nothing),
        cmocka_unit_test(a_forbidden_name_is_so_in_both_forms),
        cmocka_unit_test(keys_differ_in_what_is_granted),
        cmocka_unit_test(what_leads_astray_is_high),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
