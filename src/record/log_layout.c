/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_layout.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

#define COLUMNS_MIN 40 /* a narrower terminal breaks lines itself */
#define TEXT_MIN 16    /* columns of a cell, however far in it begins */
#define LINE_INDENT 4

size_t log_layout_columns(FILE *out)
{
    struct winsize size;
    int fd = fileno(out);
    if (fd < 0 || !isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col < COLUMNS_MIN)
        return 0;
    return size.ws_col;
}

/* Further to the right there is no room for a cell. */
static size_t place_of(const struct log_layout *layout, size_t column)
{
    size_t last = layout->columns > TEXT_MIN ? layout->columns - TEXT_MIN : 0;
    return column < last ? column : last;
}

static void begin_line(struct log_layout *layout, size_t column)
{
    fprintf(layout->out, "\n%*s", (int)column, "");
    layout->at = column;
}

static void move_to(struct log_layout *layout, size_t column)
{
    if (layout->at >= column && layout->at > 0)
        begin_line(layout, column);
    fprintf(layout->out, "%*s", (int)(column - layout->at), "");
    layout->at = column;
}

/* The text's part that fits into the rest of the line, without the blanks at its end; *next is what
 * comes behind them. */
static size_t part_of(const char *text, size_t room, const char **next)
{
    size_t length = strlen(text);
    size_t part = text_fit(text, length, room > TEXT_MIN ? room : TEXT_MIN);
    size_t at_word = part < length ? text_break(text, length, part) : 0;
    part = at_word > 0 ? at_word : part;
    *next = text + part + strspn(text + part, " ");
    while (part > 0 && text[part - 1] == ' ')
        part--;
    return part;
}

static void write_wrapped(struct log_layout *layout, size_t column, const char *text)
{
    while (*text != '\0') {
        const char *next;
        size_t room = layout->columns > layout->at ? layout->columns - layout->at : 0;
        size_t part = part_of(text, room, &next);
        fprintf(layout->out, "%.*s", (int)part, text);
        layout->at += text_width(text, part);
        text = next;
        if (*text != '\0')
            begin_line(layout, column);
    }
}

void log_layout_cell(struct log_layout *layout, size_t column, size_t hang, const char *text)
{
    if (layout->columns == 0) {
        fprintf(layout->out, "%s%s", layout->at > 0 ? "  " : "", text);
        layout->at++;
        return;
    }
    move_to(layout, place_of(layout, column));
    write_wrapped(layout, place_of(layout, column + hang), text);
}

void log_layout_end(struct log_layout *layout)
{
    fputc('\n', layout->out);
    layout->at = 0;
}

void log_layout_line(FILE *out, size_t column, const char *text)
{
    struct log_layout layout = {.out = out, .columns = log_layout_columns(out)};
    if (layout.columns == 0)
        fprintf(out, "%*s", (int)column, "");
    log_layout_cell(&layout, column, LINE_INDENT, text);
    log_layout_end(&layout);
}
