/* SPDX-License-Identifier: MIT */
/*
 * overlay_inbox: the inbox on the screen, and what keys do in it.
 *
 * What makes an answer for several requests count, beyond what overlay_approval.h says:
 *  - all of each (command, risk, what it runs under) has been on the screen;
 *  - none is of high risk or shown otherwise than it is: such are allowed one at a time;
 *  - the list has been as it is for the guard time: what comes or changes meanwhile is not in it;
 *  - the row at the pointer has been there that long, now or before: to come back to one that was
 *    read takes no time while no row has come, gone or changed;
 *  - for the session or by a rule: it allows no request that waits but those that are answered, and
 *    all of the rule has been on the screen.
 * To deny, the third of them is enough. The mouse goes to rows and presses keys; it is held to the
 * same.
 */
#ifndef ASSENT_UI_OVERLAY_INBOX_H
#define ASSENT_UI_OVERLAY_INBOX_H

#include <stdbool.h>
#include <stdint.h>

struct console;
struct reach_connection;

/* Opens it, in place of a request that is shown; goes back to it from one that it has opened, and
 * from itself to the panes. */
void overlay_inbox_open(struct console *console);
bool overlay_inbox_is_top(const struct console *console);
/* The first call of the row at the cursor, 0: it is not on top, or empty. */
uint64_t overlay_inbox_call(const struct console *console);
/* Is it open, may a request of it lie over it? */
bool overlay_inbox_is_open(const struct console *console);
/* Once a turn: closes it when the last request in it has gone. One that was empty when it was
 * opened stays, and says so. */
void overlay_inbox_follow(struct console *console);
/* The request of that call, which was open over the list, was answered: what became of it is said
 * there until the next key. Nothing where the list is not open. */
void overlay_inbox_answered(struct console *console, uint64_t call, const char *words);
/* The answer to that call was taken back (0: a rule of no request): said there as well. Nothing
 * where the list is not open. */
void overlay_inbox_taken_back(struct console *console, uint64_t call);
/* A host that the operator was asked for and allowed could not be reached: said there as well.
 * Nothing where the list is not open. */
void overlay_inbox_unreached(struct console *console, const struct reach_connection *connection);
/* Such words of a denial. That of an agent holds until it is taken back. */
const char *overlay_inbox_denied(const struct console *console, uint64_t call);
/* The request of that call, which was open over the list, closed by itself. Nothing where the list
 * is not on top now. */
void overlay_inbox_lost(struct console *console, uint64_t call);

#endif
