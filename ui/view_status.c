/* SPDX-License-Identifier: MIT */
/* view_status: the row that never belongs to a pane. It says where keys go, with a mark that
 * nothing outside this console knows, how many requests wait, and what is in force. When not all
 * of that fits, hints give way first; policy, sandbox and the count stay. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/awaiting.h"
#include "ui/console_int.h"
#include "ui/operator_agents.h"
#include "ui/overlay_approval.h"
#include "ui/view.h"

#define STOPPED_MS 1000 /* so long a count of stopped agents holds */

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

/* Whether the row has words for panes that wait: requests, and where the keys are, go first. */
static bool tells_of_panes(const struct console *console)
{
    return !console->keyboard_in_pane && console->overlay == NULL && console_waiting(console) == 0;
}

/* "1 pane waits: F12": that key where it leads there, else the one that selects. */
static char *awaiting_hint(const struct console *console, bool brief)
{
    uint64_t first;
    size_t count = awaiting_count(console, &first);
    const struct pane *pane = console_selected_pane(console);
    bool there = pane != NULL && awaiting_is(pane);
    char key[24];

    if (count == 0)
        return NULL;
    keymap_key(&console->keymap,
               there || awaiting_next(console) != 0 ? ACTION_ENTER_PANE : ACTION_PREVIOUS_CALL,
               key);
    return brief ? xasprintf(_("waits: %s"), key)
                 : xasprintf(P_("%zu pane waits: %s", "%zu panes wait: %s", count), count, key);
}

/* What to press while the keyboard is elsewhere: the key alone, or what it does as well. */
static char *hint(const struct console *console, bool brief)
{
    char key[24];
    size_t waiting = console_waiting(console);

    if (console->keyboard_in_pane) {
        keymap_key(&console->keymap, ACTION_LEAVE_PANE, key);
        if (brief)
            return waiting > 0 ? xstrdup(key) : xasprintf(_("%s leaves"), key);
        return xasprintf(_("%s leaves the pane"), key);
    }
    if (waiting > 0 && overlay_approval_is_covered(console)) {
        keymap_key(&console->keymap, console->overlay->class->reading, key);
        return brief ? xstrdup(key) : xasprintf(_("%s closes this"), key);
    }
    if (console->overlay == NULL && waiting > 0) {
        keymap_key(&console->keymap, ACTION_ANSWER, key);
        return brief ? xstrdup(key) : xasprintf(_("%s answers"), key);
    }
    return tells_of_panes(console) ? awaiting_hint(console, brief) : NULL;
}

/* What gives way, one after the other, until the rest fits; what there is room for then comes back.
 * What commands may reach stays as long as words can be spared for it; what to press stays longer.
 */
enum brevity {
    BREVITY_REQUEST, /* a shorter word for requests that wait */
    BREVITY_RUN,     /* a shorter word for how many calls run */
    BREVITY_NETWORK, /* one for the network */
    BREVITY_TIP_KEY, /* what to press without what it does */
    BREVITY_KEYS,    /* "keys:" */
    BREVITY_SINCE,   /* since when requests wait: the colour tells that it is long */
    BREVITY_STOPPED, /* what it is that is stopped */
    BREVITY_NO_NETWORK,
    BREVITY_RESUME, /* what resumes: the message that said so may have gone */
    BREVITY_THAW,   /* what thaws: while nothing runs, that is what is looked for */
    BREVITY_TIP,    /* what to press */
    BREVITIES,
};
#define BRIEF(what) (1U << BREVITY_##what)

struct parts {
    char *keys, *frozen, *stopped, *record, *waiting, *tip, *running, *force; /* owned; or "" */
};

static void parts_free(struct parts *parts)
{
    free(parts->keys);
    free(parts->frozen);
    free(parts->stopped);
    free(parts->record);
    free(parts->waiting);
    free(parts->tip);
    free(parts->running);
    free(parts->force);
}

static const char *network_word(const struct sandbox_policy *sandbox, bool brief)
{
    if (sandbox->network || sandbox->mode == SANDBOX_DANGER_FULL_ACCESS)
        return brief ? _("net on") : _("network on");
    if (sandbox->network_asks)
        return brief ? _("net asks") : _("network asks");
    return brief ? _("net off") : _("network off");
}

/* Policy, sandbox and network of the calls that come next. */
static char *in_force(const struct console *console, unsigned brief)
{
    const struct turn_context *context = console->setup.session->context;
    const char *dot = theme_glyph(console->theme, GLYPH_DOT);
    const char *policy = approval_policy_name(context->approval.kind);
    const char *mode = sandbox_mode_name(context->sandbox->mode);

    if ((brief & BRIEF(NO_NETWORK)) != 0)
        return xasprintf("%s %s %s", policy, dot, mode);
    return xasprintf("%s %s %s %s %s", policy, dot, mode, dot,
                     network_word(context->sandbox, (brief & BRIEF(NETWORK)) != 0));
}

