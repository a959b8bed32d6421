#!/bin/sh
# SPDX-License-Identifier: MIT
# assent mcp as a client that others wrote sees it: the client of the protocol's TypeScript SDK, with
# the console in a terminal and its operator at the keys.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need node npm
e2e_begin

# The SDK is fetched once a build directory; without a registry the test cannot be.
sdk_version=1.32.2
sdk=$e2e_build/mcp-sdk-$sdk_version
if ! [ -d "$sdk" ]; then
    rm -rf "$sdk.new"
    mkdir "$sdk.new"
    (cd "$sdk.new" && npm install --no-save --no-audit --no-fund --ignore-scripts --silent \
        "@modelcontextprotocol/sdk@$sdk_version") >"$e2e_dir/npm.log" 2>&1 || {
        cat "$e2e_dir/npm.log"
        rm -rf "$sdk.new"
        [ -z "${MUST_WORK-}" ] || exit 1
        exit 77
    }
    mv "$sdk.new" "$sdk"
fi
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
    test ! -e "$e2e_dir/outside"
    keys main y
    # Outside the sandbox is a high risk: the key alone does not decide.
    keys main Enter
    wait $!
    test -e "$e2e_dir/outside"

    sdk_client denied &
    wait_screen main '┃ : touch denied'
    keys main d
    wait $!
    test ! -e "$e2e_dir/denied"
    console_stop main
}

test_case says_how_to_start_a_console
test_case lists_the_tool_and_runs_commands
test_case waits_for_the_operators_key
rm -f "$sdk/client-$$.mjs"
e2e_end
