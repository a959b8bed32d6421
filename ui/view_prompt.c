/* SPDX-License-Identifier: MIT */
/* view_prompt: the line on which the operator types. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_queue.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/halt.h"
#include "ui/operator_agent.h"
#include "ui/typing.h"
#include "ui/view.h"

#define NAME_COLUMNS 30

/* Where the last key went, which was perhaps meant for the console. */
static void draw_passed(const struct console *console, struct rect rect)
{
    cleanup_free char *text = NULL;
    char passed[24], leave[24];

    if (console->passed_key.code == 0)
        return;
    keymap_key_name(&console->passed_key, passed);
    keymap_key(&console->keymap, ACTION_LEAVE_PANE, leave);
    text =
        xasprintf(_(" %s went to the program, as all keys do; %s leaves the pane "), passed, leave);
    render_cut(console->theme, rect, 0, rect.columns, THEME_DIM, text);
}

/* While a pane has the keyboard nobody types here: the row tells of a request, and which key leads
 * to it. */
static void draw_banner(struct console *console, struct rect rect)
{
    const struct call *call = approval_queue_oldest(console, 0);
    cleanup_free char *text = NULL;
    cleanup_free char *who = NULL;
    char key[24];

    if (call == NULL) {
        draw_passed(console, rect);
        return;
    }
    who = operator_agent_label(console->setup.orchestrator, call, NAME_COLUMNS);
    keymap_key(&console->keymap, ACTION_LEAVE_PANE, key);
    text = xasprintf(_(" A request of %s waits: %s leaves the pane and shows it. "), who, key);
    render_cut(console->theme, rect, 0, rect.columns, THEME_STATUS_WAITING, text);
}

/* What a command has told is to be read before a request covers it. */
static void draw_next(const struct console *console, struct rect rect, int column)
{
    const struct call *call = approval_queue_oldest(console, 0);
    cleanup_free char *text =
        xasprintf(_("c%" PRIu64 " asks: shown in a moment, or with the next key"), call->id);

    render_cut(console->theme, rect, column, rect.columns - column - 1, THEME_ASKING, text);
}

/* Nothing comes up over a question, whose second key would be one for the request. */
static void draw_behind_question(const struct console *console, struct rect rect, int column)
{
    const struct call *call = approval_queue_oldest(console, 0);
    cleanup_free char *text = NULL;
    char key[24];

    keymap_key(&console->keymap, ACTION_ANSWER, key);
    text = xasprintf(_("c%" PRIu64 " asks: shown in %d s, behind this question (%s: now)"),
                     call->id, halt_left_s(console), key);
    render_cut(console->theme, rect, column, rect.columns - column - 1, THEME_ASKING, text);
}

/* What may be typed; where that is too much, what leads to the rest of it. */
static void draw_hint(const struct console *console, struct rect rect, int column)
{
    const char *hint = _("a command to run, : for the console's own commands, ? for help");
    int columns = rect.columns - column - 1;

    if ((int)text_width(hint, strlen(hint)) > columns)
        hint = _("? for help");
    render_cut(console->theme, rect, column, columns, THEME_DIM, hint);
}

void view_prompt_draw(struct console *console)
{
    struct rect rect = console->layout.prompt;
    bool has_keyboard = !console->keyboard_in_pane && console->overlay == NULL;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    int column, cursor;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_PROMPT_TEXT);
    if (console->keyboard_in_pane && *line_editor_text(console->prompt) == '\0') {
        draw_banner(console, rect);
        return;
    }
    column = render_string(console->theme, rect, 1, THEME_PROMPT_SIGN, has_keyboard ? ">" : " ");
    column++;
    cursor = line_editor_view(console->prompt, rect.columns - column - 1, &text);
    if (text.length > 0)
        render_string(console->theme, rect, column, THEME_PROMPT_TEXT, strbuf_str(&text));
    else if (has_keyboard && typing_shows_result(console))
        draw_next(console, rect, column);
    else if (has_keyboard && halt_asks(console) && approval_queue_oldest(console, 0) != NULL)
        draw_behind_question(console, rect, column);
    else if (has_keyboard)
        draw_hint(console, rect, column);
    if (has_keyboard)
        screen_cursor(console->screen, rect.row, rect.column + column + cursor);
    else if (console->overlay == NULL)
        return;
    else
        screen_cursor(console->screen, -1, 0);
}
