/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/reach.h"

#include <stdlib.h>
#include <string.h>

#include "approval/judgement.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/text.h"
#include "command/rules_write.h"

void reach_free(struct reach **place)
{
    struct reach *reach = steal_pointer(place);
    if (reach == NULL)
        return;
    free(reach->host);
    free(reach->readable);
    free(reach->addresses);
    free(reach->via);
    free(reach->command_line);
    free(reach->unreached);
    free(reach);
}

void reach_failure_clear(struct reach_failure *failure)
{
    free(failure->url);
    free(failure->why);
}

bool reach_same(const struct reach *one, const struct reach *other)
{
    return one == other ||
           (one != NULL && other != NULL && text_same(one->command_line, other->command_line) &&
            text_same(one->special, other->special) &&
            text_same(one->addresses, other->addresses) && text_same(one->via, other->via));
}

char *reach_url(const struct reach *reach)
{
    bool ipv6 = strchr(reach->host, ':') != NULL;
    return xasprintf("%s://%s%s%s:%u", reach->protocol, ipv6 ? "[" : "", reach->host,
                     ipv6 ? "]" : "", reach->port);
}

static json_t *make_key(const struct reach *reach)
{
    json_t *key = json_pack("{s:s, s:s, s:s, s:i}", "tool", "network", "host", reach->host,
                            "protocol", reach->protocol, "port", (int)reach->port);
    if (reach->special != NULL && reach->addresses != NULL)
        json_object_set_new(key, "addresses", json_string(reach->addresses));
    return key;
}

char *reach_key(const struct reach *reach)
{
    cleanup_json json_t *key = make_key(reach);
    return json_canonical(key);
}

char *reach_key_within(const struct reach *reach, uint64_t command)
{
    cleanup_json json_t *key = make_key(reach);
    json_object_set_new(key, "command", json_integer((json_int_t)command));
    return json_canonical(key);
}

static const char *rule_protocol(const struct reach *reach)
{
    return strcmp(reach->protocol, "socks5-tcp") == 0 ? "socks5_tcp" : reach->protocol;
}

/* Rules name a host as their author wrote it. Of those that only report, `shadow` gets the
 * strictest (file NULL: there is none). */
static enum rule_decision strictest_rule(const struct rules *const *rules,
                                         struct rules_connection *connection, const char *readable,
                                         struct rules_reach *shadow)
{
    enum rule_decision strictest = RULE_NONE;
    const char *names[] = {connection->host, readable};
    *shadow = (struct rules_reach){.decision = RULE_NONE};
    for (size_t i = 0; rules[i] != NULL; i++)
        for (size_t j = 0; j < 2 && names[j] != NULL; j++) {
            struct rules_reach one;
            connection->host = names[j];
            enum rule_decision decision = rules_match_network(rules[i], connection);
            strictest = decision > strictest ? decision : strictest;
            if (rules_match_network_shadow(rules[i], connection, &one) &&
                one.decision > shadow->decision)
                *shadow = one;
        }
    return strictest;
}

/* Who allowed a name did not allow what it may lead to. */
static enum rule_decision that_counts(const struct reach *reach, enum rule_decision rule)
{
    return rule == RULE_ALLOW && reach->special != NULL && !reach->own_name ? RULE_NONE : rule;
}

char *reach_rule(const struct reach *reach, const char *project, const char *project_id)
{
    cleanup_free char *port = xasprintf("%u", reach->port);
    const struct rules_connection connection = {reach->host, rule_protocol(reach), port, project,
                                                project_id};
    return rules_write_connection(&connection);
}

static struct wording *reason_of(const struct reach *reach)
{
    if (reach->special != NULL && !reach->own_name)
        return wording_from(N_("a host that was allowed leads to an address that is not public"));
    return wording_from(N_("the sandbox has no network but what you allow"));
}

static struct wording *never_asked(const struct approval_policy *policy)
{
    struct wording *reason = wording_new();
    wording_add(reason, N_("approval policy %s does not ask about hosts"),
                approval_policy_name(policy->kind));
    return reason;
}

