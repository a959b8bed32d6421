#!/bin/sh
# SPDX-License-Identifier: MIT
# Conversations with agents in panes: several at once, what they may not do to the terminal and to each
# other, how they end. The agent is acp-agent.py, which does what it is told.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 curl
e2e_begin
agent_line="python3 $srcdir/tests/e2e/acp-agent.py"

# tell NAME TEXT: the operator's words, in the pane.
tell() {
    typed "$1" "$2"
    wait_screen "$1" "> $2"
    keys "$1" Enter
}

agents_converse_in_panes() {
    console_open main 120x30 -c guard_time=0 --agent "$agent_line One"
    wait_screen main 'One 1 is ready (session session-1)'
    tell main 'hello'
    wait_screen main 'you said: hello'
    tell main 'plan'
    wait_screen main '[x] look'
    wait_screen main '[>] leap'
    wait_screen main '~ I wonder'
    wait_screen main '- strong and code'
    wait_screen main 'plan: 1/2 leap'
    tell main 'run echo out; exit 3'
    wait_screen main 'out (3)'
    tell main 'run touch ../outside'
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main 'Run it again'
    keys main d
    wait_screen main '[refused by the operator]'
    test ! -e "$e2e_dir/outside"
    console_stop main
}

# The cancel key: also while a question is open.
turns_are_cancelled() {
    console_open main 120x30 -c guard_time=0 --agent "$agent_line One"
    wait_screen main 'is ready'
    tell main stay
    wait_screen main 'working, Esc stops it'
    keys main Escape
    wait_screen main 'the turn has ended: cancelled'
    tell main 'ask make all'
    wait_screen main '1 request waits'
    keys main Escape
    wait_screen main 'the answer to make all is none'
    wait_no_screen main '1 request waits'
    tell main 'still there?'
    wait_screen main 'you said: still there?'
    console_stop main
}

# What would last at the agent's is picked from a list by its name, and recorded by it.
answers_of_the_agents_own_are_picked_by_name() {
    console_open main 120x30 -c guard_time=0 --agent "$agent_line One"
    wait_screen main 'is ready'
    tell main 'ask make all'
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main "pick from choices the agent offers"
    keys main o
    wait_screen main 'only the agent can take it back'
    # The mark is on the way back.
    keys main Enter
    wait_no_screen main 'only the agent can take it back'
    screen_has main 'asks. May '
    keys main o
    wait_screen main 'only the agent can take it back'
    keys main Down
    keys main Enter
    wait_screen main 'the answer to make all is all'
    wait_for 'its name in the record' grep -rq '"offer":"Always"' "$e2e_dir/state/assent/sessions"
    # The next one is asked about all the same.
    keys main 'C-\'
    tell main 'ask make more'
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main "pick from choices the agent offers"
    keys main d
    wait_screen main 'the answer to make more is no'
    console_stop main
}

# A password that an agent asks for is for the agent alone.
passwords_are_not_seen() {
    console_open main 120x30 -c guard_time=0 --agent "$agent_line One"
    wait_screen main 'is ready'
    tell main login
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main 'asks. What do you answer?'
    keys main y
    wait_screen main 'Your answer'
    typed main 'hunter2-secret'
    wait_screen main '**************'
    screen_lacks main hunter2
    keys main Enter
    wait_screen main 'the login: 14 characters'
    screen_lacks main hunter2
    wait_for 'its place in the record' grep -rq '"message":"<masked>"' "$e2e_dir/state/assent/sessions"
    grep -r hunter2 "$e2e_dir/state" && exit 1
    console_stop main
}

# What an agent logs in with comes along, to it alone: not to its commands, and not into the record.
agents_keep_their_own_keys() {
    printf '#!/bin/sh\nexec %s "$@"\n' "$agent_line" >"$e2e_dir/codex-acp"
    chmod +x "$e2e_dir/codex-acp"
    e2e_env='OPENAI_API_KEY=hush-1 GEMINI_API_KEY=hush-2'
    console_open main 120x30 -c guard_time=0 --agent "$e2e_dir/codex-acp One"
    wait_screen main 'is ready'
    # shellcheck disable=SC2016 # for the agent's shell
    tell main 'itself echo "<$OPENAI_API_KEY-$GEMINI_API_KEY>" | tr a-z A-Z'
    wait_screen main 'by itself: <HUSH-1->'
    # shellcheck disable=SC2016 # for the command's shell
    tell main 'run echo "<$OPENAI_API_KEY>"'
    wait_screen main '<> (0)'
    console_stop main
    e2e_env=
    grep -r hush- "$e2e_dir/state" && exit 1
    true
}

