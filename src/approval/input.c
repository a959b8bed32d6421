/* SPDX-License-Identifier: MIT */
/* input: what goes to a running command: bytes, the size of its terminal, signals. */
#include "config.h"

#include <errno.h>

#include "approval/orchestrator-int.h"

/* What the agent sends is kept until the command starts, and for a second attempt. */
static int keep_input(struct call_entry *entry, const char *bytes, size_t length)
{
    bool running = entry->call.run != NULL;
    if (running && (entry->retry || entry->standard_input == STDIN_TTY))
        return 0; /* there is no third attempt, and nobody types twice */
    if (length > INPUT_KEPT_MAX - entry->input.length) {
        if (!running)
            return -EAGAIN;
        entry->input_lost = true;
        return 0;
    }
    strbuf_add(&entry->input, bytes, length);
    return 0;
}

int orchestrator_write(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                       size_t length)
{
    (void)orchestrator;
    struct call_entry *entry = (struct call_entry *)call;
    if (call->state == CALL_FINISHED || entry->standard_input == STDIN_NULL || entry->input_ended)
        return -EPIPE;
    if (entry->operator_typed && entry->sandbox == ATTEMPT_UNSANDBOXED)
        return -EPERM;
    int result = call->run != NULL ? run_write(call->run, bytes, length) : 0;
    return result == 0 ? keep_input(entry, bytes, length) : result;
}

int orchestrator_type(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                      size_t length)
{
    (void)orchestrator;
    struct call_entry *entry = (struct call_entry *)call;
    if (call->run == NULL)
        return -EPIPE;
    entry->operator_typed = true;
    return run_write(call->run, bytes, length);
}

int orchestrator_reply(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                       size_t length)
{
    (void)orchestrator;
    return call->run != NULL ? run_write(call->run, bytes, length) : -EPIPE;
}

void orchestrator_write_end(struct orchestrator *orchestrator, struct call *call)
{
    struct call_entry *entry = (struct call_entry *)call;
    if (call->spec->typed && orchestrator->keyboard)
        return; /* the operator may type on */
    entry->input_ended = true;
    if (call->run != NULL)
        run_write_end(call->run);
}

bool orchestrator_hides_input(const struct call *call)
{
    return call->run != NULL && run_hides_input(call->run);
}

enum foreground orchestrator_foreground(const struct call *call)
{
    return call->run != NULL ? run_foreground(call->run) : FOREGROUND_WORKS;
}

void orchestrator_resize(struct orchestrator *orchestrator, struct call *call, int rows,
                         int columns)
{
    (void)orchestrator;
    struct call_entry *entry = (struct call_entry *)call;
    entry->rows = rows;
    entry->columns = columns;
    if (call->run != NULL && rows > 0 && columns > 0)
        run_resize(call->run, rows, columns);
}

int orchestrator_signal(struct orchestrator *orchestrator, struct call *call, int number)
{
    (void)orchestrator;
    return call->run != NULL ? run_signal(call->run, number) : -ESRCH;
}

void orchestrator_pause_output(struct orchestrator *orchestrator, struct call *call, bool pause)
{
    (void)orchestrator;
    struct call_entry *entry = (struct call_entry *)call;
    entry->output_paused = pause;
    if (call->run != NULL)
        run_pause_output(call->run, pause);
}
