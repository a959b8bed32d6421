/* SPDX-License-Identifier: MIT */
/* trail: lines that tell the operator what was decided and what happened, the newest last. */
#ifndef ASSENT_UI_TRAIL_H
#define ASSENT_UI_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/rect.h"
#include "ui/theme.h"

#define TRAIL_LINES 1000 /* that are kept */

struct trail;

#define TRAIL_TOPIC_MAX 48

struct trail_line {
    int64_t wall_ms;
    enum theme_element element;
    char *text;      /* safe to show, one line */
    bool remark;     /* see trail_remark() */
    bool own;        /* see trail_add_own() */
    bool alarm;      /* see trail_add_alarm() */
    bool known;      /* see trail_known() */
    bool away;       /* see trail_put_away() */
    bool shown;      /* see trail_drawn() */
    int64_t seen_ms; /* an alarm: since when somebody can have read it, wall clock; 0: not yet */
    char topic[TRAIL_TOPIC_MAX]; /* see trail_about() */
    char *same;                  /* see trail_again(); or NULL */
    unsigned times;
    uint64_t newest;  /* see trail_until() */
    uint64_t denied;  /* see trail_denies(); 0: it tells of no such call */
    uint64_t allowed; /* see trail_allows(); the same */
};

enum trail_lines {
    TRAIL_PASSING, /* dim: of what ended by itself */
    TRAIL_CALM,    /* and all that do not warn */
    TRAIL_ALL,
};

struct trail *trail_new(void);
void trail_free(struct trail **trail);
/* Takes any text; makes it safe. */
void trail_add(struct trail *trail, int64_t wall_ms, enum theme_element element, const char *text);
/* The same for what the operator's own key or command did. */
void trail_add_own(struct trail *trail, int64_t wall_ms, enum theme_element element,
                   const char *text);
/* The same for what nobody may miss: it is put away only once it has been seen. */
void trail_add_alarm(struct trail *trail, int64_t wall_ms, enum theme_element element,
                     const char *text);
/* The newest line is the operator's own answer, and warns of nothing, in whatever colour. */
void trail_known(struct trail *trail);
/* The newest line is news until a call behind that one has ended: trail_outdated() then puts it
 * away, when it is older than that time. True when there was any. */
void trail_until(struct trail *trail, uint64_t call);
bool trail_outdated(struct trail *trail, uint64_t ended, int64_t wall_ms);
/* The newest line says that what this call asked for is denied from now on. trail_denials_over()
 * puts away those of which that holds no more. */
void trail_denies(struct trail *trail, uint64_t call);
void trail_denials_over(struct trail *trail, bool (*holds)(const void *argument, uint64_t call),
                        const void *argument);
/* The newest line says that this call is allowed once. trail_asks_again() puts it away: the call
 * has been stopped since, and asks for more. */
void trail_allows(struct trail *trail, uint64_t call);
void trail_asks_again(struct trail *trail, uint64_t call);
/* It stands on the screen, uncovered. */
void trail_saw(struct trail *trail, size_t index, int64_t wall_ms);
/* Whether each line stands on the screen, uncovered. One that did and does not has given way to
 * others, and does not come back as if it had just happened; one that warns does, where only the
 * answer to a key stands in its place, and what is about something holds still. */
void trail_drawn(struct trail *trail, const bool *drawn);
/* Since when the oldest line has been on the screen that trail_put_away() can put away; 0: there is
 * none. Of an alarm nothing is said. */
int64_t trail_oldest_ms(const struct trail *trail, enum trail_lines which);
/* Does the line warn? Then it stays until the operator goes on. */
bool trail_warns(const struct trail_line *line);
/* The same for what only answers the operator's last key or command: trail_drop_remarks() takes it
 * out again, and says whether there was any. */
void trail_remark(struct trail *trail, int64_t wall_ms, enum theme_element element,
                  const char *text);
bool trail_drop_remarks(struct trail *trail);
/* Such lines written (an alarm: seen) up to then need not be on the screen any more; they are kept.
 * True when there was any. */
bool trail_put_away(struct trail *trail, int64_t wall_ms, enum trail_lines which);
/* The newest line is about that: those before it that are about the same hold no more, and need not
 * be on the screen. */
void trail_about(struct trail *trail, const char *topic);
/* No line that is about that holds any more. True when there was any. */
bool trail_topic_over(struct trail *trail, const char *topic);
/* How often a line that tells the same has been added, the one to come included: the last of them
 * is taken out, and trail_counted() says so of the one that has been added in its place. */
unsigned trail_again(struct trail *trail, const char *same);
void trail_counted(struct trail *trail, const char *same, unsigned times);
size_t trail_count(const struct trail *trail);
/* Oldest first. */
const struct trail_line *trail_at(const struct trail *trail, size_t index);

#endif
