#!/bin/sh
# SPDX-License-Identifier: MIT
# assent exec: as if the command ran here, and what is said when it cannot.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# runs STATUS COMMAND…: fails unless the command ends with that status; output in $e2e_dir/out and
# err.
runs() {
    expected=$1
    shift
    status=0
    "$@" >"$e2e_dir/out" 2>"$e2e_dir/err" || status=$?
    [ "$status" -eq "$expected" ] || {
        cat "$e2e_dir/err" >&2
        test_fail "expected status $expected, got $status from: $*"
    }
}

says_how_to_start_a_console() {
    runs 125 agent -- true
    grep -q 'no Assent console is running for you: start one' "$e2e_dir/err"
}

ends_as_the_command_did() {
    headless_start
    runs 0 agent -- true
    runs 3 agent -- sh -c 'exit 3'
    runs 143 agent -- sh -c 'kill -TERM $$'
    runs 127 agent -- no-such-program
    runs 126 agent -- /etc/passwd
    runs 124 agent --timeout 300 -- sleep 1000
    runs 77 agent --escalate -- true
    grep -q 'refused by policy: ' "$e2e_dir/err"
    runs 125 agent --nonsense -- true
    runs 125 agent
    headless_stop
}

# Words that look like the version at the end of a program's name.
numbers_as_options_are_judged() {
    headless_start
    echo first >"$e2e_work/lines"
    runs 0 agent -- head -1 lines
    runs 0 agent -- sh -c 'ls -1 | tail -5; head -2 lines | tail -n -1'
    runs 127 agent -- -5
    headless_stop
}

# Nobody is asked for a program of that name.
a_reason_is_no_command() {
    headless_start
    runs 125 agent --escalate 'it needs that'
    grep -q 'a reason stands behind --justification' "$e2e_dir/err"
    runs 125 agent --escalate 'it needs that' -- true
    runs 125 agent 'true; true'
    cp /bin/true "$e2e_work/two words"
    runs 0 agent "$e2e_work/two words"
    runs 127 agent -- 'no program'
    headless_stop
}

keeps_the_streams_apart() {
    headless_start
    runs 0 agent -- sh -c 'echo out; echo err >&2'
    test "$(cat "$e2e_dir/out")" = out
    test "$(cat "$e2e_dir/err")" = err
    headless_stop
}

passes_input_only_when_asked() {
    headless_start
    echo from-here >"$e2e_dir/input"
    test "$(agent -- cat <"$e2e_dir/input" 2>"$e2e_dir/err")" = ''
    grep -q 'standard input was not passed on' "$e2e_dir/err"
    test "$(agent -i -- cat <"$e2e_dir/input" 2>"$e2e_dir/err")" = from-here
    test ! -s "$e2e_dir/err"
    agent -- cat </dev/null 2>"$e2e_dir/err"
    test ! -s "$e2e_dir/err"
    # Much of it, any bytes.
    head -c 3000000 /dev/urandom >"$e2e_dir/random"
    agent -i -- cat <"$e2e_dir/random" >"$e2e_dir/out"
    cmp "$e2e_dir/random" "$e2e_dir/out"
    headless_stop
}

prints_json_for_programs() {
    headless_start
    runs 4 agent --json -- sh -c 'echo out; echo err >&2; exit 4'
    test ! -s "$e2e_dir/err"
    test "$(wc -l <"$e2e_dir/out")" -eq 1
    for part in '"outcome":"exited"' '"exit_code":4' '"stdout":"out\n"' '"stderr":"err\n"'; do
        grep -qF "$part" "$e2e_dir/out" || test_fail "not in the result: $part"
    done
    headless_stop
}

# What one command serves, another does not find, and neither says why.
says_whose_localhost_it_is() {
    headless_start
    runs 1 agent -- sh -c 'echo "connect to 127.0.0.1:8123: Connection refused" >&2; exit 1'
    grep -q "run the server and what connects to it in one command" "$e2e_dir/err"
    runs 1 agent --json -- sh -c 'echo "localhost: Connection refused"; exit 1'
    grep -q '"nobody_listened":true' "$e2e_dir/out"
    headless_stop
}

names_what_the_sandbox_blocked() {
    headless_start
    runs 1 agent -- touch "$e2e_dir/outside"
    test ! -e "$e2e_dir/outside"
    grep -q "the sandbox blocked: write $e2e_dir/outside" "$e2e_dir/err"
    runs 1 agent -- sh -c 'echo "cat: .envrc: Permission denied" >&2; exit 1'
    grep -q "the sandbox blocked: access to .envrc (inferred" "$e2e_dir/err"
    headless_stop
}

