#!/bin/sh
# SPDX-License-Identifier: MIT
# The keys that decide a request: what the screen, the files, and the client that asked see of it.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    console_open main 100x30 --policy untrusted -c guard_time=0
}

y_allows_once() {
    client one -- touch once
    asked main 'touch once'
    client_waits one
    test ! -e "$e2e_work/once"
    keys main y
    client_ends one 0
    test -e "$e2e_work/once"
    wait_screen main 'allowed once, by you'
    # It is not remembered.
    rm "$e2e_work/once"
    unasked main
    client one -- touch once
    asked main 'touch once'
    keys main d
    client_ends one 77
    test ! -e "$e2e_work/once"
}

a_allows_for_the_session() {
    echo text >"$e2e_work/original"
    client one -- cp original copy
    asked main 'cp original copy'
    keys main a
    client_ends one 0
    test -e "$e2e_work/copy"
    wait_screen main 'allowed for this session, by you'
    rm "$e2e_work/copy"
    client one -- cp original copy
    client_ends one 0
    test -e "$e2e_work/copy"
    wait_screen main 'covered by your answer to c'
    # The same words elsewhere are something else.
    mkdir "$e2e_work/below"
    echo text >"$e2e_work/below/original"
    e2e_cwd=$e2e_work/below
    client one -- cp original copy
    asked main 'cp original copy'
    keys main d
    client_ends one 77
    test ! -e "$e2e_work/below/copy"
}

# What a command told is not behind the request that it was typed over, which comes up by itself.
a_command_tells_before_the_request_comes_up() {
    client one -- touch below/told
    asked main 'touch below/told'
    typed main ':undo'
    keys main Enter
    wait_screen main ', denied: cp original copy'
    wait_screen main 'asks: shown in a moment, or with the next key'
    client_waits one
    asked main 'touch below/told'
    keys main d
    client_ends one 77
    test ! -e "$e2e_work/below/told"
}

a_covers_what_waits() {
    client one -- mkdir -p made
    asked main 'mkdir -p made'
    client two -- mkdir -p made
    wait_screen main '1 more waits'
    client three -- mkdir -p other
    wait_screen main '2 more wait'
    keys main a
    client_ends one 0
    client_ends two 0
    asked main 'mkdir -p other'
    client_waits three
    keys main d
    client_ends three 77
    test -d "$e2e_work/made"
    test ! -e "$e2e_work/other"
}

p_allows_the_prefix() {
    client one -- touch first
    asked main 'touch first'
    wait_screen main 'touch first  (exactly this, in this directory; in the sandbox)'
    keys main Right
    wait_screen main 'touch first  (exactly this, in any directory; in the sandbox)'
    keys main Right
    wait_screen main 'touch  (and any further words; in the sandbox)'
    confirm main p
    client_ends one 0
    test -e "$e2e_work/first"
    client one -- touch second
    client_ends one 0
    test -e "$e2e_work/second"
    # Inside the sandbox only.
    client one -- touch "$e2e_dir/home/outside"
    wait_screen main 'stopped by the sandbox. Run it again'
    keys main d
    client_ends one 77
    test ! -e "$e2e_dir/home/outside"
}

# What asks to leave the sandbox runs, and the sandbox holds it: it writes here and not elsewhere.
i_keeps_it_in_the_sandbox() {
    inside='touch within; touch ../home/elsewhere'
    client one --escalate -- sh -c "$inside"
    asked main "$inside"
    wait_screen main 'May it run WITHOUT the sandbox?'
    wait_screen main 'i  allow once, but in the sandbox'
    keys main i
    wait_screen main 'stopped by the sandbox. Run it again'
    wait_no_screen main 'i  allow once'
    test -e "$e2e_work/within"
    test ! -e "$e2e_dir/home/elsewhere"
    keys main i # is no answer to that
    wait_screen main 'This answer is not offered here.'
    client_waits one
    keys main d
    client_ends one 77
    test ! -e "$e2e_dir/home/elsewhere"
    # It is not remembered, and the agent is told.
    unasked main
    client one --escalate -- sh -c 'touch again'
    asked main 'touch again'
    keys main i
    client_ends one 0
    test -e "$e2e_work/again"
    grep -qxF 'assent: the operator let it run once, in the sandbox and not outside it' "$e2e_dir/one.err"
    wait_screen main 'allowed once, but in the sandbox, by you'
    client one --escalate --json -- sh -c 'touch again'
    asked main 'touch again'
    keys main i
    client_ends one 0
    grep -q '"kind":"approved_sandboxed"' "$e2e_dir/one.out"
    grep -q '"sandbox":"workspace-write' "$e2e_dir/one.out"
    # A request that stays inside does not have it.
    unasked main
    client one -- mkfifo usual
    asked main 'mkfifo usual'
    wait_no_screen main 'i  allow once'
    keys main d
    client_ends one 77
}

