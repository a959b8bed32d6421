/* SPDX-License-Identifier: MIT */
/* undo: the operator's answers in their order, so that the newest that still holds can be taken
 * back, of whichever kind it is. Whether one holds is looked up when that is asked: there are many
 * ways for it to end. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "approval/decision_words.h"
#include "approval/keys.h"
#include "approval/orchestrator-int.h"
#include "base/alloc.h"

void undo_clear(struct undo *undo)
{
    free(undo->what);
    free(undo->path);
    *undo = (struct undo){0};
}

/* ---- what was answered ----------------------------------------------------------------------- */

static struct given *last_given(const struct orchestrator *orchestrator)
{
    return orchestrator->given_count > 0 ? &orchestrator->given[orchestrator->given_count - 1]
                                         : NULL;
}

static void drop_last(struct orchestrator *orchestrator)
{
    free(last_given(orchestrator)->line);
    orchestrator->given_count--;
}

/* An answer for once matters as long as it is the newest, and not beside what the same answer gave
 * for longer. */
static void add(struct orchestrator *orchestrator, const struct given *given)
{
    const struct given *last = last_given(orchestrator);
    if (last != NULL && last->kind != UNDO_ONCE && given->kind == UNDO_ONCE &&
        given->together != 0 && given->together == last->together)
        return;
    if (last != NULL && last->kind == UNDO_ONCE)
        drop_last(orchestrator);
    orchestrator->given = xreallocarray(orchestrator->given, orchestrator->given_count + 1,
                                        sizeof(*orchestrator->given));
    orchestrator->given[orchestrator->given_count++] = *given;
}

void undo_note_rule(struct orchestrator *orchestrator, struct session *session,
                    const struct call_entry *entry, const char *line)
{
    add(orchestrator, &(struct given){.kind = UNDO_RULE,
                                      .session = session,
                                      .call = entry != NULL ? entry->call.id : 0,
                                      .together = entry != NULL ? entry->together : 0,
                                      .line = xstrdup(line)});
}

void undo_note(const struct call_entry *entry, enum undo_kind kind)
{
    struct session *session = entry->call.session;
    /* What does not end with the session is not forgotten with it. */
    bool outlives =
        kind == UNDO_ONCE || (kind == UNDO_DENIAL && session->denials != &session->own_denials);
    add(entry->orchestrator, &(struct given){.kind = kind,
                                             .session = outlives ? NULL : session,
                                             .denials = session->denials,
                                             .call = entry->call.id,
                                             .together = entry->together});
}

static bool is_noted(const struct orchestrator *orchestrator, const struct session *session,
                     uint64_t call)
{
    for (size_t i = 0; i < orchestrator->given_count; i++)
        if (orchestrator->given[i].session == session && orchestrator->given[i].call == call)
            return true;
    return false;
}

/* Numbers of calls go on behind those of the console before. */
static void insert(struct orchestrator *orchestrator, const struct given *given)
{
    size_t at = orchestrator->given_count++;
    orchestrator->given = xreallocarray(orchestrator->given, at + 1, sizeof(*orchestrator->given));
    for (; at > 0 && orchestrator->given[at - 1].call > given->call; at--)
        orchestrator->given[at] = orchestrator->given[at - 1];
    orchestrator->given[at] = *given;
}

void undo_note_restored(struct orchestrator *orchestrator, struct session *session)
{
    for (size_t i = 0; i < grants_count(session->grants); i++) {
        uint64_t call = grants_at(session->grants, i)->call;
        if (!is_noted(orchestrator, session, call))
            insert(orchestrator,
                   &(struct given){.kind = UNDO_APPROVAL, .session = session, .call = call});
    }
}

void undo_forget(struct orchestrator *orchestrator, const struct session *session)
{
    size_t kept = 0;
    for (size_t i = 0; i < orchestrator->given_count; i++) {
        if (orchestrator->given[i].session != session)
            orchestrator->given[kept++] = orchestrator->given[i];
        else
            free(orchestrator->given[i].line);
    }
    orchestrator->given_count = kept;
}

void undo_free(struct orchestrator *orchestrator)
{
    while (orchestrator->given_count > 0)
        drop_last(orchestrator);
    free(orchestrator->given);
}

/* ---- what of it holds ------------------------------------------------------------------------ */

static bool rule_holds(const struct orchestrator *orchestrator, const struct given *given)
{
    const char *const *lines = given->session != NULL
                                   ? (const char *const *)given->session->rule_lines
                                   : orchestrator_kept_rules(orchestrator);
    return strv_has(lines, given->line);
}

