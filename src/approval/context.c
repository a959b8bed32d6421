/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/context.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"

static const char *const policy_names[] = {
    [APPROVAL_UNTRUSTED] = "untrusted",   [APPROVAL_ON_FAILURE] = "on-failure",
    [APPROVAL_ON_REQUEST] = "on-request", [APPROVAL_REJECT] = "reject",
    [APPROVAL_NEVER] = "never",
};

const char *approval_policy_name(enum approval_policy_kind kind)
{
    return (size_t)kind < COUNT(policy_names) ? policy_names[kind] : "unknown";
}

static int parse_failed(struct error *error)
{
    return error_set(error, 0,
                     "approval policy: expected untrusted, on-failure, on-request, never, or "
                     "reject:CATEGORY,… with sandbox_approval, rules, elicitations");
}

/* Sets one switch of reject{…}; the name is not NUL-terminated. */
static bool reject_category(struct approval_policy *policy, const char *name, size_t length)
{
    const struct {
        const char *name;
        bool *flag;
    } categories[] = {
        {"sandbox_approval", &policy->reject_sandbox_approval},
        {"rules", &policy->reject_rules},
        {"elicitations", &policy->reject_elicitations},
    };
    for (size_t i = 0; i < COUNT(categories); i++) {
        if (strlen(categories[i].name) == length && memcmp(categories[i].name, name, length) == 0) {
            *categories[i].flag = true;
            return true;
        }
    }
    return false;
}

/* `text` is what follows "reject". */
static int parse_reject(const char *text, struct approval_policy *policy, struct error *error)
{
    policy->kind = APPROVAL_REJECT;
    if (*text == '\0') {
        policy->reject_sandbox_approval = true;
        policy->reject_rules = true;
        policy->reject_elicitations = true;
        return 0;
    }
    if (*text != ':')
        return parse_failed(error);
    do {
        text++;
        size_t length = strcspn(text, ",");
        if (!reject_category(policy, text, length))
            return parse_failed(error);
        text += length;
    } while (*text == ',');
    return 0;
}

int approval_policy_parse(const char *text, struct approval_policy *policy, struct error *error)
{
    struct approval_policy parsed = {.kind = APPROVAL_ON_REQUEST, .escalate_on_request = true};
    if (strncmp(text, "reject", 6) == 0) {
        if (parse_reject(text + 6, &parsed, error) != 0)
            return -1;
        *policy = parsed;
        return 0;
    }
    for (size_t i = 0; i < COUNT(policy_names); i++) {
        if (strcmp(text, policy_names[i]) != 0)
            continue;
        parsed.kind = (enum approval_policy_kind)i;
        *policy = parsed;
        return 0;
    }
    return parse_failed(error);
}

struct turn_context *turn_context_new(const struct approval_policy *approval,
                                      const struct sandbox_policy *sandbox,
                                      enum sandbox_preference preference, const char *root)
{
    struct turn_context *context = XNEW(struct turn_context);
    context->references = 1;
    context->approval = *approval;
    context->sandbox = sandbox_policy_copy(sandbox);
    context->preference = preference;
    context->root = xstrdup(root);
    return context;
}

struct turn_context *turn_context_ref(struct turn_context *context)
{
    context->references++;
    return context;
}

void turn_context_unref(struct turn_context **context)
{
    struct turn_context *dropped = steal_pointer(context);
    if (dropped == NULL || --dropped->references > 0)
        return;
    sandbox_policy_free(&dropped->sandbox);
    free(dropped->root);
    free(dropped);
}

char **turn_context_writable_roots(const struct turn_context *context)
{
    const struct sandbox_policy *policy = context->sandbox;
    char **roots = xcalloc(policy->entry_count + 2, sizeof(*roots));
    size_t count = 0;
    roots[count++] = xstrdup(context->root);
    for (size_t i = 0; i < policy->entry_count; i++)
        if (policy->entries[i].access == POLICY_ACCESS_WRITE)
            roots[count++] = xstrdup(policy->entries[i].path);
    return roots;
}
