/* SPDX-License-Identifier: MIT */
/* view: the parts of the screen under the overlays. Each draws the rectangle that the layout gives
 * it, and nothing else. */
#ifndef ASSENT_UI_VIEW_H
#define ASSENT_UI_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/rect.h"

struct console;

void view_calls_draw(struct console *console);
/* How many rows the list would take. */
size_t view_calls_wanted(const struct console *console);
/* The call whose row of the list is there; 0 when none is. */
uint64_t view_calls_at(const struct console *console, int row, int column);
/* Marks that call, which is the newest or stays marked until the operator goes on. */
void view_calls_select(struct console *console, uint64_t call);
/* Marks the next (1) or the previous (-1) row's call. */
void view_calls_move(struct console *console, int direction);
/* Marks the newest, and each that comes from now on, until the next move. */
void view_calls_follow(struct console *console);

void view_sessions_draw(struct console *console);

/* Gives panes their places; tells the commands on terminals of their new size. */
void view_panes_place(struct console *console);
/* The size that the terminal of the next call will have. */
void view_panes_size(const struct console *console, int *rows, int *columns);
/* How many panes could be shown now. */
size_t view_panes_wanted(const struct console *console);
/* Draws titles when `all`, and what changed of the rows. */
void view_panes_draw(struct console *console, bool all);

#define VIEW_TRAIL_OWN_MS 6000 /* what the operator's key did stands last for so long */
void view_trail_draw(struct console *console);
/* Rows that a line with that text takes when it is whole. */
int view_trail_rows(int columns, const char *text);
/* Would one line with that text be whole in it? */
bool view_trail_fits(struct rect trail, const char *text);
/* Also places the cursor while the prompt line has the keyboard. */
void view_prompt_draw(struct console *console);
void view_status_draw(struct console *console);

#endif
