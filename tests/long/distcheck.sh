#!/bin/sh
# SPDX-License-Identifier: MIT
# The release archive builds from a read-only source, passes its tests, installs and uninstalls.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

the_archive_is_whole() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u srcdir make -s -j2 distcheck >distcheck.log 2>&1 || {
        grep -E '^FAIL|error|Error|cannot' distcheck.log | head -n 40 >&2
        tail -n 20 distcheck.log >&2
        exit 1
    }
}

test_case the_archive_is_whole
test_end
