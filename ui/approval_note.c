/* SPDX-License-Identifier: MIT */
/* approval_note: the row between the facts of a request and the answers to it. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/approval_plan.h"
#include "ui/approval_words.h"
#include "ui/console_int.h"
#include "ui/overlay_approval_int.h"

#define SECOND_MS 1000
#define GAP_COLUMNS 1 /* between two texts of a row, beside those that they have */

char *approval_note_lease_keys(const struct approval *approval, const struct console *console)
{
    const struct lease_place place = approval_lease_place(approval);
    char session[24], kind[24], back[24], longer[24], shorter[24];

    keymap_key(&console->keymap, ACTION_APPROVE_SESSION, session);
    keymap_key(&console->keymap, ACTION_LEASE_KIND, kind);
    keymap_key(&console->keymap, ACTION_LEASE_BACK, back);
    if (approval->lease.kind == LEASE_CALL)
        return xasprintf(_("How long %s holds (%zu of %zu): %s another limit, %s back"), session,
                         place.at + 1, place.of, kind, back);
    keymap_key(&console->keymap, ACTION_LEASE_LONGER, longer);
    keymap_key(&console->keymap, ACTION_LEASE_SHORTER, shorter);
    return xasprintf(approval->content.untold
                         ? _("For all agents, %s holds (%zu of %zu): %s another limit, %s back, "
                             "%s more, %s less")
                         : _("How long %s holds (%zu of %zu): %s another limit, %s back, %s more, "
                             "%s less"),
                     session, place.at + 1, place.of, kind, back, longer, shorter);
}

/* Takes the words over. */
static void add_to_legend(struct strbuf *legend, char *words)
{
    strbuf_addf(legend, "%s%s", legend->length > 0 ? "   " : "", words);
    free(words);
}

static char *how_long(const struct console *console, enum action key, enum action answer)
{
    char by[24], of[24];

    keymap_key(&console->keymap, key, by);
    return xasprintf(_("%s: how long %s holds"), by, keymap_key(&console->keymap, answer, of));
}

/* Whom a path for the session is for, and what takes that back: beside the path the answer itself
 * may have no room to say so. */
static char *alone_text(const struct console *console)
{
    char key[24], back[24];

    keymap_key(&console->keymap, ACTION_PATH_LASTS, back);
    return xasprintf(_("%s holds for this very command, session; %s: once"),
                     keymap_key(&console->keymap, ACTION_APPROVE_PATH, key), back);
}

/* The mark behind the keys of some answers; NULL: none has it. */
static char *enter_text(const struct approval *approval, const struct console *console)
{
    for (size_t i = 0; i < approval->option_count; i++)
        if (approval_needs_confirmation(approval, approval->options[i]))
            return xasprintf(_("%s: the key, then Enter"),
                             theme_glyph(console->theme, GLYPH_ENTER));
    return NULL;
}

/* How long the answer for the session holds gives way to what the operator has just set. */
static void add_session_length(struct strbuf *legend, const struct approval *approval,
                               const struct console *console, int columns)
{
    size_t before = legend->length;

    add_to_legend(legend, how_long(console, ACTION_LEASE_KIND, ACTION_APPROVE_SESSION));
    if (approval->path_lasts && (int)text_width(legend->data, legend->length) > columns) {
        legend->length = before;
        legend->data[before] = '\0';
    }
}

/* What stands in short behind the keys of the answers, while nothing else is to be said. Beside a
 * long path there may be no room for more in one column, either. */
static char *legend_text(const struct approval *approval, const struct console *console,
                         bool narrow, int columns)
{
    struct strbuf text = STRBUF_INIT;
    char *enter = enter_text(approval, console);

    if (enter != NULL)
        add_to_legend(&text, enter);
    if (approval->path_lasts)
        add_to_legend(&text, alone_text(console));
    else if (approval->content.path_may_last)
        add_to_legend(&text, how_long(console, ACTION_PATH_LASTS, ACTION_APPROVE_PATH));
    if (narrow && approval->content.may_approve_for_session)
        add_session_length(&text, approval, console, columns);
    return strbuf_steal(&text);
}

/* Nor for those that allow the next connections of a command. */
static char *connection_keys(const struct approval *approval, const struct console *console)
{
    char once[24], kind[24], session[24];

    keymap_key(&console->keymap, ACTION_APPROVE, once);
    keymap_key(&console->keymap, ACTION_LEASE_KIND, kind);
    keymap_key(&console->keymap, ACTION_APPROVE_SESSION, session);
    return xasprintf(
        _("%s: this time only. %s, then %s: c%" PRIu64 " alone may connect there unasked"), once,
        kind, session, approval->lease_call);
}

/* What ends is told by number: it is somebody else's. */
static char *ends_text(const struct approval *approval, const struct console *console, int columns)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    const struct call *call = orchestrator_find_call(orchestrator, approval->call);
    const char *frame = _(" Enter: deny, and end %s");
    int used = (int)text_width(frame, strlen(frame)) - 2;
    cleanup_free char *calls = NULL;

    if (call != NULL)
        calls = approval_words_ends(orchestrator, call, approval->ends.last, &approval->ends,
                                    columns - used);
    return calls != NULL ? xasprintf(_(" Enter: deny, and end %s"), calls) : NULL;
}

/* A yes for the session is not only to what is read here. */
static bool lasts(const struct approval *approval)
{
    return approval->armed == ACTION_APPROVE_SESSION && approval->content.risk == RISK_HIGH &&
           approval->content.for_call == 0;
}

