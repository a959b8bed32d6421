#!/bin/sh
# SPDX-License-Identifier: MIT
# The console in plain lines, on a terminal that can do nothing.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    terminal_start main 140x55 env TERM=dumb "$e2e_build/assent" --plain --policy untrusted -c guard_time=0
    wait_screen main 'Assent, in plain lines'
}

answer() {
    typed main "$1"
    keys main Enter
}

a_request_is_answered_by_a_line() {
    client one -- touch one
    wait_screen main 'Answer for c1:'
    wait_screen main '    | touch one'
    test ! -e "$e2e_work/one"
    answer 'y 1'
    client_ends one 0
    test -e "$e2e_work/one"
    wait_screen main 'c1 assent exec, allowed once, by you: touch one'
}

high_risk_takes_the_word() {
    mkdir "$e2e_work/precious"
    client two -- rm -rf precious
    wait_screen main 'Answer for c2:'
    answer 'y 2'
    wait_screen main 'type the word yes:'
    client_waits two
    test -d "$e2e_work/precious"
    answer 'no'
    wait_screen main 'Not allowed yet. Answer for c2:'
    answer 'n'
    wait_screen main 'What to tell the agent?'
    answer 'keep it'
    client_ends two 77
    grep -qF 'keep it' "$e2e_dir/two.err"
    test -d "$e2e_work/precious"
}

the_operator_runs_a_command() {
    answer '!pwd'
    wait_screen main "c3| $e2e_work"
    wait_screen main 'c3 done'
}

# What is only read is read out of the real record and the real rule files.
everything_is_read_out() {
    client four -- touch four
    wait_screen main 'Answer for c4:'
    answer 'v'
    wait_screen main 'Everything about c4'
    wait_screen main 'Word by word:'
    answer 'a 4'
    client_ends four 0
    answer ':grants'
    wait_screen main 'your answer to c4'
    answer ':revoke c4'
    wait_screen main 'your answer to c4 is taken back'
    client five -- touch four
    wait_screen main 'Answer for c5:'
    answer 'd'
    client_ends five 77
    answer ':log decision=denied'
    wait_screen main 'denied, by you  touch four'
    answer ':rules'
    wait_screen main 'There are no rules yet.'
}

# The newest rule that an answer made is shown, and taken back.
a_rule_is_made_and_undone() {
    client six -- make one
    wait_screen main 'Answer for c6:'
    answer 'p 6'
    wait_screen main ', rule made (:undo takes it back): make one'
    answer ':rules'
    wait_screen main '| allow     make'
    answer ':undo'
    wait_screen main 'taken back: '
}

# It asks to leave the sandbox, and is kept there.
i_keeps_it_in_the_sandbox() {
    client seven --escalate -- sh -c 'touch within; touch ../home/elsewhere'
    wait_screen main '  i 7: allow once, but in the sandbox'
    wait_screen main 'Answer for c7:'
    answer 'i 7'
    wait_screen main 'stopped by the sandbox. Run it again'
    test -e "$e2e_work/within"
    test ! -e "$e2e_dir/home/elsewhere"
    answer 'd 7'
    client_ends seven 77
    test ! -e "$e2e_dir/home/elsewhere"
    client eight --escalate -- sh -c 'touch within'
    wait_screen main 'Answer for c8:'
    answer 'i 8'
    client_ends eight 0
    answer ':log decision=approved_sandboxed'
    wait_screen main 'allowed once, but in the sandbox, by you  exit 0  touch within'
}

ends() {
    answer ':quit'
    test "$(console_status main)" = 0
}

said_again() {
    test "$(screen cut | grep -c 'quit once more to end it')" = 2
}

# Ctrl-C empties the line; what has not finished is told of before that is ended.
an_interrupt_is_asked_about() {
    terminal_start cut 140x45 env TERM=dumb "$e2e_build/assent" --plain --policy untrusted -c guard_time=0
    wait_screen cut 'Assent, in plain lines'
    client nine -- touch nine
    wait_screen cut 'Answer for c1:'
    typed cut 'y 1'
    keys cut C-c
    wait_screen cut '1 call has not finished: quit once more to end it'
    keys cut Enter
    client_waits nine
    test ! -e "$e2e_work/nine"
    keys cut C-c
    wait_for 'the same words again' said_again
    keys cut C-c
    test "$(client_status nine)" != 0
    all_ended
    test ! -e "$e2e_work/nine"
}

test_case starts
test_case a_request_is_answered_by_a_line
test_case high_risk_takes_the_word
test_case the_operator_runs_a_command
test_case everything_is_read_out
test_case a_rule_is_made_and_undone
test_case i_keeps_it_in_the_sandbox
test_case ends
test_case an_interrupt_is_asked_about
e2e_end
