/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/inbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"

static void rows_free(struct inbox_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(rows[i].members);
    free(rows);
}

void inbox_clear(struct inbox *inbox)
{
    rows_free(inbox->rows, inbox->count);
    *inbox = (struct inbox){NULL, 0};
}

const struct call *inbox_call(const struct console *console, const struct inbox_row *row)
{
    return approval_queue_find(console, row->members[0].prompt);
}

static struct inbox_row *row_of(const struct inbox *inbox, const struct console *console,
                                const struct call *call)
{
    for (size_t i = 0; i < inbox->count; i++) {
        const struct call *first = inbox_call(console, &inbox->rows[i]);

        if (first != NULL && orchestrator_same_question(first, call))
            return &inbox->rows[i];
    }
    return NULL;
}

static void add_call(struct inbox *inbox, const struct console *console, const struct call *call)
{
    struct inbox_row *row = row_of(inbox, console, call);

    if (row == NULL) {
        inbox->rows = xreallocarray(inbox->rows, inbox->count + 1, sizeof(*inbox->rows));
        row = &inbox->rows[inbox->count++];
        *row = (struct inbox_row){.members = NULL};
    }
    row->members = xreallocarray(row->members, row->count + 1, sizeof(*row->members));
    row->members[row->count] =
        (struct inbox_member){call->id, call->prompt->id, call->prompt->revision, row->count == 0};
    row->count++;
}

static bool row_equal(const struct inbox_row *a, const struct inbox_row *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->members[i].prompt != b->members[i].prompt ||
            a->members[i].revision != b->members[i].revision)
            return false;
    return true;
}

/* Whatever is new in a row has not been read, and nobody has marked it. */
static void keep_marks(const struct inbox *old, struct inbox *new)
{
    for (size_t i = 0; i < new->count; i++) {
        for (size_t j = 0; j < old->count; j++) {
            if (!row_equal(&new->rows[i], &old->rows[j]))
                continue;
            new->rows[i].marked = old->rows[j].marked;
            new->rows[i].seen = old->rows[j].seen;
            new->rows[i].rule_seen = old->rows[j].rule_seen;
        }
    }
}

static bool inbox_equal(const struct inbox *a, const struct inbox *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!row_equal(&a->rows[i], &b->rows[i]))
            return false;
    return true;
}

bool inbox_follow(struct inbox *inbox, const struct console *console)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    struct inbox now = {NULL, 0};
    bool changed;

    for (size_t i = 0; i < orchestrator_waiting_count(orchestrator); i++) {
        const struct call *call = orchestrator_waiting_at(orchestrator, i);

        if (call->prompt != NULL)
            add_call(&now, console, call);
    }
    changed = !inbox_equal(inbox, &now);
    keep_marks(inbox, &now);
    inbox_clear(inbox);
    *inbox = now;
    return changed;
}

size_t inbox_marked(const struct inbox *inbox)
{
    size_t count = 0;

    for (size_t i = 0; i < inbox->count; i++)
        count += inbox->rows[i].marked;
    return count;
}

struct inbox_member *inbox_targets(const struct inbox *inbox, size_t at, size_t *count)
{
    bool any = inbox_marked(inbox) > 0;
    struct inbox_member *targets = NULL;

    *count = 0;
    for (size_t i = 0; i < inbox->count; i++) {
        const struct inbox_row *row = &inbox->rows[i];

        if (any ? !row->marked : i != at)
            continue;
        targets = xreallocarray(targets, *count + row->count, sizeof(*targets));
        memcpy(targets + *count, row->members, row->count * sizeof(*targets));
        *count += row->count;
    }
    return targets;
}
