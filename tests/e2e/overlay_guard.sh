#!/bin/sh
# SPDX-License-Identifier: MIT
# What never decides a request: keys typed before it could be read, pasted text, keys that belong
# to a pane.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# paste NAME TEXT: as a terminal hands over what comes from the clipboard.
paste() {
    e2e_tmux set-buffer -b clipboard "$2" \; paste-buffer -p -b clipboard -t "$1"
}

# The guard's end shows on the screen: the answers are no longer dimmed (colour 243).
answers_are_dimmed() {
    screen -e guard | grep -F 'allow once' | grep -q '38;5;243m'
}

answers_are_bright() {
    screen -e guard | grep -F 'allow once' | grep -qv '38;5;243m'
}

keys_typed_before_and_at_the_start_do_not_decide() {
    console_open guard 80x24 --policy untrusted -c guard_time=5s
    keys guard y
    wait_screen guard '> y'
    client one -- touch early
    wait_screen guard 'c1 asks: shown once this line is sent'
    keys guard y
    wait_screen guard '> yy'
    client_waits one
    wait_screen guard 'May it run' # the line has rested
    keys guard y Enter a
    wait_for 'the guard' answers_are_dimmed
    wait_for 'the end of the guard' answers_are_bright
    client_waits one
    test ! -e "$e2e_work/early"
    # A pasted text that ends the paste before its time is no answer either.
    paste guard "$(printf 'text\033[201~y\ry')"
    wait_for 'the guard' answers_are_dimmed
    wait_for 'the end of the guard' answers_are_bright
    client_waits one
    keys guard d
    client_ends one 77
    # Nothing of that is run by a later Enter: not what came before the request either.
    wait_screen guard '> yy'
    sleep 6 # what is typed right behind an answer is dropped
    keys guard Enter
    wait_screen guard 'A request came up while you typed this'
    keys guard C-u
    wait_screen guard '> a command to run'
    screen_lacks guard c2
}

one_key_decides_one_request() {
    client one -- touch first
    asked guard 'touch first'
    client two -- touch second
    wait_screen guard '1 more waits'
    wait_for 'the end of the guard' answers_are_bright
    keys guard y
    client_ends one 0
    keys guard y
    asked guard 'touch second'
    wait_for 'the end of the guard' answers_are_bright
    client_waits two
    test ! -e "$e2e_work/second"
    keys guard d
    client_ends two 77
    keys guard d
    # Nor does it go to the prompt line.
    wait_screen guard '> a command to run'
    quits guard
    test "$(console_status guard)" = 0
}

pasted_text_does_not_decide() {
    console_open main 80x24 --policy untrusted -c guard_time=0
    client one -- touch pasted
    asked main 'touch pasted'
    paste main 'y'
    paste main "$(printf 'y\r\na\nd\n ')"
    keys main v
    wait_screen main 'everything about c1'
    keys main Escape
    wait_no_screen main 'everything about c1'
    asked main 'touch pasted'
    client_waits one
    test ! -e "$e2e_work/pasted"
}

pasted_message_waits_for_enter() {
    keys main n
    wait_screen main 'Enter denies with this message'
    paste main "$(printf 'first line\nsecond line\n ')"
    wait_screen main 'second line'
    client_waits one
    keys main Enter
    client_ends one 77
    grep -q 'refused by the operator: first line' "$e2e_dir/one.err"
    grep -q '^second line' "$e2e_dir/one.err"
}

pasted_command_waits_for_enter() {
    paste main "$(printf 'echo pasted >here\n ')"
    wait_screen main '> echo pasted >here'
    keys main F1
    wait_screen main 'Agents ask for commands here'
    keys main Escape
    wait_no_screen main 'Agents ask for commands here'
    wait_screen main '> echo pasted >here'
    test ! -e "$e2e_work/here"
    keys main C-c
    wait_screen main '> a command to run'
    console_stop main
}

# A program in a pane with the keyboard: a request is a mark on the bottom row, and no more.
keys_of_a_pane_stay_there() {
    # shellcheck disable=SC2016 # for the inner shell
    console_open pane 80x24 --policy untrusted -c guard_time=0 -- \
        sh -c 'while read -r line; do echo "got <$line>"; done; echo "the end"'
    wait_screen pane 'keys: pane c1'
    client one -- touch typed
    wait_screen pane '1 waiting'
    for line in y a p x v; do
        keys pane "$line" Enter
        wait_screen pane "got <$line>"
    done
    keys pane Escape Enter
    wait_screen pane '^['
    wait_no_screen pane 'May it run'
    client_waits one
    test ! -e "$e2e_work/typed"
    keys pane "C-\\"
    asked pane 'touch typed'
    keys pane y
    client_ends one 0
    test -e "$e2e_work/typed"
    # The keyboard does not go back by itself.
    wait_screen pane 'keys: prompt'
    keys pane F12
    wait_screen pane 'keys: pane c1'
    keys pane C-d
    wait_screen pane 'the end'
    console_stop pane
}

test_case keys_typed_before_and_at_the_start_do_not_decide
test_case one_key_decides_one_request
test_case pasted_text_does_not_decide
test_case pasted_message_waits_for_enter
test_case pasted_command_waits_for_enter
test_case keys_of_a_pane_stay_there
e2e_end
