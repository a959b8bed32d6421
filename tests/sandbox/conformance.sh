#!/bin/sh
# SPDX-License-Identifier: MIT
# The conformance suite as whoever runs this, and when that is root as an ordinary user too; with
# the argument "all" in every configuration: without namespaces, with each older Landlock.
. "${srcdir:-.}/tests/lib.sh"

suite() {
    tests/sandbox/conformance "$@" . "$srcdir"/tests/sandbox/cases/*.cases
}

as_ordinary_user() { suite -u op; }
as_root() { suite -u root; }
without_namespaces() { suite -u op -d; }
with_older_landlock() {
    for abi in 1 2 3 4 5 6; do suite -u op -a "$abi"; done
}
older_landlock_alone() {
    for abi in 1 2 3 4 5 6; do suite -u op -d -a "$abi"; done
}

if [ "${1-}" = all ]; then
    test_case with_older_landlock
    test_case older_landlock_alone
    test_end
fi
test_case as_ordinary_user
test_case without_namespaces
if [ "$(id -u)" = 0 ]; then
    test_case as_root
fi
test_end
