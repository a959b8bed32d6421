/* SPDX-License-Identifier: MIT */
/* approval_draw: what a request looks like. From top to bottom: the command, the facts about it,
 * the answers. The command gets the rows that the rest leaves. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_plan.h"
#include "ui/approval_queue.h"
#include "ui/approval_words.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/overlay_approval_int.h"
#include "ui/overlay_inbox.h"
#include "ui/patch_text.h"
#include "ui/quoted.h"

#define MINUTES_HOUR 60

/* ---- parts -------------------------------------------------------------------------------- */

char *approval_title(const struct approval *approval, const char *mark)
{
    return xasprintf(" %s: c%" PRIu64 " %s ", mark, approval->call,
                     approval_content_question(&approval->content));
}

/* While an answer waits for Enter: what does more than take it back, and what does just that. */
static char *armed_key_hints(const struct console *console)
{
    char view[24], back[24], help[24];

    return xasprintf(_(" %s view everything  %s back  %s help "),
                     keymap_key(&console->keymap, ACTION_VIEW_ALL, view),
                     keymap_key(&console->keymap, ACTION_PUT_ASIDE, back),
                     keymap_key(&console->keymap, ACTION_APPROVAL_HELP, help));
}

/* In so many columns, where that can be. */
static char *make_key_hints(const struct approval *approval, const struct console *console,
                            int columns)
{
    bool another = approval_queue_oldest(console, approval->prompt) != NULL;
    char view[24], aside[24], help[24], change[24];
    cleanup_free char *edit = NULL;
    char *hints;

    if (approval->armed != ACTION_NONE)
        return armed_key_hints(console);
    if (approval->fixed == NULL)
        edit = xasprintf(_(" %s change "), keymap_key(&console->keymap, ACTION_EDIT, change));
    keymap_key(&console->keymap, ACTION_VIEW_ALL, view);
    keymap_key(&console->keymap, ACTION_PUT_ASIDE, aside);
    keymap_key(&console->keymap, ACTION_APPROVAL_HELP, help);
    hints = xasprintf(overlay_inbox_is_open(console)
                          ? _("%s %s view everything  %s back to the list  %s help ")
                      : another ? _("%s %s view everything  %s aside, show next  %s help ")
                                : _("%s %s view everything  %s put aside  %s help "),
                      edit != NULL ? edit : "", view, aside, help);
    if (!another || (int)text_width(hints, strlen(hints)) <= columns)
        return hints;
    free(hints);
    return xasprintf(_("%s %s view everything  %s put aside  %s help "), edit != NULL ? edit : "",
                     view, aside, help);
}

/* What is asked is never covered. */
static bool fits_beside(const char *aside, const char *title, struct rect top)
{
    size_t columns = text_width(aside, strlen(aside)) + text_width(title, strlen(title)) + 6;

    return columns <= (size_t)top.columns;
}

/* How long it has waited, in minutes, so that nothing moves while it is read; NULL: not for one. */
static char *waited_words(const struct approval *approval, const struct console *console)
{
    const struct call *call = approval_queue_find(console, approval->prompt);
    int64_t minutes =
        call != NULL ? (loop_now_ms(console->setup.loop) - call->waits_ms) / MINUTE_MS : 0;

    if (minutes < 1)
        return NULL;
    return minutes < 2 * MINUTES_HOUR
               ? xasprintf(_(" waits for %d min "), (int)minutes)
               : xasprintf(_(" waits for %d h "), (int)(minutes / MINUTES_HOUR));
}

