/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/talk/talk.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/input.h"
#include "ui/line_editor.h"
#include "ui/talk/markdown.h"
#include "ui/wrap.h"

/* A line that does not end is broken here. */
#define LINE_MAX_BYTES ((size_t)16 * 1024)
/* Rows of a line that is being said; its beginning is shown when it has ended. */
#define LIVE_ROWS_MAX 6
#define COLUMNS_MIN 20
#define COLUMNS_DEFAULT 80
#define PROMPT "> "
#define PROMPT_COLUMNS 2

struct talk {
    struct talk_setup setup;
    bool screen; /* both ends are a terminal */
    bool over;   /* `ended` was called */
    struct termios modes;
    struct input *input;
    struct line_editor *editor;
    struct loop_io *reader;
    struct loop_timer *escape;
    struct loop_signal *resized;
    struct loop_turn *turn;
    struct strbuf typed; /* a line that has not ended, without a terminal */
    enum talk_voice voice;
    struct strbuf line; /* being said */
    struct markdown markdown;
    struct strbuf settled; /* rows that will be printed, with attributes */
    char *status;
    int columns;
    int above; /* rows of the lower part above the one with the cursor */
    bool dirty;
};

/* ---- rows ----------------------------------------------------------------------------------- */

static const struct {
    const char *mark, *attributes;
} voices[] = {
    [TALK_OPERATOR] = {"> ", "\033[1;34m"}, [TALK_AGENT] = {"", ""},
    [TALK_THOUGHT] = {"~ ", "\033[2m"},     [TALK_TOOL] = {"* ", "\033[35m"},
    [TALK_NOTE] = {"! ", "\033[33m"},
};

static void add_row(const struct talk *talk, struct markdown *markdown, const char *text,
                    size_t length, bool first, struct strbuf *out)
{
    const char *attributes = voices[talk->voice].attributes;
    if (!talk->screen) {
        strbuf_add(out, text, length);
    } else if (talk->voice == TALK_AGENT) {
        markdown_row(markdown, text, length, first, out);
    } else {
        strbuf_addstr(out, attributes);
        strbuf_add(out, text, length);
        strbuf_addstr(out, "\033[0m");
    }
    strbuf_addstr(out, talk->screen ? "\r\n" : "\n");
}

/* The line that is being said as rows; at most the last `most` of them (0: all). Returns how many.
 */
static int add_rows(const struct talk *talk, struct markdown *markdown, size_t most,
                    struct strbuf *out)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    struct wrap wrap;
    strbuf_addstr(&safe, voices[talk->voice].mark);
    text_escape(&safe, strbuf_str(&talk->line), talk->line.length, TEXT_PROSE);
    if (!talk->screen) {
        add_row(talk, markdown, strbuf_str(&safe), safe.length, true, out);
        return 1;
    }
    wrap_init(&wrap, strbuf_str(&safe), (size_t)talk->columns, WRAP_WORDS);
    size_t from = most > 0 && wrap.count > most ? wrap.count - most : 0;
    for (size_t i = from; i < wrap.count; i++)
        add_row(talk, markdown, strbuf_str(&safe) + wrap.lines[i].start, wrap.lines[i].length,
                i == 0, out);
    int count = (int)(wrap.count - from);
    wrap_clear(&wrap);
    return count;
}

static void settle_line(struct talk *talk)
{
    add_rows(talk, &talk->markdown, 0, &talk->settled);
    strbuf_reset(&talk->line);
    talk->dirty = true;
}

/* ---- drawing -------------------------------------------------------------------------------- */

