/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/restored_view.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/overlay_full.h"

static void add_rows(struct overlay *view, const char *heading, const char *rows,
                     const char *otherwise)
{
    if (rows != NULL)
        overlay_full_add(view, heading, FULL_ROWS, THEME_OVERLAY_TEXT, rows);
    else
        overlay_full_add(view, heading, FULL_WORDS, THEME_OVERLAY_DIM, otherwise);
}

void restored_view_show(struct console *console, const struct console_restored *restored)
{
    cleanup_free char *calls =
        xasprintf(P_("%zu call; :log shows it", "%zu calls; :log shows them", restored->calls),
                  restored->calls);
    struct overlay *view = overlay_full_new(_("What came back"));

    overlay_full_add(view, _("Gone on from"), FULL_WORDS, THEME_STRONG, restored->console);
    add_rows(view, _("Approvals that hold again (:grants takes them back)"), restored->approvals,
             _("none"));
    add_rows(view, _("Agents that go on"), restored->agents, _("none"));
    if (restored->zoomed)
        overlay_full_add(view, NULL, FULL_WORDS, THEME_OVERLAY_TEXT,
                         _("One of them has the whole screen, as it had."));
    if (restored->calls > 0)
        overlay_full_add(view, _("On its record"), FULL_WORDS, THEME_OVERLAY_TEXT, calls);
    overlay_full_add(view, _("Not brought back"), FULL_WORDS, THEME_OVERLAY_DIM, restored->rest);
    overlay_push(console, view);
    console_say(console, THEME_STRONG, _("gone on from %s"), restored->console);
}
