/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/call_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator.h"
#include "base/alloc.h"

/* Calls that are looked at: a program that asks again does so soon. */
#define CALLS_MAX 200

/* ---- which calls have a row ------------------------------------------------------------------ */

static bool was_given_up(const struct call *call)
{
    return call->reach != NULL && call->state == CALL_FINISHED &&
           call->cancelled_by == CANCELLED_BY_CLIENT && call->decision.kind == REVIEW_NONE;
}

static bool wants_the_same(const struct reach *one, const struct reach *other)
{
    return other != NULL && one->command == other->command && one->port == other->port &&
           strcmp(one->host, other->host) == 0 && strcmp(one->protocol, other->protocol) == 0 &&
           reach_same(one, other);
}

/* The next call by which its program asks for that host, 0: there is none, or it has not given this
 * one up. */
static size_t asked_again(const struct orchestrator *orchestrator, size_t index)
{
    const struct call *call = orchestrator_call_at(orchestrator, index);
    size_t count = orchestrator_call_count(orchestrator);

    if (!was_given_up(call))
        return 0;
    for (size_t i = index + 1; i < count && i <= index + CALLS_MAX; i++)
        if (wants_the_same(call->reach, orchestrator_call_at(orchestrator, i)->reach))
            return i;
    return 0;
}

void call_list_init(struct call_list *list, const struct orchestrator *orchestrator,
                    uint64_t selected)
{
    size_t count = orchestrator_call_count(orchestrator);
    cleanup_free unsigned *before = xcalloc(count + 1, sizeof(*before));

    *list = (struct call_list){.rows = xcalloc(count + 1, sizeof(*list->rows))};
    for (size_t i = 0; i < count; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);
        size_t again = call->id != selected ? asked_again(orchestrator, i) : 0;

        if (again != 0)
            before[again] += before[i] + 1;
        else
            list->rows[list->count++] = (struct call_row){call, before[i] + 1};
    }
}

void call_list_clear(struct call_list *list)
{
    free(list->rows);
    free(list->shown);
    *list = (struct call_list){.rows = NULL};
}

size_t call_list_find(const struct call_list *list, uint64_t call)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->rows[i].call->id == call)
            return i;
    return list->count;
}

/* ---- which rows are in view ------------------------------------------------------------------ */

/* What comes into view first. */
enum precedence { PRECEDENCE_NEWEST, PRECEDENCE_OPEN, PRECEDENCE_ENDED, PRECEDENCE_COUNT };

static enum precedence precedence_of(const struct call_list *list, size_t index)
{
    if (index + 1 == list->count)
        return PRECEDENCE_NEWEST;
    return list->rows[index].call->state != CALL_FINISHED ? PRECEDENCE_OPEN : PRECEDENCE_ENDED;
}

static void choose(const struct call_list *list, size_t rows, bool *chosen)
{
    for (int wanted = 0; wanted < PRECEDENCE_COUNT; wanted++)
        for (size_t i = list->count; rows > 0 && i-- > 0;)
            if (precedence_of(list, i) == (enum precedence)wanted) {
                chosen[i] = true;
                rows--;
            }
}

/* Has the selected one among the rows on end, and wastes none. */
static void scroll_to(const struct call_list *list, size_t rows, size_t selected,
                      struct call_scroll *scroll)
{
    if (scroll->first > selected)
        scroll->first = selected;
    if (selected >= scroll->first + rows)
        scroll->first = selected - rows + 1;
    if (scroll->first + rows > list->count)
        scroll->first = list->count > rows ? list->count - rows : 0;
}

void call_list_show(struct call_list *list, size_t rows, uint64_t selected,
                    struct call_scroll *scroll)
{
    size_t at = call_list_find(list, selected);
    cleanup_free bool *chosen = xcalloc(list->count + 1, sizeof(*chosen));

    list->shown = xcalloc(list->count + 1, sizeof(*list->shown));
    choose(list, rows, chosen);
    scroll->away = at + 1 < list->count && (scroll->away || !chosen[at]);
    scroll_to(list, rows, scroll->away ? at : list->count, scroll);
    for (size_t i = 0; i < list->count; i++)
        if (scroll->away ? i >= scroll->first && i - scroll->first < rows : chosen[i])
            list->shown[list->shown_count++] = i;
}

size_t call_list_below(const struct call_list *list)
{
    return list->shown_count > 0 ? list->count - 1 - list->shown[list->shown_count - 1] : 0;
}