/* Is it in force that nothing holds commands, or that nobody is asked? */
static bool is_daring(const struct console *console)
{
    const struct turn_context *context = console->setup.session->context;

    return !sandbox_policy_is_restricted(context->sandbox) ||
           context->approval.kind == APPROVAL_NEVER;
}

static char *frozen_text(const struct console *console, unsigned brief)
{
    char key[24];

    if (!orchestrator_is_frozen(console->setup.orchestrator))
        return xstrdup("");
    if ((brief & BRIEF(THAW)) != 0)
        return xstrdup(_(" FROZEN "));
    keymap_key(&console->keymap, ACTION_FREEZE, key);
    return xasprintf((brief & BRIEF(TIP_KEY)) != 0 ? _(" FROZEN: %s ") : _(" FROZEN: %s goes on "),
                     key);
}

/* Of processes it is not known how many agents they are, and of both together it is not said. */
static char *stopped_count(const struct operator_stops *stops, bool brief)
{
    size_t count = stops->agents + stops->trees;

    if (brief || (stops->agents > 0 && stops->trees > 0))
        return xasprintf(_("%zu stopped"), count);
    return stops->trees > 0
               ? xasprintf(P_("%zu process tree stopped", "%zu process trees stopped", count),
                           count)
               : xasprintf(P_("%zu agent stopped", "%zu agents stopped", count), count);
}

static bool is_any_stopped(const struct console *console)
{
    return console->stops.found.agents + console->stops.found.trees > 0;
}

/* Whom the operator has stopped, which nothing else on a small screen tells. Their names are words
 * of their own, and have no place in this row. */
static char *stopped_text(const struct console *console, unsigned brief)
{
    const struct operator_stops *stops = &console->stops.found;
    size_t stopped = stops->agents + stops->trees;
    cleanup_free char *count = NULL;

    if (!is_any_stopped(console))
        return xstrdup("");
    count = stopped_count(stops, (brief & BRIEF(STOPPED)) != 0);
    if ((brief & BRIEF(RESUME)) != 0)
        return xasprintf(" %s ", count);
    if ((brief & BRIEF(TIP_KEY)) != 0)
        return xasprintf(_(" %s: :resume "), count);
    return xasprintf(stopped > 1 ? _(" %s, :resume AGENT ") : _(" %s, :resume "), count);
}

static size_t count_running(const struct console *console)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    size_t running = 0;
    uint64_t first;
    size_t told = tells_of_panes(console) ? awaiting_count(console, &first) : 0;

    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        running += call->state == CALL_RUNNING && !call->frozen && call->reach == NULL ? 1 : 0;
    }
    return running > told ? running - told : 0; /* those are told of beside */
}

/* "2 requests wait: F2 answers", and since when once that is too long. */
static char *waiting_text(const struct console *console, const char *tip, unsigned brief)
{
    int minutes = (int)(vigil_overdue_ms(console->vigil) / MINUTE_MS);
    size_t waiting = console_waiting(console);
    cleanup_free char *since = NULL;

    if (waiting == 0)
        return xstrdup("");
    if (minutes > 0 && (brief & BRIEF(SINCE)) == 0)
        since = xasprintf(waiting > 1 ? _(", oldest %d min") : _(" for %d min"), minutes);
    else
        since = xstrdup("");
    if (tip == NULL || (brief & BRIEF(TIP)) != 0)
        return xasprintf((brief & BRIEF(REQUEST)) != 0
                             ? _(" %zu waiting%s ")
                             : P_(" %zu request waits%s ", " %zu requests wait%s ", waiting),
                         waiting, since);
    return xasprintf((brief & BRIEF(REQUEST)) != 0
                         ? _(" %zu waiting%s: %s ")
                         : P_(" %zu request waits%s: %s ", " %zu requests wait%s: %s ", waiting),
                     waiting, since, tip);
}

static char *running_text(size_t running, unsigned brief)
{
    if (running == 0)
        return xstrdup("");
    return xasprintf((brief & BRIEF(RUN)) != 0 ? P_(" %zu runs ", " %zu run ", running)
                                               : _(" %zu running "),
                     running);
}

