/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_queue.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "ui/approval_again.h"
#include "ui/console_int.h"

static struct call *waiting_at(const struct console *console, size_t index)
{
    struct call *call = orchestrator_waiting_at(console->setup.orchestrator, index);

    return call->prompt != NULL ? call : NULL;
}

struct call *approval_queue_find(const struct console *console, uint64_t prompt)
{
    size_t count = orchestrator_waiting_count(console->setup.orchestrator);

    for (size_t i = 0; i < count; i++) {
        struct call *call = waiting_at(console, i);

        if (call != NULL && call->prompt->id == prompt)
            return call;
    }
    return NULL;
}

/* Where it stands among those that were put aside, or belongs. */
static size_t place_aside(const struct console *console, uint64_t prompt)
{
    size_t low = 0, high = console->aside_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (console->aside[middle].prompt < prompt)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool approval_queue_is_aside(const struct console *console, uint64_t prompt)
{
    size_t at = place_aside(console, prompt);

    return at < console->aside_count && console->aside[at].prompt == prompt;
}

struct call *approval_queue_oldest(const struct console *console, uint64_t except)
{
    size_t count = orchestrator_waiting_count(console->setup.orchestrator);

    for (size_t i = 0; i < count; i++) {
        struct call *call = waiting_at(console, i);

        if (call != NULL && call->prompt->id != except &&
            !approval_queue_is_aside(console, call->prompt->id))
            return call;
    }
    return NULL;
}

/* The list and the panes' titles say which ones are. */
static void changed(struct console *console)
{
    console_dirty(console, DIRTY_CALLS | DIRTY_PANES);
}

void approval_queue_put_aside(struct console *console, uint64_t call, uint64_t prompt)
{
    size_t at = place_aside(console, prompt);

    if (approval_queue_is_aside(console, prompt)) {
        console->aside[at].for_line = false;
        return;
    }
    console->aside =
        xreallocarray(console->aside, console->aside_count + 1, sizeof(console->aside[0]));
    memmove(&console->aside[at + 1], &console->aside[at],
            (console->aside_count - at) * sizeof(console->aside[0]));
    console->aside[at] = (struct aside){.prompt = prompt, .call = call};
    console->aside_count++;
    orchestrator_put_aside(console->setup.orchestrator, prompt, true);
    changed(console);
}

void approval_queue_put_aside_for_line(struct console *console, uint64_t call, uint64_t prompt)
{
    approval_queue_put_aside(console, call, prompt);
    console->aside[place_aside(console, prompt)].for_line = true;
}

void approval_queue_line_over(struct console *console)
{
    for (size_t i = console->aside_count; i-- > 0;) {
        if (!console->aside[i].for_line)
            continue;
        console_wait_over(console, console->aside[i].call); /* that it waits for the line */
        approval_queue_take_back(console, console->aside[i].prompt);
    }
}

static void leave_held(struct console *console)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    size_t held = orchestrator_held_count(orchestrator);
    size_t count = orchestrator_call_count(orchestrator);

    console->left = xreallocarray(console->left, held + 1, sizeof(console->left[0]));
    console->left_count = 0;
    for (size_t i = 0; i < count && console->left_count < held; i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->prompt == NULL && orchestrator_waits(call))
            console->left[console->left_count++] = call->id;
    }
}

void approval_queue_put_all_aside(struct console *console)
{
    size_t count = orchestrator_waiting_count(console->setup.orchestrator);

    for (size_t i = 0; i < count; i++) {
        const struct call *call = waiting_at(console, i);

        if (call != NULL)
            approval_queue_put_aside(console, call->id, call->prompt->id);
    }
    leave_held(console);
}

/* In a session that many share, too. */
static bool same_agent(const struct call *one, const struct call *other)
{
    return one->session == other->session && one->client.tree == other->client.tree &&
           text_same(one->client.name, other->client.name) &&
           text_same(one->client.exe, other->client.exe);
}

/* Takes the number out of those; false: it is none of them. */
static bool take_out(uint64_t *calls, size_t count, uint64_t call)
{
    for (size_t i = 0; i < count; i++)
        if (calls[i] == call) {
            calls[i] = 0; /* once */
            return true;
        }
    return false;
}

static bool asks_the_same(const struct call *last, const struct call *call)
{
    return same_agent(last, call) && reach_same(last->reach, call->reach);
}

/* How bad the two were when they were put is the same: that is a part of what was asked. A model
 * may have raised the one before since, in whose place whoever chose or read saw that. */
const struct call *approval_queue_same(const struct console *console, const struct call *call)
{
    const struct call *last = approval_again_last(console->setup.orchestrator, call);

    return last != NULL && asks_the_same(last, call) &&
                   call->assessment.level == last->assessment.level
               ? last
               : NULL;
}

/* The same, which the operator has said "later" to and nobody waits for any more. */
static uint64_t put_off_before(struct console *console, const struct call *call)
{
    const struct call *last = approval_again_last(console->setup.orchestrator, call);

    if (last == NULL || !take_out(console->put_off, PUT_OFF_MAX, last->id))
        return 0;
    /* "Later" to what a model had raised is one to what it has not looked at yet, too. */
    return asks_the_same(last, call) && call->assessment.level <= last->assessment.level ? last->id
                                                                                         : 0;
}

uint64_t approval_queue_asked(struct console *console, const struct call *call)
{
    uint64_t before = put_off_before(console, call);

    if (take_out(console->left, console->left_count, call->id) || before != 0)
        approval_queue_put_aside(console, call->id, call->prompt->id);
    return before;
}

void approval_queue_ended(struct console *console, const struct call *call)
{
    bool withdrawn = call->cancelled && call->cancelled_by == CANCELLED_BY_CLIENT;

    /* A line that is typed meanwhile is no "later". */
    for (size_t i = 0; withdrawn && i < console->aside_count; i++)
        if (console->aside[i].call == call->id && !console->aside[i].for_line)
            console->put_off[console->put_off_next++ % PUT_OFF_MAX] = call->id;
}

void approval_queue_take_back(struct console *console, uint64_t prompt)
{
    size_t at = place_aside(console, prompt);

    changed(console);
    if (!approval_queue_is_aside(console, prompt))
        return;
    orchestrator_put_aside(console->setup.orchestrator, prompt, false);
    console->aside_count--;
    memmove(&console->aside[at], &console->aside[at + 1],
            (console->aside_count - at) * sizeof(console->aside[0]));
}

void approval_queue_take_all_back(struct console *console)
{
    for (size_t i = 0; i < console->aside_count; i++)
        orchestrator_put_aside(console->setup.orchestrator, console->aside[i].prompt, false);
    console->aside_count = console->left_count = 0;
    memset(console->put_off, 0, sizeof(console->put_off));
    changed(console);
}

void approval_queue_forget_answered(struct console *console)
{
    size_t kept = 0;

    for (size_t i = 0; i < console->aside_count; i++) {
        const struct aside *aside = &console->aside[i];
        const struct call *call = orchestrator_find_call(console->setup.orchestrator, aside->call);

        if (call != NULL && call->prompt != NULL && call->prompt->id == aside->prompt)
            console->aside[kept++] = *aside;
    }
    console->aside_count = kept;
}
