/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "ui/colour.h"

/* Colours of the 256-colour palette, and of the 8 where a terminal has no more; -1 is the
 * terminal's own. The first 16 follow the operator's own colours, so meanings use those. */
struct style {
    short foreground, background;   /* 256 colours */
    short foreground8, background8; /* 8 colours */
    attr_t attributes;
    attr_t mono; /* attributes without any colour */
};

#define PLAIN -1, -1

static const struct style dark[THEME_ELEMENT_COUNT] = {
    [THEME_TEXT] = {PLAIN, PLAIN, 0, 0},
    [THEME_DIM] = {245, -1, PLAIN, 0, 0},
    [THEME_STRONG] = {PLAIN, PLAIN, A_BOLD, A_BOLD},
    [THEME_LABEL] = {109, -1, 6, -1, 0, 0},
    [THEME_BORDER] = {240, -1, PLAIN, 0, 0},
    [THEME_HEADING] = {109, -1, 6, -1, A_BOLD, A_BOLD},
    [THEME_SELECTED] = {255, 238, 7, 4, 0, A_REVERSE},
    [THEME_KEY] = {180, -1, 3, -1, 0, A_BOLD},
    [THEME_OK] = {2, -1, 2, -1, 0, 0},
    [THEME_FAILED] = {1, -1, 1, -1, A_BOLD, A_BOLD},
    [THEME_RUNNING] = {6, -1, 6, -1, 0, 0},
    [THEME_ASKING] = {3, -1, 3, -1, A_BOLD, A_BOLD},
    [THEME_PANE_TITLE] = {248, 236, 7, -1, 0, A_UNDERLINE},
    [THEME_PANE_TITLE_SELECTED] = {255, 239, 7, 4, A_BOLD, A_REVERSE},
    [THEME_PANE_TITLE_KEYBOARD] = {16, 109, 0, 6, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_STATUS] = {250, 236, 0, 7, 0, A_REVERSE},
    [THEME_STATUS_KEYS] = {16, 109, 0, 6, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_STATUS_WAITING] = {16, 179, 0, 3, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_STATUS_WARNING] = {15, 124, 7, 1, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_PROMPT_SIGN] = {109, -1, 6, -1, A_BOLD, A_BOLD},
    [THEME_PROMPT_TEXT] = {PLAIN, PLAIN, 0, 0},
    [THEME_OVERLAY_BORDER] = {179, -1, 3, -1, 0, A_BOLD},
    [THEME_OVERLAY_TITLE] = {179, -1, 3, -1, A_BOLD, A_BOLD},
    [THEME_OVERLAY_TEXT] = {PLAIN, PLAIN, 0, 0},
    [THEME_OVERLAY_DIM] = {245, -1, PLAIN, 0, 0},
    [THEME_OVERLAY_LABEL] = {109, -1, 6, -1, 0, 0},
    [THEME_COMMAND] = {231, 235, PLAIN, A_BOLD, A_BOLD},
    [THEME_EVIDENCE] = {231, 235, PLAIN, A_BOLD | A_UNDERLINE, A_BOLD | A_UNDERLINE},
    [THEME_PATCH_ADDED] = {114, 235, 2, -1, 0, A_BOLD},
    [THEME_PATCH_REMOVED] = {210, 235, 1, -1, 0, A_DIM},
    [THEME_PATCH_PLACE] = {109, 235, 6, -1, 0, 0},
    [THEME_PATCH_CONTEXT] = {250, 235, PLAIN, 0, 0},
    [THEME_AGENT_WORDS] = {248, -1, PLAIN, 0, 0},
    [THEME_WARNING] = {3, -1, 3, -1, A_BOLD, A_BOLD},
    [THEME_OPTION] = {PLAIN, PLAIN, 0, 0},
    [THEME_OPTION_KEY] = {180, -1, 3, -1, A_BOLD, A_BOLD},
    [THEME_OPTION_OFF] = {243, -1, PLAIN, 0, A_DIM},
    [THEME_OPTION_SELECTED] = {255, 238, 7, 4, A_BOLD, A_REVERSE},
    [THEME_RISK_LOW] = {2, -1, 2, -1, A_BOLD, A_BOLD},
    [THEME_RISK_MEDIUM] = {6, -1, 6, -1, A_BOLD, A_BOLD},
    [THEME_RISK_HIGH] = {1, -1, 1, -1, A_BOLD, A_BOLD | A_REVERSE},
};

