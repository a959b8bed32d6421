/* SPDX-License-Identifier: MIT */
/* decision_text: what was decided, and by whom, in a line for the operator. */
#ifndef ASSENT_UI_DECISION_TEXT_H
#define ASSENT_UI_DECISION_TEXT_H

#include <stdbool.h>

#include "approval/call.h"
#include "approval/grants.h"

struct orchestrator;
struct reach_connection;

/* "allowed once", "allowed for 10 minutes" …; caller frees. */
char *decision_text_what(const struct call *call);
/* "allowed once, by you"; "allowed once, no sandbox, by you". Caller frees. */
char *decision_text_words(const struct call *call);
/* "c12 codex, allowed once, by you: rm -rf build", made safe with these enum text_flags;
 * caller frees. Says in *allowed which it was. */
char *decision_text(const struct orchestrator *orchestrator, const struct call *call,
                    unsigned flags, bool *allowed);
/* "c12 codex, denied, by the policy, 7 times: rm -rf build": a refusal that nobody was asked about,
 * which has come so often. Caller frees. */
char *decision_text_refusal(const struct orchestrator *orchestrator, const struct call *call,
                            unsigned flags, unsigned times);
/* Such a line, made safe and perhaps with a mark before it, as it would be made now: who asked has
 * a number once another has come who calls themselves the same. Any other line is as it was. Caller
 * frees. */
char *decision_text_by_now(const struct orchestrator *orchestrator, const char *line);
/* What such refusals share that are told in one line: who asked for what, and who refused it.
 * Caller frees. */
char *decision_text_same(const struct call *call);
/* "c3 could not reach https://…: refused (c4: allowed for this session)", or NULL where a
 * connection of it has not failed. Who was asked about a host learns so that nothing came of it,
 * and for how long it is allowed all the same. Caller frees. */
char *decision_text_unreached(const struct orchestrator *orchestrator, const struct call *call,
                              const struct reach_connection *connection);
/* Why a grant holds no more: not made safe; NULL when the operator took it back and knows. Caller
 * frees. */
char *decision_text_grant_end(const struct grant *grant, enum grant_end end);

#endif
