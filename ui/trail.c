/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/trail.h"

#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"

/* Longer texts are cut: a line of the screen is never as long. */
#define TEXT_MAX ((size_t)2048)

struct trail {
    struct trail_line lines[TRAIL_LINES]; /* a ring */
    size_t first, count;
};

struct trail *trail_new(void)
{
    return XNEW(struct trail);
}

void trail_free(struct trail **place)
{
    if (*place == NULL)
        return;
    for (size_t i = 0; i < TRAIL_LINES; i++)
        free((*place)->lines[i].text);
    free(*place);
    *place = NULL;
}

void trail_add(struct trail *trail, int64_t wall_ms, enum theme_element element, const char *text)
{
    size_t length = strlen(text);
    size_t index = (trail->first + trail->count) % TRAIL_LINES;
    struct trail_line *line = &trail->lines[index];
    struct strbuf safe = STRBUF_INIT;

    if (trail->count == TRAIL_LINES)
        trail->first = (trail->first + 1) % TRAIL_LINES;
    else
        trail->count++;
    text_escape(&safe, text, length < TEXT_MAX ? length : TEXT_MAX, TEXT_PROSE);
    free(line->text);
    *line = (struct trail_line){wall_ms, element, xstrdup(strbuf_str(&safe))};
    strbuf_free(&safe);
}

size_t trail_count(const struct trail *trail)
{
    return trail->count;
}

const struct trail_line *trail_at(const struct trail *trail, size_t index)
{
    return &trail->lines[(trail->first + index) % TRAIL_LINES];
}
