/* SPDX-License-Identifier: MIT */
/* appserver_offer: answers that hold for longer than one request, as Codex knows them. They are
 * offered under Codex' own names; what is picked goes back as it came. */
#include "config.h"

#include <string.h>

#include "agents/drive/appserver-int.h"
#include "approval/call.h"
#include "base/alloc.h"
#include "base/array.h"

#define NAME_MAX_BYTES 200

/* What its names say of themselves; NULL: unknown, which may be anything. */
static const char *kind_of(const char *name, const json_t *value)
{
    static const char *const lasting[] = {"acceptForSession", "acceptWithExecpolicyAmendment",
                                          "approved_for_session", "approved_mcp_policy_amendment",
                                          "approved_execpolicy_amendment"};
    static const char *const network[] = {"applyNetworkPolicyAmendment",
                                          "network_policy_amendment"};
    for (size_t i = 0; i < COUNT(lasting); i++)
        if (strcmp(name, lasting[i]) == 0)
            return "allow_always";
    for (size_t i = 0; i < COUNT(network); i++) {
        const char *action = json_string_value(json_object_get(value, "action"));
        if (strcmp(name, network[i]) == 0 && action != NULL)
            return strcmp(action, "allow") == 0  ? "allow_always"
                   : strcmp(action, "deny") == 0 ? "reject_always"
                                                 : NULL;
    }
    return NULL;
}

/* Adds an answer, unless its name would not be read whole. Takes the result over. */
static void add(struct appserver_offers *offers, const char *name, const char *kind, json_t *result)
{
    if (strlen(name) > NAME_MAX_BYTES || json_array_size(offers->results) == CALL_OFFERS_MAX) {
        json_decref(result);
        return;
    }
    json_t *offer = json_object();
    json_object_set_new(offer, "name", json_string(name));
    if (kind != NULL)
        json_object_set_new(offer, "kind", json_string(kind));
    json_array_append_new(offers->names, offer);
    json_array_append_new(offers->results, result);
}

static json_t *result_with(const char *key, const json_t *value)
{
    json_t *result = json_object();
    json_object_set(result, key, (json_t *)value);
    return result;
}

/* "acceptForSession", or {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": […]}}, which is
 * called by both its names' words: acceptWithExecpolicyAmendment ["touch","x"]. */
static void add_decision(struct appserver_offers *offers, const json_t *decision)
{
    const char *name = json_string_value(decision);
    if (name != NULL) {
        add(offers, name, kind_of(name, NULL), result_with("decision", decision));
        return;
    }
    void *member = json_object_iter((json_t *)decision);
    if (member == NULL || json_object_size(decision) != 1)
        return;
    const json_t *value = json_object_iter_value(member);
    void *inner = json_object_size(value) == 1 ? json_object_iter((json_t *)value) : NULL;
    if (inner != NULL)
        value = json_object_iter_value(inner);
    cleanup_free char *words = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    cleanup_free char *full =
        xasprintf("%s %s", json_object_iter_key(member), words != NULL ? words : "?");
    add(offers, full, kind_of(json_object_iter_key(member), value),
        result_with("decision", decision));
}

/* Plain yes, no and stop have keys of their own. */
static bool is_plain(const json_t *decision)
{
    static const char *const plain[] = {"accept", "decline", "cancel"};
    const char *name = json_string_value(decision);
    for (size_t i = 0; name != NULL && i < COUNT(plain); i++)
        if (strcmp(name, plain[i]) == 0)
            return true;
    return false;
}

static void add_named(struct appserver_offers *offers, const char *decision)
{
    json_t *name = json_string(decision);
    add_decision(offers, name);
    json_decref(name);
}

/* Earlier versions say what they propose, and not what may be answered. */
static void add_proposed(struct appserver_offers *offers, const json_t *params)
{
    json_t *command = json_object_get(params, "proposedExecpolicyAmendment");
    const json_t *hosts = json_object_get(params, "proposedNetworkPolicyAmendments");
    size_t index;
    json_t *host;
    add_named(offers, "acceptForSession");
    if (json_is_array(command)) {
        json_t *decision = json_pack("{s:{s:O}}", "acceptWithExecpolicyAmendment",
                                     "execpolicy_amendment", command);
        add_decision(offers, decision);
        json_decref(decision);
    }
    json_array_foreach(hosts, index, host)
    {
        json_t *decision =
            json_pack("{s:{s:O}}", "applyNetworkPolicyAmendment", "network_policy_amendment", host);
        add_decision(offers, decision);
        json_decref(decision);
    }
}

static void add_available(struct appserver_offers *offers, const json_t *params)
{
    const json_t *available = json_object_get(params, "availableDecisions");
    size_t index;
    const json_t *decision;
    if (!json_is_array(available)) {
        add_proposed(offers, params);
        return;
    }
    json_array_foreach(available, index, decision)
    {
        if (!is_plain(decision))
            add_decision(offers, decision);
    }
}

/* {"permissions": …, "scope": "session"} */
static void add_scope(struct appserver_offers *offers, const json_t *params)
{
    json_t *result = result_with("permissions", json_object_get(params, "permissions"));
    json_object_set_new(result, "scope", json_string("session"));
    add(offers, "scope: session", "allow_always", result);
}

/* Of a server's tool: "persist": "session", or ["session", "always"]. */
static void add_persist(struct appserver_offers *offers, const json_t *params)
{
    const json_t *meta = json_object_get(params, "_meta");
    const char *approval = json_string_value(json_object_get(meta, "codex_approval_kind"));
    json_t *persist = json_object_get(meta, "persist");
    if (approval == NULL || strcmp(approval, "mcp_tool_call") != 0)
        return;
    json_t *all = json_is_array(persist) ? json_incref(persist) : json_pack("[O*]", persist);
    size_t index;
    json_t *length;
    json_array_foreach(all, index, length)
    {
        if (!json_is_string(length))
            continue;
        cleanup_free char *name = xasprintf("persist: %s", json_string_value(length));
        add(offers, name, "allow_always",
            json_pack("{s:s, s:{}, s:{s:O}}", "action", "accept", "content", "_meta", "persist",
                      length));
    }
    json_decref(all);
}

void appserver_offers_make(struct appserver_offers *offers, const char *method,
                           const json_t *params)
{
    *offers = (struct appserver_offers){.names = json_array(), .results = json_array()};
    if (strcmp(method, "item/commandExecution/requestApproval") == 0)
        add_available(offers, params);
    else if (strcmp(method, "item/fileChange/requestApproval") == 0)
        add_named(offers, "acceptForSession");
    else if (strcmp(method, "item/permissions/requestApproval") == 0)
        add_scope(offers, params);
    else if (strcmp(method, "mcpServer/elicitation/request") == 0)
        add_persist(offers, params);
    else if (strcmp(method, "execCommandApproval") == 0 ||
             strcmp(method, "applyPatchApproval") == 0)
        add_named(offers, "approved_for_session");
}

json_t *appserver_offers_picked(const struct appserver_offers *offers, const json_t *result)
{
    const json_t *offer = json_object_get(json_object_get(result, "decision"), "offer");
    json_int_t index = json_integer_value(offer);
    if (!json_is_integer(offer) || index < 0)
        return NULL;
    return json_incref(json_array_get(offers->results, (size_t)index));
}

void appserver_offers_clear(struct appserver_offers *offers)
{
    json_decref(offers->names);
    json_decref(offers->results);
    *offers = (struct appserver_offers){.names = NULL};
}
