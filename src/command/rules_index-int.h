/* SPDX-License-Identifier: MIT */
/* rules_index-int: finds rules by their words; between rules.c, which fills it, and rules_match.c,
 * which walks it. */
#ifndef ASSENT_COMMAND_RULES_INDEX_INT_H
#define ASSENT_COMMAND_RULES_INDEX_INT_H

#include <stdint.h>

#include "command/rules.h"

/* Where a walk starts. Nothing leads back there, so that it also stands for "no such node". */
#define RULES_INDEX_ROOT 0

/* All zero is an empty one. */
struct rules_index {
    struct rules_index_node *nodes;
    size_t node_count, node_capacity;
    struct rules_index_edge *edges;
    size_t edge_count, edge_slots; /* slots: a power of two */
};

/* Hangs the rule's position in the store on the node behind its words, or on one before it, when
 * its alternatives open too many ways. Borrows the words until the index is cleared. */
void rules_index_add(struct rules_index *index, const struct rule *rule, size_t position);
/* The node behind a word, or the root when there is none. */
uint32_t rules_index_find(const struct rules_index *index, uint32_t node, const char *word);
/* The positions that hang on a node that was found, in their order. Borrowed until the next
 * rules_index_add(). */
const uint32_t *rules_index_at(const struct rules_index *index, uint32_t node, size_t *count);
void rules_index_clear(struct rules_index *index);

#endif
