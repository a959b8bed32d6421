/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "ui/screen_modes.h"
#include "ui/terminfo.h"

/* What a program's output may cost: a frame that fills 200x50 is followed by the next after 40 ms,
 * one of 80x24 after the usual time. Slow lines keep up with that (about 150 kB/s of text), and
 * what floods past faster nobody reads. */
#define CELLS_PER_MS 250
#define OUTPUT_FRAME_MS_MAX 50

/* How long a frame may wait that was asked for. */
enum haste {
    HASTE_NONE,   /* none was */
    HASTE_OUTPUT, /* what a program writes: longer the more the last frame wrote */
    HASTE_FRAME,  /* SCREEN_FRAME_MS */
    HASTE_NOW,
};

struct screen {
    struct screen_setup setup;
    SCREEN *curses;
    FILE *input, *output; /* over descriptors of our own */
    struct loop_turn *turn;
    struct loop_timer *timer;
    struct loop_signal *winch, *resume, *stop;
    struct screen_modes modes;
    int rows, columns;
    enum haste haste; /* of the frame that was asked for */
    int64_t due_ms;   /* when the timer runs out, while it runs */
    size_t cells;     /* that the last frame wrote, about */
    bool resize_pending;
    bool lost; /* what the terminal shows is not known: the next frame draws all of it */
    int cursor_row, cursor_column;
    int64_t last_frame_ms;
    uint64_t frames;
};

/* The size that the terminal has now; what terminfo says when it cannot tell. */
static void size_query(struct screen *screen)
{
    struct winsize size;

    if ((ioctl(screen->setup.output, TIOCGWINSZ, &size) == 0 ||
         ioctl(screen->setup.input, TIOCGWINSZ, &size) == 0) &&
        size.ws_row > 0 && size.ws_col > 0) {
        screen->rows = size.ws_row;
        screen->columns = size.ws_col;
    } else {
        screen->rows = LINES;
        screen->columns = COLS;
    }
    /* Curses' own limits are far above; a size out of reason is a terminal's mistake. */
    screen->rows = screen->rows > 1000 ? 1000 : screen->rows;
    screen->columns = screen->columns > 1000 ? 1000 : screen->columns;
    if (screen->rows != LINES || screen->columns != COLS)
        resize_term(screen->rows, screen->columns);
}

static void terminal_give_back(struct screen *screen)
{
    curs_set(1);
    endwin();
    fflush(screen->output);
    screen_modes_give_back(&screen->modes);
}

static void ask_frame(struct screen *screen, enum haste haste)
{
    if (screen->haste < haste)
        screen->haste = haste;
}

static void frame_later(struct screen *screen, int64_t now, int64_t due)
{
    if (loop_timer_running(screen->timer) && screen->due_ms <= due)
        return;
    screen->due_ms = due;
    loop_timer_start(screen->timer, due - now);
}

/* The milliseconds from the last frame to the one that is asked for. */
static int64_t frame_rest(const struct screen *screen)
{
    int64_t rest = (int64_t)(screen->cells / CELLS_PER_MS);

    if (screen->haste == HASTE_NOW)
        return 0;
    if (screen->haste == HASTE_FRAME || rest < SCREEN_FRAME_MS)
        return SCREEN_FRAME_MS;
    return rest < OUTPUT_FRAME_MS_MAX ? rest : OUTPUT_FRAME_MS_MAX;
}

/* Before curses compares them with what the terminal shows. */
static size_t cells_written(const struct screen *screen)
{
    size_t rows = 0;

    for (int row = 0; row < screen->rows; row++)
        rows += is_linetouched(stdscr, row);
    return rows * (size_t)screen->columns;
}

/* Curses sets margins to scroll, and opens them again to the size that it knows. What of that was
 * under way while the terminal got another size leaves margins that curses never thinks of again:
 * lines would scroll there instead of being passed. After a suspension curses opens them itself,
 * once it is on the alternate screen: before, it would move the shell's cursor. */
static void draw_anew(struct screen *screen)
{
    const char *margins = tigetstr("csr");

    screen->lost = false;
    if (!isendwin() && margins != NULL && margins != (const char *)-1)
        screen_modes_send(&screen->modes, tiparm(margins, 0, screen->rows - 1));
    clearok(curscr, TRUE);
}

static void frame_draw(struct screen *screen, int64_t now)
{
    loop_timer_stop(screen->timer);
    screen->haste = HASTE_NONE;
    screen->setup.draw(screen->setup.argument);
    screen->cells = cells_written(screen);
    if (screen->cursor_row >= 0)
        wmove(stdscr, screen->cursor_row, screen->cursor_column);
    curs_set(screen->cursor_row >= 0);
    wnoutrefresh(stdscr);
    screen_modes_begin_frame(&screen->modes);
    if (screen->lost)
        draw_anew(screen);
    doupdate();
    fflush(screen->output);
    screen_modes_end_frame(&screen->modes);
    screen->last_frame_ms = now;
    screen->frames++;
    screen->setup.painted(screen->setup.argument, now);
}

