#!/bin/sh
# SPDX-License-Identifier: MIT
# A minimal Debian that has nothing but the system, a git clone in it, and .ci/run there: shows that
# ./bootstrap installs all that is needed. Takes the package sources of this machine; needs root.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need mmdebstrap git unshare
[ "$(id -u)" -eq 0 ] || { echo 'this needs root'; [ -z "${MUST_WORK-}" ] || exit 1; exit 77; }

top=$(cd "$srcdir" && pwd)
scratch=$(mktemp -d "$PWD/fresh.XXXXXX") || exit 1
root=$scratch/root
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# What tells this machine's package managers where to fetch from.
copy_sources() {
    mkdir -p "$scratch/sources"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$file" ] || cp "$file" "$scratch/sources/"
    done
    for file in /etc/apt/apt.conf.d/*; do
        case $file in
        *docker* | */70debconf | */01autoremove*) ;;
        *) [ ! -e "$file" ] || cat "$file" ;;
        esac
    done >"$scratch/apt.conf"
}

a_minimal_system_is_made() {
    copy_sources
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mmdebstrap --quiet --variant=minbase --include=ca-certificates,git --aptopt="$scratch/apt.conf" \
        "$codename" "$root" "$scratch"/sources/*
    for tool in cc make tmux node; do
        if chroot "$root" sh -c "command -v $tool"; then
            test_fail "$tool is in the minimal system already"
        fi
    done
    cp "$scratch/apt.conf" "$root/etc/apt/apt.conf.d/90host"
    # Whom this machine trusts for its registries.
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    for file in "$HOME/.npmrc" /etc/resolv.conf; do
        [ ! -e "$file" ] || cp -L "$file" "$root/${file#"${file%/*}"/}"
    done
    mkdir -p "$root/etc" "$root/root"
    [ ! -e "$root/resolv.conf" ] || mv "$root/resolv.conf" "$root/etc/resolv.conf"
    [ ! -e "$root/.npmrc" ] || mv "$root/.npmrc" "$root/root/.npmrc"
    printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
    git -c safe.directory='*' clone -q "$top" "$root/root/assent"
}

# A root of its own and not only chroot(2): user namespaces are refused in a chroot.
inside() {
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --pid --fork --kill-child --propagation private sh -euc '
        cd "$1"
        shift
        mount --bind . .
        cd "$PWD"
        mount --rbind /dev dev
        mount -t proc proc proc
        mount --rbind /sys sys
        mount -t tmpfs tmpfs run
        pivot_root . mnt
        umount -l /mnt
        cd /root/assent
        exec "$@"' sh "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@" </dev/null
}

all_tests_pass_there() {
    inside ./.ci/run >"$scratch/output" 2>&1 || {
        tail -n 100 "$scratch/output" >&2
        exit 1
    }
    grep '^bootstrap: ' "$scratch/output"
    tail -n 1 "$scratch/output" | grep -qx '\[  PASSED  \] [0-9]* test(s)\.'
}

the_demo_runs_without_a_terminal() {
    inside ./bootstrap run >"$scratch/output" 2>&1 || {
        tail -n 100 "$scratch/output" >&2
        exit 1
    }
    cat "$scratch/output"
    grep -q '^c2 approved (config), asked by .*: git status --short$' "$scratch/output"
    grep -q '^c9 refused: did not run, its client ends with status 77$' "$scratch/output"
    # It must not pay for what only tests need.
    if chroot "$root" sh -c 'command -v tmux || command -v clang'; then
        exit 1
    fi
}

test_case a_minimal_system_is_made
test_case the_demo_runs_without_a_terminal
test_case all_tests_pass_there
test_end
