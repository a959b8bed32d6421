#!/bin/sh
# SPDX-License-Identifier: MIT
# The sources keep the rules of the house: format, licence line, layers, words.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need clang-format
cd "$srcdir" || exit 1
srcdir=.

every_c_file_is_formatted() {
    test_sources '*.[ch]' | xargs clang-format --dry-run -Werror
}

every_file_names_its_licence() {
    missing=$(test_sources '*.[ch]' '*.sh' '*.py' '*.mk' |
        xargs grep -L 'SPDX-License-Identifier: MIT')
    [ -z "$missing" ] || test_fail "no SPDX line: $missing"
}

# only_in HEADER-PATTERN PLACE-PATTERN: files that include it but must not.
only_in() {
    wrong=$(test_sources '*.[ch]' | grep -v '^tests/' |
        xargs grep -lE "^ *# *include *[<\"]($1)" | grep -vE "^($2)" || true)
    [ -z "$wrong" ] || test_fail "$1 is included in: $wrong"
}

libraries_are_met_in_one_place() {
    only_in 'n?curses[w/.]|term\.h' 'ui/[^/]*$'
    only_in 'vterm' 'ui/term/vt\.c$'
    only_in 'event2?[/.]' 'src/base/loop\.c$'
    only_in 'nettle/' 'src/base/sha256\.c$'
    only_in 'curl/' 'src/network/http\.c$'
    only_in 'seccomp\.h' 'sandbox/seccomp\.c$'
    only_in 'confuse\.h' 'src/config/config_file\.c$'
}

# Each folder may include those above it in this list and itself.
dependencies_go_one_way() {
    only_in 'sandbox/' 'sandbox/|src/(command|risk|run|approval|record|config|agents)/|src/[^/]*$|ui/'
    only_in 'command/' 'src/(command|risk|approval|record|agents)/|src/[^/]*$|ui/'
    only_in 'risk/' 'src/(risk|approval|record|agents)/|src/[^/]*$|ui/'
    only_in 'run/' 'src/(run|approval|record|agents)/|src/[^/]*$|ui/'
    only_in 'approval/' 'src/(approval|record|agents)/|src/[^/]*$|ui/'
    # The network stands on base alone; http.h serves what asks a model, and what sends counts.
    only_in 'network/' 'src/network/|src/risk/model\.c|src/record/telemetry\.c|src/[^/]*$'
    only_in 'record/' 'src/(record|agents)/|src/[^/]*$|ui/'
    only_in 'config/' 'src/(config|agents)/|src/[^/]*$|ui/'
    only_in 'agents/' 'src/agents/|src/[^/]*$'
    only_in 'ui/' 'ui/|src/[^/]*$'
}

# A file that is missing here is not translated; one too many breaks the build.
every_translating_file_is_listed() {
    listed=$(sed '/^#/d; /^$/d' po/POTFILES.in | LC_ALL=C sort)
    using=$({
        test_sources '*.c' | grep -v '^tests/' | xargs grep -lE '\b(_|N_|P_)\("'
        test_sources '*.h' | grep -v '^tests/' | xargs grep -lE '^#define.* N_\("'
    } | LC_ALL=C sort)
    [ "$listed" = "$using" ] || {
        printf 'po/POTFILES.in should list:\n%s\n' "$using" >&2
        exit 1
    }
}

# Each library of configure.ac is in the list that ./bootstrap installs from, for each manager.
bootstrap_knows_every_library() {
    libraries=$(sed -n 's/^ *\[\{0,1\}ASSENT_REQUIRE(\[[A-Z]*\], \[\([a-z_]*\).*/\1/p' configure.ac)
    for library in $libraries; do
        grep -q "|\(linux-\)\{0,1\}lib:$library|" bootstrap || test_fail "bootstrap lacks $library"
    done
    for manager in apt dnf pacman apk zypper brew; do
        count=$(sh ./bootstrap packages "$manager" | wc -w)
        [ "$count" -ge 20 ] || test_fail "bootstrap packages $manager: only $count names"
    done
    if sh ./bootstrap packages nonesuch 2>/dev/null; then
        exit 1
    fi
}

# A build that says no last word is not known to be over. Nothing is built here: make does nothing.
bootstrap_ends_with_what_to_run() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    mkdir -p "$scratch/bin" "$scratch/build" "$scratch/po"
    cp "$srcdir/bootstrap" "$scratch"
    for name in bin/make bin/autoreconf configure; do
        printf '#!/bin/sh\n' >"$scratch/$name"
        chmod +x "$scratch/$name"
    done
    cksum <"$scratch/bootstrap" >"$scratch/build/.packages-build"
    PATH=$scratch/bin:$PATH sh "$scratch/bootstrap" build | tail -n 1 >"$scratch/last"
    grep -q '^bootstrap: done: build/assent ' "$scratch/last"
}

no_work_is_left_for_later() {
    words='TO''DO|FIX''ME|X''XX|HA''CK'
    found=$(test_sources '*.[ch]' '*.sh' '*.py' | xargs grep -nE "\\b($words)\\b" || true)
    [ -z "$found" ] || test_fail "$found"
}

# The schema of the record is held against every event of the whole test run: each script that has
# consoles ends with that check, and none throws a record away before it.
every_record_is_checked() {
    for script in $(cd "$srcdir" && grep -l '^e2e_begin$' tests/*/*.sh); do
        grep -q '^e2e_end' "$srcdir/$script" || test_fail "$script does not end with e2e_end"
        if grep -n 'rm -[rf]* .*state/assent' "$srcdir/$script"; then
            test_fail "$script throws a record away (record_forget checks it first)"
        fi
    done
}

test_case every_record_is_checked
test_case every_c_file_is_formatted
test_case every_file_names_its_licence
test_case libraries_are_met_in_one_place
test_case dependencies_go_one_way
test_case every_translating_file_is_listed
test_case bootstrap_knows_every_library
test_case bootstrap_ends_with_what_to_run
test_case no_work_is_left_for_later
test_end
