/* SPDX-License-Identifier: MIT */
/* path_grants: what a command that the sandbox stopped at one path may write for the rest of its
 * session: it runs in the sandbox with that path more, unasked, as long as it is the same command
 * and the path is what it was. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "approval/keys.h"
#include "approval/orchestrator-int.h"
#include "approval/retry_path.h"
#include "base/alloc.h"
#include "base/i18n.h"

/* Only a command of an agent's, for which the sandbox is to be the turn's, is given more for
 * longer. Why not this one, or NULL. */
static const char *why_not_plain(const struct call_entry *entry,
                                 enum sandbox_permissions permissions)
{
    const struct call *call = &entry->call;
    if (entry->operator_started)
        return N_("you started it yourself");
    /* With the path alone it would not be unasked: its next request is for all of that, too. */
    if (call->spec->permissions != permissions)
        return N_("the same command would again ask for more than that");
    return call->tool != CALL_SHELL || call->agent_tool != NULL || call->input_for != 0 ||
                   call->widens
               ? N_("it is no command that runs by itself")
               : NULL;
}

const char *path_grants_once_reason(const struct call_entry *entry)
{
    const char *why = why_not_plain(entry, SANDBOX_PERMISSIONS_USE_DEFAULT);
    if (why == NULL)
        why = entry->once_reason;
    return why != NULL ? why : arrival_once_with_more(entry);
}

/* As the policy that was offered has pinned it: that is what was shown. */
static bool offered_path(const struct call_entry *entry, struct key_path *path)
{
    const struct sandbox_policy *policy = entry->offered_policy;
    for (size_t i = policy->entry_count; i-- > 0;) {
        const struct policy_entry *at = &policy->entries[i];
        if (at->access != POLICY_ACCESS_WRITE || strcmp(at->path, entry->offered_path) != 0)
            continue;
        *path = (struct key_path){entry->offered_path, at->device, at->inode};
        return true;
    }
    return false;
}

uint64_t path_grants_add(struct call_entry *entry)
{
    struct call *call = &entry->call;
    struct key_path path;
    if (!offered_path(entry, &path))
        return 0;
    cleanup_free char *key = arrival_path_key(entry, &path);
    const char *const keys[] = {key, NULL};
    strv_free(&call->keys);
    call->keys = strv_copy(keys);        /* what the record says that the answer is for */
    entry->orchestrator->recheck = true; /* the same may be waiting, asking for more */
    return grants_add(call->session->grants, keys, call->prompt->command, call->id, NULL);
}

/* What the grant gives, if it is this command's; the caller frees path->path. */
static bool is_given(const struct call_entry *entry, const struct grant *grant,
                     struct key_path *path)
{
    if (grant->path == NULL || !keys_path(grant->key, path))
        return false;
    cleanup_free char *key = arrival_path_key(entry, path);
    if (strcmp(key, grant->key) == 0)
        return true;
    free(steal_pointer(&path->path));
    return false;
}

static bool still_holds(const struct call_entry *entry, const struct key_path *path)
{
    const struct turn_context *context = entry->call.context;
    return retry_path_still(path, context->sandbox, context->root, getenv("HOME"));
}

/* The policy with one path more, which is to be what was given and nothing that is put in its place
 * before the start. False: no sandbox here holds that. */
static bool give(struct call_entry *entry, const struct key_path *path, const char *key)
{
    const struct sandbox_policy *base =
        entry->given_policy != NULL ? entry->given_policy : entry->call.context->sandbox;
    struct additional_permissions *one = path_offer_with(NULL, path->path);
    struct sandbox_policy *policy = sandbox_policy_with_additional(base, one, NULL);
    additional_permissions_free(&one);
    if (!retry_path_pin_to(policy, path) || !path_offer_can_hold(entry, policy, path->path)) {
        sandbox_policy_free(&policy);
        return false;
    }
    struct additional_permissions *more = path_offer_with(entry->given_more, path->path);
    additional_permissions_free(&entry->given_more);
    entry->given_more = more;
    sandbox_policy_free(&entry->given_policy);
    entry->given_policy = policy;
    size_t count = strv_length((const char *const *)entry->given_keys);
    entry->given_keys = xreallocarray(entry->given_keys, count + 2, sizeof(char *));
    entry->given_keys[count] = xstrdup(key);
    entry->given_keys[count + 1] = NULL;
    return true;
}

