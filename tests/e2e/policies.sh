#!/bin/sh
# SPDX-License-Identifier: MIT
# Each approval policy in each sandbox mode, chosen at the console: what runs, what asks, what is
# refused, and what the files and the client see of it.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# says COMMAND ANSWER: a command of the console's own, and what it answers.
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

choose() {
    says ":policy $1" "From the next call on: approval policy $1"
    sandbox_is "$2"
    wait_screen main "$1 · $2 · net"
}

# probe KIND: makes $probe_file with a new name each time, as a command of that kind would.
probe() {
    probe_count=$((${probe_count:-0} + 1))
    probe_file=$e2e_work/$mode.$policy.$probe_count
    case $1 in
    ordinary) client probe -- touch "$probe_file" ;;
    outside)
        probe_file=$e2e_dir/home/$mode.$policy.$probe_count
        client probe -- touch "$probe_file"
        ;;
    leaving)
        probe_file=$e2e_dir/home/$mode.$policy.$probe_count
        client probe --escalate -- touch "$probe_file"
        ;;
    dangerous) client probe -- sudo -n touch "$probe_file" ;;
    esac
}

is_made() {
    test -e "$probe_file"
}

# (What follows a bare ! does not end a test case.)
is_not_made() {
    test ! -e "$probe_file"
}

# ---- the ways that a command can go ----

runs() {
    probe "$1"
    client_ends probe 0
    is_made
}

asks() {
    unasked main
    probe "$1"
    asked main ''
    is_not_made
    keys main d
    client_ends probe 77
    grep -q 'refused by the operator' "$e2e_dir/probe.err"
    is_not_made
}

asks_again() {
    unasked main
    probe "$1"
    wait_screen main 'stopped by the sandbox. Run it again'
    is_not_made
    keys main d
    client_ends probe 77
    is_not_made
    unasked main
    probe "$1"
    wait_screen main 'stopped by the sandbox. Run it again'
    is_not_made
    confirm main y
    client_ends probe 0
    is_made
}

blocked() {
    probe "$1"
    client_ends probe 1
    grep -q 'the sandbox blocked' "$e2e_dir/probe.err"
    is_not_made
}

refused() {
    probe "$1"
    client_ends probe 77
    grep -q "refused by policy: approval policy.*$policy" "$e2e_dir/probe.err"
    is_not_made
    wait_no_screen main 'May it run'
}

# ---- the tables ----

# combination POLICY MODE ORDINARY OUTSIDE LEAVING DANGEROUS
combination() {
    policy=$1
    mode=$2
    choose "$policy" "$mode"
    # Known to be safe: never asked.
    client probe -- cat /etc/hostname
    client_ends probe 0
    "$3" ordinary
    "$4" outside
    "$5" leaving
    "$6" dangerous
}

starts() {
    # One that would do what it is told: what is dangerous shows in its words.
    mkdir "$e2e_dir/bin"
    printf '#!/bin/sh\nshift\nexec "$@"\n' >"$e2e_dir/bin/sudo"
    chmod +x "$e2e_dir/bin/sudo"
    PATH=$e2e_dir/bin:$PATH console_open main 80x24 -c guard_time=0
    wait_screen main 'on-request · workspace-write · net'
}

untrusted_asks_for_all_but_the_safe() {
    combination untrusted workspace-write asks asks asks asks
    combination untrusted read-only asks asks asks asks
    combination untrusted danger-full-access asks asks asks asks
    combination untrusted external-sandbox asks asks asks asks
}

on_failure_asks_after_the_sandbox() {
    combination on-failure workspace-write runs asks_again asks asks
    combination on-failure read-only asks_again asks_again asks asks
    combination on-failure danger-full-access runs runs runs asks
    combination on-failure external-sandbox runs runs runs asks
}

on_request_asks_when_asked_to() {
    combination on-request workspace-write runs asks_again asks asks
    combination on-request read-only asks_again asks_again asks asks
    combination on-request danger-full-access runs runs runs asks
    combination on-request external-sandbox runs runs runs asks
}

reject_refuses_instead_of_asking() {
    combination reject workspace-write runs blocked refused refused
    combination reject read-only blocked blocked refused refused
    combination reject danger-full-access runs runs runs refused
    combination reject external-sandbox runs runs runs refused
}

never_asks_never() {
    combination never workspace-write runs blocked refused refused
    combination never read-only blocked blocked refused refused
    combination never danger-full-access runs runs runs refused
    combination never external-sandbox runs runs runs refused
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

test_case starts
test_case untrusted_asks_for_all_but_the_safe
test_case on_failure_asks_after_the_sandbox
test_case on_request_asks_when_asked_to
test_case reject_refuses_instead_of_asking
test_case never_asks_never
test_case ends
e2e_end