/* Many palettes have a green and a cyan that are too bright for white: here they are fixed. */
static const struct style light[THEME_ELEMENT_COUNT] = {
    [THEME_TEXT] = {PLAIN, PLAIN, 0, 0},
    [THEME_DIM] = {242, -1, PLAIN, 0, 0},
    [THEME_STRONG] = {PLAIN, PLAIN, A_BOLD, A_BOLD},
    [THEME_LABEL] = {24, -1, 4, -1, 0, 0},
    [THEME_BORDER] = {249, -1, PLAIN, 0, 0},
    [THEME_HEADING] = {24, -1, 4, -1, A_BOLD, A_BOLD},
    [THEME_SELECTED] = {16, 252, 7, 4, 0, A_REVERSE},
    [THEME_KEY] = {94, -1, 5, -1, 0, A_BOLD},
    [THEME_OK] = {28, -1, 2, -1, 0, 0},
    [THEME_FAILED] = {124, -1, 1, -1, A_BOLD, A_BOLD},
    [THEME_RUNNING] = {30, -1, 6, -1, 0, 0},
    [THEME_ASKING] = {130, -1, 5, -1, A_BOLD, A_BOLD},
    [THEME_PANE_TITLE] = {238, 254, 7, -1, 0, A_UNDERLINE},
    [THEME_PANE_TITLE_SELECTED] = {16, 251, 7, 4, A_BOLD, A_REVERSE},
    [THEME_PANE_TITLE_KEYBOARD] = {231, 24, 7, 4, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_STATUS] = {237, 254, 7, 4, 0, A_REVERSE},
    [THEME_STATUS_KEYS] = {231, 24, 7, 4, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_STATUS_WAITING] = {231, 130, 7, 5, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_STATUS_WARNING] = {231, 124, 7, 1, A_BOLD, A_REVERSE | A_BOLD},
    [THEME_PROMPT_SIGN] = {24, -1, 4, -1, A_BOLD, A_BOLD},
    [THEME_PROMPT_TEXT] = {PLAIN, PLAIN, 0, 0},
    [THEME_OVERLAY_BORDER] = {130, -1, 5, -1, 0, A_BOLD},
    [THEME_OVERLAY_TITLE] = {130, -1, 5, -1, A_BOLD, A_BOLD},
    [THEME_OVERLAY_TEXT] = {PLAIN, PLAIN, 0, 0},
    [THEME_OVERLAY_DIM] = {242, -1, PLAIN, 0, 0},
    [THEME_OVERLAY_LABEL] = {24, -1, 4, -1, 0, 0},
    [THEME_COMMAND] = {16, 255, PLAIN, A_BOLD, A_BOLD},
    [THEME_EVIDENCE] = {16, 255, PLAIN, A_BOLD | A_UNDERLINE, A_BOLD | A_UNDERLINE},
    [THEME_PATCH_ADDED] = {22, 255, 2, -1, 0, A_BOLD},
    [THEME_PATCH_REMOVED] = {88, 255, 1, -1, 0, A_DIM},
    [THEME_PATCH_PLACE] = {24, 255, 4, -1, 0, 0},
    [THEME_PATCH_CONTEXT] = {238, 255, PLAIN, 0, 0},
    [THEME_AGENT_WORDS] = {239, -1, PLAIN, 0, 0},
    [THEME_WARNING] = {130, -1, 5, -1, A_BOLD, A_BOLD},
    [THEME_OPTION] = {PLAIN, PLAIN, 0, 0},
    [THEME_OPTION_KEY] = {94, -1, 5, -1, A_BOLD, A_BOLD},
    [THEME_OPTION_OFF] = {246, -1, PLAIN, 0, A_DIM},
    [THEME_OPTION_SELECTED] = {16, 252, 7, 4, A_BOLD, A_REVERSE},
    [THEME_RISK_LOW] = {28, -1, 2, -1, A_BOLD, A_BOLD},
    [THEME_RISK_MEDIUM] = {30, -1, 6, -1, A_BOLD, A_BOLD},
    [THEME_RISK_HIGH] = {124, -1, 1, -1, A_BOLD, A_BOLD | A_REVERSE},
};

