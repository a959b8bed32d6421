/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/term/cell.h"

#include <string.h>

#include "base/alloc.h"

uint32_t clusters_add(struct clusters *clusters, const uint32_t *codepoints, int count)
{
    if (clusters->count == clusters->capacity) {
        clusters->capacity = clusters->capacity ? clusters->capacity * 2 : 32;
        clusters->items =
            xreallocarray(clusters->items, clusters->capacity, sizeof *clusters->items);
    }
    struct cluster *cluster = &clusters->items[clusters->count];
    cluster->count = count;
    memcpy(cluster->codepoints, codepoints, (size_t)count * sizeof *codepoints);
    return clusters->count++;
}

void clusters_free(struct clusters *clusters)
{
    free(clusters->items);
    *clusters = (struct clusters){0};
}
