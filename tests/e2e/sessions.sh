#!/bin/sh
# SPDX-License-Identifier: MIT
# Plain clients of two programs: what the operator allows for one holds for all, unless they are told
# apart; then what is allowed or ended for one does not reach the other.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# in_shell NAME COMMAND: typed there; the exit status of its client goes to $e2e_dir/NAME.exit.
in_shell() {
    rm -f "$e2e_dir/$1.exit"
    typed "$1" "clear; $2; echo \$? >'$e2e_dir/$1.new'; mv '$e2e_dir/$1.new' '$e2e_dir/$1.exit'"
    keys "$1" Enter
}

starts() {
    terminal_start one 80x24 sh
    terminal_start two 80x24 sh
    e2e_tmux list-panes -t one -F '#{pane_pid}' >"$e2e_dir/pid"
}

all_share_a_session() {
    console_open shared 100x30 --policy untrusted -c guard_time=0
    in_shell one "'$e2e_build/assent' exec -- touch kept"
    asked shared 'touch kept'
    wait_screen shared 'shared, with answers, by all that use assent exec (:sessions)'
    wait_screen shared 'same as d: nothing else to end'
    keys shared a
    client_ends one 0
    in_shell two "'$e2e_build/assent' exec -- touch kept"
    client_ends two 0
    others_are_ended_when_that_is_confirmed
    quits shared
    test "$(console_status shared)" = 0
}

# Most of the calls of a shared session are somebody else's: they end, but neither untold nor at once.
others_are_ended_when_that_is_confirmed() {
    in_shell one "'$e2e_build/assent' exec -- sh -c 'touch ran; sleep 100'"
    asked shared 'touch ran'
    keys shared y
    wait_for 'the first to run' test -e "$e2e_work/ran"
    in_shell two "'$e2e_build/assent' exec -- touch two"
    asked shared 'touch two'
    behind=$(screen shared | sed -n 's/.*(so it says), process \([0-9]*\)[, ].*/\1/p')
    test -n "$behind"
    test "$(basename "$(readlink "/proc/$behind/exe")")" != assent-exec
    wait_screen shared 'deny (session), end 1 call of other programs'
    keys shared x
    wait_screen shared 'Enter: deny, and end c3'
    keys shared Escape
    wait_screen shared 'Not answered yet'
    client_waits one
    client_waits two
    confirm shared x
    client_ends one 143
    wait_screen one 'assent: stopped by the operator'
    client_ends two 77
    wait_screen shared ", denied, and the session's open calls ended (:undo"
}

# One program has all the places of the shared session; the other's request is there to be seen.
one_that_floods_keeps_no_other_out() {
    console_open flooded 100x30 --policy untrusted -c guard_time=0 -c max_open_calls=3
    in_shell one "for n in 1 2 3 4 5; do '$e2e_build/assent' exec -- touch flood\$n & done; wait"
    wait_screen flooded '2 more wait'
    in_shell two "'$e2e_build/assent' exec -- touch quiet"
    wait_screen flooded '3 more wait'
    keys flooded F9
    wait_screen flooded 'touch quiet'
    keys flooded End
    wait_screen flooded '┃ touch quiet'
    keys flooded d
    client_ends two 77
    keys flooded F9
    wait_screen flooded 'go on waiting'
    quits flooded
    test "$(console_status flooded)" = 0
    client_ends one 0
}

# A name makes no session, but who calls itself so is stopped by it, with the processes it comes from.
a_name_is_stopped_with_its_processes() {
    console_open named 100x30 --policy untrusted -c guard_time=0
    in_shell one "'$e2e_build/assent' exec --session bob -- touch bobs"
    asked named 'touch bobs'
    keys named Escape
    unasked named
    in_shell two "'$e2e_build/assent' exec --session alice -- touch alices"
    asked named 'touch alices'
    wait_screen named 'by all that use assent exec (:sessions)'
    keys named Escape
    unasked named
    typed named ':stop bob'
    keys named Enter
    wait_screen named 'once more stops all requests of "bob" and '
    typed named ':stop bob'
    keys named Enter
    wait_screen named 'lets them ask again): "bob" and '
    client_ends one 77
    client_waits two
    in_shell one "'$e2e_build/assent' exec --session other -- ls"
    client_ends one 77
    typed named ':resume bob'
    keys named Enter
    wait_screen named 'may ask again'
    in_shell one "'$e2e_build/assent' exec --session bob -- ls"
    client_ends one 0
    typed named ':stop shared'
    keys named Enter
    wait_screen named 'once more stops all requests of all that use assent exec'
    typed named ':stop shared'
    keys named Enter
    client_ends two 77
    quits named
    test "$(console_status named)" = 0
}

# Two agents in one terminal multiplexer: one of them is stopped, with all that it starts, and what
# loses its parents in its terminal, too. The other goes on.
agent_in_multiplexer() {
    cat >"$e2e_dir/$1.sh" <<END
echo \$\$ >'$e2e_dir/$1.pid'
'$e2e_build/assent' exec -- touch $1
echo \$? >'$e2e_dir/$1.new'
mv '$e2e_dir/$1.new' '$e2e_dir/$1.exit'
setsid '$e2e_build/assent' exec -- ls
echo \$? >'$e2e_dir/$1.apart.new'
sh -c "('$e2e_build/assent' exec -- ls; echo \\\$? >'$e2e_dir/$1.orphan.new'; \
    mv '$e2e_dir/$1.orphan.new' '$e2e_dir/$1.orphan.exit') &"
mv '$e2e_dir/$1.apart.new' '$e2e_dir/$1.apart.exit'
END
    rm -f "$e2e_dir/$1.exit"
    e2e_agents send-keys -t "$1" "sh '$e2e_dir/$1.sh'" Enter
}

