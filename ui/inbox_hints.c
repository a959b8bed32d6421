/* SPDX-License-Identifier: MIT */
/* inbox_hints: what the frame of the inbox says of keys: what goes with any row above, what is done
 * with those that are marked below. The mouse presses them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/overlay_inbox_int.h"

struct hint {
    enum action action;
    const char *what, *words; /* where there is room */
};

/* The dispensable last. */
static const struct hint foot[INBOX_FOOT_HINTS] = {
    {ACTION_INBOX_MARK, N_("mark"), N_("mark")},
    {ACTION_INBOX_APPROVE, N_("once"), N_("allow once")},
    {ACTION_INBOX_APPROVE_SESSION, N_("session"), N_("allow this for this session")},
    {ACTION_INBOX_APPROVE_PREFIX, N_("rule"), N_("allow what this rule says")},
    {ACTION_INBOX_DENY, N_("deny (session)"), N_("deny, for this session")},
    {ACTION_INBOX_DENY_MESSAGE, N_("why"), N_("deny (session), and say why")},
    {ACTION_INBOX_OPEN, N_("open"), N_("open")},
};

/* The dispensable first. */
static const struct hint head[INBOX_HEAD_HINTS] = {
    {ACTION_INBOX_MARK_ALL, N_("mark all"), N_("mark all")},
    {ACTION_INBOX_SEARCH, N_("find"), N_("find a text")},
    {ACTION_INBOX_MARK_AGENT, N_("mark agent's"), N_("mark all of this agent's")},
    {ACTION_INBOX_HIGH, N_("next high"), N_("to the next of high risk")},
    {ACTION_INBOX_HELP, N_("help"), N_("help")},
    {ACTION_INBOX_CLOSE, N_("closes"), N_("closes, and all goes on waiting")},
};

#define HINTS_MAX INBOX_FOOT_HINTS /* the most of both */
#define GAP 2                      /* between them */

/* Writes what they say, caller frees; returns how wide all are together. */
static int texts_of(const struct console *console, const struct hint *hints, size_t count,
                    bool words, char *texts[], int widths[])
{
    int sum = 0;

    for (size_t i = 0; i < count; i++) {
        char key[24];

        texts[i] = xasprintf("%s %s", keymap_key(&console->keymap, hints[i].action, key),
                             _(words ? hints[i].words : hints[i].what));
        widths[i] = (int)text_width(texts[i], strlen(texts[i])) + GAP;
        sum += widths[i];
    }
    return sum;
}

/* In words where all have room for that. Returns how wide they are. */
static int fitting_texts(const struct console *console, const struct hint *hints, size_t count,
                         int room, char *texts[], int widths[])
{
    int sum = texts_of(console, hints, count, true, texts, widths);

    if (sum <= room)
        return sum;
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    return texts_of(console, hints, count, false, texts, widths);
}

/* One of the keys; its place stays empty where it does nothing: the others do not move. */
static void draw_hint(const struct overlay_inbox *overlay, const struct console *console,
                      struct rect row, int column, const struct inbox_hint *hint, const char *text)
{
    if (!inbox_offers(overlay, console, hint->action))
        return;
    row.column += column - 1;
    row.columns = hint->place.columns + GAP;
    render_fill(console->theme, row, THEME_OVERLAY_DIM);
    render_string(console->theme, row, 1, THEME_OVERLAY_DIM, text);
}

static struct inbox_hint place_hint(const struct hint *hint, struct rect row, int column, int width)
{
    return (struct inbox_hint){hint->action, {row.row, row.column + column, 1, width - GAP}};
}

/* Of the keys that answer, the first two that the row at the pointer takes once it is chosen. */
static char *then_text(const struct overlay_inbox *overlay, const struct console *console)
{
    char allow[24], deny[24], why[24];

    keymap_key(&console->keymap, ACTION_INBOX_DENY, deny);
    if (inbox_would_offer(overlay, console, ACTION_INBOX_APPROVE))
        return xasprintf(_("then an answer: %s, %s ..."),
                         keymap_key(&console->keymap, ACTION_INBOX_APPROVE, allow), deny);
    return xasprintf(_("then an answer: %s, %s"), deny,
                     keymap_key(&console->keymap, ACTION_INBOX_DENY_MESSAGE, why));
}

/* In the place of the keys that answer, when a row is to be chosen first: that they come back, and
 * some of them. */
static void draw_then(const struct overlay_inbox *overlay, const struct console *console,
                      struct rect row)
{
    const struct rect first = overlay->foot[1].place,
                      last = overlay->foot[INBOX_FOOT_HINTS - 2].place;
    cleanup_free char *text = NULL;

    if (!inbox_is_unchosen(overlay) || overlay->foot[INBOX_FOOT_HINTS - 2].action == ACTION_NONE)
        return;
    text = then_text(overlay, console);
    row.column = first.column - 1;
    row.columns = last.column + last.columns + 1 - row.column;
    if ((int)text_width(text, strlen(text)) + GAP < row.columns)
        row.columns = (int)text_width(text, strlen(text)) + GAP;
    render_fill(console->theme, row, THEME_OVERLAY_DIM);
    render_cut(console->theme, row, 1, row.columns - GAP, THEME_OVERLAY_DIM, text);
}

void inbox_draw_foot(struct overlay_inbox *overlay, const struct console *console, struct rect row)
{
    char *texts[HINTS_MAX];
    int widths[HINTS_MAX], column = 3;
    int left = row.columns - column - 1;

    fitting_texts(console, foot, COUNT(foot), left, texts, widths);
    for (size_t i = 0; i < COUNT(foot); i++) {
        left -= widths[i];
        overlay->foot[i] = (struct inbox_hint){.action = ACTION_NONE};
        if (left >= 0) {
            overlay->foot[i] = place_hint(&foot[i], row, column, widths[i]);
            draw_hint(overlay, console, row, column, &overlay->foot[i], texts[i]);
            column += widths[i];
        }
        free(texts[i]);
    }
    draw_then(overlay, console, row);
}

void inbox_draw_head(struct overlay_inbox *overlay, const struct console *console, struct rect row,
                     int used)
{
    char *texts[HINTS_MAX];
    int widths[HINTS_MAX];
    int room = row.columns - used - 3;
    int sum = fitting_texts(console, head, COUNT(head), room, texts, widths);

    for (size_t i = 0; i < COUNT(head); i++) {
        overlay->head[i] = (struct inbox_hint){.action = ACTION_NONE};
        if (sum <= room || i + 1 == COUNT(head)) {
            overlay->head[i] = place_hint(&head[i], row, row.columns - 1 - sum, widths[i]);
            draw_hint(overlay, console, row, row.columns - 1 - sum, &overlay->head[i], texts[i]);
        }
        sum -= widths[i];
        free(texts[i]);
    }
}

enum action inbox_hint_at(const struct overlay_inbox *overlay, int row, int column)
{
    for (size_t i = 0; i < COUNT(foot); i++)
        if (overlay->foot[i].action != ACTION_NONE &&
            rect_holds(overlay->foot[i].place, row, column))
            return overlay->foot[i].action;
    for (size_t i = 0; i < COUNT(head); i++)
        if (overlay->head[i].action != ACTION_NONE &&
            rect_holds(overlay->head[i].place, row, column))
            return overlay->head[i].action;
    return ACTION_NONE;
}
