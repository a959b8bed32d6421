/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/render.h"

#include <string.h>
#include <wchar.h>

#include "base/array.h"
#include "base/text.h"
#include "ui/colour.h"

/* Cells are gathered here and written a row at a time: one call of curses for each row. */
#define ROW_MAX 512

struct row {
    cchar_t cells[ROW_MAX];
    int count;  /* cells gathered; a wide character is one */
    int start;  /* screen column of the first */
    int next;   /* screen column behind the last */
    int screen; /* screen row */
};

static void row_start(struct row *row, int screen_row, int column)
{
    row->count = 0;
    row->screen = screen_row;
    row->start = row->next = column;
}

static void row_flush(struct row *row)
{
    if (row->count > 0)
        mvadd_wchnstr(row->screen, row->start, row->cells, row->count);
    row->count = 0;
    row->start = row->next;
}

static void row_put(struct row *row, const wchar_t *characters, int width, attr_t attributes,
                    int pair)
{
    if (row->count == ROW_MAX)
        row_flush(row);
    if (setcchar(&row->cells[row->count], characters, attributes, 0, &pair) == ERR)
        setcchar(&row->cells[row->count], L" ", attributes, 0, &pair);
    row->count++;
    row->next += width;
}

static void row_blank(struct row *row, int columns, attr_t attributes, int pair)
{
    while (columns-- > 0)
        row_put(row, L" ", 1, attributes, pair);
}

static void row_stand_in(struct row *row, int width, attr_t attributes, int pair)
{
    row_put(row, wcwidth(0xfffd) == 1 ? L"\xfffd" : L"?", 1, attributes, pair);
    row_blank(row, width - 1, attributes, pair);
}

/* Puts one character of `width` columns by our tables. Where the C library, which curses asks,
 * counts differently, every later cell of the row would be off: a mark of our width stands in. */
static void row_put_character(struct row *row, const wchar_t *characters, int width,
                              attr_t attributes, int pair)
{
    if (wcwidth(characters[0]) == width)
        row_put(row, characters, width, attributes, pair);
    else
        row_stand_in(row, width, attributes, pair);
}

void render_fill(const struct theme *theme, struct rect rect, enum theme_element element)
{
    struct row row;

    for (int i = 0; i < rect.rows; i++) {
        row_start(&row, rect.row + i, rect.column);
        row_blank(&row, rect.columns, theme_attributes(theme, element), theme_pair(theme, element));
        row_flush(&row);
    }
}

/* Collects a base character and the marks that combine with it. Returns the bytes taken. */
static size_t take_cluster(const char *text, size_t length, wchar_t out[GRID_CLUSTER_MAX + 1],
                           int *width)
{
    uint32_t codepoint;
    size_t taken = text_decode(text, length, &codepoint);
    size_t count = 1;

    if (codepoint == TEXT_INVALID)
        codepoint = 0xfffd;
    *width = text_codepoint_width(codepoint);
    out[0] = (wchar_t)codepoint;
    while (taken < length) {
        size_t more = text_decode(text + taken, length - taken, &codepoint);

        if (codepoint == TEXT_INVALID || codepoint < 0x20 || text_codepoint_width(codepoint) != 0)
            break;
        if (count < GRID_CLUSTER_MAX)
            out[count++] = (wchar_t)codepoint;
        taken += more;
    }
    out[count] = L'\0';
    return taken;
}

/* What stands for a character that the terminal has no picture of; returns its width. */
static int not_shown(const char *text, size_t length, wchar_t characters[GRID_CLUSTER_MAX + 1])
{
    characters[0] = (wchar_t)*theme_ascii(text, length);
    characters[1] = L'\0';
    return 1;
}

