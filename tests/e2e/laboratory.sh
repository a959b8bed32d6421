#!/bin/sh
# SPDX-License-Identifier: MIT
# The rule laboratory at the console: what was approved again and again becomes a rule by a key,
# rules show what they did, and those on trial decide nothing.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
rules=$e2e_dir/conf/assent/rules
own=$rules/default.rules
mkdir "$rules"

open_console() {
    console_open main "${1:-80x24}" -c guard_time=0 --policy untrusted
}

# answers KEY STATUS COMMAND…: it is asked about, and answered so.
answers() {
    answers_key=$1
    answers_status=$2
    shift 2
    unasked main
    client one -- "$@"
    asked main "$*"
    keys main "$answers_key"
    client_ends one "$answers_status"
    unasked main
}

says() {
    typed main "$1"
    keys main Enter
    wait_screen main "$2"
}

what_was_approved_is_suggested() {
    open_console
    says ':suggest' 'Nothing that a rule could answer was approved three times here.'
    keys main Escape
    wait_no_screen main 'Nothing that a rule'
    answers y 0 mkdir -p one
    answers y 0 mkdir -p one
    answers y 0 mkdir -p two
    answers d 77 mkdir -p three
    forget_denials
    # Elsewhere it was approved for elsewhere.
    mkdir -p "$e2e_dir/other"
    for _ in one two three; do
        e2e_cwd=$e2e_dir/other answers y 0 chmod --version
    done
    says ':suggest' 'saves 3 questions; ALSO ALLOWS 1 that you denied'
    screen_lacks main '┃ chmod'
    keys main v
    wait_screen main 'It would ALSO have allowed what you denied'
    wait_screen main '1  mkdir -p three'
    wait_screen main '2  mkdir -p one'
    keys main q
    wait_screen main 'p adds it'
}

# What else it allows was denied once: a second key.
a_key_makes_it_a_rule() {
    keys main p
    wait_screen main 'Enter adds it all the same'
    test ! -e "$own"
    keys main Enter
    wait_screen main 'added: in force from the next call on'
    id=$(stat -c %d:%i "$e2e_work")
    grep -qF "project=\"$e2e_work\", project_id=\"$id\")  # added by Assent" "$own"
    test "$(grep -c prefix_rule "$own")" = 1
    keys main q
    wait_no_screen main 'added: in force'
    client one -- mkdir -p four
    client_ends one 0
    grep -q '"event":"notice".*the operator made a rule: prefix_rule' "$e2e_dir"/state/assent/sessions/*.jsonl
    # What a rule answers already is not suggested.
    says ':suggest' 'Nothing that a rule could answer'
    keys main q
    wait_no_screen main 'Nothing that a rule'
}

rules_show_what_they_did() {
    says ':rules' '5 calls on record would match'
    keys main q
    wait_no_screen main 'on record'
    # Somebody else writes to the file meanwhile: that stays, and what was added goes.
    printf 'prefix_rule(["mine"], "prompt")\n' >>"$own"
    says ':undo' 'taken back: mkdir'
    printf 'prefix_rule(["mine"], "prompt")\n' >"$e2e_dir/wanted"
    diff "$e2e_dir/wanted" "$own"
    grep -q '"event":"notice".*the operator took back the rule: prefix_rule' "$e2e_dir"/state/assent/sessions/*.jsonl
    answers y 0 mkdir -p five
    console_stop main
}

# It decides nothing, and says what it would have done: with the request, of the call, of the rule,
# on record.
rules_on_trial_report() {
    printf 'prefix_rule(["mkdir"], sandbox="keep", shadow=True)\nprefix_rule(["nothing"])\nprefix_rule(["nothing", "more"])\n' >"$rules/trial.rules"
    rm "$own"
    open_console 200x50
    client one -- mkdir -p six
    asked main 'mkdir -p six'
    wait_screen main 'On trial    would have let it run unasked'
    keys main y
    client_ends one 0
    unasked main
    says ':show' 'Rule that only reports'
    keys main q
    wait_no_screen main 'Rule that only reports'
    says ':rules' '[only reports]'
    wait_screen main 'that it matched it would have let'
    wait_screen main 'no call on record would match'
    wait_text main 'trial.rules:2 says the same of'
    keys main q
    console_stop main
    log=$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl' | LC_ALL=C sort | tail -n 1)
    grep -q "\"event\":\"requirement\".*\"requirement\":\"needs_approval\".*\"shadow\":{\"rule\":\"$rules/trial.rules:1\",\"requirement\":\"skip\"" "$log"
}

# An agent calls a file of the project so that it would look like another rule.
names_of_files_begin_no_rows() {
    mkdir -p "$e2e_work/.assent/rules"
    printf 'prefix_rule(["x"], "prompt")\n' >"$e2e_work/.assent/rules/$(printf 'a\nallow     rm.rules')"
    open_console 200x50
    says ':rules' '/a<LF>allow     rm.rules:1'
    keys main q
    console_stop main
}

test_case what_was_approved_is_suggested
test_case a_key_makes_it_a_rule
test_case rules_show_what_they_did
test_case rules_on_trial_report
test_case names_of_files_begin_no_rows
e2e_end