/* What a theme has otherwise than the one that it is made from. */
struct change {
    enum theme_element element;
    struct style style;
};

/* Black and white, and colours that stand out from black by 7 to 1 (WCAG 2.1, 1.4.6); its own
 * background, whatever the terminal's is. */
#define ON_BLACK(colour, colour8, attributes)                                                      \
    {                                                                                              \
        colour, 16, colour8, 0, attributes, attributes                                             \
    }
#define BLACK_ON(colour, colour8)                                                                  \
    {                                                                                              \
        16, colour, 0, colour8, A_BOLD, A_REVERSE | A_BOLD                                         \
    }

static const struct change high_contrast[] = {
    {THEME_TEXT, ON_BLACK(231, 7, 0)},
    {THEME_DIM, ON_BLACK(231, 7, 0)},
    {THEME_STRONG, ON_BLACK(231, 7, A_BOLD)},
    {THEME_LABEL, ON_BLACK(51, 6, 0)},
    {THEME_BORDER, ON_BLACK(231, 7, 0)},
    {THEME_HEADING, ON_BLACK(51, 6, A_BOLD)},
    {THEME_SELECTED, BLACK_ON(231, 7)},
    {THEME_KEY, ON_BLACK(226, 3, A_BOLD)},
    {THEME_OK, ON_BLACK(46, 2, A_BOLD)},
    {THEME_FAILED, ON_BLACK(210, 1, A_BOLD)},
    {THEME_RUNNING, ON_BLACK(51, 6, A_BOLD)},
    {THEME_ASKING, ON_BLACK(226, 3, A_BOLD)},
    {THEME_PANE_TITLE, {231, 16, 7, 0, A_UNDERLINE, A_UNDERLINE}},
    {THEME_PANE_TITLE_SELECTED, BLACK_ON(231, 7)},
    {THEME_PANE_TITLE_KEYBOARD, BLACK_ON(226, 3)},
    {THEME_STATUS, BLACK_ON(231, 7)},
    {THEME_STATUS_KEYS, BLACK_ON(226, 3)},
    {THEME_STATUS_WAITING, BLACK_ON(51, 6)},
    {THEME_STATUS_WARNING, BLACK_ON(210, 1)},
    {THEME_PROMPT_SIGN, ON_BLACK(226, 3, A_BOLD)},
    {THEME_PROMPT_TEXT, ON_BLACK(231, 7, 0)},
    {THEME_OVERLAY_BORDER, ON_BLACK(226, 3, A_BOLD)},
    {THEME_OVERLAY_TITLE, ON_BLACK(226, 3, A_BOLD)},
    {THEME_OVERLAY_TEXT, ON_BLACK(231, 7, 0)},
    {THEME_OVERLAY_DIM, ON_BLACK(231, 7, 0)},
    {THEME_OVERLAY_LABEL, ON_BLACK(51, 6, 0)},
    {THEME_COMMAND, ON_BLACK(231, 7, A_BOLD)},
    {THEME_EVIDENCE, ON_BLACK(226, 3, A_BOLD | A_UNDERLINE)},
    {THEME_PATCH_ADDED, ON_BLACK(46, 2, A_BOLD)},
    {THEME_PATCH_REMOVED, ON_BLACK(210, 1, 0)},
    {THEME_PATCH_PLACE, ON_BLACK(51, 6, 0)},
    {THEME_PATCH_CONTEXT, ON_BLACK(231, 7, 0)},
    {THEME_AGENT_WORDS, ON_BLACK(231, 7, 0)},
    {THEME_WARNING, ON_BLACK(226, 3, A_BOLD)},
    {THEME_OPTION, ON_BLACK(231, 7, 0)},
    {THEME_OPTION_KEY, ON_BLACK(226, 3, A_BOLD)},
    {THEME_OPTION_OFF, ON_BLACK(250, 7, 0)},
    {THEME_OPTION_SELECTED, BLACK_ON(231, 7)},
    {THEME_RISK_LOW, ON_BLACK(46, 2, A_BOLD)},
    {THEME_RISK_MEDIUM, ON_BLACK(226, 3, A_BOLD)},
    {THEME_RISK_HIGH, BLACK_ON(210, 1)},
};

