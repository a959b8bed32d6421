/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/details.h"

/* ---- calls ----------------------------------------------------------------------------------- */

struct call *operator_named_call(const struct desk *desk, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    char *rest;
    uint64_t number = strtoull(digits, &rest, 10);
    bool names = rest[strspn(rest, " ")] == '\0'; /* and nothing else: "c4x", "c4 c5" */
    struct call *call = NULL;

    if (*argument == '\0')
        call = desk->voice->selected(desk->console);
    else if (names)
        call = orchestrator_find_call(desk->orchestrator, number);
    if (call == NULL)
        desk_remark(desk, THEME_FAILED, "%s", _("there is no such call"));
    return call;
}

const struct call *operator_asking_call(const struct desk *desk, const char *argument)
{
    const struct call *call = operator_named_call(desk, argument);
    struct call_standing standing;

    if (call == NULL || call->prompt != NULL)
        return call;
    standing = desk->voice->standing(desk->console, call);
    if (orchestrator_waits(call))
        desk_remark(desk, THEME_DIM, _("c%" PRIu64 " is not asked about yet: %s"), call->id,
                    standing.words);
    else
        desk_remark(desk, THEME_FAILED, _("c%" PRIu64 " asks nothing now: %s"), call->id,
                    standing.words);
    free(standing.words);
    return NULL;
}

void operator_stop_call(const struct desk *desk, struct call *call)
{
    if (call->state == CALL_FINISHED)
        desk_remark(desk, THEME_DIM, _("c%" PRIu64 " has finished already"), call->id);
    else
        orchestrator_cancel(desk->orchestrator, call, CANCELLED_BY_OPERATOR, STOPPED_BY_OPERATOR);
}

void operator_show(const struct desk *desk, const char *argument)
{
    const struct call *call = operator_named_call(desk, argument);
    struct document text = {0};
    cleanup_free char *title = NULL;
    struct call_standing standing;

    if (call == NULL)
        return;
    title = xasprintf(_("Call c%" PRIu64), call->id);
    standing = desk->voice->standing(desk->console, call);
    details_call(&text, call, &standing);
    free(standing.words);
    desk_show(desk, title, &text);
}

/* ---- what was decided ------------------------------------------------------------------------ */

/* Takes back what was granted with the answer to that call; false when nothing was. */
static bool revoke_answer(struct orchestrator *orchestrator, uint64_t call)
{
    bool any = false;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);

        for (size_t j = grants_count(session->grants); j-- > 0;) {
            const struct grant *grant = grants_at(session->grants, j);

            if (grant->call == call)
                any = orchestrator_revoke(orchestrator, session, grant->id) || any;
        }
    }
    return any;
}

void operator_revoke(const struct desk *desk, const char *argument)
{
    uint64_t call = strtoull(*argument == 'c' ? argument + 1 : argument, NULL, 10);

    if (revoke_answer(desk->orchestrator, call))
        desk_say(desk, NULL, THEME_STRONG, _("your answer to c%" PRIu64 " is taken back"), call);
    else
        desk_remark(desk, THEME_FAILED, "%s", _("there is no such approval (:grants)"));
}

static void forget_all(const struct desk *desk)
{
    for (size_t i = 0; i < orchestrator_session_count(desk->orchestrator); i++)
        orchestrator_forget_denials(desk->orchestrator,
                                    orchestrator_session_at(desk->orchestrator, i));
    desk_say(desk, NULL, THEME_STRONG, "%s", _("what you denied may be asked again"));
}

void operator_forget(const struct desk *desk, const char *argument)
{
    const struct call *call;

    if (strcmp(argument, "all") == 0) {
        forget_all(desk);
        return;
    }
    call = operator_named_call(desk, argument);
    if (call == NULL)
        return;
    if (orchestrator_forget_denial(desk->orchestrator, call))
        desk_say(desk, NULL, THEME_STRONG, _("what c%" PRIu64 " asked for may be asked again"),
                 call->id);
    else
        desk_remark(desk, THEME_FAILED, _("c%" PRIu64 " was not denied by you"), call->id);
}
