/* SPDX-License-Identifier: MIT */
/* view_sessions: who is connected, below the list of calls where there is room. */
#include "config.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/view.h"

#define NAME_COLUMNS 24

static void draw_session(struct console *console, struct rect row, const struct session *session)
{
    cleanup_free char *name = session->origin == SESSION_OPERATOR
                                  ? xstrdup(_("you, at this console"))
                                  : call_text_session(session, NAME_COLUMNS);
    cleanup_free char *counts = call_text_session_counts(session);

    render_cut(console->theme, row, 1, NAME_COLUMNS, session->ended ? THEME_DIM : THEME_TEXT, name);
    render_cut(console->theme, row, NAME_COLUMNS + 2, row.columns - NAME_COLUMNS - 3, THEME_DIM,
               counts);
}

void view_sessions_draw(struct console *console)
{
    struct rect rect = console->layout.sessions;
    size_t count = orchestrator_session_count(console->setup.orchestrator);
    struct rect heading = rect_row(rect, 0);
    int column;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    render_rule(console->theme, heading, THEME_BORDER);
    column = render_string(console->theme, heading, 1, THEME_BORDER, " ");
    column = render_string(console->theme, heading, column, THEME_HEADING, _("Sessions"));
    render_string(console->theme, heading, column, THEME_BORDER, " ");
    for (size_t i = 0; i < count && (int)i + 1 < rect.rows; i++)
        draw_session(console, rect_row(rect, (int)i + 1),
                     orchestrator_session_at(console->setup.orchestrator, i));
}
