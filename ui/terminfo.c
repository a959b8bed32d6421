/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/terminfo.h"

#include <curses.h>
#include <stddef.h>
#include <term.h>

bool terminfo_usable(const char *terminal, int fd)
{
    TERMINAL *before = cur_term;
    int result;
    bool usable;

    if (setupterm(terminal, fd, &result) != OK)
        return false;
    usable = cursor_address != NULL && clear_screen != NULL;
    del_curterm(set_curterm(before));
    return usable;
}
