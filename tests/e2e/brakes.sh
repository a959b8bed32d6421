#!/bin/sh
# SPDX-License-Identifier: MIT
# The operator's brakes: everything is frozen by one key, and an agent is stopped.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    mkdir "$e2e_work/.git"
    echo '[core]' >"$e2e_work/.git/config"
    console_open main 100x30 -c guard_time=0
    # shellcheck disable=SC2016 # for the inner shell
    client ticker --timeout 600000 -- sh -c 'trap "" TERM; while :; do echo x >>ticks; sleep 0.01; done'
    wait_for 'the command' test -s "$e2e_work/ticks"
}

# Every process of the command is stopped, as the kernel says it, and nothing more comes than at the
# last look. A shell that waits for its child to begin (vfork) is in state D for as long as that is
# stopped.
last_ticks=none
is_frozen() {
    frozen_pids=$(e2e_matching '^sh -c trap')
    [ -n "$frozen_pids" ] || return 1
    for pid in $frozen_pids; do
        grep -q '^State:[[:space:]]*[TD]' "/proc/$pid/status" || return 1
    done
    before=$last_ticks
    last_ticks=$(wc -l <"$e2e_work/ticks")
    [ "$before" = "$last_ticks" ]
}

ticks_more() {
    [ "$(wc -l <"$e2e_work/ticks")" -gt "$1" ]
}

one_key_freezes_all() {
    keys main F7
    wait_screen main 'FROZEN: F7 goes on'
    wait_for 'the command to stand still' is_frozen
    ticks=$(wc -l <"$e2e_work/ticks")
    echo "$ticks" >"$e2e_dir/ticks"
    # What comes meanwhile is not refused, and does not start.
    client later -- touch later
    wait_screen main 'touch later'
    wait_screen main ' 2 '
    test ! -e "$e2e_work/later"
    test "$(wc -l <"$e2e_work/ticks")" = "$ticks"
    client_waits later
    client_waits ticker
}

# Somebody outside takes a protected file away: the monitor stops the command until it has put
# something in its place. It is not the one to continue it then.
what_the_monitor_does_does_not_thaw() {
    mv "$e2e_work/.git/config" "$e2e_dir/config"
    wait_for 'a placeholder' test -e "$e2e_work/.git/config"
    typed main ':nothing'
    keys main Enter
    wait_screen main 'there is no command ":nothing"'
    keys main C-u
    wait_for 'the command to stand still' is_frozen
    test "$(wc -l <"$e2e_work/ticks")" = "$(cat "$e2e_dir/ticks")"
}

once_more_lets_it_go_on() {
    ticks=$(wc -l <"$e2e_work/ticks")
    keys main F7
    wait_no_screen main 'FROZEN'
    wait_for 'more from the command' ticks_more "$ticks"
    client_ends later 0
    test -e "$e2e_work/later"
}

what_is_cancelled_while_frozen_never_runs_again() {
    # shellcheck disable=SC2016
    client ender -- sh -c 'trap "echo x >>ran" TERM; echo x >>ready; while :; do sleep 0.01; done'
    wait_for 'the command' test -s "$e2e_work/ready"
    typed main ':freeze'
    keys main Enter
    wait_screen main 'FROZEN: F7 goes on'
    twice main F4 'F4 once more ends'
    client_ends ender 137
    typed main ':thaw'
    keys main Enter
    wait_no_screen main 'FROZEN'
    test ! -e "$e2e_work/ran"
}

an_agent_is_stopped() {
    # By the name that stands on the screen; it is stopped as the program that starts it.
    typed main ':stop assent exec'
    keys main Enter
    wait_screen main ':stop assent exec once more stops all requests of '
    client_waits ticker
    typed main ':stop assent exec'
    keys main Enter
    wait_screen main 'Stopped (:resume '
    client_status ticker >/dev/null
    client next -- touch next
    client_ends next 77
    test ! -e "$e2e_work/next"
    grep -q 'the operator has stopped this agent' "$e2e_dir/next.err"
    typed main ':resume assent exec'
    keys main Enter
    wait_screen main ', may ask'
    client next -- touch next
    client_ends next 0
    test -e "$e2e_work/next"
}

record_says_so() {
    grep -rq 'the operator froze all commands' "$e2e_dir/state/assent/sessions"
    grep -rq 'the operator stopped who calls itself' "$e2e_dir/state/assent/sessions"
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

test_case starts
test_case one_key_freezes_all
test_case what_the_monitor_does_does_not_thaw
test_case once_more_lets_it_go_on
test_case what_is_cancelled_while_frozen_never_runs_again
test_case an_agent_is_stopped
test_case record_says_so
test_case ends
e2e_end
