#!/bin/sh
# SPDX-License-Identifier: MIT
# The core of the conformance suite as whoever runs this, and when that is root as an ordinary user
# too (with sanitizers only as that, and with both layers). With the argument "all" everything in
# every configuration: each mode, without namespaces, with each older Landlock (all but the first of
# them only the core), as both.
. "${srcdir:-.}/tests/lib.sh"

proofs=$(mktemp -d)
trap 'rm -rf "$proofs"' EXIT
suite() {
    tests/sandbox/conformance -p "$proofs" -j "${CONFORMANCE_JOBS:-4}" "$@" . "$srcdir"/tests/sandbox/cases/*.cases
}

# As both; "root" is whoever this is, when it is not root.
each_user() {
    status=0
    suite -u op "$@" || status=1
    [ "$(id -u)" != 0 ] || suite -u root "$@" || status=1
    return "$status"
}

both_layers() { each_user -c; }
with_both_layers() { suite -u op -c; }
without_namespaces() { suite -u op -d -c; }
read_only() { suite -u op -m read-only -c; }

all_of_both_layers() { each_user; }
all_without_namespaces() { each_user -d; }
all_read_only() {
    each_user -m read-only
    each_user -m read-only -d
}
nothing_confined() {
    each_user -m danger-full-access
    each_user -m external-sandbox
}
older_landlock() {
    each_user -a 1
    for abi in 2 3 4 5 6; do each_user -c -a "$abi"; done
}
older_landlock_alone() {
    each_user -d -a 1
    for abi in 2 3 4 5 6; do each_user -c -d -a "$abi"; done
}

if [ "${1-}" = all ]; then
    test_case all_of_both_layers
    test_case all_without_namespaces
    test_case all_read_only
    test_case nothing_confined
    test_case older_landlock
    test_case older_landlock_alone
elif test_sanitized; then
    test_case with_both_layers
else
    test_case both_layers
    test_case without_namespaces
    test_case read_only
fi
test_end
