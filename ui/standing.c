/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/standing.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"

#define HOST_COLUMNS 60

/* The host that the command waits for, until the operator has answered; NULL when it does not. */
static const struct reach *awaited(const struct orchestrator *orchestrator, const struct call *call)
{
    if (call->state != CALL_RUNNING)
        return NULL;
    for (size_t i = 0; i < orchestrator_waiting_count(orchestrator); i++) {
        const struct call *other = orchestrator_waiting_at(orchestrator, i);

        if (other->reach != NULL && other->prompt != NULL && other->reach->command == call->id)
            return other->reach;
    }
    return NULL;
}

struct call_standing standing_beside(const struct orchestrator *orchestrator,
                                     const struct call *call, bool aside)
{
    struct call_standing standing = call_text_standing(call);
    const struct reach *reach = awaited(orchestrator, call);

    if (aside) {
        free(standing.words);
        standing.words = xstrdup(_("put aside"));
    } else if (orchestrator_waits(call) && call->prompt == NULL) { /* for room to be asked */
        free(standing.words);
        standing = (struct call_standing){GLYPH_ASKING, THEME_ASKING, xstrdup(_("behind others"))};
    } else if (reach != NULL && !call->frozen) {
        cleanup_free char *host = text_line(reach->host, strlen(reach->host), HOST_COLUMNS);

        free(standing.words);
        standing = (struct call_standing){GLYPH_ASKING, THEME_ASKING,
                                          xasprintf(_("waiting for %s"), host)};
    }
    return standing;
}

struct call_standing standing_of(const struct console *console, const struct call *call)
{
    bool aside = call->prompt != NULL && approval_queue_is_aside(console, call->prompt->id);
    const struct pane *pane = pane_set_find(&console->panes, call->id);
    struct call_standing standing = standing_beside(console->setup.orchestrator, call, aside);

    if (standing.glyph == GLYPH_RUNNING && pane != NULL && (pane->secret || pane->awaits)) {
        free(standing.words);
        standing = (struct call_standing){
            GLYPH_ASKING, THEME_ASKING,
            xstrdup(pane->secret ? _("waits for a password") : _("waits for input?"))};
    }
    return standing;
}
