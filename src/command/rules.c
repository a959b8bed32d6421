/* SPDX-License-Identifier: MIT */
/* rules: the store. Rules are found through a tree of words: the program, what follows it, and so
 * on, kept in one hash table of (node, word). */
#include "config.h"

#include "command/rules.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "command/rules-int.h"

/* A rule with more ways through its alternatives than this hangs on an inner node, and its last
 * words are compared one by one. */
#define PATHS_MAX 32
#define ROOT 0

struct word_node {
    uint32_t *rules; /* that hang here, in their order */
    uint32_t count;
};

struct word_edge {
    const char *word; /* borrowed from a rule; NULL: a free slot */
    uint32_t hash, parent, child;
};

struct rules {
    struct rule *items;
    size_t count, capacity;
    size_t shadow_count; /* of them, those that only report */
    struct word_node *nodes;
    size_t node_count, node_capacity;
    struct word_edge *edges;
    size_t edge_count, edge_slots; /* slots: a power of two */
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
    struct rules *rules = XNEW(struct rules);
    rules->nodes = XNEW(struct word_node);
    rules->node_count = rules->node_capacity = 1;
    return rules;
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
    for (size_t i = 0; i < rules->node_count; i++)
        free(rules->nodes[i].rules);
    for (size_t i = 0; i < rules->file_count; i++)
        free(rules->files[i]);
    free(rules->nodes);
    free(rules->edges);
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

/* ---- the tree of words ----------------------------------------------------------------------- */

/* FNV-1a over the node and the word. */
static uint32_t edge_hash(uint32_t parent, const char *word)
{
    uint32_t hash = (2166136261u ^ parent) * 16777619u;
    for (; *word != '\0'; word++)
        hash = (hash ^ (unsigned char)*word) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot of an edge, or the free one where it belongs. */
static size_t edge_slot(const struct rules *rules, uint32_t hash, uint32_t parent, const char *word)
{
    size_t mask = rules->edge_slots - 1, slot = hash & mask;
    for (;; slot = (slot + 1) & mask) {
        const struct word_edge *edge = &rules->edges[slot];
        if (edge->word == NULL ||
            (edge->hash == hash && edge->parent == parent && strcmp(edge->word, word) == 0))
            return slot;
    }
}

static void grow_edges(struct rules *rules)
{
    struct word_edge *old = rules->edges;
    size_t slots = rules->edge_slots;
    rules->edge_slots = slots > 0 ? 2 * slots : 64;
    rules->edges = xcalloc(rules->edge_slots, sizeof(*rules->edges));
    for (size_t i = 0; i < slots; i++)
        if (old[i].word != NULL)
            rules->edges[edge_slot(rules, old[i].hash, old[i].parent, old[i].word)] = old[i];
    free(old);
}

static uint32_t node_new(struct rules *rules)
{
    if (rules->node_count == rules->node_capacity) {
        rules->node_capacity *= 2;
        rules->nodes = xreallocarray(rules->nodes, rules->node_capacity, sizeof(*rules->nodes));
    }
    rules->nodes[rules->node_count] = (struct word_node){.rules = NULL};
    return (uint32_t)rules->node_count++;
}

/* The node behind a word; `word` is kept. */
static uint32_t node_child(struct rules *rules, uint32_t parent, const char *word)
{
    uint32_t hash = edge_hash(parent, word);
    if (2 * (rules->edge_count + 1) > rules->edge_slots)
        grow_edges(rules);
    struct word_edge *edge = &rules->edges[edge_slot(rules, hash, parent, word)];
    if (edge->word == NULL) {
        *edge = (struct word_edge){word, hash, parent, node_new(rules)};
        rules->edge_count++;
    }
    return edge->child;
}

/* 0, the root, when there is none. */
static uint32_t node_find(const struct rules *rules, uint32_t parent, const char *word)
{
    if (rules->edge_slots == 0)
        return ROOT;
    size_t slot = edge_slot(rules, edge_hash(parent, word), parent, word);
    return rules->edges[slot].word != NULL ? rules->edges[slot].child : ROOT;
}

static bool holds_node(const uint32_t *nodes, size_t count, uint32_t node)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] == node)
            return true;
    return false;
}

