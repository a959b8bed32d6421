/* SPDX-License-Identifier: MIT */
/*
 * after_request: what a request leaves behind when it closes, and a pane that has ended while it
 * had the keyboard. Keys that were meant for it go on coming, and must neither run as a command nor
 * answer the next one; and the next one, which may look just the same, says that it is another.
 */
#ifndef ASSENT_UI_AFTER_REQUEST_H
#define ASSENT_UI_AFTER_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/input.h"

struct console;

enum request_end {
    REQUEST_PUT_ASIDE, /* goes on waiting */
    REQUEST_ANSWERED,
    REQUEST_GONE, /* by itself */
};

/* The last request that has closed. */
struct closed_request {
    uint64_t call; /* 0: none, or it is told already */
    enum request_end end;
    bool unasked;   /* no key of the operator's closed it */
    unsigned aside; /* so many have been put aside one after the other, this one included */
    unsigned hasty; /* so many were allowed one right behind the other, each hardly looked at */
    int64_t ms;
};

/* The request of that call closes: what is typed on until the keys pause is dropped, unless the
 * operator has put it aside, who then knows where keys go. */
void after_request_closed(struct console *console, uint64_t call, enum request_end end);
/* It was allowed, so long after it came up instead of that one. */
void after_request_allowed(struct console *console, const struct closed_request *before,
                           int64_t shown_ms);
/* The list of requests has become empty: the same for whoever goes on answering. */
void after_request_emptied(struct console *console);
/* The pane that had the keyboard has ended, or the one that was to get it has, or is none: a
 * password may be half written, and its rest is not for the prompt line. `refused`: nothing of it
 * is typed yet. */
void after_request_pane_ended(struct console *console, bool refused);
/* Which one a request that opens in this turn comes up instead of. A few seconds later that is
 * none, and of one that was put aside in the next turn. */
struct closed_request after_request_last(struct console *console);
/* " c1 is answered. This is c2 "; NULL where there is nothing to say by now. Caller frees. */
char *after_request_words(const struct console *console, const struct closed_request *closed,
                          uint64_t call);

/* The pane is typed into: a word, or single keys? */
void after_request_note_letter(struct console *console, const struct input_event *event);

/* A key that closed an overlay, pressed once more by a nervous or bouncing finger. */
bool after_request_bounces(struct console *console, const struct input_event *event);
/* What would go into the prompt line is the rest of what was typed for a request: it is not taken,
 * and that is said. */
bool after_request_drops(struct console *console);
/* A key was dropped there: whether it would have answered is told with a request that takes the
 * place of the last one. */
void after_request_note_dropped(struct console *console, const struct input_event *event);
/* How long no key may have come before one is an answer to what has just come up in place of that:
 * the guard time; longer behind the operator's own answer, whose key may drum on; and several of
 * them where an agent took its question back while the operator wrote the answer, and asked for
 * something else: who writes on, and slowly, must not allow that by a letter. */
int64_t after_request_pause_ms(struct console *console, const struct closed_request *before);
/* The same for an answer that allows it; longer than that where the ones before were allowed in
 * haste: who drums a little slower than that, without reading, is stopped. */
int64_t after_request_reading_ms(struct console *console, const struct closed_request *before);
/* The same once the operator was told that it has changed: no shorter than `reading_ms`. */
int64_t after_request_changed_ms(const struct console *console, int64_t reading_ms);

#endif
