#!/bin/sh
# SPDX-License-Identifier: MIT
# Sudden ends: of a client, of a command, of the console, of its terminal. No process is left over,
# nothing undecided runs, clients learn of it, and the terminal and the socket can be used again.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# A console below a shell, which stays when it ends: console_below_shell NAME ARGUMENT…
console_below_shell() {
    shell_name=$1
    shift
    rm -f "$e2e_dir/shell.pid" "$e2e_dir/ended"
    terminal_start "$shell_name" 100x40 sh
    typed "$shell_name" "stty -a >'$e2e_dir/stty.before'; echo \$\$ >'$e2e_dir/shell.pid'; clear"
    keys "$shell_name" Enter
    wait_for 'the shell' test -s "$e2e_dir/shell.pid"
    typed "$shell_name" "'$e2e_build/assent' $* -c guard_time=0; echo \$? >'$e2e_dir/ended'"
    keys "$shell_name" Enter
    wait_screen "$shell_name" ' keys: '
    console_pid=$(pgrep -P "$(cat "$e2e_dir/shell.pid")")
}

# answered NAME ROW: and not only the command that prints it.
answered() {
    screen "$1" | grep -qx "$2"
}

# The terminal of NAME is as it was before the console: modes, cursor, main screen, no reports.
terminal_is_usable() {
    # Also who puts the terminal in order after a sudden end has done so.
    wait_for 'the end of all of the console' e2e_not_running guard_time=0
    keys "$1" Enter
    typed "$1" "clear; stty -a >'$e2e_dir/stty.after'; echo usable: yes"
    keys "$1" Enter
    wait_for 'the answer of the shell' answered "$1" 'usable: yes'
    cmp "$e2e_dir/stty.before" "$e2e_dir/stty.after"
    test "$(e2e_tmux display-message -p -t "$1" \
        '#{cursor_flag} #{alternate_on} #{mouse_any_flag} #{keypad_flag}')" = '1 0 0 0'
}

sockets() {
    find "$e2e_dir/run/assent" -name '*.sock' | wc -l
}

# A command that has left its session twice over; its name is $1.
daemon='import os, sys, time
for _ in range(2):
    if os.fork():
        time.sleep(1000)
    os.setsid()
open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(1000)'

killed_client_takes_its_calls_along() {
    console_open main 100x40 --policy untrusted -c guard_time=0
    # One that runs,
    client one -- python3 -c "$daemon" one.pid
    wait_screen main 'asks. May it run'
    keys main y
    wait_for 'the command' test -s "$e2e_work/one.pid"
    # and one that waits for the operator.
    client two -- touch undecided
    asked main 'touch undecided'
    for pid in $(e2e_processes); do
        ! grep -qsx assent-exec "/proc/$pid/comm" || kill -KILL "$pid"
    done
    wait_no_screen main 'May it run'
    wait_for 'the end of the command' e2e_not_running one.pid
    client_ends one 137
    client_ends two 137
    test ! -e "$e2e_work/undecided"
    wait_screen main 'withdrawn by the client'
}

killed_command_is_told() {
    client one -- sh -c 'touch started; exec sleep 1001'
    asked main 'touch started'
    keys main Down # the one before went by itself: a first answer to this one would not count
    keys main y
    wait_for 'the command' e2e_running '^sleep 1001'
    # shellcheck disable=SC2046 # a word each
    kill -KILL $(e2e_matching '^sleep 1001')
    client_ends one 137
    wait_screen main 'killed by SIGKILL'
    # The console goes on.
    client two -- true
    client_ends two 0
}

closed_terminal_ends_all() {
    unasked main
    client one -- python3 -c "$daemon" two.pid
    wait_screen main 'asks. May it run'
    keys main y
    wait_for 'the command' test -s "$e2e_work/two.pid"
    client two -- touch undecided
    asked main 'touch undecided'
    console_stop main
    client_ends one 125
    client_ends two 77 # what waits when the console ends is denied
    test ! -e "$e2e_work/undecided"
    test "$(sockets)" = 0
}

# ends_with SIGNAL STATUS REFUSED: the console below a shell, with a command that runs and a request
# that waits, whose client ends with the last.
ends_with() {
    console_below_shell "$1" --policy untrusted
    rm -f "$e2e_work/three.pid"
    client one -- python3 -c "$daemon" three.pid
    wait_screen "$1" 'asks. May it run'
    keys "$1" y
    wait_for 'the command' test -s "$e2e_work/three.pid"
    client two -- touch undecided
    asked "$1" 'touch undecided'
    kill "-$1" "$console_pid"
    wait_for 'its end' test -s "$e2e_dir/ended"
    test "$(cat "$e2e_dir/ended")" = "$2"
    wait_for 'the end of the command' e2e_not_running three.pid
    client_ends one 125
    client_ends two "$3"
    test ! -e "$e2e_work/undecided"
}

terminated_console_cleans_up() {
    ends_with TERM 143 77
    terminal_is_usable TERM
    test "$(sockets)" = 0
    e2e_tmux kill-session -t TERM
}

# Ctrl-\ where no screen has the keyboard.
quit_console_cleans_up() {
    ends_with QUIT 131 77
    terminal_is_usable QUIT
    test "$(sockets)" = 0
    e2e_tmux kill-session -t QUIT
}

killed_console_leaves_nothing_running() {
    ends_with KILL 137 125
    test "$(sockets)" = 1
    # The screen and the keyboard are the shell's again.
    wait_no_screen KILL ' keys: '
    terminal_is_usable KILL
    typed KILL "'$e2e_build/assent' -c guard_time=0; echo again with \$?"
    keys KILL C-j
    wait_screen KILL ' keys: '
    test "$(sockets)" = 1
    client one -- echo hello
    client_ends one 0
    test "$(cat "$e2e_dir/one.out")" = hello
    quits KILL
    wait_screen KILL 'again with 0'
    test "$(sockets)" = 0
}

# Who would give the terminal back after a sudden end is one, and ends with the console: another
# would write to the terminal when that is the shell's again.
continued_console_ends_whole() {
    console_below_shell CONT
    for number in 1 2 3; do
        kill -CONT "$console_pid"
        keys CONT '?'
        wait_screen CONT 'Esc closes'
        keys CONT Escape
        wait_no_screen CONT 'Esc closes'
        test "$(pgrep -c -P "$console_pid" -x assent-restorer)" = 1 || test_fail "after $number signals"
    done
    quits CONT
    wait_for 'its end' test -s "$e2e_dir/ended"
    terminal_is_usable CONT
    e2e_tmux kill-session -t CONT
}

clients_without_a_console_are_told() {
    client one -- touch never
    client_ends one 125
    grep -q 'assent' "$e2e_dir/one.err"
    test ! -e "$e2e_work/never"
}

test_case killed_client_takes_its_calls_along
test_case killed_command_is_told
test_case closed_terminal_ends_all
test_case terminated_console_cleans_up
test_case quit_console_cleans_up
test_case killed_console_leaves_nothing_running
test_case continued_console_ends_whole
test_case clients_without_a_console_are_told
e2e_end