/* Returns whether it says what was there before. */
static bool draw_frame(const struct approval *approval, struct console *console,
                       const struct approval_plan *plan)
{
    const struct theme *theme = console->theme;
    struct rect top = rect_row(plan->box, 0);
    struct rect bottom = rect_row(plan->box, plan->box.rows - 1);
    size_t waiting = console_waiting(console);
    cleanup_free char *title = approval_title(approval, console->mark);
    cleanup_free char *more = NULL;
    cleanup_free char *aside = NULL;
    cleanup_free char *waited = waited_words(approval, console);
    cleanup_free char *keys = NULL;
    int left = bottom.columns - 4;
    bool told;

    render_fill(theme, plan->box, THEME_OVERLAY_TEXT);
    render_frame(theme, plan->box, THEME_OVERLAY_BORDER);
    render_cut(theme, top, 2, top.columns - 4, THEME_OVERLAY_TITLE, title);
    aside = after_request_words(console, &approval->instead_of, approval->call);
    told = aside != NULL && fits_beside(aside, title, top);
    if (told) {
        top.columns -= 2;
        render_right(theme, top, THEME_WARNING, aside);
    } else if (waited != NULL && fits_beside(waited, title, top)) {
        top.columns -= 2;
        render_right(theme, top, THEME_OVERLAY_DIM, waited);
    }
    if (waiting > 1) {
        more = xasprintf(P_(" %zu more waits ", " %zu more wait ", waiting - 1), waiting - 1);
        left -= (int)text_width(more, strlen(more)) + 1; /* and a piece of the frame between */
    }
    keys = make_key_hints(approval, console, left);
    render_cut(theme, bottom, 2, left, THEME_OVERLAY_DIM, keys);
    bottom.columns -= 2;
    if (more != NULL)
        render_right(theme, bottom, THEME_OVERLAY_TITLE, more);
    return told;
}

/* The first line that is still to be read once this frame is on the screen. */
static int first_unread(const struct approval *approval)
{
    size_t read = approval->seen ? WRAP_READ_ALL : approval->read;

    wrap_follow_reading(&approval->lines, (size_t)approval->first, (size_t)approval->visible,
                        &read);
    return (int)wrap_unread(&approval->lines, read);
}

/* Which lines of a long command are shown, and where those are that are still to be read. */
static char *lines_text(const struct approval *approval, const struct console *console, int unread)
{
    int total = (int)approval->lines.count, last = approval->first + approval->visible;
    bool up = unread < total ? unread < approval->first : last >= total;
    const char *arrow = theme_glyph(console->theme, up ? GLYPH_UP : GLYPH_DOWN);
    char key[24];

    keymap_key(&console->keymap, up ? ACTION_COMMAND_UP : ACTION_COMMAND_DOWN, key);
    if (unread < approval->first)
        return xasprintf(_("lines %d to %d of %d, %zu bytes; unread from %d on %s %s"),
                         approval->first + 1, last, total, approval->content.command_bytes,
                         unread + 1, arrow, key);
    return xasprintf(_("lines %d to %d of %d, %zu bytes %s %s"), approval->first + 1, last, total,
                     approval->content.command_bytes, arrow, key);
}

/* The heading says how long the command is as soon as not all of it is in view. */
static void draw_command_heading(const struct approval *approval, struct console *console,
                                 struct rect row)
{
    cleanup_free char *right = NULL;
    int total = (int)approval->lines.count, unread = first_unread(approval);

    render_string(console->theme, row, 0, THEME_OVERLAY_LABEL,
                  subject_heading(approval->content.subject));
    if (approval->visible >= total)
        return;
    right = lines_text(approval, console, unread);
    render_right(console->theme, row, unread < total ? THEME_WARNING : THEME_OVERLAY_DIM, right);
}

/* The parts of a line of the command that the risk was judged by. */
static void draw_marks(const struct approval *approval, const struct theme *theme, struct rect row,
                       const struct wrap_line *line)
{
    const char *command = approval->content.command;

    for (size_t i = 0; i < approval->content.mark_count; i++) {
        struct approval_mark mark = approval->content.marks[i];
        size_t end = line->start + line->length;

        mark.start = mark.start < line->start ? line->start : mark.start;
        mark.end = mark.end > end ? end : mark.end;
        if (mark.start < mark.end)
            render_text(theme, row,
                        QUOTED_COLUMNS +
                            (int)text_width(command + line->start, mark.start - line->start),
                        THEME_EVIDENCE, command + mark.start, mark.end - mark.start);
    }
}

