/* SPDX-License-Identifier: MIT */
/*
 * pane: the terminal of one call. Fed with what the command prints, whether it runs on a terminal
 * or on pipes; kept until the orchestrator forgets the call, with its scrollback as
 * long as there is room for that (pane_set_trim()).
 */
#ifndef ASSENT_UI_PANE_H
#define ASSENT_UI_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "ui/input.h"
#include "ui/rect.h"
#include "ui/term/vt.h"
#include "ui/theme.h"

#define PANE_SCROLLBACK 10000 /* lines */
/* What has scrolled off in the panes of finished calls, together: bytes. */
#define PANE_KEPT_BYTES ((size_t)64 * 1024 * 1024)
/* The screens of these panes, together: 200x50 takes 160 kB, twice that with the alternate one. */
#define PANE_SCREENS_BYTES ((size_t)64 * 1024 * 1024)
/* A program that paints a picture at once (mode 2026) holds its pane back this long at most. */
#define PANE_HOLD_MS 150

struct pane {
    uint64_t call; /* id */
    struct vt *vt;
    bool tty;                    /* else its output has bare newlines */
    int told_rows, told_columns; /* the size that its program knows of; 0: none yet */
    struct rect text;            /* where its screen is drawn; empty while not shown */
    int above;                   /* rows of its terminal above the first one drawn */
    int64_t scroll;              /* first line shown when not following, see `following` */
    bool following;              /* shows the newest lines */
    unsigned generation;         /* of the grid when `scroll` was set */
    bool redraw;                 /* all rows, not only what is dirty of them */
    bool beside;                 /* see pane_stand_beside() */
    int64_t held_since;          /* time of the first frame that was held back; -1: none */
    struct strbuf reply;         /* answers to the program's questions, not yet handed over */
    struct strbuf report;        /* of a patch that is applied: what its program has said so far */
    bool secret;                 /* its program reads a line without showing it */
    bool unlooked;               /* it wrote since that was looked at */
    bool awaits;                 /* its program seems to wait for a line (awaiting.h) */
    int64_t wrote_ms;            /* when it wrote last */
    bool bell;
    bool silent;   /* nothing has been written to it */
    bool words;    /* of ours stand in its rows since they were drawn */
    int64_t ended; /* counts up with each call that finishes; 0: it runs */
};

/* In the order in which they were made. */
struct pane_set {
    struct pane **panes;
    size_t count;
    int scrollback;       /* lines that a new pane keeps; 0: PANE_SCROLLBACK */
    size_t kept_bytes;    /* 0: PANE_KEPT_BYTES */
    size_t screens_bytes; /* 0: PANE_SCREENS_BYTES */
};

struct pane *pane_set_find(const struct pane_set *set, uint64_t call);
/* Makes the call's pane when there is none yet. */
struct pane *pane_set_add(struct pane_set *set, uint64_t call, bool tty, int rows, int columns);
void pane_set_remove(struct pane_set *set, uint64_t call);
void pane_set_clear(struct pane_set *set);
/* Where finished calls' panes keep more than they may together, those that finished first lose
 * their scrollback, not what their screen shows. Where the screens take more, those panes go. The
 * pane of the call `spared` loses nothing. */
void pane_set_trim(struct pane_set *set, uint64_t spared);

/* Output of the command. */
void pane_write(struct pane *pane, const char *bytes, size_t length);
/* A line of ours between the outputs of two attempts; `text` is ours. */
void pane_mark(struct pane *pane, const char *text);
/* Gives the pane its place, and its terminal those rows: where that is more than the place has, the
 * newest of them are shown, or those with the cursor. */
void pane_place(struct pane *pane, struct rect text, int rows);
/* Shows lines further back (positive) or forward. */
void pane_scroll(struct pane *pane, int lines);
/* The line of its grid that stands at the top of its place. */
int64_t pane_top_line(const struct pane *pane);
/* Shows that line at the top, also while more comes, until it is let go: then it shows the newest
 * lines again. */
void pane_stand_at(struct pane *pane, int64_t line);
void pane_let_go(struct pane *pane);
/* Lines between what is shown and the newest. */
int64_t pane_lines_behind(const struct pane *pane);
/* Whether words of ours may stand in its rows: then its letters that are written from right to
 * left are marks, which reorder nothing. */
void pane_stand_beside(struct pane *pane, bool beside);
/* Draws what changed. False when that is held back: then it is asked again after PANE_HOLD_MS. */
bool pane_draw(struct pane *pane, const struct theme *theme, int64_t now_ms);
bool pane_dirty(const struct pane *pane);
/* The bytes that a mouse event is for its program, in `out`: none when it did not ask for such
 * events, or happens elsewhere. */
void pane_mouse(const struct pane *pane, const struct input_event *event, struct strbuf *out);
/* What the terminal is to report of its mouse for that program (see screen_mouse()). */
int pane_mouse_mode(const struct pane *pane);
/* The bytes that a key or a paste is for its program. */
void pane_key(const struct pane *pane, const struct input_event *event, struct strbuf *out);

#endif
