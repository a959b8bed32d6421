#!/bin/sh
# SPDX-License-Identifier: MIT
# Themes on a real terminal; without colours, and without characters beyond ASCII.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

console_with() {
    name=$1
    shift
    terminal_start "$name" 80x24 env "$@"
    wait_screen "$name" ' keys: '
}

has_colour() {
    screen -e "$1" | grep -q "$(printf '\033')\\[[0-9;]*$2"
}

a_theme_is_chosen() {
    console_with contrast "$e2e_build/assent" --theme high-contrast
    wait_for 'its own background' has_colour contrast '48;5;16'
    typed contrast ':theme colour-blind'
    keys contrast Enter
    typed contrast ':freeze'
    keys contrast Enter
    wait_for 'orange for what must not be missed' has_colour contrast '48;5;208'
    console_stop contrast
}

no_color_is_heeded() {
    console_with grey NO_COLOR=1 "$e2e_build/assent"
    if has_colour grey '[34]8;5;' || has_colour grey '3[1-7]m'; then
        exit 1
    fi
    console_stop grey
}

lines_are_ascii_where_nothing_else_is_shown() {
    console_with ascii LC_ALL=C "$e2e_build/assent"
    wait_screen ascii '- Calls ---'
    if screen ascii | LC_ALL=C grep -q '[^ -~]'; then
        exit 1
    fi
    console_stop ascii
}

test_case a_theme_is_chosen
test_case no_color_is_heeded
test_case lines_are_ascii_where_nothing_else_is_shown
e2e_end
