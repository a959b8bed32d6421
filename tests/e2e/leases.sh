#!/bin/sh
# SPDX-License-Identifier: MIT
# How long an answer holds, and the list of what holds, on a real screen.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

log_has() {
    wait_for "$1 in the record" grep -qF -e "$1" "$e2e_dir"/state/assent/sessions/*.jsonl
}

# On a busy machine minutes may be gone already.
counts_down() {
    screen main | grep -q 'for 10 minutes, [1-9]:[0-5][0-9]'
}

# The same request again runs unasked.
makes() {
    client one -- mkdir -p made
    client_ends one 0
}

starts() {
    console_open main 100x30 --policy untrusted -c guard_time=0 -- sleep 1000
    wait_for 'the pane' e2e_running '^sleep 1000'
    wait_screen main 'keys: pane c1'
    keys main F12
    wait_screen main 'keys: prompt'
}

# Keys that come all at once would not count.
two_lengths() {
    keys main l
    wait_screen main 'allow only this for 10 minutes'
    keys main l
    wait_screen main 'allow only this now and 5 more times'
}

some_runs() {
    client one -- mkdir -p made
    asked main 'mkdir -p made'
    two_lengths
    keys main -
    wait_screen main 'allow only this now and 3 more times'
    keys main -
    wait_screen main 'allow only this now and 2 more times (l: 3 of 4, + more, - less)'
    wait_screen main "How long a holds (3 of 4)"
    keys main a
    client_ends one 0
    wait_screen main 'allowed for 2 more runs, by you'
    makes
    wait_screen main 'allowed, covered by your answer to c'
    makes
    wait_screen main 'holds no more, its runs are used up'
    client one -- mkdir -p made
    asked main 'mkdir -p made'
    keys main d
    client_ends one 77
    log_has '"lease":{"kind":"runs","runs":2}'
    log_has '"why":"runs","uses":2'
}

a_time_counts_down_and_is_taken_back() {
    client one -- mkdir -p other
    asked main 'mkdir -p other'
    keys main l
    wait_screen main 'allow only this for 10 minutes (l: 2 of 4, + more, - less)'
    keys main a
    client_ends one 0
    typed main ':grants'
    keys main Enter
    wait_screen main 'What holds without a question'
    wait_for 'the time that is left' counts_down
    wait_screen main 'used 0 times since; your answer to c'
    keys main r
    wait_no_screen main 'used 0 times'
    wait_screen main 'stays denied' # which holds, too
    keys main Escape
    wait_no_screen main 'What holds without a question'
    client one -- mkdir -p other
    asked main 'mkdir -p other'
    keys main d
    client_ends one 77
    log_has '"why":"revoked"'
}

until_the_pane_ends() {
    client one -- mkdir -p third
    asked main 'mkdir -p third'
    two_lengths
    keys main l
    wait_screen main 'allow only this until c1 ends'
    keys main a
    client_ends one 0
    client one -- mkdir -p third
    client_ends one 0
    typed main ':stop c1'
    keys main Enter
    wait_screen main 'what it was given for has ended'
    client one -- mkdir -p third
    asked main 'mkdir -p third'
    two_lengths
    keys main l
    wait_screen main 'allow exactly this, in this directory, for this session (l'
    keys main d
    client_ends one 77
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

test_case starts
test_case some_runs
test_case a_time_counts_down_and_is_taken_back
test_case until_the_pane_ends
test_case ends
e2e_end
