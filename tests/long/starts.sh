#!/bin/sh
# SPDX-License-Identifier: MIT
# Thousands of starts of the sandbox in one root, several at a time, some of them killed, while the
# host makes and removes what is protected there: no start fails, nothing that is protected is
# written, and nothing stray is left.
. "${srcdir:-.}/tests/lib.sh"
test_need git setsid

STARTS=${STARTS:-4000} # by all of them
WORKERS=4 # who start side by side

place=$(mktemp -d "$PWD/starts.XXXXXX") || exit 1
trap 'rm -rf "$place"' EXIT
trap 'exit 1' HUP INT TERM
program=$PWD/assent-sandbox-cli
export HOME="$place/home"
root=$place/root
mkdir "$HOME" "$root" "$root/.vscode"
git -c init.defaultBranch=main init -q "$root"
rm -r "$root/.git/hooks"

# What each command does: its work, and what must not be. Not what the host takes away: whoever is
# quicker than the watch gets an alarm, and other tests look for that.
# shellcheck disable=SC2016 # for the inner shell
ATTEMPT='echo work >"work.$1" && cat "work.$1" >/dev/null && rm "work.$1" || exit 3
for name in .git/config .git/config.worktree .git/hooks/pre-commit .claude/settings.json \
    .codex/config.toml .vscode/tasks.json .idea/x.xml .envrc; do
    (echo attack >>"$name" || mkdir -p "${name%/*}" && echo attack >>"$name") 2>/dev/null
done
exit 7'

# A random number below $1.
below() {
    echo $(($(od -An -N2 -tu2 /dev/urandom) % $1))
}

# Starts one after the other; each seventh is killed at a random moment.
starts() {
    cd "$root" || exit 1
    number=0
    while [ "$number" -lt $((STARTS / WORKERS)) ]; do
        number=$((number + 1))
        if [ $((number % 7)) -ne 0 ]; then
            status=0
            "$program" -- sh -c "$ATTEMPT" sh "$1.$number" 2>>"$place/said.$1" || status=$?
            [ "$status" -eq 7 ] || echo "start $number of $1: exit status $status" >>"$place/failed"
            continue
        fi
        setsid "$program" -- sh -c "$ATTEMPT" sh "killed" 2>/dev/null &
        sleep "0.00$(below 10)$(below 10)"
        kill -KILL $! 2>/dev/null || :
        wait $! 2>/dev/null || :
    done
    : >"$place/done.$1"
}

# The host's own doings: git's configuration, an editor's settings, a file that an agent obeys.
host() {
    cd "$root" || exit 1
    turn=0
    until [ -e "$place/done.1" ] && [ -e "$place/done.2" ] && [ -e "$place/done.3" ] &&
        [ -e "$place/done.4" ]; do
        turn=$((turn + 1))
        git config user.name "turn$turn" 2>>"$place/said.host" || :
        echo "{}" >"$place/new"
        mv -f "$place/new" .mcp.json
        sleep 0.02
        rm -f .mcp.json .vscode/tasks.json
        echo "{}" >.vscode/tasks.json
        sleep 0.2
    done
    rm -f .mcp.json .vscode/tasks.json
}

# What is there but should not be, by name.
strays() {
    (cd "$root" && find . -path ./.git/objects -prune -o -path ./.git/refs -prune -o -print |
        grep -vE '^\.$|^\./\.git(/(HEAD|config|description|info|info/exclude|branches|config\.set-aside))?$|^\./\.vscode$|^\./work\.killed$')
    find "/dev/shm/assent-$(id -u)" -name "*-$(printf '%x' "$(stat -c '%i' "$root")")" 2>/dev/null
}

thousands_of_starts_leave_nothing() {
    host &
    host_pid=$!
    for worker in $(seq "$WORKERS"); do
        starts "$worker" &
    done
    wait
    kill "$host_pid" 2>/dev/null || :
    if [ -e "$place/failed" ]; then
        sort "$place"/said.* | uniq -c | sort -rn | head -n 20
        head -n 20 "$place/failed"
        exit 1
    fi
    # The next start clears up what the last of the killed may have left.
    (cd "$root" && "$program" -- true)
    if grep -rl --exclude=config.set-aside attack "$root"; then
        test_fail 'a protected file was written'
    fi
    left=$(strays || :)
    [ -z "$left" ] || test_fail "left behind: $left"
}

test_case thousands_of_starts_leave_nothing
test_end