# What a listing shows, and nobody has made: told to the operator once, and to each session once.
says_what_in_a_listing_is_not_on_disk() {
    console_open list 80x24
    told='so that no command makes them; they go when it ends: '
    runs 0 agent -- sh -c 'echo .envrc; echo .idea'
    test ! -s "$e2e_dir/err"
    runs 0 agent -- ls -la
    grep -q 'sr--r--r-T.* \.mcp\.json$' "$e2e_dir/out"
    grep -q "$told.*\.mcp\.json" "$e2e_dir/err"
    test "$(wc -l <"$e2e_dir/err")" -eq 1
    test ! -e "$e2e_work/.mcp.json"
    wait_screen list 'c2 lists .'
    screen list | grep -q 'more: placeholders while it runs (:show c2)'
    runs 0 agent -- ls -la
    test ! -s "$e2e_dir/err"
    runs 0 agent --json -- ls -a
    grep -q '"placeholders":null' "$e2e_dir/out"
    screen_lacks list 'c3 lists'
    typed list ':show c3'
    keys list Enter
    wait_screen list 'Call c3'
    keys list End
    wait_screen list 'Placeholders'
    wait_text list 'more: the workspace has none of these'
    keys list Escape
    wait_no_screen list 'Placeholders'
    quits list
    all_ended
}

the_only_console_says_where_it_works() {
    headless_start
    runs 0 agent -- true
    test ! -s "$e2e_dir/err"
    e2e_cwd=$e2e_dir/home
    runs 0 agent -- true
    grep -qF "the console of $e2e_work takes this: $e2e_dir/home lies outside its workspace" \
        "$e2e_dir/err"
    headless_stop
}

a_reader_that_leaves_ends_the_command() {
    headless_start
    test "$(agent -- sh -c 'echo $$; exec yes' | head -n 1 | wc -l)" -eq 1
    wait_for 'the end of yes' grep -q 'c1 .*exit status' "$e2e_dir/headless.log"
    headless_stop
}

interrupting_it_cancels_the_call() {
    headless_start
    # Where jobs are not controlled, a shell starts them with SIGINT ignored: not so with TERM.
    agent -- sleep 1000 2>/dev/null &
    wait_for 'the command' e2e_running '^sleep 1000'
    kill -TERM "$(e2e_matching '^assent exec -- sleep 1000')"
    status=0
    wait $! || status=$?
    test "$status" -eq 143
    wait_for 'the end of the command' e2e_not_running '^sleep 1000'
    headless_stop
}

# As the console says on leaving: what waits is denied.
a_console_that_ends_denies_what_waits() {
    console_open main 100x30
    client w -- rm -rf x
    wait_screen main 'rm -rf x'
    client_waits w
    keys main C-q
    wait_screen main '1 waiting request is denied'
    keys main C-q
    client_ends w 77
    grep -qx 'assent: nobody answered: the console ended' "$e2e_dir/w.err"
    console_stop main
}

