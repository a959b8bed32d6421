/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/trail.h"

#include <stdio.h>
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

static void clear_line(struct trail_line *line)
{
    free(line->text);
    free(line->same);
    *line = (struct trail_line){.text = NULL};
}

struct trail *trail_new(void)
{
    return XNEW(struct trail);
}

void trail_free(struct trail **place)
{
    if (*place == NULL)
        return;
    for (size_t i = 0; i < TRAIL_LINES; i++)
        clear_line(&(*place)->lines[i]);
    free(*place);
    *place = NULL;
}

static struct trail_line *line_at(struct trail *trail, size_t index)
{
    return &trail->lines[(trail->first + index) % TRAIL_LINES];
}

/* The oldest line goes, but no alarm that has not been put away while others can. */
static void make_room(struct trail *trail)
{
    size_t at = 0;

    while (at < trail->count && line_at(trail, at)->alarm && !line_at(trail, at)->away)
        at++;
    if (at == trail->count)
        at = 0;
    clear_line(line_at(trail, at));
    for (; at > 0; at--)
        *line_at(trail, at) = *line_at(trail, at - 1);
    *line_at(trail, 0) = (struct trail_line){.text = NULL};
    trail->first = (trail->first + 1) % TRAIL_LINES;
    trail->count--;
}

static void add(struct trail *trail, struct trail_line line, const char *text)
{
    size_t length = strlen(text);
    struct strbuf safe = STRBUF_INIT;
    struct trail_line *place;

    if (trail->count == TRAIL_LINES)
        make_room(trail);
    place = line_at(trail, trail->count++);
    text_escape(&safe, text, length < TEXT_MAX ? length : TEXT_MAX, TEXT_PROSE);
    *place = line;
    place->text = strbuf_steal(&safe);
}

void trail_add(struct trail *trail, int64_t wall_ms, enum theme_element element, const char *text)
{
    add(trail, (struct trail_line){.wall_ms = wall_ms, .element = element}, text);
}

void trail_add_own(struct trail *trail, int64_t wall_ms, enum theme_element element,
                   const char *text)
{
    add(trail, (struct trail_line){.wall_ms = wall_ms, .element = element, .own = true}, text);
}

void trail_add_alarm(struct trail *trail, int64_t wall_ms, enum theme_element element,
                     const char *text)
{
    add(trail, (struct trail_line){.wall_ms = wall_ms, .element = element, .alarm = true}, text);
}

void trail_known(struct trail *trail)
{
    line_at(trail, trail->count - 1)->known = true;
}

void trail_until(struct trail *trail, uint64_t call)
{
    line_at(trail, trail->count - 1)->newest = call;
}

bool trail_outdated(struct trail *trail, uint64_t ended, int64_t wall_ms)
{
    bool any = false;

    for (size_t i = 0; i < trail->count; i++) {
        struct trail_line *line = line_at(trail, i);

        if (line->away || line->newest == 0 || line->newest >= ended || line->wall_ms > wall_ms)
            continue;
        line->away = any = true;
    }
    return any;
}

void trail_denies(struct trail *trail, uint64_t call)
{
    line_at(trail, trail->count - 1)->denied = call;
}

void trail_denials_over(struct trail *trail, bool (*holds)(const void *argument, uint64_t call),
                        const void *argument)
{
    for (size_t i = 0; i < trail->count; i++) {
        struct trail_line *line = line_at(trail, i);

        if (line->denied != 0 && !holds(argument, line->denied))
            line->away = true;
    }
}

void trail_allows(struct trail *trail, uint64_t call)
{
    line_at(trail, trail->count - 1)->allowed = call;
}

void trail_asks_again(struct trail *trail, uint64_t call)
{
    for (size_t i = 0; i < trail->count; i++)
        if (line_at(trail, i)->allowed == call)
            line_at(trail, i)->away = true;
}

void trail_saw(struct trail *trail, size_t index, int64_t wall_ms)
{
    struct trail_line *line = &trail->lines[(trail->first + index) % TRAIL_LINES];

    if (line->seen_ms == 0)
        line->seen_ms = wall_ms;
}

void trail_remark(struct trail *trail, int64_t wall_ms, enum theme_element element,
                  const char *text)
{
    add(trail, (struct trail_line){.wall_ms = wall_ms, .element = element, .remark = true}, text);
}

