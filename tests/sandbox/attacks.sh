#!/bin/sh
# SPDX-License-Identifier: MIT
# Ways out of the sandbox, tried. Each attack of attacks.cases is first carried out without the
# sandbox, where it must succeed, then inside, where it must not; the effect is looked for from the
# host, as an ordinary user and as root. With arguments, only the attacks whose titles contain one of
# them; with -v before them, all others; with -t before that, each as one of the two users, in turn:
# so attacks-*.sh, the parts that make check runs.
#
# A case begins with "[title]"; keys, one a line ("  " goes on with the line before):
#   do       what the command does: shell, in the workspace
#   effect   shell, run by the host afterwards: did it happen?
#   setup    run by the host before; host: a process of the host that lasts as long, and makes
#            $T/ready; during: run by the host when the command has made $W/go
#   with     how the command is started, "$@" being it
#   options  of assent sandbox; degraded: also, without user namespaces
#   user     root or op (default both); needs: a condition without which there is nothing to attack
#   open     why the attack is known to succeed: doc/SECURITY.md says so. It must: else the word is stale
# $SIBLING: what starts another command in the sandbox, or nothing without it. "$UNTIL command":
# gives the sandbox up to a minute, until the command succeeds, for what it does of itself.
# $W workspace, $O a directory beside it, $T for marks, $P the program attack, $D its directory,
# $PORT a free port, $HOME is below no temporary directory.
. "${srcdir:-.}/tests/lib.sh"
test_need bash git setpriv timeout

umask 022
base=$(mktemp -d /tmp/attacks.XXXXXX) || exit 1
homes=''
clean_up() {
    [ -n "$as_root" ] || chmod -R u+rwx "$base" "$base".* # of odd modes
    rm -rf "$base" "$base".* ${homes:+"$homes"}
}
trap clean_up EXIT
trap 'exit 1' INT TERM
chmod 755 "$base"
as_root=$([ "$(id -u)" -eq 0 ] && echo yes)

# Deadline of everything that is waited for: a minute, which only a crowded machine needs.
wait_for() {
    end=$(($(date +%s) + 60))
    while [ ! -e "$1" ] && [ "$(date +%s)" -lt $end ]; do
        sleep 0.01
    done
    [ -e "$1" ]
}

as_user() {
    if [ "$user" = op ] && [ -n "$as_root" ]; then
        setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"
    else
        "$@"
    fi
}

in_shell() {
    as_user timeout 100 sh -c "$1" 2>>"$T/log"
}

# Home directories lie where both users come, and not below /tmp, which is the command's own.
user=op
for place in "$PWD" /home /var/lib; do
    homes=$(mktemp -d "$place/attacks.XXXXXX" 2>/dev/null) || continue
    chmod 755 "$homes"
    ! as_user test -x "$homes" || break
    rmdir "$homes"
    homes=''
done
[ -n "$homes" ] || exit 1
mkdir "$homes/bin"
cp assent-sandbox-cli assent-sandbox tests/sandbox/attack tests/sandbox/probe \
    "$srcdir/tests/sandbox/forge_index.sh" "$srcdir/tests/sandbox/forge_split.py" "$homes/bin/" || exit 1
export P="$homes/bin/attack" D="$homes/bin"

# The host's processes take a moment to tell; longer where the effect must come. Sets seen.
look_for_effect() {
    tries=${patience:-2}
    while ! in_shell "$effect" >>"$T/log"; do
        tries=$((tries - 1))
        seen=1
        [ $tries -gt 0 ] || return 0
        sleep 0.05
    done
    seen=0
}

# Sets PORT: one that neither another run of this uses nor anybody else.
ports=/tmp/attacks.ports.$(id -u)
[ -d "$ports" ] || mkdir -m 700 "$ports"
[ -w "$ports" ] || exit 1
find "$ports" -mindepth 1 -mmin +60 -exec rmdir {} + 2>/dev/null
take_port() {
    while :; do
        port=$((port < 29999 ? port + 1 : 20000))
        mkdir "$ports/$port" 2>/dev/null || {
            [ -d "$ports" ] || mkdir -m 700 "$ports" || exit 1 # somebody tidies /tmp up
            continue
        }
        grep -qF "$(printf ':%04X ' $port)" /proc/net/tcp /proc/net/tcp6 /proc/net/udp || break
    done
    export PORT=$port
}

