#!/bin/sh
# SPDX-License-Identifier: MIT
# Bad input and too much of it, from outside: whoever causes it is told, everybody else goes on.
# (What a single connection can say is in tests/unit/test_server_input.c.)
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# As long as this works, the console is alive and responsive.
console_answers() {
    test "$(agent -- echo alive)" = alive
}

two_hundred_clients_at_once() {
    headless_start
    clients=''
    for number in $(seq 200); do
        agent -- sh -c "echo $number" >"$e2e_dir/out.$number" 2>&1 &
        clients="$clients $!"
    done
    console_answers
    for client in $clients; do
        wait "$client" || true
    done
    for number in $(seq 200); do
        said=$(cat "$e2e_dir/out.$number")
        test "$said" = "$number" || test_fail "client $number: $said"
        rm "$e2e_dir/out.$number"
    done
    headless_stop
}

a_hundred_megabytes_of_output() {
    headless_start
    agent -- head -c 100000000 /dev/zero >"$e2e_dir/zeros" &
    client=$!
    console_answers
    wait "$client"
    test "$(wc -c <"$e2e_dir/zeros")" -eq 100000000
    rm "$e2e_dir/zeros"
    # What goes back to a program is bounded.
    agent --json -- head -c 100000000 /dev/zero >"$e2e_dir/out"
    grep -q '"truncated":true' "$e2e_dir/out"
    test "$(wc -c <"$e2e_dir/out")" -lt 200000
    headless_stop
}

output_of_random_bytes() {
    headless_start
    head -c 2000000 /dev/urandom >"$e2e_work/random"
    agent -- cat "$e2e_work/random" >"$e2e_dir/out"
    cmp "$e2e_work/random" "$e2e_dir/out"
    agent --json -- cat "$e2e_work/random" >"$e2e_dir/out"
    grep -q '"outcome":"exited","exit_code":0' "$e2e_dir/out"
    headless_stop
}

# A client that stops reading: SIGSTOP, as somebody's debugger or ^Z would.
a_client_that_never_reads() {
    headless_start
    agent -- yes >"$e2e_dir/yes" 2>/dev/null & # a file that no other case has written
    wait_for 'output' test -s "$e2e_dir/yes"
    stopped=$(e2e_matching '^assent exec')
    kill -STOP "$stopped"
    for _ in 1 2 3; do
        console_answers
    done
    kill -KILL "$stopped"
    wait_for 'the end of its command' grep -q 'c1 cancelled' "$e2e_dir/headless.log"
    console_answers
    headless_stop
}

clients_that_are_killed() {
    headless_start
    for _ in 1 2 3 4 5; do
        agent -- sleep 1000 2>/dev/null &
    done
    wait_for 'five commands' test_count 5
    # shellcheck disable=SC2046 # process ids
    kill -KILL $(e2e_matching '^assent exec')
    wait_for 'the end of the commands' test_count 0
    console_answers
    headless_stop
}

test_count() {
    test "$(e2e_matching '^sleep 1000' | wc -l)" -eq "$1"
}

commands_that_cannot_run() {
    headless_start
    for bad in no-such-program ./no-such-program /etc/passwd /; do
        status=0
        agent -- "$bad" 2>"$e2e_dir/err" || status=$?
        case $bad in
        /etc/passwd | /) test "$status" -eq 126 ;;
        *) test "$status" -eq 127 ;;
        esac
        grep -qF -e "$bad" "$e2e_dir/err"
    done
    status=0
    mkdir "$e2e_work/gone"
    (cd "$e2e_work/gone" && rmdir "$e2e_work/gone" && assent exec -- true) 2>"$e2e_dir/err" ||
        status=$?
    test "$status" -eq 125
    console_answers
    headless_stop
}

much_on_the_command_line() {
    headless_start
    # The kernel gives one argument 128 KiB; ours is told before it gets there.
    hundred=$(head -c 100000 /dev/zero | tr '\0' a)
    agent -- sh -c "echo \$#" sh "$hundred" "$hundred" "$hundred" "$hundred" "$hundred" \
        "$hundred" "$hundred" "$hundred" "$hundred" >"$e2e_dir/out"
    test "$(cat "$e2e_dir/out")" = 9
    console_answers
    headless_stop
}

test_case two_hundred_clients_at_once
test_case a_hundred_megabytes_of_output
test_case output_of_random_bytes
test_case a_client_that_never_reads
test_case clients_that_are_killed
test_case commands_that_cannot_run
test_case much_on_the_command_line
e2e_end
