#!/bin/sh
# SPDX-License-Identifier: MIT
# The demo: headless as plain lines, and in a terminal with an operator who answers.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need git
e2e_begin

nothing_is_left_behind() {
    test -z "$(find "$e2e_dir/home" "$e2e_dir/tmp" -name '*demo*')"
    test -z "$(find "$e2e_dir/run" -name '*.sock')"
}

decides_by_policy_without_a_terminal() {
    assent --demo --headless </dev/null >"$e2e_dir/lines" 2>&1
    cat "$e2e_dir/lines"
    grep -q '^c2 approved (config), asked by .*: git status --short$' "$e2e_dir/lines"
    grep -q '^c5 approved (config), asked by .*: cp notes.md ' "$e2e_dir/lines"
    grep -q '^c5 the sandbox .*blocked: write .*/outside/notes.md$' "$e2e_dir/lines"
    grep -q '^c8 denied (config), asked by .*: rm -rf build: ' "$e2e_dir/lines"
    grep -q '^c9 refused: did not run, its client ends with status 77$' "$e2e_dir/lines"
    nothing_is_left_behind
}

needs_no_option_for_that() {
    assent --demo </dev/null >"$e2e_dir/lines" 2>&1
    grep -q '^c9 refused: did not run, its client ends with status 77$' "$e2e_dir/lines"
    nothing_is_left_behind
    test -z "$(find "$e2e_dir/tmp" -mindepth 1)"
    all_ended
}

# Closed, or ended by a signal, while it asks.
leaves_nothing_when_it_is_cut_short() {
    for signal in HUP TERM; do
        console_start "$signal" 80x24 --demo
        wait_screen "$signal" 'c5 may have been stopped by the sandbox. Run it again'
        wait_screen "$signal" 'I publish the notes beside the project. Try "w": this once.' # whole
        test -n "$(find "$e2e_dir/home" -name '*demo*')"
        pid=$(basename "$(find "$e2e_dir/run" -name '*.sock')" .sock)
        test "$signal" = HUP || kill "-$signal" "$pid"
        console_stop "$signal"
        nothing_is_left_behind
        test -z "$(find "$e2e_dir/tmp" -mindepth 1)"
    done
}

shows_each_way_a_command_can_go() {
    console_start main 100x30 -c guard_time=0 --demo
    wait_screen main 'c5 may have been stopped by the sandbox. Run it again'
    wait_screen main 'I publish the notes beside the project'
    screen_lacks main 'assent-sandbox' # that carries the agent, and asks for nothing
    outside=$(find "$e2e_dir/home" -type d -name outside)
    test -d "$outside"
    test ! -e "$outside/notes.md"
    confirm main a # it goes on leaving the sandbox
    # The second copy is covered, and the forced removal asks.
    wait_screen main 'c8 asks. May it run'
    test -e "$outside/notes.md"
    test -d "$outside/../project/build"
    keys main y
    wait_screen main 'Enter confirms'
    test -d "$outside/../project/build"
    keys main Enter
    wait_screen main 'c9 asks. May it run'
    test ! -e "$outside/../project/build"
    keys main n
    wait_screen main 'Enter denies with this message'
    written main 'keep that, please'
    keys main Enter
    wait_screen main 'c9 demo-agent, denied (:undo'
    test -d "$outside"
    wait_for 'the message in the record' grep -rq 'keep that, please' "$e2e_dir/state"
}

ends_and_leaves_nothing() {
    wait_for 'the end of the agent' e2e_not_running data/demo-agent
    quits main
    test "$(console_status main)" = 0
    nothing_is_left_behind
}

# What keeps a command from running at all is said, and ends it.
says_why_nothing_runs() {
    mkdir -p "$e2e_dir/alone/outside"
    status=0
    (cd "$e2e_dir/alone" && e2e_run env ASSENT_DEMO_OUTSIDE="$e2e_dir/alone/outside" \
        ASSENT_PROGRAM="$e2e_build/assent" sh "$srcdir/data/demo-agent") >"$e2e_dir/lines" 2>&1 || status=$?
    cat "$e2e_dir/lines"
    test "$status" = 125
    grep -q '^  It could not run: .*console' "$e2e_dir/lines"
    grep -q '"assent doctor" says' "$e2e_dir/lines"
    test "$(ls "$e2e_dir/alone")" = outside
}

# It tells what follows from each answer: here from two denials.
goes_by_what_was_answered() {
    console_start no 100x60 -c guard_time=0 --zoom --demo
    wait_screen no 'c5 may have been stopped by the sandbox. Run it again'
    keys no d
    wait_screen no 'c8 asks. May it run'
    keys no d
    wait_screen no 'c9 asks. May it run'
    keys no d
    # All that it has said is in the pane, which has the whole screen.
    wait_screen no 'So it is still there.'
    wait_screen no 'So build is still there.'
    wait_screen no 'You denied it: the same is now refused'
    wait_for 'the end of the agent' e2e_not_running data/demo-agent
    quits no
    test "$(console_status no)" = 0
    nothing_is_left_behind
}

test_case decides_by_policy_without_a_terminal
test_case needs_no_option_for_that
test_case leaves_nothing_when_it_is_cut_short
test_case shows_each_way_a_command_can_go
test_case ends_and_leaves_nothing
test_case says_why_nothing_runs
test_case goes_by_what_was_answered
e2e_end
