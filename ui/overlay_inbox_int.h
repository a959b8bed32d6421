/* SPDX-License-Identifier: MIT */
/* overlay_inbox_int: shared by overlay_inbox.c (what keys do), inbox_answer.c (what an answer does)
 * and inbox_draw.c (what it looks like). Private to the three. */
#ifndef ASSENT_UI_OVERLAY_INBOX_INT_H
#define ASSENT_UI_OVERLAY_INBOX_INT_H

#include "approval/orchestrator.h"
#include "ui/inbox.h"
#include "ui/keymap.h"
#include "ui/overlay.h"

#define INBOX_HINTS 8

struct inbox_hint {
    enum action action; /* ACTION_NONE: there was no room for it */
    struct rect place;
};

struct overlay_inbox {
    struct overlay base;
    struct inbox inbox; /* as the last frame showed it */
    struct loop_timer *timer;
    size_t at;                            /* the row that the cursor is on */
    size_t first, page;                   /* row at the top, and how many are shown */
    bool whole;                           /* all that matters of the row at the cursor was drawn */
    bool rule_whole;                      /* and the rule that it could be made into */
    struct rule_choice rule;              /* which that is */
    struct rect list;                     /* where its rows were drawn */
    struct inbox_hint hints[INBOX_HINTS]; /* keys that the bottom row shows */
    uint64_t frame;                       /* the last one that had it on top */
    bool emptied;                         /* its last request has gone */
    bool guarded;                         /* answers do not count yet: drawn so */
    const char *note;                     /* why a key did nothing, translated; NULL: none */
    uint64_t note_call;                   /* the call that the note is about, 0: none */
    char note_others[80]; /* others that it is true of as well, with a blank; or "" */
    uint64_t lost; /* whose request was open over it and closed by itself, 0: none; the first answer
                      after that may be meant for it */
    int64_t painted_ms; /* since when the list is on the screen as it is; -1: not yet */
    int64_t shown_ms;   /* since when the details of the row at the cursor are; -1: not yet */
    int64_t typed_ms;   /* when a key was swallowed last; -1: never */
    struct inbox_member *denied; /* for whom a message is being written; owned */
    size_t denied_count;
};

/* Does that key allow something? */
bool inbox_allows(enum action action);
/* Does that key do anything with what is marked, or else with the row at the cursor, as they are
 * drawn? */
bool inbox_offers(const struct overlay_inbox *overlay, const struct console *console,
                  enum action action);
/* Answers what is marked, or the row at the cursor; or notes why not. */
void inbox_answer(struct overlay_inbox *overlay, struct console *console, enum action action);
void inbox_draw(struct overlay_inbox *overlay, struct console *console, struct rect area);

#endif
