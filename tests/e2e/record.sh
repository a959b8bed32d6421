#!/bin/sh
# SPDX-License-Identifier: MIT
# The record: each decision is in it before its effect, whatever the decision came from; sudden
# ends leave it whole; without it nothing runs.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
e2e_begin

# query LOG-FILES EXPRESSION: evaluated with `events`, the list of objects; must be true. A line
# that is no JSON object is an error.
query='import json, sys
events = [json.loads(line) for path in sys.argv[2:] for line in open(path, encoding="utf-8")]
def of(call, *kinds):
    return [event for event in events if event.get("call") == call and event["event"] in kinds]
if not eval(sys.argv[1]):
    sys.exit("not so: " + sys.argv[1] + "\n" + "\n".join(map(str, events)))'

holds() {
    python3 -c "$query" "$@"
}

# copies_log: a command that keeps a copy of the record as it is while the command runs.
copies_log() {
    client one "$@" -- cp -r "$e2e_dir/state/assent/sessions" seen
}

# Call $1 has been decided by $2, in so many words, in the copy that it made itself.
decided_before() {
    holds "[(event['kind'], event['source']) for event in of($1, 'decision')][-1] == ('$3', '$2')" \
        "$e2e_work"/seen/*.jsonl
    holds "of($1, 'attempt_start', 'decision')[-1]['event'] == 'attempt_start'" "$e2e_work"/seen/*.jsonl
    holds "not of($1, 'attempt_end', 'finished')" "$e2e_work"/seen/*.jsonl
    rm -r "$e2e_work/seen"
}

a_decision_is_written_before_its_effect() {
    console_open main 80x24 --policy untrusted --mode danger-full-access -c guard_time=0
    copies_log
    asked main 'cp -r'
    keys main y
    client_ends one 0
    decided_before 1 user approved
    copies_log
    asked main 'cp -r'
    keys main a
    client_ends one 0
    decided_before 2 user approved_for_session
    copies_log
    client_ends one 0
    decided_before 3 cache approved_for_session
    typed main ':policy never'
    keys main Enter
    wait_screen main 'From the next call on: approval policy never'
    copies_log --justification 'unasked'
    client_ends one 0
    decided_before 4 config approved
}

a_denial_is_written_with_its_message() {
    typed main ':policy untrusted'
    keys main Enter
    wait_screen main 'From the next call on: approval policy untrusted'
    client one -- touch "$(printf 'denied\033[2J')"
    asked main 'touch'
    keys main n
    wait_screen main 'Enter denies with this message'
    typed main 'no, thanks'
    keys main Enter
    client_ends one 77
    log=$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl')
    test "$(stat -c %a "$log" "$(dirname "$log")")" = "600
700"
    holds "[event['kind'] for event in of(5, 'decision')] == ['denied']" "$log"
    holds "of(5, 'decision')[0]['message'] == 'no, thanks'" "$log"
    holds "of(5, 'attempt_start') == []" "$log"
    holds "of(5, 'finished')[0]['exit_status'] == 77" "$log"
    # As text: safe to read, and complete.
    session=$(assent log | sed -n 's/^\([0-9a-f]*\) .*default$/\1/p')
    assent log "$session" >"$e2e_dir/text"
    grep -q 'denied<ESC>\[2J' "$e2e_dir/text"
    grep -q 'no, thanks' "$e2e_dir/text"
    test -z "$(tr -d '\040-\176\n\200-\377' <"$e2e_dir/text")"
}

a_killed_console_leaves_it_whole() {
    client one -- sleep 1002
    asked main 'sleep 1002'
    keys main y
    wait_for 'the command' e2e_running 'sleep 1002'
    client two -- touch undecided
    asked main 'touch undecided'
    kill -KILL "$(basename "$(find "$e2e_dir/run/assent" -name '*.sock')" .sock)"
    client_ends one 125
    client_ends two 125
    wait_for 'the end of the command' e2e_not_running 'sleep 1002'
    log=$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl')
    holds "len(of(6, 'attempt_start')) == 1 and of(6, 'finished') == []" "$log"
    holds "len(of(7, 'prompt_shown')) == 1 and of(7, 'decision', 'attempt_start') == []" "$log"
    test ! -e "$e2e_work/undecided"
    assent log | grep -q 'default$'
    e2e_tmux kill-session -t main
}

# A file size limit is a full disk that a test can have: 16 blocks of 512 bytes.
nothing_runs_without_a_record() {
    # shellcheck disable=SC2016 # for the inner shell
    terminal_start full 80x24 sh -c 'ulimit -f 16; exec "$@"' sh \
        "$e2e_build/assent" --policy never -c guard_time=0
    wait_screen full ' keys: '
    round=0
    while [ "$round" -lt 20 ]; do
        round=$((round + 1))
        client one -- touch "made.$round"
        code=$(client_status one)
        test "$code" = 0 || break
        test -e "$e2e_work/made.$round"
    done
    test "$code" = 125
    grep -q 'the decision could not be recorded, so nothing was run' "$e2e_dir/one.err"
    test ! -e "$e2e_work/made.$round"
    # The console lives, and goes on refusing.
    client one -- touch after
    client_ends one 125
    test ! -e "$e2e_work/after"
    keys full C-q
    test "$(console_status full)" = 0
}

test_case a_decision_is_written_before_its_effect
test_case a_denial_is_written_with_its_message
test_case a_killed_console_leaves_it_whole
test_case nothing_runs_without_a_record
e2e_end
