#!/bin/sh
# SPDX-License-Identifier: MIT
# Real shells against the parser: always the same few hundred scripts, and those of the corpus.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need bash dash

generated_scripts_run_as_read() {
    scripts=400
    ! test_sanitized || scripts=100
    tests/fuzz/shell_differ --seed 1 --count "$scripts" tests/fuzz/shell_stub
}

corpus_scripts_run_as_read() {
    scratch=$(mktemp)
    for file in "$srcdir"/tests/fuzz/corpus/shell/*; do
        cat "$file"
        printf '\0'
    done >"$scratch"
    tests/fuzz/shell_differ --seed 2 --count 2 --scripts "$scratch" tests/fuzz/shell_stub
    rm "$scratch"
}

test_case generated_scripts_run_as_read
test_case corpus_scripts_run_as_read
test_end
