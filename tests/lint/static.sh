#!/bin/sh
# SPDX-License-Identifier: MIT
# Static analysis: cppcheck over the C files, shellcheck over the scripts.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need cppcheck shellcheck
build=$PWD
cd "$srcdir" || exit 1
srcdir=.

cppcheck_finds_nothing() {
    test_sources '*.c' | grep -v '^tests/' |
        xargs cppcheck --quiet --error-exitcode=1 --inline-suppr -j2 \
            --enable=warning,performance,portability --std=c11 --library=tests/lint/cppcheck.cfg \
            --suppress=missingIncludeSystem --suppress=unmatchedSuppression \
            -D__linux__=1 -DENABLE_NLS=1 -I src -I . -I "$build"
}

shell_scripts() {
    printf '%s\n' bootstrap .ci/run
    test_sources '*.sh'
    find data -type f -exec grep -l '^#!/bin/sh' {} +
}

# SC2317 takes the functions that test_case calls for unreachable; SC1003 takes tmux's key C-\ for
# an unclosed quote.
shellcheck_finds_nothing() {
    shell_scripts | xargs shellcheck --external-sources --source-path=. --exclude=SC1003,SC2317
}

test_case cppcheck_finds_nothing
test_case shellcheck_finds_nothing
test_end
