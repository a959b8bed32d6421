#!/bin/sh
# SPDX-License-Identifier: MIT
# The generated profiles for macOS read by a reader of Scheme, which is what they are written in:
# every form is a rule of a known shape, every filter is applied to strings, and no name out of a
# policy has become a rule.
. "${srcdir:-.}/tests/lib.sh"
test_need guile

profiles_are_well_formed() {
    tests/unit/test_sandbox_seatbelt print >seatbelt-profiles
    guile --no-auto-compile "$srcdir/tests/sandbox/seatbelt.scm" seatbelt-profiles
    rm -f seatbelt-profiles
}

# The reader notices when something is wrong.
broken_profiles_are_not() {
    for text in '(allow default)' '(allow file-read* (subpath "/x")' '(allow file-raed*)' \
        '(deny file-write* (literal (param P0)))' '(allow mach-lookup "x")'; do
        printf ';; profile\n(version 1)\n(deny default)\n%s\n' "$text" >seatbelt-broken
        if guile --no-auto-compile "$srcdir/tests/sandbox/seatbelt.scm" seatbelt-broken \
            >/dev/null 2>&1; then
            test_fail "taken for a profile: $text"
        fi
    done
    rm -f seatbelt-broken
}

test_case profiles_are_well_formed
test_case broken_profiles_are_not
test_end
