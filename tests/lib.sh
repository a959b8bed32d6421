# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What every test script uses: test cases reported as cmocka reports them, required tools.
#
#   . "$srcdir/tests/lib.sh"
#   files_are_formatted() { … }            (fails when a command of it fails)
#   test_case files_are_formatted
#   test_end
#
# make check runs scripts in the top build directory, with $srcdir.

srcdir=${srcdir:-.}
test_passed=0
test_failed=''
test_skipped=''

# Without the tool the script is skipped, unless MUST_WORK says that nothing may be.
test_need() {
    for tool; do
        command -v "$tool" >/dev/null && continue
        echo "$0: $tool is missing"
        [ -z "${MUST_WORK-}" ] || exit 1
        exit 77
    done
}

# Is this the build with sanitizers? Everything takes several times as long there; what only repeats
# the same code more often is left to the other.
test_sanitized() {
    grep -q 'S\["SANITIZERS_TRUE"\]=""' config.status
}

# What a failed test case left must not fail the next one; a library may have its own.
test_after_failure() {
    :
}

# Runs a function in a subshell that ends at the first command that fails.
test_case() {
    printf '[ RUN      ] %s\n' "$1"
    # The subshell must not be part of a condition: that would turn off its -e.
    set +e
    (
        set -eu
        "$1"
    )
    test_status=$?
    if [ "$test_status" -eq 0 ]; then
        printf '[       OK ] %s\n' "$1"
        test_passed=$((test_passed + 1))
    else
        printf '[  FAILED  ] %s\n' "$1"
        test_failed="$test_failed $1"
        test_after_failure
    fi
}

# test_case_with TOOL CONDITION CASE: a test case that needs what is no command by itself. Where the
# condition does not hold it is skipped and says so; with MUST_WORK it fails.
test_case_with() {
    if "$2" >/dev/null 2>&1; then
        test_case "$3"
    elif [ -n "${MUST_WORK-}" ]; then
        printf '%s is missing\n[  FAILED  ] %s\n' "$1" "$3"
        test_failed="$test_failed $3"
    else
        test_leave_out "$1 is missing" "$3"
    fi
}

# test_leave_out WHY CASE: skipped also with MUST_WORK, for what not every system can have.
test_leave_out() {
    printf '[  SKIPPED ] %s: %s\n' "$2" "$1"
    test_skipped="$test_skipped $2"
}

# Says why and fails; for use inside a test case.
test_fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

test_end() {
    printf '[  PASSED  ] %d test(s).\n' "$test_passed"
    [ -z "$test_skipped" ] || printf '[  SKIPPED ] listed above:%s\n' "$test_skipped"
    [ -n "$test_failed" ] || exit 0
    for name in $test_failed; do
        printf '[  FAILED  ] %s\n' "$name"
    done
    exit 1
}

# Source files of ours: sources NAME-PATTERN…, below $srcdir, sorted.
test_sources() {
    for pattern; do
        (cd "$srcdir" && find src sandbox ui tests data po doc -name "$pattern" -type f)
    done | LC_ALL=C sort
}
