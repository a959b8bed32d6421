#!/bin/sh
# SPDX-License-Identifier: MIT
# The harness itself: what it shows, sends and waits for is real.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

shows_and_sends() {
    # shellcheck disable=SC2016 # for the inner shell
    terminal_start probe 40x5 sh -c 'read -r line; echo "got <$line> it'\''s $HOME"; read -r line; exit 7'
    typed probe "a 'b'"
    keys probe Enter
    wait_screen probe "got <a 'b'> it's"
    test "$(screen probe | wc -l)" -le 5
    keys probe Enter
    test "$(console_status probe)" = 7
}

has_an_environment_of_its_own() {
    terminal_start variables 80x24 env
    wait_screen variables "HOME=$e2e_dir/home"
    screen_lacks variables SSH_
    screen_lacks variables OLDPWD
}

e2e_busy() {
    ! e2e_quiet
}

notices_what_is_left_running() {
    e2e_run sleep 100 &
    wait_for 'the process' e2e_busy
    e2e_deadline=1
    if all_ended 2>"$e2e_dir/left"; then
        exit 1
    fi
    grep -q '^[0-9]* sleep 100 ' "$e2e_dir/left"
    # shellcheck disable=SC2046 # process ids
    kill $(e2e_processes)
    wait_for 'its end' e2e_quiet
}

waits_until_a_deadline_only() {
    e2e_deadline=1
    if wait_for nothing false 2>"$e2e_dir/message"; then
        exit 1
    fi
    grep -q 'waited 1 s for: nothing' "$e2e_dir/message"
}

test_case shows_and_sends
test_case has_an_environment_of_its_own
test_case notices_what_is_left_running
test_case waits_until_a_deadline_only
e2e_end
