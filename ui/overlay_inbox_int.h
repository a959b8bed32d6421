/* SPDX-License-Identifier: MIT */
/* overlay_inbox_int: shared by overlay_inbox.c (what keys do), inbox_answer.c (what an answer
 * does), inbox_find.c (looking for a text), inbox_draw.c and inbox_hints.c (what it looks like).
 * Private to the five. */
#ifndef ASSENT_UI_OVERLAY_INBOX_INT_H
#define ASSENT_UI_OVERLAY_INBOX_INT_H

#include "approval/orchestrator.h"
#include "ui/inbox.h"
#include "ui/keymap.h"
#include "ui/line_editor.h"
#include "ui/overlay.h"

#define INBOX_FOOT_HINTS 7
#define INBOX_HEAD_HINTS 6

struct inbox_hint {
    enum action action; /* ACTION_NONE: there was no room for it */
    struct rect place;
};

struct overlay_inbox {
    struct overlay base;
    struct inbox inbox; /* as the last frame showed it */
    struct loop_timer *timer;
    size_t at;               /* the row that the cursor is on */
    size_t first, page;      /* row at the top, and how many are shown */
    bool whole;              /* all that matters of the row at the cursor was drawn */
    bool rule_whole;         /* and the rule that it could be made into */
    struct rule_choice rule; /* which that is */
    struct rect list;        /* where its rows were drawn */
    struct inbox_hint foot[INBOX_FOOT_HINTS]; /* keys that the frame shows */
    struct inbox_hint head[INBOX_HEAD_HINTS];
    struct line_editor *typed; /* while the operator writes what to look for; else NULL */
    char *wanted;              /* what was looked for last, or NULL */
    uint64_t frame;            /* the last one that had it on top */
    bool guarded;              /* answers do not count yet: drawn so */
    bool unchosen;             /* marked rows were answered, and no row was chosen since */
    const char *note;          /* why a key did nothing, translated; NULL: none */
    uint64_t note_call;        /* the call that the note is about, 0: none */
    char own_note[480];        /* such a note, of what was found or left out */
    bool answered;             /* the note says what was answered */
    bool refused;              /* it says for which of the marked ones a key is not */
    uint64_t *unreached; /* or else for which calls a host was allowed and not reached; owned */
    size_t unreached_count;
    char note_others[80]; /* others that it is true of as well, with a blank; or "" */
    uint64_t lost; /* whose request was open over it and closed by itself, 0: none; the first answer
                      after that may be meant for it */
    int64_t painted_ms; /* since when the list is on the screen as it is; -1: not yet */
    int64_t shown_ms;   /* since when the details of the row at the cursor are; -1: not yet */
    int64_t still_ms;   /* since when no row has come, gone or changed; -1: not yet */
    bool changed;       /* what the keys answer did, and so `painted_ms` began anew */
    int64_t typed_ms;   /* when a key was swallowed last; -1: never */
    int64_t writes_ms;  /* when one of a message that nobody takes was; -1: never */
    struct inbox_member *denied; /* for whom a message is being written; owned */
    size_t denied_count;
};

/* Does that key allow something? */
bool inbox_allows(enum action action);
/* Does it give an answer? */
bool inbox_answers(enum action action);
/* Marked rows were answered, and the pointer is where it fell: no key answers that row. */
bool inbox_is_unchosen(const struct overlay_inbox *overlay);
/* What is to be done first then: keys that do so with one row, too. The caller frees it. */
char *inbox_choose_words(const struct overlay_inbox *overlay, const struct console *console);
/* The same behind what was answered. The caller frees it. */
char *inbox_answered_words(const struct overlay_inbox *overlay, const struct console *console);
/* That was answered: said until the next key. */
void inbox_note_answered(struct overlay_inbox *overlay, const char *words);
void inbox_forget_note(struct overlay_inbox *overlay);
/* Why the row at the cursor cannot be allowed in the list, as it is drawn; NULL when it can. */
const char *inbox_why_not(const struct overlay_inbox *overlay, const struct console *console);
/* That a row has not been at the pointer, and so was not read. */
const char *inbox_unread_words(void);
/* Does that key do anything with what is marked, or else with the row at the cursor, as they are
 * drawn? */
bool inbox_offers(const struct overlay_inbox *overlay, const struct console *console,
                  enum action action);
/* The same once a row is chosen, where one is to be chosen first. There is a row. */
bool inbox_would_offer(const struct overlay_inbox *overlay, const struct console *console,
                       enum action action);
/* For which of the marked rows the key that allows once is not, and in short why; then `below`.
 * NULL when it is for all of them. The caller frees it. */
char *inbox_refused_words(const struct overlay_inbox *overlay, const struct console *console,
                          const char *below);
/* Answers what is marked, or the row at the cursor; or notes why not. */
void inbox_answer(struct overlay_inbox *overlay, struct console *console, enum action action);
/* The cursor goes to that row: all about it must have been on the screen as long as of the first.
 */
void inbox_go_to(struct overlay_inbox *overlay, const struct console *console, size_t row);

/* The operator writes a text, and Enter goes to the next row that has it; an empty one is the text
 * before. */
void inbox_find_begin(struct overlay_inbox *overlay);
/* Takes a key of it; true: that was the last. */
bool inbox_find_key(struct overlay_inbox *overlay, const struct console *console,
                    const struct input_event *event);
/* To the next row of high risk, or to the first again; or notes that there is none. */
void inbox_find_high(struct overlay_inbox *overlay, const struct console *console);
void inbox_find_draw(const struct overlay_inbox *overlay, struct console *console, struct rect row);

void inbox_draw(struct overlay_inbox *overlay, struct console *console, struct rect area);
/* Keys in the bottom row, and in the top row right of the columns that are used. */
void inbox_draw_foot(struct overlay_inbox *overlay, const struct console *console, struct rect row);
void inbox_draw_head(struct overlay_inbox *overlay, const struct console *console, struct rect row,
                     int used);
/* The key that is shown there, or ACTION_NONE. */
enum action inbox_hint_at(const struct overlay_inbox *overlay, int row, int column);

#endif
