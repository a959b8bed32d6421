#!/bin/sh
# SPDX-License-Identifier: MIT
# Approval policies and sandbox modes from the command line and the configuration, and what a
# change at the console does and does not touch.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

outside=$e2e_dir/home/outside

says() {
    typed main "$1"
    keys main Enter
    wait_screen main "$2"
}

# sandbox_is MODE [TEXT]: that sandbox from now on, which is asked about when it is none.
sandbox_is() {
    case $1 in
    danger-full-access | external-sandbox) says ":sandbox $1" ":sandbox $1 once more lets" ;;
    esac
    says ":sandbox $1" "From the next call on: sandbox $1${2-}"
}

# started ARGUMENT… : a console; the one before ends.
started() {
    console_open main 80x24 -c guard_time=0 "$@"
}

left() {
    quits main
    test "$(console_status main)" = 0
    e2e_tmux kill-session -t main
    rm -f "$outside"
}

never_and_read_only() {
    started --policy never --mode read-only
    wait_screen main 'never · read-only · network asks'
    echo text >"$e2e_dir/home/readable"
    client one -- cat "$e2e_dir/home/readable"
    client_ends one 0
    client one -- touch inside
    client_ends one 1
    test ! -e "$e2e_work/inside"
    client one --escalate -- touch inside
    client_ends one 77
    test ! -e "$e2e_work/inside"
    left
}

untrusted_and_full_access() {
    started --policy untrusted --mode danger-full-access
    wait_screen main 'untrusted · danger-full-access · network on'
    client one -- touch ../home/outside
    asked main 'touch ../home/outside'
    test ! -e "$outside"
    keys main y
    client_ends one 0
    test -e "$outside"
    left
}

reject_by_category() {
    started --policy reject
    client one -- touch "$outside"
    client_ends one 1
    grep -q 'the sandbox blocked' "$e2e_dir/one.err"
    client one --escalate -- touch "$outside"
    client_ends one 77
    grep -q 'approval policy rejected sandbox approval prompt' "$e2e_dir/one.err"
    test ! -e "$outside"
    left
    started --policy reject -c reject.sandbox_approval=false
    client one -- touch "$outside"
    wait_screen main 'stopped by the sandbox. Run it again'
    test ! -e "$outside"
    confirm main y
    client_ends one 0
    test -e "$outside"
    left
}

on_request_may_be_kept_from_asking_again() {
    started -c escalate_on_request=false
    client one -- touch "$outside"
    client_ends one 1
    # A policy that is chosen by its name keeps what the configuration says of it.
    says ':policy never' 'From the next call on: approval policy never'
    says ':policy on-request' 'From the next call on: approval policy on-request'
    client one -- touch "$outside"
    client_ends one 1
    test ! -e "$outside"
    says ':policy on-failure' 'From the next call on: approval policy on-failure'
    client one -- touch "$outside"
    wait_screen main 'stopped by the sandbox. Run it again'
    keys main d
    client_ends one 77
    test ! -e "$outside"
    left
}

# A secret that only a restricted command must not read.
restricted_reads_outlive_a_change_of_mode() {
    echo secret >"$e2e_dir/home/secret"
    mkdir "$e2e_dir/home/more"
    started --policy never --restricted-read --writable-root "$e2e_dir/home/more"
    for mode in workspace-write read-only danger-full-access workspace-write; do
        sandbox_is "$mode"
        client one -- cat "$e2e_dir/home/secret"
        case $mode in
        danger-full-access) client_ends one 0 ;;
        *) client_ends one 1 ;;
        esac
    done
    client one -- touch "$e2e_dir/home/more/file"
    client_ends one 0
    test -e "$e2e_dir/home/more/file"
    left
}

# Commands have these places anew; the workspace must be there all the same.
a_workspace_may_lie_in_a_temporary_place() {
    for place in /tmp /var/tmp; do
        base=$(mktemp -d "$place/assent-e2e.XXXXXX")
        mkdir "$base/shop"
        (cd "$base/shop" && assent sandbox -- sh -c 'touch inside; ! touch ../beside 2>/dev/null')
        test -e "$base/shop/inside"
        test ! -e "$base/beside"
        rm -r "$base"
    done
}

