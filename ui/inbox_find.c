/* SPDX-License-Identifier: MIT */
/* inbox_find: from row to row by a text that is in them. It decides nothing and marks nothing. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/operator_agent.h"
#include "ui/overlay_inbox_int.h"
#include "ui/search_hit.h"

/* Of a name and a command: what is beyond is not found. */
#define NAME_COLUMNS 80
#define COMMAND_COLUMNS 4000

static bool member_has(const struct console *console, const struct call *call, const char *wanted)
{
    cleanup_free char *agent =
        operator_agent_label(console->setup.orchestrator, call, NAME_COLUMNS);
    cleanup_free char *line = call_text_row(call, COMMAND_COLUMNS, console->theme);
    cleanup_free char *text = NULL;

    text = xasprintf("c%" PRIu64 " %s %s %s", call->id, call_text_risk(call->assessment.level),
                     agent, line);
    return text_search(text, strlen(text), wanted) != NULL;
}

static bool row_has(const struct console *console, const struct inbox_row *row, const char *wanted)
{
    for (size_t i = 0; i < row->count; i++) {
        const struct call *call =
            orchestrator_find_call(console->setup.orchestrator, row->members[i].call);

        if (call != NULL && member_has(console, call, wanted))
            return true;
    }
    return false;
}

/* `wanted` NULL: is it of high risk? */
static bool is_meant(const struct console *console, const struct inbox_row *row, const char *wanted)
{
    return wanted != NULL ? row_has(console, row, wanted) : row->members[0].level == RISK_HIGH;
}

/* The next such row below the cursor, or from the top again: where it is, and which of them. */
static bool find(const struct overlay_inbox *overlay, const struct console *console,
                 const char *wanted, size_t *at, struct search_hit *hit)
{
    size_t first = 0;

    *hit = (struct search_hit){.round = true};
    for (size_t i = 0; i < overlay->inbox.count; i++) {
        if (!is_meant(console, &overlay->inbox.rows[i], wanted))
            continue;
        if (hit->count++ == 0)
            first = i;
        if (!hit->round || i <= overlay->at)
            continue;
        *hit = (struct search_hit){.number = hit->count, .count = hit->count};
        *at = i;
    }
    if (hit->round) {
        hit->number = 1;
        *at = first;
    }
    return hit->count > 0;
}

static void look(struct overlay_inbox *overlay, const struct console *console, const char *wanted)
{
    cleanup_free char *text = NULL;
    struct search_hit hit;
    size_t at = 0;

    if (!find(overlay, console, wanted, &at, &hit)) {
        overlay->note = wanted != NULL ? _("No request in the list has that text.")
                                       : _("No request in the list is of high risk.");
        return;
    }
    text = search_hit_text(&hit);
    snprintf(overlay->own_note, sizeof(overlay->own_note), "%s", text);
    overlay->note = overlay->own_note;
    inbox_go_to(overlay, console, at);
}

void inbox_find_high(struct overlay_inbox *overlay, const struct console *console)
{
    look(overlay, console, NULL);
}

void inbox_find_begin(struct overlay_inbox *overlay)
{
    line_editor_free(&overlay->typed);
    overlay->typed = line_editor_new();
}

bool inbox_find_key(struct overlay_inbox *overlay, const struct console *console,
                    const struct input_event *event)
{
    switch (keymap_find(&console->keymap, KEYMAP_LINE, event->key, event->modifiers)) {
    case ACTION_LINE_ACCEPT:
        if (*line_editor_text(overlay->typed) != '\0') {
            free(overlay->wanted);
            overlay->wanted = xstrdup(line_editor_text(overlay->typed));
        }
        line_editor_free(&overlay->typed);
        if (overlay->wanted != NULL)
            look(overlay, console, overlay->wanted);
        return true;
    case ACTION_LINE_CANCEL:
        line_editor_free(&overlay->typed);
        return true;
    default:
        line_editor_key(overlay->typed, event->key, event->modifiers);
        return false;
    }
}

void inbox_find_draw(const struct overlay_inbox *overlay, struct console *console, struct rect row)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    int column, cursor;

    render_fill(console->theme, row, THEME_PROMPT_TEXT);
    column = render_string(console->theme, row, 1, THEME_PROMPT_SIGN, "/");
    cursor = line_editor_view(overlay->typed, row.columns - column - 1, &text);
    render_string(console->theme, row, column, THEME_PROMPT_TEXT, strbuf_str(&text));
    screen_cursor(console->screen, row.row, row.column + column + cursor);
}
