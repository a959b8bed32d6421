#!/bin/sh
# SPDX-License-Identifier: MIT
# 32 agents ask for 32 commands each at once, and the operator answers them all from the list:
# every one gets what was said of its own request, and what was allowed for the session of one
# holds for no other.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
test_need python3

agents=32
requests=32

starts() {
    console_open main 120x40 --policy untrusted -c guard_time=0
    mkdir "$e2e_dir/crowd"
    for socket in "$e2e_dir"/run/assent/*.sock; do
        e2e_run python3 "$srcdir/tests/e2e/crowd.py" "$socket" "$e2e_work" "$e2e_dir/crowd" \
            "$agents" "$requests" &
    done
}

# reached WHAT COUNT: so many agents have got there. Fails at once when one tells that something is
# not as it should be.
reached() {
    test "$(find "$e2e_dir/crowd" -name "*.$1" | wc -l)" = "$2" || failed
}

failed() {
    test -n "$(find "$e2e_dir/crowd" -name '*.failed')"
}

all_have() {
    wait_for "all have $1" reached "$1" "$2" || return 1
    ! failed || {
        cat "$e2e_dir"/crowd/*.failed >&2
        return 1
    }
}

# Of each agent eight are asked about at a time; the list has all, those of the same words in one row.
each_gets_its_own_answer() {
    wait_screen main 'asks. May it run'
    keys main F9
    wait_screen main '1024 requests wait, in 32 rows' || {
        cat "$e2e_dir"/crowd/*.failed >&2
        return 1
    }
    number=0
    while [ "$number" -lt "$requests" ]; do
        wait_for "shared-$number" row_asks "touch shared-$number" || {
            screen main >&2
            return 1
        }
        if [ $((number % 4)) = 0 ]; then
            keys main y
        else
            keys main d
        fi
        number=$((number + 1))
    done
    all_have asked "$agents"
    number=0
    while [ "$number" -lt "$requests" ]; do
        if [ $((number % 4)) = 0 ]; then
            test -e "$e2e_work/shared-$number"
        else
            test ! -e "$e2e_work/shared-$number"
        fi
        number=$((number + 1))
    done
}

# The row at the cursor is of all agents, and is that command.
row_asks() {
    screen_has main "┃ $1 " && screen main | grep -F '▸' | grep -qF "×$agents $1 "
}

nothing_is_allowed_to_another() {
    wait_no_screen main 'requests wait'
    touch "$e2e_dir/crowd/own"
    asked main 'touch own'
    keys main F9
    wait_screen main '1 request waits'
    wait_screen main '┃ touch own'
    keys main a
    all_have 'done' 1
    touch "$e2e_dir/crowd/others"
    wait_screen main 'asks. May'
    keys main F9
    wait_screen main '31 requests wait'
    wait_screen main '×31 touch own'
    keys main d
    all_have 'done' "$agents"
}

every_answer_is_recorded() {
    wait_no_screen main 'requests wait'
    quits main
    test "$(console_status main)" = 0
    cat "$e2e_dir"/state/assent/sessions/*.jsonl >"$e2e_dir/log"
    test "$(grep -c '"decision":"approved"' "$e2e_dir/log")" = $((agents * requests / 4))
    test "$(grep -c '"decision":"denied"' "$e2e_dir/log")" = $((agents * requests * 3 / 4 + 31))
    test "$(grep -c '"decision":"approved_for_session"' "$e2e_dir/log")" = 2
}

test_case starts
test_case each_gets_its_own_answer
test_case nothing_is_allowed_to_another
test_case every_answer_is_recorded
e2e_end
