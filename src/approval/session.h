/* SPDX-License-Identifier: MIT */
/*
 * session: one agent's connection to the console, with its own grants and its own context.
 *
 * The name is what the client claims; pid and executable are what we saw of the peer. Grants
 * belong to the session object (the connection), never to a name.
 */
#ifndef ASSENT_APPROVAL_SESSION_H
#define ASSENT_APPROVAL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "approval/call.h"
#include "approval/context.h"
#include "approval/grants.h"
#include "base/sha256.h"
#include "command/rules.h"

enum session_origin {
    SESSION_OPERATOR, /* the prompt line, or CMD given on the command line */
    SESSION_DEFAULT,  /* plain clients: all that come from peer_pid; 0: all that come from nobody */
    SESSION_CLIENT,   /* a connection with its own capability (an agent) */
};

/* A request that the operator denied; the same again gets the same answer. */
struct session_denial {
    unsigned char key[SHA256_SIZE]; /* of the canonical JSON, as in keys.h: of a day's work of
                                       agents there are many, and each is long */
    char *label;                    /* what was asked, its beginning; untrusted; owned */
    bool host;                      /* a connection; its label is what that was to */
    bool address;                   /* … where the name leads to, which is not public */
    uint64_t call;                  /* that was denied */
    char *message;                  /* operator's words, or NULL */
    unsigned repeats;               /* how often the same has been asked since */
};

#define SESSION_DENIALS_MAX 1000 /* the oldest is forgotten first */

struct session_denials {
    struct session_denial *items; /* oldest first */
    size_t count;
};

void session_denials_clear(struct session_denials *denials);
/* The one of that call, or NULL; borrowed until they change. */
const struct session_denial *session_denials_find(const struct session_denials *denials,
                                                  uint64_t call);
/* Forgets those of that call; false when there are none. */
bool session_denials_forget(struct session_denials *denials, uint64_t call);

/* Processes that count as one client, by the first of them, whose requests the operator refuses. */
struct stopped_tree {
    pid_t root;
    unsigned long long started; /* tells the process from a later one; 0: it had gone already */
    pid_t session;              /* its terminal's session, of which its orphans are; 0: had gone */
    char
        *with; /* who calls itself so was stopped, and these processes with it; NULL: these alone */
};

/* Of the processes as they are now; `with` is copied. */
struct stopped_tree stopped_tree_of(pid_t root, const char *with);
void stopped_tree_clear(struct stopped_tree *stopped);
/* Are they those of that number? A later process of it is another. */
bool stopped_tree_is(const struct stopped_tree *stopped, pid_t root);

struct orchestrator;
struct places;

struct session {
    char id[40]; /* unique among all consoles of this user: hex digits, the first a decimal one */
    enum session_origin origin;
    char *name;     /* claimed; untrusted */
    pid_t peer_pid; /* the agent's, or the program's that plain clients come from; 0: none */
    char *peer_exe; /* path of its executable as we saw it, or NULL; untrusted text */
    pid_t tree;     /* as in struct call_client, of who opened it; 0: unknown, or many share it */
    struct orchestrator *orchestrator; /* that it belongs to */
    struct turn_context *context;      /* for calls that arrive from now on */
    struct grants *grants;
    struct session_denials own_denials;
    struct session_denials *denials; /* these, or those that it shares with others */
    struct rules *rules;             /* that the operator made for this session */
    char **rule_lines;               /* the same as text, oldest first; NULL-terminated, or NULL */
    unsigned open_calls;
    unsigned open_reaches; /* of these: questions about a host for one that runs */
    unsigned open_prompts;
    unsigned aside_prompts; /* of these: put aside by the operator */
    uint64_t filled_at;     /* when those that wait for room were last looked at */
    unsigned kept_calls;    /* open ones and finished ones that are still kept */
    bool confined;          /* its agent runs in the sandbox itself, with all that it does */
    bool advisory;          /* its agent runs tools of its own and only asks: it may also not ask */
    bool leftover; /* of SESSION_DEFAULT from nobody: others have sessions by their programs */
    bool client_decides;    /* the operator's configuration lets its client answer (decide_by) */
    bool stopped;           /* by the operator: whatever it asks for is refused */
    bool stopped_with_tree; /* … with the processes of `tree` in a session that many share */
    struct stopped_tree *stopped_trees; /* of a session that many share: these alone are refused */
    size_t stopped_tree_count;
    char **stopped_names;   /* … and whoever calls itself so; NULL-terminated, or NULL */
    bool placeholders_told; /* once: that what a listing shows is not on disk */
    bool closing;           /* ends when its last call has finished */
    int64_t started_ms;     /* wall clock */
    bool ended;
    uint64_t changes_seen; /* the newest change of build files that the operator was shown when they
                              last allowed a command that runs such files; 0: none yet */
    uint64_t changes_call; /* that command's call */
    struct places *places; /* its temporary files and caches; NULL until a command needs them */
};

