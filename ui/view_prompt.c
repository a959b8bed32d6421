/* SPDX-License-Identifier: MIT */
/* view_prompt: the line on which the operator types. */
#include "config.h"

#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/view.h"

void view_prompt_draw(struct console *console)
{
    struct rect rect = console->layout.prompt;
    bool has_keyboard = !console->keyboard_in_pane && console->overlay == NULL;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    int column, cursor;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_PROMPT_TEXT);
    column = render_string(console->theme, rect, 1, THEME_PROMPT_SIGN, has_keyboard ? ">" : " ");
    column++;
    cursor = line_editor_view(console->prompt, rect.columns - column - 1, &text);
    if (text.length > 0)
        render_string(console->theme, rect, column, THEME_PROMPT_TEXT, strbuf_str(&text));
    else if (has_keyboard)
        render_cut(console->theme, rect, column, rect.columns - column - 1, THEME_DIM,
                   _("a command to run, : for the console's own commands, ? for help"));
    if (has_keyboard)
        screen_cursor(console->screen, rect.row, rect.column + column + cursor);
    else if (console->overlay == NULL)
        return;
    else
        screen_cursor(console->screen, -1, 0);
}
