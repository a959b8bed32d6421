/* SPDX-License-Identifier: MIT */
/* shapes: every state of the screen is compared in both sizes and all themes, with the same console
 * behind it. */
#ifndef ASSENT_TESTS_TUI_SHAPES_H
#define ASSENT_TESTS_TUI_SHAPES_H

#include "tui.h"

/* In each size and theme: starts a console in which one call of the agent's has run and one runs,
 * lets `draw` bring it into the state, and compares with golden/STATE-SIZE-THEME.screen. */
void in_all_shapes(const char *state, void (*draw)(struct tui *tui));

/* One of high risk with all that is said of such, and two of low risk behind it. */
void three_requests(struct tui *tui);

/* A test shows_NAME() of what draw_NAME() makes. */
#define STATE(name)                                                                                \
    static void shows_##name(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        in_all_shapes(#name, draw_##name);                                                         \
    }

/* A state that keys alone bring about. */
#define TYPED(name, keys)                                                                          \
    static void draw_##name(struct tui *tui)                                                       \
    {                                                                                              \
        tui_keys(tui, keys);                                                                       \
    }                                                                                              \
    STATE(name)

#endif
