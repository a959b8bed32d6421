/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/overlay_full.h"
#include "ui/suggest_text.h"

#define ROWS_EACH 3         /* what begins so, how widely, and what it would have answered */
#define BOX_COLUMNS_MAX 120 /* of text that is read */
#define WORDS_EDGE 4        /* pointer and bar stand before the words */

/* What the operator has done about one. */
struct standing {
    bool added;
    bool seen; /* in full, though its place is too short for it */
};

struct suggest {
    struct overlay base;
    struct console *console;
    struct loop_timer *timer;
    void *lab;
    bool read; /* the record, wholly */
    struct standing *standings;
    size_t count;
    size_t marked, first, page;
    int columns;        /* that there were for the words when it was drawn */
    bool armed;         /* a second key adds the marked one, which is wide */
    const char *note;   /* translated; or NULL */
    int64_t painted_ms; /* since when the list is on the screen, -1: not yet */
};

static const struct rule_suggestion *at(const struct suggest *list, size_t index)
{
    return list->console->setup.hooks.lab.suggestion(list->lab, index);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static bool is_cut(const struct suggest *list, const struct rule_suggestion *rule)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    text_escape(&safe, rule->words, strlen(rule->words), TEXT_PLAIN_AGENT);
    return text_width(strbuf_str(&safe), safe.length) > (size_t)list->columns;
}

static void draw_rule(const struct suggest *list, size_t index, struct rect place)
{
    const struct theme *theme = list->console->theme;
    const struct rule_suggestion *rule = at(list, index);
    bool marked = index == list->marked;
    enum theme_element element = marked ? THEME_OPTION_SELECTED : THEME_COMMAND;
    struct rect row = rect_row(place, 0);
    cleanup_free char *words =
        text_line(rule->words, strlen(rule->words), list->columns > 1 ? (size_t)list->columns : 1);
    cleanup_free char *saves = suggest_text_saves(rule);
    cleanup_free char *reach = suggest_text_reach(rule);
    bool added = list->standings[index].added;

    if (marked)
        render_fill(theme, row, THEME_OPTION_SELECTED);
    render_string(theme, row, 0, element, marked ? theme_glyph(theme, GLYPH_POINTER) : " ");
    render_string(theme, row, 2, THEME_AGENT_WORDS, theme_glyph(theme, GLYPH_BAR));
    render_cut(theme, row, WORDS_EDGE, row.columns - WORDS_EDGE, element, words);
    row = rect_row(place, 1);
    render_cut(theme, row, WORDS_EDGE, row.columns - WORDS_EDGE,
               added        ? THEME_OK
               : rule->high ? THEME_WARNING
                            : THEME_OVERLAY_TEXT,
               added ? _("added: in force from the next call on") : reach);
    row = rect_row(place, 2);
    render_cut(theme, row, WORDS_EDGE, row.columns - WORDS_EDGE,
               rule->denied > 0 ? THEME_WARNING : THEME_OVERLAY_DIM, saves);
}

static const char *nothing_text(const struct suggest *list)
{
    return list->read ? _("Nothing that a rule could answer was approved three times here.")
                      : _("reading the record …");
}

static void draw_foot(const struct suggest *list, struct rect row)
{
    bool warns = list->armed || list->note != NULL || list->base.refused;
    const struct keymap *keymap = &list->console->keymap;
    char add[24], show[24], take[24], close[24];
    cleanup_free char *keys = NULL;
    cleanup_free char *place = NULL;

    keymap_key(keymap, ACTION_SUGGEST_ADD, add);
    keymap_key(keymap, ACTION_SUGGEST_SHOW, show);
    keymap_key(keymap, ACTION_SUGGEST_TAKE, take);
    keymap_key(keymap, ACTION_SUGGEST_CLOSE, close);
    if (list->armed)
        keys = xasprintf(_(" %s adds it all the same; any other key does not "), take);
    else if (list->note != NULL)
        keys = xasprintf(" %s ", list->note);
    else if (list->base.refused)
        keys = xasprintf(_(" %s closes: that key is for the prompt "), close);
    else if (list->count > 0)
        keys = xasprintf(_(" %s adds it  %s shows all of it  %s closes "), add, show, close);
    else
        keys = xasprintf(_(" %s closes "), close);
    render_cut(list->console->theme, row, 2, row.columns - 4,
               warns ? THEME_WARNING : THEME_OVERLAY_DIM, keys);
    if (list->count <= list->page || warns)
        return;
    place = xasprintf(_(" %zu of %zu "), list->marked + 1, list->count);
    row.columns -= 2;
    render_right(list->console->theme, row, THEME_OVERLAY_DIM, place);
}

static void keep_in_view(struct suggest *list)
{
    if (list->first > list->marked)
        list->first = list->marked;
    if (list->marked >= list->first + list->page)
        list->first = list->marked - list->page + 1;
}

static void suggest_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct suggest *list = (struct suggest *)overlay;
    int rows = 2 + (list->count > 0 ? (int)list->count * ROWS_EACH : 1);
    struct rect box = overlay_place(
        area, rows, area.columns > BOX_COLUMNS_MAX + 4 ? BOX_COLUMNS_MAX : area.columns);
    struct rect inner = rect_inner(box, 1, 2);

    list->page = inner.rows >= ROWS_EACH ? (size_t)(inner.rows / ROWS_EACH) : 1;
    list->columns = inner.columns - WORDS_EDGE;
    keep_in_view(list);
    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE,
               _(" Rules that would save you questions, in this project "));
    if (list->count == 0)
        render_cut(console->theme, rect_row(inner, 0), 0, inner.columns, THEME_OVERLAY_DIM,
                   nothing_text(list));
    for (size_t i = 0; i < list->page && list->first + i < list->count; i++) {
        struct rect place = inner;

        place.row += (int)i * ROWS_EACH;
        place.rows = ROWS_EACH;
        draw_rule(list, list->first + i, place);
    }
    draw_foot(list, rect_row(box, box.rows - 1));
    screen_cursor(console->screen, -1, 0);
}

