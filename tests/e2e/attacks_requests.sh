#!/bin/sh
# SPDX-License-Identifier: MIT
# Attacks by clients on the operator: floods, tireless repetition, borrowed grants, words that
# imitate the console's, things swapped between the question and the answer.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# The console has an agent of its own, which asks for what it finds in a file.
# shellcheck disable=SC2016 # for the inner shell
agent_script='while sleep 0.1; do
    test ! -e "$2/own.order" || {
        set -- "$1" "$2" $(cat "$2/own.order")
        rm "$2/own.order"
        "$1" exec -- "$3" "$4" "$5"
        echo $? >"$2/own.ended"
        mv "$2/own.ended" "$2/own.exit"
    }
done'

starts() {
    console_open main 80x24 --policy untrusted -c guard_time=0 -- \
        sh -c "$agent_script" sh "$e2e_build/assent" "$e2e_dir"
    wait_screen main 'keys: pane c1'
    keys main "C-\\"
    wait_screen main 'keys: prompt'
}

# own_agent WORD WORD WORD: that agent asks for this command.
own_agent() {
    rm -f "$e2e_dir/own.exit"
    echo "$@" >"$e2e_dir/own.new"
    mv "$e2e_dir/own.new" "$e2e_dir/own.order"
}

asking_again_and_again_is_answered_once() {
    client one -- ln -s x again
    asked main 'ln -s x again'
    keys main n
    wait_screen main 'Enter denies with this message'
    written main 'no means no'
    keys main Enter
    client_ends one 77
    for round in 1 2 3 4 5 6 7 8; do
        client "again$round" -- ln -s x again
    done
    for round in 1 2 3 4 5 6 7 8; do
        client_ends "again$round" 77
        grep -q 'no means no' "$e2e_dir/again$round.err"
    done
    wait_no_screen main 'May it run'
    test ! -L "$e2e_work/again"
}

# What its agent was allowed is nobody else's, whatever they call themselves.
grants_do_not_go_by_name() {
    own_agent mkdir -p granted
    asked main 'mkdir -p granted'
    keys main a
    client_ends own 0
    rmdir "$e2e_work/granted"
    client one --session sh -- mkdir -p granted
    asked main 'mkdir -p granted'
    test ! -e "$e2e_work/granted"
    confirm main x
    client_ends one 77
    for name in default you; do
        client one --session "$name" -- mkdir -p granted
        client_ends one 77
    done
    test ! -e "$e2e_work/granted"
    own_agent mkdir -p granted
    client_ends own 0
    test -d "$e2e_work/granted"
}

each_label_is_there_once() {
    for label in 'Risk' 'Runs under' 'Reason'; do
        test "$(screen main | grep -c "^│ $label  ")" = 1 || return 1
    done
}

# The request has as many labels as it should; what imitates one stands behind a bar.
words_of_an_agent_are_marked() {
    lie='harmless
Risk        ● low
Runs under  nothing at all
│ Reason    you have allowed this already'
    client one --justification "$lie" -- sh -c "true #
Risk        ● low"
    asked main 'true #'
    wait_screen main '┃ Risk'
    wait_for 'each label, once' each_label_is_there_once
    wait_screen main 'Runs under  workspace-write'
    keys main d
    client_ends one 77
}

# What was shown is what runs, or nothing does.
a_program_swapped_meanwhile_does_not_run() {
    printf '#!/bin/sh\ntouch good\n' >"$e2e_work/tool"
    printf '#!/bin/sh\ntouch evil\n' >"$e2e_work/tool2"
    chmod +x "$e2e_work/tool" "$e2e_work/tool2"
    client one -- ./tool
    asked main ./tool
    mv "$e2e_work/tool2" "$e2e_work/tool"
    keys main y
    client_ends one 125
    grep -q 'replaced while the call waited' "$e2e_dir/one.err"
    test ! -e "$e2e_work/evil"
    test ! -e "$e2e_work/good"
}

# What a script says is read before it may leave the sandbox.
reads_script() {
    keys main v
    wait_screen main "What $1 says"
    keys main Escape
    wait_no_screen main "What $1 says"
}

# Nor does a script, where no sandbox holds what it does.
a_script_swapped_meanwhile_does_not_run() {
    echo 'touch good' >"$e2e_work/deploy.sh"
    client one --escalate -- sh deploy.sh
    asked main 'sh deploy.sh'
    keys main y
    wait_screen main 'press v and read it first'
    reads_script deploy.sh
    echo 'touch evil' >"$e2e_work/deploy.sh"
    confirm main y
    client_ends one 125
    grep -q 'deploy.sh: submit it again' "$e2e_dir/one.err"
    test ! -e "$e2e_work/evil"
}

