/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/term/pen.h"

#include "base/array.h"

enum { SGR_FOREGROUND = 38, SGR_BACKGROUND = 48, SGR_UNDERLINE_COLOUR = 58 };
enum { COLOUR_RGB = 2, COLOUR_INDEXED = 5 };

#define UNDERLINES (GRID_UNDERLINE | GRID_UNDERLINE_DOUBLE | GRID_UNDERLINE_CURLY)

/* What each number from 0 to 55 clears and sets; rows that are not here do nothing. */
static const struct {
    uint16_t clear, set;
} attributes[] = {
    [1] = {0, GRID_BOLD},
    [2] = {0, GRID_DIM},
    [3] = {0, GRID_ITALIC},
    [4] = {UNDERLINES, GRID_UNDERLINE},
    [5] = {0, GRID_BLINK},
    [6] = {0, GRID_BLINK},
    [7] = {0, GRID_REVERSE},
    [8] = {0, GRID_CONCEAL},
    [9] = {0, GRID_STRIKE},
    [21] = {UNDERLINES, GRID_UNDERLINE | GRID_UNDERLINE_DOUBLE},
    [22] = {GRID_BOLD | GRID_DIM, 0},
    [23] = {GRID_ITALIC, 0},
    [24] = {UNDERLINES, 0},
    [25] = {GRID_BLINK, 0},
    [27] = {GRID_REVERSE, 0},
    [28] = {GRID_CONCEAL, 0},
    [29] = {GRID_STRIKE, 0},
    [53] = {0, GRID_OVERLINE},
    [55] = {GRID_OVERLINE, 0},
};

/* Numbers after the one at `at` that belong to it by colons. */
static int subparameters(const struct scan_sequence *sequence, int at)
{
    int count = 0;
    while (at + count + 1 < sequence->count && sequence->colons & (1u << (at + count)))
        count++;
    return count;
}

static uint32_t component(int value)
{
    return value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value;
}

static void set_rgb(uint32_t *colour, const int *values)
{
    *colour = GRID_COLOUR_RGB | component(values[0]) << 16 | component(values[1]) << 8 |
              component(values[2]);
}

static void set_indexed(uint32_t *colour, int index)
{
    if (index >= 0 && index <= 255)
        *colour = GRID_COLOUR_INDEXED | (uint32_t)index;
}

/* 38:5:N, 38:2:R:G:B, 38:2:SPACE:R:G:B. Returns the numbers used after the first. */
static int colour_by_colons(uint32_t *colour, const int *values, int count)
{
    if (values[0] == COLOUR_INDEXED && count >= 2)
        set_indexed(colour, values[1]);
    else if (values[0] == COLOUR_RGB && count >= 4)
        set_rgb(colour, values + (count >= 5 ? 2 : 1));
    return count;
}

/* 38;5;N and 38;2;R;G;B. */
static int colour_by_semicolons(uint32_t *colour, const int *values, int left)
{
    if (left >= 2 && values[0] == COLOUR_INDEXED) {
        set_indexed(colour, values[1]);
        return 2;
    }
    if (left >= 4 && values[0] == COLOUR_RGB) {
        set_rgb(colour, values + 1);
        return 4;
    }
    return left; /* what follows can't be told apart from its parameters */
}

static int apply_colour(uint32_t *colour, const struct scan_sequence *sequence, int at)
{
    int joined = subparameters(sequence, at);
    const int *values = sequence->values + at + 1;
    if (joined > 0)
        return colour_by_colons(colour, values, joined);
    return colour_by_semicolons(colour, values, sequence->count - at - 1);
}

static void apply_underline(struct grid_style *pen, int kind)
{
    pen->attributes &= (uint16_t)~UNDERLINES;
    if (kind != 0)
        pen->attributes |= GRID_UNDERLINE;
    if (kind == 2)
        pen->attributes |= GRID_UNDERLINE_DOUBLE;
    else if (kind >= 3)
        pen->attributes |= GRID_UNDERLINE_CURLY;
}

static void apply_palette(struct grid_style *pen, int number)
{
    if (number >= 30 && number <= 37)
        set_indexed(&pen->foreground, number - 30);
    else if (number == 39)
        pen->foreground = GRID_COLOUR_DEFAULT;
    else if (number >= 40 && number <= 47)
        set_indexed(&pen->background, number - 40);
    else if (number == 49)
        pen->background = GRID_COLOUR_DEFAULT;
    else if (number >= 90 && number <= 97)
        set_indexed(&pen->foreground, number - 90 + 8);
    else if (number >= 100 && number <= 107)
        set_indexed(&pen->background, number - 100 + 8);
}

/* Applies the parameter at `at`; returns how many were used. */
static int apply_one(struct grid_style *pen, const struct scan_sequence *sequence, int at)
{
    int number = sequence->values[at];
    int joined = subparameters(sequence, at);
    uint32_t ignored;
    switch (number) {
    case SCAN_ABSENT:
    case 0:
        *pen = (struct grid_style){.attributes = pen->attributes & GRID_PROTECTED};
        return 1 + joined;
    case SGR_FOREGROUND:
        return 1 + apply_colour(&pen->foreground, sequence, at);
    case SGR_BACKGROUND:
        return 1 + apply_colour(&pen->background, sequence, at);
    case SGR_UNDERLINE_COLOUR:
        return 1 + apply_colour(&ignored, sequence, at);
    case 4:
        apply_underline(pen, joined > 0 ? sequence->values[at + 1] : 1);
        return 1 + joined;
    default:
        break;
    }
    if (number < (int)(COUNT(attributes))) {
        pen->attributes &= (uint16_t)~attributes[number].clear;
        pen->attributes |= attributes[number].set;
    }
    apply_palette(pen, number);
    return 1 + joined;
}

void pen_apply(struct grid_style *pen, const struct scan_sequence *sequence)
{
    for (int at = 0; at < sequence->count;)
        at += apply_one(pen, sequence, at);
}

static void describe_colour(uint32_t colour, int base, struct strbuf *out)
{
    unsigned value = GRID_COLOUR_VALUE(colour);
    if (GRID_COLOUR_KIND(colour) == GRID_COLOUR_INDEXED)
        strbuf_addf(out, ";%d:5:%u", base, value);
    else if (GRID_COLOUR_KIND(colour) == GRID_COLOUR_RGB)
        strbuf_addf(out, ";%d:2::%u:%u:%u", base, value >> 16, value >> 8 & 255, value & 255);
}

void pen_describe(const struct grid_style *pen, struct strbuf *out)
{
    static const struct {
        uint16_t attribute;
        const char *number;
    } simple[] = {
        {GRID_BOLD, ";1"},    {GRID_DIM, ";2"},     {GRID_ITALIC, ";3"}, {GRID_BLINK, ";5"},
        {GRID_REVERSE, ";7"}, {GRID_CONCEAL, ";8"}, {GRID_STRIKE, ";9"}, {GRID_OVERLINE, ";53"},
    };
    strbuf_addch(out, '0');
    for (size_t i = 0; i < COUNT(simple); i++) {
        if (pen->attributes & simple[i].attribute)
            strbuf_addstr(out, simple[i].number);
    }
    if (pen->attributes & GRID_UNDERLINE_CURLY)
        strbuf_addstr(out, ";4:3");
    else if (pen->attributes & GRID_UNDERLINE_DOUBLE)
        strbuf_addstr(out, ";21");
    else if (pen->attributes & GRID_UNDERLINE)
        strbuf_addstr(out, ";4");
    describe_colour(pen->foreground, SGR_FOREGROUND, out);
    describe_colour(pen->background, SGR_BACKGROUND, out);
}
