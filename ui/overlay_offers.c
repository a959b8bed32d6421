/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"

#define NAME_COLUMNS 200

struct offers {
    struct overlay base;
    uint64_t call;
    size_t marked; /* 0: the way back; 1: the first */
    int64_t painted_ms;
    void (*picked)(struct overlay *below, struct console *console, size_t offer);
};

const char *overlay_offers_effect(enum offer_kind kind)
{
    switch (kind) {
    case OFFER_ALLOW_ONCE:
        return _("allows this, as the agent understands it");
    case OFFER_ALLOW_ALWAYS:
        return _("allows this and more to come; only the agent can take it back");
    case OFFER_REJECT_ONCE:
        return _("denies this, as the agent understands it");
    case OFFER_REJECT_ALWAYS:
        return _("denies this and more to come; only the agent can take it back");
    case OFFER_UNKNOWN:
        break;
    }
    return _("may allow anything: what it does is not said");
}

static size_t count_of(const struct offers *offers, const struct console *console)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, offers->call);

    return call != NULL ? call->offer_count : 0;
}

/* A pointer where the mark is, a bar where the words are the agent's, its name; below it what comes
 * of it, in our words. */
static void draw_offer(const struct offers *offers, struct console *console,
                       const struct call_offer *offer, size_t at, struct rect inner)
{
    const struct theme *theme = console->theme;
    bool marked = offers->marked == at + 1;
    struct rect name_row = rect_row(inner, (int)(1 + 2 * at));
    struct rect effect_row = rect_row(inner, (int)(2 + 2 * at));
    cleanup_free char *name = text_line(offer->name, strlen(offer->name), NAME_COLUMNS);

    if (marked) {
        render_fill(theme, name_row, THEME_OPTION_SELECTED);
        render_string(theme, name_row, 0, THEME_OPTION_SELECTED, theme_glyph(theme, GLYPH_POINTER));
    }
    render_string(theme, name_row, 2, marked ? THEME_OPTION_SELECTED : THEME_AGENT_WORDS,
                  theme_glyph(theme, GLYPH_BAR));
    render_cut(theme, name_row, 4, name_row.columns - 4,
               marked ? THEME_OPTION_SELECTED : THEME_AGENT_WORDS, name);
    render_cut(theme, effect_row, 4, effect_row.columns - 4,
               offer_kind_denies(offer->kind) ? THEME_OVERLAY_DIM : THEME_WARNING,
               overlay_offers_effect(offer->kind));
}

static void offers_draw(struct overlay *overlay, struct console *console, struct rect area)
{
    const struct offers *offers = (const struct offers *)overlay;
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, offers->call);
    size_t count = count_of(offers, console);
    struct rect box = overlay_place(area, (int)(3 + 2 * count), overlay_request_columns(area));
    struct rect inner = rect_inner(box, 1, 2);
    struct rect back = rect_row(inner, 0);
    enum theme_element element = offers->marked == 0 ? THEME_OPTION_SELECTED : THEME_OPTION;
    cleanup_free char *title = xasprintf(_(" %s: answers of the agent's own "), console->mark);

    render_fill(console->theme, box, THEME_OVERLAY_TEXT);
    render_frame(console->theme, box, THEME_OVERLAY_BORDER);
    render_cut(console->theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE, title);
    render_cut(console->theme, rect_row(box, box.rows - 1), 2, box.columns - 4, THEME_OVERLAY_DIM,
               _(" Enter gives the marked answer  Esc goes back "));
    if (offers->marked == 0)
        render_fill(console->theme, back, element);
    if (offers->marked == 0)
        render_string(console->theme, back, 0, element, theme_glyph(console->theme, GLYPH_POINTER));
    render_cut(console->theme, back, 2, back.columns - 2, element, _("none of these: go back"));
    for (size_t i = 0; i < count && (int)(2 + 2 * i) < inner.rows; i++)
        draw_offer(offers, console, &call->offers[i], i, inner);
    screen_cursor(console->screen, -1, 0);
}

static void take(struct offers *offers, struct console *console)
{
    void (*picked)(struct overlay *, struct console *, size_t) = offers->picked;
    struct overlay *below = offers->base.below;
    size_t marked = offers->marked;

    overlay_pop(console);
    if (marked > 0)
        picked(below, console, marked - 1);
}

/* Keys that were typed before the list was on the screen pick nothing. */
static void offers_key(struct overlay *overlay, struct console *console,
                       const struct input_event *event)
{
    struct offers *offers = (struct offers *)overlay;
    size_t count = count_of(offers, console);

    console_dirty(console, DIRTY_OVERLAY);
    switch (keymap_find(&console->keymap, KEYMAP_APPROVAL, event->key, event->modifiers)) {
    case ACTION_OPTION_UP:
        offers->marked -= offers->marked > 0;
        break;
    case ACTION_OPTION_DOWN:
        offers->marked += offers->marked < count;
        break;
    case ACTION_OPTION_TAKE:
        if (offers->painted_ms >= 0 && !console_burst_refuses(console, ACTION_OPTION_TAKE) &&
            loop_now_ms(console->setup.loop) - offers->painted_ms >= console->setup.guard_ms)
            take(offers, console);
        break;
    case ACTION_PUT_ASIDE:
        overlay_pop(console);
        break;
    default:
        break;
    }
}

static void offers_painted(struct overlay *overlay, struct console *console, int64_t now_ms)
{
    struct offers *offers = (struct offers *)overlay;

    (void)console;
    if (offers->painted_ms < 0)
        offers->painted_ms = now_ms;
}

static void offers_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    (void)overlay;
    (void)console;
    snprintf(out, size, "%s", _("the agent's answers"));
}

static void offers_free(struct overlay *overlay)
{
    free(overlay);
}

static const struct overlay_class offers_class = {
    .draw = offers_draw,
    .key = offers_key,
    .painted = offers_painted,
    .where = offers_where,
    .free = offers_free,
};

void overlay_offers_open(struct console *console, uint64_t call,
                         void (*picked)(struct overlay *below, struct console *console,
                                        size_t offer))
{
    struct offers *offers = XNEW(struct offers);

    offers->base.class = &offers_class;
    offers->call = call;
    offers->painted_ms = -1;
    offers->picked = picked;
    overlay_push(console, &offers->base);
}