# An agent's form is filled in at the console, field by field, and nowhere else.
forms_are_filled_in() {
    console_open main 120x30 -c guard_time=0 --agent "$agent_line One"
    wait_screen main 'is ready'
    tell main form
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main 'asks. What do you answer?'
    wait_screen main 'Details, please'
    wait_screen main '1 of 2: Your full name'
    keys main y
    wait_screen main 'Your answer'
    typed main 'Ada L.'
    wait_screen main '│ Ada L. ' # an Enter in one piece with it would not count
    keys main Enter
    wait_screen main '2 of 2: colour'
    keys main y
    wait_screen main 'Your answer'
    typed main 'Blue'
    wait_screen main '│ Blue ' # an Enter in one piece with it would not count
    keys main Enter
    wait_screen main 'That did not fit.'
    keys main y
    wait_screen main 'Your answer'
    typed main 'Green'
    wait_screen main '│ Green ' # an Enter in one piece with it would not count
    keys main Enter
    wait_screen main "the form: accept {'name': 'Ada L.', 'colour': '#0f0'}"
    keys main BTab F12 # behind the newest comes the first
    tell main form
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main '1 of 2: Your full name'
    keys main d
    wait_screen main 'the form: decline'
    console_stop main
    console_open main 120x30 -c guard_time=0 --policy reject -c reject.elicitations=true --agent "$agent_line One"
    wait_screen main 'is ready'
    tell main form
    wait_screen main 'the form: decline'
    console_stop main
}

# What is allowed to one for the session is not allowed to the other.
approvals_stay_with_their_agent() {
    console_open main 130x40 -c guard_time=0 --agent "$agent_line One" --agent "$agent_line Two" \
        -- sh -c 'sleep 1000'
    wait_screen main 'One 1 is ready'
    wait_screen main 'Two 1 is ready'
    keys main 'C-\'
    for turn in 1 2; do
        keys main Tab F12
        tell main 'ask touch here'
        wait_screen main '1 request waits'
        keys main 'C-\'
        asked main 'touch here'
        confirm main a
        wait_for "answer $turn" answers "$turn"
    done
    keys main BTab F12
    tell main 'ask touch here'
    wait_for 'the answer without a question' answers 3
    console_stop main
}

answers() {
    test "$(screen main | grep -c 'the answer to touch here is yes')" -ge "$1"
}

hostile_words_stay_words() {
    console_open main 120x30 -c guard_time=0 --agent "$agent_line One"
    wait_screen main 'is ready'
    tell main hostile
    wait_screen main '<ESC>[2J<ESC>]0;title<BEL> asks. May it run? <U+202E>'
    tell main flood
    tell main 'after it'
    wait_screen main 'you said: after it'
    console_stop main
}

# It says why, and the console and the others go on. What ignores all else is killed.
agents_end() {
    console_open main 120x30 -c guard_time=0 --agent "$agent_line One"
    wait_screen main 'is ready'
    tell main die
    wait_screen main '! I have died'
    wait_screen main 'exit 1'
    console_stop main
    console_open two 120x30 --exit-when-done --agent "$agent_line One"
    wait_screen two 'is ready'
    keys two C-d
    test "$(console_status two)" = 0
    wait_for 'the end of the agent' e2e_quiet
    console_start three 120x30 --agent "assent-no-such-agent --acp"
    test "$(console_status three)" = 125
    wait_screen three 'cannot start assent-no-such-agent: no such program is on your search path'
    e2e_tmux kill-session -t three
    # Without a screen, too.
    status=0
    (cd "$e2e_work" && assent --headless --exit-when-done --agent false </dev/null) \
        >"$e2e_dir/out" 2>&1 || status=$?
    test "$status" = 1
}

