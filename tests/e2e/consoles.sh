#!/bin/sh
# SPDX-License-Identifier: MIT
# Several consoles at once: each has a socket of its own, and clients find theirs or are told how
# to choose.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

sockets=$e2e_dir/run/assent
mkdir -p "$e2e_work/a/below/deep" "$e2e_work/b" "$e2e_dir/elsewhere"

# console_in DIRECTORY NAME: its socket's name is noted in NAME.socket.
console_in() {
    e2e_cwd=$1
    console_open "$2" 80x24 -c guard_time=0
    new=$(find "$sockets" -name '*.sock' -newer "$e2e_dir/known")
    echo "$new" >"$e2e_dir/$2.socket"
    touch "$e2e_dir/known"
}

# goes_to NAME DIRECTORY: what is asked for in the directory runs there, and in no other.
goes_to() {
    went=$((${went:-0} + 1))
    e2e_cwd=$2
    client one -- echo "for-$1-$went"
    client_ends one 0
    test "$(cat "$e2e_dir/one.out")" = "for-$1-$went"
    for name in a below b; do
        test ! -e "$e2e_dir/$name.socket" || test "$name" = "$1" || screen_lacks "$name" "for-$1-$went"
    done
    wait_screen "$1" "for-$1-$went"
}

without_one_the_client_says_how_to_start_one() {
    client one -- touch never
    client_ends one 125
    grep -q 'no Assent console is running' "$e2e_dir/one.err"
    grep -q 'start one in a terminal with "assent"' "$e2e_dir/one.err"
    test ! -e "$e2e_work/never"
    assent doctor | grep -q 'no console runs'
}

each_has_a_socket_of_its_own() {
    touch -d '1 hour ago' "$e2e_dir/known"
    console_in "$e2e_work/a" a
    console_in "$e2e_work/b" b
    console_in "$e2e_work/a/below" below
    test "$(find "$sockets" -name '*.sock' | wc -l)" = 3
    test "$(stat -c %a "$sockets")" = 700
    test "$(stat -c %a "$sockets"/*.sock | sort -u)" = 600
    assent doctor | grep -q '3 consoles run'
}

the_nearest_workspace_is_chosen() {
    goes_to a "$e2e_work/a"
    goes_to b "$e2e_work/b"
    goes_to below "$e2e_work/a/below"
    goes_to below "$e2e_work/a/below/deep"
}

who_cannot_choose_is_told_how() {
    e2e_cwd=$e2e_dir/elsewhere
    client one -- touch "$e2e_work/a/never"
    client_ends one 125
    grep -q 'set ASSENT_SOCKET to one of' "$e2e_dir/one.err"
    for name in a below b; do
        grep -qF "$(cat "$e2e_dir/$name.socket")" "$e2e_dir/one.err"
    done
    grep -qF "($e2e_work/a/below)" "$e2e_dir/one.err"
    test ! -e "$e2e_work/a/never"
    e2e_env=ASSENT_SOCKET=$(cat "$e2e_dir/b.socket")
    goes_to b "$e2e_dir/elsewhere"
}

an_empty_variable_names_no_console() {
    e2e_env=ASSENT_SOCKET=
    goes_to a "$e2e_work/a"
}

two_for_the_same_workspace_are_not_guessed_between() {
    e2e_cwd=$e2e_work/b
    console_open second 80x24
    wait_screen second "Another console is open here (process $(basename "$(cat "$e2e_dir/b.socket")" .sock)):"
    wait_screen second 'its agents stay, new'
    wait_screen second 'ASSENT_SOCKET='
    for name in a below b; do
        screen_lacks "$name" 'Another console'
    done
    client one -- touch never
    client_ends one 125
    grep -q 'set ASSENT_SOCKET to one of' "$e2e_dir/one.err"
    test ! -e "$e2e_work/b/never"
    quits second
    test "$(console_status second)" = 0
    goes_to b "$e2e_work/b"
}

one_that_hangs_does_not_stop_the_others() {
    pid=$(basename "$(cat "$e2e_dir/a.socket")" .sock)
    kill -STOP "$pid"
    goes_to b "$e2e_work/b"
    kill -KILL "$pid"
    wait_for 'its end' test ! -e "/proc/$pid"
    # Its socket is left over: it misleads nobody.
    test -S "$(cat "$e2e_dir/a.socket")"
    goes_to b "$e2e_work/b"
    goes_to below "$e2e_work/a/below"
    assent doctor | grep -q '2 consoles run'
}

a_directory_that_others_can_enter_is_not_trusted() {
    chmod 755 "$sockets"
    e2e_cwd=$e2e_work/b
    client one -- touch never
    client_ends one 125
    grep -q 'others can reach the socket directory .*chmod 700' "$e2e_dir/one.err"
    test ! -e "$e2e_work/b/never"
    assent doctor | grep -q 'chmod 700'
    chmod 700 "$sockets"
    goes_to b "$e2e_work/b"
}

the_last_one_leaves_nothing() {
    for name in b below; do
        quits "$name"
        test "$(console_status "$name")" = 0
    done
    # The next one takes away what a killed one left.
    e2e_cwd=$e2e_work/a
    console_open last 80x24
    test "$(find "$sockets" -name '*.sock' | wc -l)" = 1
    quits last
    test "$(console_status last)" = 0
    test -z "$(find "$sockets" -type s)"
}

doctor_says_what_to_mend() {
    echo 'no_such_option = 3' >"$e2e_dir/conf/assent/assent.conf"
    chmod 600 "$e2e_dir/conf/assent/assent.conf"
    assent doctor >"$e2e_dir/doctor" || true
    grep -q "assent.conf:1: .*no_such_option" "$e2e_dir/doctor"
    grep -q 'to mend it: ' "$e2e_dir/doctor"
}

# In a sandbox nothing can be mended by a setting of the system.
doctor_looks_at_the_settings() {
    (cd "$e2e_work" && "$e2e_build/assent" sandbox --mode read-only -- \
        "$e2e_build/assent-tool" doctor >"$e2e_dir/doctor") || true
    grep -q 'to mend it: let the container' "$e2e_dir/doctor"
}

test_case without_one_the_client_says_how_to_start_one
test_case each_has_a_socket_of_its_own
test_case the_nearest_workspace_is_chosen
test_case who_cannot_choose_is_told_how
test_case an_empty_variable_names_no_console
test_case two_for_the_same_workspace_are_not_guessed_between
test_case one_that_hangs_does_not_stop_the_others
test_case a_directory_that_others_can_enter_is_not_trusted
test_case the_last_one_leaves_nothing
test_case doctor_says_what_to_mend
test_case doctor_looks_at_the_settings
e2e_end
