/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/grants.h"

#include <string.h>

#include "approval/keys.h"
#include "base/alloc.h"

struct grant_entry {
    struct grant grant; /* its texts point at the copies below */
    char *key;
    char *label;
    char *files;
    char **places;
    char *path;
    int64_t ends_ms, ends_wall_ms; /* LEASE_TIME, by either clock */
};

struct grants {
    struct grant_entry **entries; /* oldest first */
    size_t count;
    uint64_t next_id;
    uint64_t *revoked; /* ids of those that have been */
    size_t revoked_count;
    const struct clock *clock;
    void (*ended)(void *argument, const struct grant *grant, enum grant_end end);
    void *ended_argument;
};

const char *lease_kind_name(enum lease_kind kind)
{
    static const char *const names[] = {[LEASE_SESSION] = "session",
                                        [LEASE_TIME] = "time",
                                        [LEASE_RUNS] = "runs",
                                        [LEASE_CALL] = "call"};
    return names[kind];
}

const char *grant_end_name(enum grant_end end)
{
    static const char *const names[] = {
        [GRANT_REVOKED] = "revoked",     [GRANT_TIME_OVER] = "time",
        [GRANT_RUNS_USED] = "runs",      [GRANT_CALL_ENDED] = "call",
        [GRANT_FILES_CHANGED] = "files", [GRANT_PATH_CHANGED] = "path"};
    return names[end];
}

struct grants *grants_new(const struct clock *clock)
{
    struct grants *grants = XNEW(struct grants);
    grants->next_id = 1;
    grants->clock = clock;
    return grants;
}

static void grant_entry_free(struct grant_entry *entry)
{
    free(entry->key);
    free(entry->label);
    free(entry->files);
    strv_free(&entry->places);
    free(entry->path);
    free(entry);
}

void grants_free(struct grants **grants)
{
    if (*grants == NULL)
        return;
    for (size_t i = 0; i < (*grants)->count; i++)
        grant_entry_free((*grants)->entries[i]);
    free((*grants)->entries);
    free((*grants)->revoked);
    free(*grants);
    *grants = NULL;
}

void grants_on_end(struct grants *grants,
                   void (*ended)(void *argument, const struct grant *grant, enum grant_end end),
                   void *argument)
{
    grants->ended = ended;
    grants->ended_argument = argument;
}

static void grants_end_at(struct grants *grants, size_t index, enum grant_end end)
{
    struct grant_entry *entry = grants->entries[index];
    grants->count--;
    memmove(&grants->entries[index], &grants->entries[index + 1],
            (grants->count - index) * sizeof(*grants->entries));
    if (grants->ended != NULL)
        grants->ended(grants->ended_argument, &entry->grant, end);
    grant_entry_free(entry);
}

/* By the clock that says less: one stands still while the machine sleeps, the other can be set
 * back. */
static int64_t left_ms(const struct grants *grants, const struct grant_entry *entry)
{
    int64_t left = entry->ends_ms - clock_monotonic_ms(grants->clock);
    int64_t wall = entry->ends_wall_ms - clock_wall_ms(grants->clock);
    if (wall < left)
        left = wall;
    return left > 0 ? left : 0;
}

int64_t grants_left_ms(const struct grants *grants, const struct grant *grant)
{
    return grant->lease.kind == LEASE_TIME ? left_ms(grants, (const struct grant_entry *)grant) : 0;
}

static bool is_over(const struct grants *grants, const struct grant_entry *entry)
{
    const struct lease *lease = &entry->grant.lease;
    if (lease->kind == LEASE_RUNS)
        return entry->grant.uses >= lease->runs;
    return lease->kind == LEASE_TIME && left_ms(grants, entry) == 0;
}

int64_t grants_expire(struct grants *grants)
{
    int64_t next = -1;
    for (size_t i = grants->count; i-- > 0;) {
        const struct grant_entry *entry = grants->entries[i];
        bool timed = entry->grant.lease.kind == LEASE_TIME;
        int64_t left = timed ? left_ms(grants, entry) : -1;
        if (is_over(grants, entry))
            grants_end_at(grants, i, timed ? GRANT_TIME_OVER : GRANT_RUNS_USED);
        else if (timed && (next < 0 || left < next))
            next = left;
    }
    return next;
}

void grants_end_with_call(struct grants *grants, uint64_t call)
{
    for (size_t i = grants->count; i-- > 0;) {
        const struct lease *lease = &grants->entries[i]->grant.lease;
        if (lease->kind == LEASE_CALL && lease->call == call)
            grants_end_at(grants, i, GRANT_CALL_ENDED);
    }
}

/* Runs are spent last, so that they are not spent on what holds anyway. */
static int preference(const struct grant_entry *entry)
{
    static const int order[] = {
        [LEASE_SESSION] = 0, [LEASE_CALL] = 1, [LEASE_TIME] = 2, [LEASE_RUNS] = 3};
    return order[entry->grant.lease.kind];
}

/* The one of that key that is used, or NULL. */
static struct grant_entry *grants_find(const struct grants *grants, const char *key)
{
    struct grant_entry *found = NULL;
    for (size_t i = 0; i < grants->count; i++) {
        struct grant_entry *entry = grants->entries[i];
        if (strcmp(entry->key, key) == 0 && !is_over(grants, entry) &&
            (found == NULL || preference(entry) < preference(found)))
            found = entry;
    }
    return found;
}

