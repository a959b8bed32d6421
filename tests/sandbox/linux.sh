#!/bin/sh
# SPDX-License-Identifier: MIT
# The few things that every sandbox for agents is first asked for, by the tools that agents use.
# Nothing of it is skipped: where a tool is missing, its refusal would show nothing.
. "${srcdir:-.}/tests/lib.sh"

test_need git python3 bash curl wget ping nc ssh getent timeout
[ "$(uname -s)" = Linux ] || exit 77

directory=$(mktemp -d "${CONFORMANCE_BASE:-$PWD}/sandbox-linux-XXXXXX")
mkdir "$directory/workspace" "$directory/outside"
server=''
end() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$directory"
}
trap end EXIT

# sandbox OPTION… -- COMMAND…, started in the workspace.
sandbox() {
    program=$PWD/assent-sandbox-cli
    (cd "$directory/workspace" && exec "$program" "$@")
}

must_fail() {
    if "$@" >"$directory/output" 2>&1; then
        test_fail "went through: $* $(cat "$directory/output")"
    else
        status=$?
        # 125: the sandbox itself; 127: no such program. A program that would gain capabilities by
        # being executed (ping) is not executed at all: 126.
        case $status in
        125 | 127) test_fail "status $status: $* $(cat "$directory/output")" ;;
        esac
    fi
}

root_is_read() {
    sandbox --mode read-only -- ls -l /bin >"$directory/output"
    [ -s "$directory/output" ]
    sandbox -- ls -l /etc /usr >"$directory/output"
    [ -s "$directory/output" ]
}

root_is_not_written() {
    file=$directory/outside/file
    must_fail sandbox --mode read-only -- sh -c "echo blah > $file"
    must_fail sandbox -- sh -c "echo blah > $file"
    [ ! -e "$file" ]
    sh -c "echo blah > $file"
    must_fail sandbox -- sh -c "echo more >> $file"
    [ "$(cat "$file")" = blah ]
}

dev_null_is_written() {
    sandbox --mode read-only -- sh -c 'echo blah > /dev/null'
    sandbox -- sh -c 'echo blah > /dev/null'
}

# A directory of the host that a connection hands over is judged where it lies: the command's own
# /tmp, /dev and /proc are writable or readable, the host's are not, by whatever descriptor.
received_directories() {
    host=$(mktemp -d /tmp/sandbox-linux-host-XXXXXX)
    echo secret >"$host/file"
    status=0
    python3 - "$host" "$PWD/assent-sandbox-cli" "$directory/workspace" <<'PYTHON' || status=$?
import array, os, socket, subprocess, sys
host, program, workspace = sys.argv[1:]
INSIDE = """
import array, os, socket
space = socket.CMSG_SPACE(64)
received = array.array('i', socket.socket(fileno=0).recvmsg(1, space)[1][0][2])
for directory, name in zip(received, ('file', 'null', 'version', 'passwd')):
    try:
        os.open(name, os.O_RDONLY, dir_fd=directory)
        print(name)
    except PermissionError:
        pass
"""
def opened(*command):
    ours, theirs = socket.socketpair()
    running = subprocess.Popen([*command, 'python3', '-c', INSIDE], stdin=theirs, cwd=workspace,
                               stdout=subprocess.PIPE, text=True)
    given = [os.open(path, os.O_RDONLY) for path in (host, '/dev', '/proc', '/etc')]
    rights = array.array('i', given)
    ours.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    return running.communicate()[0].split()
outside, inside = opened('env'), [opened(program, *options, '--')
                                 for options in [()] + [('--network',)] * 5]
print(outside, *inside)
sys.exit(outside != ['file', 'null', 'version', 'passwd'] or
         any(names != ['passwd'] for names in inside))
PYTHON
    rm -rf "$host"
    [ "$status" -eq 0 ]
}

# A connection that nobody reads from keeps nobody from ending the command; slow readers get all.
output_that_is_not_read() {
    status=0
    python3 - "$PWD/assent-sandbox-cli" "$directory/workspace" <<'PYTHON' || status=$?
import signal, socket, subprocess, sys, time
program, workspace = sys.argv[1:]
ALIVE = 'yes & i=0; while :; do echo $i >alive; i=$((i + 1)); sleep 0.05; done'
def started(script):
    listener = socket.create_server(('127.0.0.1', 0))
    ours = socket.create_connection(listener.getsockname())
    running = subprocess.Popen([program, '--', 'sh', '-c', script], stdout=ours, cwd=workspace)
    return running, listener.accept()[0]
def seen():
    try:
        return open(workspace + '/alive').read()
    except FileNotFoundError:
        return ''
def wait_until(condition):
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()
def stands_still():
    before = seen()
    time.sleep(1)
    return seen() == before
slow, reader = started('head -c 8000000 /dev/zero; exit 3')
time.sleep(0.5)
count = 0
while count < 8000000 and (got := reader.recv(65536)):
    count += len(got)
assert (count, slow.wait(60)) == (8000000, 3), 'all that is written is read'
for number in signal.SIGTERM, signal.SIGKILL:
    stuck, reader = started(ALIVE)
    before = seen()
    assert wait_until(lambda: seen() not in ('', before)), 'the command runs'
    time.sleep(2) # the connection is full
    stuck.send_signal(number)
    stuck.wait(60)
    assert wait_until(stands_still), 'nothing of it is left'
PYTHON
    [ "$status" -eq 0 ]
}