static void apply_resize(struct screen *screen)
{
    screen->resize_pending = false;
    size_query(screen);
    screen_repaint(screen);
    screen->setup.resized(screen->setup.argument, screen->rows, screen->columns);
}

/* Once a turn, after everything else has happened in it. */
static void screen_turn(void *argument)
{
    struct screen *screen = argument;
    int64_t now = loop_now_ms(screen->setup.loop);

    if (screen->resize_pending)
        apply_resize(screen);
    if (screen->haste == HASTE_NONE)
        return;
    int64_t due = screen->last_frame_ms + frame_rest(screen);
    if (now < due) {
        frame_later(screen, now, due);
        return;
    }
    if (!fd_is_ready(screen->setup.output, POLLOUT)) {
        frame_later(screen, now, now + SCREEN_BLOCKED_MS);
        return;
    }
    frame_draw(screen, now);
}

/* The turn that the timer makes does the work. */
static void frame_due(void *argument)
{
    (void)argument;
}

static void winch_arrived(int number, void *argument)
{
    struct screen *screen = argument;

    (void)number;
    screen->resize_pending = true;
}

/* Somebody else may have used the terminal while we were stopped. */
static void resume_arrived(int number, void *argument)
{
    struct screen *screen = argument;

    (void)number;
    screen_modes_take(&screen->modes);
    screen->resize_pending = true;
}

static void stop_arrived(int number, void *argument)
{
    (void)number;
    screen_suspend(argument);
}

/* Streams over duplicates: closing them leaves the caller's descriptors open. */
static int streams_open(struct screen *screen, struct error *error)
{
    int in = fcntl(screen->setup.input, F_DUPFD_CLOEXEC, 3);
    int out = fcntl(screen->setup.output, F_DUPFD_CLOEXEC, 3);

    screen->input = in >= 0 ? fdopen(in, "r") : NULL;
    screen->output = out >= 0 ? fdopen(out, "w") : NULL;
    if (screen->input != NULL && screen->output != NULL)
        return 0;
    if (screen->input == NULL)
        fd_close(&in);
    if (screen->output == NULL)
        fd_close(&out);
    return error_errno(error, errno, "cannot use the terminal's descriptors");
}

static void streams_close(struct screen *screen)
{
    if (screen->input != NULL)
        fclose(screen->input);
    if (screen->output != NULL)
        fclose(screen->output);
}

