/* SPDX-License-Identifier: MIT */
/* approval_draw: what a request looks like. From top to bottom: the command, the facts about it,
 * the answers. The command gets the rows that the rest leaves. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/overlay_approval_int.h"

#define BOX_COLUMNS_MAX 104
#define TALL_ROWS 34 /* from here on each answer has a row, and texts get more room */
#define COMMAND_ROWS_MIN 3
#define COMMAND_ROWS_MAX 20

/* Where everything goes for one drawing. */
struct plan {
    struct rect box, inner;
    int label_columns;
    int command_rows;
    int field_rows[APPROVAL_FIELDS_MAX];
    struct wrap field_lines[APPROVAL_FIELDS_MAX];
    int option_columns; /* answers in one column or two */
    int option_rows;
};

static int label_width(const struct approval_content *content)
{
    size_t widest = 0;

    for (size_t i = 0; i < content->count; i++) {
        size_t width = text_width(content->fields[i].label, strlen(content->fields[i].label));

        widest = width > widest ? width : widest;
    }
    return (int)widest + 2;
}

static void wrap_fields(const struct approval *approval, struct plan *plan, int most)
{
    const struct approval_content *content = &approval->content;
    /* Two columns for the bar beside an agent's words. */
    size_t columns = (size_t)(plan->inner.columns - plan->label_columns - 2);

    for (size_t i = 0; i < content->count; i++) {
        const struct approval_field *field = &content->fields[i];
        struct wrap *lines = &plan->field_lines[i];

        wrap_init(lines, field->text, columns, WRAP_WORDS);
        plan->field_rows[i] = (int)lines->count;
        if (plan->field_rows[i] > most && !field->important)
            plan->field_rows[i] = most;
        if (plan->field_rows[i] > 2 * most)
            plan->field_rows[i] = 2 * most;
    }
}

static int total_fields(const struct approval *approval, const struct plan *plan)
{
    int total = 0;

    for (size_t i = 0; i < approval->content.count; i++)
        total += plan->field_rows[i];
    return total;
}

/* Takes a row from the tallest text that can spare one, the agent's words first. */
static bool shorten(const struct approval *approval, struct plan *plan)
{
    const struct approval_content *content = &approval->content;
    size_t tallest = content->count;

    for (size_t i = 0; i < content->count; i++) {
        if (plan->field_rows[i] < 2 || content->fields[i].important)
            continue;
        if (tallest == content->count || plan->field_rows[i] > plan->field_rows[tallest] ||
            (plan->field_rows[i] == plan->field_rows[tallest] && content->fields[i].agent_words))
            tallest = i;
    }
    if (tallest == content->count)
        return false;
    plan->field_rows[tallest]--;
    return true;
}

/* The prefix that `p` would allow has a row of its own above the answers. */
static int prefix_rows(const struct approval *approval)
{
    return approval->content.prefix != NULL ? 1 : 0;
}

static void make_plan(struct approval *approval, struct rect area, struct plan *plan)
{
    bool tall = area.rows >= TALL_ROWS;
    int columns = area.columns - 4 < BOX_COLUMNS_MAX ? area.columns - 4 : BOX_COLUMNS_MAX;
    int fixed, rows, wanted;

    plan->inner = (struct rect){0, 0, 0, columns - 4};
    plan->label_columns = label_width(&approval->content);
    if (approval->columns != plan->inner.columns - 2) {
        approval->columns = plan->inner.columns - 2;
        wrap_clear(&approval->lines);
        wrap_init(&approval->lines, approval->content.command, (size_t)approval->columns,
                  WRAP_EXACT);
    }
    wrap_fields(approval, plan, tall ? 6 : 3);
    plan->option_columns = tall ? 1 : 2;
    plan->option_rows =
        ((int)approval->option_count + plan->option_columns - 1) / plan->option_columns;
    /* Frame, heading of the command, a row for notes, and in a tall box two blank rows. */
    fixed = 2 + 1 + 1 + (tall ? 2 : 0) + prefix_rows(approval) + plan->option_rows;
    wanted = (int)approval->lines.count;
    wanted = wanted > COMMAND_ROWS_MAX ? COMMAND_ROWS_MAX : wanted;
    while (fixed + total_fields(approval, plan) +
                   (wanted < COMMAND_ROWS_MIN ? wanted : COMMAND_ROWS_MIN) >
               area.rows &&
           shorten(approval, plan))
        continue;
    rows = area.rows - fixed - total_fields(approval, plan);
    plan->command_rows = wanted < rows ? wanted : rows > 1 ? rows : 1;
    plan->box =
        overlay_place(area, fixed + total_fields(approval, plan) + plan->command_rows, columns);
    plan->inner = rect_inner(plan->box, 1, 2);
}

/* ---- parts -------------------------------------------------------------------------------- */

