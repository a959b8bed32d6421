/* SPDX-License-Identifier: MIT */
/*
 * console_int: what the files of ui/ share of the console. Private to the folder.
 *
 * Handlers change state and say with console_dirty() what looks different now; drawing happens
 * once a frame, in console_draw() alone.
 */
#ifndef ASSENT_UI_CONSOLE_INT_H
#define ASSENT_UI_CONSOLE_INT_H

#include "ui/after_request.h"
#include "ui/approval_kept.h"
#include "ui/approval_queue.h"
#include "ui/approval_resume.h"
#include "ui/attention.h"
#include "ui/call_list.h"
#include "ui/console.h"
#include "ui/desk.h"
#include "ui/input.h"
#include "ui/keymap.h"
#include "ui/layout.h"
#include "ui/line_editor.h"
#include "ui/operator_agents.h"
#include "ui/overlay.h"
#include "ui/pane.h"
#include "ui/render.h"
#include "ui/screen.h"
#include "ui/theme.h"
#include "ui/trail.h"
#include "ui/vigil.h"

enum console_dirty {
    DIRTY_CALLS = 1 << 0,
    DIRTY_PANES = 1 << 1, /* titles, or which part of a pane is shown; rows know themselves */
    DIRTY_TRAIL = 1 << 2,
    DIRTY_PROMPT = 1 << 3,
    DIRTY_STATUS = 1 << 4,
    DIRTY_OVERLAY = 1 << 5,
    DIRTY_LAYOUT = 1 << 6, /* places may have changed: everything is drawn anew */
};

struct console {
    struct console_setup setup;
    struct screen *screen;
    struct theme *theme;
    struct keymap keymap;
    struct input *input;
    struct loop_io *input_io;
    struct loop_timer *escape_timer;
    struct loop_timer *guard_timer;    /* a request's keys begin to count */
    struct loop_timer *wait_timer;     /* an open request has waited for another minute */
    struct loop_timer *hold_timer;     /* a pane has been held back long enough */
    struct loop_timer *stop_timer;     /* what is done by a second key or line is asked no more */
    struct loop_timer *trail_timer;    /* the newest line of the trail has been shown long enough */
    struct loop_timer *passing_timer;  /* so has one of what ended by itself */
    struct loop_timer *awaiting_timer; /* what is quiet may wait for the operator */
    struct loop_timer *own_timer;      /* what the operator did last stands last no more */
    struct loop_turn *turn;

    int rows, columns;
    struct layout layout;
    unsigned dirty; /* of enum console_dirty */

    struct pane_set panes;
    uint64_t selected;     /* call that the list marks, 0: none */
    bool selected_by_hand; /* else the newest call is selected */
    uint64_t picked;       /* call that the operator selected, or started, last; 0: none */
    uint64_t
        lent; /* call that is selected only until it has ended, as it waited for keys; 0: none */
    struct call_scroll list_scroll;
    int64_t ended;         /* calls with a pane that have finished so far */
    bool zoomed;           /* the selected pane has the whole screen */
    uint64_t failed_by;    /* the newest call when one was said to have failed, 0: none was */
    uint64_t zoom_told;    /* call that main was told has it, 0: none */
    bool keyboard_in_pane; /* keys go to the selected pane */
    struct key passed_key; /* the last of them, when it does something at the prompt line */
    struct attention attention;
    struct vigil *vigil;
    bool bell;           /* the selected pane's program wants to be heard */
    int64_t bell_ms;     /* when the bell rang last */
    int64_t last_key_ms; /* when the operator last pressed a key */
    bool burst;          /* the last key came with others, as no finger types */
    bool piece_spent;    /* a key closed what was read: what came with it was for that, too */
    uint32_t shut_key;   /* that closed what was read over a request, and when it came last */
    int64_t shut_ms;
    uint32_t closing_key; /* that closed the last overlay, and when */
    int64_t closing_ms;
    bool finger_moved; /* another key came since */
    struct gone {      /* what keys of one who types on are still for */
        bool drops, pane;
        int64_t ms;       /* since when, or when the last of them came */
        int64_t pause_ms; /* that ends it */
        int64_t until_ms; /* it ends anyhow */
    } gone;
    unsigned letters_typed;  /* into a pane, in one go */
    enum action answer_lost; /* the key of an answer that was dropped last since a request ended */
    bool words_lost;         /* it took the operator's words with it as they wrote them */