static void measure(struct talk *talk)
{
    struct winsize size;
    talk->columns = COLUMNS_DEFAULT;
    if (ioctl(talk->setup.output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        talk->columns = size.ws_col;
    if (talk->columns < COLUMNS_MIN)
        talk->columns = COLUMNS_MIN;
}

static void add_status(const struct talk *talk, struct strbuf *out)
{
    const char *status = talk->status != NULL ? talk->status : "";
    cleanup_free char *shown = text_sentence(status, strlen(status), (size_t)talk->columns - 1);
    strbuf_addf(out, "\033[7m%s\033[0m", shown);
}

/* Over the lower part that was drawn before: what has settled, and the lower part again. */
static void draw(struct talk *talk)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    struct markdown markdown = talk->markdown; /* what is not settled may still change */
    strbuf_addstr(&out, "\033[?25l");
    if (talk->above > 0)
        strbuf_addf(&out, "\033[%dA", talk->above);
    strbuf_addstr(&out, "\r\033[J");
    strbuf_add(&out, strbuf_str(&talk->settled), talk->settled.length);
    strbuf_reset(&talk->settled);
    talk->above = talk->line.length > 0 ? add_rows(talk, &markdown, LIVE_ROWS_MAX, &out) : 0;
    strbuf_addstr(&out, "\033[1m" PROMPT "\033[0m");
    int column = line_editor_view(talk->editor, talk->columns - PROMPT_COLUMNS - 1, &out);
    strbuf_addstr(&out, "\r\n");
    add_status(talk, &out);
    strbuf_addf(&out, "\033[A\r\033[%dC\033[?25h", column + PROMPT_COLUMNS);
    (void)fd_write_all(talk->setup.output, strbuf_str(&out), out.length);
}

static void print_settled(struct talk *talk)
{
    (void)fd_write_all(talk->setup.output, strbuf_str(&talk->settled), talk->settled.length);
    strbuf_reset(&talk->settled);
}

static void end_of_turn(void *argument)
{
    struct talk *talk = argument;
    if (!talk->dirty)
        return;
    talk->dirty = false;
    if (talk->screen)
        draw(talk);
    else
        print_settled(talk);
}

/* ---- saying --------------------------------------------------------------------------------- */

void talk_pause(struct talk *talk)
{
    if (talk->line.length > 0)
        settle_line(talk);
    talk->markdown = (struct markdown){0};
}

void talk_say(struct talk *talk, enum talk_voice voice, const char *text, size_t length)
{
    const char *end = text + length;
    if (talk->voice != voice)
        talk_pause(talk);
    talk->voice = voice;
    talk->dirty = true;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t room = LINE_MAX_BYTES - talk->line.length;
        size_t piece = (size_t)((newline != NULL ? newline : end) - text);
        bool full = piece > room;
        piece = full ? room : piece;
        strbuf_add(&talk->line, text, piece);
        text += piece;
        if (!full && newline != NULL)
            text++;
        if (full || newline != NULL)
            settle_line(talk);
    }
}

void talk_line(struct talk *talk, enum talk_voice voice, const char *text)
{
    talk_pause(talk);
    talk_say(talk, voice, text, strlen(text));
    talk_pause(talk);
}

void talk_status(struct talk *talk, const char *text)
{
    free(talk->status);
    talk->status = xstrdup(text);
    talk->dirty = true;
}

/* ---- typing --------------------------------------------------------------------------------- */

static void end_input(struct talk *talk)
{
    if (talk->over)
        return;
    talk->over = true;
    talk->setup.ended(talk->setup.argument);
}

static void send_line(struct talk *talk)
{
    cleanup_free char *text = xstrdup(line_editor_text(talk->editor));
    if (text[0] == '\0')
        return;
    line_editor_clear(talk->editor, true);
    talk->setup.line(talk->setup.argument, text);
}

static void press_interrupt(struct talk *talk)
{
    if (line_editor_text(talk->editor)[0] != '\0')
        line_editor_clear(talk->editor, false);
    else
        talk->setup.cancel(talk->setup.argument);
}

static void press(struct talk *talk, const struct input_event *event)
{
    bool control = (event->modifiers & INPUT_CTRL) != 0;
    bool empty = line_editor_text(talk->editor)[0] == '\0';
    bool enter = event->key == INPUT_KEY_ENTER;
    bool line_feed = event->length == 1 && event->bytes[0] == '\n'; /* Ctrl-J */
    if (enter && (event->modifiers != 0 || line_feed))
        line_editor_insert(talk->editor, "\n", 1);
    else if (enter)
        send_line(talk);
    else if (event->key == INPUT_KEY_ESCAPE)
        talk->setup.cancel(talk->setup.argument);
    else if (control && event->key == 'c')
        press_interrupt(talk);
    else if (control && event->key == 'd' && empty)
        end_input(talk);
    else if (event->key == INPUT_KEY_UP || event->key == INPUT_KEY_DOWN)
        line_editor_history(talk->editor, event->key == INPUT_KEY_UP ? -1 : 1);
    else
        line_editor_key(talk->editor, event->key, event->modifiers);
}

