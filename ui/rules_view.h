/* SPDX-License-Identifier: MIT */
/* rules_view: the rules in force, and, once the record has been read, what each of them did. */
#ifndef ASSENT_UI_RULES_VIEW_H
#define ASSENT_UI_RULES_VIEW_H

struct console;

void rules_view_show(struct console *console);

#endif
