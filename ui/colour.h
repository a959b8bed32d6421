/* SPDX-License-Identifier: MIT */
/*
 * colour: colours as this terminal takes them.
 *
 * A terminal has 8, 16, 88 or 256 colours of a palette, or takes 24-bit values directly; then its
 * numbers from 8 on are RGB values and only 0 to 7 are those of the palette (terminfo's "RGB").
 */
#ifndef ASSENT_UI_COLOUR_H
#define ASSENT_UI_COLOUR_H

#include <stdint.h>

/* Curses' number for a colour of the 256-colour palette (-1: the terminal's own). `count` is
 * curses' COLORS. */
int colour_from_palette(int index, int count);
/* The same for 0xRRGGBB. */
int colour_from_rgb(uint32_t rgb, int count);

#endif