a_console_that_dies_takes_its_commands_along() {
    headless_start
    agent -- sh -c 'echo begun; sleep 1000' >"$e2e_dir/out" 2>"$e2e_dir/err" &
    wait_for 'the command' grep -q begun "$e2e_dir/out"
    kill -KILL "$headless_pid"
    status=0
    wait $! || status=$?
    test "$status" -eq 125
    grep -q 'the console is gone' "$e2e_dir/err"
    all_ended
    # Its socket is still there; the next console takes it away.
    test "$(find "$e2e_dir/run/assent" -name '*.sock' | wc -l)" -eq 1
    runs 125 agent -- true
    old=$(echo "$e2e_dir"/run/assent/*.sock)
    (cd "$e2e_work" && assent --headless </dev/null >"$e2e_dir/headless.log" 2>&1) &
    wait_for 'the old socket to go' test ! -e "$old"
    wait_for 'the new console' headless_listens
    runs 0 agent -- true
    headless_stop
}

# What a command tries: to have another run, by itself and by an orphan that is nobody's child.
escape() {
    cat >"$e2e_work/escape" <<SCRIPT
export XDG_RUNTIME_DIR='$e2e_dir/run' XDG_STATE_HOME='$e2e_dir/state'
'$e2e_build/assent' exec -- touch '$e2e_work/escaped'
(setsid sh -c "'$e2e_build/assent' exec -- touch '$e2e_work/escaped'; touch tried" &)
until test -e tried; do sleep 0.05; done
SCRIPT
    agent -- sh ./escape >"$e2e_dir/out" 2>&1
    rm "$e2e_work/tried"
    test ! -e "$e2e_work/escaped"
}

a_command_cannot_ask_for_another() {
    # Outside any sandbox it reaches the socket, and the console knows it for what it is.
    echo 'sandbox_mode = "danger-full-access"' >"$e2e_dir/conf/assent/assent.conf"
    headless_start
    escape
    test "$(grep -c 'a command that this console runs cannot ask it' "$e2e_dir/out")" -eq 2
    headless_stop
    # In the sandbox it does not even get there.
    rm "$e2e_dir/conf/assent/assent.conf"
    headless_start
    escape
    if grep -q 'refused a client' "$e2e_dir/headless.log"; then
        test_fail 'the socket was reached from inside the sandbox'
    fi
    headless_stop
}

# Agents start their tool servers with few variables: descent is enough, the secret need not come.
an_agent_of_the_console_may_ask() {
    cat >"$e2e_work/agent" <<SCRIPT
unset ASSENT_CAPABILITY ASSENT_SOCKET
export XDG_RUNTIME_DIR='$e2e_dir/run' XDG_STATE_HOME='$e2e_dir/state'
'$e2e_build/assent' exec -- touch made && '$e2e_build/assent' exec -- sh ./inner
SCRIPT
    # What the agent has run is not the agent.
    cat >"$e2e_work/inner" <<SCRIPT
export XDG_RUNTIME_DIR='$e2e_dir/run' XDG_STATE_HOME='$e2e_dir/state'
'$e2e_build/assent' exec -- touch inner-made || echo inner-refused
SCRIPT
    echo 'sandbox_mode = "danger-full-access"' >"$e2e_dir/conf/assent/assent.conf"
    (cd "$e2e_work" && assent --headless -- sh ./agent) </dev/null >"$e2e_dir/headless.log" 2>&1
    rm "$e2e_dir/conf/assent/assent.conf"
    test -e "$e2e_work/made"
    test ! -e "$e2e_work/inner-made"
    all_ended
}

on_a_terminal_the_command_has_one() {
    headless_start
    # shellcheck disable=SC2016 # for the inner shell
    terminal_start tty 91x23 "$e2e_build/assent" exec --tty -- \
        sh -c 'stty size; test -t 0 && test -t 1 && echo on a terminal; read -r line; echo "got $line"; read -r line; exit 9'
    wait_screen tty '23 91'
    wait_screen tty 'on a terminal'
    typed tty 'a b'
    keys tty Enter
    wait_screen tty 'got a b'
    keys tty Enter
    test "$(console_status tty)" = 9
    headless_stop
}

# Who has nothing to say says so to each read, also on a terminal: nobody there waits for keys.
the_end_of_input_is_the_end_for_each_read() {
    headless_start
    # Where an operator can type into it, that only ends what says that it passes its input on.
    runs 0 agent -t --timeout 60000 -- sh -c 'cat; cat; echo end' </dev/null
    grep -q end "$e2e_dir/out"
    runs 0 agent -t --timeout 60000 -- sh -c 'read -r x; read -r x; read -r x; echo end' </dev/null
    printf abc | runs 0 agent -t --timeout 60000 -- sh -c 'cat >got; cat; cat'
    test "$(cat "$e2e_work/got")" = abc
    # What came while the terminal had no such character comes again.
    runs 0 agent -t --timeout 60000 -- \
        sh -c 'stty -icanon; sleep 0.3; stty icanon; exec cat' </dev/null
    headless_stop
}

# A client without input is not the end of what the operator types into the pane.
a_pane_waits_for_the_operator_when_its_client_has_no_input() {
    console_open main 100x30 -c guard_time=0ms
    # shellcheck disable=SC2016 # the command's own
    client r -t -- sh -c 'stty -echo; printf "Secret: "; read -r line; stty echo; echo; echo "got $line"' </dev/null
    wait_screen main 'waits for a password'
    client_waits r
    keys main F12
    keys main x
    keys main Enter
    wait_screen main 'got x'
    client_ends r 0
    client r -i -t -- sh -c 'read -r line || echo ended' </dev/null
    client_ends r 0
    console_stop main
}

# A question is seen where nothing else tells that it waits; a pause is none.
a_question_in_a_pane_is_seen() {
    console_open main 100x30
    # shellcheck disable=SC2016 # the command's own
    client q -t -- bash -c 'read -r -p "Overwrite config? [y/N] " x; echo "got $x"; printf "Wait: "; sleep 300' </dev/null
    wait_screen main 'waits for input?'
    wait_screen main '1 pane waits: F12'
    keys main F12
    keys main y
    keys main Enter
    wait_screen main 'got y'
    wait_screen main 'Wait:'
    wait_no_screen main 'waits for input?'
    console_stop main
}

the_terminals_size_and_keys_reach_the_command() {
    headless_start
    terminal_start keys 80x24 "$e2e_build/assent" exec --tty -- \
        sh -c 'trap "echo interrupted" INT; trap "stty size" WINCH; echo ready; while :; do sleep 0.1; done'
    wait_screen keys ready
    keys keys C-c
    wait_screen keys interrupted
    resize keys 100x30
    wait_screen keys '30 100'
    e2e_tmux kill-session -t keys
    headless_stop
}

# What a program may have left a terminal in, as that tells it.
terminal_state() {
    e2e_tmux display-message -p -t "$1" 'region #{scroll_region_upper} #{scroll_region_lower} alternate #{alternate_on} mouse #{mouse_any_flag} cursor #{cursor_flag} insert #{insert_flag} keypad #{keypad_flag} keys #{keypad_cursor_flag} wrap #{wrap_flag} origin #{origin_flag}'
}

terminal_is_as_before() {
    test "$(terminal_state "$1")" = 'region 0 19 alternate 0 mouse 0 cursor 1 insert 0 keypad 0 keys 0 wrap 1 origin 0'
}

# sets_everything NAME END: a command that changes all of it, and then does END.
sets_everything() {
    # shellcheck disable=SC2016 # for the inner shell
    terminal_start "$1" 90x20 sh -c 'echo before; "$@"; stty -a | grep -o -e "-*icanon"; echo after; read -r line' sh \
        sh -c 'echo $$ >"$0"; exec "$@"' "$e2e_dir/$1.pid" "$e2e_build/assent" exec -t -- sh -c \
        "printf '\033[?25;1049h\033[2;5r\033[?1000h\033[?25l\033[4h\033[?1h\033=\033[?7l\033[?6h\033[31mset up'; $2"
}

# However the command ends, and whoever ends it.
a_terminal_is_given_back_as_it_was() {
    headless_start
    sets_everything ended true
    for name in killed left interrupted; do
        sets_everything "$name" 'exec sleep 1000'
        wait_screen "$name" 'set up'
    done
    keys interrupted C-c
    kill -TERM "$(cat "$e2e_dir/killed.pid")"
    for name in ended killed interrupted; do
        wait_screen "$name" after
    done
    kill -KILL "$headless_pid"
    wait_screen left after
    for name in ended killed interrupted left; do
        wait_for "the terminal of $name as it was" terminal_is_as_before "$name" || {
            terminal_state "$name" >&2
            exit 1
        }
        wait_screen "$name" before
        screen "$name" | grep -qx icanon
        e2e_tmux kill-session -t "$name"
    done
    all_ended
    trap - EXIT
}

test_case says_how_to_start_a_console
test_case ends_as_the_command_did
test_case numbers_as_options_are_judged
test_case a_reason_is_no_command
test_case keeps_the_streams_apart
test_case passes_input_only_when_asked
test_case prints_json_for_programs
test_case says_whose_localhost_it_is
test_case names_what_the_sandbox_blocked
test_case says_what_in_a_listing_is_not_on_disk
test_case the_only_console_says_where_it_works
test_case a_reader_that_leaves_ends_the_command
test_case interrupting_it_cancels_the_call
test_case a_console_that_ends_denies_what_waits
test_case a_console_that_dies_takes_its_commands_along
test_case a_command_cannot_ask_for_another
test_case an_agent_of_the_console_may_ask
test_case on_a_terminal_the_command_has_one
test_case the_end_of_input_is_the_end_for_each_read
test_case a_pane_waits_for_the_operator_when_its_client_has_no_input
test_case a_question_in_a_pane_is_seen
test_case the_terminals_size_and_keys_reach_the_command
test_case a_terminal_is_given_back_as_it_was
e2e_end
