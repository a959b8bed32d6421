#!/bin/sh
# SPDX-License-Identifier: MIT
# The record: each decision is in it before its effect, whatever the decision came from; sudden
# ends leave it whole; without it nothing runs.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 prlimit
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

# Call $1 has been decided by $2, in so many words, in the copy that it made itself. (That it started
# may be written while it runs.)
decided_before() {
    holds "[(event['kind'], event['source']) for event in of($1, 'decision')][-1] == ('$3', '$2')" \
        "$e2e_work"/seen/*.jsonl
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

log_has() {
    screen main | grep -q "$1"
}

a_denial_is_written_with_its_message() {
    typed main ':policy untrusted'
    keys main Enter
    wait_screen main 'From the next call on: approval policy untrusted'
    client one -- touch "$(printf 'denied\033[2J')"
    asked main 'touch'
    keys main n
    wait_screen main 'Enter denies with this message'
    written main 'no, thanks'
    keys main Enter
    client_ends one 77
    log=$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl')
    test "$(stat -c %a "$log" "$(dirname "$log")")" = "600
700"
    holds "[event['kind'] for event in of(5, 'decision')] == ['denied']" "$log"
    holds "of(5, 'decision')[0]['message'] == 'no, thanks'" "$log"
    holds "of(5, 'attempt_start') == []" "$log"
    holds "of(5, 'finished')[0]['exit_status'] == 77" "$log"
    # The console shows its own record.
    typed main ':log no, thanks'
    keys main Enter
    wait_for 'the denial in the record' log_has 'c5 .*denied, by you  '
    keys main Escape
    wait_no_screen main 'denied, by you  '
    # And what is asked for of it.
    typed main ':log decision=denied risk=low by=user since=1h thanks'
    keys main Enter
    wait_for 'the denial in the record' log_has 'c5 .*denied, by you  '
    screen_lacks main 'by the policy'
    keys main Escape
    wait_no_screen main 'denied, by you  '
    # What was denied, until it is taken back.
    typed main ':log denied'
    keys main Enter
    wait_for 'the denial in the record' log_has 'c5 .*denied, by you  '
    keys main Escape
    wait_no_screen main 'denied, by you  '
    typed main ':forget c5'
    keys main Enter
    wait_screen main 'what c5 asked for may be asked again'
    typed main ':log denied'
    keys main Enter
    wait_screen main 'No call on record has "denied"'
    keys main Escape
    wait_no_screen main 'No call on record'
    typed main ':log decision=denied by=rule'
    keys main Enter
    wait_screen main 'No call on record has "decision=denied by=rule"'
    keys main Escape
    wait_no_screen main 'No call on record'
    typed main ':log since=yesteryear'
    keys main Enter
    wait_screen main '"yesteryear" is no time: use today'
    keys main Escape
    wait_no_screen main 'is no time'
    # As text: safe to read, and complete.
    assent log >"$e2e_dir/list"
    name=$(basename "$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl')" .jsonl)
    grep -q "^$name  .*  [0-9]* calls  .*/work  " "$e2e_dir/list"
    session=$(assent log --json calls | sed -n '/"agent":"you"/!s/.*"session":"\([0-9a-f]*\)".*/\1/p' | head -n 1)
    assent log "$session" >"$e2e_dir/text"
    grep -q 'denied<ESC>\[2J' "$e2e_dir/text"
    grep -q 'no, thanks' "$e2e_dir/text"
    test -z "$(tr -d '\040-\176\n\200-\377' <"$e2e_dir/text")"
}

a_killed_console_leaves_it_whole() {
    client one -- env sleep 1002
    asked main 'env sleep 1002'
    keys main y
    wait_for 'the command' e2e_running '^sleep 1002'
    client two -- touch undecided
    asked main 'touch undecided'
    kill -KILL "$(basename "$(find "$e2e_dir/run/assent" -name '*.sock')" .sock)"
    client_ends one 125
    client_ends two 125
    wait_for 'the end of the command' e2e_not_running '^sleep 1002'
    log=$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl')
    holds "len(of(6, 'attempt_start')) == 1 and of(6, 'finished') == []" "$log"
    holds "len(of(7, 'prompt_shown')) == 1 and of(7, 'decision', 'attempt_start') == []" "$log"
    test ! -e "$e2e_work/undecided"
    assent log | grep -q '  killed  '
    e2e_tmux kill-session -t main
}

