/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/colour.h"

#include <stdbool.h>

static const int cube_steps[6] = {0, 95, 135, 175, 215, 255};

static bool is_direct(int count)
{
    return count > 256;
}

/* xterm's default values: the first 16 are the operator's own, so this is a guess for those. */
static uint32_t palette_rgb(int index)
{
    static const uint32_t first[16] = {
        0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
        0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
    };
    uint32_t level;

    if (index < 16)
        return first[index];
    if (index >= 232) {
        level = (uint32_t)(8 + 10 * (index - 232));
        return level << 16 | level << 8 | level;
    }
    index -= 16;
    return (uint32_t)(cube_steps[index / 36] << 16 | cube_steps[index / 6 % 6] << 8 |
                      cube_steps[index % 6]);
}

/* The nearest of the 6x6x6 cube and the grey ramp. */
static int nearest_in_palette(uint32_t rgb)
{
    int component[3] = {(int)(rgb >> 16 & 0xff), (int)(rgb >> 8 & 0xff), (int)(rgb & 0xff)};
    int index[3], cube = 0, ramp = 0;
    int grey = (component[0] + component[1] + component[2]) / 3;
    int level = grey < 8 ? 0 : grey > 238 ? 23 : (grey - 3) / 10;

    for (int i = 0; i < 3; i++) {
        int difference;

        index[i] = component[i] < 48 ? 0 : component[i] < 115 ? 1 : (component[i] - 35) / 40;
        difference = component[i] - cube_steps[index[i]];
        cube += difference * difference;
        difference = component[i] - (8 + 10 * level);
        ramp += difference * difference;
    }
    return ramp < cube ? 232 + level : 16 + 36 * index[0] + 6 * index[1] + index[2];
}

/* One of the first eight: black, red, green, yellow, blue, magenta, cyan, white. */
static int nearest_of_eight(uint32_t rgb)
{
    return (int)(rgb >> 23 & 1) + 2 * (int)(rgb >> 15 & 1) + 4 * (int)(rgb >> 7 & 1);
}

int colour_from_palette(int index, int count)
{
    if (index < 8 || (index < count && !is_direct(count)))
        return index;
    if (is_direct(count))
        return (int)palette_rgb(index);
    return index < 16 ? index - 8 : nearest_of_eight(palette_rgb(index));
}

int colour_from_rgb(uint32_t rgb, int count)
{
    /* 0 to 7 are taken by the palette: the darkest blues become black. */
    if (is_direct(count))
        return rgb < 8 ? 0 : (int)rgb;
    return colour_from_palette(nearest_in_palette(rgb), count);
}
