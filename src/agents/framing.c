/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/framing.h"

#include <string.h>

void framing_init(struct framing *framing, size_t limit)
{
    memset(framing, 0, sizeof(*framing));
    framing->limit = limit;
}

void framing_clear(struct framing *framing)
{
    strbuf_free(&framing->line);
    framing->skipping = false;
    framing->complete = false;
}

void framing_release(struct framing *framing)
{
    if (!framing->complete)
        return;
    if (framing->line.capacity > FRAMING_KEPT)
        strbuf_free(&framing->line);
    else
        strbuf_reset(&framing->line);
    framing->complete = false;
}

void framing_give_up(struct framing *framing)
{
    framing->complete = true;
    framing->skipping = true;
}

enum framing_result framing_take(struct framing *framing, const char *bytes, size_t length,
                                 size_t *taken)
{
    framing_release(framing);
    const char *end = memchr(bytes, '\n', length);
    size_t part = end != NULL ? (size_t)(end - bytes) : length;
    *taken = end != NULL ? part + 1 : part;
    if (framing->skipping) {
        framing->skipping = end == NULL;
        return FRAMING_MORE;
    }
    size_t room = framing->limit - framing->line.length;
    if (part > room) {
        strbuf_add(&framing->line, bytes, room);
        framing->complete = true;
        framing->skipping = end == NULL;
        return FRAMING_OVERLONG;
    }
    if (part > 0)
        strbuf_add(&framing->line, bytes, part);
    if (end == NULL)
        return FRAMING_MORE;
    framing->complete = true;
    return FRAMING_LINE;
}