static char *confirm_text(const struct approval *approval, const struct console *console,
                          int columns)
{
    const char *frame = lasts(approval) ? _(" Enter confirms: %s; later runs go unasked")
                                        : _(" Enter confirms: %s");
    struct approval_content shown = approval->content; /* borrows all that it points to */
    cleanup_free char *ends = NULL, *answer = NULL;

    if (approval->armed == ACTION_ABORT) {
        ends = ends_text(approval, console, columns);
        shown.ends = approval->ends;
    }
    if (ends != NULL)
        return steal_pointer(&ends);
    answer = approval_words_answer(&shown, approval->armed, &approval->lease,
                                   columns - ((int)text_width(frame, strlen(frame)) - 2));
    return lasts(approval) ? xasprintf(_(" Enter confirms: %s; later runs go unasked"), answer)
                           : xasprintf(_(" Enter confirms: %s"), answer);
}

/* For how many seconds more it waits, and what else takes it back: that gives way before any of
 * what is confirmed does. */
static char *lapse_text(int seconds, int columns)
{
    char *text = xasprintf(_(" any other key: back (%d s) "), seconds);

    if ((int)text_width(text, strlen(text)) > columns) {
        free(text);
        text = xasprintf(_(" other keys: back (%d s) "), seconds);
    }
    if ((int)text_width(text, strlen(text)) > columns) {
        free(text);
        text = xasprintf(_(" %d s "), seconds);
    }
    return text;
}

/* What waits for Enter. */
static void draw_confirm(const struct approval *approval, const struct console *console,
                         struct rect row)
{
    const struct theme *theme = console->theme;
    int64_t left_ms = approval->armed_ms + APPROVAL_CONFIRM_MS - loop_now_ms(console->setup.loop);
    int seconds = (int)((left_ms + SECOND_MS - 1) / SECOND_MS);
    cleanup_free char *least = lapse_text(seconds, 0);
    int columns = row.columns - (int)text_width(least, strlen(least));
    cleanup_free char *text = confirm_text(approval, console, columns);
    int rest = row.columns - (int)text_width(text, strlen(text)) - GAP_COLUMNS;
    cleanup_free char *left = lapse_text(seconds, rest);

    render_fill(theme, row, THEME_STATUS_WAITING);
    render_cut(theme, row, 0, columns, THEME_STATUS_WAITING, text);
    render_right(theme, row, THEME_STATUS_WAITING, left);
}

/* Which request this came up instead of. Whoever takes it for that one may not know that it takes
 * another key. */
static void draw_aside(const struct approval *approval, const struct console *console,
                       struct rect row, const char *aside)
{
    cleanup_free char *enter = enter_text(approval, console);
    int columns = (int)text_width(aside, strlen(aside)) + GAP_COLUMNS;

    render_cut(console->theme, row, 0, row.columns, THEME_WARNING, aside);
    if (enter != NULL && columns + (int)text_width(enter, strlen(enter)) <= row.columns)
        render_right(console->theme, row, THEME_OVERLAY_DIM, enter);
}

/* What the operator has just set by a key is news to them. */
static bool has_set(const struct approval *approval)
{
    return approval->path_lasts || approval->lease.kind != LEASE_SESSION;
}

bool approval_note_draw(const struct approval *approval, struct console *console,
                        const struct approval_plan *plan, struct rect row, bool told)
{
    const struct theme *theme = console->theme;
    cleanup_free char *text = NULL;
    cleanup_free char *aside = after_request_words(console, &approval->instead_of, approval->call);

    if (approval->armed != ACTION_NONE) {
        draw_confirm(approval, console, row);
    } else if (approval->note != NULL) {
        render_cut(theme, row, 0, row.columns, THEME_WARNING, approval->note);
    } else if (approval->reading && !approval->changed &&
               approval->reading_ms > approval->guard_ms) {
        text = xasprintf(_("You allowed %u in a row quickly: let go, and read this one first."),
                         approval->instead_of.hasty);
        render_cut(theme, row, 0, row.columns, THEME_WARNING, text);
    } else if (approval->content.replaced > 0) {
        text = xasprintf(P_("%zu character cannot be shown as it is; a mark <...> stands for it.",
                            "%zu characters are shown by marks, <...> or [...], not as they are.",
                            approval->content.replaced),
                         approval->content.replaced);
        render_cut(theme, row, 0, row.columns, THEME_WARNING, text);
    } else if (approval->content.look_alikes) {
        render_cut(theme, row, 0, row.columns, THEME_WARNING,
                   _("A word mixes letters of different alphabets that look alike."));
    } else if (!approval->scripts_read) {
        char note[240];

        approval_say_script_first(note, sizeof(note), console);
        render_cut(theme, row, 0, row.columns, THEME_WARNING, note);
    } else if (aside != NULL && !told && !has_set(approval)) {
        draw_aside(approval, console, row, aside);
    } else if (approval->chosen != NULL) {
        render_cut(theme, row, 0, row.columns, THEME_WARNING, approval->chosen);
    } else if (approval->lease.kind != LEASE_SESSION && plan->arrangement->option_columns > 1) {
        text = approval_note_lease_keys(approval, console);
        render_cut(theme, row, 0, row.columns, THEME_OVERLAY_DIM, text);
    } else if (approval_has_next_connections(approval) && plan->arrangement->option_columns > 1) {
        text = connection_keys(approval, console);
        render_cut(theme, row, 0, row.columns, THEME_OVERLAY_DIM, text);
    } else {
        text = legend_text(approval, console, plan->arrangement->option_columns > 1, row.columns);
        render_cut(theme, row, 0, row.columns, THEME_OVERLAY_DIM, text);
        return (int)text_width(text, strlen(text)) <= row.columns;
    }
    return false;
}
