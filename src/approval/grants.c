/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/grants.h"

#include <string.h>

#include "base/alloc.h"

struct grant_entry {
    struct grant grant; /* its key and label point at the copies below */
    char *key;
    char *label;
};

struct grants {
    struct grant_entry **entries; /* oldest first */
    size_t count;
    uint64_t next_id;
};

struct grants *grants_new(void)
{
    struct grants *grants = XNEW(struct grants);
    grants->next_id = 1;
    return grants;
}

static void grant_entry_free(struct grant_entry *entry)
{
    free(entry->key);
    free(entry->label);
    free(entry);
}

void grants_free(struct grants **grants)
{
    if (*grants == NULL)
        return;
    for (size_t i = 0; i < (*grants)->count; i++)
        grant_entry_free((*grants)->entries[i]);
    free((*grants)->entries);
    free(*grants);
    *grants = NULL;
}

static struct grant_entry *grants_find(const struct grants *grants, const char *key)
{
    for (size_t i = 0; i < grants->count; i++)
        if (strcmp(grants->entries[i]->key, key) == 0)
            return grants->entries[i];
    return NULL;
}

static struct grant_entry *grants_append(struct grants *grants, const char *key, const char *label,
                                         uint64_t call, int64_t wall_ms)
{
    struct grant_entry *entry = XNEW(struct grant_entry);
    entry->key = xstrdup(key);
    entry->label = xstrdup(label);
    entry->grant.id = grants->next_id++;
    entry->grant.key = entry->key;
    entry->grant.label = entry->label;
    entry->grant.call = call;
    entry->grant.granted_ms = wall_ms;
    grants->entries = xreallocarray(grants->entries, grants->count + 1, sizeof(*grants->entries));
    grants->entries[grants->count++] = entry;
    return entry;
}

uint64_t grants_add(struct grants *grants, const char *const *keys, const char *label,
                    uint64_t call, int64_t wall_ms)
{
    uint64_t first = 0;
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++) {
        struct grant_entry *entry = grants_find(grants, keys[i]);
        if (entry == NULL)
            entry = grants_append(grants, keys[i], label, call, wall_ms);
        if (first == 0)
            first = entry->grant.id;
    }
    return first;
}

uint64_t grants_cover(struct grants *grants, const char *const *keys, bool use)
{
    if (keys == NULL || keys[0] == NULL)
        return 0;
    for (size_t i = 0; keys[i] != NULL; i++)
        if (grants_find(grants, keys[i]) == NULL)
            return 0;
    for (size_t i = 0; use && keys[i] != NULL; i++)
        grants_find(grants, keys[i])->grant.uses++;
    return grants_find(grants, keys[0])->grant.id;
}

uint64_t grants_newest(const struct grants *grants)
{
    return grants->next_id - 1;
}

bool grants_revoke(struct grants *grants, uint64_t id)
{
    for (size_t i = 0; i < grants->count; i++) {
        if (grants->entries[i]->grant.id != id)
            continue;
        grant_entry_free(grants->entries[i]);
        grants->count--;
        memmove(&grants->entries[i], &grants->entries[i + 1],
                (grants->count - i) * sizeof(*grants->entries));
        return true;
    }
    return false;
}

const struct grant *grants_find_id(const struct grants *grants, uint64_t id)
{
    for (size_t i = 0; i < grants->count; i++)
        if (grants->entries[i]->grant.id == id)
            return &grants->entries[i]->grant;
    return NULL;
}

size_t grants_count(const struct grants *grants)
{
    return grants->count;
}

const struct grant *grants_at(const struct grants *grants, size_t index)
{
    return index < grants->count ? &grants->entries[index]->grant : NULL;
}
