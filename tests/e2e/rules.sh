#!/bin/sh
# SPDX-License-Identifier: MIT
# Rules at the console: files and trust, rules made of requests, how wide, and taken back.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
own=$e2e_dir/conf/assent/rules/default.rules
printf 'all:\n\ttouch all\nlint:\n\ttouch linted\ntest: lint\n\ttouch tested\n' >"$e2e_work/Makefile"

open_console() {
    console_open main 100x30 -c guard_time=0ms --policy untrusted
}

# runs COMMAND…: unasked. forbidden COMMAND…: refused unasked.
runs() {
    client run -- "$@"
    client_ends run 0
}

forbidden() {
    client run -- "$@"
    client_ends run 77
}

# request COMMAND…: it is asked; the client is called r.
request() {
    unasked main
    client r -- "$@"
    asked main "$*"
}

deny() {
    keys main d
    client_ends r 77
}

says() {
    typed main "$1"
    keys main Enter
    wait_screen main "$2"
}

remembered_rules_are_written_and_hold_at_once() {
    open_console
    request make lint
    wait_screen main 'make lint  (exactly this, in this directory; in the sandbox)'
    keys main Right
    wait_screen main 'make lint  (exactly this, in any directory; in the sandbox)'
    keys main Right
    wait_screen main 'make lint  (and any further words; in the sandbox)'
    wait_screen main '; for project'
    confirm main p
    client_ends r 0
    test -e "$e2e_work/linted"
    id=$(stat -c %d:%i "$e2e_work")
    grep -qF "prefix_rule(pattern=[\"make\", \"lint\"], decision=\"allow\", sandbox=\"keep\", project=\"$e2e_work\", project_id=\"$id\")  # added by Assent" "$own"
    test "$(stat -c %a "$own")" = 600
    runs make lint -s
    runs bash -lc 'make lint 2>&1 | cat'
    request make test
    deny
    console_stop main
}

# What was remembered holds in the next console of this project, and in no other.
remembered_rules_outlive_the_console() {
    open_console
    runs make lint
    console_stop main
    mkdir -p "$e2e_dir/other"
    cp "$e2e_work/Makefile" "$e2e_dir/other/"
    e2e_cwd=$e2e_dir/other
    open_console
    request make lint
    deny
    console_stop main
    e2e_cwd=
}

no_rule_is_left() {
    test "$(grep -c prefix_rule "$own")" = 0
}

# on_record PATTERN…: `assent log approved` has, of `make lint`, just these rows, in each form.
on_record() {
    assent log approved >"$e2e_dir/rows"
    sed -n 's/.*  allowed\(.*\)  exit .*  make lint$/allowed\1/p' "$e2e_dir/rows" >"$e2e_dir/lint"
    printf '%s\n' "$@" | diff - "$e2e_dir/lint"
    assent log approved --json >"$e2e_dir/rows.json"
    test "$(grep -c '"taken_back":true' "$e2e_dir/rows.json")" = "$(grep -c 'since taken back' "$e2e_dir/rows")"
    test "$(assent log approved --format csv | grep -c ',"yes"')" = "$(grep -c 'since taken back' "$e2e_dir/rows")"
}

undo_takes_rules_back() {
    on_record 'allowed, and a rule made of it, by you'
    open_console
    says ':undo' 'taken back: make lint'
    on_record 'allowed, and a rule made of it, since taken back, by you'
    test "$(grep -c prefix_rule "$own")" = 0
    request make lint
    keys main p
    client_ends r 0
    typed main ':undo'
    keys main Enter
    wait_for 'the second rule to go' no_rule_is_left
    request make lint
    keys main d
    client_ends r 77
    says ':undo' ', denied: make lint'
    says ':undo' 'nothing that you answered holds any more'
    says ':log approved' 'allowed, and a rule made of it, since taken back, by'
    keys main Escape
    wait_no_screen main 'Esc closes'
    console_stop main
    on_record 'allowed, and a rule made of it, since taken back, by you' \
        'allowed, and a rule made of it, since taken back, by you'
}

# A rule that the operator takes back without a console, or makes anew, is in no console's record.
the_record_knows_which_rules_are_left() {
    record_forget
    open_console
    request make lint
    keys main p
    client_ends r 0
    console_stop main
    on_record 'allowed, and a rule made of it, by you'
    assent rules undo | grep -q 'taken back: '
    on_record 'allowed, and a rule made of it, since taken back, by you'
}