static void draw_command(struct approval *approval, struct console *console, struct rect rect)
{
    for (int i = 0; i < rect.rows; i++) {
        struct rect row = rect_row(rect, i);
        size_t line = (size_t)(approval->first + i);

        render_fill(console->theme, row, THEME_COMMAND);
        if (line >= approval->lines.count)
            continue;
        quoted_draw(console->theme, row, THEME_OVERLAY_BORDER,
                    approval->content.subject == SUBJECT_PATCH
                        ? patch_text_element(approval->content.command, &approval->lines, line)
                        : THEME_COMMAND,
                    approval->content.command, &approval->lines, line);
        draw_marks(approval, console->theme, row, &approval->lines.lines[line]);
    }
}

static bool is_risk(const struct approval_field *field)
{
    return field->element == THEME_RISK_LOW || field->element == THEME_RISK_MEDIUM ||
           field->element == THEME_RISK_HIGH;
}

/* The last row that is shown of a text breaks where it is full: a long word, often the path that
 * matters, would otherwise be left out as a whole. */
static size_t cut_length(const char *text, size_t length, int columns)
{
    size_t fitting = text_fit(text, strcspn(text, "\n"), columns > 0 ? (size_t)columns : 0);

    return fitting > length ? fitting : length;
}

/* Says that not all of a text is there, and which key shows it; the dots stand in a path that was
 * cut in its middle. Returns the columns that are left. */
static int draw_cut(const struct theme *theme, const struct approval_plan *plan, struct rect row,
                    bool more)
{
    return render_right(theme, row, THEME_OVERLAY_DIM, more ? plan->cut : strchr(plan->cut, '(')) -
           1;
}

static void draw_field_line(const struct approval *approval, const struct theme *theme,
                            const struct approval_plan *plan, size_t index, int line,
                            struct rect row)
{
    const struct approval_field *field = &approval->content.fields[index];
    const struct wrap *lines = &plan->field_lines[index];
    bool last = line == plan->field_rows[index] - 1, more = last && line + 1 < (int)lines->count;
    const char *whole = plan->field_short[index] != NULL ? plan->field_short[index] : field->text;
    const char *text = whole + lines->lines[line].start;
    size_t length = lines->lines[line].length;
    int column = plan->label_columns;

    if (line == 0 && column > 0)
        render_string(theme, row, 0, THEME_OVERLAY_LABEL, field->label);
    if (field->agent_words)
        render_string(theme, row, column, THEME_AGENT_WORDS, theme_glyph(theme, GLYPH_BAR));
    if (is_risk(field) && line == 0)
        render_string(theme, row, column, field->element,
                      theme_glyph(theme, call_text_risk_glyph(approval->content.risk)));
    if (field->agent_words || is_risk(field))
        column += 2;
    if (last && approval_plan_cuts(plan, index))
        row.columns = draw_cut(theme, plan, row, more);
    render_text(theme, row, column, field->element, text,
                more ? cut_length(text, length, row.columns - column) : length);
}

int approval_draw_fields(const struct approval *approval, const struct theme *theme,
                         const struct approval_plan *plan, int at)
{
    for (size_t i = 0; i < approval->content.count; i++)
        for (int line = 0; line < plan->field_rows[i]; line++, at++)
            if (line < (int)plan->field_lines[i].count)
                draw_field_line(approval, theme, plan, i, line, rect_row(plan->inner, at));
    return at;
}

static bool fits(const char *text, int columns)
{
    return (int)text_width(text, strlen(text)) <= columns;
}

static char *answer_text(const struct approval *approval, enum action action, int columns)
{
    return approval_words_answer(&approval->content, action, &approval->lease, columns);
}

#define HINT_COLUMNS 4 /* " (l)" */

/* Where nothing else explains the key, it is worth more than what a path can be cut by. NULL: what
 * it gives would have no name. */
static char *path_text_explained(const struct approval *approval, const char *key, int columns)
{
    cleanup_free char *hint = xasprintf(_("%s (%s: how long)"), "", key);
    int left = columns - (int)text_width(hint, strlen(hint));
    cleanup_free char *answer = answer_text(approval, ACTION_APPROVE_PATH, left);

    return approval_words_name_path(&approval->content, left)
               ? xasprintf(_("%s (%s: how long)"), answer, key)
               : NULL;
}

/* The answer that gives a path, with the key that says for how long: explained where there is room
 * for that beside the whole path. */
