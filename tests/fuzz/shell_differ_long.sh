#!/bin/sh
# SPDX-License-Identifier: MIT
# Real shells against the parser, for long: DIFFER_COUNT scripts (default 200000), by chance;
# DIFFER_SEED repeats a run.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need bash dash
seed=${DIFFER_SEED-$(date +%s)}

scripts_run_as_read() {
    echo "seed $seed"
    tests/fuzz/shell_differ --seed "$seed" --count "${DIFFER_COUNT-200000}" tests/fuzz/shell_stub
}

test_case scripts_run_as_read
test_end
