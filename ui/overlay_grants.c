/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_grants.h"
#include "ui/overlay_inbox.h"

#include <stdio.h>
#include <string.h>

#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/holding.h"
#include "ui/operator.h"
#include "ui/operator_undo.h"
#include "ui/overlay_full.h"
#include "ui/overlay_inbox.h"
#include "ui/wrap.h"

#define INDENT 4 /* of the terms */
/* How many rules hold as well, below a row that is blank or says what the list hides. */
#define RULE_ROWS 2
#define SECOND_MS 1000      /* a countdown shows */
#define BOX_COLUMNS_MAX 120 /* of text that is read */

struct list {
    struct overlay base;
    struct loop_timer *timer;
    size_t marked;
    size_t first; /* shown at the top */
    size_t page;  /* how many are shown */
    bool dropped; /* the last key, which came with others */
};

/* ---- drawing ------------------------------------------------------------------------------- */

static void wrap_terms(struct wrap *wrap, const char *terms, int columns)
{
    wrap_init(wrap, terms, columns > INDENT + 2 ? (size_t)(columns - INDENT) : 2, WRAP_WORDS);
}

/* Above the first that is shown, and above the first that stays denied. NULL: none. */
static const char *heading_of(const struct console *console, size_t index, size_t first)
{
    struct holding before, holding;

    if (!holding_find(console->setup.orchestrator, index, &holding))
        return NULL;
    if (index > first && holding_find(console->setup.orchestrator, index - 1, &before) &&
        (before.denial != NULL) == (holding.denial != NULL))
        return NULL;
    return holding.denial != NULL ? _("Stays denied when it is asked again:")
                                  : _("Allowed without a question:");
}

/* What it is about takes one, its terms as many as they need. */
static int rows_of(const struct holding *holding, int columns)
{
    cleanup_free char *terms = holding_terms(holding);
    struct wrap wrap;
    int rows;

    wrap_terms(&wrap, terms, columns);
    rows = 1 + (int)wrap.count;
    wrap_clear(&wrap);
    return rows;
}

/* How many are whole in that place, from the first on. */
static size_t count_fitting(const struct console *console, size_t first, struct rect place)
{
    struct holding holding;
    size_t count = 0;

    while (holding_find(console->setup.orchestrator, first + count, &holding)) {
        place.rows -= heading_of(console, first + count, first) != NULL;
        place.rows -= rows_of(&holding, place.columns);
        if (place.rows < 0)
            break;
        count++;
    }
    return count;
}

/* The first of those that are in view with that one and end with it, as many as have room. */
static size_t first_before(const struct console *console, size_t index, struct rect place)
{
    size_t first = index;

    while (first > 0 && first - 1 + count_fitting(console, first - 1, place) > index)
        first--;
    return first;
}

/* How many rows all of them take, as far as there are so many. */
static int rows_of_all(const struct console *console, struct rect area, int columns)
{
    struct holding holding;
    int rows = 0;

    for (size_t i = 0; rows <= area.rows && holding_find(console->setup.orchestrator, i, &holding);
         i++)
        rows += rows_of(&holding, columns) + (heading_of(console, i, 0) != NULL);
    return rows > 0 ? rows : 1;
}

static void draw_terms(const struct theme *theme, const struct holding *holding, struct rect place)
{
    enum theme_element element =
        holding_leaves(holding) || holding->denial != NULL || holding_overruled(holding) != NULL
            ? THEME_WARNING
            : THEME_OVERLAY_DIM;
    cleanup_free char *terms = holding_terms(holding);
    struct wrap wrap;

    wrap_terms(&wrap, terms, place.columns);
    for (int i = 0; i < place.rows && (size_t)i < wrap.count; i++)
        render_text(theme, rect_row(place, i), INDENT, element, terms + wrap.lines[i].start,
                    wrap.lines[i].length);
    wrap_clear(&wrap);
}