static void make_parts(struct console *console, unsigned brief, size_t running, struct parts *parts)
{
    cleanup_free char *where = where_keys_go(console);
    cleanup_free char *tip = hint(console, (brief & BRIEF(TIP_KEY)) != 0);
    bool tip_apart = tip != NULL && console_waiting(console) == 0 && (brief & BRIEF(TIP)) == 0;

    *parts = (struct parts){
        .keys = xasprintf((brief & BRIEF(KEYS)) != 0 ? " %s %s " : _(" %s keys: %s "),
                          console->mark, where),
        .frozen = frozen_text(console, brief),
        .stopped = stopped_text(console, brief),
        .record = xstrdup(console->record_fails ? _(" no record ") : ""),
        .waiting = waiting_text(console, tip, brief),
        .tip = tip_apart ? xasprintf(" %s ", tip) : xstrdup(""),
        .running = running_text(running, brief),
        .force = in_force(console, brief),
    };
}

static int width(const char *text)
{
    return (int)text_width(text, strlen(text));
}

static int parts_width(const struct parts *parts)
{
    return width(parts->keys) + width(parts->frozen) + width(parts->stopped) +
           width(parts->record) + width(parts->waiting) + width(parts->tip) +
           width(parts->running) + 1 + width(parts->force);
}

/* In a row that is too narrow for what is in force that is cut, and not the key that leads out. */
static bool fits(const struct parts *parts, unsigned brief, int columns)
{
    int wanted = parts_width(parts);

    if (columns < LAYOUT_COLUMNS_MIN && (brief & BRIEF(TIP_KEY)) != 0 && *parts->running == '\0')
        wanted -= width(parts->force);
    return wanted <= columns;
}

static bool fits_as(struct console *console, unsigned brief, size_t running, int columns)
{
    struct parts parts;
    bool fitting;

    make_parts(console, brief, running, &parts);
    fitting = fits(&parts, brief, columns);
    parts_free(&parts);
    return fitting;
}

static void choose_parts(struct console *console, int columns, struct parts *parts)
{
    size_t running = count_running(console);
    unsigned brief = 0, count = 0;

    while (!fits_as(console, brief, running, columns) && count < BREVITIES) {
        /* How many run is left out, and not a key: then the rest may have its words again. But
         * beside who is stopped it would be missed: all would seem to be. */
        unsigned last = is_any_stopped(console) ? BRIEF(STOPPED) : BRIEF(TIP_KEY);
        bool without = running > 0 && (brief & last) != 0;

        brief = without ? 0 : brief | 1U << count;
        count = without ? 0 : count + 1;
        running = without ? 0 : running;
    }
    while (count-- > 0)
        if (fits_as(console, brief & ~(1U << count), running, columns))
            brief &= ~(1U << count);
    make_parts(console, brief, running, parts);
}

/* Each tree costs a look at its processes: once a second is enough for what ends by itself. */
static void count_stopped(struct console *console)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    int64_t now = loop_now_ms(console->setup.loop);
    size_t noted = 0;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        const struct session *session = orchestrator_session_at(orchestrator, i);

        noted += session->ended ? 0
                                : session->stopped + session->stopped_tree_count +
                                      strv_length((const char *const *)session->stopped_names);
    }
    if (noted == console->stops.noted && now - console->stops.ms < STOPPED_MS)
        return;
    console->stops.noted = noted;
    console->stops.found =
        noted > 0 ? operator_agents_stopped(orchestrator) : (struct operator_stops){0};
    console->stops.ms = now;
}

void view_status_draw(struct console *console)
{
    struct rect rect = console->layout.status;
    const struct theme *theme = console->theme;
    /* The whole row tells that everything is frozen. */
    enum theme_element row =
        orchestrator_is_frozen(console->setup.orchestrator) ? THEME_STATUS_WARNING : THEME_STATUS;
    struct parts parts;
    int column;

    count_stopped(console);
    choose_parts(console, rect.columns, &parts);
    render_fill(theme, rect, row);
    column = render_string(theme, rect, 0, THEME_STATUS_KEYS, parts.keys);
    column = render_string(theme, rect, column, THEME_STATUS_WARNING, parts.frozen);
    column = render_string(theme, rect, column, THEME_STATUS_WARNING, parts.stopped);
    column = render_string(theme, rect, column, THEME_STATUS_WAITING, parts.record);
    column = render_string(theme, rect, column,
                           vigil_overdue_ms(console->vigil) > 0 ? THEME_STATUS_WARNING
                                                                : THEME_STATUS_WAITING,
                           parts.waiting);
    column = render_string(theme, rect, column, row, parts.tip);
    column = render_string(theme, rect, column, row, parts.running);
    render_cut(theme, rect, column + 1, rect.columns - column - 1,
               is_daring(console) ? THEME_STATUS_WARNING : row, parts.force);
    parts_free(&parts);
}
