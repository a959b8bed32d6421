#!/bin/sh
# SPDX-License-Identifier: MIT
# A hundred thousand connections leave nothing behind in the proxy, and it is about as fast as an
# ordinary one.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need tinyproxy

nothing_leaks_and_downloads_are_fast() {
    tests/bench/bench_proxy -c 100000
}

test_case nothing_leaks_and_downloads_are_fast
test_end
