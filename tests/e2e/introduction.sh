#!/bin/sh
# SPDX-License-Identifier: MIT
# The introduction comes up once, for who starts the console by itself, and never before a request.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
marker=$e2e_dir/state/assent/introduced
title='Assent: for the first time'
rm "$marker"

ends() {
    quits "$1"
    test "$(console_status "$1")" = 0
}

not_for_who_came_for_something_else() {
    console_open command 80x24 --exit-when-done -- sh -c 'echo here; read -r line'
    wait_screen command here
    screen_lacks command "$title"
    keys command Enter
    test "$(console_status command)" = 0
    console_start plain 80x24 --plain
    wait_screen plain ':help'
    keys plain ':quit'
    keys plain Enter
    test "$(console_status plain)" = 0
    assent --headless --exit-when-done -- true </dev/null
    test ! -e "$marker"
}

a_request_takes_its_place() {
    console_open main 80x24 --policy untrusted -c guard_time=0
    wait_screen main "$title"
    client one -- touch made
    asked main 'touch made'
    screen_lacks main "$title"
    keys main d
    client_ends one 77
    test ! -e "$e2e_work/made"
    ends main
}

it_comes_up_once() {
    test -e "$marker"
    console_open second 80x24
    screen_lacks second "$title"
    ends second
    rm "$marker"
    console_open third 80x24
    wait_screen third "$title"
    keys third y
    wait_no_screen third "$title"
    ends third
}

not_where_it_cannot_be_remembered() {
    rm "$marker"
    ln -s "$e2e_dir/nothing/here" "$marker"
    console_open fourth 80x24
    screen_lacks fourth "$title"
    ends fourth
}

test_case not_for_who_came_for_something_else
test_case a_request_takes_its_place
test_case it_comes_up_once
test_case not_where_it_cannot_be_remembered
e2e_end