static char *path_text(const struct approval *approval, const struct console *console, int columns)
{
    cleanup_free char *answer = answer_text(approval, ACTION_APPROVE_PATH, columns - HINT_COLUMNS);
    cleanup_free char *explained = NULL;
    char key[24];

    keymap_key(&console->keymap, ACTION_PATH_LASTS, key);
    explained = approval->path_lasts ? xasprintf(_("%s (%s: once)"), answer, key)
                                     : xasprintf(_("%s (%s: session)"), answer, key);
    if (fits(explained, columns))
        return steal_pointer(&explained);
    if (!approval->explained) {
        free(explained);
        explained = path_text_explained(approval, key, columns);
        if (explained != NULL)
            return steal_pointer(&explained);
    }
    /* What it gives has a name; the key has a row of its own as well. */
    return !approval_words_name_path(&approval->content, columns - HINT_COLUMNS) &&
                   approval_words_name_path(&approval->content, columns)
               ? answer_text(approval, ACTION_APPROVE_PATH, columns)
               : xasprintf("%s (%s)", answer, key);
}

/* What is allowed once of a command's connections is not its next one, which may come at once: that
 * is said where there is room. */
static char *connection_text(const struct approval *approval, int columns)
{
    cleanup_free char *answer = answer_text(approval, ACTION_APPROVE, columns);
    cleanup_free char *explained = xasprintf(_("%s (c%" PRIu64 "'s next connection asks again)"),
                                             answer, approval->lease_call);

    return fits(explained, columns) ? steal_pointer(&explained) : steal_pointer(&answer);
}

bool approval_has_next_connections(const struct approval *approval)
{
    return approval->content.subject == SUBJECT_CONNECTION &&
           approval->content.may_approve_for_session && approval->lease_call != 0 &&
           approval->lease.kind == LEASE_SESSION;
}

/* What the key behind the answer makes of it: of a connection's, what is most often wanted. */
static char *lease_words(const struct approval *approval, const char *answer, const char *kind,
                         int columns)
{
    const struct lease_place place = approval_lease_place(approval);
    cleanup_free char *counted = NULL;

    if (place.at > 0)
        return xasprintf(_("%s (%s: other, %zu of %zu)"), answer, kind, place.at + 1, place.of);
    if (!approval_has_next_connections(approval))
        return xasprintf(_("%s (%s: how long)"), answer, kind);
    counted = xasprintf(_("%s (%zu of %zu; %s: only until c%" PRIu64 " ends)"), answer,
                        place.at + 1, place.of, kind, approval->lease_call);
    return fits(counted, columns) ? steal_pointer(&counted)
                                  : xasprintf(_("%s (%s: only until c%" PRIu64 " ends)"), answer,
                                              kind, approval->lease_call);
}

/* The same, or as much of it as there is room for: how many there are, or the key alone. */
static char *lease_hint(const struct approval *approval, const char *answer, const char *kind,
                        int columns)
{
    const struct lease_place place = approval_lease_place(approval);
    cleanup_free char *words = lease_words(approval, answer, kind, columns);
    cleanup_free char *counted =
        xasprintf(_("%s (%s: %zu of %zu)"), answer, kind, place.at + 1, place.of);

    if (fits(words, columns))
        return steal_pointer(&words);
    return fits(counted, columns) ? steal_pointer(&counted) : xasprintf("%s (%s)", answer, kind);
}

/* The answer with the keys that change how long it holds, explained where there is room; where
 * there is none for any, all of it is for the answer. */
static char *option_text(const struct approval *approval, const struct console *console,
                         enum action action, int columns)
{
    bool lasts = action == ACTION_APPROVE_SESSION;
    cleanup_free char *answer = answer_text(approval, action, columns - (lasts ? HINT_COLUMNS : 0));
    cleanup_free char *explained = NULL;
    struct lease_place place;
    char kind[24], longer[24], shorter[24];

