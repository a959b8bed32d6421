/* SPDX-License-Identifier: MIT */
/* due_heap: what is due at some time, soonest first; libc only. */
#ifndef ASSENT_BASE_DUE_HEAP_H
#define ASSENT_BASE_DUE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#define DUE_NOWHERE SIZE_MAX

/* Part of what waits, which is in one heap at most. */
struct due {
    int64_t at_ms;
    uint64_t sequence; /* of those that are due at the same time, the lowest comes first */
    size_t index;      /* in the heap, or DUE_NOWHERE, as it begins */
};

/* All zero is an empty one. */
struct due_heap {
    struct due **items; /* borrowed */
    size_t length, capacity;
};

void due_heap_clear(struct due_heap *heap);

/* `due` is in no heap; its time and sequence stay as they are while it is in this one. */
void due_heap_add(struct due_heap *heap, struct due *due);
/* Nothing happens to what is in no heap. */
void due_heap_remove(struct due_heap *heap, struct due *due);
/* The one that is due first, or NULL. */
struct due *due_heap_first(const struct due_heap *heap);

#endif
