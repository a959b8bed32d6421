/* SPDX-License-Identifier: MIT */
/* details: everything about a request, a call, the sessions, the trail, as documents to be read. */
#ifndef ASSENT_UI_DETAILS_H
#define ASSENT_UI_DETAILS_H

#include <stdbool.h>

#include "approval/orchestrator.h"
#include "ui/approval_content.h"
#include "ui/call_text.h"
#include "ui/document.h"
#include "ui/trail.h"

#define DETAILS_SCRIPTS_MAX 16

/* Where it is noted, as in document_watch(), that all of the command, of the rules that it could be
 * made into, and of the path that an answer gives, has been seen. */
struct details_seen {
    bool *end, *rules, *path; /* each may be NULL */
    bool *scripts;            /* of DETAILS_SCRIPTS_MAX: each file that it runs, the last for all
                                 that come behind; may be NULL */
    const struct approval_keys *keys; /* of the answers that it may lack; may be NULL */
};

/* Have all the files been seen that would be run where no sandbox holds them? What is no text
 * cannot be shown, and an empty file says nothing. */
bool details_scripts_seen(const struct prompt *prompt, const bool seen[DETAILS_SCRIPTS_MAX]);

/* What its answers are at the moment. */
struct details_answers {
    const struct lease *lease; /* how long the one for the session is to last */
    const char *end;           /* the key that ends all */
};

/* Everything about a call that waits with a prompt; `ascii`: nothing else can be shown. */
void details_request(struct document *document, const struct orchestrator *orchestrator,
                     const struct call *call, const struct details_answers *answers, bool ascii,
                     const struct details_seen *seen);
void details_call(struct document *document, const struct call *call,
                  const struct call_standing *standing);
/* Who is connected, and what is in force for them. */
void details_sessions(struct document *document, const struct orchestrator *orchestrator);
void details_trail(struct document *document, const struct orchestrator *orchestrator,
                   const struct trail *trail);

#endif
