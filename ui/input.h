/* SPDX-License-Identifier: MIT */
/*
 * input: what the operator's terminal sends, byte by byte, made into keys, pastes and answers.
 *
 * A state machine of its own instead of curses' getch(), which refreshes the screen behind our
 * back, swallows sequences that it does not know and has a clock of its own. It understands
 * UTF-8, CSI and SS3 keys with xterm's modifiers (ctlseqs, "PC-Style Function Keys"), CSI u keys,
 * bracketed paste (mode 2004) and the answers to our own questions (DECRPM, OSC 11). An ESC byte
 * alone is a key only once input_timeout() says that nothing followed it.
 *
 * Every event carries the bytes that made it, so that they can be handed to a pane unchanged.
 */
#ifndef ASSENT_UI_INPUT_H
#define ASSENT_UI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How long to wait after an ESC byte before it counts as the Escape key: a terminal sends a key's
 * bytes in one go, but a network may tear them apart. */
#define INPUT_ESCAPE_MS 30
#define INPUT_ESCAPE_REMOTE_MS 400
/* A longer paste is dropped whole (`bytes` NULL). */
#define INPUT_PASTE_MAX ((size_t)1024 * 1024)

enum input_kind {
    INPUT_KEY,
    INPUT_PASTE,      /* `bytes`: the pasted text, without its brackets; NULL when too long */
    INPUT_MOUSE,      /* `mouse` */
    INPUT_SYNC_KNOWN, /* the terminal knows synchronized output (mode 2026) */
    INPUT_BACKGROUND, /* `key`: the terminal's background colour, 0xRRGGBB */
    INPUT_UNKNOWN,    /* a whole sequence that means nothing to us */
};

enum input_modifier { INPUT_SHIFT = 1, INPUT_ALT = 2, INPUT_CTRL = 4 };

/* Keys that are no character lie above Unicode. */
enum input_key {
    INPUT_KEY_ESCAPE = 0x110000,
    INPUT_KEY_ENTER,
    INPUT_KEY_TAB,
    INPUT_KEY_BACKSPACE,
    INPUT_KEY_UP,
    INPUT_KEY_DOWN,
    INPUT_KEY_RIGHT,
    INPUT_KEY_LEFT,
    INPUT_KEY_HOME,
    INPUT_KEY_END,
    INPUT_KEY_INSERT,
    INPUT_KEY_DELETE,
    INPUT_KEY_PAGE_UP,
    INPUT_KEY_PAGE_DOWN,
    INPUT_KEY_F1, /* F1 to F12 follow each other */
    INPUT_KEY_F12 = INPUT_KEY_F1 + 11,
    INPUT_KEY_INVALID, /* bytes that are not UTF-8 */
};

#define MOUSE_LEFT 1
#define MOUSE_WHEEL_UP 4
#define MOUSE_WHEEL_DOWN 5

enum input_mouse_kind { INPUT_MOUSE_PRESS, INPUT_MOUSE_RELEASE, INPUT_MOUSE_MOTION };
struct input_mouse {
    enum input_mouse_kind kind;
    int button;      /* 1 to 3, 4 and 5 the wheel up and down, 6 and 7 left and right,
                      * from 8 those at the side; 0 none */
    int row, column; /* on the terminal, from 0 */
};

struct input_event {
    enum input_kind kind;
    uint32_t key;       /* a code point or an enum input_key */
    unsigned modifiers; /* of enum input_modifier; Ctrl-A is 'a' with INPUT_CTRL */
    const char *bytes;  /* valid during the callback */
    size_t length;
    bool alone; /* nothing else came in one piece with it, as with a single key pressed */
    struct input_mouse mouse;
};

struct input;

struct input *input_new(void (*event)(void *argument, const struct input_event *event),
                        void *argument);
void input_free(struct input **input);
/* Takes bytes in; calls back for every event that is complete. */
void input_feed(struct input *input, const char *bytes, size_t length);
/* True while bytes wait for more: call input_timeout() INPUT_ESCAPE_MS after the last feed. */
bool input_pending(const struct input *input);
/* For how long: `chosen`, or when that is 0 by where the terminal is. Over ssh it is far away,
 * unless tmux or screen stands between, which puts keys together itself. */
int64_t input_escape_ms(int64_t chosen);
/* Nothing more came: what waits is taken as it is (a lone ESC is the Escape key). */
void input_timeout(struct input *input);

#endif
