#!/bin/sh
# SPDX-License-Identifier: MIT
# A console goes on where another ended: its workspace, and what the operator approved for the
# session and lets hold again. Never twice, and never from a record that somebody has changed.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

record_of() {
    basename "$(find "$e2e_dir/state/assent/sessions" -name "*-$1.jsonl")" .jsonl
}

console_pid() {
    basename "$(find "$e2e_dir/run/assent" -name '*.sock')" .sock
}

approved_things_are_left_behind() {
    console_open main 80x24 --policy untrusted -c guard_time=0
    client one -- touch kept
    asked main 'touch kept'
    keys main a
    client_ends one 0
    client one -- touch back
    asked main 'touch back'
    keys main a
    client_ends one 0
    typed main ':revoke c2'
    keys main Enter
    wait_screen main 'your answer to c2 is taken back'
    client two -- touch back
    asked main 'touch back'
    keys main n
    wait_screen main 'Enter denies with this message'
    keys main Enter
    client_ends two 77
    record_of "$(console_pid)" >"$e2e_dir/first"
}

an_open_session_is_not_doubled() {
    terminal_start second 80x24 sh
    typed second "'$e2e_build/assent' --resume $(cat "$e2e_dir/first")"
    keys second Enter
    wait_screen second 'open in another console'
    e2e_tmux kill-session -t second
    quits main
    test "$(console_status main)" = 0
}

shell_is_back() {
    test "$(e2e_tmux display-message -p -t "$1" '#{pane_current_command}')" = sh
}

resume_asks_and_restores() {
    rm -f "$e2e_work/kept" "$e2e_work/back"
    terminal_start again 80x24 sh
    typed again "cd /; clear; '$e2e_build/assent' --resume --policy untrusted -c guard_time=0"
    keys again Enter
    wait_screen again 'Is that to hold here as well?'
    wait_screen again 'all that use assent exec: touch kept'
    screen_lacks again 'assent exec: touch back'
    keys again y Enter
    # What holds again stands on the screen until it was read.
    wait_screen again 'What came back'
    wait_screen again 'all that use assent exec: touch kept'
    wait_screen again '3 calls; :log shows them'
    wait_screen again '1 denial of yours: agents may ask again'
    wait_screen again '  c3 touch back  '
    screen_lacks again 'assent exec: touch back'
    keys again Escape
    wait_no_screen again 'What came back'
    client one -- touch kept
    client_ends one 0
    test -e "$e2e_work/kept"
    client two -- touch back
    asked again 'touch back'
    wait_screen again 'c5 asks' # behind c1 to c3 of the first
    keys again n
    wait_screen again 'Enter denies with this message'
    keys again Enter
    client_ends two 77
    log="$e2e_dir/state/assent/sessions/$(record_of "$(console_pid)").jsonl"
    grep -q '"event":"grant_restored".*touch kept' "$log"
    grep -q "\"resumes\":\"$(cat "$e2e_dir/first")\"" "$log"
    # What was resumed is open there, too.
    terminal_start second 80x24 sh
    typed second "'$e2e_build/assent' --resume $(cat "$e2e_dir/first")"
    keys second Enter
    wait_screen second 'open in another console'
    e2e_tmux kill-session -t second
    quits again
    wait_no_screen again ' keys: '
    console_stop again
    # The first is named, and the second is meant.
    terminal_start third 100x24 sh
    typed third "clear; '$e2e_build/assent' --resume $(cat "$e2e_dir/first")"
    keys third Enter
    wait_screen third "Others have gone on from $(cat "$e2e_dir/first"); the last of them is meant."
    e2e_tmux kill-session -t third
    # Whoever ends it while it asks leaves nothing behind, and loses nothing.
    records=$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl' | wc -l)
    for key in C-c C-d; do
        terminal_start fourth 100x24 sh
        typed fourth "clear; '$e2e_build/assent' --resume $(cat "$e2e_dir/first")"
        keys fourth Enter
        wait_screen fourth 'Is that to hold here as well?'
        keys fourth "$key"
        wait_for 'the shell' shell_is_back fourth # what dies may still read
        typed fourth "echo en''ded"
        keys fourth Enter
        wait_screen fourth 'ended'
        e2e_tmux kill-session -t fourth
    done
    test "$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl' | wc -l)" = "$records"
}

