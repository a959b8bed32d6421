#!/bin/sh
# SPDX-License-Identifier: MIT
# The operator changes a command before it runs: what runs is that, and the agent is told.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

log_has() {
    wait_for "$1 in the record" grep -qF -e "$1" "$e2e_dir"/state/assent/sessions/*.jsonl
}

starts() {
    console_open main 80x24 --policy untrusted -c guard_time=0
}

what_runs_is_what_was_edited() {
    client one -- bash -c 'touch asked'
    asked main 'touch asked'
    keys main e
    wait_screen main 'change the command'
    keys main C-u
    written main "touch 'edited by me' && echo it ran"
    keys main Enter
    wait_screen main 'Asked for'
    asked main "touch 'edited by me' && echo it ran"
    client_waits one
    keys main y
    client_ends one 0
    test -e "$e2e_work/edited by me"
    test ! -e "$e2e_work/asked"
    test "$(cat "$e2e_dir/one.out")" = 'it ran'
    grep -qF 'assent: the operator changed the command to: bash -c ' "$e2e_dir/one.err"
    wait_screen main 'changed by you'
    log_has '"event":"edited"'
    log_has "\"argv\":[\"bash\",\"-c\",\"touch asked\"]"
    log_has "\"argv\":[\"bash\",\"-c\",\"touch 'edited by me' && echo it ran\"]"
    # Lists show what ran; a text is found in what was asked for, too.
    for text in 'edited by me' 'touch asked'; do
        assent log calls --text "$text" >"$e2e_dir/rows"
        grep -q 'edited by me' "$e2e_dir/rows"
    done
}

it_is_judged_anew() {
    mkdir "$e2e_work/tree"
    client one -- touch harmless
    asked main 'touch harmless'
    keys main e
    wait_screen main 'change the command'
    keys main C-u
    written main 'rm -rf tree'
    keys main Enter
    wait_screen main 'HIGH: deletes data'
    keys main y
    wait_screen main 'Enter confirms'
    client_waits one
    keys main Escape
    wait_screen main 'Not allowed yet'
    keys main d
    client_ends one 77
    test -d "$e2e_work/tree"
    # What never ran is not told.
    if grep 'operator changed the command' "$e2e_dir/one.err"; then
        return 1
    fi
}

going_back_changes_nothing() {
    client one -- touch plain
    asked main 'touch plain'
    keys main e
    wait_screen main 'change the command'
    written main ' other'
    keys main Escape
    wait_no_screen main 'change the command'
    asked main 'touch plain'
    keys main y
    client_ends one 0
    test -e "$e2e_work/plain"
    test ! -e "$e2e_work/other"
    test ! -s "$e2e_dir/one.err"
}

# What ran at first is told where that was not what was asked for either.
what_ran_at_first_is_told() {
    mkdir "$e2e_dir/home/data"
    client two -- bash -c 'touch asked'
    asked main 'touch asked'
    keys main e
    wait_screen main 'change the command'
    keys main C-u
    written main 'touch first && touch ../home/data/b'
    keys main Enter
    asked main 'touch first && touch ../home/data/b'
    client_waits two
    keys main y
    wait_screen main 'changed meanwhile: first'
    keys main e
    wait_screen main 'change the command'
    keys main C-u
    written main 'touch ../home/data/b'
    keys main Enter
    wait_screen main 'Run this instead'
    client_waits two
    keys main w
    client_ends two 0
    test -e "$e2e_dir/home/data/b"
    grep -qF 'the operator changed the command to: touch first && touch ../home/data/b' \
        "$e2e_dir/two.err"
    grep -q 'that ran until the sandbox stopped it; then, for a second try' "$e2e_dir/two.err"
}

# What the first try has done is said, and can be taken out of the second.
a_second_try_is_of_what_is_missing() {
    unasked main
    client one -- bash -c 'echo 1 >>made && touch ../home/data/a'
    asked main 'echo 1 >>made'
    keys main y
    wait_screen main 's; changed meanwhile: made'
    wait_screen main '(e: take that out)'
    keys main e
    wait_screen main 'change the command'
    keys main C-u
    written main 'touch ../home/data/a'
    keys main Enter
    wait_screen main 'Run this instead'
    wait_screen main 'of what was asked for: '
    client_waits one
    keys main w # by itself: nothing of it is done
    client_ends one 0
    test -e "$e2e_dir/home/data/a"
    test "$(cat "$e2e_work/made")" = 1
    grep -q 'it ran as you asked for it until the sandbox stopped it' "$e2e_dir/one.err"
    log_has '; changed meanwhile: made"'
}

# What would do again what is done takes Enter.
what_is_done_again_takes_enter() {
    unasked main
    client one -- bash -c 'echo 1 >>made && touch ../home/data/c'
    asked main 'echo 1 >>made'
    keys main y
    wait_screen main 'changed meanwhile: made'
    keys main w
    wait_screen main 'Enter confirms'
    client_waits one
    keys main Enter
    client_ends one 0
    test "$(wc -l <"$e2e_work/made")" = 3
}

# What the sandbox would stop is known before: nobody is asked twice.
the_only_path_outside_is_offered_at_once() {
    unasked main
    echo old >"$e2e_dir/home/data/b"
    client one -- bash -c 'printf new >../home/data/b && echo done'
    asked main 'printf new'
    wait_screen main 'Or under '
    keys main w
    client_ends one 0
    test "$(cat "$e2e_dir/home/data/b")" = new
    grep -qx 'done' "$e2e_dir/one.out"
}

# Whoever asks to leave the sandbox need not, once the path is there.
an_absent_path_is_offered_when_it_is_there() {
    unasked main
    client one --escalate -- bash -c 'printf new >../home/absent'
    wait_screen main 'then press w'
    touch "$e2e_dir/home/absent"
    wait_screen main 'Or under '
    keys main w
    client_ends one 0
    test "$(cat "$e2e_dir/home/absent")" = new
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

test_case starts
test_case what_runs_is_what_was_edited
test_case it_is_judged_anew
test_case going_back_changes_nothing
test_case what_ran_at_first_is_told
test_case a_second_try_is_of_what_is_missing
test_case what_is_done_again_takes_enter
test_case the_only_path_outside_is_offered_at_once
test_case an_absent_path_is_offered_when_it_is_there
test_case ends
e2e_end
