#!/bin/sh
# SPDX-License-Identifier: MIT
# assent mcp as clients that others wrote see it: the client of the protocol's TypeScript SDK, and the
# protocol's inspector, with the console in a terminal and its operator at the keys.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
# shellcheck source=tests/e2e/npm.sh
. "${srcdir:-.}/tests/e2e/npm.sh"
e2e_begin

npm_fetch @modelcontextprotocol/sdk 1.32.2
sdk=$npm_directory
npm_fetch @modelcontextprotocol/inspector-cli 0.15.0
inspector=$npm_directory/node_modules/@modelcontextprotocol/inspector-cli/build/index.js
# Modules are looked for beside the file that imports them.
cp "$srcdir/tests/e2e/mcp-sdk.mjs" "$sdk/client-$$.mjs"

# sdk_client SCENARIO: what it found is in $e2e_dir/SCENARIO.log.
sdk_client() {
    (cd "$e2e_work" && e2e_run node "$sdk/client-$$.mjs" "$1" "$e2e_build/assent" "$e2e_work") \
        >"$e2e_dir/$1.log" 2>&1 || {
        cat "$e2e_dir/$1.log" >&2
        return 1
    }
}

says_how_to_start_a_console() {
    sdk_client no-console
}

lists_the_tool_and_runs_commands() {
    headless_start
    sdk_client commands
    headless_stop
}

waits_for_the_operators_key() {
    console_open main 100x30 -c guard_time=0
    sdk_client approved &
    wait_screen main '┃ : touch approved'
    wait_screen main 'to see whether it can be done'
    wait_for 'word that it waits' test -e "$e2e_dir/told"
    test ! -e "$e2e_dir/outside"
    confirm main y
    wait $!
    test -e "$e2e_dir/outside"

    sdk_client kept &
    wait_screen main '┃ touch kept'
    keys main i
    wait $!
    test -e "$e2e_work/kept"

    # Polling does not decide.
    sdk_client polled &
    wait_screen main '┃ : touch polled'
    wait_for 'the first answer' test -e "$e2e_dir/polling"
    keys main y
    wait $!

    mkdir "$e2e_dir/more"
    sdk_client permitted &
    wait_screen main "request_permissions 'writable="
    wait_screen main 'from now on all that this session runs'
    wait_screen main 'to build there'
    wait_screen main 'HIGH: gains privileges'
    confirm main y
    wait $!
    test -e "$e2e_dir/more/file"

    sdk_client denied &
    wait_screen main '┃ : touch denied'
    keys main d
    wait $!
    test ! -e "$e2e_dir/denied"
    console_stop main
}

the_clients_user_decides_where_the_configuration_says_so() {
    echo 'client "sdk-test" { decide_by = client }' >"$e2e_dir/conf/assent/assent.conf"
    console_open main 100x30 -c guard_time=0 -c approval_policy=untrusted
    sdk_client form-decides
    wait_screen main 'denied, by its client: touch declined'
    assent log --by client --format json >"$e2e_dir/log"
    grep -q '"source":"client"' "$e2e_dir/log"

    sdk_client form-closed &
    wait_for 'the closed form' test -e "$e2e_dir/closed"
    wait_screen main 'touch closed-form'
    keys main y
    wait $!
    test -e "$e2e_work/closed-form"

    sdk_client form-late &
    wait_for 'the form that is not answered' test -e "$e2e_dir/late"
    wait_screen main 'touch late-form'
    keys main d
    wait $!

    mkdir "$e2e_dir/kept"
    sdk_client form-high &
    wait_for 'the form about a high risk' test -e "$e2e_dir/high"
    wait_screen main ': high; rm -rf'
    keys main d
    wait $!
    test -e "$e2e_dir/kept"
    console_stop main
    rm "$e2e_dir/conf/assent/assent.conf"

    # A project cannot let its agents decide: its settings are no configuration.
    mkdir "$e2e_work/.assent"
    for place in .assent.conf assent.conf .assent/assent.conf; do
        echo 'client "sdk-test" { decide_by = client }' >"$e2e_work/$place"
    done
    console_open main 100x30 -c guard_time=0 -c approval_policy=untrusted
    sdk_client form-informs &
    wait_for 'the form that informs' test -e "$e2e_dir/informed"
    wait_screen main 'touch informed-form'
    keys main d
    wait $!
    test ! -e "$e2e_work/informed-form"
    console_stop main
}

# inspect WORD…: what it prints is in $e2e_dir/inspected.
inspect() {
    (cd "$e2e_work" && e2e_run node "$inspector" "$e2e_build/assent" mcp "$@") \
        >"$e2e_dir/inspected" 2>&1 || return 1
}

the_inspector_lists_and_calls() {
    console_open main 100x30 -c guard_time=0
    inspect --method tools/list
    grep -q '"name": "apply_patch"' "$e2e_dir/inspected"
    inspect --method tools/call --tool-name shell --tool-arg 'command=echo hi; exit 3'
    grep -qF '"text": "hi\n[exit code 3]\n"' "$e2e_dir/inspected"
    # What is not there is no method, and nothing worse.
    inspect --method resources/list && exit 1
    grep -q 'MCP error -32601: unknown method resources/list' "$e2e_dir/inspected"
    inspect --method tools/call --tool-name shell --tool-arg "command=: inspected; touch $e2e_dir/seen" \
        --tool-arg sandbox_permissions=require_escalated &
    asked main ": inspected; touch $e2e_dir/seen"
    test ! -e "$e2e_dir/seen"
    confirm main y
    wait $!
    test -e "$e2e_dir/seen"
    grep -qF '"source": "user"' "$e2e_dir/inspected"
    console_stop main
}

test_case says_how_to_start_a_console
test_case lists_the_tool_and_runs_commands
test_case waits_for_the_operators_key
test_case the_clients_user_decides_where_the_configuration_says_so
test_case the_inspector_lists_and_calls
rm -f "$sdk/client-$$.mjs"
e2e_end
