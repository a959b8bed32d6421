/* SPDX-License-Identifier: MIT */
/*
 * overlay_reader: reading what a pane has shown: search in it, select of it, copy it to the
 * terminal's clipboard (OSC 52). The pane stands still meanwhile; what comes is kept below.
 */
#ifndef ASSENT_UI_OVERLAY_READER_H
#define ASSENT_UI_OVERLAY_READER_H

struct console;

/* For the selected pane; where the selected call has none, what is known of it is shown instead, so
 * that what is typed next is a search there as well. `search`: look for that text at once; NULL:
 * nothing is looked for. */
void overlay_reader_open(struct console *console, const char *search);

#endif
