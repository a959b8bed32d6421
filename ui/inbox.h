/* SPDX-License-Identifier: MIT */
/*
 * inbox: all requests that wait, as a list: oldest first, the same request of several agents in one
 * row. The list is what a frame has shown: answers are for its members and no others. Some of them
 * are not asked about until the operator comes to them: there is nothing yet that an answer could
 * be for.
 */
#ifndef ASSENT_UI_INBOX_H
#define ASSENT_UI_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "approval/orchestrator.h"
#include "risk/assessment.h"

struct call;
struct console;

/* A prompt as it was shown. */
struct inbox_member {
    uint64_t call, prompt; /* 0: it waits for room, and is not asked about yet */
    unsigned revision;
    int64_t since_ms; /* monotonic: it waits since then */
    enum risk_level level;
    bool leaves; /* no sandbox would hold it */
    bool first;  /* of those of its row that an answer is for */
};

struct inbox_row {
    struct inbox_member *members; /* the same question, oldest first; at least one */
    size_t count;
    bool marked;
    bool seen;               /* all of it has been on the screen */
    bool read;               /* and as long as it takes for an answer to count */
    bool rule_seen;          /* and the rule that it could be made into */
    struct rule_choice rule; /* which that was */
    bool kept; /* it is as it was before the last inbox_follow() that found something else */
};

struct inbox {
    struct inbox_row *rows; /* by the age of their first members */
    size_t count;
    struct inbox_member *waiting; /* what the rows were made of, oldest first */
    size_t waiting_count;
};

/* Takes over what waits now; a row that is as it was keeps its mark. True when something else is in
 * the list than before. */
bool inbox_follow(struct inbox *inbox, const struct console *console);
void inbox_clear(struct inbox *inbox);
/* The call of the row's first member; NULL when that does not wait any more. */
const struct call *inbox_call(const struct console *console, const struct inbox_row *row);
/* The same; NULL also when it is not asked about yet. */
const struct call *inbox_asked(const struct console *console, const struct inbox_row *row);
/* The operator is at that row: what is not asked about yet is from now on. */
void inbox_look_at(const struct console *console, const struct inbox_row *row);
/* Rows of an agent's that are not marked with its others. */
struct inbox_left {
    uint64_t shared; /* the first call of one that others ask for as well; 0: there is none */
    size_t unasked;  /* how many are not asked about yet: no answer would be for them */
    bool namesakes;  /* others that call themselves the same ask, too, and were not marked */
};
/* Marks the rows that the agent of the row `at` alone asks for and that are asked about, or takes
 * those marks away when all have one. The others stay as they are. */
struct inbox_left inbox_mark_agent(struct inbox *inbox, const struct console *console, size_t at);
/* Marks all rows that are asked about, or takes the marks away when all have one. How many are not
 * asked about yet. */
size_t inbox_mark_all(struct inbox *inbox);
size_t inbox_marked(const struct inbox *inbox); /* rows */
/* The members of all marked rows, or of the row `at` when none is marked, that are asked about; the
 * caller frees. */
struct inbox_member *inbox_targets(const struct inbox *inbox, size_t at, size_t *count);

#endif
