/* SPDX-License-Identifier: MIT */
/* sessions: agents come, change what they run under, and go. */
#include "config.h"

#include <stdlib.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"

struct session *orchestrator_open_session(struct orchestrator *orchestrator,
                                          enum session_origin origin, const char *name,
                                          pid_t peer_pid, const char *peer_exe,
                                          struct turn_context *context)
{
    struct session *session =
        session_new(origin, name, peer_pid, peer_exe, context, loop_clock(orchestrator->loop));
    /* Whoever is denied there could come again as a child of nobody's. */
    if (origin == SESSION_DEFAULT)
        session->denials = &orchestrator->plain_denials;
    leases_watch(orchestrator, session);
    orchestrator->sessions = xreallocarray(orchestrator->sessions, orchestrator->session_count + 1,
                                           sizeof(*orchestrator->sessions));
    orchestrator->sessions[orchestrator->session_count++] = session;
    announce(orchestrator, session_started, session);
    undo_note_restored(orchestrator, session);
    return session;
}

void orchestrator_close_session(struct orchestrator *orchestrator, struct session *session)
{
    session->closing = true;
    for (size_t i = 0; i < orchestrator->open_count; i++)
        if (orchestrator->open[i]->call.session == session)
            orchestrator_cancel(orchestrator, &orchestrator->open[i]->call, CANCELLED_BY_CLIENT,
                                N_("the session ended"));
    loop_wake(orchestrator->loop);
}

void orchestrator_set_context(struct orchestrator *orchestrator, struct session *session,
                              struct turn_context *context)
{
    turn_context_ref(context);
    turn_context_unref(&session->context);
    session->context = context;
    announce(orchestrator, context_changed, session);
}

static void note_taken_back(const struct orchestrator *orchestrator, uint64_t call)
{
    struct call_entry *denied = entry_find(orchestrator, call);
    if (denied != NULL)
        denied->call.decision.taken_back = true;
}

void orchestrator_forget_denials(struct orchestrator *orchestrator, struct session *session)
{
    bool any = session->denials->count > 0;
    for (size_t i = 0; i < session->denials->count; i++)
        note_taken_back(orchestrator, session->denials->items[i].call);
    session_forget_denials(session);
    if (!any)
        return;
    orchestrator->recheck = true;
    loop_wake(orchestrator->loop);
    orchestrator_notice(orchestrator, NOTICE_OPERATOR, "%s", FORGOT_ALL);
}

void sessions_tell_forgotten(struct orchestrator *orchestrator, uint64_t call)
{
    note_taken_back(orchestrator, call);
    orchestrator->recheck = true; /* it may be a part of what waits */
    loop_wake(orchestrator->loop);
    orchestrator_notice(orchestrator, NOTICE_OPERATOR, FORGOT_DENIAL "%llu",
                        (unsigned long long)call);
}

bool orchestrator_denial_holds(const struct call *call)
{
    const struct call_entry *entry = (const struct call_entry *)call;
    const char *const keys[] = {entry->question, entry->asked_question};
    for (size_t i = 0; i < COUNT(keys); i++)
        if (keys[i] != NULL && session_find_denial(call->session, keys[i]) != NULL)
            return true;
    return false;
}

bool orchestrator_forget_denial(struct orchestrator *orchestrator, const struct call *call)
{
    const struct call_entry *entry = entry_find(orchestrator, call->id);
    const char *const keys[] = {entry->question, entry->asked_question};
    bool any = false;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const struct session_denial *denial =
            keys[i] != NULL ? session_find_denial(call->session, keys[i]) : NULL;
        if (denial == NULL)
            continue;
        uint64_t denied = denial->call;
        any = session_forget_denial(call->session, keys[i]);
        sessions_tell_forgotten(orchestrator, denied);
    }
    return any;
}

bool orchestrator_forget_denials_of(struct orchestrator *orchestrator, struct session *session,
                                    uint64_t call)
{
    bool any = session_forget_denials_of(session, call);
    if (any)
        sessions_tell_forgotten(orchestrator, call);
    return any;
}
