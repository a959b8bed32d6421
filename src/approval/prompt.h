/* SPDX-License-Identifier: MIT */
/* prompt: puts together what the operator is shown about a request. */
#ifndef ASSENT_APPROVAL_PROMPT_H
#define ASSENT_APPROVAL_PROMPT_H

#include "approval/call.h"
#include "approval/scripts.h"

struct prompt_facts {
    const struct call *call;
    enum attempt_sandbox sandbox;   /* what it will run under if approved */
    struct wording *under;          /* the same in words; the prompt takes it over */
    enum stdin_kind standard_input; /* of the attempt that is asked about */
    bool agent_input;               /* the standard input or terminal is fed by an agent */
    size_t replayed;        /* bytes of input that the first attempt had and that come again */
    bool program_installed; /* the program is not one that an agent may have put there */
    bool covers_retry;
    bool may_sandbox;
    struct additional_permissions *held; /* as in struct prompt, which takes it over */
    uint64_t held_call;                  /* as in struct prompt */
    const char *path;                    /* as in struct prompt; borrowed */
    const char *path_once_reason;        /* as in struct prompt */
    const char *no_path;                 /* as in struct prompt */
    struct wording *path_under;          /* the prompt takes it over */
    bool may_approve_for_session;
    const char *once_reason; /* why not; static, may be NULL */
    const char *once_names;  /* as in struct prompt; borrowed */
    uint64_t lease_call;     /* a call that a grant can be bound to, 0: none */
    uint64_t retry_denied;   /* as in struct prompt */
    struct ladder *ladder;   /* rules to offer, or NULL; becomes the prompt's */
    const char *no_rule;     /* why there are none; as in struct prompt */
    char *denied;            /* as in struct prompt; the prompt takes it over */
    struct wording *changed; /* the same */
    uint64_t changes;
    const struct scripts *scripts; /* borrowed; may be NULL */
};

/* Asks before the first attempt: the call's requirement gives reason and amendment. */
struct prompt *prompt_first(const struct prompt_facts *facts, uint64_t id, int64_t now_ms);
/* Asks again after call->attempts[0] was denied by the sandbox. */
struct prompt *prompt_retry(const struct prompt_facts *facts, uint64_t id, int64_t now_ms);
/* Notes what the open prompt asks about, so that the same can be known for the same later on.
 * `question` is its key (keys.h), with which file its program is; may be NULL. */
void prompt_note(struct call *call, const char *question);
void prompt_free(struct prompt **prompt);

/* Why the operator cannot change what an open prompt asks about, for _(); NULL when they can. */
const char *prompt_fixed(const struct call *call);

/* A spec's command as one line: argv quoted for a shell. With `unwrap` the script of `bash -lc
 * SCRIPT` alone, which is for shells that are known to be shells: any file can be called bash.
 * Untrusted, not escaped. Caller frees. */
char *prompt_command_line(const char *const *argv, bool unwrap);

/* Is the path that it lacks one that the operator can make while it is open? */
bool prompt_awaits_path(const struct prompt *prompt);

/* Is there a directory by that name: who may write it may write all in it. */
bool prompt_is_directory(const char *path);

/* What an attempt is confined by, in words; `more` are the additional permissions of
 * ATTEMPT_PERMISSIONS. Caller frees. */
struct wording *prompt_under(const struct turn_context *context, enum attempt_sandbox sandbox,
                             const struct additional_permissions *more);

#endif
