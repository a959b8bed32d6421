#!/bin/sh
# SPDX-License-Identifier: MIT
# assent hook: what it answers, and that nothing but a clear yes is a yes.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need node
e2e_begin

# event TOOL INPUT [NAME]: the question of an agent.
event() {
    printf '{"session_id":"s","cwd":"%s","hook_event_name":"%s","tool_name":"%s","tool_input":%s}' \
        "$e2e_work" "${3:-PreToolUse}" "$1" "$2"
}

# hook NAME [OPTION…]: answers what is on standard input; NAME.out, NAME.err, NAME.exit as of client.
hook() {
    hook_name=$1
    shift
    set +e
    (cd "$e2e_work" && assent hook "$@") >"$e2e_dir/$hook_name.out" 2>"$e2e_dir/$hook_name.err"
    echo $? >"$e2e_dir/$hook_name.new"
    set -e
    mv "$e2e_dir/$hook_name.new" "$e2e_dir/$hook_name.exit"
}

# denies NAME TEXT: exit status 2, the reason on standard error, and no answer that might be taken.
denies() {
    client_ends "$1" 2
    grep -q "$2" "$e2e_dir/$1.err" || {
        cat "$e2e_dir/$1.err" >&2
        return 1
    }
    test ! -s "$e2e_dir/$1.out"
    rm "$e2e_dir/$1.exit"
}

says() {
    client_ends "$1" 0
    grep -qF -e "$2" "$e2e_dir/$1.out" || {
        cat "$e2e_dir/$1.out" >&2
        return 1
    }
    rm "$e2e_dir/$1.exit"
}

says_nothing() {
    client_ends "$1" 0
    test ! -s "$e2e_dir/$1.out"
    rm "$e2e_dir/$1.exit"
}

without_a_console_the_answer_is_no() {
    event Bash '{"command":"ls"}' | hook one
    denies one 'no Assent console is running'
    event Bash '{"command":"ls"}' | hook one --without-console ask
    says one '"permissionDecision":"ask"'
    event Bash '{"command":"ls"}' PermissionRequest | hook one --without-console ask
    says_nothing one
}

what_only_reads_is_left_to_the_agent() {
    event Read '{"file_path":"/x"}' | hook one
    says_nothing one
    event Bash '{"command":"ls"}' PostToolUse | hook one
    says_nothing one
    event mcp__assent__shell '{"command":"ls"}' | hook one
    says one '"permissionDecision":"allow"'
}

what_cannot_be_understood_is_a_no() {
    for text in '' '[]' '{' '{}' '{"hook_event_name":"PreToolUse"}' \
        '{"hook_event_name":"PreToolUse","tool_name":"Bash"}' \
        '{"hook_event_name":"PreToolUse","tool_name":7,"tool_input":{}}' \
        "$(event Bash '"ls"')" "$(event Bash '{"command":"ls"}')}"; do
        printf '%s' "$text" | hook one
        denies one 'assent hook: '
    done
    head -c 9000000 /dev/zero | hook one
    denies one 'could not be read'
    event Bash '{"command":"ls"}' | hook one --no-such-option
    denies one 'unknown option'
    event Bash '{"command":"ls"}' | hook one too many words
    denies one 'expected nothing, or install'
}

the_operator_answers() {
    console_open main 100x30 -c guard_time=0
    event Bash '{"command":"ls -l","description":"to see"}' | hook one &
    asked main 'ls -l'
    wait_screen main 'the agent does this itself, by its tool Bash'
    wait_screen main 'to see'
    keys main y
    says one '{"hookSpecificOutput":{"permissionDecision":"allow"'
    # What such a session is worth is said.
    typed main ':sessions'
    keys main Enter
    wait_screen main 'advisory: it does things itself'
    keys main Escape
    wait_no_screen main 'advisory: it does things itself'

    event Write '{"file_path":"/etc/x","content":"a b"}' | hook one &
    asked main "Write file_path=/etc/x 'content=a b'"
    keys main n
    wait_screen main 'Tell the agent why'
    written main 'not there'
    keys main Enter
    says one '"permissionDecision":"deny","permissionDecisionReason":"refused by the operator: not there"'

    event Bash '{"command":"make"}' PermissionRequest | hook one &
    asked main make
    confirm main x
    says one '"decision":{"behavior":"deny","message":"refused by the operator","interrupt":true}'

    # Other agents' words.
    printf '{"toolName":"bash","toolArgs":"{\\"command\\":\\"make x\\"}","cwd":"%s"}' "$e2e_work" | hook one &
    asked main 'make x'
    keys main d
    says one '{"permissionDecision":"deny","permissionDecisionReason":"refused by the operator"}'
    event run_shell_command '{"command":"make y"}' BeforeTool | hook one &
    asked main 'make y'
    keys main d
    says one '{"decision":"deny","reason":"refused by the operator"}'
    console_stop main
}

