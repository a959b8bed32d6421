/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_context.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"

/* Puts a changed context in force for the session's next calls. */
static void choose_context(const struct desk *desk, struct session *session,
                           const struct approval_policy *approval,
                           const struct sandbox_policy *sandbox)
{
    struct turn_context *old = session->context;
    struct turn_context *context = turn_context_new(approval, sandbox, old->preference, old->root);

    context->default_timeout_ms = old->default_timeout_ms;
    context->max_timeout_ms = old->max_timeout_ms;
    if (session == desk->session && desk->hooks->context_chosen != NULL)
        desk->hooks->context_chosen(desk->hooks->argument, context);
    orchestrator_set_context(desk->orchestrator, session, context);
    turn_context_unref(&context);
}

/* A name alone changes when to ask, and nothing else that the configuration says of it. */
static int read_policy(const char *argument, struct approval_policy *policy, struct error *error)
{
    struct approval_policy named;

    if (approval_policy_parse(argument, &named, error) < 0)
        return -1;
    policy->kind = named.kind;
    if (strchr(argument, ':') != NULL) {
        policy->reject_sandbox_approval = named.reject_sandbox_approval;
        policy->reject_rules = named.reject_rules;
        policy->reject_elicitations = named.reject_elicitations;
    }
    return 0;
}

const char *operator_policy_means(enum approval_policy_kind kind)
{
    static const char *const words[] = {
        [APPROVAL_UNTRUSTED] = N_("you are asked about all but what is known to be safe or a rule "
                                  "allows"),
        [APPROVAL_ON_FAILURE] =
            N_("commands run unasked; you are asked when the sandbox blocks one"),
        [APPROVAL_ON_REQUEST] =
            N_("you are asked about what leaves the sandbox, is dangerous, or a "
               "rule asks about"),
        [APPROVAL_REJECT] = N_("as on-request, but the kinds of requests that the configuration "
                               "rejects are refused unasked"),
        [APPROVAL_NEVER] = N_("you are not asked: what would need your approval is refused"),
    };

    return _(words[kind]);
}

void operator_policy(const struct desk *desk, const char *argument)
{
    struct approval_policy policy = desk->session->context->approval;
    struct error error = ERROR_INIT;
    size_t count = orchestrator_session_count(desk->orchestrator);

    if (read_policy(argument, &policy, &error) < 0) {
        desk_remark(desk, THEME_FAILED, "%s", error.message);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct session *session = orchestrator_session_at(desk->orchestrator, i);

        choose_context(desk, session, &policy, session->context->sandbox);
    }
    desk_say(desk, "policy", THEME_STRONG, _("From the next call on: approval policy %s: %s"),
             approval_policy_name(policy.kind), operator_policy_means(policy.kind));
}

static const char *network_words(const struct sandbox_policy *policy)
{
    if (policy->network)
        return _("network on");
    return policy->network_asks ? _("network asks") : _("network off");
}

/* Asks before what takes the sandbox away from all that comes; false when that has been asked, or
 * is so already. */
static bool asks_first(const struct desk *desk, enum sandbox_mode mode)
{
    cleanup_free char *again = xasprintf(":sandbox %s", sandbox_mode_name(mode));
    bool confines = mode == SANDBOX_READ_ONLY || mode == SANDBOX_WORKSPACE_WRITE;

    if (confines || mode == desk->session->context->sandbox->mode || desk_asked(desk, again))
        return false;
    desk_remark(desk, THEME_WARNING, _("%s once more lets commands run WITHOUT the sandbox"),
                again);
    return true;
}

static void put_in_force(const struct desk *desk, const struct sandbox_policy *policy)
{
    size_t count = orchestrator_session_count(desk->orchestrator);

    for (size_t i = 0; i < count; i++) {
        struct session *session = orchestrator_session_at(desk->orchestrator, i);

        choose_context(desk, session, &session->context->approval, policy);
    }
}

void operator_sandbox(const struct desk *desk, const char *argument)
{
    struct error error = ERROR_INIT;
    const char *root = desk->session->context->root;
    enum sandbox_mode mode;
    struct sandbox_policy *policy;

    if (!sandbox_mode_parse(argument, &mode)) {
        desk_remark(desk, THEME_FAILED, "%s",
                    _("sandbox modes: read-only, workspace-write, danger-full-access, "
                      "external-sandbox"));
        return;
    }
    policy = desk->hooks->policy_of_mode(desk->hooks->argument, mode, root, &error);
    if (policy == NULL) {
        desk_remark(desk, THEME_FAILED, "%s", error.message);
        return;
    }
    if (!asks_first(desk, mode)) {
        put_in_force(desk, policy);
        desk_say(desk, "sandbox", THEME_STRONG, _("From the next call on: sandbox %s, %s"),
                 sandbox_mode_name(mode), network_words(policy));
    }
    sandbox_policy_free(&policy);
}

void operator_network(const struct desk *desk, const char *argument)
{
    size_t count = orchestrator_session_count(desk->orchestrator);
    bool on = strcmp(argument, "on") == 0;
    bool asks = strcmp(argument, "ask") == 0;

    if (!on && !asks && strcmp(argument, "off") != 0) {
        desk_remark(desk, THEME_FAILED, _("network: there is no \"%.40s\" (ask, off, on)"),
                    argument);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct session *session = orchestrator_session_at(desk->orchestrator, i);
        struct sandbox_policy *policy = sandbox_policy_copy(session->context->sandbox);

        policy->network = on;
        policy->network_asks = asks && sandbox_policy_is_restricted(policy);
        choose_context(desk, session, &session->context->approval, policy);
        sandbox_policy_free(&policy);
    }
    desk_say(desk, "sandbox", THEME_STRONG,
             on     ? _("From the next call on: network on")
             : asks ? _("From the next call on: network asks for each host")
                    : _("From the next call on: network off"));
}

/* ---- what is in force now -------------------------------------------------------------------- */

const char *operator_policy_now(const struct desk *desk)
{
    return approval_policy_name(desk->session->context->approval.kind);
}

const char *operator_sandbox_now(const struct desk *desk)
{
    return sandbox_mode_name(desk->session->context->sandbox->mode);
}

const char *operator_network_now(const struct desk *desk)
{
    const struct sandbox_policy *policy = desk->session->context->sandbox;

    return policy->network ? "on" : policy->network_asks ? "ask" : "off";
}
