#!/bin/sh
# SPDX-License-Identifier: MIT
# What needs no terminal: help, version, manual, completions, configuration.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

subcommands=$(assent --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z]*\)  *.*/\1/p')

# Long options that `assent SUBCOMMAND --help` lists.
listed_options() {
    # shellcheck disable=SC2086 # none for the console
    assent $1 --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | LC_ALL=C sort
}

version_and_help_answer() {
    version=$(sed -n 's/^#define PACKAGE_STRING "\(.*\)"/\1/p' "$e2e_build/config.h")
    test "$(assent --version)" = "$version"
    test "$(assent -V)" = "$version"
    test "$(echo "$subcommands" | grep -c .)" -ge 7
    for name in $subcommands; do
        assent "$name" --help | head -n 1 | grep -q "^Usage: assent $name "
    done
}

help_fits_80_columns() {
    for name in '' $subcommands; do
        # shellcheck disable=SC2086 # none for the console
        test -z "$(assent $name --help | awk 'length($0) > 80')"
    done
}

mistakes_are_explained() {
    status=0
    assent config --no-such 2>"$e2e_dir/message" || status=$?
    test "$status" = 125
    grep -q 'unknown option --no-such (see assent config --help)' "$e2e_dir/message"
}

# Quoted as a whole it is the name of a program.
one_word_is_no_script() {
    for tool in assess check; do
        assent "$tool" -- 'git status' >"$e2e_dir/out" 2>"$e2e_dir/message"
        grep -qF "assent $tool -- bash -c 'git status'" "$e2e_dir/message"
        assent "$tool" -- git status >"$e2e_dir/out" 2>"$e2e_dir/message"
        test ! -s "$e2e_dir/message"
        assent "$tool" -- bash -c 'git status' >"$e2e_dir/out" 2>"$e2e_dir/message"
        test ! -s "$e2e_dir/message"
    done
}

# The manual's option section of a subcommand, as its source names them.
manual_options() {
    sed -n "/^\\.Ss $1\$/,/^\\.S[sh] /s/^\\.It .*Fl \\\\-\\([a-z-]*\\).*/\\1/p" \
        "$e2e_build/doc/assent.1" | LC_ALL=C sort
}

manual_and_help_agree() {
    for name in $subcommands; do
        test "$(manual_options "assent $name")" = "$(listed_options "$name")"
    done
    test -n "$(manual_options 'The console')"
    test "$(manual_options 'The console')" = "$(listed_options '')"
}

manual_is_well_formed() {
    test_need mandoc
    mandoc -T lint -W warning "$e2e_build/doc/assent.1"
    # A character that was cut in two, or a word.
    LC_ALL=C grep -n '[^ -~]' "$e2e_build/doc/assent.1" && exit 1
    grep -q ' Ar check|test|import|suggest|unused|undo ' "$e2e_build/doc/assent.1"
}

bash_completes() {
    test_need bash
    for name in '' $subcommands; do
        # shellcheck disable=SC2016,SC2086 # for bash; none for the console
        offered=$(bash --norc -c 'source "$1"; shift
            COMP_WORDS=(assent "$@" --); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _assent; printf "%s\n" "${COMPREPLY[@]}"' bash \
            "$e2e_build/data/completions/assent" $name | sed -n 's/^--//p' | grep . | LC_ALL=C sort)
        test "$offered" = "$(listed_options "$name")"
    done
}

fish_completes() {
    test_need fish
    for name in '' $subcommands; do
        offered=$(e2e_run fish --no-config -c "source '$e2e_build/data/completions/assent.fish'
            complete -C 'assent $name --'" | sed -n 's/^--\([a-z-]*\).*/\1/p' | LC_ALL=C sort)
        test "$offered" = "$(listed_options "$name")"
    done
}

zsh_reads_its_completion() {
    test_need zsh
    zsh -n "$e2e_build/data/completions/_assent"
    for name in $subcommands; do
        for option in $(listed_options "$name"); do
            sed -n "/^    $name)/,/;;/p" "$e2e_build/data/completions/_assent" |
                grep -q -e "--${option}[[}]"
        done
    done
}

config_shows_origins() {
    printf 'theme = light\nprofile p {\n  guard_time = 1s\n}\n' >"$e2e_dir/conf/assent/assent.conf"
    chmod 600 "$e2e_dir/conf/assent/assent.conf"
    assent config -p p -c scrollback=500 >"$e2e_dir/shown"
    file=$e2e_dir/conf/assent/assent.conf
    grep -qxF "theme = light # $file:1" "$e2e_dir/shown"
    grep -qxF "guard_time = 1s # profile p, $file:3" "$e2e_dir/shown"
    grep -qxF "scrollback = 500 # command line" "$e2e_dir/shown"
    grep -qxF "approval_policy = on-request # default" "$e2e_dir/shown"
    assent config -p p --json | python3 -c '
import json, sys
values = json.load(sys.stdin)
assert values["guard_time"]["value"] == 1000
assert values["guard_time"]["origin"] == "profile"
assert values["guard_time"]["line"] == 3
assert values["writable_roots"]["value"] == []'
}

# The shipped file says the defaults: with every # of a setting taken away nothing changes.
default_configuration_is_the_default() {
    sed 's/^#\([a-z_]* [={]\)/\1/; /^# A profile/,$d' "$e2e_build/data/assent.conf" \
        >"$e2e_dir/default.conf"
    grep -q '^guard_time = ' "$e2e_dir/default.conf"
    assent config --config "$e2e_dir/default.conf" | sed 's/ # .*//' >"$e2e_dir/from_file"
    rm -f "$e2e_dir/conf/assent/assent.conf"
    assent config | sed 's/ # .*//' >"$e2e_dir/from_table"
    cmp "$e2e_dir/from_file" "$e2e_dir/from_table"
}

test_case version_and_help_answer
test_case help_fits_80_columns
test_case mistakes_are_explained
test_case one_word_is_no_script
test_case manual_and_help_agree
test_case manual_is_well_formed
test_case bash_completes
test_case fish_completes
test_case zsh_reads_its_completion
test_case config_shows_origins
test_case default_configuration_is_the_default
e2e_end
