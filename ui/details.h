/* SPDX-License-Identifier: MIT */
/* details: full views, to be read: of a request, a call, the trail, the sessions. */
#ifndef ASSENT_UI_DETAILS_H
#define ASSENT_UI_DETAILS_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct console;

/* Everything about a request that waits; *end_seen and *rules_seen, as in overlay_full_watch(),
 * once all of the command and all of the rules that it could be made into have been on the screen.
 */
void details_show_request(struct console *console, uint64_t call, bool *end_seen, bool *rules_seen);
void details_show_call(struct console *console, const struct call *call);
/* Who is connected, and what is in force for them. */
void details_show_sessions(struct console *console);
void details_show_trail(struct console *console);

#endif