# What the console says holds is listed, and can be taken back, before any agent has come.
what_holds_again_is_there_at_once() {
    record_forget
    console_open held 80x24 --policy untrusted -c guard_time=0
    for file in first second; do
        client one -- touch "$file"
        asked held "touch $file"
        keys held a
        client_ends one 0
    done
    client one -- mkdir ruled
    asked held 'mkdir ruled'
    keys held y
    client_ends one 0
    quits held
    test "$(console_status held)" = 0
    e2e_tmux kill-session -t held
    terminal_start again 80x24 sh
    typed again "clear; '$e2e_build/assent' --resume --policy untrusted -c guard_time=0"
    keys again Enter
    wait_screen again 'Is that to hold here as well?'
    keys again y Enter
    wait_screen again 'What came back'
    keys again Escape
    wait_no_screen again 'What came back'
    typed again ':grants'
    keys again Enter
    wait_screen again 'What holds without a question'
    screen_has again 'touch first'
    screen_has again 'touch second'
    screen_has again 'used 0 times since'
    keys again Escape
    wait_no_screen again 'What holds without a question'
    typed again ':undo'
    keys again Enter
    wait_screen again 'taken back: c2, allowed for this session: touch second'
    typed again ':revoke c1'
    keys again Enter
    wait_screen again 'your answer to c1 is taken back'
    for file in first second; do
        client one -- touch "$file"
        asked again "touch $file"
        keys again n
        wait_screen again 'Enter denies with this message'
        keys again Enter
        client_ends one 77
    done
    quits again
    wait_no_screen again ' keys: '
    e2e_tmux kill-session -t again
    # What is taken back before any agent came does not come back another time.
    terminal_start third 80x24 sh
    typed third "clear; '$e2e_build/assent' --resume --policy untrusted -c guard_time=0"
    keys third Enter
    wait_screen third 'What came back'
    screen_lacks third 'assent exec: touch first'
    keys third Escape
    wait_no_screen third 'What came back'
    quits third
    wait_no_screen third ' keys: '
    e2e_tmux kill-session -t third
}

# What an answer lets out of the sandbox is told wherever that answer is.
what_leaves_the_sandbox_says_so() {
    record_forget
    console_open out 80x24 -c guard_time=0
    client one --escalate -- ls /
    asked out 'ls /'
    keys out a
    wait_screen out 'Enter confirms: '
    keys out Enter
    client_ends one 0
    wait_screen out 'allowed for this session, no sandbox, by you: ls /'
    wait_screen out 'no sandbox · done'
    assent log calls | grep -q '  allowed for this session, no sandbox, by you  exit 0  ls /$'
    typed out ':log approved'
    keys out Enter
    wait_screen out 'low     allowed for this session, no'
    keys out Escape
    wait_no_screen out 'Esc closes'
    typed out ':grants'
    keys out Enter
    wait_screen out 'WITHOUT the sandbox; '
    wait_screen out 'for this session'
    keys out Escape
    wait_no_screen out 'What holds without a question'
    quits out
    test "$(console_status out)" = 0
    wait_screen out 'goes on from here. It asks whether what you approved for the'
    e2e_tmux kill-session -t out
    terminal_start again 80x24 sh
    typed again "clear; '$e2e_build/assent' --resume -c guard_time=0"
    keys again Enter
    wait_screen again 'all that use assent exec, WITHOUT the sandbox: ls /'
    keys again y Enter
    wait_screen again 'What came back'
    wait_screen again 'all that use assent exec, WITHOUT the sandbox: ls /'
    keys again Escape
    wait_no_screen again 'What came back'
    quits again
    wait_no_screen again ' keys: '
    wait_screen again 'approvals for a time or for some runs, and the rules'
    e2e_tmux kill-session -t again
}

# The first line may have been scrolled away by what tmux says of a program's end.
shows_its_end() {
    screen "$1" | grep -q '^[0-9a-f]\{64\}$'
}

# What is over with its console is named, and the list says where earlier calls are.
what_does_not_come_back_is_named() {
    record_forget
    console_open lent 100x30 --policy untrusted -c guard_time=0
    client one -- mkdir -p lent
    asked lent 'mkdir -p lent'
    keys lent l
    wait_screen lent 'allow only this for 10 minutes'
    keys lent a
    client_ends one 0
    client force -- git push --force
    asked lent 'git push --force'
    keys lent d
    client_ends force 77
    quits lent
    test "$(console_status lent)" = 0
    e2e_tmux kill-session -t lent
    terminal_start back 100x30 sh
    typed back "clear; '$e2e_build/assent' --resume -c guard_time=0"
    keys back Enter
    wait_screen back 'What came back'
    wait_screen back '1 approval for a time, for runs or for a command'
    wait_screen back 'c1 mkdir -p lent'
    keys back Escape
    wait_no_screen back 'What came back'
    wait_screen back 'Nothing has been asked since; 2 earlier calls are in :log.'
    client force -- git push --force
    wait_screen back 'c2, in the console before, asked the same: denied'
    keys back d
    client_ends force 77
    quits back
    wait_no_screen back ' keys: '
    e2e_tmux kill-session -t back
}

