/* SPDX-License-Identifier: MIT */
/*
 * overlay: what is drawn over everything else and has the keyboard, as a stack. Each kind is a
 * class with the same few functions, in a file of its own.
 */
#ifndef ASSENT_UI_OVERLAY_H
#define ASSENT_UI_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/input.h"
#include "ui/keymap.h"
#include "ui/rect.h"

struct console;
struct overlay;

struct overlay_class {
    /* Draws inside `area`: the screen without its status line. */
    void (*draw)(struct overlay *overlay, struct console *console, struct rect area);
    void (*key)(struct overlay *overlay, struct console *console, const struct input_event *event);
    /* A button was pressed or the wheel turned. NULL: nothing comes of it. */
    void (*mouse)(struct overlay *overlay, struct console *console,
                  const struct input_mouse *mouse);
    /* NULL: a paste is dropped. */
    void (*paste)(struct overlay *overlay, struct console *console, const char *bytes,
                  size_t length);
    /* A frame that shows it has reached the terminal. May be NULL. */
    void (*painted)(struct overlay *overlay, struct console *console, int64_t now_ms);
    /* The screen's size changed. May be NULL. */
    void (*resized)(struct overlay *overlay, struct console *console);
    /* Where keys go, for the status line: a few words of at most `size` bytes. */
    void (*where)(struct overlay *overlay, struct console *console, char *out, size_t size);
    void (*free)(struct overlay *overlay);
    /* For reading: requests wait until that closes it, and it says so; ACTION_NONE: it is not. */
    enum action reading;
    bool gives_way;   /* closes by itself when a request is due */
    bool alone;       /* drawn over the panes: overlays below it would show round its edges */
    bool small;       /* has a shape for a screen below the least size */
    bool small_above; /* … where what it lies over has one */
    bool lets_line;   /* not read, but a colon begins a command there as well */
    bool tells;       /* what its keys did stands in the trail: what it lies over ends above that */
    bool in_pane;     /* what it shows is the pane's, in the pane's own rows */
};

/* First member of every overlay's own struct. */
struct overlay {
    const struct overlay_class *class;
    struct overlay *below;
    bool refused; /* the last key was one of the prompt line's, which waits until this is closed */
    bool drops_line; /* that was a colon: nor is what is typed behind it for this */
};

/* The console owns what is pushed. */
void overlay_push(struct console *console, struct overlay *overlay);
/* Closes the topmost. */
void overlay_pop(struct console *console);
/* Closes an overlay and those above it. */
void overlay_close(struct console *console, struct overlay *overlay);
/* Closes one that others lie on, which stay. */
void overlay_take_out(struct console *console, struct overlay *overlay);
void overlay_close_all(struct console *console);
bool overlay_open(const struct console *console, const struct overlay *overlay);
/* The topmost can be drawn and has the keys on a screen as small as it is now. */
bool overlay_fits(const struct console *console);

/* Is the key a colon, for which what is read closes, so that a command is typed? What lies below
 * gets it next. It waits where that would take it for a letter, or a line has been begun. */
bool overlay_closes_for_command(struct overlay *overlay, const struct console *console,
                                const struct input_event *event);

/* " Esc closes: 2 requests wait ", when they wait until the topmost is closed; else NULL. The
 * caller frees. */
char *overlay_waiting_text(const struct console *console);

/* How wide the box of a request is, and of what lies over one: not so much narrower that torn words
 * stood beside it. */
int overlay_request_columns(struct rect area);
/* A box of at most rows x columns in the middle of `area`. */
struct rect overlay_place(struct rect area, int rows, int columns);

#endif
