/* SPDX-License-Identifier: MIT */
/* rules: the store. */
#include "config.h"

#include "command/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "command/rules-int.h"
#include "command/rules_index-int.h"

struct rules {
    struct rule *items;
    size_t count, capacity;
    size_t shadow_count; /* of them, those that only report */
    struct rules_index index;
    struct rules_hosts hosts;
    struct rules_network *networks;
    size_t network_count;
    struct rules_directory *directories;
    size_t directory_count;
    char **files; /* paths of sources */
    size_t file_count;
};

/* ---- life ------------------------------------------------------------------------------------ */

struct rules *rules_new(void)
{
    return XNEW(struct rules);
}

static void rule_clear(struct rule *rule)
{
    for (size_t i = 0; i + 1 < rule->length; i++) {
        char **alternatives = (char **)rule->rest[i];
        strv_free(&alternatives);
    }
    free((void *)rule->rest);
    free((char *)rule->first);
    free((char *)rule->justification);
    free((char *)rule->cwd);
    free((char *)rule->project);
    free((char *)rule->project_id);
}

void rules_network_clear(struct rules_network *network)
{
    free(network->host);
    free(network->port);
    free(network->project);
    free(network->project_id);
}

void rules_batch_clear(struct rules_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        rule_clear(&batch->rules[i]);
    rules_hosts_clear(&batch->hosts);
    for (size_t i = 0; i < batch->network_count; i++)
        rules_network_clear(&batch->networks[i]);
    for (size_t i = 0; i < batch->directory_count; i++)
        rules_directory_clear(&batch->directories[i]);
    free(batch->rules);
    free(batch->networks);
    free(batch->directories);
    *batch = (struct rules_batch){.rules = NULL};
}

void rules_free(struct rules **place)
{
    struct rules *rules = steal_pointer(place);
    if (rules == NULL)
        return;
    struct rules_batch all = {
        .rules = rules->items,
        .count = rules->count,
        .hosts = rules->hosts,
        .networks = rules->networks,
        .network_count = rules->network_count,
        .directories = rules->directories,
        .directory_count = rules->directory_count,
    };
    rules_batch_clear(&all);
    rules_index_clear(&rules->index);
    for (size_t i = 0; i < rules->file_count; i++)
        free(rules->files[i]);
    free(rules->files);
    free(rules);
}

size_t rules_count(const struct rules *rules)
{
    return rules->count;
}

size_t rules_shadow_count(const struct rules *rules)
{
    return rules->shadow_count;
}

size_t rules_network_count(const struct rules *rules)
{
    return rules->network_count;
}

const struct rule *rules_at(const struct rules *rules, size_t index)
{
    return index < rules->count ? &rules->items[index] : NULL;
}

const struct rules_index *rules_index(const struct rules *rules)
{
    return &rules->index;
}

const char *rule_decision_name(enum rule_decision decision)
{
    static const char *const names[] = {"none", "allow", "prompt", "forbidden"};
    return names[decision];
}

const char *rules_layer_name(enum rules_layer layer)
{
    static const char *const names[] = {[RULES_SYSTEM] = "system",
                                        [RULES_USER] = "user",
                                        [RULES_PROJECT] = "project",
                                        [RULES_NAMED] = "named",
                                        [RULES_SESSION] = "session"};
    return names[layer];
}

/* ---- adding ---------------------------------------------------------------------------------- */

void rules_batch_add(struct rules_batch *batch, const struct rule *rule)
{
    if (batch->count == batch->capacity) {
        batch->capacity = batch->capacity > 0 ? 2 * batch->capacity : 16;
        batch->rules = xreallocarray(batch->rules, batch->capacity, sizeof(*batch->rules));
    }
    batch->rules[batch->count++] = *rule;
}

static const char *keep_path(struct rules *rules, const char *path)
{
    rules->files = xreallocarray(rules->files, rules->file_count + 1, sizeof(*rules->files));
    return rules->files[rules->file_count++] = xstrdup(path);
}