static void draw_holding(const struct console *console, const struct holding *holding, bool marked,
                         struct rect place)
{
    const struct theme *theme = console->theme;
    struct rect row = rect_row(place, 0);
    enum theme_element element = marked ? THEME_OPTION_SELECTED : THEME_OVERLAY_TEXT;
    size_t columns = row.columns > INDENT ? (size_t)(row.columns - INDENT) : 1;
    cleanup_free char *words = holding_words(holding);
    cleanup_free char *line =
        text_line_as(words, strlen(words), columns, call_text_row_flags(theme));

    if (marked)
        render_fill(theme, row, element);
    render_string(theme, row, 0, element, marked ? theme_glyph(theme, GLYPH_POINTER) : " ");
    render_string(theme, row, 2, THEME_AGENT_WORDS, theme_glyph(theme, GLYPH_BAR));
    render_cut(theme, row, INDENT, row.columns - INDENT, marked ? element : THEME_COMMAND, line);
    place.row++;
    place.rows--;
    draw_terms(theme, holding, place);
}

static void draw_rules(const struct console *console, struct rect row)
{
    cleanup_free char *text = holding_beside(console->setup.orchestrator);

    render_cut(console->theme, row, 0, row.columns, THEME_OVERLAY_DIM, text);
}

static void draw_foot(const struct list *list, const struct console *console, struct rect row,
                      size_t count)
{
    char revoke[24], show[24], close[24];
    cleanup_free char *keys = NULL;
    cleanup_free char *place = NULL;

    keymap_key(&console->keymap, ACTION_GRANT_REVOKE, revoke);
    keymap_key(&console->keymap, ACTION_GRANT_SHOW, show);
    keymap_key(&console->keymap, ACTION_GRANT_CLOSE, close);
    if (list->dropped)
        keys = xasprintf(" %s ", console_burst_words());
    else if (list->base.refused)
        keys = xasprintf(_(" %s closes: that key is for the prompt "), close);
    else if (count > 0)
        keys =
            xasprintf(_(" %s takes it back  %s shows all of it  %s closes "), revoke, show, close);
    else
        keys = xasprintf(_(" %s closes "), close);
    render_cut(console->theme, row, 2, row.columns - 4,
               list->dropped || list->base.refused ? THEME_WARNING : THEME_OVERLAY_DIM, keys);
    if (count <= list->page || list->dropped || list->base.refused)
        return;
    place = xasprintf(_(" %zu of %zu "), list->marked + 1, count);
    row.columns -= 2;
    render_right(console->theme, row, THEME_OVERLAY_DIM, place);
}

/* Some may have gone since it was drawn. */
static void keep_marked(struct list *list, const struct console *console)
{
    size_t count = holding_count(console->setup.orchestrator);

    if (list->marked >= count)
        list->marked = count > 0 ? count - 1 : 0;
}

/* No row stays empty below the last one while others are hidden above. */
static void keep_in_view(struct list *list, const struct console *console, struct rect place)
{
    size_t count = holding_count(console->setup.orchestrator), least, most;

    keep_marked(list, console);
    least = first_before(console, list->marked, place);
    most = count > 0 ? first_before(console, count - 1, place) : 0;
    if (list->first < least)
        list->first = least;
    if (list->first > most)
        list->first = most;
    if (list->first > list->marked)
        list->first = list->marked;
    list->page = count_fitting(console, list->first, place);
}

/* One that no row is left for is not whole, and not there; but where none has room, the marked one
 * stands as far as it fits. */
static size_t count_shown(const struct list *list)
{
    return list->page > 0 ? list->page : 1;
}

/* Returns what is left of the place. */
static struct rect draw_list(const struct list *list, const struct console *console,
                             struct rect place)
{
    struct holding holding;

    for (size_t i = list->first; place.rows > 0 && i < list->first + count_shown(list) &&
                                 holding_find(console->setup.orchestrator, i, &holding);
         i++) {
        int rows = rows_of(&holding, place.columns);
        const char *heading = heading_of(console, i, list->first);

        if (heading != NULL && place.rows > 1) {
            render_cut(console->theme, rect_row(place, 0), 0, place.columns, THEME_OVERLAY_LABEL,
                       heading);
            place.row++;
            place.rows--;
        }
        draw_holding(console, &holding, i == list->marked, place);
        rows = rows < place.rows ? rows : place.rows;
        place.row += rows;
        place.rows -= rows;
    }
    return place;
}

