/* SPDX-License-Identifier: MIT */
/* details_view: a request in full, a call without a pane, and the trail, over everything else. */
#ifndef ASSENT_UI_DETAILS_VIEW_H
#define ASSENT_UI_DETAILS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/details.h"

struct call;
struct console;

/* Everything about a request that waits; `lease`, `seen` as in details_request(). */
void details_show_request(struct console *console, uint64_t call, const struct lease *lease,
                          const struct details_seen *seen);
/* A call that has no pane, to be read and searched as its pane would be. `search`: look for that
 * text at once, unless that is NULL or empty. */
void details_show_paneless(struct console *console, const struct call *call, const char *search);
void details_show_trail(struct console *console);

#endif
