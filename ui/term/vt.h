/* SPDX-License-Identifier: MIT */
/*
 * vt: the terminal in a pane. Bytes of a program go in, the grid and a few events come out; keys,
 * mouse and paste go in, bytes for the program come out.
 *
 * It is an xterm-like terminal (TERM=xterm-256color). Everything that goes in is hostile: no input
 * can make it crash, wait, or take more memory than the sizes given below allow, and nothing of it
 * reaches the outer terminal but through the grid. Queries (device attributes, cursor position,
 * modes) are answered here, never passed on.
 */
#ifndef ASSENT_UI_TERM_VT_H
#define ASSENT_UI_TERM_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "ui/term/grid.h"

/* Sizes that vt_new() and vt_resize() take; others are moved to the nearest of these. */
#define VT_ROWS_MIN 1
#define VT_COLUMNS_MIN 2 /* a wide character needs two */
#define VT_ROWS_MAX 1000
#define VT_COLUMNS_MAX 1000
#define VT_SCROLLBACK_MAX 1000000 /* lines */

#define VT_TITLE_MAX 256 /* bytes of a title, without the NUL */
#define VT_STRING_MAX                                                                              \
    (1024 * 1024)         /* longest OSC, DCS, APC, PM or SOS; longer ones are dropped             \
                           */
#define VT_REPLY_MAX 4096 /* bytes of replies for each vt_write(); more are dropped */

struct vt;

/* Requests of the program to the world outside; never acted on here. */
enum vt_request {
    VT_REQUEST_CLIPBOARD, /* OSC 52: "SELECTIONS;BASE64" or "SELECTIONS;?" (a read: refuse) */
    VT_REQUEST_NOTIFY,    /* OSC 9, 99, 777: the text after the number and its ";" */
};

/* What a pane tells while vt_write() runs. Each may be NULL. They must not call back into the vt,
 * except for the const functions. Text is valid during the call only. */
struct vt_events {
    void (*bell)(void *argument);
    /* OSC 0 and 2: well-formed UTF-8 of at most VT_TITLE_MAX bytes, made safe by text_escape(). */
    void (*title)(const char *title, void *argument);
    /* Bytes to write to the program, whole sequences. */
    void (*reply)(const char *bytes, size_t length, void *argument);
    /* Hostile bytes of any content, at most VT_STRING_MAX. */
    void (*request)(enum vt_request request, const char *bytes, size_t length, void *argument);
};

/* `scrollback` in lines (0: none); a line that was broken by the right edge counts as one. `events`
 * must outlive the vt. */
struct vt *vt_new(int rows, int columns, int scrollback, const struct vt_events *events,
                  void *argument);
void vt_free(struct vt **vt);

/* Takes output of the program, any bytes in pieces of any size. */
void vt_write(struct vt *vt, const char *bytes, size_t length);

/* Wraps the main screen and its scrollback anew; the alternate screen is cut or filled up. */
void vt_resize(struct vt *vt, int rows, int columns);

const struct grid *vt_grid(const struct vt *vt);
/* Forgets the lines above the screen. */
void vt_drop_scrollback(struct vt *vt);
/* Marks all rows as drawn. */
void vt_clear_dirty(struct vt *vt);

enum vt_cursor_shape { VT_CURSOR_BLOCK, VT_CURSOR_UNDERLINE, VT_CURSOR_BAR };

struct vt_cursor {
    int row, column; /* on the screen, from 0 */
    bool visible;
    bool blinking;
    enum vt_cursor_shape shape;
};
struct vt_cursor vt_cursor(const struct vt *vt);

