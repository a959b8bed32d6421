/* SPDX-License-Identifier: MIT */
/*
 * agent_session: a conversation with an agent that we started, whatever protocol it speaks.
 *
 * A frontend (acp, appserver) is a class with a few functions; it tells what happens through the
 * events, and asks the console through an asker, so that it decides nothing. All text in events
 * comes from the agent: bounded, not yet made safe to show.
 */
#ifndef ASSENT_AGENTS_DRIVE_AGENT_SESSION_H
#define ASSENT_AGENTS_DRIVE_AGENT_SESSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "agents/drive/asker.h"
#include "base/loop.h"

struct agent_session;

enum agent_speech { AGENT_SPEECH_OPERATOR, AGENT_SPEECH_AGENT, AGENT_SPEECH_THOUGHT };

/* A step of the agent's plan. */
struct agent_step {
    const char *content;
    bool done, current;
};

struct agent_session_events {
    /* The agent takes prompts. `session` is its id, for loading it again. */
    void (*ready)(void *argument, const char *agent, const char *session);
    /* A piece of what somebody says; pieces of one speaker follow each other without gaps. */
    void (*speech)(void *argument, enum agent_speech who, const char *text, size_t length);
    /* The agent uses a tool, or that has changed; `status` as the agent names it. */
    void (*tool)(void *argument, const char *title, const char *status);
    void (*plan)(void *argument, const struct agent_step *steps, size_t count);
    void (*mode)(void *argument, const char *name);
    /* Something that the operator should know. */
    void (*note)(void *argument, const char *text);
    /* `why` is NULL when the agent has finished, else what ended the turn. */
    void (*turn_ended)(void *argument, const char *why);
    /* The last, once: the conversation is over. The session may be freed from here. */
    void (*ended)(void *argument, const char *why);
};

struct agent_session_setup {
    struct loop *loop;
    struct asker *asker;      /* outlives the session */
    int from_agent, to_agent; /* owned by the session */
    const char *cwd;          /* absolute; what the agent works in */
    const char *load;         /* id of the session to go on with, or NULL: a new one */
    char *const *server;      /* how our MCP server is started, or NULL: none is given */
    char *const *server_env;  /* "NAME=VALUE" for it; may be NULL */
    bool files;               /* the agent may read and write files through us */
    const struct agent_session_events *events;
    void *argument;
};

struct agent_session_class {
    void (*prompt)(struct agent_session *session, const char *text);
    void (*cancel)(struct agent_session *session);
    /* False: it has none of that name. */
    bool (*set_mode)(struct agent_session *session, const char *name);
    bool (*authenticate)(struct agent_session *session, const char *method);
    void (*free)(struct agent_session *session);
};

/* First member of each frontend's own struct. */
struct agent_session {
    const struct agent_session_class *class;
};

/* Sends what the operator says; only when ready and no turn is going on. */
void agent_session_prompt(struct agent_session *session, const char *text);
/* Stops the turn: its questions are withdrawn, `turn_ended` follows. */
void agent_session_cancel(struct agent_session *session);
bool agent_session_set_mode(struct agent_session *session, const char *name);
/* Logs in by one of the agent's methods; false when it has none of that name. */
bool agent_session_authenticate(struct agent_session *session, const char *method);
void agent_session_free(struct agent_session **session);

/* For frontends: the event `plan` of an array of steps, each an object whose member `text` is what
 * it is and whose "status" is "completed", `current` or something else. */
void agent_session_plan(const struct agent_session_setup *setup, const json_t *steps,
                        const char *text, const char *current);
/* For frontends: the event `note` in the operator's language. The format is marked with N_(). */
void agent_session_note(const struct agent_session_setup *setup, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