d_denies_and_the_client_goes_on() {
    client one -- ln -s x denied
    asked main 'ln -s x denied'
    keys main d
    client_ends one 77
    test "$(cat "$e2e_dir/one.err")" = 'assent: refused by the operator'
    test ! -s "$e2e_dir/one.out"
    wait_screen main 'lets it ask again), by you'
    # The same again gets the same answer, unasked.
    client one -- ln -s x denied
    client_ends one 77
    test ! -L "$e2e_work/denied"
}

n_denies_with_a_message() {
    client one -- ln -s x message
    asked main 'ln -s x message'
    keys main n
    wait_screen main 'Enter denies with this message'
    written main 'no links, use "cp" instead: y'
    keys main Escape
    wait_no_screen main 'Enter denies with this message'
    client_waits one
    keys main n
    wait_screen main 'Enter denies with this message'
    written main 'no links, use "cp" instead'
    keys main Enter
    client_ends one 77
    grep -qxF 'assent: refused by the operator: no links, use "cp" instead' "$e2e_dir/one.err"
    test ! -L "$e2e_work/message"
}

x_aborts_all_of_the_agents_work() {
    client one -- env sleep 1000
    asked main 'env sleep 1000'
    keys main y
    wait_for 'the command' e2e_running '^sleep 1000'
    client two -- ln -s x second
    asked main 'ln -s x second'
    client three -- ln -s x third
    wait_screen main '1 more waits'
    confirm main x
    client_ends two 77
    client_ends three 77
    client_ends one 143
    wait_for 'the end of the command' e2e_not_running '^sleep 1000'
    test ! -L "$e2e_work/second"
    test ! -L "$e2e_work/third"
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

# Keys of the configuration decide, those that gave way to them do not; a bad one is named.
chosen_keys_decide() {
    printf 'keys = {"approve=Y", "deny=y"}\n' >"$e2e_dir/conf/assent/assent.conf"
    console_open chosen 100x30 --policy untrusted -c guard_time=0
    client one -- mkfifo chosen
    asked chosen 'mkfifo chosen'
    keys chosen d
    keys chosen F5
    wait_screen chosen "That key is for the prompt line"
    keys chosen y
    client_ends one 77
    test ! -e "$e2e_work/chosen"
    unasked chosen
    client one -- mkfifo another
    asked chosen 'mkfifo another'
    keys chosen Y
    client_ends one 0
    test -e "$e2e_work/another"
    quits chosen
    test "$(console_status chosen)" = 0
    printf 'keys = {"approve=Enter"}\n' >"$e2e_dir/conf/assent/assent.conf"
    console_start refused 100x30
    test "$(console_status refused)" = 125
    wait_screen refused 'keys: "approve=Enter": an answer needs'
    rm "$e2e_dir/conf/assent/assent.conf"
}

test_case starts
test_case y_allows_once
test_case a_allows_for_the_session
test_case a_command_tells_before_the_request_comes_up
test_case a_covers_what_waits
test_case p_allows_the_prefix
test_case i_keeps_it_in_the_sandbox
test_case d_denies_and_the_client_goes_on
test_case n_denies_with_a_message
test_case x_aborts_all_of_the_agents_work
test_case ends
test_case chosen_keys_decide
e2e_end