static void take_rule(struct rules *rules, const struct rule *rule)
{
    if (rules->count == rules->capacity) {
        rules->capacity = rules->capacity > 0 ? 2 * rules->capacity : 64;
        rules->items = xreallocarray(rules->items, rules->capacity, sizeof(*rules->items));
    }
    rules->items[rules->count] = *rule;
    rules_index_add(&rules->index, rule, rules->count++);
}

static void take_directories(struct rules *rules, struct rules_batch *batch,
                             const struct rules_source *source)
{
    for (size_t i = 0; i < batch->directory_count; i++) {
        if (source->tighten_only) {
            rules_directory_clear(&batch->directories[i]);
            continue;
        }
        rules->directories = xreallocarray(rules->directories, rules->directory_count + 1,
                                           sizeof(*rules->directories));
        rules->directories[rules->directory_count++] = batch->directories[i];
    }
}

const struct rules_directory *rules_directories(const struct rules *rules, size_t *count)
{
    *count = rules->directory_count;
    return rules->directories;
}

const struct rules_network *rules_networks(const struct rules *rules, size_t *count)
{
    *count = rules->network_count;
    return rules->networks;
}

void rules_take(struct rules *rules, struct rules_batch *batch, const struct rules_source *source)
{
    const char *path = keep_path(rules, source->path);
    for (size_t i = 0; i < batch->count; i++) {
        batch->rules[i].file = path;
        batch->rules[i].layer = source->layer;
        if (source->tighten_only && batch->rules[i].decision == RULE_ALLOW) {
            rule_clear(&batch->rules[i]);
            continue;
        }
        rules->shadow_count += batch->rules[i].shadow;
        take_rule(rules, &batch->rules[i]);
    }
    if (source->tighten_only)
        rules_hosts_clear(&batch->hosts);
    else
        rules_hosts_move(&rules->hosts, &batch->hosts);
    for (size_t i = 0; i < batch->network_count; i++) {
        if (source->tighten_only && batch->networks[i].decision == RULE_ALLOW) {
            rules_network_clear(&batch->networks[i]);
            continue;
        }
        batch->networks[i].file = path;
        rules->networks =
            xreallocarray(rules->networks, rules->network_count + 1, sizeof(*rules->networks));
        rules->networks[rules->network_count++] = batch->networks[i];
    }
    take_directories(rules, batch, source);
    free(batch->rules);
    free(batch->networks);
    free(batch->directories);
    *batch = (struct rules_batch){.rules = NULL};
}

void rules_add_prefix(struct rules *rules, const char *const *words)
{
    size_t length = strv_length(words);
    char ***rest = xcalloc(length, sizeof(*rest));
    for (size_t i = 1; i < length; i++) {
        const char *const alone[] = {words[i], NULL};
        rest[i - 1] = strv_copy(alone);
    }
    struct rules_batch batch = {.rules = NULL};
    struct rule rule = {.decision = RULE_ALLOW,
                        .length = length,
                        .first = xstrdup(words[0]),
                        .rest = (char *const *const *)rest};
    rules_batch_add(&batch, &rule);
    rules_take(rules, &batch, &(struct rules_source){.path = "session", .layer = RULES_SESSION});
}

char *const *rules_host_paths(const struct rules *rules, const struct rules_batch *batch,
                              const char *name)
{
    char *const *paths = batch != NULL ? rules_hosts_find(&batch->hosts, name) : NULL;
    return paths != NULL ? paths : rules_hosts_find(&rules->hosts, name);
}

int rules_add_file(struct rules *rules, const struct rules_source *source, struct error *error)
{
    size_t length;
    cleanup_free char *text = fd_read_file(source->path, RULES_FILE_MAX, false, &length);
    if (text == NULL)
        return error_errno(error, errno, "cannot read %s", source->path);
    return rules_add_text(rules, text, length, source, error);
}