# What no answer brings back is said before anything is asked.
what_is_lost_is_told_first() {
    record_forget
    console_open ruled 100x30 --policy untrusted -c guard_time=0
    client one -- touch held
    asked ruled 'touch held'
    keys ruled a
    client_ends one 0
    client one -- touch ruled
    asked ruled 'touch ruled'
    keys ruled Tab
    wait_screen ruled 'only this, by a rule'
    keys ruled p
    client_ends one 0
    quits ruled
    test "$(console_status ruled)" = 0
    e2e_tmux kill-session -t ruled
    terminal_start lost 100x30 sh
    typed lost "clear; '$e2e_build/assent' --resume -c guard_time=0"
    keys lost Enter
    wait_screen lost 'Is that to hold here as well?'
    screen lost | sed '/all that use assent exec: touch held/,$d' | grep -A 2 'This does not come back:' |
        grep -A 1 '^1 rule for a session' | grep -q touch
    keys lost y Enter
    wait_screen lost 'What came back' # the rest stands there since before the answer
    wait_screen lost 'all that use assent exec: touch held'
    keys lost Escape
    wait_no_screen lost 'What came back'
    quits lost
    wait_no_screen lost ' keys: '
    e2e_tmux kill-session -t lost
}

# Nobody goes on from nothing.
of_nothing_no_word_is_said() {
    record_forget
    console_open none 80x24
    quits none
    test "$(console_status none)" = 0
    wait_for 'the end of the record' shows_its_end none
    screen_lacks none 'goes on from here'
    e2e_tmux kill-session -t none
}

# The question stays on the screen with what y and n do, and what leaves the sandbox is never among the rest.
a_long_list_is_bounded() {
    record_forget
    console_open long 80x24 --policy untrusted -c guard_time=0
    for number in 1 2 3 4 5 6 7 8 9; do
        client one -- touch "long$number"
        asked long "touch long$number"
        keys long a
        client_ends one 0
    done
    client one --escalate -- ls /
    asked long 'ls /'
    keys long a
    wait_screen long 'Enter confirms: '
    keys long Enter
    client_ends one 0
    quits long
    test "$(console_status long)" = 0
    e2e_tmux kill-session -t long
    terminal_start long 80x24 sh
    typed long "clear; '$e2e_build/assent' --resume -c guard_time=0"
    keys long Enter
    wait_screen long 'Is that to hold here as well?'
    screen long
    wait_screen long 'y, then Enter: all of it holds until this console ends'
    wait_screen long 'n, or Enter alone: none of it does'
    screen long | grep -A 1 'You approved there' | grep -q 'WITHOUT the sandbox: ls /'
    wait_screen long '  and 2 more in the sandbox'
    keys long y Enter
    wait_screen long 'What came back'
    wait_screen long 'touch long9' # there all of it is
    keys long Escape
    wait_no_screen long 'What came back'
    quits long
    wait_no_screen long ' keys: '
    e2e_tmux kill-session -t long
}

# Whoever does not say yes, gets nothing, and what was typed before the question is no yes; the first console leads to the one that went on.
without_a_yes_nothing_holds() {
    terminal_start third 100x24 sh
    typed third "clear; sleep 1; '$e2e_build/assent' --resume $(cat "$e2e_dir/first") --policy untrusted -c guard_time=0"
    keys third Enter
    keys third y Enter
    wait_screen third 'Is that to hold here as well?'
    keys third Enter
    wait_screen third '1 approval that you did not let hold'
    keys third Escape
    wait_no_screen third 'What came back'
    client one -- touch kept
    asked third 'touch kept'
    keys third d
    client_ends one 77
    quits third
    wait_no_screen third ' keys: '
    console_stop third
}

