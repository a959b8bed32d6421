/* SPDX-License-Identifier: MIT */
/*
 * theme: what each thing on the screen looks like. The code names elements; only these tables
 * know of colours, attributes and the characters that lines and signs are drawn with.
 *
 * Every meaning that a colour carries is carried by a sign or a word as well, so that the screen
 * reads the same in monochrome and to colour-blind eyes.
 */
#ifndef ASSENT_UI_THEME_H
#define ASSENT_UI_THEME_H

#include <curses.h>
#include <stdbool.h>

#include "base/error.h"

enum theme_element {
    THEME_TEXT,
    THEME_DIM,
    THEME_STRONG,
    THEME_LABEL,  /* names of fields: our words, never untrusted text */
    THEME_BORDER, /* lines between things */
    THEME_HEADING,
    THEME_SELECTED, /* the selected row of a list */
    THEME_KEY,      /* a key that can be pressed */
    THEME_OK,
    THEME_FAILED,
    THEME_RUNNING,
    THEME_ASKING,
    THEME_PANE_TITLE,
    THEME_PANE_TITLE_SELECTED,
    THEME_PANE_TITLE_KEYBOARD, /* the pane that has the keyboard */
    THEME_STATUS,
    THEME_STATUS_KEYS, /* where keys go, with the mark */
    THEME_STATUS_WAITING,
    THEME_STATUS_WARNING,
    THEME_PROMPT_SIGN,
    THEME_PROMPT_TEXT,
    THEME_OVERLAY_BORDER,
    THEME_OVERLAY_TITLE,
    THEME_OVERLAY_TEXT,
    THEME_OVERLAY_DIM,
    THEME_OVERLAY_LABEL,
    THEME_COMMAND,  /* what will run */
    THEME_EVIDENCE, /* words of it that the risk was judged by */
    THEME_PATCH_ADDED,
    THEME_PATCH_REMOVED,
    THEME_PATCH_PLACE,
    THEME_PATCH_CONTEXT,
    THEME_AGENT_WORDS, /* text that an agent wrote, and the bar beside it */
    THEME_WARNING,
    THEME_OPTION,
    THEME_OPTION_KEY,
    THEME_OPTION_OFF, /* cannot be taken now */
    THEME_OPTION_SELECTED,
    THEME_RISK_LOW,
    THEME_RISK_MEDIUM,
    THEME_RISK_HIGH,
    THEME_ELEMENT_COUNT,
};

enum theme_glyph {
    GLYPH_HORIZONTAL,
    GLYPH_VERTICAL,
    GLYPH_TOP_LEFT,
    GLYPH_TOP_RIGHT,
    GLYPH_BOTTOM_LEFT,
    GLYPH_BOTTOM_RIGHT,
    GLYPH_TEE_LEFT,
    GLYPH_TEE_RIGHT,
    GLYPH_BAR,     /* beside text that is not ours */
    GLYPH_GOES_ON, /* the same where a line goes on that was too long; TEXT_GOES_ON */
    GLYPH_POINTER, /* the marked answer */
    GLYPH_ENTER,   /* behind a key that takes Enter as well */
    GLYPH_OK,
    GLYPH_FAILED,
    GLYPH_RUNNING,
    GLYPH_ASKING,
    GLYPH_REFUSED,
    GLYPH_DOT, /* between facts of a row */
    GLYPH_RISK_LOW,
    GLYPH_RISK_MEDIUM,
    GLYPH_RISK_HIGH,
    GLYPH_UP,
    GLYPH_DOWN,
    GLYPH_ELLIPSIS,
    GLYPH_DASH,
    GLYPH_TIMES,
    GLYPH_COUNT,
};

struct theme;

/* `name`: "dark", "light", "mono", "high-contrast" or "colour-blind". `unicode`: the terminal shows
 * more than ASCII. NULL with a message that lists the names. Colours are looked up by
 * theme_apply(). */
struct theme *theme_new(const char *name, bool unicode, struct error *error);
void theme_free(struct theme **theme);
/* Makes the colour pairs; needs a screen, and is needed again for a new one. */
void theme_apply(struct theme *theme);
const char *theme_name(const struct theme *theme);

attr_t theme_attributes(const struct theme *theme, enum theme_element element);
int theme_pair(const struct theme *theme, enum theme_element element);
/* The same as a sequence (SGR) for the terminal of a pane. */
#define THEME_SGR_SIZE 40
void theme_sgr(const struct theme *theme, enum theme_element element, char out[THEME_SGR_SIZE]);
/* One column wide (GLYPH_ELLIPSIS in ASCII is "~"). */
const char *theme_glyph(const struct theme *theme, enum theme_glyph glyph);
/* What stands in ASCII for a character of one column: its twin if it is a glyph, else "?". */
const char *theme_ascii(const char *character, size_t length);
bool theme_unicode(const struct theme *theme);
/* False for mono: panes are then drawn without colours, too. */
bool theme_has_colours(const struct theme *theme);

#endif
