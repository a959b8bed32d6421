/* SPDX-License-Identifier: MIT */
/*
 * approval_resume: where the operator was with a request that ended under their hands. When just
 * the same is asked anew, as by a program that waits for a while only, they go on from there:
 * lines that were read count as read, and the reason half written for a denial is there again. An
 * answer is never taken over.
 */
#ifndef ASSENT_UI_APPROVAL_RESUME_H
#define ASSENT_UI_APPROVAL_RESUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct approval;
struct call;
struct console;

struct left_off {
    uint64_t call; /* 0: none */
    char *command; /* as it was shown; owned */
    int first;
    size_t read;
    bool seen;
    char *reason; /* NULL: none; owned */
};

/* The request, still open, has ended by itself. Takes texts out of it. */
void approval_resume_note(struct approval *approval, struct console *console);
/* The request of that call has just been put on the screen. */
void approval_resume_take(struct approval *approval, struct console *console,
                          const struct call *call);
void approval_resume_clear(struct left_off *left);

#endif
