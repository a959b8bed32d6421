/* SPDX-License-Identifier: MIT */
/*
 * orchestrator: carries every call through requirement, approval, attempts and result.
 *
 * The one place that decides. Frontends submit calls, observers show them and hand in decisions;
 * there is no other way to make a command run.
 */
#ifndef ASSENT_APPROVAL_ORCHESTRATOR_H
#define ASSENT_APPROVAL_ORCHESTRATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "approval/call.h"
#include "approval/observer.h"
#include "approval/session.h"
#include "base/error.h"
#include "base/loop.h"
#include "sandbox/select.h"

struct orchestrator;

/* How a decision gets to the disk before its effect: `sync` promises to call `done` later, from
 * the loop, with 0 once everything that observers were told so far is on disk, or -errno when it
 * cannot be (then the effect does not happen). */
struct commit {
    void (*sync)(void *argument, void (*done)(void *done_argument, int result),
                 void *done_argument);
    void *argument;
};

#define ORCHESTRATOR_OPEN_PROMPTS 8

struct orchestrator_setup {
    struct loop *loop;
    struct commit commit;        /* sync NULL: nothing is recorded, effects follow at once */
    const char *helper_path;     /* assent-sandbox, absolute */
    const char *state_directory; /* for output files; NULL: memory */
    const char *const
        *base_environment; /* what commands get, NAME=VALUE, NULL-terminated; copied */
    size_t output_cap;     /* bytes a call */
    int64_t grace_ms;      /* TERM to KILL */
    const struct sandbox_capability *capability; /* what this system can enforce; copied */
    size_t max_open_calls;                       /* a session: more are refused with a message */
    size_t max_open_prompts;   /* a session: more wait, so that one cannot crowd out the others;
                                  0: ORCHESTRATOR_OPEN_PROMPTS */
    size_t max_finished_calls; /* kept for looking at; the oldest is forgotten first */
    bool headless;             /* nobody can be asked: what needs a prompt is denied */
};

struct orchestrator *orchestrator_new(const struct orchestrator_setup *setup);
/* Cancels and kills everything, answers open prompts with "denied", frees. */
void orchestrator_free(struct orchestrator **orchestrator);

/* `observer` and `argument` must outlive the registration. */
void orchestrator_add_observer(struct orchestrator *orchestrator, const struct observer *observer,
                               void *argument);
void orchestrator_remove_observer(struct orchestrator *orchestrator, void *argument);

/* Opens a session; `context` is referenced. The session belongs to the orchestrator. */
struct session *orchestrator_open_session(struct orchestrator *orchestrator,
                                          enum session_origin origin, const char *name,
                                          pid_t peer_pid, const char *peer_exe,
                                          struct turn_context *context);
/* Cancels its open calls; the session ends when the last of them has finished. */
void orchestrator_close_session(struct orchestrator *orchestrator, struct session *session);
/* For calls that arrive from now on. References `context`. */
void orchestrator_set_context(struct orchestrator *orchestrator, struct session *session,
                              struct turn_context *context);

struct call_options {
    int rows, columns;         /* PTY size for tty calls; 0: 24x80 */
    void *owner;               /* stored in call->owner */
    struct call_client client; /* copied deeply to call->client */
    /* The operator named this command when they started Assent: it is theirs, and runs unasked and
     * unconfined, without a time limit. */
    bool operator_started;
    /* Added to its environment, neither shown nor recorded (secrets of ours); copied; may be NULL.
     */
    const char *const *private_environment;
};

/* Takes the spec over in any case. Returns the call, or NULL with a message that says what is
 * wrong with the spec (not absolute cwd, empty argv, argument over the kernel's limit …). The
 * call's events start in the next turn, so that the caller can note its id first. */
struct call *orchestrator_submit(struct orchestrator *orchestrator, struct session *session,
                                 enum call_tool tool, struct command_spec *spec,
                                 const struct call_options *options, struct error *error);

/* The operator's answer to one prompt. -1 when the prompt is not open any more or was changed
 * (`revision` differs from what is open): nothing happens then, and the message says so. May be
 * called from an observer; it takes effect in the next turn. `message` may be NULL. */
int orchestrator_decide(struct orchestrator *orchestrator, uint64_t prompt_id, unsigned revision,
                        enum review_kind kind, const char *message, struct error *error);

/* Ends a call that is not finished: an open prompt closes, a running tree is killed. `why` is
 * shown and recorded ("client gone"). */
void orchestrator_cancel(struct orchestrator *orchestrator, struct call *call, const char *why);
/* Input from the agent: 0, -EAGAIN (try again later), -EPIPE when the command takes none, -EPERM
 * when it runs outside the sandbox and the operator has typed in its pane. What comes before the
 * command starts is kept for it, up to a limit. */
int orchestrator_write(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                       size_t length);
/* Input that the operator types in the call's pane; only while it runs. 0, -EAGAIN or -EPIPE. */
int orchestrator_type(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                      size_t length);
/* What a pane's terminal answers by itself (to queries, on focus): nobody's words. As above. */
int orchestrator_reply(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                       size_t length);
void orchestrator_write_end(struct orchestrator *orchestrator, struct call *call);
void orchestrator_resize(struct orchestrator *orchestrator, struct call *call, int rows,
                         int columns);
/* A signal to every process of a running call's tree: 0 or -errno (-ESRCH when it does not run). */
int orchestrator_signal(struct orchestrator *orchestrator, struct call *call, int number);
/* Back-pressure for a frontend whose client reads slowly. */
void orchestrator_pause_output(struct orchestrator *orchestrator, struct call *call, bool pause);

/* Open prompts, oldest first. */
size_t orchestrator_waiting_count(const struct orchestrator *orchestrator);
struct call *orchestrator_waiting_at(const struct orchestrator *orchestrator, size_t index);
/* Calls that must be asked about but have to wait for room, because their session has as many open
 * prompts as it may have. */
size_t orchestrator_held_count(const struct orchestrator *orchestrator);
/* Which other requests of its session would close with this prompt if it were approved as `kind`
 * (for the session, or with its prefix): their calls' ids, oldest first, at most `limit` of them
 * stored; returns how many there are. High-risk ones never are among them. */
size_t orchestrator_would_release(const struct orchestrator *orchestrator, uint64_t prompt_id,
                                  enum review_kind kind, uint64_t *ids, size_t limit);
/* A better assessment of an open prompt's call came in: its level only ever rises. Counts the
 * prompt's revision up, so that no key pressed for what was shown before decides. -1 when the
 * prompt is not open. */
int orchestrator_raise_risk(struct orchestrator *orchestrator, uint64_t prompt_id,
                            const struct assessment *assessment);
/* All calls that are kept, oldest first. */
size_t orchestrator_call_count(const struct orchestrator *orchestrator);
struct call *orchestrator_call_at(const struct orchestrator *orchestrator, size_t index);
struct call *orchestrator_find_call(const struct orchestrator *orchestrator, uint64_t id);
size_t orchestrator_session_count(const struct orchestrator *orchestrator);
struct session *orchestrator_session_at(const struct orchestrator *orchestrator, size_t index);
/* Takes back a session grant; false when it is gone already. */
bool orchestrator_revoke(struct orchestrator *orchestrator, struct session *session,
                         uint64_t grant_id);
/* Lets requests that the operator denied in this session be asked again. */
void orchestrator_forget_denials(struct orchestrator *orchestrator, struct session *session);
void orchestrator_notice(struct orchestrator *orchestrator, enum notice_level level,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