static void suggest_painted(struct overlay *overlay, struct console *console, int64_t now_ms)
{
    struct suggest *list = (struct suggest *)overlay;

    (void)console;
    if (list->read && list->painted_ms < 0)
        list->painted_ms = now_ms;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void show(struct suggest *list)
{
    struct document text = {0};

    suggest_text_details(at(list, list->marked), &text, &list->standings[list->marked].seen);
    overlay_push(list->console, overlay_full_new(_("A rule that would save you questions"), &text));
}

static void add(struct suggest *list)
{
    const struct rule_suggestion *rule = at(list, list->marked);
    struct error error = ERROR_INIT;

    list->armed = false;
    if (orchestrator_remember_rule(list->console->setup.orchestrator, rule->rule, &error) < 0) {
        console_say(list->console, THEME_FAILED, "%s", error.message);
        list->note = _("It could not be added: what was said about it is in the trail.");
        return;
    }
    list->standings[list->marked].added = true;
    console_say(list->console, THEME_STRONG, _("added (:undo takes it back): %s"), rule->rule);
}

/* The first key: nothing that was not seen, nothing wide by a single one. */
static void add_or_arm(struct suggest *list)
{
    const struct rule_suggestion *rule = at(list, list->marked);
    const struct standing *standing = &list->standings[list->marked];

    if (list->painted_ms < 0 ||
        loop_now_ms(list->console->setup.loop) - list->painted_ms < list->console->setup.guard_ms)
        return; /* typed before the list was there to be read */
    if (standing->added)
        list->note = _("It is in force already.");
    else if (is_cut(list, rule) && !standing->seen)
        list->note = _("It does not fit here: read it in full first.");
    else if (suggest_text_is_wide(rule))
        list->armed = true;
    else
        add(list);
}

static void act(struct suggest *list, enum action action, bool armed)
{
    switch (action) {
    case ACTION_SUGGEST_UP:
        list->marked -= list->marked > 0;
        break;
    case ACTION_SUGGEST_DOWN:
        list->marked += list->marked + 1 < list->count;
        break;
    case ACTION_SUGGEST_ADD:
        if (!armed)
            add_or_arm(list);
        break;
    case ACTION_SUGGEST_TAKE:
        if (armed)
            add(list);
        else
            show(list);
        break;
    case ACTION_SUGGEST_SHOW:
        show(list);
        break;
    default:
        break;
    }
}

static void suggest_key(struct overlay *overlay, struct console *console,
                        const struct input_event *event)
{
    struct suggest *list = (struct suggest *)overlay;
    enum action action =
        keymap_find(&console->keymap, KEYMAP_SUGGEST, event->key, event->modifiers);
    bool armed = list->armed;

    console_dirty(console, DIRTY_OVERLAY);
    list->armed = false;
    list->note = NULL;
    if (action == ACTION_NONE && !armed && overlay_closes_for_command(overlay, console, event))
        action = ACTION_SUGGEST_CLOSE;
    if (console_burst_refuses(console, action)) {
        list->note = console_burst_words();
    } else if (action == ACTION_SUGGEST_CLOSE) {
        if (!armed)
            overlay_close(console, overlay);
    } else if (list->count > 0) {
        act(list, action, armed);
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

static void suggest_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    (void)overlay;
    (void)console;
    snprintf(out, size, "%s", _("suggestions"));
}

static void suggest_resized(struct overlay *overlay, struct console *console)
{
    struct suggest *list = (struct suggest *)overlay;

    (void)console;
    list->armed = false;
}

static void suggest_free(struct overlay *overlay)
{
    struct suggest *list = (struct suggest *)overlay;

    loop_timer_free(&list->timer);
    list->console->setup.hooks.lab.end(list->lab);
    free(list->standings);
    free(list);
}

static const struct overlay_class suggest_class = {
    .draw = suggest_draw,
    .key = suggest_key,
    .painted = suggest_painted,
    .resized = suggest_resized,
    .where = suggest_where,
    .free = suggest_free,
    .reading = ACTION_SUGGEST_CLOSE,
};

static void read_on(void *argument)
{
    struct suggest *list = argument;

    if (list->console->setup.hooks.lab.step(list->lab)) {
        loop_timer_start(list->timer, 0);
        return;
    }
    list->read = true;
    while (at(list, list->count) != NULL)
        list->count++;
    list->standings = xcalloc(list->count + 1, sizeof(*list->standings));
    console_dirty(list->console, DIRTY_LAYOUT);
}

void overlay_suggest_open(struct console *console)
{
    const struct console_lab *lab = &console->setup.hooks.lab;
    struct error error = ERROR_INIT;
    void *begun = lab->begin != NULL ? lab->begin(lab->argument, true, &error) : NULL;
    struct suggest *list;

    if (begun == NULL) {
        console_remark(console, THEME_WARNING, "%s",
                       lab->begin != NULL ? error.message : _("there is no record here"));
        return;
    }
    list = XNEW(struct suggest);
    list->base.class = &suggest_class;
    list->console = console;
    list->lab = begun;
    list->painted_ms = -1;
    list->timer = loop_timer_new(console->setup.loop, read_on, list);
    loop_timer_start(list->timer, 0);
    overlay_push(console, &list->base);
}