bool trail_drop_remarks(struct trail *trail)
{
    size_t kept = 0, count = trail->count;

    for (size_t i = 0; i < count; i++) {
        struct trail_line *line = &trail->lines[(trail->first + i) % TRAIL_LINES];
        struct trail_line moved = *line;

        *line = (struct trail_line){.text = NULL};
        if (moved.remark)
            clear_line(&moved);
        else
            trail->lines[(trail->first + kept++) % TRAIL_LINES] = moved;
    }
    trail->count = kept;
    return kept < count;
}

static enum trail_lines kind_of(const struct trail_line *line)
{
    bool warns = line->element == THEME_WARNING || line->element == THEME_FAILED;

    return warns && !line->known        ? TRAIL_ALL
           : line->element == THEME_DIM ? TRAIL_PASSING
                                        : TRAIL_CALM;
}

static bool is_older(const struct trail_line *line, int64_t wall_ms)
{
    if (line->alarm)
        return line->seen_ms != 0 && line->seen_ms <= wall_ms;
    return line->wall_ms <= wall_ms;
}

bool trail_put_away(struct trail *trail, int64_t wall_ms, enum trail_lines which)
{
    bool any = false;

    for (size_t i = 0; i < trail->count; i++) {
        struct trail_line *line = &trail->lines[(trail->first + i) % TRAIL_LINES];

        if (line->away || !is_older(line, wall_ms) || kind_of(line) > which)
            continue;
        line->away = any = true;
    }
    return any;
}

bool trail_warns(const struct trail_line *line)
{
    return kind_of(line) == TRAIL_ALL;
}

void trail_drawn(struct trail *trail, const bool *drawn)
{
    bool remark = false;

    for (size_t i = 0; i < trail->count; i++)
        remark = remark || (drawn[i] && line_at(trail, i)->remark);
    for (size_t i = 0; i < trail->count; i++) {
        struct trail_line *line = line_at(trail, i);

        if (line->alarm || line->remark)
            continue;
        if (drawn[i])
            line->shown = true;
        else if (line->shown && line->topic[0] == '\0' && !(remark && trail_warns(line)))
            line->away = true;
    }
}

int64_t trail_oldest_ms(const struct trail *trail, enum trail_lines which)
{
    for (size_t i = 0; i < trail->count; i++) {
        const struct trail_line *line = trail_at(trail, i);

        if (!line->away && !line->alarm && !line->remark && kind_of(line) <= which)
            return line->wall_ms;
    }
    return 0;
}

bool trail_topic_over(struct trail *trail, const char *topic)
{
    bool any = false;

    for (size_t i = 0; i < trail->count; i++) {
        struct trail_line *line = &trail->lines[(trail->first + i) % TRAIL_LINES];

        if (line->away || strcmp(line->topic, topic) != 0)
            continue;
        line->away = any = true;
    }
    return any;
}

void trail_about(struct trail *trail, const char *topic)
{
    struct trail_line *line;

    trail_topic_over(trail, topic);
    if (trail->count == 0)
        return;
    line = &trail->lines[(trail->first + trail->count - 1) % TRAIL_LINES];
    snprintf(line->topic, sizeof(line->topic), "%s", topic);
}

unsigned trail_again(struct trail *trail, const char *same)
{
    for (size_t i = trail->count; i-- > 0;) {
        struct trail_line *line = line_at(trail, i);
        unsigned times = line->times;

        if (line->same == NULL || strcmp(line->same, same) != 0)
            continue;
        clear_line(line);
        for (; i + 1 < trail->count; i++)
            *line_at(trail, i) = *line_at(trail, i + 1);
        *line_at(trail, --trail->count) = (struct trail_line){.text = NULL};
        return times + 1;
    }
    return 1;
}

void trail_counted(struct trail *trail, const char *same, unsigned times)
{
    struct trail_line *line = line_at(trail, trail->count - 1);

    free(line->same);
    line->same = xstrdup(same);
    line->times = times;
}

size_t trail_count(const struct trail *trail)
{
    return trail->count;
}

const struct trail_line *trail_at(const struct trail *trail, size_t index)
{
    return &trail->lines[(trail->first + index) % TRAIL_LINES];
}