static const struct grant *find_grant(const struct given *given)
{
    struct grants *grants = given->session->grants;
    grants_expire(grants); /* its timer may be late */
    for (size_t i = 0; i < grants_count(grants); i++)
        if (grants_at(grants, i)->call == given->call)
            return grants_at(grants, i);
    return NULL;
}

static bool tell_grant(const struct given *given, struct undo *undo)
{
    const struct grant *grant = find_grant(given);
    if (grant == NULL)
        return false;
    undo->host = keys_summary(grant->key).kind == APPROVED_HOST;
    undo->what = decision_words_asked(grant->label, undo->host);
    undo->lease = grant->lease;
    if (grant->path != NULL) {
        undo->kind = UNDO_PATH;
        undo->path = xstrdup(grant->path);
    }
    return true;
}

static bool tell_denial(const struct given *given, struct undo *undo)
{
    const struct session_denial *denial = session_denials_find(given->denials, given->call);
    if (denial == NULL)
        return false;
    undo->what = xstrdup(denial->label);
    return true;
}

/* False: it does not hold any more, and nothing is told. */
static bool tell(const struct orchestrator *orchestrator, const struct given *given,
                 struct undo *undo)
{
    *undo = (struct undo){.kind = given->kind, .call = given->call, .together = given->together};
    switch (given->kind) {
    case UNDO_RULE:
        undo->what = xstrdup(given->line);
        return rule_holds(orchestrator, given);
    case UNDO_APPROVAL:
        return tell_grant(given, undo);
    case UNDO_DENIAL:
        return tell_denial(given, undo);
    default:
        return true;
    }
}

/* The newest answer that holds, or NULL: it tells of the newest rule that is kept then, which was
 * made in an earlier console. */
static const struct given *tell_newest(struct orchestrator *orchestrator, struct undo *undo)
{
    const struct given *given = last_given(orchestrator);
    for (; given != NULL; given = last_given(orchestrator)) {
        if (tell(orchestrator, given, undo))
            return given;
        undo_clear(undo);
        drop_last(orchestrator);
    }
    const char *const *kept = orchestrator_kept_rules(orchestrator);
    *undo = (struct undo){0};
    if (kept != NULL)
        *undo = (struct undo){.kind = UNDO_RULE, .what = xstrdup(kept[strv_length(kept) - 1])};
    return NULL;
}

void orchestrator_next_undo(struct orchestrator *orchestrator, struct undo *undo)
{
    tell_newest(orchestrator, undo);
}

/* ---- taken back ------------------------------------------------------------------------------ */

static void revoke_session_rule(struct orchestrator *orchestrator, struct session *session,
                                const char *line)
{
    const char *const *lines = (const char *const *)session->rule_lines;
    orchestrator_revoke_rule(orchestrator, session, strv_find_last(lines, line));
}

static void revoke_grants(struct orchestrator *orchestrator, const struct given *given)
{
    const struct grant *grant;
    while ((grant = find_grant(given)) != NULL)
        orchestrator_revoke(orchestrator, given->session, grant->id);
}

static void forget_denial(struct orchestrator *orchestrator, const struct given *given)
{
    session_denials_forget(given->denials, given->call);
    sessions_tell_forgotten(orchestrator, given->call);
}

/* 1: it is, 0: it was not there any more, -1 with a message. */
static int take_back(struct orchestrator *orchestrator, const struct given *given,
                     const struct undo *undo, struct error *error)
{
    if (undo->kind == UNDO_RULE && (given == NULL || given->session == NULL))
        return orchestrator_take_back_rule(orchestrator, undo->what, error);
    if (given == NULL)
        return 0;
    if (given->kind == UNDO_RULE)
        revoke_session_rule(orchestrator, given->session, given->line);
    else if (given->kind == UNDO_APPROVAL)
        revoke_grants(orchestrator, given);
    else if (given->kind == UNDO_DENIAL)
        forget_denial(orchestrator, given);
    return 1;
}

int orchestrator_undo(struct orchestrator *orchestrator, struct undo *undo, struct error *error)
{
    for (;;) {
        const struct given *given = tell_newest(orchestrator, undo);
        int result = take_back(orchestrator, given, undo, error);
        if (given != NULL && result >= 0)
            drop_last(orchestrator);
        if (result <= 0)
            undo_clear(undo);
        if (result != 0 || given == NULL)
            return result < 0 ? -1 : 0;
    }
}
