/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_queue.h"

#include <string.h>

#include "base/alloc.h"
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

    if (approval_queue_is_aside(console, prompt))
        return;
    console->aside =
        xreallocarray(console->aside, console->aside_count + 1, sizeof(console->aside[0]));
    memmove(&console->aside[at + 1], &console->aside[at],
            (console->aside_count - at) * sizeof(console->aside[0]));
    console->aside[at] = (struct aside){prompt, call};
    console->aside_count++;
    orchestrator_put_aside(console->setup.orchestrator, prompt, true);
    changed(console);
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

void approval_queue_asked(struct console *console, const struct call *call)
{
    for (size_t i = 0; i < console->left_count; i++)
        if (console->left[i] == call->id) {
            console->left[i] = 0; /* once */
            approval_queue_put_aside(console, call->id, call->prompt->id);
        }
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
