/* SPDX-License-Identifier: MIT */
/* standing: how a call stands, with what the console knows beside the call itself. */
#ifndef ASSENT_UI_STANDING_H
#define ASSENT_UI_STANDING_H

#include "ui/call_text.h"

struct console;

/* As call_text_standing(), but a request that was put aside says so, and a command that waits for
 * a host names it. The caller frees `words`. */
struct call_standing standing_of(const struct console *console, const struct call *call);

#endif
