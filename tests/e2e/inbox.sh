#!/bin/sh
# SPDX-License-Identifier: MIT
# The list of all requests that wait: marked ones are answered with one key, each by itself in the
# record; the same of several agents is one row.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    console_open main 100x30 --policy untrusted -c guard_time=0
}

marked_ones_are_answered_together() {
    client one -- touch one
    asked main 'touch one'
    client two -- touch two
    wait_screen main '1 more waits'
    client three -- touch three
    wait_screen main '2 more wait'
    keys main F9
    wait_screen main '3 requests wait'
    keys main Space
    wait_screen main '1 marked'
    keys main Down
    wait_screen main '┃ touch two'
    keys main Space
    wait_screen main '2 marked'
    keys main y
    client_ends one 0
    client_ends two 0
    test -e "$e2e_work/one"
    test -e "$e2e_work/two"
    wait_screen main '1 request waits'
    client_waits three
    keys main d
    wait_screen main 'The marked ones are answered.'
    client_waits three
    keys main Down
    keys main d
    client_ends three 77
    test ! -e "$e2e_work/three"
    # Nothing is left to do there.
    wait_no_screen main 'requests wait'
    wait_no_screen main '1 request waits'
}

the_same_is_one_row() {
    client one -- touch same
    asked main 'touch same'
    keys main F9
    wait_screen main '1 request waits'
    client two -- touch same
    wait_screen main '×2 touch same'
    keys main y
    client_ends one 0
    client_ends two 0
}

# High risk is opened, and answered by itself.
high_risk_is_not_in_bulk() {
    mkdir "$e2e_work/precious"
    client one -- rm -rf precious
    asked main 'rm -rf precious'
    keys main F9
    wait_screen main '1 request waits'
    client two -- touch beside
    wait_screen main '2 requests wait'
    wait_screen main 'HIGH'
    keys main Space
    wait_screen main '1 marked'
    keys main Down
    wait_screen main '┃ touch beside'
    keys main Space
    wait_screen main '2 marked'
    keys main y
    wait_screen main 'is of high risk: Enter opens it'
    client_waits one
    client_waits two
    test -d "$e2e_work/precious"
    keys main d
    client_ends one 77
    client_ends two 77
    test -d "$e2e_work/precious"
}

each_has_its_own_record() {
    keys main Tab
    wait_no_screen main 'Nothing waits'
    quits main
    test "$(console_status main)" = 0
    cat "$e2e_dir"/state/assent/sessions/*.jsonl >"$e2e_dir/log"
    test "$(grep -c '"decision":"approved"' "$e2e_dir/log")" = 4
    test "$(grep -c '"decision":"denied"' "$e2e_dir/log")" = 3
}

# More of one session than are asked about at once: in the list of calls they wait, too.
what_has_no_room_waits_behind_others() {
    console_open room 200x50 --policy untrusted -c guard_time=0
    for each in 1 2 3 4 5 6 7 8; do
        client "room$each" -- touch "room$each"
    done
    wait_screen room '7 more wait'
    client room9 -- touch room9
    wait_screen room 'behind others'
    mkdir "$e2e_work/kept"
    client quiet --session claude -- rm -rf kept
    wait_screen room 'claude      behind others'
    # It is in the list, and is answered there before those that came first.
    keys room F9
    wait_screen room '10 requests wait'
    wait_screen room 'HIGH   claude'
    keys room End
    wait_screen room '┃ rm -rf kept'
    keys room d
    client_ends quiet 77
    test -d "$e2e_work/kept"
    wait_screen room '9 requests wait'
    client_waits room9
    keys room F9
    wait_screen room '9 requests go on waiting'
    keys room F2
    wait_screen room 'May it run'
    confirm room x
    for each in 1 2 3 4 5 6 7 8 9; do
        client_ends "room$each" 77
    done
    test ! -e "$e2e_work/room9"
    quits room
    test "$(console_status room)" = 0
}

test_case starts
test_case marked_ones_are_answered_together
test_case the_same_is_one_row
test_case high_risk_is_not_in_bulk
test_case each_has_its_own_record
test_case what_has_no_room_waits_behind_others
e2e_end
