#!/bin/sh
# SPDX-License-Identifier: MIT
# assent acp as the protocol's own TypeScript SDK sees it, which refuses what is not as the schema says:
# an agent made with it asks for all that a client serves, and the operator answers.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
# shellcheck source=tests/e2e/npm.sh
. "${srcdir:-.}/tests/e2e/npm.sh"
e2e_begin

npm_fetch @agentclientprotocol/sdk 2.4.0
# Modules are looked for beside the file that imports them.
agent=$npm_directory/agent-$$.mjs
cp "$srcdir/tests/e2e/acp-sdk.mjs" "$agent"

all_that_a_client_serves() {
    console_open main 120x40 -c guard_time=0 --agent "node $agent"
    wait_screen main 'SDK agent 1 is ready (session sdk-session)'
    typed main 'go'
    keys main Enter
    wait_screen main 'terminal: from a terminal'
    wait_screen main 'file: some text'
    test "$(cat "$e2e_work/written")" = 'some text'
    wait_screen main '1 request waits'
    keys main 'C-\'
    asked main 'touch allowed'
    keys main y
    wait_screen main 'permission: {"outcome":"selected","optionId":"2"}'
    wait_screen main 'asks. What do you answer?'
    wait_screen main 'A name, please'
    keys main y
    wait_screen main 'Your answer'
    written main 'Grace'
    keys main Enter
    wait_screen main 'form: {"action":"accept","content":{"name":"Grace"}}'
    wait_screen main 'unknown: -32601'
    console_stop main
}

test_case all_that_a_client_serves
rm -f "$agent"
e2e_end
