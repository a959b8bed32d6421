/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "outer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <vterm.h>

#include "base/alloc.h"
#include "base/text.h"

struct outer {
    VTerm *vterm;
    VTermScreen *screen;
    int rows, columns;
    bool cursor_visible, alternate;
    int cursor_shape, mouse;
    VTermPos cursor;
    struct strbuf pending; /* a sequence that is not whole yet */
    char last[8];          /* the last character printed, for REP */
    size_t last_length;
};

static int property_changed(VTermProp property, VTermValue *value, void *user)
{
    struct outer *outer = user;

    if (property == VTERM_PROP_CURSORVISIBLE)
        outer->cursor_visible = value->boolean;
    if (property == VTERM_PROP_ALTSCREEN)
        outer->alternate = value->boolean;
    if (property == VTERM_PROP_CURSORSHAPE)
        outer->cursor_shape = value->number;
    if (property == VTERM_PROP_MOUSE)
        outer->mouse = value->number;
    return 1;
}

static int cursor_moved(VTermPos position, VTermPos old, int visible, void *user)
{
    (void)old;
    (void)visible;
    ((struct outer *)user)->cursor = position;
    return 1;
}

struct outer *outer_new(int rows, int columns)
{
    static const VTermScreenCallbacks callbacks = {.settermprop = property_changed,
                                                   .movecursor = cursor_moved};
    struct outer *outer = XNEW(struct outer);

    outer->rows = rows;
    outer->columns = columns;
    outer->cursor_visible = true;
    outer->vterm = vterm_new(rows, columns);
    vterm_set_utf8(outer->vterm, 1);
    outer->screen = vterm_obtain_screen(outer->vterm);
    vterm_screen_set_callbacks(outer->screen, &callbacks, outer);
    vterm_screen_enable_altscreen(outer->screen, 1);
    vterm_screen_reset(outer->screen, 1);
    return outer;
}

void outer_free(struct outer **outer)
{
    if (*outer == NULL)
        return;
    vterm_free((*outer)->vterm);
    strbuf_free(&(*outer)->pending);
    free(*outer);
    *outer = NULL;
}

/* Margins first: libvterm would keep a top margin that is no longer on the screen, and writes
 * beyond its memory then. The size that it has changes nothing, as with any terminal: nobody is
 * told of it either, who could draw what was lost. */
void outer_resize(struct outer *outer, int rows, int columns)
{
    char margins[48];
    int length = snprintf(margins, sizeof(margins), "\x1b[r\x1b[%d;%dH", outer->cursor.row + 1,
                          outer->cursor.col + 1);

    if (rows == outer->rows && columns == outer->columns)
        return;
    vterm_input_write(outer->vterm, margins, (size_t)length);
    outer->rows = rows;
    outer->columns = columns;
    vterm_set_size(outer->vterm, rows, columns);
}

/* From `at` to behind the first byte from `first` to `last`; -1: there is none yet. What is not
 * from `least` to `last` breaks the sequence off before it. */
static int ends_at(const char *text, size_t length, size_t at, char least, char first)
{
    for (; at < length; at++) {
        if (text[at] < least || text[at] > '~')
            return (int)at;
        if (text[at] >= first)
            return (int)at + 1;
    }
    return -1;
}

/* Of OSC, DCS and their like: to BEL, or to ESC and the byte behind it. */
static int string_length(const char *text, size_t length)
{
    for (size_t i = 2; i < length; i++) {
        if (text[i] == '\a')
            return (int)i + 1;
        if (text[i] == '\x1b')
            return i + 1 < length ? (int)i + 2 : -1;
    }
    return -1;
}

/* Bytes of the sequence that ESC begins here; -1 when it is not whole yet. */
static int sequence_length(const char *text, size_t length)
{
    if (length < 2)
        return -1;
    if (text[1] == '[')
        return ends_at(text, length, 2, ' ', '@');
    if (strchr("]PX^_", text[1]) != NULL && text[1] != '\0')
        return string_length(text, length);
    return ends_at(text, length, 1, ' ', '0');
}

