/* SPDX-License-Identifier: MIT */
/* restored_view: what came back of a console that this one goes on from, and what did not. */
#ifndef ASSENT_UI_RESTORED_VIEW_H
#define ASSENT_UI_RESTORED_VIEW_H

struct console;
#include <stddef.h>

struct console;
struct console_restored;
struct document;
struct rules;

/* What there is to say of it; its title is _("What came back"). `rules`: of the operator's files,
 * which hold whatever came back; NULL: none. */
void restored_view_text(struct document *text, const struct console_restored *restored,
                        const struct rules *rules);
/* For the list of calls while it is empty; `calls` are on the record before. The caller frees. */
char *restored_view_nothing_yet(size_t calls);
void restored_view_show(struct console *console, const struct console_restored *restored);

#endif
