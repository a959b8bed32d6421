/* SPDX-License-Identifier: MIT */
/* clients_text: who asks in a session that several share, as they call themselves. */
#ifndef ASSENT_UI_CLIENTS_TEXT_H
#define ASSENT_UI_CLIENTS_TEXT_H

#include <stddef.h>
#include <sys/types.h>

struct orchestrator;
struct session;

/* Which of them. */
struct clients {
    const struct session *session;
    const pid_t *trees; /* those alone that are processes of these; borrowed */
    size_t tree_count;  /* 0: all */
    const char *first;  /* whose name is told before the others'; NULL: nobody's; borrowed */
};

#define CLIENTS_TEXT_FEW 3   /* names in a sentence */
#define CLIENTS_TEXT_MANY 12 /* where there is room */

/* At most that many names: "claude", "reviewer" and 2 more. Made safe; NULL when the session is not
 * shared, or nobody who gives a name has asked yet. Caller frees. */
char *clients_text(const struct orchestrator *orchestrator, const struct clients *clients,
                   size_t most);

#endif