static struct grant_entry *grants_append(struct grants *grants, const char *key, const char *label,
                                         uint64_t call, const struct lease *lease)
{
    struct grant_entry *entry = XNEW(struct grant_entry);
    struct key_path given = {.path = NULL};
    entry->path = keys_path(key, &given) ? given.path : NULL;
    entry->key = xstrdup(key);
    entry->label = xstrdup(label);
    entry->ends_ms = clock_monotonic_ms(grants->clock) + lease->duration_ms;
    entry->ends_wall_ms = clock_wall_ms(grants->clock) + lease->duration_ms;
    entry->grant = (struct grant){
        .id = grants->next_id++,
        .key = entry->key,
        .label = entry->label,
        .call = call,
        .granted_ms = clock_wall_ms(grants->clock),
        .lease = *lease,
        .path = entry->path,
        .unsandboxed = keys_summary(key).unsandboxed,
    };
    grants->entries = xreallocarray(grants->entries, grants->count + 1, sizeof(*grants->entries));
    grants->entries[grants->count++] = entry;
    return entry;
}

uint64_t grants_add(struct grants *grants, const char *const *keys, const char *label,
                    uint64_t call, const struct lease *lease)
{
    static const struct lease for_session = {.kind = LEASE_SESSION};
    uint64_t first = 0;
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++) {
        struct grant_entry *entry = grants_find(grants, keys[i]);
        if (entry == NULL || entry->grant.lease.kind != LEASE_SESSION)
            entry =
                grants_append(grants, keys[i], label, call, lease != NULL ? lease : &for_session);
        if (first == 0)
            first = entry->grant.id;
    }
    return first;
}

uint64_t grants_cover(struct grants *grants, const char *const *keys, bool use)
{
    uint64_t newest = 0;
    if (keys == NULL)
        return 0;
    for (size_t i = 0; keys[i] != NULL; i++) {
        const struct grant_entry *entry = grants_find(grants, keys[i]);
        if (entry == NULL)
            return 0;
        if (entry->grant.id > newest)
            newest = entry->grant.id;
    }
    for (size_t i = 0; use && keys[i] != NULL; i++) {
        struct grant_entry *entry = grants_find(grants, keys[i]);
        if (entry != NULL) /* a key may be there twice */
            entry->grant.uses++;
    }
    return newest;
}

static bool is_key_of(const struct grant_entry *entry, const char *const *keys)
{
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++)
        if (strcmp(entry->key, keys[i]) == 0)
            return true;
    return false;
}

void grants_note_seen(struct grants *grants, const char *const *keys, uint64_t seen,
                      const char *files, const char *const *places)
{
    for (size_t i = 0; i < grants->count; i++) {
        struct grant_entry *entry = grants->entries[i];
        if (!is_key_of(entry, keys))
            continue;
        free(entry->files);
        entry->files = files != NULL ? xstrdup(files) : NULL;
        entry->grant.files = entry->files;
        strv_free(&entry->places);
        entry->places = strv_copy(places);
        entry->grant.places = (const char *const *)entry->places;
        entry->grant.seen = seen;
    }
}

void grants_recognise(struct grants *grants, const char *const *keys, const char *files,
                      uint64_t newest)
{
    for (size_t i = 0; i < grants->count; i++) {
        struct grant_entry *entry = grants->entries[i];
        if (entry->grant.seen == 0 && entry->files != NULL && files != NULL &&
            strcmp(entry->files, files) == 0 && is_key_of(entry, keys))
            entry->grant.seen = newest;
    }
}

static bool is_unseen(const struct grant_entry *entry, const char *const *keys, uint64_t newest)
{
    return entry->grant.seen < newest && is_key_of(entry, keys);
}

const struct grant *grants_unseen(const struct grants *grants, const char *const *keys,
                                  uint64_t newest)
{
    const struct grant *oldest = NULL;
    for (size_t i = 0; i < grants->count; i++) {
        const struct grant_entry *entry = grants->entries[i];
        if (is_unseen(entry, keys, newest) && (oldest == NULL || entry->grant.seen < oldest->seen))
            oldest = &entry->grant;
    }
    return oldest;
}

void grants_end_unseen(struct grants *grants, const char *const *keys, uint64_t newest,
                       const char *changed)
{
    for (size_t i = grants->count; i-- > 0;) {
        if (!is_unseen(grants->entries[i], keys, newest))
            continue;
        grants->entries[i]->grant.changed = changed;
        grants_end_at(grants, i, GRANT_FILES_CHANGED);
    }
}

uint64_t grants_newest(const struct grants *grants)
{
    return grants->next_id - 1;
}

static bool end_one(struct grants *grants, uint64_t id, enum grant_end end)
{
    for (size_t i = 0; i < grants->count; i++) {
        if (grants->entries[i]->grant.id != id)
            continue;
        grants_end_at(grants, i, end);
        return true;
    }
    return false;
}

bool grants_revoke(struct grants *grants, uint64_t id)
{
    if (!end_one(grants, id, GRANT_REVOKED))
        return false;
    grants->revoked = xreallocarray(grants->revoked, grants->revoked_count + 1, sizeof(id));
    grants->revoked[grants->revoked_count++] = id;
    return true;
}

bool grants_was_revoked(const struct grants *grants, uint64_t id)
{
    for (size_t i = 0; i < grants->revoked_count; i++)
        if (grants->revoked[i] == id)
            return true;
    return false;
}

bool grants_end_path(struct grants *grants, uint64_t id)
{
    return end_one(grants, id, GRANT_PATH_CHANGED);
}

bool grants_end_changed(struct grants *grants, uint64_t id, const char *changed)
{
    for (size_t i = 0; i < grants->count; i++)
        if (grants->entries[i]->grant.id == id)
            grants->entries[i]->grant.changed = changed;
    return end_one(grants, id, GRANT_FILES_CHANGED);
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
