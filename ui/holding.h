/* SPDX-License-Identifier: MIT */
/* holding: what holds beyond one request, and in which words it is shown. */
#ifndef ASSENT_UI_HOLDING_H
#define ASSENT_UI_HOLDING_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/grants.h"
#include "approval/orchestrator.h"
#include "approval/session.h"
#include "ui/document.h"

/* One thing that holds: a grant, or a rule that was made for a session or is kept; or what was
 * denied, and is again when it is asked once more. */
struct holding {
    struct session *session;             /* NULL: of `kept` */
    const struct grant *grant;           /* NULL: a rule, or a denial */
    size_t rule;                         /* its place among those of the session */
    const struct session_denial *denial; /* NULL: it allows */
    const char *kept;                    /* a rule that Assent wrote to the operator's file */
    const struct orchestrator *orchestrator;
};

size_t holding_count(const struct orchestrator *orchestrator);
/* The n-th, what allows first; false when there are not so many. */
bool holding_find(const struct orchestrator *orchestrator, size_t index, struct holding *holding);
/* What it is about; untrusted, not escaped; as long as the holding. */
const char *holding_subject(const struct holding *holding);
/* The same as people read it: of a rule or a host no syntax. Untrusted, not escaped; caller frees.
 */
char *holding_words(const struct holding *holding);
/* What there is to tell of it once it is taken back; undo_clear() it. */
void holding_undo(const struct holding *holding, struct undo *undo);
/* Does what it lets run leave the sandbox? */
bool holding_leaves(const struct holding *holding);
/* "codex; for 10 minutes, 9:41 left; used 2 times; your answer to c12", "codex; denied again 3
 * times; your answer to c12"; first, that it leaves the sandbox. Caller frees. */
char *holding_terms(const struct holding *holding);
/* What was denied since and comes first, so that it does not hold now; NULL: nothing. Borrowed. */
const struct session_denial *holding_overruled(const struct holding *holding);
/* "2 open, what holds: 1": its open calls, and what the list has of it. Caller frees. */
char *holding_session_counts(const struct orchestrator *orchestrator,
                             const struct session *session);
/* Everything about it. */
void holding_details(const struct holding *holding, struct document *document);
/* What is said in place of them when there is none. */
const char *holding_none(const struct orchestrator *orchestrator);
/* All rules of files hold, and those that Assent did not write are listed elsewhere: how many;
 * caller frees. */
char *holding_beside(const struct orchestrator *orchestrator);

#endif