# One try; sets seen. The words are what starts the command.
attempt() {
    count=$((count + 1))
    place=$base.$user$count # what lies beside the workspace is what belongs to it
    export W="$place/w" O="$place/o" T="$place/t" HOME="$homes/$user$count"
    take_port
    eval "set -- $*" # options name places
    SIBLING='' UNTIL=:
    [ "$1" = env ] || SIBLING=$* UNTIL="$D/probe until 60"
    export SIBLING UNTIL
    mkdir -p "$W" "$O" "$T" "$HOME"
    echo original >"$O/file"
    [ "$user" = root ] || chown -R 65534:65534 "$place" "$HOME" 2>/dev/null
    cd "$W" || exit 1
    in_shell "$setup" >>"$T/log" || echo "setup failed" >>"$T/log"
    host_pid=''
    if [ -n "$host" ]; then
        as_user timeout 200 sh -c "$host" >>"$T/log" 2>&1 &
        host_pid=$!
        wait_for "$T/ready" || echo "the host's process is not ready" >>"$T/log"
    fi
    if [ -n "$during" ]; then
        (wait_for "$W/go" && in_shell "$during" >>"$T/log") &
        during_pid=$!
    fi
    as_user timeout 100 sh -c "${with:-exec \"\$@\"}" sh "$@" sh -c "$do" \
        </dev/null >"$T/out" 2>>"$T/log"
    [ -z "$during" ] || wait "$during_pid"
    look_for_effect
    if [ -n "$host_pid" ]; then
        pkill -P "$host_pid" 2>/dev/null # timeout, which ends all that it has started
        kill "$host_pid" 2>/dev/null
        wait "$host_pid" 2>/dev/null
    fi
    cd "$base" || exit 1
    rmdir "$ports/$PORT"
}

verdict() {
    printf '[%12s ] %s (%s%s)\n' "$1" "$title" "$user" "$2"
    case $1 in
    FAILED*)
        echo "$title ($user$2)" >>"$base/failed.$user"
        sed 's/^/    /' "$T/log"
        ;;
    OK) echo >>"$base/passed.$user" ;;
    *) echo >>"$base/other.$user" ;;
    esac
}

# The words are further options.
judge() {
    [ -z "$open" ] || patience=400
    # shellcheck disable=SC2086
    attempt "$D/assent-sandbox-cli" $options "$@" --
    patience=''
    ran=$(grep '^assent-sandbox: \|^assent sandbox: ' "$T/log" | grep -vc 'monitor of the command was killed\|: alarm: ')
    if [ "$ran" -ne 0 ]; then
        verdict "FAILED start" " $*"
    elif [ -n "$open" ] && [ "$seen" -eq 0 ]; then
        verdict 'known open' " $*"
    elif [ -n "$open" ]; then
        verdict 'FAILED stale' " $*"
    elif [ "$seen" -eq 0 ]; then
        verdict 'FAILED out' " $*"
    else
        verdict OK " $*"
    fi
}

is_wanted() {
    [ -n "$wanted" ] || return 0
    found=''
    for word in $wanted; do case $title in *"$word"*) found=yes ;; esac; done
    [ "$found" = "$find" ]
}

# Both count the same.
is_its_turn() {
    [ -n "$in_turn" ] && [ -z "$only_user" ] || return 0
    turn=$([ "$turn" = op ] && echo root || echo op)
    [ "$turn" = "$user" ]
}

try_case() {
    [ -n "$do" ] || return 0
    [ -z "$only_user" ] || [ "$only_user" = "$user" ] || return 0
    is_wanted && is_its_turn || return 0
    if [ -n "$needs" ] && ! sh -c "$needs" >/dev/null 2>&1; then
        verdict 'nothing here' ''
        return
    fi
    if [ -n "$prove" ]; then
        patience=400
        attempt env
        patience=''
        if [ $seen -ne 0 ]; then
            verdict 'FAILED proof' ''
            return
        fi
    fi
    judge
    if [ -n "$degraded" ] && { [ "$user" = op ] || [ -z "$as_root" ] || [ -n "$only_user$in_turn" ]; }; then
        judge --no-userns --allow-degraded
    fi
}

forget_case() {
    do='' effect='' setup='' host='' during='' with='' options='' only_user='' needs='' open=''
    degraded='' key=''
}

take_line() {
    case $1 in
    '' | '#'*) ;;
    '['*)
        try_case
        forget_case
        title=${1#\[}
        title=${title%\]}
        ;;
    '  '*) eval "$key=\"\$$key
\${1}\"" ;;
    *)
        key=${1%%:*}
        # shellcheck disable=SC2034 # for the eval below
        value=${1#*:}
        [ "$key" != user ] || key=only_user
        eval "$key=\${value# }"
        ;;
    esac
}

try_all() {
    user=$1
    count=0
    turn=''
    forget_case
    while IFS= read -r line; do
        take_line "$line"
    done <"$cases"
    try_case
}

cases=$(cd "$srcdir" && pwd)/tests/sandbox/attacks.cases
find=yes
in_turn=''
[ "${1-}" != -t ] || {
    in_turn=$as_root
    shift
}
[ "${1-}" != -v ] || {
    find=''
    shift
}
wanted=$*
port=$((20000 + $$ % 10000))
# The helper is the same in the build with sanitizers: there one user shows what starts it, and that
# an attack works without the sandbox is not shown again.
prove=yes
! test_sanitized || prove=''
[ -n "$prove" ] || in_turn=''
if [ -n "$as_root" ] && [ -n "$prove" ]; then
    try_all op >"$base/op.log" &
    try_all root
    wait
    cat "$base/op.log"
else
    try_all op
fi
cat "$base"/passed.* 2>/dev/null | wc -l | sed 's/$/ attacks closed/'
cat "$base"/other.* 2>/dev/null | wc -l | sed 's/$/ known open, or nothing here to attack/'
if [ -e "$base/failed.op" ] || [ -e "$base/failed.root" ]; then
    echo "FAILED:"
    cat "$base"/failed.*
    exit 1
fi