/* Bytes of the character that begins here; -1 when it is not whole yet. */
static int character_length(const char *text, size_t length)
{
    unsigned char first = (unsigned char)*text;
    size_t whole = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

    return whole <= length ? (int)whole : -1;
}

/* libvterm 0.1.4 does not know REP ("CSI n b", repeat the last character), which curses uses on an
 * xterm. 0: this is none. */
static int repeats(const char *text, size_t length)
{
    int count = 0;
    size_t i = 2;

    if (length < 4 || text[0] != '\x1b' || text[1] != '[')
        return 0;
    for (; isdigit((unsigned char)text[i]) && i < length - 1; i++)
        count = count * 10 + (text[i] - '0');
    return i == length - 1 && text[i] == 'b' ? count : 0;
}

/* Whole sequences and characters alone: a size that comes between two pieces must not break one
 * off. Returns how much was written. */
static size_t write_piece(struct outer *outer, const char *text, size_t length)
{
    int piece = *text == '\x1b' ? sequence_length(text, length) : character_length(text, length);
    int count;

    if (piece < 0)
        return 0;
    count = repeats(text, (size_t)piece);
    for (int i = 0; i < count; i++)
        vterm_input_write(outer->vterm, outer->last, outer->last_length);
    if (count == 0)
        vterm_input_write(outer->vterm, text, (size_t)piece);
    if (*text != '\x1b') {
        memcpy(outer->last, text, (size_t)piece);
        outer->last_length = (size_t)piece;
    }
    return (size_t)piece;
}

void outer_write(struct outer *outer, const char *bytes, size_t length)
{
    size_t at = 0;

    strbuf_add(&outer->pending, bytes, length);
    while (at < outer->pending.length) {
        size_t piece = write_piece(outer, outer->pending.data + at, outer->pending.length - at);

        if (piece == 0)
            break;
        at += piece;
    }
    strbuf_consume(&outer->pending, at);
}

int outer_rows(const struct outer *outer)
{
    return outer->rows;
}

int outer_columns(const struct outer *outer)
{
    return outer->columns;
}

static int colour_of(const VTermColor *colour, bool is_default)
{
    if (is_default)
        return -1;
    return VTERM_COLOR_IS_INDEXED(colour) ? colour->indexed.idx : -2;
}

/* libvterm leaves the right half of a wide character the style of what was there before. */
static void get_look(const struct outer *outer, VTermPos position, VTermScreenCell *cell)
{
    vterm_screen_get_cell(outer->screen, position, cell);
    position.col--;
    if (cell->chars[0] == UINT32_MAX && position.col >= 0)
        vterm_screen_get_cell(outer->screen, position, cell);
}

