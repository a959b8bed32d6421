/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_undo.h"

#include <inttypes.h>
#include <string.h>

#include "approval/decision_words.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/rules_text.h"

#define COMMAND_COLUMNS 60 /* of what was asked */
#define NAMED_MAX 6        /* calls that one answer was for */

static char *rule_text(const struct undo *undo)
{
    cleanup_free char *subject = rules_text_subject(undo->what);

    return undo->call != 0 ? xasprintf(_("%s (rule of c%" PRIu64 ")"), subject, undo->call)
                           : xasprintf(_("%s (rule)"), subject);
}

/* Which answer it is: of which call, what was said, and what was asked, of which there may be more
 * than there is room for. */
static char *undo_text(const struct desk *desk, const struct undo *undo)
{
    cleanup_free char *command = NULL;
    cleanup_free char *lease = NULL;

    if (undo->kind == UNDO_RULE)
        return rule_text(undo);
    command = text_line_as(undo->what, strlen(undo->what), COMMAND_COLUMNS, desk->row_flags);
    if (undo->kind == UNDO_PATH)
        return xasprintf(_("c%" PRIu64 ", writing %s: %s"), undo->call, undo->path, command);
    if (undo->kind == UNDO_DENIAL)
        return xasprintf(_("c%" PRIu64 ", denied: %s"), undo->call, command);
    lease = decision_words_lease(&undo->lease, undo->host);
    return xasprintf(_("c%" PRIu64 ", allowed %s: %s"), undo->call, lease, command);
}

/* What was allowed for once can be stopped as long as it has not ended. */
static bool tell_stop(const struct desk *desk, uint64_t id)
{
    const struct call *call = orchestrator_find_call(desk->orchestrator, id);
    bool allowed = call != NULL && review_kind_approves(call->decision.kind);

    if (!allowed || call->state == CALL_FINISHED)
        return false;
    desk_remark(desk, THEME_STRONG,
                _("you allowed c%" PRIu64 " for once, and it has not ended: :stop c%" PRIu64
                  " stops it; :undo once more goes on to the answer before"),
                id, id);
    return true;
}

static void tell_once(const struct desk *desk, uint64_t call)
{
    cleanup_free char *text = NULL;
    struct undo next;

    if (tell_stop(desk, call))
        return;
    orchestrator_next_undo(desk->orchestrator, &next);
    if (next.kind == UNDO_NOTHING) {
        desk_remark(desk, THEME_DIM,
                    _("you answered c%" PRIu64 " for once: nothing to take back, and nothing that "
                      "you answered before holds any more"),
                    call);
        return;
    }
    text = undo_text(desk, &next);
    desk_remark(desk, THEME_STRONG,
                _("you answered c%" PRIu64 " for once: nothing to take back; :undo once more takes "
                  "back: %s"),
                call, text);
    undo_clear(&next);
}

void operator_undo_tell(const struct desk *desk, const struct undo *undo)
{
    cleanup_free char *text = undo_text(desk, undo);

    if (undo->kind == UNDO_PATH)
        desk_say(desk, NULL, THEME_STRONG,
                 _("taken back for this session: %s; from now on the sandbox stops it there"),
                 text);
    else if (undo->kind == UNDO_DENIAL)
        desk_say(desk, NULL, THEME_STRONG, _("taken back: %s; from now on that may be asked again"),
                 text);
    else
        desk_say(desk, NULL, THEME_STRONG,
                 _("taken back: %s; from now on that is asked about again"), text);
}

static bool is_next(const struct desk *desk, uint64_t together)
{
    struct undo next;
    bool is;

    orchestrator_next_undo(desk->orchestrator, &next);
    is = together != 0 && next.together == together;
    undo_clear(&next);
    return is;
}

/* One answer to several requests is taken back as one. What cannot be still holds. */
static void take_rest_back(const struct desk *desk, const struct undo *first)
{
    cleanup_strbuf struct strbuf calls = STRBUF_INIT;
    struct error error = ERROR_INIT;
    struct undo undo;
    size_t count = 1;
    int result = 0;

    strbuf_addf(&calls, "c%" PRIu64, first->call);
    while (is_next(desk, first->together) &&
           (result = orchestrator_undo(desk->orchestrator, &undo, &error)) == 0) {
        if (count++ < NAMED_MAX)
            strbuf_addf(&calls, ", c%" PRIu64, undo.call);
        undo_clear(&undo);
    }
    if (count > NAMED_MAX)
        strbuf_addf(&calls, _(" and %zu more"), count - NAMED_MAX);
    if (count == 1)
        operator_undo_tell(desk, first);
    else
        desk_say(desk, NULL, THEME_STRONG,
                 first->kind == UNDO_DENIAL
                     ? _("taken back, denied with one answer: %s; from now on they may be asked "
                         "again")
                     : _("taken back, allowed with one answer: %s; from now on they are asked "
                         "about again"),
                 strbuf_str(&calls));
    if (result < 0)
        desk_remark(desk, THEME_FAILED, "%s", error.message);
}

void operator_undo(const struct desk *desk, const char *argument)
{
    struct undo undo;
    struct error error = ERROR_INIT;

    (void)argument;
    if (orchestrator_undo(desk->orchestrator, &undo, &error) < 0)
        desk_remark(desk, THEME_FAILED, "%s", error.message);
    else if (undo.kind == UNDO_NOTHING)
        desk_remark(desk, THEME_DIM, "%s", _("nothing that you answered holds any more"));
    else if (undo.kind == UNDO_ONCE)
        tell_once(desk, undo.call);
    else
        take_rest_back(desk, &undo);
    undo_clear(&undo);
}
