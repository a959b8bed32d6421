/* SPDX-License-Identifier: MIT */
/* approval_plan: where everything of a request goes on a screen of a size. Private to the overlay
 * of requests. */
#ifndef ASSENT_UI_APPROVAL_PLAN_H
#define ASSENT_UI_APPROVAL_PLAN_H

#include "ui/overlay_approval_int.h"
#include "ui/rect.h"

/* How much room is spent. */
struct approval_arrangement {
    int gap;            /* blank rows around the facts */
    int option_columns; /* answers in one column or two */
    int field_rows_max; /* of a text that is not important */
};

/* Places for one drawing. */
struct approval_plan {
    struct rect box, inner;
    const struct approval_arrangement *arrangement;
    int label_columns; /* 0: without labels */
    int heading_rows;  /* of the command; 0: it stands beside the heading */
    int command_rows;
    int field_rows[APPROVAL_FIELDS_MAX];
    char *field_short[APPROVAL_FIELDS_MAX]; /* its text as far as there is room, or NULL */
    struct wrap field_lines[APPROVAL_FIELDS_MAX];
    char *cut; /* what stands where not all of a text does, and the key that shows it: "… (v)" */
    struct wrap rule_lines; /* the rule that is shown; empty without one */
    int rule_room;          /* rows for it and any other that can be chosen */
    int rule_rows;          /* of it that fit */
    const char *reach;      /* how far it reaches, perhaps in short */
    int reach_rows;         /* for the longest */
    struct wrap reach_lines;
    int blank_rows; /* below: what a larger rule needs */
    int option_rows;
};

/* Breaks the command into lines of that width as well; approval_plan_clear() what it makes. */
void approval_plan_make(struct approval *approval, const struct console *console, struct rect area,
                        struct approval_plan *plan);
void approval_plan_clear(struct approval_plan *plan);

/* Which answer the keys that change how long it holds are for, and which they are. In two columns
 * there is no room for these beside the answer. The caller frees it. */
char *approval_note_lease_keys(const struct approval *approval, const struct console *console);
/* approval_note.c: why something did not happen, what waits for Enter, or a warning. `told`: what
 * was there before has been said. Returns whether it says what the keys within the answers do. */
bool approval_note_draw(const struct approval *approval, struct console *console,
                        const struct approval_plan *plan, struct rect row, bool told);

/* approval_draw.c: the texts in the rows that they have, from that row on. Returns the row behind
 * them. */
int approval_draw_fields(const struct approval *approval, const struct theme *theme,
                         const struct approval_plan *plan, int at);

/* Is that text not shown in full? */
bool approval_plan_cuts(const struct approval_plan *plan, size_t field);
/* Is all of the path that an answer gives in view? The answer itself may have it shortened. */
bool approval_plan_shows_path(const struct approval *approval, const struct approval_plan *plan);
/* Is it told whom an answer for the session reaches, where that is not the agent alone? */
bool approval_plan_shows_session(const struct approval *approval, const struct approval_plan *plan);
/* Rows for what else the answers would allow, with the rule that is shown or another; or 0. */
int approval_plan_release_rows(const struct approval *approval);
/* What stands beside the rule: the key that makes it, or that it is only what it would be; caller
 * frees. */
char *approval_plan_rule_label(const struct keymap *keymap);
/* The keys that choose another rule. Caller frees. */
char *approval_plan_rule_keys(const struct keymap *keymap);

#endif
