/* SPDX-License-Identifier: MIT */
/* rules_index: a tree of words: the program, what follows it, and so on, kept in one hash table of
 * (node, word). */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command/rules_index-int.h"

/* A rule with more ways through its alternatives than this hangs on an inner node, and its last
 * words are compared one by one. */
#define PATHS_MAX 32

struct rules_index_node {
    uint32_t *rules; /* that hang here, in their order */
    uint32_t count;
};

struct rules_index_edge {
    const char *word; /* borrowed from a rule; NULL: a free slot */
    uint32_t hash, parent, child;
};

/* FNV-1a over the node and the word. */
static uint32_t edge_hash(uint32_t parent, const char *word)
{
    uint32_t hash = (2166136261u ^ parent) * 16777619u;
    for (; *word != '\0'; word++)
        hash = (hash ^ (unsigned char)*word) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot of an edge, or the free one where it belongs. */
static size_t edge_slot(const struct rules_index *index, uint32_t hash, uint32_t parent,
                        const char *word)
{
    size_t mask = index->edge_slots - 1, slot = hash & mask;
    for (;; slot = (slot + 1) & mask) {
        const struct rules_index_edge *edge = &index->edges[slot];
        if (edge->word == NULL ||
            (edge->hash == hash && edge->parent == parent && strcmp(edge->word, word) == 0))
            return slot;
    }
}

static void grow_edges(struct rules_index *index)
{
    struct rules_index_edge *old = index->edges;
    size_t slots = index->edge_slots;
    index->edge_slots = slots > 0 ? 2 * slots : 64;
    index->edges = xcalloc(index->edge_slots, sizeof(*index->edges));
    for (size_t i = 0; i < slots; i++)
        if (old[i].word != NULL)
            index->edges[edge_slot(index, old[i].hash, old[i].parent, old[i].word)] = old[i];
    free(old);
}

static uint32_t node_new(struct rules_index *index)
{
    if (index->node_count == index->node_capacity) {
        index->node_capacity = index->node_capacity > 0 ? 2 * index->node_capacity : 16;
        index->nodes = xreallocarray(index->nodes, index->node_capacity, sizeof(*index->nodes));
    }
    index->nodes[index->node_count] = (struct rules_index_node){.rules = NULL};
    return (uint32_t)index->node_count++;
}

/* The node behind a word; `word` is kept. */
static uint32_t node_child(struct rules_index *index, uint32_t parent, const char *word)
{
    uint32_t hash = edge_hash(parent, word);
    if (2 * (index->edge_count + 1) > index->edge_slots)
        grow_edges(index);
    struct rules_index_edge *edge = &index->edges[edge_slot(index, hash, parent, word)];
    if (edge->word == NULL) {
        *edge = (struct rules_index_edge){word, hash, parent, node_new(index)};
        index->edge_count++;
    }
    return edge->child;
}

static bool holds_node(const uint32_t *nodes, size_t count, uint32_t node)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] == node)
            return true;
    return false;
}

/* The nodes behind each of `nodes` and each alternative; 0 when there would be too many. */
static size_t nodes_behind(struct rules_index *index, const uint32_t *nodes, size_t count,
                           char *const *alternatives, uint32_t *behind)
{
    size_t found = 0;
    if (count * strv_length((const char *const *)alternatives) > PATHS_MAX)
        return 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; alternatives[j] != NULL; j++) {
            uint32_t child = node_child(index, nodes[i], alternatives[j]);
            if (!holds_node(behind, found, child))
                behind[found++] = child;
        }
    return found;
}

static void node_hang(struct rules_index_node *node, size_t rule)
{
    if ((node->count & (node->count - 1)) == 0) /* full at each power of two */
        node->rules = xreallocarray(node->rules, node->count > 0 ? 2 * (size_t)node->count : 1,
                                    sizeof(*node->rules));
    node->rules[node->count++] = (uint32_t)rule;
}

void rules_index_add(struct rules_index *index, const struct rule *rule, size_t position)
{
    if (index->node_count == 0)
        node_new(index);
    uint32_t nodes[PATHS_MAX] = {node_child(index, RULES_INDEX_ROOT, rule->first)},
             behind[PATHS_MAX];
    size_t count = 1, next;
    for (size_t i = 0; i + 1 < rule->length; i++) {
        next = nodes_behind(index, nodes, count, rule->rest[i], behind);
        if (next == 0)
            break;
        memcpy(nodes, behind, next * sizeof(*nodes));
        count = next;
    }
    for (size_t i = 0; i < count; i++)
        node_hang(&index->nodes[nodes[i]], position);
}

uint32_t rules_index_find(const struct rules_index *index, uint32_t node, const char *word)
{
    if (index->edge_slots == 0)
        return RULES_INDEX_ROOT;
    size_t slot = edge_slot(index, edge_hash(node, word), node, word);
    return index->edges[slot].word != NULL ? index->edges[slot].child : RULES_INDEX_ROOT;
}

const uint32_t *rules_index_at(const struct rules_index *index, uint32_t node, size_t *count)
{
    *count = index->nodes[node].count;
    return index->nodes[node].rules;
}

void rules_index_clear(struct rules_index *index)
{
    for (size_t i = 0; i < index->node_count; i++)
        free(index->nodes[i].rules);
    free(index->nodes);
    free(index->edges);
    *index = (struct rules_index){.nodes = NULL};
}