/* Gives all that the session's grants have for it, and ends those whose path has changed. */
static void gather(struct call_entry *entry)
{
    struct grants *grants = entry->call.session->grants;
    for (size_t i = 0; i < grants_count(grants);) {
        const struct grant *grant = grants_at(grants, i);
        struct key_path path = {.path = NULL};
        bool given = is_given(entry, grant, &path);
        bool over = given && !still_holds(entry, &path);
        if (over)
            grants_end_path(grants, grant->id);
        else if (given)
            give(entry, &path, grant->key);
        free(path.path);
        i += !over;
    }
}

/* Gathers them for a first attempt that asked for that: the newest grant's id, or 0 and nothing. */
static uint64_t gather_for(struct call_entry *entry, enum sandbox_permissions permissions)
{
    const struct call *call = &entry->call;
    struct grants *grants = call->session->grants;
    if (entry->retry || why_not_plain(entry, permissions) != NULL || call->asked_command != NULL ||
        grants_count(grants) == 0 || arrival_once_with_more(entry) != NULL)
        return 0;
    path_grants_drop(entry);
    gather(entry);
    uint64_t id = grants_cover(grants, (const char *const *)entry->given_keys, false);
    /* As in verdict_covered(). */
    if (id != 0 && (call->assessment.level != RISK_HIGH || id <= entry->grants_at_hand))
        return id;
    path_grants_drop(entry);
    return 0;
}

struct additional_permissions *path_grants_held(struct call_entry *entry, uint64_t *call)
{
    if (!attempt_may_stay(entry))
        return NULL;
    uint64_t id = gather_for(entry, SANDBOX_PERMISSIONS_REQUIRE_ESCALATED);
    if (id == 0)
        return NULL;
    *call = grants_find_id(entry->call.session->grants, id)->call;
    struct additional_permissions *held = steal_pointer(&entry->given_more);
    path_grants_drop(entry);
    return held;
}

/* What the prompt tells of: it asks anew when that changes. */
const char *path_grants_keep(struct call_entry *entry)
{
    struct grants *grants = entry->call.session->grants;
    if (entry->call.prompt->held == NULL)
        return NULL;
    uint64_t id = gather_for(entry, SANDBOX_PERMISSIONS_REQUIRE_ESCALATED);
    if (id == 0)
        return NULL;
    grants_cover(grants, (const char *const *)entry->given_keys, true);
    path_offer_drop(entry); /* which would be given in its place */
    entry->sandbox = ATTEMPT_PERMISSIONS;
    return grants_find_id(grants, id)->path;
}

bool path_grants_use(struct call_entry *entry, uint64_t *grant_id)
{
    struct call *call = &entry->call;
    if (entry->sandbox != ATTEMPT_TURN_DEFAULT)
        return false;
    uint64_t id = gather_for(entry, SANDBOX_PERMISSIONS_USE_DEFAULT);
    if (id == 0)
        return false;
    const char *const *keys = (const char *const *)entry->given_keys;
    grants_cover(call->session->grants, keys, true);
    strv_free(&call->keys);
    call->keys = strv_copy(keys); /* taken back before it starts, it does not */
    entry->sandbox = ATTEMPT_PERMISSIONS;
    *grant_id = id;
    return true;
}

void path_grants_drop(struct call_entry *entry)
{
    additional_permissions_free(&entry->given_more);
    sandbox_policy_free(&entry->given_policy);
    strv_free(&entry->given_keys);
}