static void draw_frame(const struct approval *approval, struct console *console,
                       const struct plan *plan)
{
    const struct theme *theme = console->theme;
    struct rect top = rect_row(plan->box, 0);
    struct rect bottom = rect_row(plan->box, plan->box.rows - 1);
    size_t waiting = console_waiting(console);
    cleanup_free char *title = NULL;
    cleanup_free char *more = NULL;
    cleanup_free char *keys = NULL;
    char view[24], aside[24], help[24];

    render_fill(theme, plan->box, THEME_OVERLAY_TEXT);
    render_frame(theme, plan->box, THEME_OVERLAY_BORDER);
    title = xasprintf(approval->content.retry
                          ? _(" %s: c%" PRIu64 " was stopped by the sandbox. Run it again? ")
                          : _(" %s: c%" PRIu64 " asks. May it run? "),
                      console->mark, approval->call);
    render_cut(theme, top, 2, top.columns - 4, THEME_OVERLAY_TITLE, title);
    keys = xasprintf(_(" %s view everything  %s put aside  %s help "),
                     keymap_key(&console->keymap, ACTION_VIEW_ALL, view),
                     keymap_key(&console->keymap, ACTION_PUT_ASIDE, aside),
                     keymap_key(&console->keymap, ACTION_APPROVAL_HELP, help));
    render_cut(theme, bottom, 2, bottom.columns - 4, THEME_OVERLAY_DIM, keys);
    if (waiting > 1) {
        more = xasprintf(P_(" %zu more waits ", " %zu more wait ", waiting - 1), waiting - 1);
        bottom.columns -= 2;
        render_right(theme, bottom, THEME_OVERLAY_TITLE, more);
    }
}

/* The heading says how long the command is as soon as not all of it is in view. */
static void draw_command_heading(const struct approval *approval, struct console *console,
                                 struct rect row)
{
    int total = (int)approval->lines.count;
    char key[24];
    cleanup_free char *right = NULL;

    render_string(console->theme, row, 0, THEME_OVERLAY_LABEL, _("Command"));
    if (approval->visible >= total)
        return;
    keymap_key(&console->keymap, ACTION_COMMAND_DOWN, key);
    right = xasprintf(_("lines %d to %d of %d, %zu bytes %s %s"), approval->first + 1,
                      approval->first + approval->visible, total, approval->content.command_bytes,
                      approval->first + approval->visible < total
                          ? theme_glyph(console->theme, GLYPH_DOWN)
                          : theme_glyph(console->theme, GLYPH_UP),
                      key);
    render_right(console->theme, row, approval->end_seen ? THEME_OVERLAY_DIM : THEME_WARNING,
                 right);
}

static void draw_command(struct approval *approval, struct console *console, struct rect rect)
{
    for (int i = 0; i < rect.rows; i++) {
        struct rect row = rect_row(rect, i);
        const struct wrap_line *line;

        render_fill(console->theme, row, THEME_COMMAND);
        if (approval->first + i >= (int)approval->lines.count)
            continue;
        line = &approval->lines.lines[approval->first + i];
        render_string(console->theme, row, 0, THEME_OVERLAY_BORDER,
                      theme_glyph(console->theme, GLYPH_BAR));
        render_text(console->theme, row, 2, THEME_COMMAND, approval->content.command + line->start,
                    line->length);
    }
}

static enum theme_glyph risk_glyph(enum risk_level risk)
{
    return risk == RISK_HIGH     ? GLYPH_RISK_HIGH
           : risk == RISK_MEDIUM ? GLYPH_RISK_MEDIUM
                                 : GLYPH_RISK_LOW;
}

static bool is_risk(const struct approval_field *field)
{
    return field->element == THEME_RISK_LOW || field->element == THEME_RISK_MEDIUM ||
           field->element == THEME_RISK_HIGH;
}

static void draw_field_line(const struct approval *approval, const struct theme *theme,
                            const struct plan *plan, size_t index, int line, struct rect row)
{
    const struct approval_field *field = &approval->content.fields[index];
    const struct wrap *lines = &plan->field_lines[index];
    bool cut = line == plan->field_rows[index] - 1 && line + 1 < (int)lines->count;
    int column = plan->label_columns;

    if (line == 0)
        render_string(theme, row, 0, THEME_OVERLAY_LABEL, field->label);
    if (field->agent_words)
        render_string(theme, row, column, THEME_AGENT_WORDS, theme_glyph(theme, GLYPH_BAR));
    if (is_risk(field) && line == 0)
        render_string(theme, row, column, field->element,
                      theme_glyph(theme, risk_glyph(approval->content.risk)));
    if (field->agent_words || is_risk(field))
        column += 2;
    if (cut)
        render_right(theme, row, THEME_OVERLAY_DIM, theme_glyph(theme, GLYPH_ELLIPSIS));
    row.columns -= cut ? 2 : 0;
    render_text(theme, row, column, field->element, field->text + lines->lines[line].start,
                lines->lines[line].length);
}

