#!/bin/sh
# SPDX-License-Identifier: MIT
# A log of a million lines opens at once when there is an index, and without one the console's loop
# never stands still for long.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

a_million_lines_open_at_once() {
    tests/bench/bench_log
}

test_case a_million_lines_open_at_once
test_end