    struct line_editor *prompt;
    int64_t typed_ms;      /* when a key was for it last; long ago once that is over */
    int64_t told_ms;       /* when a command told what became of it; long ago: that is read */
    uint64_t held;         /* prompt of which it was said that it waits for the line, 0: none */
    size_t calls_before;   /* on the record of the console that this one went on from */
    bool line_pasted;      /* its Enter came in one piece with it: so does what stands behind */
    bool line_interrupted; /* a request came up while it held a text: Enter asks once */
    bool line_searches;    /* it looks like a search, and Enter has asked about that */
    bool line_failed;      /* what it asked for cannot be done as it is written */
    bool line_told;        /* it was answered in the trail */
    int choice_rows;       /* that the choices of what was completed take; 0: none are shown */
    bool line_stays;       /* for that, and nothing has been typed in it since */
    bool keys_dropped;     /* in this turn, because a request comes up at its end */
    struct trail *trail;
    struct overlay *overlay; /* topmost, or NULL */
    struct aside *aside;     /* prompts that were put aside, by their numbers */
    size_t aside_count;
    struct kept_choice *kept; /* what was chosen for prompts that wait */
    size_t kept_count;
    uint64_t *left; /* calls that waited for room when all was put aside */
    size_t left_count;
    uint64_t put_off[PUT_OFF_MAX]; /* calls that were put aside, and then withdrawn; or 0 */
    size_t put_off_next;
    struct closed_request closed;
    struct left_off left_off;
    char mark[8];          /* see console_setup */
    bool record_fails;     /* and nothing that needs a decision runs */
    char stop_confirm[40]; /* the session that the operator was asked whether to stop, or "" */
    struct {
        struct operator_stops found;
        size_t noted; /* with those whose processes are gone */
        int64_t ms;   /* when they were counted */
    } stops;
    int64_t stop_asked_ms; /* when what a second key or line does was asked about */
    pid_t stop_tree;       /* whose processes alone; 0: all of it */
    uint64_t stop_call;    /* the call that the operator was asked whether to stop, 0: none */
    struct desk_question stop_question; /* the same, of a command */
    bool quit_confirm;                  /* the operator was told that commands still run */
    size_t quit_calls;                  /* how many it was told of */
    bool quitting;
};

/* ---- console_frame.c: for the screen, whose argument is the console */
void console_draw(void *console);
void console_painted(void *console, int64_t now_ms);

/* ---- console.c */
/* Something looks different: a frame is asked for. */
void console_dirty(struct console *console, unsigned what);
struct call *console_selected_call(const struct console *console);
struct pane *console_selected_pane(const struct console *console);
/* Why a key or command for the selected pane does nothing, and what to do. */
void console_say_no_pane(struct console *console);
/* Gives the keyboard to the selected pane or takes it back. */
void console_set_keyboard(struct console *console, bool in_pane);
void console_set_zoom(struct console *console, bool zoomed);
/* A line in the history, and for the operator's eye now. `text` is made safe here. */
void console_say(struct console *console, enum theme_element element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, for what the operator's own key or command did: what calls do does not push it out of
 * sight at once. */
void console_say_own(struct console *console, enum theme_element element, const char *text);
/* The same, for an alarm: it stays in sight until it can have been read. */
void console_alarm(struct console *console, const char *text);
/* The newest of these lines is about that: what was said of it before holds no more. */
void console_about(struct console *console, const char *topic);
/* Nothing that was said of it holds any more. */
void console_over(struct console *console, const char *topic);
/* The same of a call that waits for an answer. */
void console_about_wait(struct console *console, uint64_t call);
void console_wait_over(struct console *console, uint64_t call);
/* The same, for an answer to the operator's last key or command: it goes with the next key. */
void console_remark(struct console *console, enum theme_element element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The operator does something new: lines of the trail that have been read leave the screen. */
void console_goes_on(struct console *console);
/* That call has ended: what was said of earlier ones is no news any more, once it has been read. */
void console_news(struct console *console, uint64_t ended);
/* Asks main to end; by a key, and with calls that have not finished, only the second time in a row.
 */
void console_quit(struct console *console, bool by_key);
/* What the operator is told before that ends the console; NULL: nothing has to be. Caller frees. */
char *console_quit_warning(const struct console *console, bool by_key);
/* The terminal told its background colour (0xRRGGBB): the theme follows unless one was chosen. */
void console_background_known(struct console *console, uint32_t colour);
/* -1 with a message when there is no such theme. */
int console_set_theme(struct console *console, const char *name, struct error *error);
/* Nothing more will be typed or seen. */
void console_terminal_gone(struct console *console);
/* Requests that wait for an answer. */
size_t console_waiting(const struct console *console);

#endif