enum vt_mode {
    VT_MODE_CURSOR_KEYS = 1 << 0,     /* DECCKM: application cursor keys */
    VT_MODE_KEYPAD = 1 << 1,          /* DECKPAM: application keypad */
    VT_MODE_BRACKETED_PASTE = 1 << 2, /* 2004 */
    VT_MODE_FOCUS = 1 << 3,           /* 1004: wants vt_focus() */
    VT_MODE_SYNC = 1 << 4,            /* 2026: a picture is being painted, hold the frame back
                                         (for 150 ms at most: a program may forget to end it) */
    VT_MODE_MOUSE_CLICK = 1 << 5,     /* 9, 1000: presses and releases */
    VT_MODE_MOUSE_DRAG = 1 << 6,      /* 1002: and motion with a button down */
    VT_MODE_MOUSE_MOVE = 1 << 7,      /* 1003: and any motion */
    VT_MODE_REVERSE = 1 << 8,         /* DECSCNM: default colours exchanged on the whole screen */
    VT_MODE_NEWLINE = 1 << 9,         /* LNM */
    VT_MODE_ALTERNATE = 1 << 10,      /* the alternate screen is on */
};
#define VT_MODE_MOUSE (VT_MODE_MOUSE_CLICK | VT_MODE_MOUSE_DRAG | VT_MODE_MOUSE_MOVE)
unsigned vt_modes(const struct vt *vt); /* enum vt_mode, or-ed */

/* The title that was set last, as the event gave it; "" before. Owned by the vt. */
const char *vt_title(const struct vt *vt);

/* ---- towards the program ---------------------------------------------------------------------
 * These append bytes to `out` as the program's modes ask; nothing is sent by itself. */

/* A key is a Unicode code point or one of these, beyond Unicode. */
enum vt_key {
    VT_KEY_FIRST = 0x110000,
    VT_KEY_UP = VT_KEY_FIRST,
    VT_KEY_DOWN,
    VT_KEY_RIGHT,
    VT_KEY_LEFT,
    VT_KEY_HOME,
    VT_KEY_END,
    VT_KEY_INSERT,
    VT_KEY_DELETE,
    VT_KEY_PAGE_UP,
    VT_KEY_PAGE_DOWN,
    VT_KEY_ENTER,
    VT_KEY_TAB,
    VT_KEY_BACKSPACE,
    VT_KEY_ESCAPE,
    VT_KEY_F1, /* F1 to F20 follow each other */
    VT_KEY_F20 = VT_KEY_F1 + 19,
    VT_KEY_KEYPAD_0, /* 0 to 9 follow each other */
    VT_KEY_KEYPAD_9 = VT_KEY_KEYPAD_0 + 9,
    VT_KEY_KEYPAD_MULTIPLY,
    VT_KEY_KEYPAD_ADD,
    VT_KEY_KEYPAD_SUBTRACT,
    VT_KEY_KEYPAD_DECIMAL,
    VT_KEY_KEYPAD_DIVIDE,
    VT_KEY_KEYPAD_ENTER,
    VT_KEY_LAST = VT_KEY_KEYPAD_ENTER,
};
/* Modifiers, as xterm counts them (its parameter is 1 + this). */
enum vt_modifier { VT_SHIFT = 1, VT_ALT = 2, VT_CONTROL = 4 };

/* Ctrl with a character that has no control code sends the character alone; unknown keys send
 * nothing. Bytes that came from a terminal as they are need no translation: write them. */
void vt_key(const struct vt *vt, uint32_t key, unsigned modifiers, struct strbuf *out);

/* Bracketed if the program asked for it. Controls other than tab and line ends are left out, so
 * that no paste can end its own brackets or press keys; line ends become CR, as Enter does. */
void vt_paste(const struct vt *vt, const char *bytes, size_t length, struct strbuf *out);

enum vt_mouse_kind { VT_MOUSE_PRESS, VT_MOUSE_RELEASE, VT_MOUSE_MOTION };
struct vt_mouse_event {
    enum vt_mouse_kind kind;
    int button;         /* 1 left, 2 middle, 3 right, 4 and 5 wheel up and down, 6 and 7 wheel left
                           and right; 0 none (motion) */
    int row, column;    /* on the pane's screen, from 0 */
    unsigned modifiers; /* enum vt_modifier */
};
/* Appends nothing when the program did not ask for such events. */
void vt_mouse(const struct vt *vt, const struct vt_mouse_event *event, struct strbuf *out);
/* The pane got (or lost) the keyboard. */
void vt_focus(const struct vt *vt, bool in, struct strbuf *out);

#endif
