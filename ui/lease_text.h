/* SPDX-License-Identifier: MIT */
/* lease_text: how long a grant lasts, in words, and stepping through what can be chosen. */
#ifndef ASSENT_UI_LEASE_TEXT_H
#define ASSENT_UI_LEASE_TEXT_H

#include "approval/grants.h"

/* The same where it is offered with a request, which is allowed beside that many; `host`: it is
 * about one. */
char *lease_text_offer(const struct lease *lease, bool host);

/* The next kind (1), or the one before (-1): the session, a time, a number of runs, as long as
 * `call` runs (0: not offered); that comes before the time where the request is about that call. */
void lease_turn(struct lease *lease, uint64_t call, bool call_first, int direction);
/* Where a kind stands among these, counted from 0. */
struct lease_place {
    size_t at, of;
};
struct lease_place lease_place(enum lease_kind kind, uint64_t call, bool call_first);
/* Longer (1) or shorter (-1) of the same kind; false when there is nothing to change. */
bool lease_change(struct lease *lease, int direction);

#endif