static int draw_fields(const struct approval *approval, const struct theme *theme,
                       const struct plan *plan, int at)
{
    for (size_t i = 0; i < approval->content.count; i++)
        for (int line = 0; line < plan->field_rows[i]; line++)
            draw_field_line(approval, theme, plan, i, line, rect_row(plan->inner, at++));
    return at;
}

/* One row between facts and answers: why something did not happen, or a warning. */
static void draw_note(const struct approval *approval, struct console *console, struct rect row)
{
    const struct theme *theme = console->theme;
    cleanup_free char *text = NULL;

    if (approval->armed != ACTION_NONE) {
        text = xasprintf(_("%s: press Enter to confirm, any other key to go back."),
                         keymap_help(approval->armed));
        render_cut(theme, row, 0, row.columns, THEME_STATUS_WAITING, text);
    } else if (approval->note != NULL) {
        render_cut(theme, row, 0, row.columns, THEME_WARNING, approval->note);
    } else if (approval->content.replaced > 0) {
        text = xasprintf(P_("%zu character cannot be shown as it is; a mark <...> stands for it.",
                            "%zu characters cannot be shown as they are; marks <...> stand for "
                            "them.",
                            approval->content.replaced),
                         approval->content.replaced);
        render_cut(theme, row, 0, row.columns, THEME_WARNING, text);
    } else if (approval->content.look_alikes) {
        render_cut(theme, row, 0, row.columns, THEME_WARNING,
                   _("A word mixes letters of different alphabets that look alike."));
    }
}

static void draw_option(const struct approval *approval, struct console *console, size_t index,
                        struct rect cell)
{
    const struct theme *theme = console->theme;
    bool marked = index == approval->marked;
    enum theme_element text = marked              ? THEME_OPTION_SELECTED
                              : approval->guarded ? THEME_OPTION_OFF
                                                  : THEME_OPTION;
    enum theme_element key_element = marked              ? THEME_OPTION_SELECTED
                                     : approval->guarded ? THEME_OPTION_OFF
                                                         : THEME_OPTION_KEY;
    char key[24];

    if (marked) {
        render_fill(theme, cell, THEME_OPTION_SELECTED);
        render_string(theme, cell, 0, text, theme_glyph(theme, GLYPH_POINTER));
    }
    keymap_key(&console->keymap, approval->options[index], key);
    render_string(theme, cell, 2, key_element, key);
    render_cut(theme, cell, 5, cell.columns - 6, text, keymap_help(approval->options[index]));
}

/* Down each column, then the next one. */
static void draw_options(const struct approval *approval, struct console *console,
                         const struct plan *plan, int at)
{
    int width = plan->inner.columns / plan->option_columns;

    for (size_t i = 0; i < approval->option_count; i++) {
        struct rect cell = rect_row(plan->inner, at + (int)i % plan->option_rows);

        cell.column += (int)i / plan->option_rows * width;
        cell.columns = width;
        draw_option(approval, console, i, cell);
    }
}

static void draw_prefix(const struct approval *approval, struct console *console,
                        const struct plan *plan, int at)
{
    struct rect row = rect_row(plan->inner, at);
    char key[24];
    cleanup_free char *label = NULL;

    keymap_key(&console->keymap, ACTION_APPROVE_PREFIX, key);
    label = xasprintf(_("%s allows"), key);
    render_string(console->theme, row, 0, THEME_OVERLAY_LABEL, label);
    render_cut(console->theme, row, plan->label_columns, row.columns - plan->label_columns,
               THEME_COMMAND, approval->content.prefix);
}

void approval_draw(struct approval *approval, struct console *console, struct rect area)
{
    bool tall = area.rows >= TALL_ROWS;
    struct plan plan;
    struct rect command;
    int at;

    make_plan(approval, area, &plan);
    approval->visible = plan.command_rows;
    if (approval->first > (int)approval->lines.count - approval->visible)
        approval->first = (int)approval->lines.count - approval->visible;
    if (approval->first < 0)
        approval->first = 0;
    draw_frame(approval, console, &plan);
    draw_command_heading(approval, console, rect_row(plan.inner, 0));
    command =
        (struct rect){plan.inner.row + 1, plan.inner.column, plan.command_rows, plan.inner.columns};
    draw_command(approval, console, command);
    at = 1 + plan.command_rows + (tall ? 1 : 0);
    at = draw_fields(approval, console->theme, &plan, at) + (tall ? 1 : 0);
    if (prefix_rows(approval) > 0)
        draw_prefix(approval, console, &plan, at++);
    draw_note(approval, console, rect_row(plan.inner, at++));
    draw_options(approval, console, &plan, at);
    screen_cursor(console->screen, -1, 0);
    for (size_t i = 0; i < approval->content.count; i++)
        wrap_clear(&plan.field_lines[i]);
}