/* The nodes behind each of `nodes` and each alternative; 0 when there would be too many. */
static size_t nodes_behind(struct rules *rules, const uint32_t *nodes, size_t count,
                           char *const *alternatives, uint32_t *behind)
{
    size_t found = 0;
    if (count * strv_length((const char *const *)alternatives) > PATHS_MAX)
        return 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; alternatives[j] != NULL; j++) {
            uint32_t child = node_child(rules, nodes[i], alternatives[j]);
            if (!holds_node(behind, found, child))
                behind[found++] = child;
        }
    return found;
}

static void node_hang(struct word_node *node, size_t rule)
{
    if ((node->count & (node->count - 1)) == 0) /* full at each power of two */
        node->rules = xreallocarray(node->rules, node->count > 0 ? 2 * (size_t)node->count : 1,
                                    sizeof(*node->rules));
    node->rules[node->count++] = (uint32_t)rule;
}

static void index_rule(struct rules *rules, size_t position)
{
    const struct rule *rule = &rules->items[position];
    uint32_t nodes[PATHS_MAX] = {node_child(rules, ROOT, rule->first)}, behind[PATHS_MAX];
    size_t count = 1, next;
    for (size_t i = 0; i + 1 < rule->length; i++) {
        next = nodes_behind(rules, nodes, count, rule->rest[i], behind);
        if (next == 0)
            break;
        memcpy(nodes, behind, next * sizeof(*nodes));
        count = next;
    }
    for (size_t i = 0; i < count; i++)
        node_hang(&rules->nodes[nodes[i]], position);
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
    index_rule(rules, rules->count++);
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

bool rules_same_or_any(const char *wanted, const char *given)
{
    return wanted == NULL || (given != NULL && strcmp(wanted, given) == 0);
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

/* ---- looking up ------------------------------------------------------------------------------ */

bool rules_words_fit(const struct rule *rule, const char *const *argv)
{
    for (size_t i = 0; i + 1 < rule->length; i++) {
        char *const *word = rule->rest[i];
        if (argv[i + 1] == NULL)
            return false;
        while (*word != NULL && strcmp(*word, argv[i + 1]) != 0)
            word++;
        if (*word == NULL)
            return false;
    }
    return !rule->exact || argv[rule->length] == NULL;
}

static bool applies(const struct rule *rule, const struct rules_query *query)
{
    return (!rule->shadow || query->shadow) && rules_words_fit(rule, query->argv) &&
           rules_same_or_any(rule->cwd, query->cwd) &&
           rules_same_or_any(rule->project, query->project) &&
           rules_same_or_any(rule->project_id, query->project_id);
}

static void matches_add(struct rules_matches *matches, const struct rule *rule,
                        const char *resolved)
{
    if (matches->count == matches->capacity) {
        matches->capacity = matches->capacity > 0 ? 2 * matches->capacity : 4;
        matches->items = xreallocarray(matches->items, matches->capacity, sizeof(*matches->items));
    }
    matches->items[matches->count++] = (struct rule_match){rule, resolved};
    if (rule->decision > matches->decision)
        matches->decision = rule->decision;
}

/* The rules whose first word is `name`; only those that are not lenient when `tighten`. */
static void match_name(const struct rules *rules, const struct rules_query *query, const char *name,
                       const char *resolved, bool tighten, struct rules_matches *matches)
{
    uint32_t node = node_find(rules, ROOT, name);
    for (size_t depth = 1; node != ROOT; depth++) {
        const struct word_node *at = &rules->nodes[node];
        for (size_t i = 0; i < at->count; i++) {
            const struct rule *rule = &rules->items[at->rules[i]];
            if ((!tighten || rule->decision > RULE_ALLOW) && applies(rule, query))
                matches_add(matches, rule, resolved);
        }
        node = query->argv[depth] != NULL ? node_find(rules, node, query->argv[depth]) : ROOT;
    }
}

char *rules_absolute(const char *path, const char *cwd)
{
    struct strbuf out = STRBUF_INIT;
    cleanup_free char *whole =
        path[0] == '/' ? xstrdup(path) : xasprintf("%s/%s", cwd != NULL ? cwd : "", path);
    for (const char *at = whole; *at != '\0';) {
        at += strspn(at, "/");
        size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            while (out.length > 0 && out.data[--out.length] != '/')
                continue;
        } else if (length > 0 && !(length == 1 && *at == '.')) {
            strbuf_addch(&out, '/');
            strbuf_add(&out, at, length);
        }
        at += length;
    }
    if (out.length == 0)
        strbuf_addch(&out, '/');
    out.data[out.length] = '\0';
    return strbuf_steal(&out);
}

static bool holds(char *const *list, const char *text)
{
    while (*list != NULL && strcmp(*list, text) != 0)
        list++;
    return *list != NULL;
}

/* argv[0] is a path: what is said of files of that name. */
static void match_path(const struct rules *rules, const struct rules_query *query, bool found,
                       struct rules_matches *matches)
{
    if (query->mode == RULES_BY_NAME || (query->mode == RULES_RESOLVING && found))
        return;
    if (matches->paths[0] == NULL)
        matches->paths[0] = rules_absolute(query->argv[0], query->cwd);
    const char *path = matches->paths[0];
    const char *name = strrchr(path, '/') + 1;
    char *const *listed = rules_host_paths(rules, NULL, name);
    bool counts = !found && (listed == NULL || holds(listed, path));
    if (counts || query->mode == RULES_STRICT)
        match_name(rules, query, name, path, !counts, matches);
}

/* A link to a program is that program, for whoever forbids it. */
static void match_real(const struct rules *rules, const struct rules_query *query,
                       struct rules_matches *matches)
{
    const char *slash = strrchr(query->argv[0], '/');
    const char *name = strrchr(query->real, '/');
    if (name == NULL || strcmp(name + 1, slash != NULL ? slash + 1 : query->argv[0]) == 0)
        return;
    if (matches->paths[1] == NULL)
        matches->paths[1] = xstrdup(query->real);
    match_name(rules, query, name + 1, matches->paths[1], true, matches);
}

static int by_position(const void *left, const void *right)
{
    const struct rule *a = ((const struct rule_match *)left)->rule;
    const struct rule *b = ((const struct rule_match *)right)->rule;
    return (a > b) - (a < b);
}

void rules_match(const struct rules *rules, const struct rules_query *query,
                 struct rules_matches *matches)
{
    size_t before = matches->count;
    match_name(rules, query, query->argv[0], NULL, false, matches);
    if (strchr(query->argv[0], '/') != NULL)
        match_path(rules, query, matches->count > before, matches);
    if (query->mode == RULES_STRICT && query->real != NULL)
        match_real(rules, query, matches);
    if (matches->count - before > 1)
        qsort(matches->items + before, matches->count - before, sizeof(*matches->items),
              by_position);
}

void rules_matches_clear(struct rules_matches *matches)
{
    free(matches->items);
    free(matches->paths[0]);
    free(matches->paths[1]);
    *matches = (struct rules_matches)RULES_MATCHES_INIT;
}

int rules_add_file(struct rules *rules, const struct rules_source *source, struct error *error)
{
    size_t length;
    cleanup_free char *text = fd_read_file(source->path, RULES_FILE_MAX, false, &length);
    if (text == NULL)
        return error_errno(error, errno, "cannot read %s", source->path);
    return rules_add_text(rules, text, length, source, error);
}
