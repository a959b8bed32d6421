#!/bin/sh
# SPDX-License-Identifier: MIT
# A console with twenty agents and a hasty operator, for half an hour: floods, resizes, kills, a
# terminal that stalls, everything frozen and let go. SOAK_SECONDS and SOAK_SEED say how long, and
# what happens.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

seconds=${SOAK_SECONDS:-1800}
seed=${SOAK_SEED:-$(date +%s)}

# What the agents' commands show: colours, wide characters, and what paints all over a terminal.
materials() {
    mkdir "$e2e_work/marks" "$e2e_work/scratch" "$e2e_dir/outside"
    echo seed >"$e2e_work/seed"
    for line in $(seq 300); do
        printf '\033[3%dmline %d\033[0m of many \033[1;4mwords\033[0m\n' $((line % 8)) "$line"
    done >"$e2e_work/coloured"
    for line in $(seq 300); do
        printf '漢字かな %d Größe e\314\201 中文字符\n' "$line"
    done >"$e2e_work/wide"
    for line in $(seq 300); do
        printf '\033[%d;%dH\033[4%dm%d\033[m\033[K\033[2;10r\033[L\033[P\033[%dX\033[r' $((line % 30 + 1)) \
            $((line % 90 + 1)) $((line % 8)) "$line" $((line % 9))
    done >"$e2e_work/painted"
}

soaks() {
    materials
    echo "seed $seed, $seconds s"
    e2e_run "$e2e_build/tests/long/soak/soak" "$seconds" "$seed" "$e2e_build/assent" "$e2e_work" \
        "$e2e_dir/outside" "$e2e_dir/state/assent/sessions" "$e2e_dir/tmp" || {
        # What went wrong can be looked up.
        cp "$e2e_dir/state/assent/sessions"/*.jsonl "$e2e_build/soak-failed.jsonl"
        cp "$e2e_dir/tmp/tape" "$e2e_build/soak-failed.tape"
        exit 1
    }
}

leaves_nothing() {
    all_ended
    test -z "$(find "$e2e_dir/run" -type s)"
}

record_verifies() {
    assent log verify
}

test_case soaks
test_case leaves_nothing
test_case record_verifies
e2e_end