void outer_cell(const struct outer *outer, int row, int column, struct outer_cell *out)
{
    VTermScreenCell cell;
    size_t length = 0;

    memset(out, 0, sizeof(*out));
    vterm_screen_get_cell(outer->screen, (VTermPos){row, column}, &cell);
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++)
        if (cell.chars[i] != UINT32_MAX)
            length += text_encode(cell.chars[i], out->text + length);
    if (length == 0 && cell.chars[0] != UINT32_MAX)
        out->text[0] = ' ';
    out->width = cell.width;
    get_look(outer, (VTermPos){row, column}, &cell);
    out->foreground = colour_of(&cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
    out->background = colour_of(&cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
    out->attributes =
        (cell.attrs.bold ? OUTER_BOLD : 0U) | (cell.attrs.underline ? OUTER_UNDERLINE : 0U) |
        (cell.attrs.italic ? OUTER_ITALIC : 0U) | (cell.attrs.blink ? OUTER_BLINK : 0U) |
        (cell.attrs.reverse ? OUTER_REVERSE : 0U);
}

char *outer_row(const struct outer *outer, int row)
{
    struct strbuf text = STRBUF_INIT;
    struct outer_cell cell;

    for (int column = 0; column < outer->columns; column++) {
        outer_cell(outer, row, column, &cell);
        strbuf_addstr(&text, cell.text);
    }
    while (text.length > 0 && text.data[text.length - 1] == ' ')
        text.data[--text.length] = '\0';
    return strbuf_steal(&text);
}

bool outer_cursor(const struct outer *outer, int *row, int *column)
{
    *row = outer->cursor.row;
    *column = outer->cursor.col;
    return outer->cursor_visible;
}

bool outer_alternate(const struct outer *outer)
{
    return outer->alternate;
}

/* ---- dump --------------------------------------------------------------------------------- */

#define STYLES_MAX 64

/* The styles seen so far; the first is the plain one. */
struct legend {
    struct outer_cell styles[STYLES_MAX];
    int count;
};

static int style_index(struct legend *legend, const struct outer_cell *cell)
{
    for (int i = 0; i < legend->count; i++)
        if (legend->styles[i].foreground == cell->foreground &&
            legend->styles[i].background == cell->background &&
            legend->styles[i].attributes == cell->attributes)
            return i;
    if (legend->count < STYLES_MAX)
        legend->styles[legend->count] = *cell;
    return legend->count < STYLES_MAX ? legend->count++ : STYLES_MAX - 1;
}

static void dump_style_row(const struct outer *outer, int row, struct legend *legend,
                           struct strbuf *out)
{
    int start = 0, current = 0;
    bool any = false;

    for (int column = 0; column <= outer->columns; column++) {
        struct outer_cell cell;
        int style = -1;

        if (column < outer->columns) {
            outer_cell(outer, row, column, &cell);
            style = style_index(legend, &cell);
        }
        if (style == current && column > 0)
            continue;
        if (column > start && current > 0) {
            if (!any)
                strbuf_addf(out, "%3d:", row);
            any = true;
            strbuf_addf(out, " %d-%d=s%d", start, column - 1, current);
        }
        start = column;
        current = style;
    }
    if (any)
        strbuf_addch(out, '\n');
}

static void dump_legend(const struct legend *legend, struct strbuf *out)
{
    static const char *const names[] = {"bold", "underline", "italic", "blink", "reverse"};

    for (int i = 1; i < legend->count; i++) {
        const struct outer_cell *style = &legend->styles[i];

        strbuf_addf(out, "s%d:", i);
        if (style->foreground != -1)
            strbuf_addf(out, " foreground %d", style->foreground);
        if (style->background != -1)
            strbuf_addf(out, " background %d", style->background);
        for (unsigned j = 0; j < sizeof(names) / sizeof(names[0]); j++)
            if ((style->attributes & 1U << j) != 0)
                strbuf_addf(out, " %s", names[j]);
        strbuf_addch(out, '\n');
    }
}

void outer_dump(const struct outer *outer, struct strbuf *out)
{
    struct legend legend = {.count = 1, .styles = {{.foreground = -1, .background = -1}}};
    int row, column;

    strbuf_addf(out, "size %d rows, %d columns\n", outer->rows, outer->columns);
    if (outer_cursor(outer, &row, &column))
        strbuf_addf(out, "cursor at row %d, column %d\n", row, column);
    else
        strbuf_addstr(out, "cursor hidden\n");
    strbuf_addstr(out, "---- text\n");
    for (row = 0; row < outer->rows; row++) {
        cleanup_free char *text = outer_row(outer, row);

        strbuf_addf(out, "%s\n", text);
    }
    strbuf_addstr(out, "---- styles (row: columns=style)\n");
    for (row = 0; row < outer->rows; row++)
        dump_style_row(outer, row, &legend, out);
    dump_legend(&legend, out);
}

int outer_cursor_shape(const struct outer *outer)
{
    return outer->cursor_shape;
}

int outer_mouse(const struct outer *outer)
{
    return outer->mouse;
}
