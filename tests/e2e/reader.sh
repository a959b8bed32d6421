#!/bin/sh
# SPDX-License-Identifier: MIT
# What a pane has shown is searched, selected and copied to the terminal's clipboard.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    # shellcheck disable=SC2016 # for the inner shell
    console_open main 100x30 -- sh -c 'i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo "line $i end"; done; echo needle-$((40+2)); cat'
    e2e_tmux set-option -s set-clipboard on
    wait_screen main 'needle-42'
}

copied() {
    test "$(e2e_tmux show-buffer)" = "$1"
}

a_match_is_selected_and_copied() {
    keys main 'C-\'
    wait_screen main 'keys: prompt'
    keys main F11
    wait_screen main 'keys: reading c1'
    typed main '/line 7 end'
    keys main Enter
    wait_screen main 'line 7 end'
    typed main 'v$'
    keys main Enter
    wait_for 'the clipboard' copied 'line 7 end'
    # It stays open, and says what was done.
    wait_screen main 'bytes were handed to the terminal'
    wait_screen main 'keys: reading c1'
    keys main Escape
    wait_screen main 'keys: prompt'
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

test_case starts
test_case a_match_is_selected_and_copied
test_case ends
e2e_end
