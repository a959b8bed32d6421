#!/bin/sh
# SPDX-License-Identifier: MIT
# What an operator does with a request before deciding: view all of it, put it aside, walk through
# the answers, confirm what is risky.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    console_open main 80x24 --policy untrusted -c guard_time=0
}

v_shows_everything() {
    client one --justification 'links are useful' -- ln -s x viewed
    asked main 'ln -s x viewed'
    for key in v C-a; do
        keys main "$key"
        wait_screen main 'everything about c1'
        wait_screen main 'links are useful'
        # Keys there are for reading.
        keys main y Enter
        keys main Escape
        wait_no_screen main 'everything about c1'
        asked main 'ln -s x viewed'
        client_waits one
        test ! -L "$e2e_work/viewed"
    done
    keys main d
    client_ends one 77
}

# A command that does not fit is allowed only by who has seen all of it.
a_long_command_is_read_in_full() {
    words=$(seq -f 'w%g' 1000 | tr '\n' ' ')
    # shellcheck disable=SC2086 # words
    client one -- touch $words last-word
    asked main 'touch w1 '
    keys main y
    wait_screen main 'Read all of the command first'
    client_waits one
    test ! -e "$e2e_work/w1"
    keys main End
    wait_screen main 'last-word'
    wait_screen main '; unread from '
    keys main y
    wait_screen main 'Read all of the command first'
    client_waits one
    keys main Home
    wait_screen main 'lines 1 to'
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        keys main NPage
        sleep 0.1
    done
    wait_screen main 'last-word'
    wait_screen main 'PgUp'
    keys main y
    client_ends one 0
    test -e "$e2e_work/last-word"
}

escape_puts_aside_and_never_decides() {
    client one -- ln -s x aside
    asked main 'ln -s x aside'
    keys main Escape
    wait_no_screen main 'May it run'
    wait_screen main '1 waiting'
    # These are the prompt line's now.
    typed main 'yyy'
    wait_screen main '> yyy'
    keys main Escape
    wait_screen main '> a command to run'
    client_waits one
    test ! -L "$e2e_work/aside"
    keys main F2
    asked main 'ln -s x aside'
    keys main Escape
    wait_no_screen main 'May it run'
    wait_screen main '1 waiting'
    typed main ':answer'
    keys main Enter
    asked main 'ln -s x aside'
    client_waits one
    keys main y
    client_ends one 0
    test -L "$e2e_work/aside"
}

the_cursor_starts_on_deny() {
    client one -- ln -s x cursor
    asked main 'ln -s x cursor'
    wait_screen main '▸ d '
    keys main Enter
    client_ends one 77
    test ! -L "$e2e_work/cursor"
}

arrows_and_enter_choose() {
    client one -- ln -s x arrows
    asked main 'ln -s x arrows'
    keys main Up
    wait_screen main '▸ p '
    keys main Up
    wait_screen main '▸ a '
    keys main Up
    wait_screen main '▸ y '
    keys main Up
    wait_screen main '▸ x↵ '
    client_waits one
    keys main Down
    wait_screen main '▸ y '
    keys main Enter
    client_ends one 0
    test -L "$e2e_work/arrows"
}

high_risk_needs_the_key_and_enter() {
    mkdir "$e2e_work/victim"
    client one -- rm -rf victim
    asked main 'rm -rf victim'
    wait_screen main 'HIGH'
    for key in y a; do
        keys main "$key"
        wait_screen main 'Enter confirms'
        test -d "$e2e_work/victim"
        client_waits one
        # Anything else takes it back, also the same key again.
        keys main "$key"
        wait_screen main 'Not allowed yet'
        test -d "$e2e_work/victim"
        client_waits one
    done
    keys main y
    wait_screen main 'Enter confirms'
    keys main Enter
    client_ends one 0
    test ! -e "$e2e_work/victim"
}

high_risk_is_denied_by_one_key() {
    mkdir "$e2e_work/victim"
    client one -- rm -r -f victim
    asked main 'rm -r -f victim'
    keys main d
    client_ends one 77
    test -d "$e2e_work/victim"
}

