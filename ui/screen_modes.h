/* SPDX-License-Identifier: MIT */
/* screen_modes: what of the operator's terminal is switched on for the console, and how it gets
 * back what it was: at the end, for a suspension, and when the program dies. Beside curses, which
 * is open while a terminal is taken. */
#ifndef ASSENT_UI_SCREEN_MODES_H
#define ASSENT_UI_SCREEN_MODES_H

#include <stdbool.h>
#include <termios.h>

#include "ui/restorer.h"

struct screen_modes {
    int input, output; /* borrowed */
    struct termios saved;
    bool have_saved;
    struct restorer restorer;
    bool synchronized;
    int cursor_style, mouse;           /* as they should be; told at the end of a frame */
    int cursor_style_sent, mouse_sent; /* as the terminal was told */
};

/* Notes how the terminal is now. */
void screen_modes_init(struct screen_modes *modes, int input, int output);
/* Takes the terminal: also after a suspension. */
void screen_modes_take(struct screen_modes *modes);
void screen_modes_give_back(struct screen_modes *modes);

/* Frames are sent as one from now on (mode 2026), or no longer. */
void screen_modes_synchronize(struct screen_modes *modes, bool on);
void screen_modes_begin_frame(const struct screen_modes *modes);
void screen_modes_end_frame(struct screen_modes *modes);

void screen_modes_send(const struct screen_modes *modes, const char *bytes);
/* The same, only to a terminal that is known to swallow what it does not understand. */
void screen_modes_send_known(const struct screen_modes *modes, const char *bytes);
/* Asks it for what the console wants to know; answers come as input. */
void screen_modes_ask(const struct screen_modes *modes);

#endif
