/* SPDX-License-Identifier: MIT */
/* Themes for eyes that see less: what they promise is computed from the colours in use. */
#include "config.h"

#include "tui.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/console_int.h"

/* A colour of the 256, linear, 0 to 1. Only those whose values are the same everywhere. */
static void linear(int index, double rgb[3])
{
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    int value[3];

    assert_in_range(index, 16, 255);
    for (int i = 0; i < 3; i++)
        value[i] = index >= 232 ? 8 + 10 * (index - 232)
                                : steps[(index - 16) /
                                        (i == 0   ? 36
                                         : i == 1 ? 6
                                                  : 1) %
                                        6];
    for (int i = 0; i < 3; i++) {
        double part = value[i] / 255.0;

        rgb[i] = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
    }
}

static double luminance(int index)
{
    double rgb[3];

    linear(index, rgb);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

/* WCAG 2.1, "contrast ratio". */
static double contrast(int foreground, int background)
{
    double a = luminance(foreground), b = luminance(background);

    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static void colours_of(const struct tui *tui, enum theme_element element, int *foreground,
                       int *background)
{
    int pair = theme_pair(tui->console->theme, element);

    assert_int_equal(extended_pair_content(pair, foreground, background), OK);
}

static struct tui *start_with(void **state, const char *theme)
{
    const struct tui_options options = {.theme = theme};
    struct tui *tui = *state;

    tui_stop(tui);
    tui_start(tui, 24, 80, &options);
    return tui;
}

static void high_contrast_is_seven_to_one(void **state)
{
    struct tui *tui = start_with(state, "high-contrast");

    for (unsigned i = 0; i < THEME_ELEMENT_COUNT; i++) {
        int foreground, background;

        colours_of(tui, (enum theme_element)i, &foreground, &background);
        if (contrast(foreground, background) < 7)
            fail_msg("element %u: %d on %d is %.1f to 1", i, foreground, background,
                     contrast(foreground, background));
    }
    tui_request(tui, "rm -rf build", RISK_HIGH);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_golden(tui, "request-high-contrast");
}

/* What eyes without one kind of cones see (Vienot, Brettel, Mollon 1999). */
static void simulate(const double matrix[3][3], int index, double seen[3])
{
    double rgb[3];

    linear(index, rgb);
    for (int i = 0; i < 3; i++)
        seen[i] = matrix[i][0] * rgb[0] + matrix[i][1] * rgb[1] + matrix[i][2] * rgb[2];
}

static double distance(const double matrix[3][3], int a, int b)
{
    double seen_a[3], seen_b[3], sum = 0;

    simulate(matrix, a, seen_a);
    simulate(matrix, b, seen_b);
    for (int i = 0; i < 3; i++)
        sum += (seen_a[i] - seen_b[i]) * (seen_a[i] - seen_b[i]);
    return sqrt(sum);
}

/* The colour that the element is known by: of its letters, or behind them. */
static int known_by(const struct tui *tui, enum theme_element element)
{
    int foreground, background;

    colours_of(tui, element, &foreground, &background);
    return foreground == 16 ? background : foreground;
}

static void meanings_stay_apart_without_red_or_green(void **state)
{
    static const double kinds[][3][3] = {
        {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
        {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
    };
    static const enum theme_element pairs[][2] = {
        {THEME_RISK_LOW, THEME_RISK_MEDIUM},      {THEME_RISK_LOW, THEME_RISK_HIGH},
        {THEME_RISK_MEDIUM, THEME_RISK_HIGH},     {THEME_OK, THEME_FAILED},
        {THEME_PATCH_ADDED, THEME_PATCH_REMOVED},
    };
    struct tui *tui = start_with(state, "colour-blind");

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        for (size_t j = 0; j < sizeof(pairs) / sizeof(pairs[0]); j++)
            if (distance(kinds[i], known_by(tui, pairs[j][0]), known_by(tui, pairs[j][1])) < 0.4)
                fail_msg("kind %zu sees pair %zu as one", i, j);
    tui_request(tui, "rm -rf build", RISK_HIGH);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_golden(tui, "request-colour-blind");
}

static void themes_are_chosen_by_name(void **state)
{
    struct tui *tui = *state;

    tui_keys(tui, ":theme colour-blind\r");
    assert_string_equal(theme_name(tui->console->theme), "colour-blind");
    tui_keys(tui, ":theme pink\r");
    assert_true(tui_shows(tui, "high-contrast"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(high_contrast_is_seven_to_one, tui_set_up, tui_tear_down),
        cmocka_unit_test_setup_teardown(meanings_stay_apart_without_red_or_green, tui_set_up,
                                        tui_tear_down),
        cmocka_unit_test_setup_teardown(themes_are_chosen_by_name, tui_set_up, tui_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