# A connection that waits for its server is waited for by a process of the monitor's, as long as the
# command waits.
connections_that_are_given_up() {
    sandbox -- python3 -c '
import os, signal, socket, sys, time
class GivenUp(Exception):
    pass
def give_up(*_):
    raise GivenUp
def processes():
    return sum(name.isdigit() for name in os.listdir("/proc"))
listener = socket.socket(socket.AF_UNIX)
listener.bind("full")
listener.listen(0)
first = socket.socket(socket.AF_UNIX)
first.connect("full")
signal.signal(signal.SIGALRM, give_up)
given_up = 0
for _ in range(60):
    client = socket.socket(socket.AF_UNIX)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        client.connect("full")
    except GivenUp:
        given_up += 1
    client.close()
end = time.monotonic() + 60
while processes() > 5 and time.monotonic() < end:
    time.sleep(0.05)
print(given_up, "given up,", processes(), "processes")
if given_up < 50 or processes() > 5:
    sys.exit(1)
# One that is not given up is connected when there is room.
late = socket.socket(socket.AF_UNIX)
if os.fork() == 0:
    time.sleep(0.3)
    listener.accept()
    time.sleep(0.3)
    os._exit(0)
late.connect("full")
'
}

writable_root() {
    file=$directory/outside/root
    must_fail sandbox -- sh -c "echo blah > $file"
    sandbox --writable-root "$directory/outside" -- sh -c "echo blah > $file"
    [ "$(cat "$file")" = blah ]
    sandbox -- sh -c 'echo blah > here'
    [ "$(cat "$directory/workspace/here")" = blah ]
}

