/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/inbox.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/operator_agent.h"

#define NAME_COLUMNS 80 /* by which agents are told from one another */

void inbox_clear(struct inbox *inbox)
{
    for (size_t i = 0; i < inbox->count; i++)
        free(inbox->rows[i].members);
    free(inbox->rows);
    free(inbox->waiting);
    *inbox = (struct inbox){.rows = NULL};
}

const struct call *inbox_call(const struct console *console, const struct inbox_row *row)
{
    const struct inbox_member *first = &row->members[0];
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, first->call);
    bool waits = call != NULL && orchestrator_waits(call);
    uint64_t prompt = waits && call->prompt != NULL ? call->prompt->id : 0;

    return waits && prompt == first->prompt ? call : NULL;
}

const struct call *inbox_asked(const struct console *console, const struct inbox_row *row)
{
    return row->members[0].prompt != 0 ? inbox_call(console, row) : NULL;
}

void inbox_look_at(const struct console *console, const struct inbox_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        if (row->members[i].prompt == 0)
            orchestrator_look_at(console->setup.orchestrator, row->members[i].call);
}

/* ---- what waits --------------------------------------------------------------------------- */

static int by_age(const void *a, const void *b)
{
    const struct inbox_member *one = a, *other = b;

    if (one->since_ms != other->since_ms)
        return one->since_ms > other->since_ms ? 1 : -1;
    return (one->call > other->call) - (one->call < other->call);
}

static void take_waiting(struct inbox *inbox, const struct orchestrator *orchestrator)
{
    size_t count = orchestrator_call_count(orchestrator);
    size_t waiting = orchestrator_question_count(orchestrator);

    inbox->waiting = xreallocarray(NULL, waiting + 1, sizeof(*inbox->waiting));
    for (size_t i = 0; i < count && inbox->waiting_count < waiting; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);
        const struct prompt *prompt = call->prompt;

        if (orchestrator_waits(call))
            inbox->waiting[inbox->waiting_count++] =
                (struct inbox_member){.call = call->id,
                                      .prompt = prompt != NULL ? prompt->id : 0,
                                      .revision = prompt != NULL ? prompt->revision : 0,
                                      .since_ms = call->waits_ms,
                                      .level = call->assessment.level,
                                      .leaves = orchestrator_leaves(call)};
    }
    qsort(inbox->waiting, inbox->waiting_count, sizeof(*inbox->waiting), by_age);
}

static bool same_prompts(const struct inbox_member *a, const struct inbox_member *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].call != b[i].call || a[i].prompt != b[i].prompt || a[i].revision != b[i].revision)
            return false;
    return true;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void row_add(struct inbox_row *row, struct inbox_member member)
{
    row->members = xreallocarray(row->members, row->count + 1, sizeof(*row->members));
    row->members[row->count++] = member;
}

/* Where the rows are, by the hash of what they ask, so that thousands are put together at once. */
struct row_index {
    struct row_slot {
        uint64_t hash; /* 0: free */
        size_t row;
        const struct call *first;
    } * slots;
    size_t size; /* a power of two, and less than half is used */
};

static struct row_slot *find_slot(const struct row_index *index, const struct call *call,
                                  uint64_t hash)
{
    size_t at = hash & (index->size - 1);

    while (index->slots[at].hash != 0 &&
           (index->slots[at].hash != hash ||
            !orchestrator_same_question(index->slots[at].first, call)))
        at = (at + 1) & (index->size - 1);
    return &index->slots[at];
}

/* Each takes its place in the row of those that ask the same, or begins one. */
static void make_rows(struct inbox *inbox, const struct orchestrator *orchestrator)
{
    struct row_index index = {.size = 2};

    while (index.size <= 2 * inbox->waiting_count)
        index.size *= 2;
    index.slots = xcalloc(index.size, sizeof(*index.slots));
    inbox->rows = xcalloc(inbox->waiting_count + 1, sizeof(*inbox->rows));
    for (size_t i = 0; i < inbox->waiting_count; i++) {
        const struct call *call = orchestrator_find_call(orchestrator, inbox->waiting[i].call);
        uint64_t hash = orchestrator_question_hash(call);
        struct row_slot *slot = hash != 0 ? find_slot(&index, call, hash) : NULL;
        size_t row = slot != NULL && slot->hash != 0 ? slot->row : inbox->count++;

        if (slot != NULL && slot->hash == 0)
            *slot = (struct row_slot){hash, row, call};
        row_add(&inbox->rows[row], inbox->waiting[i]);
    }
    free(index.slots);
}

/* ---- marks -------------------------------------------------------------------------------- */

static int by_call(const void *a, const void *b)
{
    const struct inbox_row *const *left = a, *const *right = b;
    uint64_t one = (*left)->members[0].call, other = (*right)->members[0].call;

    return (one > other) - (one < other);
}

static bool row_equal(const struct inbox_row *a, const struct inbox_row *b)
{
    return a->count == b->count && same_prompts(a->members, b->members, a->count);
}

