#!/bin/sh
# SPDX-License-Identifier: MIT
# git over ssh: ssh knows no proxy, but goes out by a program of ours; keys stay with the operator's
# agent, and the servers that the operator knows are the ones that are trusted.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
test_need git ssh ssh-agent ssh-add ssh-keygen sshd python3
e2e_begin

free_port() {
    python3 -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.2", 0))
    print(s.getsockname()[1])'
}

stop_servers() {
    # shellcheck disable=SC2086 # process ids
    kill ${servers-} 2>/dev/null
    e2e_cleanup
}

listens() {
    python3 -c 'import socket, sys
socket.create_connection(("127.0.0.2", int(sys.argv[1])), 2)' "$port"
}

# The server's user is the one that runs the test; only the agent's key lets in.
start_sshd() {
    port=$(free_port)
    mkdir -p "$e2e_dir/server" "$e2e_dir/home/.ssh"
    ssh-keygen -q -t ed25519 -N '' -f "$e2e_dir/server/host"
    ssh-keygen -q -t ed25519 -N '' -f "$e2e_dir/home/.ssh/id_ed25519"
    cp "$e2e_dir/home/.ssh/id_ed25519.pub" "$e2e_dir/server/authorized"
    printf '[127.0.0.2]:%s %s\n' "$port" "$(cut -d' ' -f1,2 "$e2e_dir/server/host.pub")" \
        >"$e2e_dir/home/.ssh/known_hosts"
    cat >"$e2e_dir/server/config" <<CONFIG
Port $port
ListenAddress 127.0.0.2
HostKey $e2e_dir/server/host
AuthorizedKeysFile $e2e_dir/server/authorized
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
CONFIG
    [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
    "$(command -v sshd)" -D -e -f "$e2e_dir/server/config" </dev/null >"$e2e_dir/sshd.out" 2>&1 &
    servers="${servers-} $!"
    wait_for 'sshd' listens
    ssh-agent -D -a "$e2e_dir/agent" </dev/null >"$e2e_dir/agent.out" 2>&1 &
    servers="$servers $!"
    wait_for 'the agent' test -S "$e2e_dir/agent"
    SSH_AUTH_SOCK=$e2e_dir/agent ssh-add -q "$e2e_dir/home/.ssh/id_ed25519"
}

trap stop_servers EXIT
start_sshd
git init -q "$e2e_dir/origin"
git -C "$e2e_dir/origin" -c user.name=t -c user.email=t@example commit -q --allow-empty -m first
git clone -q --bare "$e2e_dir/origin" "$e2e_dir/repository.git"
url=ssh://$(id -un)@127.0.0.2:$port$e2e_dir/repository.git
e2e_env="SSH_AUTH_SOCK=$e2e_dir/agent"

open_console() {
    printf 'environment_pass = {PATH, HOME, USER, SSH_AUTH_SOCK}\nallow_unix_sockets = {"%s"}\n' \
        "$e2e_dir/agent" >"$e2e_dir/conf/assent/assent.conf"
    console_open main 100x34 -c guard_time=0
}

git_over_ssh_is_asked_and_granted() {
    open_console
    client one -- git clone "$url" one
    wait_screen main "┃ socks5-tcp://127.0.0.2:$port"
    wait_screen main 'c1  git clone'
    keys main d
    client_ends one 128
    grep -q 'was not granted' "$e2e_dir/one.err"
    forget_denials
    client two -- git clone -q "$url" two
    wait_screen main "┃ socks5-tcp://127.0.0.2:$port"
    keys main y
    client_ends two 0
    test "$(git -C "$e2e_work/two" log --format=%s)" = first
    # The key itself is not to be had.
    client three -- cat "$e2e_dir/home/.ssh/id_ed25519"
    wait_screen main 'Run it again'
    keys main d
    client_ends three 77
    console_stop main
}

a_server_that_the_operator_does_not_know_is_not_trusted() {
    : >"$e2e_dir/home/.ssh/known_hosts"
    open_console
    client one -- git clone "$url" three
    wait_screen main "┃ socks5-tcp://127.0.0.2:$port"
    keys main y
    client_ends one 128
    grep -q 'Host key verification failed' "$e2e_dir/one.err"
    console_stop main
}

test_case git_over_ssh_is_asked_and_granted
test_case a_server_that_the_operator_does_not_know_is_not_trusted
e2e_end
