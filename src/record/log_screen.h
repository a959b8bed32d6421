/* SPDX-License-Identifier: MIT */
/*
 * log_screen: the calls of a query as rows for the operator's eye (log_layout): the time of day
 * here, the date where it changes, and the command as it was typed or asked for. Safe to show.
 */
#ifndef ASSENT_RECORD_LOG_SCREEN_H
#define ASSENT_RECORD_LOG_SCREEN_H

#include <stdio.h>

#include "record/log_query.h"

struct log_screen {
    FILE *out;      /* borrowed */
    size_t columns; /* how wide it is, 0: unknown; see log_layout.h */
    char day[16];   /* of the row before; "" at first */
};

void log_screen_call(struct log_screen *screen, const struct log_call *call);

#endif