# What it does by itself is confined as its commands are; it keeps its own things, but not what it
# obeys, and comes to the console as always.
a_confined_agent_cannot_go_round() {
    mkdir -p "$e2e_dir/home/.codex" "$e2e_dir/home/.aws"
    echo '{}' >"$e2e_dir/home/.codex/auth.json"
    echo '{}' >"$e2e_dir/home/hooks"
    ln -s ../hooks "$e2e_dir/home/.codex/hooks.json"
    echo 'model = "x"' >"$e2e_dir/home/.codex/config.toml"
    echo secret >"$e2e_dir/home/.aws/credentials"
    mkdir -p "$e2e_dir/bin"
    printf '#!/bin/sh\nexec %s "$@"\n' "$agent_line" >"$e2e_dir/bin/codex"
    chmod +x "$e2e_dir/bin/codex"
    console_open main 120x40 -c guard_time=0 --confine-agent --agent "$e2e_dir/bin/codex One"
    wait_screen main 'One 1 is ready'
    tell main 'itself touch inside; touch ../outside'
    wait_screen main 'by itself: touch:'
    test -e "$e2e_work/inside"
    test ! -e "$e2e_dir/outside"
    tell main 'itself echo changed >~/.codex/auth.json && echo kept'
    wait_screen main 'by itself: kept (0)'
    test "$(cat "$e2e_dir/home/.codex/auth.json")" = changed
    tell main 'itself echo approval_policy=1 >>~/.codex/config.toml'
    wait_screen main 'cannot create'
    wait_screen main '(2)' # its words may be broken into rows
    test "$(cat "$e2e_dir/home/.codex/config.toml")" = 'model = "x"'
    echo 'cd ~/.codex; echo A=B >.env; echo allow >rules/a; rm hooks.json; echo tried' \
        >"$e2e_work/changes"
    tell main 'itself sh ./changes'
    wait_screen main 'by itself: tried'
    test "$(cat "$e2e_dir/home/.codex/.env")" = ''
    test ! -e "$e2e_dir/home/.codex/rules/a"
    test -L "$e2e_dir/home/.codex/hooks.json"
    tell main 'itself cat ~/.aws/credentials 2>&1 >kept || echo closed >kept; cat kept'
    wait_for 'the refusal' grep -qx closed "$e2e_work/kept"
    tell main 'itself curl -sS http://name.example/'
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main 'May it connect there?'
    keys main d
    wait_screen main 'by itself: http://name.example:80: not granted'
    typed main ':sessions'
    keys main Enter
    wait_screen main 'confined: it runs in the sandbox itself'
    keys main Escape
    wait_no_screen main 'confined: it runs in the sandbox itself'
    keys main F12
    tell main 'run touch ../outside'
    wait_screen main '1 request waits'
    keys main 'C-\'
    wait_screen main 'Run it again'
    confirm main y
    wait_for 'what was granted' test -e "$e2e_dir/outside"
    console_stop main
}

# Without a terminal: lines. With a console elsewhere, which it finds by itself.
lines_do_as_well() {
    headless_start
    cd "$e2e_work"
    printf 'run echo out\n' >"$e2e_dir/lines"
    # shellcheck disable=SC2086 # words
    assent acp --load session-1 -- $agent_line One <"$e2e_dir/lines" >"$e2e_dir/out" 2>&1
    grep -q '^> what was asked before$' "$e2e_dir/out"
    grep -q '^what was answered before$' "$e2e_dir/out"
    grep -q '^out (0)$' "$e2e_dir/out"
    headless_stop
    assent acp 2>"$e2e_dir/message" </dev/null && test_fail 'without an agent'
    grep -q 'expected the command that starts the agent' "$e2e_dir/message"
}

test_case agents_converse_in_panes
test_case turns_are_cancelled
test_case answers_of_the_agents_own_are_picked_by_name
test_case agents_keep_their_own_keys
test_case forms_are_filled_in
test_case passwords_are_not_seen
test_case approvals_stay_with_their_agent
test_case hostile_words_stay_words
test_case agents_end
test_case a_confined_agent_cannot_go_round
test_case lines_do_as_well
e2e_end
