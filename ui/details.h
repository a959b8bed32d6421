/* SPDX-License-Identifier: MIT */
/* details: everything about a request, a call, the sessions, the trail, as documents to be read. */
#ifndef ASSENT_UI_DETAILS_H
#define ASSENT_UI_DETAILS_H

#include <stdbool.h>

#include "approval/orchestrator.h"
#include "ui/call_text.h"
#include "ui/document.h"
#include "ui/trail.h"

/* Everything about a call that waits with a prompt; `ascii`: nothing else can be shown. *end_seen
 * and *rules_seen, as in document_watch(), once all of the command and all of the rules that it
 * could be made into have been seen. */
void details_request(struct document *document, const struct call *call, bool ascii, bool *end_seen,
                     bool *rules_seen);
void details_call(struct document *document, const struct call *call,
                  const struct call_standing *standing);
/* Who is connected, and what is in force for them. */
void details_sessions(struct document *document, const struct orchestrator *orchestrator);
void details_trail(struct document *document, const struct trail *trail);

#endif