/* Meanings by blue, yellow and orange, which red-green blindness leaves apart (the palette of Okabe
 * and Ito). */
static const struct change colour_blind[] = {
    {THEME_OK, {75, -1, 6, -1, 0, 0}},
    {THEME_FAILED, {208, -1, 3, -1, A_BOLD, A_BOLD}},
    {THEME_RUNNING, {117, -1, 6, -1, 0, 0}},
    {THEME_ASKING, {227, -1, 3, -1, A_BOLD, A_BOLD}},
    {THEME_STATUS_WARNING, {16, 208, 0, 3, A_BOLD, A_REVERSE | A_BOLD}},
    {THEME_PATCH_ADDED, {75, 235, 6, -1, 0, A_BOLD}},
    {THEME_PATCH_REMOVED, {214, 235, 3, -1, 0, A_DIM}},
    {THEME_WARNING, {227, -1, 3, -1, A_BOLD, A_BOLD}},
    {THEME_RISK_LOW, {75, -1, 6, -1, A_BOLD, A_BOLD}},
    {THEME_RISK_MEDIUM, {227, -1, 7, -1, A_BOLD, A_BOLD}},
    {THEME_RISK_HIGH, {16, 208, 0, 3, A_BOLD, A_BOLD | A_REVERSE}},
};

static const struct {
    const char *name;
    const struct style *styles;
    bool colours;
    const struct change *changes;
    size_t change_count;
} themes[] = {
    {"dark", dark, true, NULL, 0},
    {"light", light, true, NULL, 0},
    {"mono", dark, false, NULL, 0},
    {"high-contrast", dark, true, high_contrast, COUNT(high_contrast)},
    {"colour-blind", dark, true, colour_blind, COUNT(colour_blind)},
};
#define THEME_COUNT (COUNT(themes))

static const struct {
    const char *unicode;
    const char *ascii;
} glyphs[GLYPH_COUNT] = {
    [GLYPH_HORIZONTAL] = {"─", "-"},  [GLYPH_VERTICAL] = {"│", "|"},
    [GLYPH_TOP_LEFT] = {"╭", "+"},    [GLYPH_TOP_RIGHT] = {"╮", "+"},
    [GLYPH_BOTTOM_LEFT] = {"╰", "+"}, [GLYPH_BOTTOM_RIGHT] = {"╯", "+"},
    [GLYPH_TEE_LEFT] = {"├", "+"},    [GLYPH_TEE_RIGHT] = {"┤", "+"},
    [GLYPH_BAR] = {"┃", "|"},         [GLYPH_POINTER] = {"▸", ">"},
    [GLYPH_ENTER] = {"↵", "+"},       [GLYPH_OK] = {"✓", "+"},
    [GLYPH_FAILED] = {"✗", "!"},      [GLYPH_RUNNING] = {"●", "*"},
    [GLYPH_ASKING] = {"?", "?"},      [GLYPH_REFUSED] = {"⊘", "x"},
    [GLYPH_DOT] = {"·", "|"},         [GLYPH_RISK_LOW] = {"○", "o"},
    [GLYPH_RISK_MEDIUM] = {"◆", "*"}, [GLYPH_RISK_HIGH] = {"▲", "!"},
    [GLYPH_UP] = {"↑", "^"},          [GLYPH_DOWN] = {"↓", "v"},
    [GLYPH_ELLIPSIS] = {"…", "~"},    [GLYPH_DASH] = {"–", "-"},
    [GLYPH_TIMES] = {"×", "x"},       [GLYPH_GOES_ON] = {"↳", "+"},
};