# A workspace in the shared memory, of which the command has one of its own.
workspace_in_memory() {
    memory=$(mktemp -d /dev/shm/sandbox-linux-XXXXXX)
    program=$PWD/assent-sandbox-cli
    mkdir "$memory/sub"
    (cd "$memory/sub" && "$program" --workspace "$memory" -- sh -c 'echo a >../b && echo a >b')
    cat "$memory/b" "$memory/sub/b" >"$directory/output"
    rm -r "$memory"
    [ "$(cat "$directory/output")" = "a
a" ]
}

# One console works in a part of a repository, the other in all of it: the one's .git there is a
# placeholder, which goes with it, and neither tells of anything.
in_a_part_of_the_other() {
    whole=$directory/whole program=$PWD/assent-sandbox-cli
    mkdir -p "$whole/part"
    git init -q "$whole"
    (cd "$whole/part" && exec "$program" -- sh -c ': >here; sleep 1') 2>"$directory/alarms" &
    first=$!
    until [ -e "$whole/part/here" ]; do sleep 0.01; done
    (cd "$whole" && "$program" -- sh -c 'sleep 2; git status --short') \
        2>>"$directory/alarms" >"$directory/output"
    wait "$first"
    cat "$directory/alarms"
    [ ! -s "$directory/alarms" ]
    [ "$(cat "$directory/output")" = '?? part/' ]
    [ "$(ls -A "$whole/part")" = here ]
}

# A file that git is to include, and that is missing, is held: git does without it, on both sides.
missing_include() {
    whole=$directory/whole
    git -C "$whole" config include.path ../missing
    sandbox --writable-root "$whole" -- git -C "$whole" status --short
    git -C "$whole" config --unset include.path
}

# What a link leads to is closed with it, once: nothing has changed then.
closed_link() {
    echo TOKEN=1 >"$directory/workspace/real"
    ln -s real "$directory/workspace/.env"
    must_fail sandbox -- cat .env
    ! grep alarm "$directory/output" || test_fail 'an alarm, and nothing has changed'
    must_fail sandbox -- cat real
    rm "$directory/workspace/.env" "$directory/workspace/real"
}

# Where the home is itself a root, a name that nothing has yet can be both held and closed (.ssh).
home_without_anything() {
    home=$directory/home
    mkdir "$home"
    (HOME=$home && export HOME && sandbox --writable-root "$home" -- ls -d "$home/.ssh") \
        >"$directory/output" 2>&1
    grep -qx "$home/.ssh" "$directory/output" # a placeholder
    ! grep alarm "$directory/output" || test_fail 'an alarm, and nothing has changed'
    [ -z "$(ls -A "$home")" ]
}

# The host makes it meanwhile: that is told, and it is closed in turn.
home_where_something_comes() {
    home=$directory/busy
    mkdir "$home"
    # shellcheck disable=SC2016 # for the inner shell
    (HOME=$home && export HOME && sandbox --writable-root "$home" -- \
        sh -c ': >$HOME/ready; until [ -e $HOME/done ]; do sleep 0.01; done
            for _ in $(seq 1000); do cat $HOME/.ssh || exit 0; sleep 0.01; done; exit 1') \
        >"$directory/output" 2>&1 &
    command=$!
    until [ -e "$home/ready" ]; do
        kill -0 "$command"
        sleep 0.01
    done
    echo secret >"$home/new"
    mv "$home/new" "$home/.ssh"
    : >"$home/done"
    wait "$command" || test_fail 'it can be read'
    grep -q "alarm: $home/.ssh (changed while the command ran)" "$directory/output"
    rm -r "$home"
}

# A command can cause as many alarms as it likes; who called it has to find its output among them. One
# that takes long has more of them: of repositories that are seen while it runs.
alarms_are_bounded() {
    program=$PWD/assent-sandbox-cli
    # shellcheck disable=SC2016 # for the inner shell
    (cd "$directory/workspace" && "$program" -- sh -c 'for i in $(seq 14); do
        git init -q r$i && git -C r$i config core.fsmonitor x || exit; done') 2>"$directory/output"
    rm -r "$directory/workspace"/r[0-9]*
    [ "$(grep -c 'alarm: .*/r[0-9]' "$directory/output")" = 10 ]
    more=$(sed -n 's/^assent-sandbox: alarm: and \([0-9]*\) more$/\1/p' "$directory/output")
    [ "$more" -ge 4 ]
}

# The host's own work in what is protected is not lost, however quickly it follows upon itself.
branches_with_and_without_settings() {
    (
        cd "$directory/workspace"
        git init -q .
        git config user.name a
        git config user.email a@example
        git commit -q --allow-empty -m first
        git branch without
        mkdir -p .claude/commands
        echo '{}' >.claude/settings.json
        echo text >.claude/commands/x.md
        git add .claude
        git commit -qm second
        git branch with
    )
    sandbox -- sh -c 'touch go; until [ -e done ]; do sleep 0.1; done; rm go done' &
    command=$!
    until [ -e "$directory/workspace/go" ]; do sleep 0.01; done
    sleep 0.1
    for _ in $(seq 60); do
        git -C "$directory/workspace" checkout -q without
        git -C "$directory/workspace" checkout -q with
    done
    touch "$directory/workspace/done"
    wait "$command"
    [ -z "$(git -C "$directory/workspace" diff --name-only HEAD)" ]
    [ ! -e "$directory/workspace/.claude.set-aside" ]
    [ "$(cat "$directory/workspace/.claude/commands/x.md")" = text ]
}

time_out() {
    status=0
    program=$PWD/assent-sandbox-cli
    (cd "$directory/workspace" && timeout 0.3 "$program" -- sh -c 'sleep 20; : > late') || status=$?
    [ "$status" = 124 ]
    [ ! -e "$directory/workspace/late" ]
}

# On the first port that is free.
start_server() {
    port=$((30000 + $$ % 2000))
    until [ -e "$directory/ready" ]; do
        kill -0 "$server" 2>/dev/null || {
            port=$((port + 1))
            [ "$port" -lt 32700 ] || test_fail 'the server does not start'
            tests/sandbox/probe serve-tcp "$port" "$directory/ready" "$directory/came" &
            server=$!
        }
        sleep 0.01
    done
}

network_is_blocked_for() {
    must_fail sandbox -- timeout 5 "$@"
    must_fail sandbox --mode read-only -- timeout 5 "$@"
    [ ! -e "$directory/came" ] || test_fail "$* got through"
}

network_is_blocked() {
    start_server
    network_is_blocked_for curl -s -m 3 "http://127.0.0.1:$port/"
    network_is_blocked_for wget -q -t 1 -T 3 -O /dev/null "http://127.0.0.1:$port/"
    network_is_blocked_for nc -w 3 127.0.0.1 "$port"
    network_is_blocked_for ssh -o BatchMode=yes -o ConnectTimeout=3 -p "$port" 127.0.0.1 true
    network_is_blocked_for bash -c "echo hi > /dev/tcp/127.0.0.1/$port"
    network_is_blocked_for ping -c 1 -W 1 192.0.2.1
    network_is_blocked_for getent ahosts name.invalid
    network_is_blocked_for curl -s -m 3 http://192.0.2.1/
    tests/sandbox/probe connect-tcp 127.0.0.1 "$port" # the server does serve
    tries=0
    while [ ! -e "$directory/came" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 6000 ] || test_fail 'nobody would have been noticed'
        sleep 0.01
    done
    kill "$server"
}

test_case root_is_read
test_case root_is_not_written
test_case dev_null_is_written
test_case received_directories
test_case output_that_is_not_read
test_case connections_that_are_given_up
test_case writable_root
test_case workspace_in_memory
test_case in_a_part_of_the_other
test_case missing_include
test_case closed_link
test_case home_without_anything
test_case home_where_something_comes
test_case alarms_are_bounded
test_case branches_with_and_without_settings
test_case time_out
test_case network_is_blocked
test_end
