/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/details_view.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/details.h"
#include "ui/overlay_full.h"
#include "ui/standing.h"

void details_show_request(struct console *console, uint64_t id, const struct lease *lease,
                          const struct details_seen *seen)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, id);
    struct document text = {0};
    char end[24];
    const struct details_answers answers = {lease, keymap_key(&console->keymap, ACTION_ABORT, end)};
    cleanup_free char *title = NULL;

    if (call == NULL || call->prompt == NULL)
        return;
    title = xasprintf(_("%s: everything about c%" PRIu64), console->mark, id);
    details_request(&text, console->setup.orchestrator, call, &answers,
                    !theme_unicode(console->theme), seen);
    overlay_push(console, overlay_full_new(title, &text));
}

void details_show_paneless(struct console *console, const struct call *call, const char *search)
{
    struct call_standing standing = standing_of(console, call);
    struct document text = {0};
    cleanup_free char *title = xasprintf(_("Call c%" PRIu64 ", which has no pane"), call->id);
    struct overlay *view;

    details_call(&text, call, &standing);
    free(standing.words);
    view = overlay_full_new(title, &text);
    if (search != NULL && *search != '\0')
        overlay_full_find(view, search);
    overlay_push(console, view);
}

void details_show_trail(struct console *console)
{
    struct document text = {0};
    struct overlay *view;

    details_trail(&text, console->setup.orchestrator, console->trail);
    view = overlay_full_new(_("What was decided so far"), &text);
    overlay_full_to_end(view);
    overlay_push(console, view);
}
