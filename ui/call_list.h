/* SPDX-License-Identifier: MIT */
/* call_list: which calls have a row in the list, the oldest first, and which rows are in view. A
 * host that its program gave up to wait for, and asked for again, has one row. */
#ifndef ASSENT_UI_CALL_LIST_H
#define ASSENT_UI_CALL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct orchestrator;

struct call_row {
    const struct call *call; /* the last of them; borrowed */
    unsigned times;          /* how many they are */
};

struct call_list {
    struct call_row *rows;
    size_t count;
    size_t *shown; /* indices of the rows in view, after call_list_show() */
    size_t shown_count;
};

/* The selected call has a row of its own. */
void call_list_init(struct call_list *list, const struct orchestrator *orchestrator,
                    uint64_t selected);
void call_list_clear(struct call_list *list);
/* The index of the call's row; `count` when it has none. */
size_t call_list_find(const struct call_list *list, uint64_t call);
/* Where the operator has gone in the list. */
struct call_scroll {
    bool away; /* from the newest: rows on end are in view */
    size_t first;
};

/* Brings so many rows into view: the newest, but what has ended pushes nothing out that has not.
 * Where that leaves out the selected call, and from then on until it is the newest, rows on end
 * that have it among them. */
void call_list_show(struct call_list *list, size_t rows, uint64_t selected,
                    struct call_scroll *scroll);
/* Rows below the last one in view. */
size_t call_list_below(const struct call_list *list);

#endif
