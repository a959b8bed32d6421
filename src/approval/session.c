/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/session.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"

/* 128 random bits: an id is also what keeps the records of different consoles apart. */
static void session_make_id(char id[40])
{
    unsigned char random[16] = {0};
    size_t have = 0;
    while (have < sizeof(random)) {
        ssize_t got = getrandom(random + have, sizeof(random) - have, 0);
        if (got > 0)
            have += (size_t)got;
    }
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(id + 2 * i, 3, "%02x", random[i]);
}

struct session *session_new(enum session_origin origin, const char *name, pid_t peer_pid,
                            const char *peer_exe, struct turn_context *context, int64_t wall_ms)
{
    struct session *session = XNEW(struct session);
    session_make_id(session->id);
    session->origin = origin;
    session->name = xstrdup(name);
    session->peer_pid = peer_pid;
    session->peer_exe = peer_exe != NULL ? xstrdup(peer_exe) : NULL;
    session->context = turn_context_ref(context);
    session->grants = grants_new();
    session->started_ms = wall_ms;
    return session;
}

void session_free(struct session **session)
{
    struct session *freed = steal_pointer(session);
    if (freed == NULL)
        return;
    session_forget_denials(freed);
    for (size_t i = 0; i < freed->prefix_count; i++)
        strv_free(&freed->prefixes[i]);
    free(freed->prefixes);
    grants_free(&freed->grants);
    turn_context_unref(&freed->context);
    free(freed->name);
    free(freed->peer_exe);
    free(freed);
}

bool session_is_agent(const struct session *session)
{
    return session->origin != SESSION_OPERATOR;
}

static void denial_clear(struct session_denial *denial)
{
    free(denial->key);
    free(denial->message);
}

void session_remember_denial(struct session *session, const char *key, const char *message)
{
    if (session_find_denial(session, key) != NULL)
        return;
    if (session->denial_count == SESSION_DENIALS_MAX) {
        denial_clear(&session->denials[0]);
        session->denial_count--;
        memmove(session->denials, session->denials + 1,
                session->denial_count * sizeof(*session->denials));
    }
    session->denials =
        xreallocarray(session->denials, session->denial_count + 1, sizeof(*session->denials));
    session->denials[session->denial_count++] = (struct session_denial){
        .key = xstrdup(key), .message = message != NULL ? xstrdup(message) : NULL};
}

const struct session_denial *session_find_denial(const struct session *session, const char *key)
{
    for (size_t i = 0; i < session->denial_count; i++)
        if (strcmp(session->denials[i].key, key) == 0)
            return &session->denials[i];
    return NULL;
}

void session_forget_denials(struct session *session)
{
    for (size_t i = 0; i < session->denial_count; i++)
        denial_clear(&session->denials[i]);
    free(session->denials);
    session->denials = NULL;
    session->denial_count = 0;
}

bool session_prefix_matches(const char *const *prefix, const char *const *argv)
{
    size_t i = 0;
    while (prefix[i] != NULL && argv[i] != NULL && strcmp(prefix[i], argv[i]) == 0)
        i++;
    return prefix[i] == NULL;
}

void session_allow_prefix(struct session *session, const char *const *words)
{
    if (session_prefix_allows(session, words))
        return;
    session->prefixes =
        xreallocarray(session->prefixes, session->prefix_count + 1, sizeof(*session->prefixes));
    session->prefixes[session->prefix_count++] = strv_copy(words);
}

bool session_prefix_allows(const struct session *session, const char *const *argv)
{
    for (size_t i = 0; i < session->prefix_count; i++)
        if (session_prefix_matches((const char *const *)session->prefixes[i], argv))
            return true;
    return false;
}