/* Made and freed by the orchestrator only. `context` is referenced, the strings are copied; `clock`
 * must outlive the session. */
struct session *session_new(enum session_origin origin, const char *name, pid_t peer_pid,
                            const char *peer_exe, struct turn_context *context,
                            const struct clock *clock);
void session_free(struct session **session);

/* Open calls; what one that runs asks to connect to is none of its own. */
unsigned session_calls(const struct session *session);

/* Does that call end with one that the operator aborts? All of its session do: of one that plain
 * clients share, also what other agents asked for. `up_to`: but none that came after the call of
 * this number, nor what such a one asks to connect to; 0: all. */
bool session_abort_ends(const struct call *aborted, const struct call *other, uint64_t up_to);

/* Is its calls' input the words of an agent, and not the operator's own? */
bool session_is_agent(const struct session *session);

/* Refuses what comes from those processes, or lets them ask again. */
void session_stop_tree(struct session *session, pid_t root, bool stop);
/* Has the operator stopped them? A later process of the same number is another. */
bool session_tree_is_stopped(const struct session *session, pid_t root);

/* Has the operator stopped the processes that the client comes from? The first of them, else 0. */
pid_t session_stopped_from(const struct session *session, const struct call_client *client);

/* Refuses whoever calls itself so (whatever the case), and what comes from those processes, unless
 * they are refused already: a name is only claimed, and another one is claimed as easily. */
void session_stop_name(struct session *session, const char *name, const pid_t *roots,
                       size_t root_count);
/* Lets those ask again who were stopped so. */
void session_resume_name(struct session *session, const char *name);
/* NULL: whoever gives no name is not stopped by it. */
bool session_name_is_stopped(const struct session *session, const char *name);

void session_remember_denial(struct session *session, const char *key, const char *label,
                             uint64_t call, const char *message);
/* The denial of that key, or NULL; borrowed until the next is remembered. */
const struct session_denial *session_find_denial(const struct session *session, const char *key);
/* The same, for a call that is refused with it: counts that. */
const struct session_denial *session_repeat_denial(struct session *session, const char *key);
void session_forget_denials(struct session *session);
/* As the console tells the record of it. The number of the call that was denied follows. */
#define FORGOT_DENIAL "the operator lets agents ask again for c"
#define FORGOT_ALL "the operator lets agents ask again for all that was denied"
/* The same of a rule: it follows; one for a session is told with the session's id and ": ". */
#define TOOK_BACK_RULE "the operator took back the rule: "
#define TOOK_BACK_SESSION_RULE "the operator took back the rule of session "
/* That one; false when there is none. */
bool session_forget_denial(struct session *session, const char *key);
/* Those of that call; false when there are none. */
bool session_forget_denials_of(struct session *session, uint64_t call);

/* Adds a rule, a line of a rule file. */
void session_add_rule(struct session *session, const char *line);
/* Takes that one away, 0 for the oldest; false when there is none. */
bool session_remove_rule(struct session *session, size_t index);

#endif