/* Whatever is new in a row has not been read, and nobody has marked it. */
static void keep_marks(const struct inbox *old, struct inbox *new)
{
    cleanup_free const struct inbox_row **sorted = xcalloc(old->count + 1, sizeof(*sorted));

    for (size_t i = 0; i < old->count; i++)
        sorted[i] = &old->rows[i];
    qsort(sorted, old->count, sizeof(*sorted), by_call);
    for (size_t i = 0; i < new->count; i++) {
        const struct inbox_row *row = &new->rows[i];
        const struct inbox_row *const *found =
            bsearch(&row, sorted, old->count, sizeof(*sorted), by_call);

        if (found == NULL || !row_equal(row, *found))
            continue;
        new->rows[i].kept = true;
        new->rows[i].marked = (*found)->marked;
        new->rows[i].seen = (*found)->seen;
        new->rows[i].read = (*found)->read;
        new->rows[i].rule_seen = (*found)->rule_seen;
        new->rows[i].rule = (*found)->rule;
    }
}

bool inbox_follow(struct inbox *inbox, const struct console *console)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    struct inbox now = {.rows = NULL};

    take_waiting(&now, orchestrator);
    if (now.waiting_count == inbox->waiting_count &&
        same_prompts(now.waiting, inbox->waiting, now.waiting_count)) {
        inbox_clear(&now);
        return false;
    }
    make_rows(&now, orchestrator);
    keep_marks(inbox, &now);
    inbox_clear(inbox);
    *inbox = now;
    return true;
}

size_t inbox_marked(const struct inbox *inbox)
{
    size_t count = 0;

    for (size_t i = 0; i < inbox->count; i++)
        count += inbox->rows[i].marked;
    return count;
}

/* A session that many share has one agent for each name. */
static bool asks(const struct console *console, const struct inbox_member *member,
                 const struct call *other)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, member->call);
    cleanup_free char *name = NULL;
    cleanup_free char *wanted = NULL;

    if (call == NULL || other == NULL || call->session != other->session)
        return false;
    name = operator_agent_label(console->setup.orchestrator, call, NAME_COLUMNS);
    wanted = operator_agent_label(console->setup.orchestrator, other, NAME_COLUMNS);
    return strcmp(name, wanted) == 0;
}

/* Of how many of its requests. */
static size_t asked_by(const struct console *console, const struct inbox_row *row,
                       const struct call *agents)
{
    size_t count = 0;

    for (size_t i = 0; i < row->count; i++)
        count += asks(console, &row->members[i], agents);
    return count;
}

static bool is_asked(const struct inbox_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        if (row->members[i].prompt == 0)
            return false;
    return true;
}

/* Is it asked for by another that only calls itself so? The column of agents is too narrow to tell
 * them apart by more than a number. */
static bool is_namesakes(const struct console *console, const struct inbox_row *row,
                         const struct call *agents)
{
    const struct call *call = inbox_call(console, row);

    return call != NULL && agents != NULL &&
           strcasecmp(call_text_claimed(call), call_text_claimed(agents)) == 0;
}

struct inbox_left inbox_mark_agent(struct inbox *inbox, const struct console *console, size_t at)
{
    const struct call *agents = at < inbox->count ? inbox_call(console, &inbox->rows[at]) : NULL;
    cleanup_free bool *marks = xcalloc(inbox->count + 1, sizeof(*marks));
    struct inbox_left left = {0};
    bool all = true;

    for (size_t i = 0; i < inbox->count; i++) {
        const struct inbox_row *row = &inbox->rows[i];
        size_t count = asked_by(console, row, agents);
        bool alone = count > 0 && count == row->count;

        marks[i] = alone && is_asked(row);
        all = all && (!marks[i] || row->marked);
        left.unasked += alone && !marks[i];
        if (count > 0 && !alone && left.shared == 0)
            left.shared = row->members[0].call;
        left.namesakes =
            left.namesakes || (count == 0 && !row->marked && is_namesakes(console, row, agents));
    }
    left.namesakes = left.namesakes && !all;
    for (size_t i = 0; i < inbox->count; i++)
        if (marks[i])
            inbox->rows[i].marked = !all;
    return left;
}

size_t inbox_mark_all(struct inbox *inbox)
{
    size_t asked = 0, marked = inbox_marked(inbox);

    for (size_t i = 0; i < inbox->count; i++)
        asked += is_asked(&inbox->rows[i]);
    for (size_t i = 0; i < inbox->count; i++)
        if (is_asked(&inbox->rows[i]))
            inbox->rows[i].marked = marked < asked;
    return inbox->count - asked;
}

struct inbox_member *inbox_targets(const struct inbox *inbox, size_t at, size_t *count)
{
    bool any = inbox_marked(inbox) > 0;
    struct inbox_member *targets = NULL;
    size_t first;

    *count = 0;
    for (size_t i = 0; i < inbox->count; i++) {
        const struct inbox_row *row = &inbox->rows[i];

        if (any ? !row->marked : i != at)
            continue;
        first = *count;
        targets = xreallocarray(targets, *count + row->count, sizeof(*targets));
        for (size_t j = 0; j < row->count; j++)
            if (row->members[j].prompt != 0)
                targets[(*count)++] = row->members[j];
        if (*count > first)
            targets[first].first = true;
    }
    return targets;
}
