/* SPDX-License-Identifier: MIT */
/* record_view: what the record holds, shown once it has been read; the console goes on meanwhile.
 */
#ifndef ASSENT_UI_RECORD_VIEW_H
#define ASSENT_UI_RECORD_VIEW_H

struct console;

/* `text` is what is looked for, see struct console_record. */
void record_view_show(struct console *console, const char *text);

/* What is listed for it, as a heading; translated, static. */
const char *record_view_title(const char *text);

#endif
