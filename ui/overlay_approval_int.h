/* SPDX-License-Identifier: MIT */
/* overlay_approval_int: shared by overlay_approval.c (what keys do), approval_input.c (which keys
 * count), approval_choice.c (what can be chosen before an answer), approval_answer.c (what answers
 * do), approval_draw.c (what it looks like), approval_small.c (what it looks like where there is
 * little room) and approval_resume.c (what outlives it). Private to the seven. */
#ifndef ASSENT_UI_OVERLAY_APPROVAL_INT_H
#define ASSENT_UI_OVERLAY_APPROVAL_INT_H

#include "ui/after_request.h"
#include "ui/approval_content.h"
#include "ui/approval_release.h"
#include "ui/details.h"
#include "ui/keymap.h"
#include "ui/lease_text.h"
#include "ui/overlay.h"
#include "ui/wrap.h"

#define APPROVAL_OPTIONS_MAX 8
/* Who comes back later to an answer that waits for Enter does not know that it is the last key. */
#define APPROVAL_CONFIRM_MS 15000

/* Rows that the largest of the rules needs that can be chosen, and how far it reaches. */
struct approval_room {
    int columns; /* in so many; 0: not measured yet */
    struct approval_rule_rows rows;
};

#define MINUTE_MS ((int64_t)60000)

struct approval {
    struct overlay base;
    uint64_t call;
    struct closed_request instead_of; /* what was there just before it came up */
    uint64_t prompt;                  /* id and revision that `content` was made from */
    unsigned revision;
    unsigned offered; /* the revision that the list of the agent's own answers was opened over */
    unsigned opinion; /* serial of the model's opinion that `content` was made from */
    struct approval_content content;

    enum action options[APPROVAL_OPTIONS_MAX]; /* answers that are offered, in order */
    size_t option_count;
    struct rect places[APPROVAL_OPTIONS_MAX]; /* where they were drawn */
    bool explained;            /* above them it is said what the keys within them do */
    size_t marked;             /* the answer that the cursor is on */
    bool moved;                /* the operator has moved it */
    struct rule_choice choice; /* of the rules that are offered */
    struct approval_room room; /* for any of them: answers stay where they are */
    struct lease lease;        /* how long "for this session" lasts */
    bool path_lasts;           /* the path is given for the session */
    uint64_t lease_call;       /* a call that it can be bound to, 0: none */
    enum action checked;       /* waits for what git says now; ACTION_NONE: nothing does */
    bool git_slow;             /* it did not say it in time, which was told: the next yes holds */
    int64_t checked_ms;        /* since when */
    unsigned looks;            /* … and what git had said by then */
    enum action armed;         /* waits for Enter; ACTION_NONE: nothing does */
    int64_t armed_ms;          /* since when */
    struct approval_ends ends; /* with armed ACTION_ABORT: of those shown then, what would end */
    const char *chosen; /* what became of a choice made before, translated; NULL: there was none */
    const char *fixed;  /* why its command cannot be edited, translated; NULL: it can */
    const char *note;   /* why a key did nothing, translated; NULL: none */
    const char *soon;   /* such a note, in other words once the guard is over; NULL: none yet */
    char own_note[240]; /* such a note, made for what it names */
    char *reason;       /* written for a denial of the same request before; NULL: none; owned */

    struct wrap lines; /* of the command, for `columns` */
    int columns;
    int first, visible; /* lines of the command shown by the last drawing */
    size_t read;        /* how far the command has been read, as wrap_follow_reading() counts */
    bool seen;          /* all of it has been on the screen, here or in the full view */
    bool rule_whole;    /* the last drawing had all of the rule */
    bool rule_seen;     /* all of the rule that is chosen has been on the screen */
    bool scripts_seen[DETAILS_SCRIPTS_MAX]; /* each file that would run outside the sandbox */
    bool scripts_read;                      /* all of these, in the full view */
    bool path_whole; /* the last drawing had all of the path that an answer gives */
    bool path_seen;  /* it has been on the screen */

    struct approval_release session, prefix; /* of "for this session", of the prefix */
    uint64_t release_mark;                   /* approval_release_mark() when they were found */
    int64_t found_ms, finding_ms;            /* when that was, and how long it took */
    struct loop_timer *release_timer;
    struct loop_timer *again_timer; /* until what may have changed is looked for again */
    bool releases;      /* these, or another rule that can be chosen, would allow others */
    int64_t release_ms; /* since when those are on the screen; -1: not yet */

    int64_t guard_ms; /* how long keys do not count: longer while somebody writes for another one */
    int64_t reading_ms; /* the same of an answer that allows: longer behind several in haste */
    bool changed; /* it was told to have changed while it was looked at, which makes it longer, too
                   */
    int64_t painted_ms; /* since when this revision is on the screen in this size; -1: not yet */
    int64_t first_ms;   /* … and any of it, in this size */
    int64_t typed_ms;   /* when a key was swallowed last; -1: never */
    int64_t stray_ms;   /* when a key that means nothing here was pressed last; -1: never */
    bool enter_lost;    /* the answer that the next Enter is meant for was taken back */
    int64_t refused_ms; /* when an answer that the mark is not on was not taken last; -1: never */
    bool guarded;       /* keys do not count yet: drawn so */
    bool reading;       /* what allows does not count yet: drawn so */
    bool from_list; /* Enter in the list of requests has opened it, and is pressed again easily */
    bool over_line; /* it came up over a line that is begun, and no key has been pressed since */
    bool unlooked;  /* it took the place of another one, and no key has been pressed since */
};

