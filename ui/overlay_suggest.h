/* SPDX-License-Identifier: MIT */
/* overlay_suggest: rules that the operator could make of what they approved again and again, as a
 * list from which a key adds one. */
#ifndef ASSENT_UI_OVERLAY_SUGGEST_H
#define ASSENT_UI_OVERLAY_SUGGEST_H

struct console;

/* Reads the record, and shows the list then. */
void overlay_suggest_open(struct console *console);

#endif