static void require(const struct reach *reach, const struct approval_policy *policy,
                    enum rule_decision rule, struct approval_requirement *requirement)
{
    bool by_rule = rule != RULE_NONE;
    bool refused = policy->kind == APPROVAL_NEVER ||
                   (policy->kind == APPROVAL_REJECT &&
                    (by_rule ? policy->reject_rules : policy->reject_sandbox_approval));
    requirement->category = by_rule ? PROMPT_RULE : PROMPT_SANDBOX;
    requirement->cause = by_rule ? PROMPT_BY_RULE : PROMPT_BY_NETWORK;
    if (rule == RULE_ALLOW) {
        requirement->kind = REQUIREMENT_SKIP;
    } else if (rule == RULE_FORBIDDEN) {
        requirement->kind = REQUIREMENT_FORBIDDEN;
        requirement->reason = wording_from(N_("a rule forbids this host"));
    } else if (refused) {
        requirement->kind = REQUIREMENT_FORBIDDEN;
        requirement->reason = never_asked(policy);
    } else {
        requirement->kind = REQUIREMENT_NEEDS_APPROVAL;
        requirement->reason =
            by_rule ? wording_from(N_("a rule asks about this host")) : reason_of(reach);
    }
}

/* What it would have been with the rules that only report. Decides nothing. */
static void note_shadow(const struct reach *reach, const struct approval_policy *policy,
                        enum rule_decision rule, const struct rules_reach *shadow,
                        struct approval_requirement *requirement)
{
    struct approval_requirement would = {.kind = REQUIREMENT_SKIP};
    enum rule_decision with = shadow->decision > rule ? shadow->decision : rule;
    require(reach, policy, that_counts(reach, with), &would);
    requirement->shadow = (struct shadow_requirement){
        .rule = xasprintf("%s:%u", shadow->file, shadow->line), .kind = would.kind};
    approval_requirement_clear(&would);
}

void reach_require(const struct reach *reach, const struct turn_context *context,
                   const struct rules *const *rules, struct approval_requirement *requirement)
{
    cleanup_free char *id = judgement_project_id(context->root);
    cleanup_free char *port = xasprintf("%u", reach->port);
    struct rules_connection connection = {reach->host, rule_protocol(reach), port, context->root,
                                          id};
    struct rules_reach shadow;
    enum rule_decision rule = strictest_rule(rules, &connection, reach->readable, &shadow);
    approval_requirement_clear(requirement);
    require(reach, &context->approval, that_counts(reach, rule), requirement);
    if (shadow.file != NULL)
        note_shadow(reach, &context->approval, rule, &shadow, requirement);
}

static const char *deed_of(const struct reach *reach)
{
    if (reach->special != NULL && strcmp(reach->special, "metadata") == 0)
        return N_("reads what a cloud hands to its machines, credentials among it");
    if (reach->special != NULL)
        return N_(
            "reaches services on this machine or in your network, not on the public Internet, "
            "which often ask for no password");
    if (reach->look_alike)
        return N_("the name is written in letters that look like others. What the command can "
                  "read can be sent there");
    if (reach->sends)
        return N_("the command sends data, which goes there: that can be anything that it can "
                  "read");
    return N_("what the command can read can be sent there, and what comes back can be run in the "
              "sandbox");
}

void reach_assess(const struct reach *reach, struct assessment *assessment)
{
    bool metadata = reach->special != NULL && strcmp(reach->special, "metadata") == 0;
    bool grave = metadata || reach->look_alike || reach->sends;
    assessment_of_deed(deed_of(reach), "", grave ? RISK_HIGH : RISK_MEDIUM, assessment);
    assessment->categories = RISK_NETWORK_ACCESS;
    if (reach->sends)
        assessment->categories |= RISK_DATA_EXFILTRATION;
    if (metadata)
        assessment->categories |= RISK_PRIVILEGE_ESCALATION;
}
