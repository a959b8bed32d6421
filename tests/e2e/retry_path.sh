#!/bin/sh
# SPDX-License-Identifier: MIT
# A command that the sandbox stopped at one path runs again in the sandbox, which gives it that path
# and no other.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

starts() {
    mkdir "$e2e_dir/home/data" "$e2e_dir/home/other"
    console_open main 180x36 -c guard_time=0
}

w_gives_the_path_and_no_other() {
    client one -- sh -c "touch ../home/other/b; touch ../home/data/a"
    wait_screen main 'stopped by the sandbox. Run it again'
    wait_screen main "may write all in $e2e_dir/home/data"
    keys main w
    client_ends one 0
    test -e "$e2e_dir/home/data/a"
    test ! -e "$e2e_dir/home/other/b"
    wait_screen main 'allowed once, in the sandbox, writing'
    grep -h '"event":"decision"' "$e2e_dir"/state/assent/sessions/*.jsonl | grep '"kind":"approved_path"' |
        grep -qF "\"path\":\"$e2e_dir/home/data\""
}

it_is_not_remembered() {
    unasked main
    client one -- touch ../home/data/c
    wait_screen main "may write all in $e2e_dir/home/data"
    keys main d
    client_ends one 77
    test ! -e "$e2e_dir/home/data/c"
}

# A file that is there is given alone, and not what is beside it.
a_file_is_given_alone() {
    unasked main
    client one -- sh -c 'echo more >../home/data/b; echo more >../home/data/a'
    wait_screen main "may write $e2e_dir/home/data/a"
    keys main w
    client_ends one 0
    test "$(cat "$e2e_dir/home/data/a")" = more
    test ! -e "$e2e_dir/home/data/b"
}

# The attack: while the question is on the screen, another directory is put in the place of the one
# that it names.
another_in_its_place_is_not_given() {
    unasked main
    client one -- touch ../home/data/d
    wait_screen main "may write all in $e2e_dir/home/data"
    mv "$e2e_dir/home/data" "$e2e_dir/home/moved"
    ln -s other "$e2e_dir/home/data"
    keys main w
    client_ends one 125
    test ! -e "$e2e_dir/home/other/d"
    rm "$e2e_dir/home/data"
    mkdir "$e2e_dir/home/data"
}

# What the operator would not give unseen is not offered: w is no answer to it.
protected_places_are_not_offered() {
    mkdir -p "$e2e_dir/home/.ssh" "$e2e_dir/home/.local/bin" "$e2e_dir/home/repo/.git/hooks"
    for path in ../home/.ssh/config ../home/.bashrc ../home/new ../home/.local/bin/x \
        ../home/repo/.git/hooks/pre-commit; do
        unasked main
        client one -- touch "$path"
        wait_screen main 'stopped by the sandbox. Run it again WITHOUT it'
        wait_no_screen main "may write"
        keys main w
        wait_screen main '│ no w: '
        keys main d
        client_ends one 77
        test ! -e "$e2e_work/$path"
    done
}

# What is missing there, the sandbox holds: mkdir says that it exists, a shell that it is no directory.
what_the_sandbox_holds_is_named() {
    for script in 'mkdir -p .vscode && echo {} >.vscode/settings.json' 'echo {} >.vscode/tasks.json' \
        'git init -q'; do
        unasked main
        client one -- bash -c "$script"
        wait_screen main 'stopped by the sandbox. Run it again WITHOUT it'
        keys main d
        client_ends one 77
        grep -qE 'write .*\.(vscode|git)' "$e2e_dir/one.err"
    done
    client one -- cat .vscode/settings.json
    client_ends one 1
    mkdir "$e2e_work/.vscode"
    client one -- mkdir .vscode
    client_ends one 1
    rmdir "$e2e_work/.vscode"
}

# To take a file its directory is written; to take the directory that is not enough.
what_is_removed_is_of_its_directory() {
    mkdir -p "$e2e_dir/home/data/gone"
    touch "$e2e_dir/home/data/gone/x" "$e2e_dir/home/data/gone/y"
    unasked main
    client one -- rm ../home/data/gone/x
    wait_screen main 'it deletes files outside the workspace'
    confirm main y
    wait_screen main 'stopped by the sandbox. Run it again'
    confirm main w
    client_ends one 0
    test ! -e "$e2e_dir/home/data/gone/x"
    unasked main
    client one -- rm -r ../home/data/gone
    wait_screen main 'it deletes files outside the workspace'
    confirm main y
    wait_screen main 'no w: its directory'
    keys main d
    client_ends one 77
    rm -r "$e2e_dir/home/data/gone"
}

# The operator makes in another terminal what is missing: the answer comes by itself, in the request
# and in the list.
what_is_made_meanwhile_is_offered() {
    unasked main
    client one -- touch ../home/made
    wait_screen main 'it is not there yet'
    touch "$e2e_dir/home/made"
    wait_screen main "may write $e2e_dir/home/made"
    keys main w
    client_ends one 0
    unasked main
    client one -- touch ../home/listed
    wait_screen main 'it is not there yet'
    keys main F9
    wait_screen main 'keys: inbox'
    touch "$e2e_dir/home/listed"
    wait_screen main 'also write'
    keys main d
    client_ends one 77
    keys main Escape
}

# For the session: the same command has it from then on, unasked, and it stands in the list.
# How long w would hold, in however few words there is room for beside the path.
once_is_offered() { screen main | grep -q 'w  once'; }
session_is_offered() { screen main | grep -q 'w↵ only this'; }

it_can_be_given_for_the_session() {
    unasked main
    client one -- touch ../home/data/kept
    wait_for 'the path, once' once_is_offered
    keys main W
    wait_for 'the path, for the session' session_is_offered
    confirm main w
    client_ends one 0
    wait_screen main 'allowed for this session, in the sandbox, writing'
    rm "$e2e_dir/home/data/kept"
    client one -- touch ../home/data/kept
    client_ends one 0
    test -e "$e2e_dir/home/data/kept"
    wait_screen main 'allowed in the sandbox, writing'
    keys main F6
    wait_screen main "in the sandbox, may write $e2e_dir/home/data; all that use assent exec"
    keys main Escape
}

nothing_else_has_it() {
    client one -- touch ../home/data/other
    wait_screen main 'stopped by the sandbox. Run it again'
    keys main d
    client_ends one 77
    e2e_cwd="$e2e_dir/home" client one -- touch ../home/data/kept
    wait_screen main 'stopped by the sandbox. Run it again'
    keys main d
    client_ends one 77
    test ! -e "$e2e_dir/home/data/other"
}

# It is asked for anew what the path of the grant leads to: a link to it is none.
it_ends_where_something_else_is_in_its_place() {
    unasked main
    mv "$e2e_dir/home/data" "$e2e_dir/home/moved"
    ln -s other "$e2e_dir/home/data"
    client one -- touch ../home/data/kept
    wait_screen main 'stopped by the sandbox. Run it again'
    wait_screen main 'what it may write is no longer what it was'
    test ! -e "$e2e_dir/home/other/kept"
    rm "$e2e_dir/home/data"
    mv "$e2e_dir/home/moved" "$e2e_dir/home/data"
    keys main d
    client_ends one 77
}

given_again() {
    unasked main
    client one -- touch ../home/data/"$1"
    wait_for 'the path, once' once_is_offered
    keys main W
    wait_for 'the path, for the session' session_is_offered
    confirm main w
    client_ends one 0
}

undo_takes_it_back() {
    given_again undone
    typed main ':undo'
    keys main Enter
    wait_screen main 'taken back for this session: c'
    wait_screen main '../home/data/undone;'
    client one -- touch ../home/data/undone
    wait_screen main 'stopped by the sandbox. Run it again'
    keys main d
    client_ends one 77
}

# A console that goes on asks whether it is to hold there, and looks at the path as this one does.
resume_asks_whether_it_holds() {
    given_again later
    given_again swapped
    quits main
    test "$(console_status main)" = 0
    terminal_start again 160x30 sh
    typed again "clear; '$e2e_build/assent' --resume -c guard_time=0"
    keys again Enter
    wait_screen again "all that use assent exec, may write $e2e_dir/home/data: touch ../home/data/later"
    screen_lacks again 'data: touch ../home/data/undone'
    keys again y Enter
    wait_screen again 'What came back'
    keys again Escape
    wait_no_screen again 'What came back'
    rm "$e2e_dir/home/data/later"
    client one -- touch ../home/data/later
    client_ends one 0
    test -e "$e2e_dir/home/data/later"
    mv "$e2e_dir/home/data" "$e2e_dir/home/moved"
    mkdir "$e2e_dir/home/data"
    client one -- touch ../home/data/swapped
    wait_screen again 'stopped by the sandbox. Run it again'
    test ! -e "$e2e_dir/home/data/swapped"
    keys again d
    client_ends one 77
}

ends() {
    quits again
    wait_no_screen again ' keys: '
}

test_case starts
test_case w_gives_the_path_and_no_other
test_case it_is_not_remembered
test_case a_file_is_given_alone
test_case another_in_its_place_is_not_given
test_case protected_places_are_not_offered
test_case what_the_sandbox_holds_is_named
test_case what_is_removed_is_of_its_directory
test_case what_is_made_meanwhile_is_offered
test_case it_can_be_given_for_the_session
test_case nothing_else_has_it
test_case it_ends_where_something_else_is_in_its_place
test_case undo_takes_it_back
test_case resume_asks_whether_it_holds
test_case ends
e2e_end
