#!/bin/sh
# SPDX-License-Identifier: MIT
# Something else listens where consoles do: it must neither be told commands nor be believed.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need node
e2e_begin

sockets=$e2e_dir/run/assent

# impostor_start SOCKET [REAL-SOCKET]: it stands in the workspace, so that its place is the closest.
impostor_start() {
    rm -f "$e2e_dir/told"
    mkdir -p "$(dirname "$1")"
    chmod 700 "$(dirname "$1")"
    (cd "$e2e_work" && e2e_run node "$srcdir/tests/e2e/impostor.mjs" "$1" "$e2e_dir/told" ${2:+"$2"}) &
    wait_for 'the impostor' test -S "$1"
}

impostor_stop() {
    # shellcheck disable=SC2046 # process ids
    kill $(e2e_matching impostor.mjs)
    rm -f "$sockets/1.sock"
}

was_told_no_command() {
    grep -q console/info "$e2e_dir/told"
    ! grep -qE 'initialize|call/start|secret' "$e2e_dir/told"
}

# refused TEXT: the command fails as one that Assent could not start, for that reason.
refused() {
    client one -- echo secret
    client_ends one 125
    grep -q "$1" "$e2e_dir/one.err"
    test ! -s "$e2e_dir/one.out"
}

alone_it_gets_nothing() {
    # Once a console has run, its secret is there.
    headless_start
    headless_stop
    impostor_start "$sockets/1.sock"
    refused 'does not prove to be your console'
    was_told_no_command
    impostor_stop
}

beside_the_console_it_is_passed_over() {
    headless_start
    impostor_start "$sockets/1.sock"
    test "$(agent -- echo secret)" = secret
    was_told_no_command
    impostor_stop
    headless_stop
}

the_consoles_own_proof_is_no_use_to_it() {
    headless_start
    mkdir -m 700 "$e2e_dir/else"
    impostor_start "$e2e_dir/else/1.sock" "$sockets/$headless_pid.sock"
    e2e_env=ASSENT_SOCKET=$e2e_dir/else/1.sock
    refused 'does not prove to be your console'
    was_told_no_command
    e2e_env=
    impostor_stop
    headless_stop
}

# A capability is no proof to somebody who is not confined: whoever sets variables knows it.
a_capability_that_it_knows_is_no_use_to_it() {
    mkdir -m 700 "$e2e_dir/nothing" "$e2e_dir/known"
    impostor_start "$e2e_dir/known/1.sock"
    e2e_env="XDG_CONFIG_HOME=$e2e_dir/nothing XDG_STATE_HOME=$e2e_dir/nothing"
    e2e_env="$e2e_env ASSENT_CAPABILITY=known ASSENT_SOCKET=$e2e_dir/known/1.sock"
    refused 'whether it is your console cannot be told'
    e2e_env=
    test ! -e "$e2e_dir/told" || was_told_no_command
    impostor_stop
}

# A project's settings may set variables for the programs that an agent starts in it.
a_projects_variables_lead_nowhere() {
    headless_start
    impostor_start "$e2e_work/run/assent/1.sock"
    # A secret of its own making.
    mkdir -p "$e2e_work/conf/assent"
    printf '%064d\n' 0 >"$e2e_work/conf/assent/console.key"
    chmod 600 "$e2e_work/conf/assent/console.key"
    e2e_env="XDG_RUNTIME_DIR=$e2e_work/run XDG_CONFIG_HOME=$e2e_work/conf"
    chmod 700 "$e2e_work/run"
    refused 'lies in the working directory'
    e2e_env="ASSENT_SOCKET=$e2e_work/run/assent/1.sock $e2e_env"
    refused 'lies in the working directory'
    # Directories that were named outright win over all of them.
    test "$(agent --config-dir "$e2e_dir/conf/assent" --socket-dir "$sockets" -- echo secret)" = secret
    test ! -e "$e2e_dir/told"
    e2e_env=
    impostor_stop
    headless_stop
}

test_case alone_it_gets_nothing
test_case beside_the_console_it_is_passed_over
test_case the_consoles_own_proof_is_no_use_to_it
test_case a_capability_that_it_knows_is_no_use_to_it
test_case a_projects_variables_lead_nowhere
e2e_end
