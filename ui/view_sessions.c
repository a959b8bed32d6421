/* SPDX-License-Identifier: MIT */
/* view_sessions: who is connected, below the list of calls where there is room. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/holding.h"
#include "ui/view.h"

#define NAME_COLUMNS 24
#define NAME_COLUMNS_MIN 12

/* What is left for names beside the widest of the counts. */
static int name_columns(const struct orchestrator *orchestrator, int columns)
{
    int widest = 0;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        cleanup_free char *counts =
            holding_session_counts(orchestrator, orchestrator_session_at(orchestrator, i));
        int width = (int)text_width(counts, strlen(counts));

        widest = width > widest ? width : widest;
    }
    int left = columns - 4 - widest;
    return left >= NAME_COLUMNS ? NAME_COLUMNS : left > NAME_COLUMNS_MIN ? left : NAME_COLUMNS_MIN;
}

static void draw_session(struct console *console, struct rect row, int names,
                         const struct session *session)
{
    cleanup_free char *name = session->origin == SESSION_OPERATOR
                                  ? xstrdup(_("you, at this console"))
                                  : call_text_session(session, (size_t)names);
    cleanup_free char *counts = holding_session_counts(console->setup.orchestrator, session);

    render_cut(console->theme, row, 1, names, session->ended ? THEME_DIM : THEME_TEXT, name);
    render_cut(console->theme, row, names + 2, row.columns - names - 3,
               session->stopped && !session->ended ? THEME_WARNING : THEME_DIM, counts);
}

void view_sessions_draw(struct console *console)
{
    struct rect rect = console->layout.sessions;
    size_t count = orchestrator_session_count(console->setup.orchestrator);
    struct rect heading = rect_row(rect, 0);
    int names = name_columns(console->setup.orchestrator, rect.columns);
    int column;

    if (rect_empty(rect))
        return;
    render_fill(console->theme, rect, THEME_TEXT);
    render_rule(console->theme, heading, THEME_BORDER);
    column = render_string(console->theme, heading, 1, THEME_BORDER, " ");
    column = render_string(console->theme, heading, column, THEME_HEADING, _("Sessions"));
    render_string(console->theme, heading, column, THEME_BORDER, " ");
    for (size_t i = 0; i < count && (int)i + 1 < rect.rows; i++)
        draw_session(console, rect_row(rect, (int)i + 1), names,
                     orchestrator_session_at(console->setup.orchestrator, i));
}
