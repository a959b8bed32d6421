# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Servers on this machine that commands in the sandbox are let to. For scripts that have sourced
# lib.sh and begun.
# shellcheck disable=SC2154,SC2034 # lib.sh has the directories; the scripts use what is set here

# server NAME [CERTIFICATE KEY]: serves $e2e_dir/www; its port is in $e2e_dir/NAME.
server() {
    server_name=$1
    shift
    python3 "$srcdir/tests/e2e/network-server.py" "$e2e_dir/www" 127.0.0.2 \
        "$e2e_dir/$server_name" "$@" </dev/null >"$e2e_dir/$server_name.out" 2>&1 &
    servers="${servers-} $!"
    wait_for "the server $server_name" test -e "$e2e_dir/$server_name"
}

stop_servers() {
    # shellcheck disable=SC2086 # process ids
    kill $servers 2>/dev/null
    e2e_cleanup
}

trap stop_servers EXIT
mkdir "$e2e_dir/www"
echo 'content of the file' >"$e2e_dir/www/file"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.2 \
    -keyout "$e2e_dir/key.pem" -out "$e2e_work/ca.pem" 2>/dev/null || exit 1
server plain
server tls "$e2e_work/ca.pem" "$e2e_dir/key.pem"
plain=127.0.0.2:$(cat "$e2e_dir/plain")
tls=127.0.0.2:$(cat "$e2e_dir/tls")

open_console() {
    console_open main 100x34 -c guard_time=0
}

# wants NAME URL: that console shows the request for this connection.
wants() {
    wait_screen "$1" 'May it connect there?' && wait_screen "$1" "┃ $2"
}

requests() {
    grep -c '' "$e2e_dir/$1.log" 2>/dev/null || true
}

says() {
    grep -qF -e "$2" "$e2e_dir/$1.out"
}

in_record() {
    grep -F '"event":"'"$1"'"' "$e2e_dir"/state/assent/sessions/* | grep -qF -e "$2"
}