    if (action == ACTION_APPROVE_PATH && approval->content.path_may_last)
        return path_text(approval, console, columns);
    if (action == ACTION_APPROVE && approval_has_next_connections(approval))
        return connection_text(approval, columns);
    if (!lasts)
        return steal_pointer(&answer);
    keymap_key(&console->keymap, ACTION_LEASE_KIND, kind);
    if (approval->lease.kind == LEASE_SESSION || approval->lease.kind == LEASE_CALL) {
        explained = lease_hint(approval, answer, kind, columns);
        return fits(explained, columns) ? steal_pointer(&explained)
                                        : answer_text(approval, action, columns);
    }
    keymap_key(&console->keymap, ACTION_LEASE_LONGER, longer);
    keymap_key(&console->keymap, ACTION_LEASE_SHORTER, shorter);
    place = approval_lease_place(approval);
    explained = xasprintf(_("%s (%s: %zu of %zu, %s more, %s less)"), answer, kind, place.at + 1,
                          place.of, longer, shorter);
    if (fits(explained, columns))
        return steal_pointer(&explained);
    free(explained);
    explained = xasprintf("%s (%s %s %s)", answer, kind, longer, shorter);
    return fits(explained, columns) ? steal_pointer(&explained) : steal_pointer(&answer);
}

/* Where the words of the answers begin: behind the widest of their keys. */
static int words_column(const struct approval *approval, const struct console *console)
{
    size_t widest = 1;

    for (size_t i = 0; i < approval->option_count; i++) {
        char key[24];
        size_t width;

        keymap_key(&console->keymap, approval->options[i], key);
        width = text_width(key, strlen(key));
        widest = width > widest ? width : widest;
    }
    return (int)widest + 4;
}

/* The key of an answer, and a mark behind it where Enter is to follow. */
static void draw_option_key(const struct approval *approval, const struct console *console,
                            enum action action, struct rect cell, enum theme_element element)
{
    char key[24];

    keymap_key(&console->keymap, action, key);
    render_string(console->theme, cell, 2, element, key);
    if (approval_needs_confirmation(approval, action))
        render_string(console->theme, cell, 2 + (int)text_width(key, strlen(key)), element,
                      theme_glyph(console->theme, GLYPH_ENTER));
}

static void draw_option(const struct approval *approval, struct console *console, size_t index,
                        struct rect cell)
{
    const struct theme *theme = console->theme;
    bool marked = index == approval->marked;
    bool off =
        approval->guarded || (approval->reading && approval_allows(approval->options[index]));
    enum theme_element text = marked ? THEME_OPTION_SELECTED
                              : off  ? THEME_OPTION_OFF
                                     : THEME_OPTION;
    enum theme_element key_element = marked ? THEME_OPTION_SELECTED
                                     : off  ? THEME_OPTION_OFF
                                            : THEME_OPTION_KEY;
    int column = words_column(approval, console);
    cleanup_free char *words =
        option_text(approval, console, approval->options[index], cell.columns - column - 1);

    if (marked) {
        render_fill(theme, cell, THEME_OPTION_SELECTED);
        render_string(theme, cell, 0, text, theme_glyph(theme, GLYPH_POINTER));
    }
    draw_option_key(approval, console, approval->options[index], cell, key_element);
    render_cut(theme, cell, column, cell.columns - column - 1, text, words);
}

/* Down each column, then the next one. */
static void draw_options(struct approval *approval, struct console *console,
                         const struct approval_plan *plan, int at)
{
    int width = plan->inner.columns / plan->arrangement->option_columns;

    for (size_t i = 0; i < approval->option_count; i++) {
        struct rect cell = rect_row(plan->inner, at + (int)i % plan->option_rows);

        cell.column += (int)i / plan->option_rows * width;
        cell.columns = width;
        approval->places[i] = cell;
        draw_option(approval, console, i, cell);
    }
}

static void draw_rule(const struct approval *approval, struct console *console,
                      const struct approval_plan *plan, int at)
{
    const struct approval_content *content = &approval->content;
    cleanup_free char *label = approval_plan_rule_label(&console->keymap);

    render_string(console->theme, rect_row(plan->inner, at), 0, THEME_OVERLAY_LABEL, label);
    for (int i = 0; i < plan->rule_rows; i++) {
        const struct wrap_line *line = &plan->rule_lines.lines[i];
        struct rect row = rect_row(plan->inner, at + i);

        if (i + 1 == plan->rule_rows && i + 1 < (int)plan->rule_lines.count) {
            row.columns = render_right(console->theme, row, THEME_WARNING, plan->cut) - 1;
        }
        render_text(console->theme, row, plan->label_columns, THEME_COMMAND,
                    content->rule.words + line->start, line->length);
    }
}

