/* SPDX-License-Identifier: MIT */
/*
 * fake_core: an orchestrator that does what the test says, so that every state of a call can be
 * put on the screen. It has the real one's interface (a test program links it in its place) and
 * keeps its promises: decisions take effect in the next turn, events come in order.
 */
#ifndef ASSENT_TESTS_TUI_FAKE_CORE_H
#define ASSENT_TESTS_TUI_FAKE_CORE_H

#include "approval/orchestrator.h"

struct fake_decision {
    uint64_t prompt;
    unsigned revision;
    enum review_kind kind;
    char message[256];
    struct rule_choice choice; /* of REVIEW_APPROVED_AMENDMENT */
    struct lease lease;        /* of REVIEW_APPROVED_FOR_SESSION */
    uint64_t up_to;            /* of REVIEW_ABORT: it ends no call that came later */
    size_t offer;              /* as in struct review_decision */
    bool together;             /* with others */
};

struct orchestrator *fake_core_new(struct loop *loop);
void fake_core_free(struct orchestrator **core);
struct session *fake_core_session(struct orchestrator *core, enum session_origin origin,
                                  const char *name);

/* A call of that session that has just been received; the argv is one shell line. */
struct call *fake_core_call(struct orchestrator *core, struct session *session, const char *line);
/* Opens its prompt; `prompt` is copied, its command and ids are filled in. */
void fake_core_ask(struct orchestrator *core, struct call *call, const struct prompt *prompt);
/* The same with words for why it is asked and what it would run under. */
void fake_core_ask_for(struct orchestrator *core, struct call *call, struct prompt prompt,
                       const char *reason, const char *under);
/* A call that asks so, with the usual justification. */
struct call *fake_core_request(struct orchestrator *core, struct session *session, const char *line,
                               enum risk_level risk, bool unsandboxed);
/* One that waits for room: it has no prompt until the operator comes to it. */
struct call *fake_core_hold(struct orchestrator *core, struct session *session, const char *line,
                            enum risk_level risk);
/* Rules of the operator's in a file of that name hold for that session. */
void fake_core_rules(struct session *session, const char *path, const char *lines);
/* In the console before that call asked the same as all do, and was denied. */
void fake_core_denied_before(struct orchestrator *core, uint64_t denied);
/* The open prompt changed: its revision counts up. */
void fake_core_raise(struct orchestrator *core, struct call *call, enum risk_level level);
/* Something came in from a model; as the core does, raises the level and asks anew when it is
 * higher. */
void fake_core_opinion(struct orchestrator *core, struct call *call, const struct opinion *opinion);
/* The same of git, about a push; what is in `seen` is taken over. */
void fake_core_see_push(struct orchestrator *core, struct call *call, struct push_seen *seen);
/* The same, about what another command would take. */
void fake_core_see_losses(struct orchestrator *core, struct call *call, struct git_losses *told);
void fake_core_start(struct orchestrator *core, struct call *call, const char *under);
/* It would start, but everything is frozen. */
void fake_core_hold_frozen(struct orchestrator *core, struct call *call);
/* A connection of that command did not come about; the answer to call `by` had allowed it. */
void fake_core_fail_connection(struct orchestrator *core, struct call *command, const char *url,
                               const char *why, uint64_t by);
void fake_core_output(struct orchestrator *core, struct call *call, const char *text);
void fake_core_finish(struct orchestrator *core, struct call *call, int code);
/* The client took the call back. */
void fake_core_withdraw(struct orchestrator *core, struct call *call);
/* Its agent is gone. */
/* Nobody was asked. */
void fake_core_refuse(struct orchestrator *core, struct call *call, enum decision_source source);
void fake_core_end_session(struct orchestrator *core, struct session *session);
void fake_core_forget(struct orchestrator *core, struct call *call);

/* What approving the open prompt for the session would allow as well. */
void fake_core_release(struct orchestrator *core, const uint64_t *calls, size_t count);
/* A rule of that step, or a wider one, would allow this call as well. */
void fake_core_release_by_rule(struct orchestrator *core, size_t step, uint64_t call);

/* How often the console has asked what an answer would allow: each time all that waits is judged.
 */
size_t fake_core_judged(const struct orchestrator *core);
/* What git says when it is asked again takes time; else it says the same at once. */
void fake_core_slow_git(struct orchestrator *core);
/* How often the operator came to a request. */
size_t fake_core_come_to(const struct orchestrator *core);
/* How often a path was sought that a request did not offer. */
size_t fake_core_sought(const struct orchestrator *core);
/* How many prompts the console has put aside, and not taken back. */
size_t fake_core_aside(const struct orchestrator *core);

/* Decisions that were handed in and accepted. */
size_t fake_core_decisions(const struct orchestrator *core);
const struct fake_decision *fake_core_decision(const struct orchestrator *core, size_t index);
/* What the operator typed into calls, and what their terminals answered, all together. */
/* From the next output on, what runs does not show what is typed. */
void fake_core_hide_input(bool hide);
/* What runs is found to do that. */
void fake_core_foreground(enum foreground is);
const char *fake_core_typed(const struct orchestrator *core);
const char *fake_core_replied(const struct orchestrator *core);
/* The last size that a call's terminal was given. */
void fake_core_size(const struct orchestrator *core, int *rows, int *columns);
size_t fake_core_cancels(const struct orchestrator *core);
/* From now on a look ends what was granted to run code from files. */
void fake_core_files_changed(struct orchestrator *core, const char *name);
/* How often the console has looked calls up: its work, whatever the machine. */
size_t fake_core_looks(const struct orchestrator *core);
/* What the operator's files say, which holds for every session. */
void fake_core_own_rules(struct orchestrator *core, const char *lines);
/* What :undo is about: the newest that was said so. Its texts are copied. */
void fake_core_answered(struct orchestrator *core, const struct undo *undo);
/* The rule that the operator made last, of no request; NULL: none. */
const char *fake_core_rule(const struct orchestrator *core);

/* What npm run lint with such words is offered: from exactly this to any further words, the last
 * step refused. For a prompt, which owns it. */
struct ladder *fake_core_npm_ladder(const char *const *words);

#endif