what_cannot_be_shown_needs_enter_too() {
    client one -- touch "$(printf 'a\033[2J\342\200\256b')"
    asked main 'touch '
    wait_screen main '2 characters are shown by marks'
    keys main y
    wait_screen main 'Enter confirms'
    client_waits one
    keys main d
    wait_screen main 'Not allowed yet'
    keys main d
    client_ends one 77
    test -z "$(find "$e2e_work" -name 'a*b')"
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

titled() {
    test "$(e2e_tmux display-message -p -t alert '#{pane_title}')" = "$1"
}

rang() {
    LC_ALL=C grep -q "$(printf '\a')" "$e2e_dir/bytes"
}

a_request_rings_and_shows_in_the_title() {
    console_open alert 80x24 --policy untrusted -c guard_time=0
    wait_for 'the title' titled 'work - Assent'
    e2e_tmux pipe-pane -t alert "cat >'$e2e_dir/bytes'"
    client one -- touch heard
    asked alert 'touch heard'
    wait_for 'the title' titled '1 request waits - work - Assent'
    wait_for 'the bell' rang
    keys alert d
    client_ends one 77
    wait_for 'the title' titled 'work - Assent'
    console_stop alert
}

# Whoever is asked to run it again can read what the first try had to say.
the_first_try_can_be_read() {
    console_open again 80x24 -c guard_time=0
    # shellcheck disable=SC2016 # for the inner shell
    client one -- sh -c 'touch "$1"' sh "$e2e_dir/outside"
    wait_screen again 'Run it again'
    keys again v
    wait_screen again 'everything about c1'
    keys again End
    wait_screen again 'What it wrote to standard error'
    wait_screen again 'touch: cannot touch'
    keys again Escape
    wait_no_screen again 'everything about c1'
    keys again d
    client_ends one 77
    test ! -e "$e2e_dir/outside"
    console_stop again
}

# A remote's name says nothing: the summary has the address, without the password in it.
a_push_names_its_address() {
    git init -q -b main "$e2e_work"
    git -C "$e2e_work" remote add origin https://me:geheim@host.example/x.git
    console_open push 80x24 -c guard_time=0 -c approval_policy=untrusted
    client one -- git push origin main
    wait_screen push '(https://<masked>@host.example/x.git)'
    screen_lacks push geheim
    keys push d
    client_ends one 77
    console_stop push
    rm -rf "$e2e_work/.git"
}

# What the first attempt printed is not to be read as what the second did: between them the client
# says so, on a terminal and in a file.
a_second_attempt_is_told() {
    console_open twice 100x30 -c guard_time=0
    terminal_start asks 80x24 sh
    command="echo began >&2; touch '$e2e_dir/twice'"
    typed asks "cd '$e2e_work'; clear; '$e2e_build/assent' exec -- sh -c \"$command\""
    keys asks Enter
    wait_screen twice 'Run it again'
    confirm twice y
    wait_screen asks 'assent: second try:'
    e2e_tmux kill-session -t asks
    rm -f "$e2e_dir/twice"
    # The third is not asked about: nothing is between its attempts.
    for answer in y a none; do
        client one -- sh -c "$command"
        if [ "$answer" != none ]; then
            wait_screen twice 'Run it again'
            confirm twice "$answer"
        fi
        client_ends one 0
        rm "$e2e_dir/twice"
        test ! -s "$e2e_dir/one.out"
        test "$(grep -xE 'began|assent: second try:' "$e2e_dir/one.err")" = "$(printf '%s\n' \
            began 'assent: second try:' began)"
        unasked twice
    done
    console_stop twice
}

test_case a_request_rings_and_shows_in_the_title
test_case the_first_try_can_be_read
test_case a_push_names_its_address
test_case a_second_attempt_is_told
test_case starts
test_case v_shows_everything
test_case a_long_command_is_read_in_full
test_case escape_puts_aside_and_never_decides
test_case the_cursor_starts_on_deny
test_case arrows_and_enter_choose
test_case high_risk_needs_the_key_and_enter
test_case high_risk_is_denied_by_one_key
test_case what_cannot_be_shown_needs_enter_too
test_case ends
e2e_end
