/* SPDX-License-Identifier: MIT */
/* operator_agent: whom the operator stops, how that is called, and what it has open. */
#ifndef ASSENT_UI_OPERATOR_AGENT_H
#define ASSENT_UI_OPERATOR_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct call;
struct orchestrator;
struct session;

/* All that asks in a session. Where many share one: those who are processes of one tree, which is
 * called by its first process, "claude 18802", with the sessions of their own that they have by the
 * same name (own_sessions.h); or whoever calls itself so, with all processes that it comes from: a
 * name is only claimed. */
struct operator_agent {
    struct session *session;
    pid_t tree;        /* 0: not by their processes */
    const char *name;  /* NULL: not by what they call themselves; borrowed */
    bool rest;         /* … but for those who have a session of their own by it: another agent */
    const char *asker; /* who is told first of several; NULL: nobody; borrowed */
};

/* Who has asked for that call. */
struct operator_agent operator_agent_of(const struct orchestrator *orchestrator,
                                        const struct call *call);
/* Whose session of its own that is, with all that it has beside it. */
struct operator_agent operator_agent_of_session(const struct orchestrator *orchestrator,
                                                struct session *session);
/* With all that it is. */
bool operator_agent_is_stopped(const struct orchestrator *orchestrator,
                               const struct operator_agent *agent);
/* Those who share a session, or are processes of one tree, are many, and spoken of so. */
bool operator_agent_is_many(const struct operator_agent *agent);
/* Its calls that have not ended. */
unsigned operator_agent_open_calls(const struct orchestrator *orchestrator,
                                   const struct operator_agent *agent);
/* Those calls, one after the other, the oldest first; NULL behind the last. `next` is 0 before the
 * first. */
const struct call *operator_agent_next_open(const struct orchestrator *orchestrator,
                                            const struct operator_agent *agent, size_t *next);
/* Has one call, of those that are kept, come from both? */
bool operator_agents_overlap(const struct orchestrator *orchestrator,
                             const struct operator_agent *one, const struct operator_agent *other);
/* The trees of processes that it is, or was, stopped with; the caller frees the array. */
size_t operator_agent_trees(const struct orchestrator *orchestrator,
                            const struct operator_agent *agent, pid_t **trees);

/* Who asked, wherever the screen says so: as call_text_agent(), and where others that call
 * themselves the same have asked, too, with the number of its processes: "dev 12369". Caller frees.
 */
char *operator_agent_label(const struct orchestrator *orchestrator, const struct call *call,
                           size_t columns);
/* In a sentence: codex; claude 18802 with its processes; codex and claude 18802 with its processes.
 * Made safe; caller frees. */
char *operator_agent_name(const struct orchestrator *orchestrator,
                          const struct operator_agent *agent);
/* The same with those who ask in it, as they call themselves. Caller frees. */
char *operator_agent_full_name(const struct orchestrator *orchestrator,
                               const struct operator_agent *agent);
/* What names it and no other behind ":resume". Caller frees. */
char *operator_agent_handle(const struct orchestrator *orchestrator,
                            const struct operator_agent *agent);

/* Is it the session of an agent that is called so on the screen (whatever the case), or has an id
 * that begins so? */
bool operator_agent_is_shown_as(const struct session *session, const char *name);
/* Is it one of its own that operator_agent_label() calls so: "dev 12369"? The number is nothing
 * that an agent says. */
bool operator_agent_is_labelled(const struct orchestrator *orchestrator,
                                const struct session *session, const char *name);
/* Does "bob" or "\"bob\"", as the operator has typed it, mean who calls itself so? */
bool operator_agent_is_meant(const char *claimed, const char *typed);

/* Has it asked for a call, of those that are kept, by such a name? */
bool operator_agent_has_claimed(const struct orchestrator *orchestrator,
                                const struct operator_agent *agent, const char *typed);

/* Where one goes on; 0 before the first. */
struct operator_agent_place {
    size_t session, call;
};

/* Those that the operator means by a name, one after the other; false behind the last. To stop one
 * too many does less harm than to let one go on. */
bool operator_agent_next_named(const struct orchestrator *orchestrator, const char *name,
                               struct operator_agent_place *next, struct operator_agent *agent);
/* The processes that "claude 18802" names; false when it names none. */
bool operator_agent_find_tree(const struct orchestrator *orchestrator, const char *name,
                              struct operator_agent *agent);
/* The stopped ones, one after the other; false behind the last. `next` is 0 before the first. */
bool operator_agent_next_stopped(const struct orchestrator *orchestrator, size_t *next,
                                 struct operator_agent *agent);

/* Of a session that many share who is stopped, and the processes that have something open: "bob"
 * (stopped), claude 18802 (2 open calls). NULL when there are none. Caller frees. */
char *operator_agents_listed(const struct orchestrator *orchestrator, struct session *session);

#endif