# A file size limit is a full disk that a test can have: 16 blocks of 512 bytes.
nothing_runs_without_a_record() {
    # shellcheck disable=SC2016 # for the inner shell
    terminal_start full 80x24 sh -c 'ulimit -S -f 16; exec "$@"' sh \
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
    grep -q 'free space' "$e2e_dir/one.err"
    # The console lives, says so, and goes on refusing.
    wait_screen full ' no record '
    client one -- touch after
    client_ends one 125
    test ! -e "$e2e_work/after"
}

# With room again it goes on, and nothing is missing from the record.
a_record_goes_on_when_there_is_room() {
    socket=$(cd "$e2e_dir/run/assent" && echo *.sock)
    prlimit --fsize=unlimited --pid "${socket%.sock}"
    assent log calls --follow --text later >"$e2e_dir/followed" &
    follower=$!
    client one -- touch later
    client_ends one 0
    test -e "$e2e_work/later"
    wait_for 'the row of the call' grep -q 'touch later' "$e2e_dir/followed"
    client one -- touch sooner
    client_ends one 0
    wait_no_screen full ' no record '
    quits full
    test "$(console_status full)" = 0
    # Who follows sees the end, and each call once.
    wait "$follower"
    test "$(wc -l <"$e2e_dir/followed")" = 1
    screen full >"$e2e_dir/full.end"
    set -- "$e2e_dir"/state/assent/sessions/*-"${socket%.sock}".jsonl
    holds "[event['n'] for event in events] == list(range(1, len(events) + 1))" "$@"
    holds "events[-1]['event'] == 'log_end'" "$@"
    holds "len([event for event in events if event['event'] == 'finished' and event.get('failure')]) == 2" "$@"
    grep -q "^$(tail -n 1 "$1" | tr -d '\n' | sha256sum | cut -d ' ' -f 1)\$" "$e2e_dir/full.end"
}

# What was killed, what had no room, what ended: all of it verifies, until somebody touches it.
tampering_is_found() {
    # A console that starts ends the log of one that was killed.
    assent --headless -- true 2>"$e2e_dir/ended"
    grep -q '^Record: ' "$e2e_dir/ended"
    assent log verify >"$e2e_dir/verified" || cat "$e2e_dir/verified" >&2
    test "$(grep -c ': intact, ' "$e2e_dir/verified")" = "$(wc -l <"$e2e_dir/verified")"
    set -- "$e2e_dir"/state/assent/sessions/*.jsonl
    grep -q '"event":"log_repaired"' "$1"
    cp "$1" "$e2e_dir/copy"
    head=$(tail -n 1 "$1" | tr -d '\n' | sha256sum | cut -d ' ' -f 1)
    assent log verify "$(basename "$1" .jsonl)" --head "$head" >/dev/null
    sed -i '5s/"event":"/"event":"x/' "$1"
    status=0
    assent log verify >"$e2e_dir/verified" || status=$?
    test "$status" = 1
    grep -q 'line 5 was changed' "$e2e_dir/verified"
    # The anchor proves it to whoever has no copy of the end; with a copy the key is not needed.
    cp "$e2e_dir/copy" "$1"
    sed -i '$d' "$1"
    status=0
    assent log verify --json "$(basename "$1" .jsonl)" >"$e2e_dir/verified" || status=$?
    test "$status" = 1
    grep -q '"verdict":"altered".*the end was cut off' "$e2e_dir/verified"
    rm "$1"
    status=0
    assent log verify >"$e2e_dir/verified" || status=$?
    test "$status" = 1
    grep -q 'the log is gone' "$e2e_dir/verified"
    mv "$e2e_dir/copy" "$1"
    status=0
    assent log verify "$(basename "$1" .jsonl)" --head 00 >"$e2e_dir/verified" || status=$?
    test "$status" = 1
    assent log verify >/dev/null
}

# Who asked what, what was answered, as rows.
calls_are_found() {
    for word in calls approved denied stats verify; do
        assent log --help | grep -q "^  $word  "
    done
    assent log approved >"$e2e_dir/rows"
    test "$(grep -c '  allowed ' "$e2e_dir/rows")" = "$(wc -l <"$e2e_dir/rows")"
    test "$(grep -c ', by you  ' "$e2e_dir/rows")" = "$(wc -l <"$e2e_dir/rows")"
    assent log denied >"$e2e_dir/rows"
    test "$(grep -c '  denied, by you' "$e2e_dir/rows")" = "$(wc -l <"$e2e_dir/rows")"
    assent log calls --decision denied --text 'TOUCH' --format csv >"$e2e_dir/rows"
    head -n 1 "$e2e_dir/rows" | grep -q '^time,console,call,'
    test "$(wc -l <"$e2e_dir/rows")" = 2
    grep -q 'denied<ESC>' "$e2e_dir/rows"
    # By as much of a session's id as the console shows.
    id=$(assent log --json calls | head -n 1 | sed 's/.*"session":"\([0-9a-f]*\)".*/\1/')
    assent log calls "$id" >"$e2e_dir/rows"
    assent log calls "$(printf %.8s "$id")" >"$e2e_dir/short"
    test -s "$e2e_dir/rows"
    cmp "$e2e_dir/rows" "$e2e_dir/short"
    assent log calls --since 2020-01-01 --until 2020-01-02 >"$e2e_dir/rows"
    test ! -s "$e2e_dir/rows"
    assent log --json calls --by cache | python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert [row["call"] for row in rows] == ["c3"], rows
assert rows[0]["decision"] == "approved_for_session" and rows[0]["exit_status"] == 0'
    # What was asked for, so that it shows what a rule would save.
    assent log stats >"$e2e_dir/rows"
    grep -q ' questions: ' "$e2e_dir/rows"
    assent log stats --json | python3 -c 'import json, sys
stats = json.load(sys.stdin)
assert [(cause["cause"], cause["denied"]) for cause in stats["causes"]] == [("policy", 1)], stats
assert stats["waited_ms"]["median"] <= stats["waited_ms"]["p90"], stats
assert stats["asked"][0]["what"] == "cp", stats'
    set -- "$e2e_dir"/state/assent/sessions/*.jsonl
    assent log "$(basename "$1" .jsonl)" c5 | grep -q ' denied, by you, .*: no, thanks'
}

# An id that begins like the name of a call, as older records have them, is the id of a session.
sessions_may_look_like_calls() {
    session=$(assent log --json calls | sed -n '1s/.*"session":"\([0-9a-f]*\)".*/\1/p')
    older=c697477415e${session#???????????}
    mkdir -p "$e2e_dir/older/assent/sessions"
    log=$(grep -l "$session" "$e2e_dir"/state/assent/sessions/*.jsonl)
    sed "s/$session/$older/g" "$log" >"$e2e_dir/older/assent/sessions/$(basename "$log")"
    e2e_env="XDG_STATE_HOME=$e2e_dir/older"
    assent log "$older" >"$e2e_dir/rows"
    grep -q ' a session begins: ' "$e2e_dir/rows"
}

# The key and the anchors are out of reach of a command in the sandbox, whatever the mode.
sandboxes_cannot_reach_the_key() {
    for mode in read-only workspace-write; do
        for file in anchors/record.key anchors sessions; do
            test -e "$e2e_dir/state/assent/$file"
            if assent sandbox --mode "$mode" -D "$e2e_work" -- \
                cat "$e2e_dir/state/assent/$file" >"$e2e_dir/leak" 2>&1; then
                test_fail "$mode reads $file"
            fi
            test "$(grep -c '[0-9a-f]\{64\}' "$e2e_dir/leak")" = 0
        done
    done
}

# Also events that no console of these tests brings about. Logs that the tests damaged are left out.
what_unit_tests_write_is_as_documented() {
    mkdir "$e2e_dir/kept"
    for test in test_session_log test_log_resume; do
        KEPT_LOGS=$e2e_dir/kept "$e2e_build/tests/unit/$test" >"$e2e_dir/kept/out" 2>&1
    done
    find "$e2e_dir/kept" -type f -name '*.jsonl' -exec grep -LF 'not json' {} + >"$e2e_dir/kept/whole" || :
    tr '\n' '\0' <"$e2e_dir/kept/whole" |
        xargs -0 python3 "$srcdir/tests/e2e/schema.py" "$srcdir/doc/session-log.md" >"$e2e_dir/kept/out"
    test "$(cut -d ' ' -f 1 "$e2e_dir/kept/out")" -gt 100
}

test_case a_decision_is_written_before_its_effect
test_case a_denial_is_written_with_its_message
test_case a_killed_console_leaves_it_whole
test_case nothing_runs_without_a_record
test_case a_record_goes_on_when_there_is_room
test_case tampering_is_found
test_case calls_are_found
test_case sessions_may_look_like_calls
test_case sandboxes_cannot_reach_the_key
test_case what_unit_tests_write_is_as_documented
e2e_end
