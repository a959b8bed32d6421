/* SPDX-License-Identifier: MIT */
/*
 * overlay_approval: one request that waits for the operator, and the answer to it.
 *
 * What makes an answer count:
 *  - it names the prompt and the revision that were on the screen (a frame that showed them has
 *    been sent), in the size that the screen has now;
 *  - they have been there for the guard time, and nothing was typed meanwhile: keys that were
 *    meant for something else are swallowed, and keep the guard up, which is longer where an
 *    answer has only just been given;
 *  - to allow, all of the command has been on the screen, here or in the full view;
 *  - to allow what is risky, leaves the sandbox that stopped it, leaves one for longer, or is not
 *    shown as it is, Enter follows;
 *  - Enter alone is not pressed right behind an answer, whether that was taken or not, nor again
 *    behind the one that opened it from the list;
 *  - it came alone: keys that come all at once are a text, whatever its letters mean.
 * A paste never answers. Escape never decides. On a screen below the least size nothing is allowed,
 * but denied it can be.
 */
#ifndef ASSENT_UI_OVERLAY_APPROVAL_H
#define ASSENT_UI_OVERLAY_APPROVAL_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct console;

/* Opens, renews or closes the overlay as the waiting requests and the keyboard's place ask for.
 * Once a turn. */
void overlay_approval_follow(struct console *console);
/* Shows that request over what is open. */
void overlay_approval_open(struct console *console, uint64_t prompt);
/* The call of the request that has the keyboard, 0: none has. */
uint64_t overlay_approval_call(const struct console *console);
/* Is that call's request open, also under something else? */
bool overlay_approval_shows(const struct console *console, uint64_t call);
/* Does a request, and nothing above it, have the keyboard? */
bool overlay_approval_is_top(const struct console *console);
/* Takes back an answer that waits for Enter on the topmost; false when there is none. */
bool overlay_approval_disarm(struct console *console);
/* The operator reads something else, and no request opens until that is closed. */
bool overlay_approval_is_covered(const struct console *console);
/* The call's request is put aside until the line that is begun at the prompt is over; says so. */
void overlay_approval_wait_for_line(struct console *console, const struct call *call);
/* Shows the oldest waiting request, also one that was put aside. */
void overlay_approval_reopen(struct console *console);

#endif