# A rule for the session is in no file, and ends with it.
a_rule_for_the_session_ends_with_it() {
    open_console
    request make lint
    keys main Tab
    wait_screen main 'only this, by a rule'
    keys main p
    client_ends r 0
    test "$(grep -c prefix_rule "$own")" = 0
    runs make lint
    says ':rules' 'For a session'
    wait_screen main 'make lint'
    keys main Escape
    wait_no_screen main 'Esc closes'
    on_record 'allowed, and a rule made of it, since taken back, by you' \
        'allowed, and a rule for this session made of it, by you'
    says ':undo' 'taken back: make lint'
    on_record 'allowed, and a rule made of it, since taken back, by you' \
        'allowed, and a rule made of it, since taken back, by you'
    console_stop main
    open_console
    request make lint
    deny
    console_stop main
}

the_ladder_goes_from_one_command_to_all_tasks() {
    mkdir -p "$e2e_work/sub"
    cp "$e2e_work/Makefile" "$e2e_work/sub/"
    open_console
    request make lint -s
    wait_screen main '1 of 4'
    wait_screen main 'make lint -s  (exactly this, in this directory; in the sandbox)'
    keys main p
    client_ends r 0
    grep -q 'exact=True, cwd="' "$own"
    # The record has the words of the rule that was made, not of one that was not.
    cat "$e2e_dir"/state/assent/sessions/*.jsonl | grep '"event":"decision"' |
        grep -q '"amendment":\["make","lint","-s"\]'
    runs make lint -s
    request make lint
    deny
    e2e_cwd=$e2e_work/sub
    request make lint -s
    deny
    e2e_cwd=
    request make test
    screen_lacks main 'fits 0'
    keys main Right
    wait_screen main 'make test  (exactly this, in any directory; in the sandbox)'
    keys main Right
    wait_screen main 'make test  (and any further words; in the sandbox)'
    keys main Right
    wait_screen main 'make all|lint|test  (these tasks, and any further words; in the sandbox)'
    keys main Right
    wait_screen main 'Not wider: with other words it might run other programs'
    client_waits r
    wait_screen main 'make all|lint|test  (these tasks, and any further words; in the sandbox)'
    wait_screen main 'fits 3 of the 3'
    confirm main p
    client_ends r 0
    runs make all
    runs make lint
    request make other
    deny
    console_stop main
    rm "$own"
}

# An interpreter is never handed over.
interpreters_are_not_offered() {
    open_console
    client r -- python3 -c 'print(1)'
    asked main "python3 -c 'print(1)'"
    keys main p
    wait_screen main 'No rule: its first words do not say what it runs.'
    deny
    console_stop main
    test ! -e "$own"
}

# What the sandbox stopped may be let out, exactly as it is.
a_stopped_command_is_remembered_exactly() {
    console_open main 100x36 -c guard_time=0ms
    client r -- mkdir "$e2e_dir/home/made"
    wait_screen main 'stopped by the sandbox. Run it again'
    confirm main y
    client_ends r 0
    rmdir "$e2e_dir/home/made"
    client r -- mkdir "$e2e_dir/home/made"
    wait_screen main 'fits 1 of the 1'
    wait_screen main 'WITHOUT the sandbox'
    wait_screen main '(exactly this, in this directory)'
    keys main p
    wait_screen main 'Enter confirms'
    keys main Enter
    client_ends r 0
    wait_screen main "rule made (:undo"
    rmdir "$e2e_dir/home/made"
    grep -q 'sandbox="bypass", exact=True' "$own"
    runs mkdir "$e2e_dir/home/made"
    wait_screen main 'allowed without a question, no sandbox, by a rule'
    test -d "$e2e_dir/home/made"
    rmdir "$e2e_dir/home/made"
    unasked main
    client r -- mkdir "$e2e_dir/home/made" "$e2e_dir/home/more"
    wait_screen main 'stopped by the sandbox. Run it again'
    deny
    console_stop main
    rm "$own"
}

files_hold_as_they_were_read() {
    printf 'prefix_rule(["make", "all"], "forbidden", justification="not here")\n' >"$e2e_dir/conf/assent/rules/mine.rules"
    open_console
    forbidden make all
    grep -q 'not here' "$e2e_dir/run.err"
    printf 'prefix_rule(["make", "all"], sandbox="keep")\n' >"$e2e_dir/conf/assent/rules/mine.rules"
    forbidden make all
    says ':rules' '+ prefix_rule(["make", "all"], sandbox="keep")'
    keys main Escape
    wait_no_screen main 'Esc closes'
    says ':rules reload' 'From the next call on: 1 rule of your files'
    runs make all
    console_stop main
    rm "$e2e_dir/conf/assent/rules/mine.rules"
}

a_broken_file_is_told_and_makes_everything_ask() {
    printf 'prefix_rule(["make"], "forbidden"\n' >"$e2e_dir/conf/assent/rules/mine.rules"
    console_open main 200x30 -c guard_time=0ms
    wait_screen main 'mine.rules:2:1: the file ends'
    request make all
    deny
    runs ls
    rm "$e2e_dir/conf/assent/rules/mine.rules"
    console_stop main
}

project_rules_wait_for_trust() {
    mkdir -p "$e2e_work/.assent/rules"
    printf 'prefix_rule(["make", "all"], sandbox="keep")\nprefix_rule(["make", "test"], "forbidden")\n' >"$e2e_work/.assent/rules/p.rules"
    open_console
    wait_screen main 'This project has rules of its own.'
    forbidden make test
    request make all
    deny
    says ':trust' 'To let them allow as well'
    wait_screen main 'prefix_rule(["make", "test"], "forbidden")'
    keys main Escape
    wait_no_screen main 'Esc closes'
    says ':trust yes' 'are trusted as they are now'
    runs make all
    console_stop main
    open_console
    runs make all
    wait_no_screen main 'This project has rules of its own.'
    console_stop main
    printf 'prefix_rule(["make", "lint"], sandbox="keep")\n' >>"$e2e_work/.assent/rules/p.rules"
    open_console
    wait_screen main 'This project has rules of its own.'
    request make all
    deny
    says ':trust no' 'go on to forbid and ask only'
    forbidden make test
    console_stop main
    open_console
    request make all
    deny
    wait_no_screen main 'This project has rules of its own.'
    console_stop main
}

# A directory beside the workspace: one rule for all that only reads there.
another_directory_may_be_read() {
    mkdir -p "$e2e_dir/other/deep"
    echo one >"$e2e_dir/other/a"
    echo two >"$e2e_dir/other/deep/b"
    echo key >"$e2e_dir/other/.env"
    open_console
    request cat "$e2e_dir/other/a"
    wait_screen main 'may be read there, as in the workspace'
    confirm main p
    client_ends r 0
    test "$(cat "$e2e_dir/r.out")" = one
    runs bash -c "cd $e2e_dir/other && cat deep/b | head -3"
    test "$(cat "$e2e_dir/run.out")" = two
    runs ls "$e2e_dir/other/deep"
    says ':rules' 'may read'
    wait_screen main "$e2e_dir/other"
    keys main Escape
    wait_no_screen main 'Esc closes'
    client r -- cat "$e2e_dir/other/.env"
    wait_screen main 'asks. May it run'
    wait_screen main 'other/.env'
    deny
    unasked main
    client r -- bash -c "cd $e2e_dir/other && rm a"
    wait_screen main 'asks. May it run'
    wait_screen main 'rm a'
    deny
    test -e "$e2e_dir/other/a"
    says ':undo' ', denied: '
    says ':undo' ', denied: cat '
    says ':undo' 'taken back: read_rule'
    client r -- ls "$e2e_dir/other/deep"
    wait_screen main 'may be read there, as in the workspace'
    deny
    console_stop main
}

test_case remembered_rules_are_written_and_hold_at_once
test_case another_directory_may_be_read
test_case remembered_rules_outlive_the_console
test_case undo_takes_rules_back
test_case the_record_knows_which_rules_are_left
test_case a_rule_for_the_session_ends_with_it
test_case the_ladder_goes_from_one_command_to_all_tasks
test_case interpreters_are_not_offered
test_case a_stopped_command_is_remembered_exactly
test_case files_hold_as_they_were_read
test_case a_broken_file_is_told_and_makes_everything_ask
test_case project_rules_wait_for_trust
e2e_end
