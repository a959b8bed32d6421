#!/bin/sh
# SPDX-License-Identifier: MIT
# An agent that ends the bridge which keeps it waiting, starts another and repeats the call (Qwen Code
# does): the call neither runs nor asks twice. Another agent, another call and an agent that has ended
# get nothing of it.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
e2e_begin

# agent_repeats NAME CALL…
agent_repeats() {
    rm -f "$e2e_dir/mark"
    (
        cd "$e2e_work" && e2e_run env ASSENT_PROGRAM="$e2e_build/assent" MARK="$e2e_dir/mark" \
            python3 "$srcdir/tests/e2e/respawn.py" "$@" >"$e2e_dir/agent.out" 2>&1
    )
}

agent_says() {
    wait "$agent" || cat "$e2e_dir/agent.out" >&2
    test "$(cat "$e2e_dir/agent.out")" = "$1"
}

repeated() {
    test "$(cat "$e2e_dir/mark")" = ..
}

a_running_call_is_joined() {
    headless_start
    call='{"command": "echo one >>runs; while ! test -e go; do sleep 0.1; done; echo done"}'
    agent_repeats qwen-cli-mcp-client-x "$call" "@$e2e_work/runs $call" &
    agent=$!
    wait_for 'the second bridge' repeated
    touch "$e2e_work/go"
    agent_says 'done'
    test "$(cat "$e2e_work/runs")" = one
    headless_stop
}

a_question_is_asked_once() {
    console_open main 100x30 -c guard_time=0
    call="{\"command\": \"touch $e2e_dir/outside; echo made\", \"sandbox_permissions\": \"require_escalated\"}"
    agent_repeats qwen-cli-mcp-client-x "$call" "@$e2e_dir/again $call" &
    agent=$!
    asked main "touch $e2e_dir/outside; echo made"
    touch "$e2e_dir/again"
    wait_for 'the second bridge' repeated
    wait_screen main 'c1 asks. May it run'
    confirm main y
    agent_says 'made'
    screen_lacks main ' c2 '
    console_stop main
}

another_call_is_another() {
    rm -f "$e2e_work"/*
    headless_start
    slow='{"command": "echo one >>runs; while ! test -e go; do sleep 0.1; done"}'
    agent_repeats qwen-cli-mcp-client-x "$slow" "@$e2e_work/runs {\"command\": \"echo other\"}" &
    agent=$!
    agent_says 'other'
    # The agent has ended, and with it the call that nobody asks for any more.
    headless_stop
}

others_do_not_linger() {
    rm -f "$e2e_work"/*
    headless_start
    call='{"command": "echo one >>runs; if test -e second; then echo two; else touch second; sleep 1000; fi"}'
    agent_repeats another-client "$call" "@$e2e_work/second $call" &
    agent=$!
    agent_says 'two'
    headless_stop
}

test_case a_running_call_is_joined
test_case a_question_is_asked_once
test_case another_call_is_another
test_case others_do_not_linger
e2e_end
