#!/bin/sh
# SPDX-License-Identifier: MIT
# Nobody looks: the operator's own command is run and learns no request; who is away denies.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    cat >"$e2e_dir/notify" <<'SCRIPT'
#!/bin/sh
env | grep ASSENT_ | sort | tr '\n' ' ' >>"$1"
echo >>"$1"
SCRIPT
    chmod +x "$e2e_dir/notify"
    console_open main 100x30 --policy untrusted -c guard_time=0 -c escalate_after=300ms -c away_after=5s \
        -c "notify_command=$e2e_dir/notify $e2e_dir/told"
}

told() {
    grep -qxF "ASSENT_EVENT=$1 ASSENT_WAITING=1 " "$e2e_dir/told"
}

who_is_away_denies() {
    client one -- touch one
    wait_for 'the first word' told waiting
    wait_for 'another' told escalated
    client_ends one 77
    grep -q 'nobody was at the console to answer within 5 s' "$e2e_dir/one.err"
    test ! -e "$e2e_work/one"
    wait_screen main 'not answered in time'
    ! grep -q touch "$e2e_dir/told"
}

told_twice() {
    [ "$(grep -cF 'ASSENT_EVENT=waiting' "$e2e_dir/told")" -ge 2 ]
}

# It was no answer of the operator's: the same is asked again, and not refused at once.
it_may_be_asked_again() {
    client one -- touch one
    wait_for 'word of the second request' told_twice
    client_ends one 77
    grep -q 'nobody was at the console' "$e2e_dir/one.err"
    test ! -e "$e2e_work/one"
}

ends() {
    quits main
    test "$(console_status main)" = 0
    grep -rq '"decision":"timed_out"' "$e2e_dir/state/assent/sessions"
}

test_case starts
test_case who_is_away_denies
test_case it_may_be_asked_again
test_case ends
e2e_end
