/* SPDX-License-Identifier: MIT */
/* foreground: what the program that has a terminal is about. */
#ifndef ASSENT_RUN_FOREGROUND_H
#define ASSENT_RUN_FOREGROUND_H

enum foreground {
    FOREGROUND_WORKS,
    FOREGROUND_UNKNOWN, /* it waits for keys and perhaps for more, or cannot be looked at */
    FOREGROUND_READS,   /* it is stopped in reading a line or a key from its terminal */
};

/* Of the terminal that this is the master of. The kernel is asked, not the program; a look costs
 * one pass over /proc, and what another user's or a changed uid's processes do stays unknown. */
enum foreground foreground_look(int master);

#endif
