#!/bin/sh
# SPDX-License-Identifier: MIT
# Consoles whose record fails at each operation on it: they are killed before, in or after it, it does
# only a part, or the disk is full or broken from there on. No effect is without its recorded decision, no decision is lost, and what
# is left can be read and verified.
# With FAULTS_ALL set (make check-long), also those that a unit test of the record tries as well.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
e2e_begin

# trial FAULT: a console in a state directory of its own; an agent in it wants a file.
trial() {
    trial_dir=$e2e_dir/$(echo "$1" | tr ':' '-')
    mkdir "$trial_dir" "$trial_dir/shop"
    # shellcheck disable=SC2016 # for the inner shell
    (cd "$trial_dir/shop" && e2e_run env LD_PRELOAD="$e2e_build/tests/e2e/faults.so" FAULT="$1" FAULT_MARK="$trial_dir/reached" \
        ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" XDG_STATE_HOME="$trial_dir/state" \
        "$e2e_build/assent" --headless --policy never -c guard_time=0 -- \
        sh -c 'for name in one two; do "$0" exec -- touch "$name"; done' "$e2e_build/assent") \
        >"$trial_dir/out" 2>&1 </dev/null || :
}

# What must hold of trials (prefix, first and last number), whatever happened; "reached" when the last one's fault was.
check='import json, os, sys
for number in range(int(sys.argv[2]), int(sys.argv[3]) + 1):
    trial = "%s-%d" % (sys.argv[1], number)
    sessions = trial + "/state/assent/sessions"
    events = []
    for name in os.listdir(sessions) if os.path.isdir(sessions) else []:
        if not name.endswith(".jsonl"):
            continue
        text = open(os.path.join(sessions, name), "rb").read()
        whole = text.rfind(b"\n") + 1
        events = [json.loads(line) for line in text[:whole].splitlines()]
    decided = {}
    for event in events:
        if event["event"] == "decision":
            decided[event["call"]] = event["kind"]
        if event["event"] == "attempt_start":
            assert decided.get(event["call"]) == "approved", (trial, event)
    for name in ("one", "two"):
        if os.path.exists(trial + "/shop/" + name):
            calls = [e["call"] for e in events if e["event"] == "call_received" and e["argv"] == ["touch", name]]
            assert calls and decided.get(calls[0]) == "approved", (trial, name + " has no decision")
    reached = os.path.exists(trial + "/reached")
    if not reached or sys.argv[1].endswith("short"):
        assert events and events[-1]["event"] == "log_end", trial + " has no end"
        assert os.path.exists(trial + "/shop/two"), trial + " did not do all"
print("reached" if reached else "whole")'

# each_operation KIND: from the first on, until one is not reached any more.
each_operation() {
    number=0
    while :; do
        for next in 1 2 3 4 5 6; do
            trial "$1:$((number + next))" &
        done
        wait
        state=$(python3 -c "$check" "$e2e_dir/$1" "$((number + 1))" "$((number + 6))") ||
            test_fail "$1 from $((number + 1)) on"
        for next in 1 2 3 4 5 6; do
            number=$((number + 1))
            verifies "$1-$number" || test_fail "$1:$number does not verify"
        done
        test "$state" = reached || break
        test "$number" -lt 200
    done
    test "$number" -gt "$2"
    test -e "$e2e_dir/$1-$number/shop/two"
}

verifies() {
    e2e_run env XDG_STATE_HOME="$e2e_dir/$1/state" "$e2e_build/assent" log verify >"$e2e_dir/verified" ||
        ! test -d "$e2e_dir/$1/state/assent/sessions" || { cat "$e2e_dir/verified"; return 1; }
}

killed_at_each_operation() {
    each_operation kill 8
}

killed_before_each_operation() {
    each_operation before 8
}

killed_after_each_operation() {
    each_operation after 8
}

each_operation_does_a_part() {
    each_operation short 8
}

disk_full_from_each_operation_on() {
    each_operation nospace 4
}

disk_broken_from_each_operation_on() {
    each_operation io 4
}

test_case killed_at_each_operation
[ -z "${FAULTS_ALL-}" ] || test_case killed_before_each_operation
[ -z "${FAULTS_ALL-}" ] || test_case killed_after_each_operation
[ -z "${FAULTS_ALL-}" ] || test_case each_operation_does_a_part
[ -z "${FAULTS_ALL-}" ] || test_case disk_full_from_each_operation_on
[ -z "${FAULTS_ALL-}" ] || test_case disk_broken_from_each_operation_on
e2e_end
