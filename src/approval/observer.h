/* SPDX-License-Identifier: MIT */
/*
 * observer: how the core tells the world, and asks the operator.
 *
 * The screen, the session log, the headless mode and the frontends are all observers; nothing in
 * the core knows of any of them. Every function may be NULL. Observers are called in the order of
 * registration, from the loop, and must not call back into the orchestrator from inside an event
 * other than through the functions that say so (decisions are taken up in the next turn).
 */
#ifndef ASSENT_APPROVAL_OBSERVER_H
#define ASSENT_APPROVAL_OBSERVER_H

#include <stddef.h>

#include "approval/call.h"
#include "approval/session.h"

enum notice_level {
    NOTICE_INFO,
    NOTICE_WARNING,
    NOTICE_ALARM,
    NOTICE_OPERATOR, /* what the operator did at the console, which has said so: for the record */
};

struct observer {
    const char *name;
    void (*session_started)(void *argument, const struct session *session);
    void (*session_ended)(void *argument, const struct session *session);
    /* The session's context was replaced (policy, sandbox or network changed by the operator). */
    void (*context_changed)(void *argument, const struct session *session);
    /* The call has its requirement, keys and local assessment. */
    void (*call_received)(void *argument, const struct call *call);
    /* A prompt is open: call->prompt. This is the one way in which the core asks the operator. */
    void (*asked)(void *argument, const struct call *call);
    /* The operator has an open prompt before them, perhaps long after it was asked, and is told
     * about once a second; or (`answers`) is about to answer it. */
    void (*come_to)(void *argument, const struct call *call, bool answers);
    /* What is shown of an open prompt changed (its risk was raised). */
    void (*prompt_changed)(void *argument, const struct call *call);
    /* The operator changed the command: its spec, requirement, risk are new; call->asked_command is
     * what it was. `asked` follows, for another prompt in the old one's place. */
    void (*edited)(void *argument, const struct call *call);
    /* call->decision was taken, by whomever; `prompt` is the prompt that it answers, or NULL when
     * nobody was asked. Sent before its effect. */
    void (*decided)(void *argument, const struct call *call, const struct prompt *prompt);
    /* It would start now, and waits because everything is frozen. */
    void (*held_frozen)(void *argument, const struct call *call);
    void (*attempt_started)(void *argument, const struct call *call, unsigned attempt);
    void (*output)(void *argument, const struct call *call, enum run_stream stream,
                   const char *bytes, size_t length);
    void (*attempt_ended)(void *argument, const struct call *call, unsigned attempt);
    /* The command's connections to the proxy arrive at call->gateway, until attempt_ended. */
    void (*gateway_opened)(void *argument, const struct call *call);
    /* One of the command's connections has ended. */
    void (*connection_ended)(void *argument, const struct call *call,
                             const struct reach_connection *connection);
    /* The call runs an agent, which calls its session so (plain letters): it can be asked to go on
     * with it another time. */
    void (*conversation_opened)(void *argument, const struct call *call, const char *id);
    /* Last event of a call; afterwards it is only valid until the orchestrator forgets it (finished
     * calls are kept for the console's lifetime up to a limit, see orchestrator.h). */
    void (*finished)(void *argument, const struct call *call);
    /* The orchestrator forgets the call: drop every pointer to it. */
    void (*forgotten)(void *argument, const struct call *call);
    /* Something that was approved for longer than one call is no longer; `grant` is valid until the
     * observer returns. */
    void (*grant_ended)(void *argument, const struct session *session, const struct grant *grant,
                        enum grant_end end);
    /* A sentence for the operator (bad client, log trouble, limits). May hold untrusted text. */
    void (*notice)(void *argument, enum notice_level level, const char *text);
};

#endif
