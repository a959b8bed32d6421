#!/bin/sh
# SPDX-License-Identifier: MIT
# The profile that make install brings for AppArmor names the programs where they are installed,
# and is read by a parser that knows what it says.
. "${srcdir:-.}/tests/lib.sh"

profile=data/apparmor/assent

names_the_programs() {
    directory=$(sed -n 's|^profile assent \(.*\)/assent-{.*} flags=(unconfined) {$|\1|p' "$profile")
    case $directory in
    /*/assent) ;;
    *) test_fail "no place of the programs: $directory" ;;
    esac
    grep -q '^profile assent-launcher /.*/assent flags=(unconfined) {$' "$profile"
    [ "$(grep -c '^  userns,$' "$profile")" = 2 ]
    for program in console exec sandbox sandbox-explain tool; do
        [ -x "assent-$program" ] || test_fail "assent-$program is not built"
        grep -q "[{,]${program}[,}].* flags" "$profile" || test_fail "assent-$program is not named"
    done
}

can_be_parsed() {
    command -v apparmor_parser >/dev/null && [ -e /etc/apparmor.d/abi/4.0 ] || return 0
    apparmor_parser --skip-kernel-load --skip-cache "$profile"
}

test_case names_the_programs
test_case can_be_parsed
test_end
