/* SPDX-License-Identifier: MIT */
/* view_trail: the newest lines of the trail that have not been put away. What answers the
 * operator's own key is not pushed out by what calls do meanwhile: it stands last, a remark for as
 * long as it is there, another line for a few seconds. Nor is the newest alarm: it stands first. */
#include "config.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/decision_text.h"
#include "ui/view.h"
#include "ui/wrap.h"

#define INDENT 2 /* of what goes on from the row above */
#define MINUTE_MS ((int64_t)60000)
#define MINUTES_HOUR 60

/* What warns stays until the operator goes on: it does not look as if it had just happened. */
static char *words_of(const struct console *console, const struct trail_line *line)
{
    int64_t minutes = (clock_wall_ms(loop_clock(console->setup.loop)) - line->wall_ms) / MINUTE_MS;

    cleanup_free char *text = decision_text_by_now(console->setup.orchestrator, line->text);

    if (line->alarm || line->remark || !trail_warns(line) || minutes < 1)
        return steal_pointer(&text);
    return minutes < 2 * MINUTES_HOUR
               ? xasprintf(_("%d min ago: %s"), (int)minutes, text)
               : xasprintf(_("%d h ago: %s"), (int)(minutes / MINUTES_HOUR), text);
}

int view_trail_rows(int columns, const char *text)
{
    struct wrap wrap;
    int rows;

    wrap_init_hanging(&wrap, text, (size_t)(columns - 2), INDENT, WRAP_WORDS);
    rows = (int)wrap.count;
    wrap_clear(&wrap);
    return rows;
}

bool view_trail_fits(struct rect trail, const char *text)
{
    return view_trail_rows(trail.columns, text) <= trail.rows;
}

/* Draws the line into the last of the rows; a long one takes several, and is cut where there are
 * no more. Returns how many it took. */
static int draw_line(const struct console *console, const struct trail_line *line, struct rect rect)
{
    cleanup_free char *words = words_of(console, line);
    int columns = rect.columns - 2;
    struct wrap wrap;
    int taken;

    wrap_init_hanging(&wrap, words, (size_t)columns, INDENT, WRAP_WORDS);
    taken = (int)wrap.count < rect.rows ? (int)wrap.count : rect.rows;
    for (int i = 0; i < taken; i++) {
        struct rect row = rect_row(rect, rect.rows - taken + i);
        const char *text = words + wrap.lines[i].start;
        int column = i > 0 ? 1 + INDENT : 1;

        if (i + 1 == taken)
            render_cut(console->theme, row, column, columns - column + 1, line->element, text);
        else
            render_text(console->theme, row, column, line->element, text, wrap.lines[i].length);
    }
    wrap_clear(&wrap);
    return taken;
}

static bool has_precedence(const struct trail_line *line, int64_t now_ms)
{
    int64_t age_ms = now_ms - line->wall_ms;

    return !line->away &&
           (line->remark || (line->own && age_ms >= 0 && age_ms < VIEW_TRAIL_OWN_MS));
}

/* The newest line that answers a key; NULL: what there is, is older or no answer. */
static const struct trail_line *answering(const struct console *console)
{
    int64_t now_ms = clock_wall_ms(loop_clock(console->setup.loop));

    for (size_t i = trail_count(console->trail); i-- > 0;)
        if (has_precedence(trail_at(console->trail, i), now_ms))
            return trail_at(console->trail, i);
    return NULL;
}

/* The newest alarm that has not been put away; trail_count(): there is none. */
static size_t find_alarm(const struct trail *trail)
{
    for (size_t i = trail_count(trail); i-- > 0;)
        if (trail_at(trail, i)->alarm && !trail_at(trail, i)->away)
            return i;
    return trail_count(trail);
}

/* Draws it into the first rows, and takes them off; an answer has the only row there is. */
static const struct trail_line *draw_alarm(struct console *console, bool answers, struct rect *rect)
{
    size_t index = find_alarm(console->trail);
    struct rect top = *rect;

    top.rows = rect->rows > 1 ? rect->rows / 2 : rect->rows - answers;
    if (index == trail_count(console->trail) || top.rows == 0)
        return NULL;
    rect->row += top.rows;
    rect->rows -= top.rows;
    draw_line(console, trail_at(console->trail, index), top);
    if (console->overlay == NULL)
        trail_saw(console->trail, index, clock_wall_ms(loop_clock(console->setup.loop)));
    return trail_at(console->trail, index);
}

/* Is a line before that one the operator's answer to a request, and so new that what comes of it
 * must not push it out? Another answer may. */
static bool follows_decision(const struct console *console, size_t index)
{
    int64_t now_ms = clock_wall_ms(loop_clock(console->setup.loop));

    if (trail_at(console->trail, index)->known)
        return false;
    while (index-- > 0) {
        const struct trail_line *line = trail_at(console->trail, index);

        if (line->known && !line->away)
            return now_ms - line->wall_ms < VIEW_TRAIL_OWN_MS;
    }
    return false;
}

/* Draws the newest of the lines into the last of the rows; an answer before it keeps one. */
static int draw_newest(const struct console *console, size_t index, struct rect rect)
{
    if (rect.rows > 1 && follows_decision(console, index)) {
        rect.row++;
        rect.rows--;
    }
    return draw_line(console, trail_at(console->trail, index), rect);
}

void view_trail_draw(struct console *console)
{
    struct rect rect = console->layout.trail;
    const struct trail_line *last = answering(console);
    const struct trail_line *alarm;
    bool drawn[TRAIL_LINES], newest = last == NULL;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    alarm = draw_alarm(console, last != NULL, &rect);
    if (last != NULL)
        rect.rows -= draw_line(console, last, rect);
    for (size_t i = trail_count(console->trail); i-- > 0;) {
        const struct trail_line *line = trail_at(console->trail, i);

        drawn[i] = line == last || line == alarm;
        if (line->away || drawn[i] || rect.rows <= 0)
            continue;
        rect.rows -= newest ? draw_newest(console, i, rect) : draw_line(console, line, rect);
        newest = false;
        drawn[i] = true;
    }
    if (console->overlay == NULL)
        trail_drawn(console->trail, drawn);
}
