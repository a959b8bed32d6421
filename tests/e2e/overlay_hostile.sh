#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands made to deceive or to choke whoever reads them, on a real terminal: the request stays
# ours, whole and usable.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    console_open main 80x24 --policy untrusted -c guard_time=0
}

# Nine words of 110 KB, which hold what could be taken for something else, and one at the end.
a_megabyte_is_read_answered_and_run() {
    filler=$(printf 'risk: LOW \033[2J\342\200\256 %s ' "$(head -c 109000 /dev/zero | tr '\0' 'a')")
    starts
    client one -- sh -c 'echo $# words' word "$filler" "$filler" "$filler" "$filler" "$filler" \
        "$filler" "$filler" "$filler" "$filler" Q
    asked main 'sh -c'
    # The console goes on meanwhile, in the request and beside it.
    keys main v
    wait_screen main 'everything about c1'
    keys main Escape
    wait_no_screen main 'everything about c1'
    asked main 'sh -c'
    keys main Escape
    wait_no_screen main 'May it run'
    typed main 'still here'
    wait_screen main '> still here'
    keys main Escape
    wait_screen main '> a command to run'
    keys main F2
    asked main 'sh -c'
    keys main y
    wait_screen main 'Read all of the command first'
    client_waits one
    keys main NPage
    wait_no_screen main '┃ sh -c'
    keys main Home
    wait_screen main '┃ sh -c'
    keys main End
    wait_screen main "' Q"
    keys main y
    wait_screen main 'Read all of the command first'
    # Whoever opens the view of everything chooses what to read there.
    keys main v
    wait_screen main 'everything about'
    keys main End
    wait_screen main 'What the risk was judged by'
    keys main Escape
    wait_no_screen main 'everything about'
    keys main y
    # What is too long to be judged whole is of high risk: two keys.
    wait_screen main 'Enter confirms'
    keys main Enter
    client_ends one 0
    grep -q '10 words' "$e2e_dir/one.out"
    console_stop main
}

risk_is_there_once() {
    test "$(screen main | grep -c 'Risk  ')" = 1
}

hostile_text_is_shown_as_what_it_is() {
    mkdir "$e2e_work/victim"
    starts
    client one -- rm -rf victim "$(printf '\033[2J\033[1;1H\033]0;x\007risk: LOW\n\342\200\256evil\342\200\254 \233 \010\010')"
    asked main 'rm -rf victim'
    wait_screen main '▲ HIGH'
    wait_screen main 'Summary     Deletes files by force'
    wait_screen main 'Command'
    # Nothing of it reached the terminal as it is.
    screen main | LC_ALL=C grep -q "$(printf '\342\200\256')" && exit 1
    screen main | LC_ALL=C grep -q "$(printf '\033')" && exit 1
    wait_for 'one label' risk_is_there_once
    keys main y
    wait_screen main 'Enter confirms'
    test -d "$e2e_work/victim"
    keys main d
    wait_screen main 'Not allowed yet'
    keys main d
    client_ends one 77
    test -d "$e2e_work/victim"
    console_stop main
}

test_case a_megabyte_is_read_answered_and_run
test_case hostile_text_is_shown_as_what_it_is
e2e_end
