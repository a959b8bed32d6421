/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "typed_ahead.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* False when the operator interrupts. */
static bool drop_until_quiet(int terminal, int quiet_ms, cc_t interrupt)
{
    struct pollfd typed = {.fd = terminal, .events = POLLIN};
    char keys[256];
    for (;;) {
        int ready = poll(&typed, 1, quiet_ms);
        ssize_t count = ready > 0 ? read(terminal, keys, sizeof keys) : ready;
        if (count == 0 || (count < 0 && errno != EINTR)) /* quiet, or nobody is there any more */
            return true;
        if (count > 0 && memchr(keys, interrupt, (size_t)count) != NULL)
            return false;
    }
}

/* No key makes a signal meanwhile: whatever ended the process would leave the terminal as it is. */
void typed_ahead_drop(int terminal, int quiet_ms)
{
    struct termios before, raw;
    if (tcgetpgrp(terminal) != getpgrp() || tcgetattr(terminal, &before) != 0)
        return;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(terminal, TCSANOW, &raw) != 0)
        return;
    bool quiet = drop_until_quiet(terminal, quiet_ms, before.c_cc[VINTR]);
    tcsetattr(terminal, TCSAFLUSH, &before);
    if (!quiet)
        raise(SIGINT);
}