int render_text(const struct theme *theme, struct rect rect, int column, enum theme_element element,
                const char *text, size_t length)
{
    attr_t attributes = theme_attributes(theme, element);
    int pair = theme_pair(theme, element);
    struct row row;
    size_t at = 0;

    if (rect_empty(rect) || column < 0)
        return column;
    row_start(&row, rect.row, rect.column + column);
    while (at < length) {
        wchar_t characters[GRID_CLUSTER_MAX + 1];
        int width;
        size_t taken = take_cluster(text + at, length - at, characters, &width);

        at += taken;
        if (width == 0)
            continue;
        if (characters[0] > 0x7e && !theme_unicode(theme))
            width = not_shown(text + at - taken, taken, characters);
        if (row.next + width > rect.column + rect.columns)
            break;
        row_put_character(&row, characters, width, attributes, pair);
    }
    row_flush(&row);
    return row.next - rect.column;
}

int render_string(const struct theme *theme, struct rect rect, int column,
                  enum theme_element element, const char *string)
{
    return render_text(theme, rect, column, element, string, strlen(string));
}

int render_right(const struct theme *theme, struct rect rect, enum theme_element element,
                 const char *string)
{
    int width = (int)text_width(string, strlen(string));
    int column = width < rect.columns ? rect.columns - width : 0;

    render_string(theme, rect, column, element, string);
    return column;
}

int render_cut(const struct theme *theme, struct rect rect, int column, int columns,
               enum theme_element element, const char *string)
{
    size_t length = strlen(string);
    size_t fitting;

    if (columns <= 0)
        return column;
    if (text_width(string, length) <= (size_t)columns)
        return render_text(theme, rect, column, element, string, length);
    fitting = text_fit(string, length, (size_t)columns - 1);
    column = render_text(theme, rect, column, element, string, fitting);
    return render_string(theme, rect, column, element, theme_glyph(theme, GLYPH_ELLIPSIS));
}

static void glyph_run(const struct theme *theme, struct rect rect, enum theme_element element,
                      enum theme_glyph glyph)
{
    int column = 0;

    while (column < rect.columns)
        column = render_string(theme, rect, column, element, theme_glyph(theme, glyph));
}

void render_rule(const struct theme *theme, struct rect rect, enum theme_element element)
{
    if (!rect_empty(rect))
        glyph_run(theme, rect, element, GLYPH_HORIZONTAL);
}

void render_vertical(const struct theme *theme, struct rect rect, enum theme_element element)
{
    for (int i = 0; i < rect.rows; i++)
        render_string(theme, rect_row(rect, i), 0, element, theme_glyph(theme, GLYPH_VERTICAL));
}

void render_frame(const struct theme *theme, struct rect rect, enum theme_element element)
{
    struct rect top = rect_row(rect, 0);
    struct rect bottom = rect_row(rect, rect.rows - 1);
    struct rect side = {rect.row + 1, rect.column, rect.rows - 2, 1};
    int right = rect.columns - 1;

    if (rect.rows < 2 || rect.columns < 2)
        return;
    render_rule(theme, top, element);
    render_rule(theme, bottom, element);
    render_string(theme, top, 0, element, theme_glyph(theme, GLYPH_TOP_LEFT));
    render_string(theme, top, right, element, theme_glyph(theme, GLYPH_TOP_RIGHT));
    render_string(theme, bottom, 0, element, theme_glyph(theme, GLYPH_BOTTOM_LEFT));
    render_string(theme, bottom, right, element, theme_glyph(theme, GLYPH_BOTTOM_RIGHT));
    render_vertical(theme, side, element);
    side.column += right;
    render_vertical(theme, side, element);
}

void render_paint(const struct theme *theme, struct rect rect, enum theme_element element)
{
    int pair = theme_pair(theme, element);

    if (!rect_empty(rect))
        mvchgat(rect.row, rect.column, rect.columns, theme_attributes(theme, element), (short)pair,
                &pair);
}

/* ---- panes -------------------------------------------------------------------------------- */