# The session is the agent's process, however many hooks it starts: its approval holds for it, and
# for no other.
an_approval_is_the_agents_own() {
    console_open main 100x30 -c guard_time=0
    event Bash '{"command":"cat x"}' >"$e2e_dir/event"
    cat >"$e2e_dir/agent.mjs" <<'END'
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
const [assent, event] = process.argv.slice(2);
for (let count = 0; count < 2; count++)
    process.stdout.write(spawnSync('sh', ['-c', `'${assent}' hook`], { input: fs.readFileSync(event) }).stdout);
END
    # Each line is an answer.
    e2e_run node "$e2e_dir/agent.mjs" "$e2e_build/assent" "$e2e_dir/event" >"$e2e_dir/first" &
    asked main 'cat x'
    confirm main a
    wait $!
    test "$(grep -c '"permissionDecision":"allow"' "$e2e_dir/first")" = 2
    unasked main
    e2e_run node "$e2e_dir/agent.mjs" "$e2e_build/assent" "$e2e_dir/event" >"$e2e_dir/second" &
    asked main 'cat x'
    keys main d
    wait $!
    test "$(grep -c '"permissionDecision":"deny"' "$e2e_dir/second")" = 2
    console_stop main
}

# Nor do agents share one that are scripts, each in a window of one multiplexer.
a_script_is_an_agent_of_its_own() {
    console_open main 100x30 -c guard_time=0
    cat >"$e2e_dir/agent" <<END
cd '$e2e_work'
cat '$e2e_dir/event' | '$e2e_build/assent' hook >"\$1.new"
mv "\$1.new" "\$1"
sleep 300
END
    rm "$e2e_dir/first"
    terminal_start one 80x24 sh "$e2e_dir/agent" "$e2e_dir/first"
    asked main 'cat x'
    confirm main a
    wait_for 'the first answer' grep -q '"permissionDecision":"allow"' "$e2e_dir/first"
    unasked main
    terminal_start two 80x24 sh "$e2e_dir/agent" "$e2e_dir/other"
    asked main 'cat x'
    keys main d
    wait_for 'the second answer' grep -q '"permissionDecision":"deny"' "$e2e_dir/other"
    e2e_tmux kill-session -t one
    e2e_tmux kill-session -t two
    console_stop main
}

# The two processes of a hook.
inner_hook() {
    for pid in $(e2e_matching 'assent hook'); do
        parent=$(cut -d ' ' -f 4 "/proc/$pid/stat")
        if e2e_matching 'assent hook' | grep -qx "$parent"; then
            echo "$pid"
        fi
    done
}

outer_hook() {
    cut -d ' ' -f 4 "/proc/$(inner_hook)/stat"
}

whatever_breaks_is_a_no() {
    console_open main 100x30 -c guard_time=0
    # The console dies while it is asked.
    event Bash '{"command":"one"}' | hook one &
    asked main one
    kill -KILL "$(basename "$e2e_dir"/run/assent/*.sock .sock)"
    denies one 'the console is gone'
    console_stop main

    console_open main 100x30 -c guard_time=0
    # The process that asks is killed, stopped for good, or told to end; so is the outer one.
    for signal in KILL SEGV ABRT TERM; do
        event Bash '{"command":"two"}' | hook one &
        asked main two
        kill -"$signal" "$(inner_hook)"
        denies one 'broke down'
        wait_no_screen main 'May it run'
    done
    for signal in TERM HUP INT ABRT SEGV; do
        event Bash '{"command":"three"}' | hook one &
        asked main three
        kill -"$signal" "$(outer_hook)"
        denies one 'ended by a signal'
        wait_screen main 'ended before it was answered'
        wait_no_screen main 'May it run'
    done
    event Bash '{"command":"four"}' | hook one --wait 4s &
    denies one 'did not answer in time'
    # As long as it takes to have the process stopped before it has waited enough by itself.
    event Bash '{"command":"five"}' | hook one --wait 25s &
    asked main five
    kill -STOP "$(inner_hook)"
    denies one 'no answer in time'
    # An answer that cannot be given is none.
    event mcp__assent__shell '{}' | (cd "$e2e_work" && assent hook >/dev/full 2>"$e2e_dir/one.err") && test_fail 'a yes'
    grep -q 'could not be written' "$e2e_dir/one.err"
    console_stop main
}

# With --rewrite the agent's shell runs its commands through the console.
scripts_can_go_through_the_console() {
    headless_start
    event Bash '{"command":"echo \"a  b\"; touch made; touch ../outside","timeout":5}' | hook one --rewrite
    grep -q '"permissionDecision":"allow"' "$e2e_dir/one.out"
    # shellcheck disable=SC2016 # for node
    line=$(node -e 'const { updatedInput } = JSON.parse(require("fs").readFileSync(0)).hookSpecificOutput;
        if (updatedInput.timeout === 5) console.log(updatedInput.command)' <"$e2e_dir/one.out")
    (cd "$e2e_work" && e2e_run sh -c "$line") >"$e2e_dir/out" 2>/dev/null || true
    test "$(cat "$e2e_dir/out")" = 'a  b'
    test -e "$e2e_work/made"
    test ! -e "$e2e_dir/outside"
    headless_stop
}

test_case without_a_console_the_answer_is_no
test_case what_only_reads_is_left_to_the_agent
test_case what_cannot_be_understood_is_a_no
test_case the_operator_answers
test_case an_approval_is_the_agents_own
test_case a_script_is_an_agent_of_its_own
test_case whatever_breaks_is_a_no
test_case scripts_can_go_through_the_console
e2e_end
