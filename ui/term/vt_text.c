/* SPDX-License-Identifier: MIT */
/* Text: from bytes to cells, with wrapping at the right edge. */
#include "config.h"

#include "base/array.h"
#include "base/text.h"
#include "ui/term/vt_int.h"

#define REPLACEMENT 0xfffd

/* DEC special graphics: what 0x5f to 0x7e stand for. */
static const uint16_t graphics[] = {
    0x00a0, 0x25c6, 0x2592, 0x2409, 0x240c, 0x240d, 0x240a, 0x00b0, 0x00b1, 0x2424, 0x240b,
    0x2518, 0x2510, 0x250c, 0x2514, 0x253c, 0x23ba, 0x23bb, 0x2500, 0x23bc, 0x23bd, 0x251c,
    0x2524, 0x2534, 0x252c, 0x2502, 0x2264, 0x2265, 0x03c0, 0x2260, 0x00a3, 0x00b7,
};

/* Characters without a width that have no business in a cell: bidirectional controls, joiners,
 * variation selectors, tags and the like. They would make an outer terminal draw a cell wider,
 * narrower or elsewhere than the grid says. */
static bool is_ignorable(uint32_t codepoint)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c},   {0x180b, 0x180f},
        {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0xfe00, 0xfe0f},
        {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < COUNT(ranges); i++) {
        if (codepoint >= ranges[i].first && codepoint <= ranges[i].last)
            return true;
    }
    return false;
}

static void wrap_line(struct vt *vt)
{
    grid_set_wrapped(vt->grid, vt->row);
    vt->column = 0;
    vt->column_known = false;
    vt->wrap_pending = false;
    vt_line_feed(vt);
}

/* The cursor goes on by `width` columns from the character that was just written. */
static void advance(struct vt *vt, int width)
{
    vt->column += width;
    if (vt->column >= grid_columns(vt->grid)) {
        vt->column = grid_columns(vt->grid) - 1;
        vt->wrap_pending = true;
    }
    vt->column_known = false;
}

static void make_room(struct vt *vt, int width)
{
    int columns = grid_columns(vt->grid);
    struct grid_area rest = {vt->row, vt->row + 1, vt->column, columns};
    if (vt->insert)
        grid_shift(vt->grid, rest, -width, &(struct grid_style){0});
}

static void put_character(struct vt *vt, uint32_t codepoint, int width)
{
    int columns = grid_columns(vt->grid);
    if (vt->wrap_pending && vt->autowrap)
        wrap_line(vt);
    if (vt->column + width > columns) {
        /* A wide character at the last column. */
        if (vt->autowrap) {
            struct grid_area last = {vt->row, vt->row + 1, vt->column, columns};
            grid_erase(vt->grid, last, &vt->pen, false);
            wrap_line(vt);
        } else {
            vt->column = columns - width;
        }
    }
    make_room(vt, width);
    grid_put(vt->grid, vt->row, vt->column, codepoint, width, &vt->pen);
    advance(vt, width);
    vt->last = codepoint;
}

/* A mark belongs to the character before the cursor, or under it when a wrap is pending. */
static void put_mark(struct vt *vt, uint32_t codepoint)
{
    if (vt->wrap_pending)
        grid_add_mark(vt->grid, vt->row, vt->column, codepoint);
    else if (vt->column > 0)
        grid_add_mark(vt->grid, vt->row, vt->column - 1, codepoint);
}

static enum vt_charset charset(const struct vt *vt)
{
    int slot = vt->charsets.single ? vt->charsets.single : vt->charsets.active;
    return vt->charsets.sets[slot];
}

static uint32_t translate(const struct vt *vt, uint32_t codepoint)
{
    if (charset(vt) == VT_CHARSET_GRAPHICS && codepoint >= 0x5f && codepoint <= 0x7e)
        return graphics[codepoint - 0x5f];
    return charset(vt) == VT_CHARSET_UK && codepoint == '#' ? 0xa3 : codepoint;
}

static void put_codepoint(struct vt *vt, uint32_t codepoint)
{
    if (codepoint == TEXT_INVALID)
        codepoint = REPLACEMENT;
    if (codepoint >= 0x80 && codepoint < 0xa0)
        return;
    codepoint = translate(vt, codepoint);
    vt->charsets.single = 0;
    int width = text_codepoint_width(codepoint);
    if (width > 0)
        put_character(vt, codepoint, width);
    else if (!is_ignorable(codepoint))
        put_mark(vt, codepoint);
}

/* As many characters of plain ASCII as fit into the line. Returns how many. */
static int put_ascii(struct vt *vt, const char *bytes, int length)
{
    if (vt->wrap_pending && vt->autowrap)
        wrap_line(vt);
    int room = grid_columns(vt->grid) - vt->column;
    int count = length < room ? length : room;
    make_room(vt, count);
    grid_put_ascii(vt->grid, vt->row, vt->column, bytes, count, &vt->pen);
    advance(vt, count);
    vt->last = (uint8_t)bytes[count - 1];
    return count;
}

static size_t ascii_length(const char *bytes, size_t length)
{
    size_t end = 0;
    while (end < length && (unsigned char)bytes[end] < 0x80)
        end++;
    return end;
}

static size_t put_some(struct vt *vt, const char *bytes, size_t length)
{
    if (charset(vt) == VT_CHARSET_ASCII && !vt->charsets.single) {
        size_t run = ascii_length(bytes, length < 4096 ? length : 4096);
        if (run > 0)
            return (size_t)put_ascii(vt, bytes, (int)run);
    }
    uint32_t codepoint;
    size_t used = text_decode(bytes, length, &codepoint);
    put_codepoint(vt, codepoint);
    return used;
}

void vt_text(struct vt *vt, const char *bytes, size_t length)
{
    for (size_t done = 0; done < length;)
        done += put_some(vt, bytes + done, length - done);
}

void vt_text_repeat(struct vt *vt, int count)
{
    /* More than a line of one character is no use of this, but a way to make us work. */
    int columns = grid_columns(vt->grid);
    int width = vt->last ? text_codepoint_width(vt->last) : 0;
    for (int i = 0; width > 0 && i < count && i < columns; i++)
        put_character(vt, vt->last, width);
}

void vt_text_designate(struct vt *vt, int slot, char set)
{
    vt->charsets.sets[slot] = set == '0'   ? VT_CHARSET_GRAPHICS
                              : set == 'A' ? VT_CHARSET_UK
                                           : VT_CHARSET_ASCII;
}
