/* SPDX-License-Identifier: MIT */
/*
 * holds: scripts that run outside a sandbox stay as they were shown while they run. Whoever wants
 * to write one waits until the run has ended, and the run is stopped at once: what it would read
 * next is nothing that the operator saw.
 */
#include "config.h"

#include <signal.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"

static void somebody_waits(int number, void *argument)
{
    struct orchestrator *orchestrator = argument;
    (void)number;
    for (size_t i = 0; i < orchestrator->open_count; i++) {
        struct call_entry *entry = orchestrator->open[i];
        const char *path = scripts_wanted(entry->scripts);
        if (path == NULL || entry->cancel_requested)
            continue;
        cleanup_free char *why = xasprintf("it was stopped: its script was about to be changed "
                                           "while it ran outside the sandbox: %s",
                                           path);
        orchestrator_notice(orchestrator, NOTICE_ALARM, "c%llu: %s",
                            (unsigned long long)entry->call.id, why);
        orchestrator_cancel(orchestrator, &entry->call, CANCELLED_BY_CONSOLE, why);
    }
}

int holds_take(struct call_entry *entry, struct error *error)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    if (!arrival_is_unconfined(entry))
        return 0;
    /* Stays until the end: without it SIGIO, which may be on its way, would end the console. */
    if (scripts_can_hold(entry->scripts) && orchestrator->hold_signal == NULL)
        orchestrator->hold_signal =
            loop_signal_new(orchestrator->loop, SIGIO, somebody_waits, orchestrator);
    return scripts_hold(entry->scripts, error);
}

void holds_release(struct call_entry *entry)
{
    const char *replaced = scripts_release(entry->scripts);
    if (replaced != NULL)
        orchestrator_notice(entry->orchestrator, NOTICE_WARNING,
                            "while call %llu ran outside the sandbox, its script was replaced: %s",
                            (unsigned long long)entry->call.id, replaced);
}