static void draw_reach(const struct approval *approval, struct console *console,
                       const struct approval_plan *plan, int at)
{
    const struct approval_content *content = &approval->content;
    enum theme_element element = content->rule.bypass ? THEME_WARNING : THEME_OVERLAY_TEXT;
    cleanup_free char *keys = approval_plan_rule_keys(&console->keymap);

    if (!content->rule.only)
        render_cut(console->theme, rect_row(plan->inner, at), 0, plan->label_columns - 1,
                   THEME_OVERLAY_DIM, keys);
    for (size_t i = 0; i < plan->reach_lines.count; i++) {
        const struct wrap_line *line = &plan->reach_lines.lines[i];

        render_text(console->theme, rect_row(plan->inner, at + (int)i), plan->label_columns,
                    element, plan->reach + line->start, line->length);
    }
}

static void draw_releases(const struct approval *approval, struct console *console,
                          const struct approval_plan *plan, int at)
{
    struct rect row = rect_row(plan->inner, at);
    struct strbuf text = STRBUF_INIT;
    char session[24], rule[24];

    if (approval->session.count + approval->prefix.count == 0)
        return; /* another rule would allow some */
    approval_release_words(&text, keymap_key(&console->keymap, ACTION_APPROVE_SESSION, session),
                           &approval->session);
    approval_release_words(&text, keymap_key(&console->keymap, ACTION_APPROVE_PREFIX, rule),
                           &approval->prefix);
    render_string(console->theme, row, 0, THEME_OVERLAY_LABEL, _("Others"));
    render_cut(console->theme, row, plan->label_columns, row.columns - plan->label_columns,
               THEME_WARNING, strbuf_str(&text));
    strbuf_free(&text);
}

/* A line of the trail that the box has covered the beginning of: its end would look like a part of
 * the request. */
static void clear_torn_trail(struct console *console, struct rect box)
{
    struct rect torn = console->layout.trail;
    int covered = box.row + box.rows - torn.row;

    if (covered <= 0 || covered >= torn.rows)
        return;
    torn.row += covered;
    torn.rows -= covered;
    render_fill(console->theme, torn, THEME_TEXT);
}

void approval_draw(struct approval *approval, struct console *console, struct rect area)
{
    struct approval_plan plan;
    struct rect command;
    bool told;
    int at;

    approval_plan_make(approval, console, area, &plan);
    approval->visible = plan.command_rows;
    approval->rule_whole = plan.rule_rows == (int)plan.rule_lines.count;
    approval->path_whole = approval_plan_shows_path(approval, &plan);
    approval->content.untold =
        approval->content.shared && !approval_plan_shows_session(approval, &plan);
    if (approval->first > (int)approval->lines.count - approval->visible)
        approval->first = (int)approval->lines.count - approval->visible;
    if (approval->first < 0)
        approval->first = 0;
    told = draw_frame(approval, console, &plan);
    clear_torn_trail(console, plan.box);
    draw_command_heading(approval, console, rect_row(plan.inner, 0));
    command = rect_row(plan.inner, plan.heading_rows);
    command.rows = plan.command_rows;
    if (plan.heading_rows == 0) {
        command.column += plan.label_columns;
        command.columns -= plan.label_columns;
    }
    draw_command(approval, console, command);
    at = plan.heading_rows + plan.command_rows + plan.arrangement->gap;
    at = approval_draw_fields(approval, console->theme, &plan, at);
    if (approval->content.rule.offered) {
        draw_rule(approval, console, &plan, at);
        draw_reach(approval, console, &plan, at + plan.rule_rows);
    }
    at += plan.rule_rows + (int)plan.reach_lines.count + plan.blank_rows;
    if (approval_plan_release_rows(approval) > 0)
        draw_releases(approval, console, &plan, at++);
    approval->explained =
        approval_note_draw(approval, console, &plan, rect_row(plan.inner, at++), told);
    draw_options(approval, console, &plan, at);
    screen_cursor(console->screen, -1, 0);
    approval_plan_clear(&plan);
}
