/* SPDX-License-Identifier: MIT */
/*
 * screen: the operator's terminal. Brings it into the state that the console needs, gives it back
 * as it was (also when the program dies), follows its size, and says when a frame is drawn.
 *
 * The frame clock: the first change after quiet is drawn in the same turn of the loop; while
 * changes go on, one frame each 16 ms (programs' output that fills a large screen is drawn less
 * often); without changes no timer runs. A terminal that takes no
 * bytes is asked again every 33 ms, so that a write never blocks the loop for long.
 *
 * One screen at a time: curses has global state.
 */
#ifndef ASSENT_UI_SCREEN_H
#define ASSENT_UI_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/loop.h"

#define SCREEN_FRAME_MS 16
#define SCREEN_BLOCKED_MS 33

struct screen;

struct screen_setup {
    struct loop *loop;
    int input, output;    /* descriptors of the terminal; borrowed */
    const char *terminal; /* TERM; NULL: from the environment */
    /* Draws with curses what has changed; the screen sends it out afterwards. */
    void (*draw)(void *argument);
    /* A frame has reached the terminal, at this time of the loop's clock. */
    void (*painted)(void *argument, int64_t now_ms);
    /* The size changed (also after coming back from a suspension): everything must be drawn. */
    void (*resized)(void *argument, int rows, int columns);
    void *argument;
};

/* NULL with a message when the terminal is unknown or cannot address its cursor. */
struct screen *screen_new(const struct screen_setup *setup, struct error *error);
/* Gives the terminal back. */
void screen_free(struct screen **screen);

void screen_size(const struct screen *screen, int *rows, int *columns);
/* The locale and the terminal show characters beyond ASCII. */
bool screen_unicode(const struct screen *screen);

/* Asks for a frame; drawn at the end of this turn or when the frame clock says. */
void screen_request(struct screen *screen);
/* The same for what a program in a pane has written: after a frame that wrote much of a large
 * screen the next comes later (within 50 ms), which halves what a flood sends to the terminal. */
void screen_request_output(struct screen *screen);
/* Asks for a frame at the end of this turn, whatever the frame clock says (echo of a key). */
void screen_request_now(struct screen *screen);
/* Everything on the terminal counts as lost: the next frame repaints it. */
void screen_repaint(struct screen *screen);
/* Where the cursor stands after each frame; row -1 hides it. */
void screen_cursor(struct screen *screen, int row, int column);
/* How the cursor looks (the number of DECSCUSR), 0: as the terminal's owner wants it, which the
 * next screen_cursor() restores. */
void screen_cursor_style(struct screen *screen, int style);
/* What the terminal reports of its mouse from the next frame on: the number of the private mode
 * (1000, 1002, 1003), 0: nothing, so that it can be used to select text. */
void screen_mouse(struct screen *screen, int mode);
/* The terminal knows synchronized output: frames are wrapped in it. */
void screen_set_synchronized(struct screen *screen, bool on);
void screen_bell(struct screen *screen);
/* What the terminal calls its window: text without controls. The terminal's own title comes back
 * with the terminal, where it can keep one. No effect on terminals that may not know titles. */
void screen_title(struct screen *screen, const char *title);

/* A notification on the operator's desktop, by the OSC sequence of that number (9 or 777); no
 * effect on terminals that may not know it. `text` is ours, without controls and ";". */
void screen_notify(struct screen *screen, int osc, const char *text);
/* Hands text to the terminal's clipboard (OSC 52), which may refuse it without a word. No effect on
 * terminals that may not know that. */
void screen_copy(struct screen *screen, const char *text, size_t length);

/* Gives the terminal back, stops the process as Ctrl-Z does, and takes it again afterwards. */
void screen_suspend(struct screen *screen);

uint64_t screen_frames(const struct screen *screen); /* frames sent so far */

#endif
