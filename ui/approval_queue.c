/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_queue.h"

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

bool approval_queue_is_aside(const struct console *console, uint64_t prompt)
{
    for (size_t i = 0; i < console->aside_count; i++)
        if (console->aside[i] == prompt)
            return true;
    return false;
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

void approval_queue_put_aside(struct console *console, uint64_t prompt)
{
    console->aside =
        xreallocarray(console->aside, console->aside_count + 1, sizeof(console->aside[0]));
    console->aside[console->aside_count++] = prompt;
    changed(console);
}

void approval_queue_take_back(struct console *console, uint64_t prompt)
{
    size_t kept = 0;

    changed(console);
    for (size_t i = 0; i < console->aside_count; i++)
        if (console->aside[i] != prompt)
            console->aside[kept++] = console->aside[i];
    console->aside_count = kept;
}

void approval_queue_take_all_back(struct console *console)
{
    console->aside_count = 0;
    changed(console);
}

void approval_queue_forget_answered(struct console *console)
{
    size_t kept = 0;

    for (size_t i = 0; i < console->aside_count; i++)
        if (approval_queue_find(console, console->aside[i]) != NULL)
            console->aside[kept++] = console->aside[i];
    console->aside_count = kept;
}
