#!/bin/sh
# SPDX-License-Identifier: MIT
# Agents that are scripts and have lost their parents: all are children of one subreaper then. What
# is allowed to one of them stays its own, and stays while it starts one bridge after the other.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
test_need setsid
e2e_begin
mkfifo "$e2e_dir/scripts"

# orphan NAME: an agent that asks twice, by a hook each. NAME.1 and NAME.2 are its answers; the
# second hook starts once NAME.again is there, and the agent ends once NAME.end is.
orphan() {
    cat >"$e2e_dir/$1" <<END
cd '$e2e_work'
for count in 1 2; do
    '$e2e_build/assent' hook <'$e2e_dir/event' >'$e2e_dir/new'
    mv '$e2e_dir/new' '$e2e_dir/$1'.\$count
    while ! test -e '$e2e_dir/$1.again'; do sleep 0.1; done
done
while ! test -e '$e2e_dir/$1.end'; do sleep 0.1; done
touch '$e2e_dir/$1.ended'
END
    echo "$e2e_dir/$1" >"$e2e_dir/scripts"
}

answered() {
    wait_for "the answer to $1" grep -q "\"permissionDecision\":\"$2\"" "$e2e_dir/$1"
}

# orphan_ends NAME: its second question, answered like the first without asking, is the last.
orphan_ends() {
    touch "$e2e_dir/$1.again"
    answered "$1.2" "$2"
    touch "$e2e_dir/$1.end"
    wait_for "the end of $1" test -e "$e2e_dir/$1.ended"
}

each_is_an_agent_of_its_own() {
    printf '{"session_id":"s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":%s}' \
        "$e2e_work" '{"command":"cat x"}' >"$e2e_dir/event"
    rm -f "$e2e_dir"/one* "$e2e_dir"/two*
    orphan one
    asked main 'cat x'
    confirm main a
    answered one.1 allow
    unasked main
    orphan two
    asked main 'cat x'
    keys main d
    answered two.1 deny
    unasked main
    orphan_ends one allow
    orphan_ends two deny
}

# As of systemd, where it has started the operator's terminal.
of_one_that_the_console_comes_from() {
    terminal_start main 100x30 python3 "$srcdir/tests/e2e/reaper.py" "$e2e_dir/scripts" \
        "$e2e_build/assent" -c guard_time=0
    wait_screen main ' keys: '
    each_is_an_agent_of_its_own
    console_stop main
}

of_one_beside_the_console() {
    console_open main 100x30 -c guard_time=0
    terminal_start reaper 80x24 python3 "$srcdir/tests/e2e/reaper.py" "$e2e_dir/scripts"
    each_is_an_agent_of_its_own
    e2e_tmux kill-session -t reaper
    console_stop main
}

test_case of_one_that_the_console_comes_from
test_case of_one_beside_the_console
e2e_end