static void on_event(void *argument, const struct input_event *event)
{
    struct talk *talk = argument;
    talk->dirty = true;
    if (event->kind == INPUT_KEY)
        press(talk, event);
    else if (event->kind == INPUT_PASTE && event->bytes != NULL)
        line_editor_insert(talk->editor, event->bytes, event->length);
}

static void escape_alone(void *argument)
{
    struct talk *talk = argument;
    input_timeout(talk->input);
}

/* Without a terminal: whole lines. */
static void take_lines(struct talk *talk)
{
    const char *newline;
    while (talk->typed.length > 0 &&
           (newline = memchr(talk->typed.data, '\n', talk->typed.length)) != NULL) {
        size_t length = (size_t)(newline - talk->typed.data);
        cleanup_free char *text = xstrndup(talk->typed.data, length);
        strbuf_consume(&talk->typed, length + 1);
        if (length > 0)
            talk->setup.line(talk->setup.argument, text);
    }
}

static void on_input(int fd, unsigned events, void *argument)
{
    struct talk *talk = argument;
    char bytes[4096];
    ssize_t count = read(fd, bytes, sizeof(bytes));
    (void)events;
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        loop_io_set(talk->reader, 0);
        end_input(talk);
        return;
    }
    if (!talk->screen) {
        strbuf_add(&talk->typed, bytes, (size_t)count);
        take_lines(talk);
        return;
    }
    input_feed(talk->input, bytes, (size_t)count);
    if (input_pending(talk->input))
        loop_timer_start(talk->escape, INPUT_ESCAPE_MS);
}

/* ---- life ----------------------------------------------------------------------------------- */

static void on_resized(int number, void *argument)
{
    struct talk *talk = argument;
    (void)number;
    measure(talk);
    talk->dirty = true;
}

static void take_terminal(struct talk *talk)
{
    struct termios raw = talk->modes;
    static const char paste[] = "\033[?2004h";
    cfmakeraw(&raw);
    tcsetattr(talk->setup.input, TCSANOW, &raw);
    (void)fd_write_all(talk->setup.output, paste, strlen(paste));
}

struct talk *talk_new(const struct talk_setup *setup)
{
    struct talk *talk = XNEW(struct talk);
    talk->setup = *setup;
    talk->screen = isatty(setup->output) && tcgetattr(setup->input, &talk->modes) == 0;
    talk->input = input_new(on_event, talk);
    talk->editor = line_editor_new();
    talk->escape = loop_timer_new(setup->loop, escape_alone, talk);
    talk->turn = loop_on_turn(setup->loop, end_of_turn, talk);
    talk->reader = loop_io_new(setup->loop, setup->input, on_input, talk);
    loop_io_set(talk->reader, LOOP_READ);
    talk->resized = loop_signal_new(setup->loop, SIGWINCH, on_resized, talk);
    measure(talk);
    if (talk->screen)
        take_terminal(talk);
    talk->dirty = true;
    return talk;
}

void talk_free(struct talk **place)
{
    struct talk *talk = *place;
    static const char leave[] = "\r\n\033[K\033[?2004l";
    if (talk == NULL)
        return;
    talk_pause(talk);
    talk->dirty = true;
    end_of_turn(talk);
    if (talk->screen) {
        (void)fd_write_all(talk->setup.output, leave, strlen(leave));
        tcsetattr(talk->setup.input, TCSANOW, &talk->modes);
    }
    loop_signal_free(&talk->resized);
    loop_io_free(&talk->reader);
    loop_turn_free(&talk->turn);
    loop_timer_free(&talk->escape);
    line_editor_free(&talk->editor);
    input_free(&talk->input);
    strbuf_free(&talk->typed);
    strbuf_free(&talk->line);
    strbuf_free(&talk->settled);
    free(talk->status);
    free(talk);
    *place = NULL;
}
