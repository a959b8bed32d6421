/* SPDX-License-Identifier: MIT */
/* standing: how a call stands, with what the console knows beside the call itself. */
#ifndef ASSENT_UI_STANDING_H
#define ASSENT_UI_STANDING_H

#include <stdbool.h>

#include "ui/call_text.h"

struct console;
struct orchestrator;

/* As call_text_standing(), but a request that was put aside says so, and a command that waits for
 * a host names it. The caller frees `words`. */
struct call_standing standing_of(const struct console *console, const struct call *call);
/* The same for any console; `aside`: it asks, and was put aside. */
struct call_standing standing_beside(const struct orchestrator *orchestrator,
                                     const struct call *call, bool aside);

#endif