static int curses_open(struct screen *screen, struct error *error)
{
    const char *terminal = screen->setup.terminal != NULL ? screen->setup.terminal : getenv("TERM");

    if (terminal == NULL || *terminal == '\0')
        return error_set(error, 0, "TERM is not set: set it to your terminal's type");
    if (terminfo_usable(terminal, screen->setup.output))
        screen->curses = newterm(terminal, screen->output, screen->input);
    if (screen->curses == NULL)
        return error_set(error, 0,
                         "terminal type \"%.64s\" is unknown here, or cannot show a full screen "
                         "(set TERM, for example to xterm-256color; --headless needs no screen)",
                         terminal);
    set_term(screen->curses);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    /* Curses must not look for typed keys while it draws: we read them. */
    typeahead(-1);
    intrflush(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    nonl();
    return 0;
}

struct screen *screen_new(const struct screen_setup *setup, struct error *error)
{
    struct screen *screen = XNEW(struct screen);

    screen->setup = *setup;
    screen->cursor_row = -1;
    screen->lost = true;
    screen->last_frame_ms = loop_now_ms(setup->loop) - SCREEN_FRAME_MS;
    screen_modes_init(&screen->modes, setup->input, setup->output);
    /* Before curses, which would ignore the signal while it draws, at two system calls a frame, if
     * nobody had asked for it (lib_tstp.c): what came then would be lost. */
    screen->stop = loop_signal_new(setup->loop, SIGTSTP, stop_arrived, screen);
    /* Curses loses what a non-blocking terminal does not take. */
    fd_set_nonblock(setup->output, false);
    if (streams_open(screen, error) < 0 || curses_open(screen, error) < 0) {
        loop_signal_free(&screen->stop);
        streams_close(screen);
        free(screen);
        return NULL;
    }
    screen_modes_take(&screen->modes);
    def_prog_mode(); /* curses comes back to our modes after a suspension, not to its own */
    screen_modes_ask(&screen->modes);
    screen->turn = loop_on_turn(setup->loop, screen_turn, screen);
    screen->timer = loop_timer_new(setup->loop, frame_due, screen);
    screen->winch = loop_signal_new(setup->loop, SIGWINCH, winch_arrived, screen);
    screen->resume = loop_signal_new(setup->loop, SIGCONT, resume_arrived, screen);
    size_query(screen); /* of a later one we hear */
    loop_timer_start(screen->timer, 0);
    return screen;
}

void screen_free(struct screen **place)
{
    struct screen *screen = *place;

    if (screen == NULL)
        return;
    loop_turn_free(&screen->turn);
    loop_timer_free(&screen->timer);
    loop_signal_free(&screen->winch);
    loop_signal_free(&screen->resume);
    loop_signal_free(&screen->stop);
    terminal_give_back(screen);
    delscreen(screen->curses);
    streams_close(screen);
    free(screen);
    *place = NULL;
}

void screen_size(const struct screen *screen, int *rows, int *columns)
{
    *rows = screen->rows;
    *columns = screen->columns;
}

bool screen_unicode(const struct screen *screen)
{
    (void)screen;
    /* The kernel's own console and old hardware have fonts of 256 or 512 characters. */
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && strncmp(termname(), "linux", 5) != 0 &&
           strncmp(termname(), "vt", 2) != 0;
}

void screen_request(struct screen *screen)
{
    ask_frame(screen, HASTE_FRAME);
}

void screen_request_output(struct screen *screen)
{
    ask_frame(screen, HASTE_OUTPUT);
}

void screen_request_now(struct screen *screen)
{
    ask_frame(screen, HASTE_NOW);
}

void screen_repaint(struct screen *screen)
{
    screen->lost = true;
    ask_frame(screen, HASTE_FRAME);
}

void screen_cursor(struct screen *screen, int row, int column)
{
    screen->cursor_row = row;
    screen->cursor_column = column;
    screen->modes.cursor_style = 0;
}

void screen_cursor_style(struct screen *screen, int style)
{
    screen->modes.cursor_style = style;
}

void screen_mouse(struct screen *screen, int mode)
{
    screen->modes.mouse = mode;
}

void screen_set_synchronized(struct screen *screen, bool on)
{
    screen_modes_synchronize(&screen->modes, on);
}

void screen_bell(struct screen *screen)
{
    screen_modes_send(&screen->modes, "\a");
}

void screen_title(struct screen *screen, const char *title)
{
    cleanup_free char *bytes = xasprintf("\x1b]2;%s\x1b\\", title);

    screen_modes_send_known(&screen->modes, bytes);
}

void screen_notify(struct screen *screen, int osc, const char *text)
{
    cleanup_free char *bytes = osc == 777 ? xasprintf("\x1b]777;notify;Assent;%s\x1b\\", text)
                                          : xasprintf("\x1b]%d;%s\x1b\\", osc, text);

    screen_modes_send_known(&screen->modes, bytes);
}

void screen_copy(struct screen *screen, const char *text, size_t length)
{
    cleanup_strbuf struct strbuf bytes = STRBUF_INIT;

    strbuf_addstr(&bytes, "\x1b]52;c;");
    base64_encode(&bytes, text, length);
    strbuf_addstr(&bytes, "\x1b\\");
    screen_modes_send_known(&screen->modes, strbuf_str(&bytes));
}

/* While the terminal is not ours, keys that end a program are for others: Ctrl-\ is the key that
 * leaves a pane, and may be pressed while we come back. */
static const int key_signals[] = {SIGINT, SIGQUIT};

static void ignore_keys(struct sigaction *before)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};

    for (size_t i = 0; i < COUNT(key_signals); i++)
        sigaction(key_signals[i], &ignore, &before[i]);
}

static void heed_keys(const struct sigaction *before)
{
    for (size_t i = 0; i < COUNT(key_signals); i++)
        sigaction(key_signals[i], &before[i], NULL);
}

void screen_suspend(struct screen *screen)
{
    struct sigaction before[COUNT(key_signals)];

    ignore_keys(before);
    terminal_give_back(screen);
    loop_signal_free(&screen->stop);
    signal(SIGTSTP, SIG_DFL);
    /* The whole job, as the terminal's own Ctrl-Z would; the kernel drops the signal where nobody
     * could continue us. */
    kill(0, SIGTSTP);
    screen->stop = loop_signal_new(screen->setup.loop, SIGTSTP, stop_arrived, screen);
    screen_modes_take(&screen->modes);
    heed_keys(before);
    screen->resize_pending = true;
}

uint64_t screen_frames(const struct screen *screen)
{
    return screen->frames;
}
