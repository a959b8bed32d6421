/* SPDX-License-Identifier: MIT */
/* approval_small: a request on a screen that has no room for all that must be read before it can be
 * allowed. It is read here, denied or put aside, and nothing else. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_plan.h"
#include "ui/console_int.h"
#include "ui/layout.h"
#include "ui/overlay_approval_int.h"

bool approval_small_takes(enum action action)
{
    return action == ACTION_DENY || action == ACTION_DENY_MESSAGE || action == ACTION_PUT_ASIDE ||
           action == ACTION_VIEW_ALL || action == ACTION_APPROVAL_HELP;
}

/* Behind the last row that there is of a command that goes on: how far, where there is room. */
static char *more_words(const struct theme *theme, size_t more, int columns)
{
    const char *dots = theme_glyph(theme, GLYPH_ELLIPSIS);
    char *words = xasprintf(P_("%s %zu more line", "%s %zu more lines", more), dots, more);

    if ((int)text_width(words, strlen(words)) * 2 <= columns)
        return words;
    free(words);
    return xstrdup(dots);
}

static void draw_command(const struct approval *approval, const struct theme *theme,
                         const struct wrap *lines, struct rect rect)
{
    for (int i = 0; i < rect.rows; i++) {
        struct rect row = rect_row(rect, i);

        render_fill(theme, row, THEME_COMMAND);
        if (i + 1 == rect.rows && i + 1 < (int)lines->count) {
            cleanup_free char *more =
                more_words(theme, lines->count - (size_t)rect.rows, rect.columns);

            row.columns = render_right(theme, row, THEME_WARNING, more) - 1;
        }
        render_text(theme, row, 0, THEME_COMMAND, approval->content.command + lines->lines[i].start,
                    lines->lines[i].length);
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

#define COMMAND_ROWS 2   /* before more than the risk is told */
#define COMMAND_PART 3   /* of all rows, before what comes last */
#define FIELD_ROWS_MAX 4 /* what an agent can make long leaves rows for the rest */
#define LABEL_PART 3     /* of all columns; wider labels are left out */

#define TURNS 10
#define TURN_RISK 1
#define TURN_REST 5 /* of what has its turn by its worth */

static int turn_of(const struct approval_field *field)
{
    return field->brief > 0 ? field->brief : TURN_REST + APPROVAL_GIVES - (int)field->worth;
}

static void give_command(struct approval_plan *plan, int wanted, int *rows)
{
    while (*rows > 0 && plan->command_rows < wanted) {
        plan->command_rows++;
        (*rows)--;
    }
}

/* To the texts of these turns, so many rows each. */
static void give_fields(const struct approval *approval, struct approval_plan *plan, int first,
                        int last, int most, int *rows)
{
    for (int turn = first; turn <= last; turn++)
        for (size_t i = 0; i < approval->content.count; i++)
            while (turn_of(&approval->content.fields[i]) == turn && *rows > 0 &&
                   plan->field_rows[i] < most && approval_plan_cuts(plan, i)) {
                plan->field_rows[i]++;
                (*rows)--;
            }
}

/* What tells most comes first, and more of it only when everything has a row. */
static void share_rows(const struct approval *approval, struct approval_plan *plan, int lines,
                       int rows)
{
    int part = rows / COMMAND_PART;

    give_command(plan, 1, &rows);
    give_fields(approval, plan, TURN_RISK, TURN_RISK, 1, &rows);
    give_command(plan, lines < COMMAND_ROWS ? lines : COMMAND_ROWS, &rows);
    give_fields(approval, plan, TURN_RISK, TURN_REST - 1, 1, &rows);
    give_command(plan, lines < part ? lines : part, &rows);
    give_fields(approval, plan, TURN_REST, TURNS, 1, &rows);
    give_fields(approval, plan, TURN_RISK, TURNS, FIELD_ROWS_MAX, &rows);
    give_command(plan, lines, &rows);
}

static int label_columns(const struct approval_content *content, int columns)
{
    int widest = 0;

    for (size_t i = 0; i < content->count; i++) {
        int width = (int)text_width(content->fields[i].label, strlen(content->fields[i].label));

        widest = width > widest ? width : widest;
    }
    return (widest + 2) * LABEL_PART > columns ? 0 : widest + 2;
}

/* The command, and what must be known of it to say no. */
static void draw_request(const struct approval *approval, const struct theme *theme,
                         struct rect area)
{
    const struct approval_content *content = &approval->content;
    struct approval_plan plan = {.inner = area};
    struct rect command = area;
    struct wrap lines;
    int left;

    if (area.rows <= 0)
        return;
    plan.label_columns = label_columns(content, area.columns);
    plan.cut = xstrdup(theme_glyph(theme, GLYPH_ELLIPSIS));
    left = area.columns - plan.label_columns - 2; /* a bar beside an agent's words */
    wrap_init(&lines, content->command, area.columns > 2 ? (size_t)area.columns : 2, WRAP_EXACT);
    for (size_t i = 0; i < content->count; i++)
        wrap_init(&plan.field_lines[i], content->fields[i].text, left > 2 ? (size_t)left : 2,
                  WRAP_WORDS);
    share_rows(approval, &plan, (int)lines.count, area.rows);
    command.rows = plan.command_rows;
    draw_command(approval, theme, &lines, command);
    approval_draw_fields(approval, theme, &plan, plan.command_rows);
    approval_plan_clear(&plan);
    wrap_clear(&lines);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void draw_keys(const struct approval *approval, const struct console *console,
                      struct rect row)
{
    char deny[24], why[24], aside[24], view[24];
    cleanup_free char *keys = NULL;
    cleanup_free char *more = NULL;

    keymap_key(&console->keymap, ACTION_DENY, deny);
    keymap_key(&console->keymap, ACTION_DENY_MESSAGE, why);
    keymap_key(&console->keymap, ACTION_PUT_ASIDE, aside);
    keys = approval_can_take(approval, ACTION_DENY_MESSAGE)
               ? xasprintf(_("%s deny  %s aside  %s deny, say why"), deny, aside, why)
               : xasprintf(_("%s deny  %s aside"), deny, aside);
    more =
        xasprintf(_("%s  %s shows all"), keys, keymap_key(&console->keymap, ACTION_VIEW_ALL, view));
    render_fill(console->theme, row, approval->guarded ? THEME_OPTION_OFF : THEME_OPTION);
    render_cut(console->theme, row, 0, row.columns,
               approval->guarded ? THEME_OPTION_OFF : THEME_OPTION_KEY,
               (int)text_width(more, strlen(more)) <= row.columns ? more : keys);
}

/* By importance: keys, what asks, why it cannot be allowed, and then what fits of the request. */
void approval_small_draw(const struct approval *approval, struct console *console, struct rect area)
{
    const struct theme *theme = console->theme;
    cleanup_free char *title = approval_title(approval, console->mark);
    cleanup_free char *larger = NULL;
    struct rect request = area;

    render_fill(theme, area, THEME_OVERLAY_TEXT);
    draw_keys(approval, console, rect_row(area, area.rows - 1));
    if (area.rows > 1)
        render_cut(theme, rect_row(area, 0), 0, area.columns, THEME_OVERLAY_TITLE, title);
    if (area.rows > 2) {
        larger = xasprintf(_("To allow it: %dx%d at least"), LAYOUT_COLUMNS_MIN, LAYOUT_ROWS_MIN);
        render_cut(theme, rect_row(area, area.rows - 2), 0, area.columns, THEME_WARNING,
                   approval->note != NULL ? approval->note : larger);
    }
    request.row++;
    request.rows -= 3;
    draw_request(approval, theme, request);
    screen_cursor(console->screen, -1, 0);
}
