/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/raw_terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void raw_terminal_init(struct raw_terminal *terminal)
{
    memset(terminal, 0, sizeof(*terminal));
    terminal->is_terminal = tcgetattr(STDIN_FILENO, &terminal->saved) == 0;
}

void raw_terminal_set(struct raw_terminal *terminal, bool raw)
{
    if (!terminal->is_terminal || terminal->raw == raw)
        return;
    struct termios mode = terminal->saved;
    if (raw)
        cfmakeraw(&mode);
    if (tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) == 0)
        terminal->raw = raw;
}

bool raw_terminal_size(int *rows, int *columns)
{
    struct winsize size;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0)
            continue;
        *rows = size.ws_row;
        *columns = size.ws_col;
        return true;
    }
    return false;
}
