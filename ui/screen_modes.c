/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/screen_modes.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "ui/panic.h"

/* Bracketed paste; the window's title is kept (XTWINOPS 22) and brought back. */
#define START_SEQUENCE "\x1b[?2004h\x1b[22;2t"
#define STOP_SEQUENCE "\x1b[?2004l\x1b[23;2t"
/* Does it know mode 2026, and what is its background colour? */
#define START_QUESTIONS "\x1b[?2026$p\x1b]11;?\x1b\\"
#define SYNC_BEGIN "\x1b[?2026h"
#define SYNC_END "\x1b[?2026l"

/* In the SGR coding, the only one without a limit. */
#define MOUSE_OFF "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"
#define CURSOR_OWN "\x1b[0 q"

/* What gives the terminal back, should this be the last that is done. */
static void prepare_panic(const struct screen_modes *modes)
{
    const char *const sequences[] = {modes->synchronized ? SYNC_END : NULL,
                                     modes->mouse_sent != 0 ? MOUSE_OFF : NULL,
                                     modes->cursor_style_sent != 0 ? CURSOR_OWN : NULL,
                                     STOP_SEQUENCE,
                                     tigetstr("sgr0"),
                                     tigetstr("op"),
                                     tigetstr("rmcup"),
                                     tigetstr("cnorm"),
                                     "\r\n"};

    panic_prepare(modes->input, modes->output, modes->have_saved ? &modes->saved : NULL, sequences,
                  COUNT(sequences));
}

void screen_modes_send(const struct screen_modes *modes, const char *bytes)
{
    fd_write_all(modes->output, bytes, strlen(bytes));
}

/* Only terminals that are known to swallow what they do not understand are asked anything. */
static bool answers_questions(void)
{
    static const char *const families[] = {"xterm",     "tmux", "screen", "foot",
                                           "alacritty", "rxvt", "vte",    "wezterm"};
    const char *name = termname();

    for (size_t i = 0; i < COUNT(families); i++)
        if (strncmp(name, families[i], strlen(families[i])) == 0)
            return true;
    return false;
}

/* Tells the terminal what a program in a pane wants of its cursor and mouse; only those are told
 * that know it. */
static void tell_wishes(struct screen_modes *modes)
{
    char bytes[32];

    if ((modes->cursor_style == modes->cursor_style_sent && modes->mouse == modes->mouse_sent) ||
        !answers_questions())
        return;
    if (modes->cursor_style != modes->cursor_style_sent) {
        snprintf(bytes, sizeof(bytes), "\x1b[%d q", modes->cursor_style);
        screen_modes_send(modes, bytes);
    }
    if (modes->mouse != modes->mouse_sent) {
        screen_modes_send(modes, MOUSE_OFF);
        snprintf(bytes, sizeof(bytes), "\x1b[?%dh\x1b[?1006h", modes->mouse);
        screen_modes_send(modes, modes->mouse != 0 ? bytes : "");
    }
    modes->cursor_style_sent = modes->cursor_style;
    modes->mouse_sent = modes->mouse;
    prepare_panic(modes);
}

static void input_raw(struct screen_modes *modes)
{
    struct termios raw = modes->saved;

    if (!modes->have_saved)
        return;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | IXOFF | ISTRIP | INPCK | BRKINT);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | ISIG | IEXTEN);
    /* Curses counts on the terminal alone for what a line feed does. */
    raw.c_oflag &= ~(tcflag_t)OPOST;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(modes->input, TCSADRAIN, &raw);
}

/* For the end that nothing in this process can see: whatever may have been switched on is switched
 * off. The terminal is also taken again while it was not given back: who guards it goes on. */
static void keep_terminal(struct screen_modes *modes)
{
    if (restorer_runs(&modes->restorer))
        return;
    cleanup_free char *restore = xasprintf("%s%s", SYNC_END MOUSE_OFF CURSOR_OWN, panic_sequence());
    struct restorer_terminal terminal = {
        .input = modes->input,
        .output = modes->output,
        .modes = modes->have_saved ? &modes->saved : NULL,
        .restore = restore,
        .restore_length = strlen(restore),
    };
    restorer_start(&modes->restorer, &terminal);
}

void screen_modes_take(struct screen_modes *modes)
{
    input_raw(modes);
    screen_modes_send(modes, START_SEQUENCE);
    prepare_panic(modes);
    keep_terminal(modes);
}

void screen_modes_init(struct screen_modes *modes, int input, int output)
{
    *modes = (struct screen_modes){.input = input, .output = output};
    modes->have_saved = tcgetattr(input, &modes->saved) == 0;
}

void screen_modes_give_back(struct screen_modes *modes)
{
    if (modes->mouse_sent != 0)
        screen_modes_send(modes, MOUSE_OFF);
    if (modes->cursor_style_sent != 0)
        screen_modes_send(modes, CURSOR_OWN);
    modes->mouse_sent = modes->cursor_style_sent = 0;
    screen_modes_send(modes, STOP_SEQUENCE);
    if (modes->have_saved)
        tcsetattr(modes->input, TCSADRAIN, &modes->saved);
    restorer_stop(&modes->restorer);
    panic_clear();
}

void screen_modes_send_known(const struct screen_modes *modes, const char *bytes)
{
    if (answers_questions())
        screen_modes_send(modes, bytes);
}

void screen_modes_ask(const struct screen_modes *modes)
{
    screen_modes_send_known(modes, START_QUESTIONS);
}

void screen_modes_synchronize(struct screen_modes *modes, bool on)
{
    modes->synchronized = on;
    prepare_panic(modes);
}

void screen_modes_begin_frame(const struct screen_modes *modes)
{
    if (modes->synchronized)
        screen_modes_send(modes, SYNC_BEGIN);
}

void screen_modes_end_frame(struct screen_modes *modes)
{
    if (modes->synchronized)
        screen_modes_send(modes, SYNC_END);
    tell_wishes(modes);
}