/* The answers that there are to what is shown; the mark is on "deny". */
void approval_offer(struct approval *approval);
/* Does that answer let it run? */
bool approval_allows(enum action action);
/* Does that answer take Enter as well: approval_content_confirms() of those that allow, and what
 * ends others' work. */
bool approval_needs_confirmation(const struct approval *approval, enum action action);
/* Is it one of them? */
bool approval_can_take(const struct approval *approval, enum action action);
/* That what it runs outside the sandbox is read before an answer lets it. */
void approval_say_script_first(char *note, size_t size, const struct console *console);
/* Says why it is none. */
void approval_say_missing(struct approval *approval, enum action action);
void approval_mark(struct approval *approval, enum action action);
/* Is there an answer for the next connections of its command, which once does not allow? */
bool approval_has_next_connections(const struct approval *approval);
/* The operator moves it, and knows where it is. */
void approval_move_mark(struct approval *approval, int direction);
/* Requests come and go while this one is open: the answers that allow others as well wait until
 * the operator can have read which. */
void approval_follow_releases(struct approval *approval, struct console *console);
/* What its answers would end, now. */
void approval_follow_ends(struct approval *approval, struct console *console,
                          const struct call *call);
/* The same, in each turn: only when other requests wait, or when it was long ago. */
void approval_turn_releases(struct approval *approval, struct console *console);
void approval_answer(struct approval *approval, struct console *console, enum action action);
/* An answer that waits for Enter waits no more, and takes the mark back with it: the next Enter
 * denies. `why` is the note that says so, translated, or NULL. */
void approval_disarm(struct approval *approval, const char *why, int64_t now);
/* Goes on with an answer that has waited for git: which says the same as before, or takes long. */
void approval_follow_check(struct approval *approval, struct console *console,
                           const struct call *call);
/* The key after one that needs Enter: Enter carries it out, anything else takes it back. */
void approval_confirm(struct approval *approval, struct console *console, enum action pressed);

/* Begins with what was chosen before, or what is offered first. */
void approval_choice_start(struct approval *approval, const struct console *console,
                           const struct call *call);
/* Puts the chosen rule into the content. */
void approval_choice_show(struct approval *approval, const struct console *console,
                          const struct call *call);
/* Finds out how much room the largest choice needs; cheap where that is known already. */
void approval_choice_measure(struct approval *approval, const struct console *console, int columns);
/* Another step of the ladder, or the other scope. */
void approval_choice_rule(struct approval *approval, struct console *console, enum action action);
/* Which of the lengths that can be chosen it is. */
struct lease_place approval_lease_place(const struct approval *approval);
/* Another length for "for this session". */
void approval_choice_lease(struct approval *approval, struct console *console, enum action action);

/* The path once, or for the session. */
void approval_choice_path(struct approval *approval, struct console *console);
/* The same of the path, or of "for this session", by a key that has just taken back that answer,
 * which waited for Enter: both are said. */
void approval_choice_behind(struct approval *approval, struct console *console, enum action answer,
                            enum action pressed);

/* Puts the request aside for a line at the prompt, which that key begins. */
void approval_begin_line(struct approval *approval, struct console *console,
                         const struct input_event *colon);

/* What an action does, once it is known to be meant for this. */
void approval_act(struct approval *approval, struct console *console, enum action action);
void approval_scroll_command(struct approval *approval, int lines);
/* Is it on the screen for too short a time, or are words being typed that are not for it? */
bool approval_guard_is_up(const struct approval *approval, int64_t now);
/* Does it show the request, or what can be pressed, and change nothing of an answer? */
bool approval_only_looks(enum action action);
/* When that ends for answers that allow it. */
int64_t approval_read_ms(const struct approval *approval);
/* Did a key that means nothing here come a moment ago? It does not raise the guard, but a word that
 * is meant for elsewhere does not answer. */
bool approval_has_strayed(const struct approval *approval, const struct console *console,
                          int64_t now);
/* A key that was for the request before this one was dropped: who does not know waits for what
 * comes of it. */
void approval_say_new(struct approval *approval, const struct console *console);
/* The answer was not taken. Where the mark is elsewhere, Enter right behind it would give another
 * one, and is not taken either. */
void approval_refused(struct approval *approval, enum action action, int64_t now);
/* What waits for Enter does not do so for ever: the answer stays marked, and asks again. */
void approval_lapse(struct approval *approval, int64_t now);
/* As struct overlay_class has them. */
void approval_key(struct overlay *overlay, struct console *console,
                  const struct input_event *event);
void approval_mouse(struct overlay *overlay, struct console *console,
                    const struct input_mouse *mouse);
void approval_paste(struct overlay *overlay, struct console *console, const char *bytes,
                    size_t length);

/* "kov: c2 May it run?", with blanks around it; caller frees. */
char *approval_title(const struct approval *approval, const char *mark);
void approval_draw(struct approval *approval, struct console *console, struct rect area);

/* On a screen below the least size it is shown in the room there is, and only denied. */
bool approval_small_takes(enum action action);
void approval_small_draw(const struct approval *approval, struct console *console,
                         struct rect area);

#endif
