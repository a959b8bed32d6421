/* SPDX-License-Identifier: MIT */
/* approval_small: a request on a screen that has no room for all that must be read before it can be
 * allowed. It is denied here or put aside, and nothing else. */
#include "config.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/layout.h"
#include "ui/overlay_approval_int.h"

bool approval_small_takes(enum action action)
{
    return action == ACTION_DENY || action == ACTION_DENY_MESSAGE || action == ACTION_PUT_ASIDE;
}

/* As much of the command as there is room for; the rest is for a larger screen. */
static void draw_command(const struct approval *approval, const struct theme *theme,
                         struct rect rect)
{
    const char *command = approval->content.command;
    struct wrap lines;

    wrap_init(&lines, command, rect.columns > 2 ? (size_t)rect.columns : 2, WRAP_EXACT);
    for (int i = 0; i < rect.rows && i < (int)lines.count; i++) {
        struct rect row = rect_row(rect, i);
        bool cut = i + 1 == rect.rows && i + 1 < (int)lines.count;

        render_fill(theme, row, THEME_COMMAND);
        if (cut) {
            render_right(theme, row, THEME_OVERLAY_DIM, theme_glyph(theme, GLYPH_ELLIPSIS));
            row.columns -= 2;
        }
        render_text(theme, row, 0, THEME_COMMAND, command + lines.lines[i].start,
                    lines.lines[i].length);
    }
    wrap_clear(&lines);
}

static void draw_keys(const struct approval *approval, const struct console *console,
                      struct rect row)
{
    char deny[24], why[24], aside[24];
    cleanup_free char *keys = NULL;

    keymap_key(&console->keymap, ACTION_DENY, deny);
    keymap_key(&console->keymap, ACTION_DENY_MESSAGE, why);
    keymap_key(&console->keymap, ACTION_PUT_ASIDE, aside);
    keys = approval_can_take(approval, ACTION_DENY_MESSAGE)
               ? xasprintf(_("%s deny  %s aside  %s deny, say why"), deny, aside, why)
               : xasprintf(_("%s deny  %s aside"), deny, aside);
    render_fill(console->theme, row, approval->guarded ? THEME_OPTION_OFF : THEME_OPTION);
    render_cut(console->theme, row, 0, row.columns,
               approval->guarded ? THEME_OPTION_OFF : THEME_OPTION_KEY, keys);
}

/* From the bottom up by importance: keys, what asks, why it cannot be allowed, the command. */
void approval_small_draw(const struct approval *approval, struct console *console, struct rect area)
{
    const struct theme *theme = console->theme;
    cleanup_free char *title = approval_title(approval, console->mark);
    cleanup_free char *larger = NULL;
    struct rect command = area;

    render_fill(theme, area, THEME_OVERLAY_TEXT);
    draw_keys(approval, console, rect_row(area, area.rows - 1));
    if (area.rows > 1)
        render_cut(theme, rect_row(area, 0), 0, area.columns, THEME_OVERLAY_TITLE, title);
    if (area.rows > 2) {
        larger = xasprintf(_("To allow it: %dx%d at least"), LAYOUT_COLUMNS_MIN, LAYOUT_ROWS_MIN);
        render_cut(theme, rect_row(area, area.rows - 2), 0, area.columns, THEME_WARNING,
                   approval->note != NULL ? approval->note : larger);
    }
    command.row++;
    command.rows -= 3;
    draw_command(approval, theme, command);
    screen_cursor(console->screen, -1, 0);
}
