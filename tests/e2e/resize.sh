#!/bin/sh
# SPDX-License-Identifier: MIT
# Terminals that change their size: too small and back, large, and what the commands learn of it.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

screen_is() {
    screen "$1" | cmp -s - "$2"
}

# fills NAME COLUMNS ROWS: the frame reaches to the edges, the bottom row is the console's own.
fills() {
    test "$(screen "$1" | sed -n 1p | tr -d '\n' | wc -m)" = "$2"
    test "$(screen "$1" | wc -l)" = "$3"
    screen "$1" | tail -n 1 | grep -q ' keys: '
}

a_request_survives_a_small_terminal() {
    console_open main 80x24 --policy untrusted -c guard_time=0
    client one -- touch resized
    asked main 'touch resized'
    screen main >"$e2e_dir/before"
    for size in 79x24 80x23 20x5 2x1; do
        resize main "$size"
        case $size in
        79x24 | 80x23)
            wait_screen main 'To allow it: 80x24 at least'
            wait_screen main 'touch resized'
            ;;
        20x5) wait_screen main 'To allow it: 80x24' ;;
        2x1) wait_no_screen main 'allow' ;;
        esac
        # What cannot be read is not allowed.
        keys main y
    done
    resize main 80x24
    wait_for 'the same screen again' screen_is main "$e2e_dir/before"
    client_waits one
    test ! -e "$e2e_work/resized"
}

it_is_answered_in_a_large_one() {
    resize main 200x50
    wait_for 'a screen of 200x50' fills main 200 50
    asked main 'touch resized'
    keys main y
    client_ends one 0
    test -e "$e2e_work/resized"
    resize main 80x24
    wait_for 'a screen of 80x24' fills main 80 24
    quits main
    test "$(console_status main)" = 0
}

commands_learn_their_size() {
    # shellcheck disable=SC2016 # for the inner shell
    console_open pane 80x24 --zoom --policy untrusted -c guard_time=0 -- \
        sh -c 'trap "stty size" WINCH; stty size; while :; do sleep 0.1; done'
    wait_screen pane '23 80'
    resize pane 200x50
    wait_screen pane '49 200'
    resize pane 40x10
    wait_screen pane '9 40'
}

# A zoomed pane works in less than 80x24; a request over it is not seen as a whole.
a_request_over_a_small_pane_waits() {
    client one -- touch covered
    wait_screen pane 'waiting'
    keys pane "C-\\"
    wait_screen pane 'To allow it: 80x24 at least'
    keys pane y
    keys pane F12
    wait_screen pane '9 40'
    wait_no_screen pane 'To allow it'
    keys pane "C-\\"
    wait_screen pane 'To allow it: 80x24 at least'
    client_waits one
    resize pane 80x24
    asked pane 'touch covered'
    test ! -e "$e2e_work/covered"
    keys pane d
    client_ends one 77
    console_stop pane
}

it_can_start_small() {
    console_start small 40x10 --policy untrusted -c guard_time=0
    wait_screen small 'Needs 80x24: 40x10 is too small'
    client one -- touch started
    wait_screen small 'To allow it: 80x24 at least'
    keys small y
    wait_screen small 'Here it can only be denied.'
    client_waits one
    test ! -e "$e2e_work/started"
    keys small d
    client_ends one 77
    wait_screen small 'Needs 80x24: 40x10 is too small'
    resize small 80x24
    wait_screen small 'keys: prompt'
    quits small
    test "$(console_status small)" = 0
}

test_case a_request_survives_a_small_terminal
test_case it_is_answered_in_a_large_one
test_case commands_learn_their_size
test_case a_request_over_a_small_pane_waits
test_case it_can_start_small
e2e_end
