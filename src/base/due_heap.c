/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/due_heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

static bool comes_before(const struct due *a, const struct due *b)
{
    return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->sequence < b->sequence;
}

static void put(struct due_heap *heap, size_t index, struct due *due)
{
    heap->items[index] = due;
    due->index = index;
}

/* Moves the one at `index` up or down to where it belongs. */
static void settle(struct due_heap *heap, size_t index)
{
    struct due *due = heap->items[index];
    while (index > 0 && comes_before(due, heap->items[(index - 1) / 2])) {
        put(heap, index, heap->items[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    for (size_t child; (child = 2 * index + 1) < heap->length; index = child) {
        if (child + 1 < heap->length && comes_before(heap->items[child + 1], heap->items[child]))
            child++;
        if (!comes_before(heap->items[child], due))
            break;
        put(heap, index, heap->items[child]);
    }
    put(heap, index, due);
}

void due_heap_clear(struct due_heap *heap)
{
    free(heap->items);
    *heap = (struct due_heap){.items = NULL};
}

void due_heap_add(struct due_heap *heap, struct due *due)
{
    if (heap->length == heap->capacity) {
        heap->capacity = heap->capacity ? heap->capacity * 2 : 16;
        heap->items = xreallocarray(heap->items, heap->capacity, sizeof(*heap->items));
    }
    put(heap, heap->length++, due);
    settle(heap, due->index);
}

void due_heap_remove(struct due_heap *heap, struct due *due)
{
    size_t index = due->index;
    if (index == DUE_NOWHERE)
        return;
    due->index = DUE_NOWHERE;
    struct due *last = heap->items[--heap->length];
    if (last == due)
        return;
    put(heap, index, last);
    settle(heap, index);
}

struct due *due_heap_first(const struct due_heap *heap)
{
    return heap->length > 0 ? heap->items[0] : NULL;
}