e2e_agents() {
    (cd "$e2e_work" && e2e_run env -u TMUX tmux -S "$e2e_dir/agents" -f /dev/null "$@")
}

an_agent_of_a_multiplexer_is_stopped_alone() {
    console_open beside 100x30 --policy untrusted -c guard_time=0
    e2e_agents new-session -d -s first 'exec sh -i' \; new-session -d -s second 'exec sh -i'
    agent_in_multiplexer first
    asked beside 'touch first'
    keys beside Escape
    unasked beside
    agent_in_multiplexer second
    asked beside 'touch second'
    keys beside Escape
    unasked beside
    name="$(basename "$(readlink "/proc/$(cat "$e2e_dir/first.pid")/exe")") $(cat "$e2e_dir/first.pid")"
    typed beside ":stop $name"
    keys beside Enter
    wait_screen beside "once more stops all requests of $name with its processes"
    typed beside ":stop $name"
    keys beside Enter
    client_ends first 77
    client_ends first.apart 77
    client_ends first.orphan 77
    client_waits second
    keys beside F9
    wait_screen beside 'touch second'
    keys beside d
    client_ends second 77
    client_ends second.apart 0
    client_ends second.orphan 0
    e2e_agents kill-server
    quits beside
    test "$(console_status beside)" = 0
}

# What the operator has put aside of one agent, however much, keeps no other one back that lives in the
# same multiplexer: its request comes up by itself.
what_is_put_aside_keeps_no_other_back() {
    console_open aside 100x30 --policy untrusted -c guard_time=0
    e2e_agents new-session -d -s flood 'exec sh -i' \; new-session -d -s quiet 'exec sh -i'
    cat >"$e2e_dir/flood.sh" <<END
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do '$e2e_build/assent' exec -- touch flood\$n & done
wait
END
    e2e_agents send-keys -t flood "sh '$e2e_dir/flood.sh'" Enter
    wait_screen aside '12 requests wait'
    keys aside F9
    wait_screen aside '12 requests wait'
    keys aside Escape
    wait_screen aside '12 requests go on waiting'
    agent_in_multiplexer quiet
    asked aside 'touch quiet'
    keys aside d
    client_ends quiet 77
    client_ends quiet.apart 0
    quits aside
    test "$(console_status aside)" = 0
    e2e_agents kill-server
}

they_are_told_apart() {
    console_open main 100x30 --policy untrusted -c guard_time=0 -c plain_sessions=program
}

what_is_allowed_to_one_is_asked_of_the_other() {
    in_shell one "'$e2e_build/assent' exec -- touch kept"
    asked main 'touch kept'
    wait_screen main "all that process $(cat "$e2e_dir/pid") starts, and nothing else"
    keys main a
    client_ends one 0
    in_shell one "'$e2e_build/assent' exec -- touch kept"
    client_ends one 0
    in_shell two "'$e2e_build/assent' exec -- touch kept"
    asked main 'touch kept'
    keys main d
    client_ends two 77
}

what_is_ended_of_one_goes_on_of_the_other() {
    in_shell one "'$e2e_build/assent' exec -- sh -c 'touch one; while ! test -e go; do sleep 0.05; done'"
    asked main 'touch one'
    keys main y
    wait_for 'the first to run' test -e "$e2e_work/one"
    in_shell two "'$e2e_build/assent' exec -- touch two"
    asked main 'touch two'
    confirm main x
    client_ends two 77
    wait_screen main 'denied (:undo'
    client_waits one
    touch "$e2e_work/go"
    client_ends one 0
}

# Whoever has no program behind it shares a session with others like it, and no words promise more.
orphans_are_told_so() {
    in_shell one "setsid -f '$e2e_build/assent' exec -- touch orphan >/dev/null 2>&1"
    asked main 'touch orphan'
    wait_screen main 'clients of no running program'
    keys main d
    unasked main
}

# The next one is judged anew, as the words say; who is to be stopped is stopped by name.
a_program_is_stopped_by_its_number() {
    pid=$(cat "$e2e_dir/pid")
    name=$(basename "$(readlink "/proc/$pid/exe")")
    typed main ":stop $name ($pid)"
    keys main Enter
    wait_screen main 'once more stops all requests of'
    typed main ":stop $name ($pid)"
    keys main Enter
    wait_screen main 'Stopped (:resume '
    in_shell one "'$e2e_build/assent' exec -- ls"
    client_ends one 77
    in_shell two "'$e2e_build/assent' exec -- ls"
    client_ends two 0
    typed main ":resume $name ($pid)"
    keys main Enter
    wait_screen main 'may ask again'
    in_shell one "'$e2e_build/assent' exec -- ls"
    client_ends one 0
}

a_session_ends_with_its_program() {
    typed one exit
    keys one Enter
    wait_for 'its end on record' grep -rq '"event":"session_end"' "$e2e_dir/state/assent/sessions"
    quits main
    test "$(console_status main)" = 0
    e2e_tmux kill-server
}

test_case starts
test_case all_share_a_session
test_case one_that_floods_keeps_no_other_out
test_case a_name_is_stopped_with_its_processes
test_case an_agent_of_a_multiplexer_is_stopped_alone
test_case what_is_put_aside_keeps_no_other_back
test_case they_are_told_apart
test_case what_is_allowed_to_one_is_asked_of_the_other
test_case what_is_ended_of_one_goes_on_of_the_other
test_case orphans_are_told_so
test_case a_program_is_stopped_by_its_number
test_case a_session_ends_with_its_program
e2e_end
