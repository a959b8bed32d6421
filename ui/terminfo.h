/* SPDX-License-Identifier: MIT */
/* terminfo: is a terminal type known here. Apart from screen.c because term.h turns words like
 * `lines` and `columns` into macros. */
#ifndef ASSENT_UI_TERMINFO_H
#define ASSENT_UI_TERMINFO_H

#include <stdbool.h>

/* The type is known and can address its cursor. */
bool terminfo_usable(const char *terminal, int fd);

#endif
