/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/policy_field.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"

static const char *const MODE[] = {"read-only", "workspace-write", "danger-full-access",
                                   "external-sandbox"};
static const char *const FILE_SYSTEM[] = {"restricted", "unrestricted", "external"};
static const char *const PROTECT_GIT[] = {"code", "all"};
static const char *const TMP[] = {"none", "private", "host"};
static const char *const TOOL_CACHES[] = {"private", "shared", "none"};

#define NUMBER(key, member, maximum)                                                               \
    {                                                                                              \
        key, POLICY_FIELD_NUMBER, offsetof(struct sandbox_policy, member), maximum, NULL           \
    }
#define BOOL(key, member)                                                                          \
    {                                                                                              \
        key, POLICY_FIELD_BOOL, offsetof(struct sandbox_policy, member), 1, NULL                   \
    }
#define NAME(key, member, names)                                                                   \
    {                                                                                              \
        key, POLICY_FIELD_NAME, offsetof(struct sandbox_policy, member),                           \
            (int)(sizeof(names) / sizeof *(names)) - 1, names                                      \
    }
#define PATH(key, member)                                                                          \
    {                                                                                              \
        key, POLICY_FIELD_PATH, offsetof(struct sandbox_policy, member), 0, NULL                   \
    }

const struct policy_field POLICY_FIELDS[] = {
    NAME("mode", mode, MODE),
    NAME("fs", fs_kind, FILE_SYSTEM),
    BOOL("platform-defaults", platform_defaults),
    BOOL("protect", protect),
    NAME("protect-git", protect_git, PROTECT_GIT),
    BOOL("protect-nested", protect_nested),
    NAME("tmp", tmp, TMP),
    PATH("tmp-source", tmp_source),
    NAME("tool-caches", tool_caches, TOOL_CACHES),
    PATH("cache-source", cache_source),
    BOOL("network", network),
    BOOL("network-asks", network_asks),
    BOOL("allow-degraded", allow_degraded),
    BOOL("no-user-namespaces", no_user_namespaces),
    NUMBER("landlock-abi", landlock_abi, 1000),
    NUMBER("process-limit", process_limit, INT_MAX),
};
const size_t POLICY_FIELD_COUNT = sizeof POLICY_FIELDS / sizeof *POLICY_FIELDS;

const struct policy_field *policy_field_find(const char *key)
{
    for (size_t i = 0; i < POLICY_FIELD_COUNT; i++)
        if (strcmp(POLICY_FIELDS[i].key, key) == 0)
            return &POLICY_FIELDS[i];
    return NULL;
}

int policy_field_number(const struct policy_field *field, const struct sandbox_policy *policy)
{
    const void *place = (const char *)policy + field->offset;
    int number;
    if (field->kind == POLICY_FIELD_BOOL)
        return *(const bool *)place;
    memcpy(&number, place, sizeof number); /* an int or an enum, which has the size of one */
    return number;
}

bool policy_field_set_number(const struct policy_field *field, struct sandbox_policy *policy,
                             int number)
{
    void *place = (char *)policy + field->offset;
    if (number < 0 || number > field->maximum)
        return false;
    if (field->kind == POLICY_FIELD_BOOL)
        *(bool *)place = number != 0;
    else
        memcpy(place, &number, sizeof number);
    return true;
}

const char *policy_field_path(const struct policy_field *field, const struct sandbox_policy *policy)
{
    return *(char *const *)((const char *)policy + field->offset);
}

bool policy_field_set_path(const struct policy_field *field, struct sandbox_policy *policy,
                           const char *path)
{
    char **place = (char **)((char *)policy + field->offset);
    if (*place || path[0] != '/' || strlen(path) >= PATH_MAX)
        return false;
    *place = xstrdup(path);
    return true;
}
