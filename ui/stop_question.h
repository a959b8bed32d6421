/* SPDX-License-Identifier: MIT */
/* stop_question: what the operator is asked before an agent is stopped: who it is, by which call it
 * was chosen, and what of it ends. */
#ifndef ASSENT_UI_STOP_QUESTION_H
#define ASSENT_UI_STOP_QUESTION_H

struct call;
struct operator_agent;
struct orchestrator;
struct rect;

/* That `again`, a key or a command, does it. `selected`: the call by which a key chose it; NULL: it
 * was named. `elsewhere`: what leads to another that has something open, where it has nothing;
 * NULL: that is not said. What leads to the consequence is shortened until all fits in `room`, the
 * place of the trail; NULL: nothing is. Caller frees. */
char *stop_question(const struct orchestrator *orchestrator, const char *again,
                    const struct operator_agent *agent, const struct call *selected,
                    const char *elsewhere, const struct rect *room);
/* The newest open call of an agent that is not this one and not stopped; NULL when there is none,
 * or this one has something open itself. */
const struct call *stop_question_open_elsewhere(const struct orchestrator *orchestrator,
                                                const struct operator_agent *agent);

#endif