altered_record_is_not_resumed() {
    for log in "$e2e_dir"/state/assent/sessions/*.jsonl; do
        sed -i 's/"kind":"denied"/"kind":"approved"/' "$log"
    done
    terminal_start third 100x24 sh
    typed third "clear; '$e2e_build/assent' --resume $(cat "$e2e_dir/first")"
    keys third Enter
    wait_screen third 'cannot be trusted (altered)'
    e2e_tmux kill-session -t third
}

agent_line="python3 $srcdir/tests/e2e/acp-agent.py One"

# So many consoles have recorded it.
conversations() {
    test "$(cat "$e2e_dir"/state/assent/sessions/*.jsonl | grep -c '"event":"conversation".*"conversation":"session-1"')" = "$1"
}

zoomed() {
    grep -q '"event":"layout".*"zoomed":true' "$e2e_dir"/state/assent/sessions/*.jsonl
}

# Agents whose work the console's end cut short go on with their session, if the operator wants it;
# one that is open already is not opened a second time.
agents_go_on_with_their_session() {
    record_forget
    console_open talk 120x30 -c guard_time=0 --agent "$agent_line"
    wait_screen talk 'One 1 is ready (session session-1)'
    wait_for 'the conversation on record' conversations 1
    console_stop talk
    # Not wanted: a session like any other.
    terminal_start talk 120x30 sh
    typed talk "clear; '$e2e_build/assent' --resume -c guard_time=0"
    keys talk Enter
    wait_screen talk 'assent acp --load=session-1 -- python3'
    wait_screen talk 'n, or Enter: none is started.'
    keys talk Enter
    wait_screen talk '1 agent that you did not start again'
    screen_lacks talk 'is ready'
    keys talk Escape
    wait_no_screen talk 'What came back'
    quits talk
    wait_no_screen talk ' keys: '
    e2e_tmux kill-session -t talk
}

agents_are_not_doubled() {
    record_forget
    console_open talk 120x30 -c guard_time=0 --agent "$agent_line"
    wait_screen talk 'One 1 is ready (session session-1)'
    wait_for 'the conversation on record' conversations 1
    # It has the whole screen when the console ends.
    keys talk 'C-\'
    keys talk F5
    wait_for 'the layout on record' zoomed
    console_stop talk
    terminal_start talk 120x40 sh
    typed talk "clear; '$e2e_build/assent' --resume -c guard_time=0"
    keys talk Enter
    wait_screen talk 'Start them again?'
    keys talk y Enter
    wait_screen talk 'One of them has the whole screen, as it had.'
    keys talk Escape
    wait_no_screen talk 'What came back'
    wait_screen talk 'what was answered before'
    wait_screen talk 'is ready (session session-1)'
    screen_lacks talk ' Calls '
    wait_for 'the conversation on record' conversations 2
    e2e_tmux kill-session -t talk
    wait_for 'the end of the console' no_console
    terminal_start talk 120x40 sh
    typed talk "clear; '$e2e_build/assent' --resume -c guard_time=0 -- '$e2e_build/assent' acp --load session-1 -- $agent_line"
    keys talk Enter
    wait_screen talk 'Start them again?'
    keys talk y Enter
    wait_for 'the refusal' refused_to_double
    e2e_tmux kill-session -t talk
}

# In whichever of the two panes, or what is kept of its output when that has gone.
refused_to_double() {
    { screen talk; cat "$e2e_dir"/state/assent/sessions/*.jsonl; } | grep 'open already' >/dev/null
}

no_console() {
    test -z "$(find "$e2e_dir/run/assent" -name '*.sock')"
}

# Of several that go on from one at once, one does.
consoles_that_race_do_not_double() {
    (cd "$e2e_work" && assent --headless -- true) >"$e2e_dir/out" 2>&1 </dev/null
    first=$(find "$e2e_dir/state/assent/sessions" -name '*.jsonl' -exec basename -s .jsonl {} + | LC_ALL=C sort | tail -n 1)
    for racer in 1 2 3 4; do
        (cd "$e2e_work" && assent --headless --resume "$first" -- \
            sh -c "until test \$(ls '$e2e_dir' | grep -c 'refused[.]') = 3; do sleep 0.1; done") \
            >"$e2e_dir/race.$racer" 2>&1 </dev/null || : >"$e2e_dir/refused.$racer" &
    done
    wait
    test "$(cat "$e2e_dir"/race.? | grep -c 'open in another console')" = 3
    test "$(cat "$e2e_dir"/state/assent/sessions/*.jsonl | grep -c "\"resumes\":\"$first\"")" = 1
}

test_case approved_things_are_left_behind
test_case an_open_session_is_not_doubled
test_case resume_asks_and_restores
test_case without_a_yes_nothing_holds
test_case altered_record_is_not_resumed
test_case what_holds_again_is_there_at_once
test_case what_leaves_the_sandbox_says_so
test_case what_does_not_come_back_is_named
test_case what_is_lost_is_told_first
test_case a_long_list_is_bounded
test_case of_nothing_no_word_is_said
test_case agents_go_on_with_their_session
test_case agents_are_not_doubled
test_case consoles_that_race_do_not_double
e2e_end