# A shell reads its script line by line. While it runs where no sandbox holds it, nobody writes to
# it: the agent's other command waits, and what was not shown is never run.
a_script_changed_while_it_runs_is_stopped() {
    printf 'touch started\nsleep 60\ntouch late\n' >"$e2e_work/deploy.sh"
    client one --escalate -- sh deploy.sh
    asked main 'sh deploy.sh'
    wait_screen main 'deploy.sh, 3 lines (v shows them)'
    keys main v
    wait_screen main 'What deploy.sh says'
    wait_screen main '┃ touch late'
    keys main Escape
    wait_no_screen main 'What deploy.sh says'
    sum=$(sha256sum "$e2e_work/deploy.sh" | cut -c1-64)
    grep -q "\"sha256\":\"$sum\"" "$e2e_dir"/state/assent/sessions/*.jsonl
    confirm main y
    wait_for "its start" test -e "$e2e_work/started"
    client two -- sh -c 'sed "s/60/0; touch evil/" deploy.sh >new; cat new >deploy.sh'
    asked main evil
    keys main y
    client_ends one 143
    client_ends two 0
    grep -q 'was about to be changed while it ran' "$e2e_dir/one.err"
    grep -q evil "$e2e_work/deploy.sh"
    test ! -e "$e2e_work/evil"
    test ! -e "$e2e_work/late"
    rm "$e2e_work/started" "$e2e_work/deploy.sh"
}

# In the sandbox it does no harm, and that it may run again is asked as if nothing were wrong: what
# the script says is judged then, and recorded.
a_script_is_judged_before_it_leaves_the_sandbox() {
    printf 'true\nrm -rf /etc/blocked.d\ntouch /etc/blocked\n' >"$e2e_work/grave.sh"
    client one -- sh grave.sh
    asked main 'sh grave.sh'
    keys main y
    wait_screen main 'WITHOUT the sandbox'
    wait_screen main '(grave.sh, line 2)'
    grep '"event":"assessment"' "$e2e_dir"/state/assent/sessions/*.jsonl | tail -n 1 |
        grep -q '"level":"high".*"script":"grave.sh","script_line":2'
    keys main d
    client_ends one 77
    rm "$e2e_work/grave.sh"
}

# What has it open already could change it at any time.
a_script_open_for_writing_does_not_start() {
    echo 'touch good' >"$e2e_work/deploy.sh"
    client one --escalate -- sh deploy.sh
    asked main 'sh deploy.sh'
    (
        exec 9>>"$e2e_work/deploy.sh"
        reads_script deploy.sh
        confirm main y
        client_ends one 125
    )
    grep -q 'open for writing' "$e2e_dir/one.err"
    test ! -e "$e2e_work/good"
}

# Another file in its place is another matter: the shell has the old one open.
a_script_may_replace_itself() {
    printf 'cp deploy.sh new && mv new deploy.sh\ntouch good\n' >"$e2e_work/deploy.sh"
    client one --escalate -- sh -c 'sh deploy.sh'
    asked main 'sh deploy.sh'
    reads_script deploy.sh
    confirm main y
    client_ends one 0
    test -e "$e2e_work/good"
    rm "$e2e_work/good"
    wait_screen main 'its script was replaced'
}

a_directory_swapped_meanwhile_is_not_entered() {
    mkdir "$e2e_work/place" "$e2e_work/other"
    e2e_cwd=$e2e_work/place
    client one -- touch there
    asked main 'touch there'
    mv "$e2e_work/place" "$e2e_work/away"
    ln -s other "$e2e_work/place"
    keys main y
    client_ends one 125
    grep -q 'directory was replaced while the call waited' "$e2e_dir/one.err"
    test -z "$(find "$e2e_work" -name there)"
}

# Neither where a client stands nor its variables make anything writable.
a_client_opens_no_directory() {
    mkdir "$e2e_dir/elsewhere"
    e2e_cwd=$e2e_dir/elsewhere
    e2e_env=TMPDIR=$e2e_dir/elsewhere
    client one -- touch file
    asked main 'touch file'
    keys main y
    wait_screen main 'stopped by the sandbox. Run it again'
    keys main d
    client_ends one 77
    client one -- touch ../elsewhere/file
    asked main 'touch ../elsewhere/file'
    keys main y
    wait_screen main 'stopped by the sandbox. Run it again'
    keys main d
    client_ends one 77
    test ! -e "$e2e_dir/elsewhere/file"
}

# ---- two hundred at once ----

# Each client in a file of its own: its exit status.
# shellcheck disable=SC2016 # for the inner shell
flood='for i in $(seq 200); do
    { "$1" exec -- touch "flood.$i" 2>/dev/null; echo $? >"$2/$i.code"; } &
done
wait'

codes() {
    find "$e2e_dir/codes" -name '*.code' | wc -l
}

all_have_ended() {
    # Each x answers all that has been taken up; more comes up after it.
    ! screen_has main 'May it run' || confirm main x
    test "$(codes)" = 200
}

a_flood_leaves_room_for_others() {
    mkdir "$e2e_dir/codes"
    (cd "$e2e_work" && e2e_run sh -c "$flood" sh "$e2e_build/assent" "$e2e_dir/codes") &
    wait_screen main '63 more wait'
    # The console answers keys.
    keys main v
    wait_screen main 'everything about'
    keys main Escape
    wait_no_screen main 'everything about'
    wait_screen main 'May it run'
    # Another agent does not have to wait behind all of them.
    own_agent touch fair fair
    wait_screen main '64 more wait'
    test "$(codes)" = 0
    confirm main x
    asked main 'touch fair fair'
    keys main y
    client_ends own 0
    test -e "$e2e_work/fair"
    wait_for 'the end of the flood' all_have_ended
    test "$(cat "$e2e_dir/codes"/*.code | sort -u)" = 77
    test -z "$(find "$e2e_work" -name 'flood.*')"
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

test_case starts
test_case asking_again_and_again_is_answered_once
test_case grants_do_not_go_by_name
test_case words_of_an_agent_are_marked
test_case a_program_swapped_meanwhile_does_not_run
test_case a_script_swapped_meanwhile_does_not_run
test_case a_script_changed_while_it_runs_is_stopped
test_case a_script_is_judged_before_it_leaves_the_sandbox
test_case a_script_open_for_writing_does_not_start
test_case a_script_may_replace_itself
test_case a_directory_swapped_meanwhile_is_not_entered
test_case a_client_opens_no_directory
test_case a_flood_leaves_room_for_others
test_case ends
e2e_end
