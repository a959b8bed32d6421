/* SPDX-License-Identifier: MIT */
/* details_view: a request in full and the trail, over everything else. */
#ifndef ASSENT_UI_DETAILS_VIEW_H
#define ASSENT_UI_DETAILS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

struct console;

/* Everything about a request that waits; *end_seen and *rules_seen as in details_request(). */
void details_show_request(struct console *console, uint64_t call, bool *end_seen, bool *rules_seen);
void details_show_trail(struct console *console);

#endif