/* "^ 2 more above  v 3 more below", right below the last that is in view: what ends there would
 * look like all of it. */
static void draw_hidden(const struct list *list, const struct console *console, struct rect row)
{
    size_t count = holding_count(console->setup.orchestrator);
    size_t end = list->first + count_shown(list);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    if (list->first > 0) {
        strbuf_addf(&text, "%s ", theme_glyph(console->theme, GLYPH_UP));
        strbuf_addf(&text, _("%zu more above"), list->first);
        strbuf_addstr(&text, "  ");
    }
    if (end < count) {
        strbuf_addf(&text, "%s ", theme_glyph(console->theme, GLYPH_DOWN));
        strbuf_addf(&text, _("%zu more below"), count - end);
    }
    render_cut(console->theme, row, 0, row.columns, THEME_OVERLAY_TEXT, strbuf_str(&text));
}

/* All of it where that has room, if need be without the blank row below. */
static void draw_holdings(struct list *list, const struct console *console, struct rect inner)
{
    struct rect place = inner;

    place.rows--;
    if (rows_of_all(console, place, place.columns) > place.rows)
        place.rows--;
    keep_in_view(list, console, place);
    place = draw_list(list, console, place);
    if (list->page < holding_count(console->setup.orchestrator))
        draw_hidden(list, console, rect_row(place, 0));
    draw_rules(console, rect_row(inner, inner.rows - 1));
}

static void grants_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct list *list = (struct list *)overlay;
    size_t count = holding_count(console->setup.orchestrator);
    int columns = area.columns > BOX_COLUMNS_MAX + 4 ? BOX_COLUMNS_MAX : area.columns;
    int rows = 2 + rows_of_all(console, area, columns - 4) + RULE_ROWS;
    struct rect box = overlay_place(area, rows, columns), trail = console->layout.trail, inner;

    if (!rect_empty(trail) && box.row + box.rows > trail.row) { /* it says what was taken back */
        area.rows = trail.row - area.row;
        box = overlay_place(area, rows, columns);
    }
    inner = rect_inner(box, 1, 2);
    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE,
               _(" What holds without a question "));
    if (count == 0)
        render_cut(console->theme, rect_row(inner, 0), 0, inner.columns, THEME_OVERLAY_DIM,
                   holding_none(console->setup.orchestrator));
    draw_holdings(list, console, inner);
    draw_foot(list, console, rect_row(box, box.rows - 1), count);
    screen_cursor(console->screen, -1, 0);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* 1: it is, 0: it was gone already, -1 with a message. */
static int take_back(struct orchestrator *orchestrator, const struct holding *holding,
                     struct error *error)
{
    if (holding->kept != NULL)
        return orchestrator_take_back_rule(orchestrator, holding->kept, error);
    if (holding->denial != NULL)
        return orchestrator_forget_denials_of(orchestrator, holding->session,
                                              holding->denial->call);
    if (holding->grant != NULL)
        return orchestrator_revoke(orchestrator, holding->session, holding->grant->id);
    return orchestrator_revoke_rule(orchestrator, holding->session, holding->rule);
}

static void revoke(const struct list *list, struct console *console)
{
    const struct desk desk = operator_desk(console);
    struct error error = ERROR_INIT;
    struct holding holding;
    struct undo undo;
    int result;

    if (!holding_find(console->setup.orchestrator, list->marked, &holding))
        return;
    holding_undo(&holding, &undo); /* of what is gone then */
    result = take_back(console->setup.orchestrator, &holding, &error);
    if (result < 0) {
        console_say(console, THEME_FAILED, "%s", error.message);
    } else if (result > 0) {
        operator_undo_tell(&desk, &undo);
        overlay_inbox_taken_back(console, undo.call);
    } else if (holding.kept != NULL) {
        console_say(console, THEME_FAILED, "%s",
                    _("the rule is no longer in its file: :rules reload"));
    }
    undo_clear(&undo);
    console_dirty(console, DIRTY_LAYOUT); /* there is less of it */
}