static int colour_of(uint32_t colour)
{
    uint32_t value = GRID_COLOUR_VALUE(colour);

    switch (GRID_COLOUR_KIND(colour)) {
    case GRID_COLOUR_INDEXED:
        return colour_from_palette((int)(value & 0xff), COLORS);
    case GRID_COLOUR_RGB:
        return colour_from_rgb(value, COLORS);
    default:
        return -1;
    }
}

static attr_t attributes_of(uint16_t attributes)
{
    static const struct {
        uint16_t grid;
        attr_t curses;
    } table[] = {
        {GRID_BOLD, A_BOLD},           {GRID_DIM, A_DIM},     {GRID_ITALIC, A_ITALIC},
        {GRID_UNDERLINE, A_UNDERLINE}, {GRID_BLINK, A_BLINK}, {GRID_REVERSE, A_REVERSE},
        {GRID_CONCEAL, A_INVIS},
    };
    attr_t result = 0;

    for (size_t i = 0; i < COUNT(table); i++)
        if ((attributes & table[i].grid) != 0)
            result |= table[i].curses;
    return result;
}

/* Curses' form of a style, kept while the style stays the same: a pair is looked up at changes
 * only. */
struct pen {
    struct grid_style style;
    attr_t attributes;
    int pair;
};

static void pen_set(struct pen *pen, const struct theme *theme, const struct grid_style *style,
                    bool reverse)
{
    pen->style = *style;
    pen->attributes = attributes_of(style->attributes);
    if (reverse)
        pen->attributes ^= A_REVERSE;
    pen->pair = 0;
    if (theme_has_colours(theme) && (GRID_COLOUR_KIND(style->foreground) != GRID_COLOUR_DEFAULT ||
                                     GRID_COLOUR_KIND(style->background) != GRID_COLOUR_DEFAULT))
        pen->pair = alloc_pair(colour_of(style->foreground), colour_of(style->background));
    if (pen->pair < 0)
        pen->pair = 0;
}

static bool style_equal(const struct grid_style *a, const struct grid_style *b)
{
    return a->foreground == b->foreground && a->background == b->background &&
           a->attributes == b->attributes;
}

static void put_glyph(struct row *row, const struct grid_glyph *glyph, int limit,
                      const struct pen *pen, bool beside)
{
    wchar_t characters[GRID_CLUSTER_MAX + 1];
    int room = limit - row->next;

    /* A wide character that does not fit whole is a blank: half of one must not be drawn. */
    if (glyph->count == 0 || glyph->width > room) {
        row_blank(row, glyph->width < room ? glyph->width : room, pen->attributes, pen->pair);
        return;
    }
    for (int i = 0; i < glyph->count; i++)
        characters[i] = (wchar_t)glyph->codepoints[i];
    characters[glyph->count] = L'\0';
    if (beside && text_right_to_left(glyph->codepoints[0]))
        row_stand_in(row, glyph->width, pen->attributes, pen->pair);
    else
        row_put_character(row, characters, glyph->width, pen->attributes, pen->pair);
}

void render_grid_line(const struct theme *theme, struct rect rect, const struct grid *grid,
                      int64_t line, struct grid_span span, bool reverse, bool beside)
{
    int limit = rect.column + (span.to < rect.columns ? span.to : rect.columns);
    struct grid_reader reader;
    struct grid_glyph glyph;
    struct row row;
    struct pen pen;

    if (rect_empty(rect) || rect.column + span.from >= limit)
        return;
    pen_set(&pen, theme, &(struct grid_style){0}, reverse);
    row_start(&row, rect.row, rect.column + span.from);
    grid_reader_init(&reader, grid, line);
    grid_reader_skip(&reader, span.from);
    while (row.next < limit && grid_reader_next(&reader, &glyph)) {
        if (!style_equal(&pen.style, &glyph.style))
            pen_set(&pen, theme, &glyph.style, reverse);
        put_glyph(&row, &glyph, limit, &pen, beside);
    }
    row_blank(&row, limit - row.next, reverse ? A_REVERSE : A_NORMAL, 0);
    row_flush(&row);
}
