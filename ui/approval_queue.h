/* SPDX-License-Identifier: MIT */
/*
 * approval_queue: the requests that wait, oldest first, and which of them the operator has put
 * aside. One that is put aside goes on waiting.
 */
#ifndef ASSENT_UI_APPROVAL_QUEUE_H
#define ASSENT_UI_APPROVAL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PUT_OFF_MAX 32 /* withdrawn requests that are known to have been put aside */

struct call;
struct console;

/* A prompt that was put aside, and its call. */
struct aside {
    uint64_t prompt, call;
    bool for_line; /* until the line at the prompt is sent or given up */
};

/* The call that this prompt asks about; NULL when it does not wait any more. */
struct call *approval_queue_find(const struct console *console, uint64_t prompt);
/* The oldest that is not put aside and is not `except` (0: any); NULL when there is none. */
struct call *approval_queue_oldest(const struct console *console, uint64_t except);
/* `call` is the one that the prompt asks about. */
void approval_queue_put_aside(struct console *console, uint64_t call, uint64_t prompt);
/* For a line that is begun over it, until approval_queue_line_over(). */
void approval_queue_put_aside_for_line(struct console *console, uint64_t call, uint64_t prompt);
void approval_queue_line_over(struct console *console);
/* All that wait are; those that wait for room, once they are asked about. */
void approval_queue_put_all_aside(struct console *console);
/* The call is asked about now: puts it aside when it was among those, or when its agent has asked
 * for the same before (call->asked_as), and withdrawn it while it was put aside. Returns the call
 * by which it did, or 0. */
uint64_t approval_queue_asked(struct console *console, const struct call *call);
/* The last call by which the same agent has asked just that before, of the same program and at the
 * same risk, and which waits no more; NULL: there is none. */
const struct call *approval_queue_same(const struct console *console, const struct call *call);
/* The call has ended: notes that it was put aside and is withdrawn. */
void approval_queue_ended(struct console *console, const struct call *call);
/* It is no longer put aside. */
void approval_queue_take_back(struct console *console, uint64_t prompt);
/* None is. */
void approval_queue_take_all_back(struct console *console);
bool approval_queue_is_aside(const struct console *console, uint64_t prompt);
/* Prompts that do not wait any more are not remembered as put aside. */
void approval_queue_forget_answered(struct console *console);

#endif
