/* SPDX-License-Identifier: MIT */
/* view_status: the row that never belongs to a pane. It says where keys go, with a mark that
 * nothing outside this console knows, how many requests wait, and what is in force. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/overlay_approval.h"
#include "ui/view.h"

#define MINUTE_MS ((int64_t)60000)

static char *where_keys_go(struct console *console)
{
    char where[64];

    if (console->overlay != NULL) {
        console->overlay->class->where(console->overlay, console, where, sizeof(where));
        return xstrdup(where);
    }
    if (console->keyboard_in_pane)
        return xasprintf(_("pane c%" PRIu64), console->selected);
    return xstrdup(_("prompt"));
}

/* What to press while the keyboard is elsewhere. */
static char *hint(const struct console *console)
{
    char key[24];
    size_t waiting = console_waiting(console);

    if (console->keyboard_in_pane) {
        keymap_key(&console->keymap, ACTION_LEAVE_PANE, key);
        return waiting > 0 ? xstrdup(key) : xasprintf(_("%s leaves"), key);
    }
    if (waiting > 0 && overlay_approval_is_covered(console))
        return xstrdup(keymap_key(&console->keymap, ACTION_VIEW_CLOSE, key));
    if (console->overlay == NULL && waiting > 0)
        return xstrdup(keymap_key(&console->keymap, ACTION_ANSWER, key));
    return NULL;
}

/* Policy, sandbox and network of the calls that come next; in fewer words where room is short. */
static char *in_force(const struct console *console, bool brief)
{
    const struct turn_context *context = console->setup.session->context;
    const char *dot = theme_glyph(console->theme, GLYPH_DOT);
    const struct sandbox_policy *sandbox = context->sandbox;
    const char *word = brief ? _("net off") : _("network off");

    if (sandbox->network || sandbox->mode == SANDBOX_DANGER_FULL_ACCESS)
        word = brief ? _("net on") : _("network on");
    else if (sandbox->network_asks)
        word = brief ? _("net asks") : _("network asks");
    return xasprintf("%s %s %s %s %s", approval_policy_name(context->approval.kind), dot,
                     sandbox_mode_name(context->sandbox->mode), dot, word);
}

static char *session_name(const struct console *console, size_t columns)
{
    const char *name = console->setup.session->name;

    if (name == NULL)
        return xstrdup("");
    return text_line(name, strlen(name), columns);
}

/* What must not be missed, first. Returns the column after it. */
static int draw_alarms(struct console *console, struct rect rect, int column)
{
    cleanup_free char *frozen = NULL;
    char key[24];

    if (orchestrator_is_frozen(console->setup.orchestrator)) {
        frozen =
            xasprintf(_(" FROZEN: %s goes on "), keymap_key(&console->keymap, ACTION_FREEZE, key));
        column = render_string(console->theme, rect, column, THEME_STATUS_WARNING, frozen);
    }
    if (console->record_fails)
        column =
            render_string(console->theme, rect, column, THEME_STATUS_WAITING, _(" no record "));
    return column;
}

/* "2 waiting: F2", and since when once that is too long. */
static char *waiting_text(const struct console *console, size_t waiting, const char *tip)
{
    int64_t overdue_ms = vigil_overdue_ms(console->vigil);
    cleanup_free char *since = overdue_ms >= MINUTE_MS
                                   ? xasprintf(_(" for %" PRId64 " min"), overdue_ms / MINUTE_MS)
                                   : xstrdup("");

    return tip != NULL ? xasprintf(_(" %zu waiting%s: %s "), waiting, since, tip)
                       : xasprintf(_(" %zu waiting%s "), waiting, since);
}

void view_status_draw(struct console *console)
{
    struct rect rect = console->layout.status;
    const struct theme *theme = console->theme;
    size_t waiting = console_waiting(console);
    cleanup_free char *where = where_keys_go(console);
    cleanup_free char *keys = NULL;
    cleanup_free char *tip = hint(console);
    cleanup_free char *force = in_force(console, false);
    cleanup_free char *name = NULL;
    cleanup_free char *wait = NULL;
    /* The whole row tells that everything is frozen. */
    enum theme_element row =
        orchestrator_is_frozen(console->setup.orchestrator) ? THEME_STATUS_WARNING : THEME_STATUS;
    int column;

    render_fill(theme, rect, row);
    keys = xasprintf(_(" %s keys: %s "), console->mark, where);
    column = render_string(theme, rect, 0, THEME_STATUS_KEYS, keys);
    column = draw_alarms(console, rect, column);
    if (waiting > 0) {
        wait = waiting_text(console, waiting, tip);
        column = render_string(theme, rect, column,
                               vigil_overdue_ms(console->vigil) > 0 ? THEME_STATUS_WARNING
                                                                    : THEME_STATUS_WAITING,
                               wait);
    } else if (tip != NULL) {
        column = render_string(theme, rect, column + 1, row, tip) + 1;
    }
    if ((int)text_width(force, strlen(force)) > rect.columns - column - 2) {
        free(force);
        force = in_force(console, true);
    }
    column = render_cut(theme, rect, column + 1, rect.columns - column - 2, row, force);
    name = session_name(console, 24);
    if (column + 3 + (int)text_width(name, strlen(name)) < rect.columns) {
        rect.columns--;
        render_right(theme, rect, row, name);
    }
}
