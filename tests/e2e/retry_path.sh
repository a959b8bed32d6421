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
    wait_screen main 'stopped by the sandbox. Run it again WITHOUT it?'
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
        wait_screen main 'stopped by the sandbox. Run it again WITHOUT it?'
        wait_no_screen main "may write"
        keys main w
        wait_screen main 'This answer is not offered here.'
        keys main d
        client_ends one 77
        test ! -e "$e2e_work/$path"
    done
}

ends() {
    keys main C-q
    test "$(console_status main)" = 0
}

test_case starts
test_case w_gives_the_path_and_no_other
test_case it_is_not_remembered
test_case a_file_is_given_alone
test_case another_in_its_place_is_not_given
test_case protected_places_are_not_offered
test_case ends
e2e_end