static void show(const struct list *list, struct console *console)
{
    struct holding holding;
    struct document text = {0};

    if (!holding_find(console->setup.orchestrator, list->marked, &holding))
        return;
    holding_details(&holding, &text);
    overlay_push(console, overlay_full_new(_("What holds without a question"), &text));
}

/* As in the inbox. What is in view follows when it is drawn. */
static void go_by(struct list *list, enum action action, size_t count)
{
    size_t last = count > 0 ? count - 1 : 0, page = count_shown(list), at = list->marked;

    switch (action) {
    case ACTION_GRANT_UP:
        list->marked -= at > 0;
        break;
    case ACTION_GRANT_DOWN:
        list->marked += at < last;
        break;
    case ACTION_GRANT_PAGE_UP:
        list->first -= list->first > page ? page : list->first;
        list->marked = at > page ? at - page : 0;
        break;
    case ACTION_GRANT_PAGE_DOWN:
        list->first += page;
        list->marked = last - at > page ? at + page : last;
        break;
    case ACTION_GRANT_TOP:
        list->marked = 0;
        break;
    default:
        list->marked = last;
        break;
    }
}

static void grants_key(struct overlay *overlay, struct console *console,
                       const struct input_event *event)
{
    struct list *list = (struct list *)overlay;
    size_t count = holding_count(console->setup.orchestrator);
    enum action action = keymap_find(&console->keymap, KEYMAP_GRANTS, event->key, event->modifiers);

    keep_marked(list, console);
    console_dirty(console, DIRTY_OVERLAY);
    list->dropped = console_burst_refuses(console, action);
    if (list->dropped)
        return;
    if (action == ACTION_NONE && overlay_closes_for_command(overlay, console, event))
        action = ACTION_GRANT_CLOSE;
    switch (action) {
    case ACTION_GRANT_UP:
    case ACTION_GRANT_DOWN:
    case ACTION_GRANT_PAGE_UP:
    case ACTION_GRANT_PAGE_DOWN:
    case ACTION_GRANT_TOP:
    case ACTION_GRANT_END:
        go_by(list, action, count);
        break;
    case ACTION_GRANT_REVOKE:
        revoke(list, console);
        break;
    case ACTION_GRANT_SHOW:
        show(list, console);
        break;
    case ACTION_GRANT_CLOSE:
        overlay_pop(console);
        break;
    default:
        break;
    }
}

static void grants_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    (void)overlay;
    (void)console;
    snprintf(out, size, "%s", _("what holds"));
}

static void list_free(struct overlay *overlay)
{
    struct list *list = (struct list *)overlay;

    loop_timer_free(&list->timer);
    free(list);
}

static const struct overlay_class grants_class = {
    .draw = grants_draw,
    .key = grants_key,
    .where = grants_where,
    .free = list_free,
    .reading = ACTION_GRANT_CLOSE,
    .tells = true,
};

static void tick(void *argument)
{
    struct console *console = argument;

    for (struct overlay *at = console->overlay; at != NULL; at = at->below)
        if (at->class == &grants_class)
            loop_timer_start(((struct list *)at)->timer, SECOND_MS);
    console_dirty(console, DIRTY_LAYOUT); /* terms may take more rows than before, or fewer */
}

void overlay_grants_show(struct console *console)
{
    struct list *list = XNEW(struct list);

    orchestrator_end_changed(console->setup.orchestrator);
    list->base.class = &grants_class;
    list->timer = loop_timer_new(console->setup.loop, tick, console);
    loop_timer_start(list->timer, SECOND_MS);
    overlay_push(console, &list->base);
    console_dirty(console, DIRTY_LAYOUT); /* what it lies over gets smaller */
}