struct theme {
    size_t index; /* into themes */
    bool unicode;
    int pairs[THEME_ELEMENT_COUNT];
    attr_t attributes[THEME_ELEMENT_COUNT];
    bool coloured; /* by theme and terminal */
};

struct theme *theme_new(const char *name, bool unicode, struct error *error)
{
    for (size_t i = 0; i < THEME_COUNT; i++) {
        if (strcmp(themes[i].name, name) == 0) {
            struct theme *theme = XNEW(struct theme);

            theme->index = i;
            theme->unicode = unicode;
            return theme;
        }
    }
    error_set(error, 0,
              "theme: there is no \"%s\" (themes: dark, light, mono, high-contrast, "
              "colour-blind)",
              name);
    return NULL;
}

void theme_free(struct theme **theme)
{
    free(*theme);
    *theme = NULL;
}

/* The element's style in that theme. */
static const struct style *style_of(const struct theme *theme, unsigned element)
{
    for (size_t i = 0; i < themes[theme->index].change_count; i++)
        if (themes[theme->index].changes[i].element == element)
            return &themes[theme->index].changes[i].style;
    return &themes[theme->index].styles[element];
}

void theme_apply(struct theme *theme)
{
    theme->coloured = themes[theme->index].colours && has_colors() && COLORS >= 8;
    for (unsigned i = 0; i < THEME_ELEMENT_COUNT; i++) {
        const struct style *style = style_of(theme, i);
        bool many = COLORS >= 256;
        int foreground = many ? style->foreground : style->foreground8;
        int background = many ? style->background : style->background8;

        theme->attributes[i] = theme->coloured ? style->attributes : style->mono;
        theme->pairs[i] = 0;
        if (theme->coloured && (foreground >= 0 || background >= 0))
            theme->pairs[i] = alloc_pair(colour_from_palette(foreground, COLORS),
                                         colour_from_palette(background, COLORS));
        if (theme->pairs[i] < 0)
            theme->pairs[i] = 0;
    }
}

const char *theme_name(const struct theme *theme)
{
    return themes[theme->index].name;
}

void theme_sgr(const struct theme *theme, enum theme_element element, char out[THEME_SGR_SIZE])
{
    static const struct {
        attr_t attribute;
        const char *code;
    } table[] = {{A_BOLD, ";1"}, {A_DIM, ";2"}, {A_UNDERLINE, ";4"}, {A_REVERSE, ";7"}};
    const struct style *style = style_of(theme, element);
    bool many = theme->coloured && COLORS >= 256;
    int foreground = many ? style->foreground : style->foreground8;
    int background = many ? style->background : style->background8;
    size_t used = (size_t)snprintf(out, THEME_SGR_SIZE, "\x1b[0");

    for (size_t i = 0; i < COUNT(table); i++)
        if ((theme->attributes[element] & table[i].attribute) != 0)
            used += (size_t)snprintf(out + used, THEME_SGR_SIZE - used, "%s", table[i].code);
    if (theme->coloured && foreground >= 0)
        used += (size_t)snprintf(out + used, THEME_SGR_SIZE - used, ";38;5;%d", foreground);
    if (theme->coloured && background >= 0)
        used += (size_t)snprintf(out + used, THEME_SGR_SIZE - used, ";48;5;%d", background);
    snprintf(out + used, THEME_SGR_SIZE - used, "m");
}

attr_t theme_attributes(const struct theme *theme, enum theme_element element)
{
    return theme->attributes[element];
}

int theme_pair(const struct theme *theme, enum theme_element element)
{
    return theme->pairs[element];
}

const char *theme_glyph(const struct theme *theme, enum theme_glyph glyph)
{
    return theme->unicode ? glyphs[glyph].unicode : glyphs[glyph].ascii;
}

const char *theme_ascii(const char *character, size_t length)
{
    for (size_t i = 0; i < GLYPH_COUNT; i++)
        if (strlen(glyphs[i].unicode) == length &&
            memcmp(glyphs[i].unicode, character, length) == 0)
            return glyphs[i].ascii;
    return "?";
}

bool theme_unicode(const struct theme *theme)
{
    return theme->unicode;
}

bool theme_has_colours(const struct theme *theme)
{
    return theme->coloured;
}