# A root that is refused is not opened by choosing the mode again.
refused_root_stays_refused() {
    e2e_work=$e2e_dir/home
    console_open main 200x24 -c guard_time=0 --policy never # the path is part of what it says
    wait_screen main 'never · read-only'
    says ':sandbox workspace-write' 'holds your own settings'
    wait_screen main 'never · read-only'
    client one -- touch file
    client_ends one 1
    test ! -e "$e2e_dir/home/file"
    left
}

# ---- what has been received stays as it was received ----

a_waiting_call_keeps_its_terms() {
    started --policy untrusted
    client one -- touch "$outside"
    asked main "touch $outside"
    wait_screen main 'Runs under  workspace-write (network asks for each host)'
    keys main Escape
    wait_no_screen main 'May it run'
    says ':policy never' 'From the next call on: approval policy never'
    sandbox_is danger-full-access
    client_waits one
    keys main F2
    asked main "touch $outside"
    wait_screen main 'Runs under  workspace-write (network asks for each host)'
    keys main y
    # Its sandbox, and its policy: that one asks.
    wait_screen main 'stopped by the sandbox. Run it again'
    test ! -e "$outside"
    keys main d
    client_ends one 77
    test ! -e "$outside"
    # The next call has the new terms.
    client one -- touch "$outside"
    client_ends one 0
    test -e "$outside"
    left
}

a_running_call_keeps_its_sandbox() {
    started --policy never
    # shellcheck disable=SC2016 # for the inner shell
    client one -- sh -c 'touch begun; until test -e go; do sleep 0.1; done; touch "$1"' sh "$outside"
    wait_for 'the command' test -e "$e2e_work/begun"
    sandbox_is danger-full-access
    touch "$e2e_work/go"
    client_ends one 1
    grep -q 'the sandbox blocked' "$e2e_dir/one.err"
    test ! -e "$outside"
    left
}

# ---- the network ----

server='import os, socket, sys
listener = socket.create_server(("127.0.0.1", 0))
open(sys.argv[1] + "/pid", "w").write(str(os.getpid()))
open(sys.argv[1] + "/port", "w").write(str(listener.getsockname()[1]))
while True:
    connection, _ = listener.accept()
    connection.sendall(b"reached\n")
    connection.close()'
caller='import socket, sys
print(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10).recv(100).decode())'

# reaches STATUS
reaches() {
    client one -- python3 -c "$caller" "$(cat "$e2e_dir/port")"
    client_ends one "$1"
    if [ "$1" = 0 ]; then
        grep -q reached "$e2e_dir/one.out"
    else
        test ! -s "$e2e_dir/one.out"
    fi
}

the_network_is_open_when_it_is_said_to_be() {
    test_need python3
    e2e_run python3 -c "$server" "$e2e_dir" &
    wait_for 'the server' test -s "$e2e_dir/port"
    started --policy never
    reaches 1
    says ':network on' 'From the next call on: network on'
    reaches 0
    says ':network off' 'From the next call on: network off'
    reaches 1
    sandbox_is danger-full-access ', network on'
    reaches 0
    left
    started --policy never --network
    wait_screen main 'never · workspace-write · network on'
    reaches 0
    left
    kill "$(cat "$e2e_dir/pid")"
}

test_case never_and_read_only
test_case untrusted_and_full_access
test_case reject_by_category
test_case on_request_may_be_kept_from_asking_again
test_case restricted_reads_outlive_a_change_of_mode
test_case a_workspace_may_lie_in_a_temporary_place
test_case refused_root_stays_refused
test_case a_waiting_call_keeps_its_terms
test_case a_running_call_keeps_its_sandbox
test_case the_network_is_open_when_it_is_said_to_be
e2e_end
