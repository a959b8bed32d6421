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

/* Modes whose end moves the cursor: they are ended only where they are on. */
enum { MODE_SCREEN = 1, MODE_ORIGIN = 2 };

static unsigned mode_of(unsigned number)
{
    if (number == 47 || number == 1047 || number == 1049)
        return MODE_SCREEN;
    return number == 6 ? MODE_ORIGIN : 0;
}

/* ESC [ ? NUMBER ; NUMBER … h or l */
static void follow(struct raw_terminal *terminal, char byte)
{
    static const char start[] = "\x1b[?";
    if (byte == '\x1b') {
        terminal->at = 1;
    } else if (terminal->at < sizeof(start) - 1) {
        terminal->at = terminal->at > 0 && byte == start[terminal->at] ? terminal->at + 1 : 0;
        terminal->parameter = terminal->named = 0;
    } else if (byte >= '0' && byte <= '9') {
        terminal->parameter = terminal->parameter % 10000 * 10 + (unsigned)(byte - '0');
    } else {
        terminal->named |= mode_of(terminal->parameter);
        terminal->parameter = 0;
        if (byte == 'h')
            terminal->left |= terminal->named;
        else if (byte == 'l')
            terminal->left &= ~terminal->named;
        terminal->at = byte == ';' ? terminal->at : 0;
    }
}

void raw_terminal_written(struct raw_terminal *terminal, const char *bytes, size_t length)
{
    if (!isatty(STDOUT_FILENO))
        return;
    terminal->written = true;
    for (size_t i = 0; i < length; i++)
        follow(terminal, bytes[i]);
}

#define CANCEL "\x18"                          /* a sequence that has not come to its end */
#define REGION "\x1b\x37\x1b[r\x1b\x38"        /* the whole screen, with the cursor where it is */
#define ORIGIN "\x1b[?6l\x1b[r\x1b[999;1H\r\n" /* the cursor's place is lost: a row of its own */
#define SCREEN "\x1b[r\x1b[?1049l"
/* Insertion, wrapping, colours, character sets, keys, mouse, focus, paste, cursor. */
#define REST                                                                                       \
    "\x1b[4l\x1b[?7h\x1b[m\x1b(B\x0f\x1b[?1l\x1b>\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"     \
    "\x1b[?1004l\x1b[?2004l\x1b[?25h"

void raw_terminal_undo(struct raw_terminal *terminal, struct strbuf *out)
{
    if (!terminal->written)
        return;
    strbuf_addstr(out, CANCEL);
    if ((terminal->left & MODE_ORIGIN) != 0)
        strbuf_addstr(out, ORIGIN);
    if ((terminal->left & MODE_SCREEN) != 0)
        strbuf_addstr(out, SCREEN);
    strbuf_addstr(out, REGION REST);
    terminal->written = false;
    terminal->left = 0;
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
